//! The value of a leaf by the search's own means: playouts, cut off or not, the board as it stands, the game's estimate
//! of it, or a shallow look ahead.

use std::time::{Duration, Instant};

use banyan_core::{Game, Margin};

use super::choices::{Evaluation, ForcedMoves};
use super::lines::worth_of_line;
use super::playouts::{central_move, weighted_move};
use super::search::{Search, Worth};
use super::task::{Task, cut};

/// When the evaluation of a leaf may end.
struct Pad(Option<Instant>);

impl Pad {
    /// An evaluation begins that is to take so many microseconds at least. The clock is read only if it is.
    #[inline(always)]
    fn begin(microseconds: u32) -> Pad {
        Pad((microseconds > 0).then(|| Instant::now() + Duration::from_micros(microseconds.into())))
    }

    /// Keeps the core busy until then, as a playout would: a sleep takes longer than it is asked for.
    #[inline(always)]
    fn sit_out(self) {
        let Some(end) = self.0 else { return };
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    }
}

impl<G: Game> Search<G> {
    /// Values a position that is not over, as the config says, after so many `visits`.
    #[inline(never)]
    pub(super) fn evaluate(&mut self, task: &Task<'_, G>, state: G::State, offset: i16, visits: u32) -> Worth {
        let pad = Pad::begin(task.config.pad);
        let probed = self.probe(task, &state, offset, visits);
        let worth = probed.unwrap_or_else(|| self.value(task, state, offset));
        pad.sit_out();
        worth
    }

    /// The same, in the midst of a loop that has the usual playout at hand.
    #[inline(always)]
    pub(super) fn evaluate_here(&mut self, task: &Task<'_, G>, state: G::State, offset: i16) -> Worth {
        if !task.rules.uniform {
            // Nothing is probed here, so visits do not matter.
            return self.evaluate(task, state, offset, 0);
        }
        let margin = task.game.playout(state, &mut self.rng, &mut self.scratch);
        Worth { value: task.rules.reward_to_go(margin, offset), bounds: None }
    }

    #[inline(always)]
    fn value(&mut self, task: &Task<'_, G>, mut state: G::State, offset: i16) -> Worth {
        let Task { game, config, rules, .. } = *task;
        if config.forced == ForcedMoves::Always {
            let bounds = self.list_moves(task, &state, offset);
            if let Some(worth) = rules.settled(bounds) {
                return worth;
            }
            let mv = self.moves[self.rng.below(self.moves.len() as u32) as usize];
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return Worth { value: rules.reward_to_go(margin, offset), bounds: None };
            }
        }
        if config.evaluation == Evaluation::Estimate {
            return Worth { value: rules.promised(game, game.estimate(&state), offset), bounds: None };
        }
        if let Some(plies) = cut(config) {
            let margin = self.cut_playout(task, state, plies);
            return Worth { value: rules.reward_to_go(margin, offset), bounds: None };
        }
        if rules.guided {
            let guided = game.guided_playout(state, config.playout_rules, &mut self.rng, &mut self.scratch);
            // A forced first move proves nothing: the position is another one by then.
            return worth_of_line(&rules, guided, offset, config.forced != ForcedMoves::Always);
        }
        let margin = match config.evaluation {
            Evaluation::Central => self.playout_by(game, state, central_move),
            Evaluation::Weighted => self.playout_by(game, state, weighted_move),
            _ => game.playout(state, &mut self.rng, &mut self.scratch),
        };
        Worth { value: rules.reward_to_go(margin, offset), bounds: None }
    }

    /// Random moves for at most so many plies, then the margin as the board stands.
    #[inline(always)]
    fn cut_playout(&mut self, task: &Task<'_, G>, mut state: G::State, plies: u32) -> Margin {
        let Task { game, .. } = *task;
        for _ in 0..plies {
            let mv = if task.rules.guided {
                self.moves.clear();
                game.tactics(&state, &mut self.moves);
                self.moves[self.rng.below(self.moves.len() as u32) as usize]
            } else {
                game.random_move(&state, &mut self.rng, &mut self.scratch)
            };
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return margin;
            }
        }
        game.standing(&state)
    }
}
