//! Static evaluation: the boxes on offer, and the side that must open the first chain when no safe edge is left.

use banyan_bits::Bits;

use super::chains::{MOST_CHAINS, chains};
use super::degrees::{Degrees, Grid};

impl<B: Bits> Grid<B> {
    /// Static evaluation in boxes, excluding the score: boxes of the mover minus those of its opponent from here on.
    ///
    /// If no edge is safe, or the safe edges are independent, the chains are determined; their value follows from
    /// opening the shortest first and keeping control if that pays (Berlekamp, The Dots and Boxes Game, 2000).
    /// Otherwise only the boxes on offer count. On random positions of 3x3 boxes the mean error was 0.2 boxes with no
    /// safe edge and 0.9 to 1.7 with independent ones; that of the boxes on offer alone was 1.5 and 3.6.
    pub(super) fn static_points(&self, undrawn: B) -> i32 {
        let degrees = self.degrees(undrawn);
        if degrees.one.is_empty() {
            return self.value_after_safe_edges(&degrees, undrawn);
        }
        let (taken, degrees_left, left) = self.after_taking(&degrees, undrawn);
        let to_come = self.value_after_safe_edges(&degrees_left, left);
        match self.tail_to_hand_back(&degrees, undrawn) {
            None => taken + to_come,
            // Take all boxes and move again, or leave the tail and make the opponent move.
            Some(tail) => taken - tail + (to_come + tail).abs(),
        }
    }

    /// Takes every box on offer; returns their number and the remaining position.
    fn after_taking(&self, degrees: &Degrees<B>, undrawn: B) -> (i32, Degrees<B>, B) {
        let (mut left, mut degrees_left) = (undrawn, *degrees);
        while !degrees_left.one.is_empty() {
            let in_strings = degrees_left.one.or(degrees_left.two);
            let taken = self.connected(&degrees_left, degrees_left.one, in_strings);
            left = left.and_not(self.edges_of(taken));
            degrees_left = self.degrees(left);
        }
        ((degrees.open().count() - degrees_left.open().count()) as i32, degrees_left, left)
    }

    /// Boxes of the cheapest tail that could be handed back: two of a chain that is open at its far end, four of one on
    /// offer at both ends.
    fn tail_to_hand_back(&self, degrees: &Degrees<B>, undrawn: B) -> Option<i32> {
        let on_offer = self.connected(degrees, degrees.one, degrees.one.or(degrees.two));
        let tail = |boxes: B| match (boxes.and(degrees.one).count(), boxes.count()) {
            (1, 2..) => Some(2),
            (2, 4..) => Some(4),
            _ => None,
        };
        chains(self, degrees, undrawn, on_offer).filter_map(|chain| tail(chain.boxes)).min()
    }

    /// Boxes that the mover wins if both sides draw the safe edges first; 0 if these are not independent. No box is on offer.
    fn value_after_safe_edges(&self, degrees: &Degrees<B>, undrawn: B) -> i32 {
        let safe = self.safe(degrees, undrawn);
        let unsafe_edges = undrawn.and_not(safe);
        let settled = self.degrees(unsafe_edges);
        // A box must keep two undrawn edges when all safe edges are drawn.
        if settled.two.or(settled.more) != degrees.open() {
            return 0;
        }
        let value = self.value_for_non_mover(&settled, unsafe_edges);
        if safe.count().is_multiple_of(2) { -value } else { value }
    }

    /// Boxes that the side not to move wins when only chains are left.
    fn value_for_non_mover(&self, degrees: &Degrees<B>, undrawn: B) -> i32 {
        let (mut n_chains, mut n_loops) = ([0u8; MOST_CHAINS], [0u8; MOST_CHAINS]);
        let mut longest = 0;
        for chain in chains(self, degrees, undrawn, degrees.two) {
            let n_boxes = chain.n_boxes as usize;
            let kind = if chain.is_loop { &mut n_loops } else { &mut n_chains };
            kind[n_boxes] += 1;
            longest = longest.max(n_boxes);
        }
        // A junction goes to the side that takes the last chain there, which is the side in control.
        let mut value = degrees.more.count() as i32;
        for n_boxes in (1..=longest).rev() {
            let n = n_boxes as i32;
            for _ in 0..n_chains[n_boxes] {
                // A chain of two is opened by its inner edge, so that nothing can be handed back.
                value = if n < 3 { n - value } else { n - 2 + (value - 2).abs() };
            }
            for _ in 0..n_loops[n_boxes] {
                value = n - 4 + (value - 4).abs();
            }
        }
        value
    }
}
