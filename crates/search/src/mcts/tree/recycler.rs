//! The state of node recycling, see `recycle`.

/// The clock hand and the hole behind it.
#[derive(Debug)]
pub(crate) struct Recycler {
    pub(super) cap_bytes: usize,
    /// Start of the free slots, which end at the hand.
    pub(super) hole: usize,
    pub(super) hand: usize,
    /// Whether the cap has been reached. Until then nothing is recycled.
    pub(super) full: bool,
    /// Number of nodes when the cap was reached.
    pub(super) nodes: u32,
    /// Nodes made before this search began.
    pub(super) search: u32,
    /// The tier at which a scan starts: the last one that was needed.
    pub(super) tier: u8,
}

impl Recycler {
    pub(crate) fn new(memory_mib: u32) -> Recycler {
        let cap_bytes = memory_mib as usize * (1 << 20);
        Recycler { cap_bytes, hole: 1, hand: 1, full: false, nodes: 0, search: 0, tier: 0 }
    }

    pub(crate) fn clear(&mut self) {
        *self = Recycler { hole: 1, hand: 1, full: false, nodes: 0, search: 0, tier: 0, ..*self };
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full
    }
}
