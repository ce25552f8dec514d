//! Move ordering.

use banyan_bits::Bits;

use super::layout::Layout;
use super::{DotsAndBoxes, State};

impl<B: Bits> DotsAndBoxes<B> {
    /// Captures first, then safe edges, then those that give away the fewest boxes; ties by centrality.
    pub(super) fn order_score(&self, before: &State<B>, edge: u8, after: &State<B>, centrality: u8) -> i32 {
        let captures = i32::from(before.open - after.open);
        if captures > 0 {
            return (captures << 16) + i32::from(centrality);
        }
        let mut undrawn = self.undrawn(after);
        let one = u32::from(self.layout.neighbours[usize::from(edge)].numbers[0]);
        let mut given = self.layout.take_from(one, &mut undrawn);
        if let Some(other) = self.layout.beyond(one, edge.into()) {
            given += self.layout.take_from(other, &mut undrawn);
        }
        i32::from(centrality) - (given << 8)
    }
}

/// Works from box to box: only the boxes beside one edge matter here, and most of them give nothing away.
impl<B: Bits> Layout<B> {
    /// Takes a box if it is on offer, and then those that this puts on offer; returns their number.
    fn take_from(&self, number: u32, undrawn: &mut B) -> i32 {
        let (mut at, mut taken) = (number, 0);
        loop {
            let left = self.boxes[at as usize].and(*undrawn);
            if left.count() != 1 {
                return taken;
            }
            *undrawn = undrawn.and_not(left);
            taken += 1;
            let Some(next) = self.beyond(at, left.lowest()) else { return taken };
            if self.boxes[next as usize].and(*undrawn).is_empty() {
                return taken + 1;
            }
            at = next;
        }
    }

    /// The neighbouring box across an edge of this box; `None` on the border.
    #[inline(always)]
    fn beyond(&self, number: u32, edge: u32) -> Option<u32> {
        let neighbours = &self.neighbours[edge as usize];
        let [one, other] = neighbours.numbers.map(u32::from);
        // A missing box comes second.
        (!neighbours.edges[1].has(Layout::<B>::NEVER)).then_some(if one == number { other } else { one })
    }
}
