//! Chains and loops: connected boxes with two undrawn edges each.

use banyan_bits::Bits;

use super::degrees::{Degrees, Grid};
use super::loony::Loony;

/// A chain or a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chain<B> {
    pub(super) boxes: B,
    /// The undrawn edges of its boxes.
    pub(super) edges: B,
    pub(super) n_boxes: u32,
    /// Whether it is a loop; meaningless if one of its boxes is on offer.
    pub(super) is_loop: bool,
    /// Whether neither end leads to a box with three or more undrawn edges.
    pub(super) isolated: bool,
}

/// Upper bound of the number of chains of a board: each chain has at least one box, which no other has, and at least as many edges as
/// boxes.
pub(super) const MOST_CHAINS: usize = 96;

/// The chains and loops among `set`, boxes with one or two undrawn edges: all with two, in a position where no box is on offer.
#[inline(always)]
pub(super) fn chains<B: Bits>(
    grid: &Grid<B>,
    degrees: &Degrees<B>,
    undrawn: B,
    set: B,
) -> impl Iterator<Item = Chain<B>> {
    let mut left = set;
    std::iter::from_fn(move || {
        if left.is_empty() {
            return None;
        }
        let boxes = grid.connected(degrees, B::single(left.lowest()), set);
        left = left.and_not(boxes);
        let edges = grid.edges_of(boxes).and(undrawn);
        let n_boxes = boxes.count();
        let isolated = grid.beside(degrees, boxes).and(degrees.more).is_empty();
        Some(Chain { boxes, edges, n_boxes, is_loop: edges.count() == n_boxes, isolated })
    })
}

impl<B: Bits> Grid<B> {
    /// One edge of a chain or loop: between two of its boxes if it has two or more.
    #[inline(always)]
    pub(super) fn inner_edge(&self, chain: &Chain<B>, undrawn: B) -> B {
        let first = B::single(chain.boxes.lowest());
        let edges = self.edges_of(first).and(undrawn);
        let shared = edges.and(self.edges_of(chain.boxes.and_not(first)));
        B::single(if shared.is_empty() { edges } else { shared }.lowest())
    }
}

/// The value of a position of isolated chains and loops for the side to move.
pub(super) fn loony_value<B: Bits>(grid: &Grid<B>, degrees: &Degrees<B>, undrawn: B) -> i32 {
    let mut loony = Loony::new();
    for chain in chains(grid, degrees, undrawn, degrees.two) {
        loony.add(chain.n_boxes, chain.is_loop);
    }
    loony.value()
}
