//! Playouts of Connect Four: uniformly random moves, and `threat` playouts.

use std::mem;

use banyan_core::{Bounds, Evaluator, Game, Leaves, Margin, MoveList, Playout, PlayoutPolicy, Rng, Side};

use super::queue::{self, Queue};
use super::{ConnectFour, EARLIEST_WIN, Grid, State, ThreatRules};

/// Uniformly random moves, drawn from the landing cells without a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformMoves;

impl<B: Grid> PlayoutPolicy<ConnectFour<B>> for UniformMoves {
    #[inline]
    fn draw(&mut self, game: &ConnectFour<B>, state: &State<B>, rng: &mut Rng, _: &mut MoveList<u8>) -> u8 {
        game.column(rng.member(game.landing(state.filled)))
    }

    #[inline]
    fn play_out(&mut self, game: &ConnectFour<B>, state: State<B>, rng: &mut Rng, _: &mut MoveList<u8>) -> Margin {
        if let Some(margin) = game.result(&state) {
            return margin;
        }
        let mut draws = rng.clone();
        let State { mut own, mut filled, mut ply, .. } = state;
        let mut other = filled.xor(own).xor(game.holes);
        let margin = loop {
            let stone = draws.single_member(game.landing(filled));
            own = own.or(stone);
            filled = filled.or(stone);
            ply += 1;
            if ply >= EARLIEST_WIN[0] && own.has_four(&game.steps) {
                let winner = if ply.is_multiple_of(2) { Side::Second } else { Side::First };
                break Margin::won_by(winner, game.points_at(ply));
            }
            if ply == game.cells {
                break Margin::DRAW;
            }
            mem::swap(&mut own, &mut other);
        };
        *rng = draws;
        margin
    }
}

/// `threat` playouts: they win at once, block, never hand over a win and do not use up their own threats (see
/// [`ThreatRules`]), and return the bounds that each line proves. Batches are played out in vector lanes.
#[derive(Clone, Debug, Default)]
pub struct ThreatPlayouts {
    rules: ThreatRules,
    playouts: Vec<Playout>,
}

impl ThreatPlayouts {
    /// Playouts by these rules.
    pub fn new(rules: ThreatRules) -> ThreatPlayouts {
        ThreatPlayouts { rules, playouts: Vec::new() }
    }
}

impl<B: Grid> Evaluator<ConnectFour<B>> for ThreatPlayouts {
    fn evaluate(&mut self, game: &ConnectFour<B>, leaves: &mut Leaves<'_, ConnectFour<B>>, rng: &mut Rng) {
        if leaves.records_moves() {
            for (i, &state) in leaves.states().iter().enumerate() {
                let playout = game.record_threat_playout(state, self.rules, rng, leaves.played_mut(i));
                answer(leaves, i, playout);
            }
            return;
        }
        if let &[state] = leaves.states() {
            let playout = game.threat_playout(state, self.rules, rng);
            answer(leaves, 0, playout);
            return;
        }
        self.playouts.resize(leaves.len(), Playout::new(Margin::DRAW, Bounds::exact(Margin::DRAW)));
        game.threat_playouts(leaves.states(), self.rules, rng, &mut self.playouts);
        self.playouts.iter().enumerate().for_each(|(i, &playout)| answer(leaves, i, playout));
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<ConnectFour<B>>> {
        Box::new(ThreatPlayouts::new(self.rules))
    }
}

#[inline]
fn answer<B: Grid>(leaves: &mut Leaves<'_, ConnectFour<B>>, i: usize, Playout { margin, proven }: Playout) {
    leaves.set_margin(i, margin);
    leaves.set_bounds(i, proven);
}

impl<B: Grid> ConnectFour<B> {
    /// One [`threat_playout`](ConnectFour::threat_playout) from each of `states`; the results are written to `out`:
    /// `[states.len()]`. The playouts are independent and distributed like single ones, but may draw different numbers.
    pub fn threat_playouts(&self, states: &[State<B>], rules: ThreatRules, rng: &mut Rng, out: &mut [Playout]) {
        debug_assert_eq!(states.len(), out.len(), "one result for each state");
        if rules == ThreatRules::ALL && states.len() >= queue::min_batch::<B>() {
            return Queue { game: self, states, rng, out }.play_out();
        }
        for (state, playout) in states.iter().zip(out) {
            *playout = self.threat_playout(*state, rules, rng);
        }
    }
}
