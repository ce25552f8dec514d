//! The engine of a report on Reversi: its two presets, and its reward for corners.

use banyan_catalog::GamePreset;
use banyan_core::bits::Bits;
use banyan_core::{Answer, Evaluator, Leaves, Rng, Value};
use banyan_reversi::Reversi;
use banyan_search::{Config, Reward};

/// The settings that its text and its program have in common. Its exploration weight was found between 40 and 65 and is not named: 50
/// is a guess, and so is what it calls a near tie.
macro_rules! common {
    () => {
        "uct:c=50,reward=50+margin,order=listed,expand-at=1,lazy-expansion=0.5,lazy-mode=resample,\
         root-bias-depth=6,root-bias=1000,root-bias-until=0.41,near-tie=0.01,\
         square-weights=35/2/9/9/9/9/2/35/2/2/3/3/3/3/2/2/9/3/5/5/5/5/3/9/9/3/5/1/1/5/3/9/\
         9/3/5/1/1/5/3/9/9/3/5/5/5/5/3/9/2/2/3/3/3/3/2/2/35/2/9/9/9/9/2/35,\
         tie=first,final=max,early=never,reuse=none"
    };
}

/// The engine as the report describes it.
pub(crate) const AS_TEXT: GamePreset =
    GamePreset { name: "uct-reversi-report", variants: &[concat!(common!(), ",eval=corners,take-weight=35")] };

/// The engine as its program is written: the test for corners never fires, the bonus goes to leaves at any depth, playouts draw from the
/// list of the leaf, and the loop over the children returns the first one. (With that, what the program computes for the other side,
/// the least mean plus exploration, is never compared.)
pub(crate) const AS_CODED: GamePreset = GamePreset {
    name: "uct-reversi-report-as-coded",
    variants: &[concat!(common!(), ",eval=corners-stale,root-bias-at=leaves,select=first")],
};

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
