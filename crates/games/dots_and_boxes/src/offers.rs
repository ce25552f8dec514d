//! Taking the boxes on offer, down to a quiet position.

use banyan_bits::Bits;

use super::degrees::{Degrees, Grid};

/// A position with boxes on offer, after which the side to move has one choice at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offers<B> {
    /// Number of boxes that it can take.
    pub(super) n_boxes: i32,
    /// Number of the last of them, which it can hand back instead: 0, 2 or 4.
    pub(super) back: i32,
    /// The undrawn edges that remain either way. No box is on offer there.
    pub(super) rest: B,
}

impl<B: Bits> Offers<B> {
    /// The value for the side to move; `rest` is the value of the remaining edges for the side that moves there.
    #[inline(always)]
    pub(super) fn value(&self, rest: i32) -> i32 {
        if self.back == 0 { self.n_boxes + rest } else { self.n_boxes - self.back + (rest + self.back).abs() }
    }
}

/// Proven best play for a box on offer.
pub(super) enum Offer<B> {
    /// Taking it is best: its edge, and the boxes that the edge closes.
    Free(B, i32),
    /// It begins a tail, the last boxes of a chain.
    Tail(Tail<B>),
}

/// The last boxes of a chain on offer, which can be handed back.
pub(super) struct Tail<B> {
    pub(super) n_boxes: i32,
    /// Their edges.
    edges: B,
    /// The edge that takes the first of them.
    pub(super) take: B,
    /// The edge that hands them back.
    pub(super) give: B,
}

impl<B: Bits> Grid<B> {
    /// Takes the boxes on offer in `undrawn`. With tails of two and of four boxes, those of four are taken first, because handing back two
    /// costs less.
    pub(super) fn take_offers(&self, mut undrawn: B) -> Offers<B> {
        let mut n_boxes = 0;
        loop {
            let degrees = self.degrees(undrawn);
            let mut tail: Option<Tail<B>> = None;
            let mut has_others = false;
            let mut free = None;
            for number in degrees.one.ones() {
                match (self.offer(&degrees, undrawn, B::single(number)), &tail) {
                    (Offer::Free(edge, closed), _) => {
                        free = Some((edge, closed));
                        break;
                    }
                    // The far end of a tail of four.
                    (Offer::Tail(found), Some(known)) if found.give == known.give => {}
                    (Offer::Tail(found), known) => {
                        has_others |= known.is_some();
                        if known.as_ref().is_none_or(|known| found.n_boxes > known.n_boxes) {
                            tail = Some(found);
                        }
                    }
                }
            }
            let (edge, closed) = match (free, tail) {
                (Some(free), _) => free,
                (None, Some(tail)) if has_others => (tail.take, 1),
                (None, Some(Tail { n_boxes: back, edges, .. })) => {
                    return Offers { n_boxes: n_boxes + back, back, rest: undrawn.and_not(edges) };
                }
                (None, None) => return Offers { n_boxes, back: 0, rest: undrawn },
            };
            undrawn = undrawn.and_not(edge);
            n_boxes += closed;
        }
    }

    /// The case of the box `b` on offer; cases and letters are those of `undominated.rs`, where they are proven.
    #[inline(always)]
    pub(super) fn offer(&self, degrees: &Degrees<B>, undrawn: B, b: B) -> Offer<B> {
        let (is_on_offer, is_in_chain) =
            (|boxes: B| !boxes.and(degrees.one).is_empty(), |boxes: B| !boxes.and(degrees.two).is_empty());
        let edges = |boxes: B| self.edges_of(boxes).and(undrawn);
        let e = edges(b);
        let c = self.beside(degrees, b);
        if !is_in_chain(c) {
            return Offer::Free(e, if is_on_offer(c) { 2 } else { 1 });
        }
        let f = edges(c).and_not(e);
        let d = self.beside(degrees, c).and_not(b);
        if is_on_offer(d) {
            return Offer::Free(e, 1);
        }
        if !is_in_chain(d) {
            return Offer::Tail(Tail { n_boxes: 2, edges: e.or(f), take: e, give: f });
        }
        let g = edges(d).and_not(f);
        if is_on_offer(self.beside(degrees, d).and_not(c)) {
            Offer::Tail(Tail { n_boxes: 4, edges: e.or(f).or(g), take: e, give: f })
        } else {
            Offer::Free(e, 1)
        }
    }
}
