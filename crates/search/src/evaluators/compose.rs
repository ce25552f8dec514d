//! The evaluators that settings ask for.

use banyan_core::{Evaluator, Game};

use super::delay::Delay;
use super::forced_first::ForcedFirst;
use super::leaf_search::LeafSearch;
use super::playouts::{CentralPlayouts, CutPlayouts, GuidedPlayouts, Preference, UniformPlayouts};
use super::static_eval::{Appraisal, GamePriors, StaticEval, StaticMargin};
use crate::options::{Config, Evaluation, ForcedMoves, Policy, Proof};

/// What leaves are worth.
pub(crate) fn leaf_evaluator<G: Game>(config: &Config) -> Box<dyn Evaluator<G>> {
    let guided = config.evaluation == Evaluation::Guided;
    let mut evaluator: Box<dyn Evaluator<G>> = match config.evaluation {
        Evaluation::Estimate => Box::new(StaticEval),
        Evaluation::Standing => Box::new(StaticMargin),
        _ if config.cut > 0 => Box::new(CutPlayouts::new(config.cut, guided)),
        Evaluation::Uniform => Box::new(UniformPlayouts::default()),
        Evaluation::Central => Box::new(CentralPlayouts::new(Preference::MostCentral)),
        Evaluation::Weighted => Box::new(CentralPlayouts::new(Preference::Weighted)),
        Evaluation::Guided => Box::new(GuidedPlayouts::new(config.playout_rules)),
    };
    if config.forced == ForcedMoves::Always {
        evaluator = Box::new(ForcedFirst::new(evaluator, config.proof != Proof::Off));
    }
    if config.probe > 0 {
        evaluator = Box::new(LeafSearch::new(evaluator, config.probe, config.below));
    }
    if config.pad > 0 {
        evaluator = Box::new(Delay::new(evaluator, config.pad));
    }
    evaluator
}

/// What is said about a new node itself, beside its children.
pub(crate) fn node_evaluator<G: Game>(config: &Config) -> Option<Box<dyn Evaluator<G>>> {
    (config.appraisal > 0.0).then(|| Box::new(Appraisal) as Box<dyn Evaluator<G>>)
}

/// What gives priors, unless the evaluator of leaves does.
pub(crate) fn prior_evaluator<G: Game>(config: &Config) -> Option<Box<dyn Evaluator<G>>> {
    (config.policy == Policy::Game).then(|| Box::new(GamePriors) as Box<dyn Evaluator<G>>)
}
