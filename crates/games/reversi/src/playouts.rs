//! Playouts of Reversi.

use banyan_bits::Bits;
use banyan_core::{Bounds, Evaluator, Game, Leaves, Margin, MoveList, Playout, PlayoutPolicy, Rng, Side};

use super::{Place, Reversi, State};

/// Uniformly random moves, drawn from the set of placements without a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformMoves;

impl<B: Bits> PlayoutPolicy<Reversi<B>> for UniformMoves {
    #[inline]
    fn draw(&mut self, _game: &Reversi<B>, state: &State<B>, rng: &mut Rng, _: &mut MoveList<Place>) -> Place {
        if state.placements.is_empty() { Place::PASS } else { Place(rng.member(state.placements) as u8) }
    }

    #[inline]
    fn play_out(&mut self, game: &Reversi<B>, state: State<B>, rng: &mut Rng, _: &mut MoveList<Place>) -> Margin {
        game.play_out(state, rng).0
    }
}

/// Uniformly random moves, as Reversi has no forced moves but single ones; where all moves of one side were its only
/// ones, the line bounds the value, see [`tactical_playout`](banyan_core::tactical_playout).
/// Batches are played out in vector lanes where a board is one word.
#[derive(Clone, Debug, Default)]
pub struct TacticalPlayouts {
    playouts: Vec<Playout>,
}

impl<B: Bits> Evaluator<Reversi<B>> for TacticalPlayouts {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        if leaves.records_moves() {
            for (i, &state) in leaves.states().iter().enumerate() {
                let playout = game.record_tactical_playout(state, rng, leaves.played_mut(i));
                answer(leaves, i, playout);
            }
            return;
        }
        if let &[state] = leaves.states() {
            answer(leaves, 0, game.tactical_playout(state, rng));
            return;
        }
        self.playouts.resize(leaves.len(), Playout::new(Margin::DRAW, Bounds::exact(Margin::DRAW)));
        game.tactical_playouts(leaves.states(), rng, &mut self.playouts);
        self.playouts.iter().enumerate().for_each(|(i, &playout)| answer(leaves, i, playout));
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(TacticalPlayouts::default())
    }
}

#[inline]
fn answer<B: Bits>(leaves: &mut Leaves<'_, Reversi<B>>, i: usize, Playout { margin, proven }: Playout) {
    leaves.set_margin(i, margin);
    leaves.set_bounds(i, proven);
}

impl<B: Bits> Reversi<B> {
    /// One such playout; for a game that is over, its result.
    #[inline]
    pub fn tactical_playout(&self, state: State<B>, rng: &mut Rng) -> Playout {
        let (margin, chose) = self.play_out(state, rng);
        self.bounded(margin, chose)
    }

    /// One such playout, with the same draws, whose moves are appended to `played`.
    #[inline(never)]
    pub fn record_tactical_playout(&self, mut state: State<B>, rng: &mut Rng, played: &mut MoveList<Place>) -> Playout {
        let mut chose = [false; 2];
        loop {
            if let Some(margin) = self.result(&state) {
                return self.bounded(margin, chose);
            }
            chose[state.to_move.index()] |= state.placements.count() > 1;
            let mv = UniformMoves.draw(self, &state, rng, &mut MoveList::new());
            self.play(&mut state, mv);
            played.push(mv);
        }
    }

    /// The result of a line that ends with `margin`, where `chose` has the sides that ever had two moves or more.
    #[inline(always)]
    pub(super) fn bounded(&self, margin: Margin, chose: [bool; 2]) -> Playout {
        let all = self.margin_range();
        let lower = if chose[Side::Second.index()] { all.lower } else { margin };
        let upper = if chose[Side::First.index()] { all.upper } else { margin };
        Playout::new(margin, Bounds::new(lower, upper))
    }
}
