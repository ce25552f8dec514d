//! The tree's memory: one arena of slots, each node a block of neighbouring slots.
//!
//! A node with k children takes k + 1 slots of three words. Slot 0 is its head: mean and number of the playouts that
//! started at the node itself, number of children and how many of them were tried. Then come, each k words long and one
//! after another, the visits of the edges, their mean rewards and the handles of the nodes they lead to. Moves lie in a
//! list of their own at the same slot numbers. So a scan over children reads neighbouring words, eight at a time, and
//! nothing is allocated per node. Children always lie behind their parent, which `keep_only` relies on.

use banyan_core::cpu::LANES;

/// Words of a slot.
const SLOT: usize = 3;
/// Marks, in a head, a node that `keep_only` has still to move.
const PENDING: u32 = 1 << 31;

/// Fewer children than this fit a node.
const MOST_CHILDREN: usize = 1 << 15;
/// How many blocks `keep_only` passes between two questions: well under a millisecond's work.
const BLOCKS_BETWEEN_QUESTIONS: u32 = 4096;

/// Handle of a node: the number of its first slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// One edge of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) node: NodeId,
    /// Number of children of the node.
    pub(crate) len: usize,
    /// Which of them, in the order they are tried in.
    pub(crate) index: usize,
}

/// Visits and mean reward, seen by the first side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) visits: u32,
    pub(crate) mean: f32,
}

impl Tally {
    /// One more reward.
    #[inline(always)]
    pub(crate) fn with(self, reward: f32) -> Tally {
        let visits = self.visits + 1;
        Tally { visits, mean: self.mean + (reward - self.mean) / visits as f32 }
    }
}

/// The arena.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    words: Vec<u32>,
    moves: Vec<M>,
    most_slots: usize,
}

impl<M: Copy> Tree<M> {
    /// An empty tree that will never take more than `memory_mib`.
    pub(crate) fn new(memory_mib: u32) -> Tree<M> {
        let bytes = memory_mib as usize * (1 << 20);
        let per_slot = SLOT * 4 + size_of::<M>();
        // Slot 0 is never a node: handle 0 says "no child".
        // `keep_only` notes words, of which a slot has several, in one word.
        let most_slots = (bytes / per_slot).clamp(2 * LANES, u32::MAX as usize / SLOT) - LANES;
        Tree { words: vec![0; SLOT + LANES], moves: Vec::new(), most_slots }
    }

    /// Forgets every node, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.words.truncate(SLOT + LANES);
        self.words.fill(0);
        self.moves.clear();
    }

    /// Memory taken by nodes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 4 + self.moves.len() * size_of::<M>()
    }

    /// Makes a node with a child for each of `moves`, none of them tried, or `None` when the memory is used up.
    #[inline]
    pub(crate) fn add(&mut self, moves: &[M], own: Tally) -> Option<NodeId> {
        assert!((1..MOST_CHILDREN).contains(&moves.len()), "a node with {} children", moves.len());
        let first = self.slots();
        let end = first + 1 + moves.len();
        if end > self.most_slots && first > 1 {
            return None;
        }
        self.reserve(end);
        self.words.resize(end * SLOT + LANES, 0);
        self.moves.resize(first + 1, moves[0]);
        self.moves.extend_from_slice(moves);
        self.words[first * SLOT] = own.mean.to_bits();
        self.words[first * SLOT + 1] = own.visits;
        self.words[first * SLOT + 2] = moves.len() as u32;
        Some(NodeId(first as u32))
    }

    /// Slots in use, the empty slot 0 included.
    #[inline(always)]
    fn slots(&self) -> usize {
        (self.words.len() - LANES) / SLOT
    }

    /// Makes room up to slot `end`, by an eighth at a time so that little lies idle.
    #[inline(always)]
    fn reserve(&mut self, end: usize) {
        if end * SLOT + LANES > self.words.capacity() {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        let slots = (end + end / 8 + 4096).min(self.most_slots.max(end));
        self.words.reserve_exact(slots * SLOT + LANES - self.words.len());
        self.moves.reserve_exact(slots - self.moves.len());
    }

    /// Number of children.
    #[inline(always)]
    pub(crate) fn len(&self, id: NodeId) -> usize {
        (self.words[id.base() + 2] & 0x7fff) as usize
    }

    /// Number of children tried.
    #[inline(always)]
    pub(crate) fn tried(&self, id: NodeId) -> usize {
        (self.words[id.base() + 2] >> 15 & 0x7fff) as usize
    }

    /// The playouts that started at the node itself.
    #[inline(always)]
    pub(crate) fn own(&self, id: NodeId) -> Tally {
        Tally { mean: f32::from_bits(self.words[id.base()]), visits: self.words[id.base() + 1] }
    }

    /// Visits of the children and, from the same place on, [`LANES`] words more than there are children.
    #[inline(always)]
    pub(crate) fn visits(&self, id: NodeId, len: usize) -> &[u32] {
        let from = id.base() + SLOT;
        &self.words[from..from + len + LANES]
    }

    /// Bits of the mean rewards of the children, likewise padded.
    #[inline(always)]
    pub(crate) fn means(&self, id: NodeId, len: usize) -> &[u32] {
        let from = id.base() + SLOT + len;
        &self.words[from..from + len + LANES]
    }

    /// Visits and mean of one child.
    #[inline(always)]
    pub(crate) fn tally(&self, edge: Edge) -> Tally {
        let at = edge.visits_word();
        Tally { visits: self.words[at], mean: f32::from_bits(self.words[at + edge.len]) }
    }

    /// Sets visits and mean of one child.
    #[inline(always)]
    pub(crate) fn set_tally(&mut self, edge: Edge, tally: Tally) {
        let at = edge.visits_word();
        self.words[at] = tally.visits;
        self.words[at + edge.len] = tally.mean.to_bits();
    }

    /// Counts `n` more children as tried.
    #[inline(always)]
    pub(crate) fn count_tried(&mut self, id: NodeId, n: usize) {
        self.words[id.base() + 2] += (n as u32) << 15;
    }

    /// The move of an edge.
    #[inline(always)]
    pub(crate) fn mv(&self, edge: Edge) -> M {
        self.moves[edge.node.0 as usize + 1 + edge.index]
    }

    /// The moves of all edges.
    #[inline(always)]
    pub(crate) fn moves(&self, id: NodeId) -> &[M] {
        let from = id.0 as usize + 1;
        &self.moves[from..from + self.len(id)]
    }

    /// The moves of all edges, to be put into another order; only those of untried children may change places.
    #[inline(always)]
    pub(crate) fn moves_mut(&mut self, id: NodeId) -> &mut [M] {
        let from = id.0 as usize + 1;
        let len = self.len(id);
        &mut self.moves[from..from + len]
    }

    /// The edges of a node.
    pub(crate) fn edges(&self, node: NodeId) -> impl DoubleEndedIterator<Item = Edge> + use<M> {
        let len = self.len(node);
        (0..len).map(move |index| Edge { node, len, index })
    }

    /// The node an edge leads to, if it has one.
    #[inline(always)]
    pub(crate) fn child(&self, edge: Edge) -> Option<NodeId> {
        let handle = self.words[edge.visits_word() + 2 * edge.len];
        (handle != 0).then_some(NodeId(handle))
    }

    /// Hangs a node below an edge.
    #[inline(always)]
    pub(crate) fn set_child(&mut self, edge: Edge, child: NodeId) {
        debug_assert!(child.0 > edge.node.0, "a child must lie behind its parent");
        self.words[edge.visits_word() + 2 * edge.len] = child.0;
    }

    /// Visits and mean of a node: its own playouts and all that went through its children.
    pub(crate) fn total(&self, id: NodeId) -> Tally {
        let own = self.own(id);
        let mut visits = u64::from(own.visits);
        let mut sum = f64::from(own.visits) * f64::from(own.mean);
        for edge in self.edges(id) {
            let tally = self.tally(edge);
            visits += u64::from(tally.visits);
            sum += f64::from(tally.visits) * f64::from(tally.mean);
        }
        Tally { visits: visits as u32, mean: if visits > 0 { (sum / visits as f64) as f32 } else { 0.0 } }
    }

    /// Whether the node is the first of the arena, as a root is until it moves.
    pub(crate) fn is_first(&self, id: NodeId) -> bool {
        id.0 == 1
    }

    /// Drops everything that cannot be reached from `root` and closes the gaps, in one pass over the arena and without
    /// further memory. Returns the root's new handle and the number of edges that were tried, or `None` when `stopped`,
    /// asked every [`BLOCKS_BETWEEN_QUESTIONS`] blocks, said so: then the tree is good for nothing but `clear`.
    ///
    /// Blocks are visited from front to back. When a block moves, each of its children lies further back and has not
    /// moved; the child's head lends a word to note where its new handle has to be written (pointer threading,
    /// after Jonkers 1979), and the word it held waits in the handle's place.
    pub(crate) fn keep_only(&mut self, root: NodeId, stopped: &mut dyn FnMut() -> bool) -> Option<(NodeId, u64)> {
        let end = self.slots();
        let (mut from, mut to) = (root.0 as usize, 1);
        let mut tried = 0;
        let mut until_question = BLOCKS_BETWEEN_QUESTIONS;
        while from < end {
            until_question -= 1;
            if until_question == 0 {
                if stopped() {
                    return None;
                }
                until_question = BLOCKS_BETWEEN_QUESTIONS;
            }
            let base = from * SLOT;
            let len = (self.words[base + 2] & 0x7fff) as usize;
            let wanted = from == root.0 as usize || self.words[base + 2] & PENDING != 0;
            if wanted {
                if from != root.0 as usize {
                    let waiting = self.words[base] as usize;
                    self.words[base] = std::mem::replace(&mut self.words[waiting], to as u32);
                    self.words[base + 2] &= !PENDING;
                }
                tried += u64::from(self.words[base + 2] >> 15);
                self.words.copy_within(base..base + (len + 1) * SLOT, to * SLOT);
                self.moves.copy_within(from..from + len + 1, to);
                for at in to * SLOT + SLOT + 2 * len..to * SLOT + SLOT + 3 * len {
                    let child = self.words[at] as usize;
                    if child != 0 {
                        self.words[at] = std::mem::replace(&mut self.words[child * SLOT], at as u32);
                        self.words[child * SLOT + 2] |= PENDING;
                    }
                }
                to += len + 1;
            }
            from += len + 1;
        }
        self.words.truncate(to * SLOT);
        self.words.resize(to * SLOT + LANES, 0);
        self.moves.truncate(to);
        Some((NodeId(1), tried))
    }
}

impl Edge {
    #[inline(always)]
    fn visits_word(self) -> usize {
        self.node.base() + SLOT + self.index
    }
}

impl NodeId {
    #[inline(always)]
    fn base(self) -> usize {
        self.0 as usize * SLOT
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;

    /// Everything below a node as nested text.
    fn text(tree: &Tree<u8>, id: NodeId) -> String {
        let edges = tree.edges(id).map(|edge| {
            let below = tree.child(edge).map(|child| text(tree, child)).unwrap_or_default();
            format!("{}:{:?}{below}", tree.mv(edge), tree.tally(edge))
        });
        format!("[{:?} {} {}]", tree.own(id), tree.tried(id), edges.collect::<Vec<_>>().join(" "))
    }

    fn random_tree(rng: &mut Rng, nodes: usize) -> (Tree<u8>, Vec<NodeId>) {
        let mut tree = Tree::new(16);
        let mut ids = vec![];
        while ids.len() < nodes {
            let moves: Vec<u8> = (0..1 + rng.below(9) as u8).collect();
            let own = Tally { visits: rng.below(5), mean: rng.unit() as f32 };
            let id = tree.add(&moves, own).expect("the memory suffices");
            if let Some(&parent) = ids.get(rng.below(ids.len().max(1) as u32) as usize) {
                let edge =
                    tree.edges(parent).nth(rng.below(tree.len(parent) as u32) as usize).expect("below the number");
                if tree.tally(edge).visits == 0 {
                    tree.count_tried(parent, 1);
                }
                tree.set_tally(edge, Tally { visits: 1 + rng.below(9), mean: rng.unit() as f32 });
                tree.set_child(edge, id);
            }
            ids.push(id);
        }
        (tree, ids)
    }

    #[test]
    fn keeping_a_subtree_changes_nothing_in_it_and_frees_the_rest() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let (mut tree, ids) = random_tree(&mut rng, 60);
            let root = ids[rng.below(60) as usize];
            let before = text(&tree, root);
            let (new_root, tried) = tree.keep_only(root, &mut || false).expect("nobody stops it");
            assert_eq!(text(&tree, new_root), before);
            assert_eq!(
                tried,
                before.matches("visits").count() as u64
                    - before.matches("visits: 0").count() as u64
                    - owns_with_visits(&before)
            );
            let (again, _) = tree.keep_only(new_root, &mut || false).expect("nobody stops it");
            assert_eq!(text(&tree, again), before);
        }
    }

    /// How many of the tallies in `text` are a node's own and not zero.
    fn owns_with_visits(text: &str) -> u64 {
        text.split('[').skip(1).filter(|node| !node.starts_with("Tally { visits: 0")).count() as u64
    }

    #[test]
    fn memory_is_never_exceeded_but_the_root_always_fits() {
        let mut tree = Tree::<u8>::new(1);
        let moves = [0; 7];
        let mut nodes = 0;
        while tree.add(&moves, Tally::default()).is_some() {
            nodes += 1;
            assert!(tree.bytes() <= 1 << 20 && tree.words.capacity() * 4 + tree.moves.capacity() <= 1 << 20);
        }
        assert!(nodes > (1 << 20) / (8 * 13) * 9 / 10, "only {nodes} nodes fit");
    }
}
