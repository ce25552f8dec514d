//! The reward for corners of a report on Reversi, whose presets are in the family.

use banyan_core::bits::Bits;
use banyan_core::{Answer, Evaluator, Leaves, Rng, Value};
use banyan_reversi::Reversi;
use banyan_search::{Config, Reward};

/// The reward for a corner that a side owns at the leaf.
const CORNER: f32 = 10.0;

/// Adds the reward for corners to another evaluator's. The report counts the engine's own corners; here each side's count for it, so
/// that the reward of one is that of the other with the sign changed.
pub(crate) struct CornerBonus<B: Bits> {
    inner: Box<dyn Evaluator<Reversi<B>>>,
    reward: Reward,
    answers: Vec<Answer>,
}

impl<B: Bits> CornerBonus<B> {
    pub(crate) fn around(inner: Box<dyn Evaluator<Reversi<B>>>, config: &Config) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(CornerBonus { inner, reward: config.reward, answers: Vec::new() })
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for CornerBonus<B> {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        let visits: Vec<u32> = (0..leaves.len()).map(|i| leaves.visits(i)).collect();
        self.answers.clear();
        self.answers.resize(leaves.len(), Answer::default());
        self.inner.evaluate(game, &mut Leaves::new(leaves.states(), &visits, &mut self.answers), rng);
        for (i, (answer, state)) in self.answers.iter().zip(leaves.states()).enumerate() {
            if let Value::Margin(margin) = answer.value {
                leaves.set_value(i, self.reward.of(margin) + CORNER * game.corners(state) as f32);
            }
        }
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        let inner = self.inner.fork(thread);
        Box::new(CornerBonus { inner, reward: self.reward, answers: Vec::new() })
    }
}
