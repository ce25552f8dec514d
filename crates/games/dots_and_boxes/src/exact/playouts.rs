//! Playouts whose safe edges are random and whose rest is valued by the chains that remain.

use banyan_core::bits::Bits;
use banyan_core::{Evaluator, Game, Leaves, Margin, Rng};

use crate::chains::settled_value;
use crate::degrees::Grid;
use crate::{DotsAndBoxes, State};

/// Playouts of random edges that put no box on offer. When no such edge is left, the chains and loops decide: their value
/// under best play, exact where they are isolated; elsewhere a box where chains meet goes to the side in control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SafePlayouts;

impl<B: Bits> Evaluator<DotsAndBoxes<B>> for SafePlayouts {
    fn evaluate(&mut self, game: &DotsAndBoxes<B>, leaves: &mut Leaves<'_, DotsAndBoxes<B>>, rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_margin(i, game.safe_playout(state, rng));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<DotsAndBoxes<B>>> {
        Box::new(*self)
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    #[inline(always)]
    fn safe_playout(&self, state: &State<B>, rng: &mut Rng) -> Margin {
        let (grid, undrawn) = (&self.grid, self.undrawn(state));
        let offers = grid.take_offers(undrawn);
        let rest = playout(grid, offers.rest, rng);
        let future = offers.value(rest);
        self.score(state) + Margin::won_by(self.to_move(state), future as i16)
    }
}

/// The boxes of the side to move minus those of the other, from a quiet position on.
#[inline(always)]
fn playout<B: Bits>(grid: &Grid<B>, mut undrawn: B, rng: &mut Rng) -> i32 {
    let mut draws = rng.clone();
    let mut sign = 1;
    let value = loop {
        let degrees = grid.degrees(undrawn);
        let safe = grid.safe(&degrees, undrawn);
        if safe.is_empty() {
            break settled_value(grid, &degrees, undrawn);
        }
        undrawn = undrawn.and_not(safe.random_single(&mut draws));
        sign = -sign;
    };
    *rng = draws;
    sign * value
}
