//! The value of a leaf by the search's own means: playouts, cut off or not, or the board as it stands.

use banyan_core::cpu::Isa;
use banyan_core::{Game, Margin};

use super::choices::{Evaluation, ForcedMoves};
use super::search::{Search, Worth};
use super::task::{Task, cut};

impl<G: Game> Search<G> {
    /// Values a position that is not over.
    #[inline(always)]
    pub(super) fn evaluate<I: Isa, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        isa: I,
        mut state: G::State,
        offset: i16,
    ) -> Worth {
        let Task { game, config, rules, .. } = *task;
        if config.forced == ForcedMoves::Always {
            let bounds = self.list_moves(task, &state, offset);
            if rules.proves() && bounds.settles(rules.reward) {
                return Worth { value: bounds.clamp(0.0, rules.reward), bounds: Some(bounds) };
            }
            let mv = self.moves[self.rng.below(self.moves.len() as u32) as usize];
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return Worth { value: rules.reward_to_go(margin, offset), bounds: None };
            }
        }
        if !PLAIN && let Some(plies) = cut(config) {
            let margin = self.cut_playout(task, isa, state, plies);
            return Worth { value: rules.reward_to_go(margin, offset), bounds: None };
        }
        if config.evaluation == Evaluation::Guided {
            let guided = game.guided_playout(state, isa, &mut self.rng, &mut self.scratch);
            // A forced first move proves nothing: the position is another one by then.
            let proves = rules.proves() && config.forced != ForcedMoves::Always;
            let bounds = proves.then(|| rules.to_go(guided.proven, offset));
            let value = rules.reward_to_go(guided.margin, offset);
            return Worth { value: bounds.map_or(value, |bounds| bounds.clamp(value, rules.reward)), bounds };
        }
        let margin = game.playout(state, isa, &mut self.rng, &mut self.scratch);
        Worth { value: rules.reward_to_go(margin, offset), bounds: None }
    }

    /// Random moves for at most so many plies, then the margin as the board stands.
    fn cut_playout<I: Isa>(&mut self, task: &Task<'_, G>, isa: I, mut state: G::State, plies: u32) -> Margin {
        let Task { game, config, .. } = *task;
        for _ in 0..plies {
            let mv = if config.evaluation == Evaluation::Guided {
                self.moves.clear();
                game.tactics(&state, &mut self.moves);
                self.moves[self.rng.below(self.moves.len() as u32) as usize]
            } else {
                game.random_move(&state, isa, &mut self.rng, &mut self.scratch)
            };
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return margin;
            }
        }
        game.standing(&state)
    }
}
