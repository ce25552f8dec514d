//! Move ordering.

use banyan_core::bits::Bits;

use super::{DotsAndBoxes, State};

impl<B: Bits> DotsAndBoxes<B> {
    /// Captures first, then safe edges, then those that give away the fewest boxes; ties by centrality.
    pub(super) fn order_score(&self, before: &State<B>, edge: u8, after: &State<B>, centrality: u8) -> i32 {
        let captures = i32::from(before.open - after.open);
        if captures > 0 {
            return (captures << 16) + i32::from(centrality);
        }
        let mut coins = self.coins(after);
        let one = u32::from(self.layout.neighbours[usize::from(edge)].numbers[0]);
        let other = coins.beyond(one, edge.into());
        let given = coins.take_from(one) + other.map_or(0, |other| coins.take_from(other));
        i32::from(centrality) - (given << 8)
    }
}
