//! Static evaluation: the boxes on offer, and which side must open the first chain when no safe edge is left.

use banyan_core::bits::Bits;

use super::coins::Coins;

/// More boxes than any board has.
const MOST_BOXES: usize = 96;

/// A position after all boxes on offer have been taken.
struct Rest<'a, B> {
    coins: Coins<'a, B>,
    /// Edges that put no box on offer.
    safe: B,
}

impl<B: Bits> Coins<'_, B> {
    /// Static evaluation in boxes, excluding the score: boxes of the mover minus those of its opponent from here on.
    ///
    /// If no edge is safe, or the safe edges are independent, the chains are determined; their value follows from
    /// opening the shortest first and keeping control where that pays (Berlekamp, The Dots and Boxes Game, 2000).
    /// Otherwise only the boxes on offer count. On random positions of 3x3 boxes the mean error was 0.2 boxes with no
    /// safe edge and 0.9 to 1.7 with independent ones; that of the boxes on offer alone was 1.5 and 3.6.
    pub(super) fn static_points(&self) -> i32 {
        let (taken, rest) = self.after_taking();
        let to_come = rest.value_after_safe_edges();
        match self.tail_to_hand_back() {
            None => taken + to_come,
            // Take all boxes and move again, or leave the tail and make the opponent move.
            Some(tail) => taken - tail + (to_come + tail).abs(),
        }
    }

    /// Takes every box on offer; returns their number and the remaining position.
    fn after_taking(&self) -> (i32, Rest<'_, B>) {
        let (mut coins, mut taken) = (*self, 0);
        for number in 0..self.layout.shape.n_boxes() {
            taken += coins.take_from(number);
        }
        let mut safe = coins.undrawn;
        for number in 0..self.layout.shape.n_boxes() {
            let left = coins.left(number);
            if left.count() == 2 {
                safe = safe.and_not(left);
            }
        }
        (taken, Rest { coins, safe })
    }

    /// Takes a box if it is on offer, and then those that this puts on offer; returns their number.
    pub(super) fn take_from(&mut self, number: u32) -> i32 {
        let (mut at, mut taken) = (number, 0);
        loop {
            let left = self.left(at);
            if left.count() != 1 {
                return taken;
            }
            self.undrawn = self.undrawn.and_not(left);
            taken += 1;
            let Some(next) = self.beyond(at, left.lowest()) else { return taken };
            if self.left(next).is_empty() {
                return taken + 1;
            }
            at = next;
        }
    }

    /// Boxes of the cheapest tail that could be handed back: two of a chain that is open at its far end, four of one on
    /// offer at both ends.
    fn tail_to_hand_back(&self) -> Option<i32> {
        let on_offer = (0..self.layout.shape.n_boxes()).filter(|&number| self.left(number).count() == 1);
        on_offer.filter_map(|number| self.tail_from(number)).min()
    }

    fn tail_from(&self, number: u32) -> Option<i32> {
        let (mut at, mut edge, mut n_boxes) = (number, self.left(number).lowest(), 1);
        while let Some(next) = self.beyond(at, edge) {
            let left = self.left(next);
            match left.count() {
                1 => return (n_boxes >= 3).then_some(4),
                2 => (at, edge) = (next, left.and_not(B::single(edge)).lowest()),
                _ => break,
            }
            n_boxes += 1;
        }
        (n_boxes >= 2).then_some(2)
    }
}

impl<B: Bits> Rest<'_, B> {
    /// Boxes that the mover wins if both sides draw the safe edges first; 0 if these are not independent.
    fn value_after_safe_edges(&self) -> i32 {
        let numbers = 0..self.coins.layout.shape.n_boxes();
        let independent = numbers.into_iter().all(|number| {
            let left = self.coins.left(number);
            // A box must keep two undrawn edges when all safe edges are drawn.
            left.and(self.safe).count() <= left.count().saturating_sub(2)
        });
        if !independent {
            return 0;
        }
        let value = Coins { undrawn: self.coins.undrawn.and_not(self.safe), ..self.coins }.value_for_non_mover();
        if self.safe.count().is_multiple_of(2) { -value } else { value }
    }
}

impl<B: Bits> Coins<'_, B> {
    /// Boxes that the side not to move wins when only chains are left.
    fn value_for_non_mover(&self) -> i32 {
        let (mut chains, mut loops) = ([0u8; MOST_BOXES], [0u8; MOST_BOXES]);
        let (mut seen, mut longest, mut value) = (0u128, 0, 0);
        for number in 0..self.layout.shape.n_boxes() {
            let left = self.left(number).count();
            // A junction goes to the side that takes the last chain there, which is the side in control.
            value += i32::from(left > 2);
            if left == 2 && seen >> number & 1 == 0 {
                let chain = self.chain(number, &mut seen);
                let n_boxes = chain.n_boxes as usize;
                let kind = if chain.is_loop { &mut loops } else { &mut chains };
                kind[n_boxes] += 1;
                longest = longest.max(n_boxes);
            }
        }
        for n_boxes in (1..=longest).rev() {
            let n = n_boxes as i32;
            for _ in 0..chains[n_boxes] {
                // A chain of two is opened by its inner edge, so that nothing can be handed back.
                value = if n < 3 { n - value } else { n - 2 + (value - 2).abs() };
            }
            for _ in 0..loops[n_boxes] {
                value = n - 4 + (value - 4).abs();
            }
        }
        value
    }
}
