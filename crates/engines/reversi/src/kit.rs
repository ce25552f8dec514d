//! Knowledge and evaluators of Reversi for its searches.

use banyan_bits::{BitOps, Bits};
use banyan_core::{Evaluator, Prover, TextError};
use banyan_inference::{Features, MoveFeatures, Target, TrainingTask, WeightForm};
use banyan_reversi::{
    ExactEndings, PATTERN_UNIT, PatternFeatures, PatternWeights, PolicyPriors, PriorFeatures, Reversi,
    ReversiKnowledge, StaleMoves, TacticalPlayouts, UniformMoves, prior_units,
};
use banyan_search::{Config, Kit, playouts};

use crate::corner_bonus::{CornerBonus, Corners};

/// The evaluation by the squares owned.
const SQUARES: &str = "squares";

/// Knowledge and evaluators of Reversi.
#[derive(Clone, Debug, Default)]
pub struct ReversiKit {
    knowledge: ReversiKnowledge,
}

impl<B: Bits> Kit<Reversi<B>> for ReversiKit {
    type Knowledge = ReversiKnowledge;

    fn knowledge(&self) -> ReversiKnowledge {
        self.knowledge.clone()
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<Reversi<B>>>>, TextError> {
        Ok(match name {
            "uniform" => Some(playouts(UniformMoves, self.knowledge.clone(), config)),
            "tactical" if config.playout_plies == 0 => Some(Box::new(TacticalPlayouts::default())),
            "corners" | "corners-both" => {
                let corners = if name == "corners" { Corners::Own } else { Corners::Both };
                Some(CornerBonus::around(playouts(UniformMoves, self.knowledge.clone(), config), corners))
            }
            "corners-stale" if config.playout_plies == 0 => {
                Some(CornerBonus::around(Box::new(StaleMoves), Corners::Own))
            }
            _ => None,
        })
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "corners",
                "a uniform playout, and 10 more reward for each corner that the searching side owns at the leaf",
            ),
            ("corners-both", "the same for the corners of both sides, each for its owner"),
            ("corners-stale", "as corners, with a playout whose moves are all drawn from the lists of the leaf"),
        ]
    }

    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<Reversi<B>>>> {
        Some(Box::new(PolicyPriors::new(self.knowledge.clone())))
    }

    fn prover(&self, table_bytes: u64) -> Option<Box<dyn Prover<Reversi<B>>>> {
        (B::WIDTH == u64::WIDTH).then(|| -> Box<dyn Prover<Reversi<B>>> {
            Box::new(ExactEndings::new(table_bytes, self.knowledge.clone()))
        })
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[PATTERNS, PRIORS]
    }

    fn move_features(&self, evaluation: &str, game: &Reversi<B>) -> Option<Box<dyn MoveFeatures<Reversi<B>>>> {
        let features = PriorFeatures::of(game).filter(|_| evaluation == PRIORS.name)?;
        Some(Box::new(features))
    }

    fn features(&self, evaluation: &str, game: &Reversi<B>) -> Option<Box<dyn Features<Reversi<B>>>> {
        let features = PatternFeatures::of(game).filter(|_| evaluation == PATTERNS.name)?;
        Some(Box::new(features))
    }

    fn with_weights(&self, evaluation: &str, game: &Reversi<B>, weights: &[i16]) -> Option<ReversiKit> {
        if evaluation == SQUARES {
            let knowledge = ReversiKnowledge::with_squares(weights)
                .filter(|_| (game.shape().rows(), game.shape().columns()) == (8, 8));
            return Some(ReversiKit { knowledge: knowledge? });
        }
        PatternFeatures::of(game).filter(|_| evaluation == PATTERNS.name)?;
        Some(ReversiKit { knowledge: ReversiKnowledge::with_patterns(PatternWeights::new(weights)?) })
    }

    fn without_weights(&self) -> ReversiKit {
        ReversiKit { knowledge: ReversiKnowledge::without_patterns() }
    }
}

/// Training task of the patterns. Games begin with random plies, for variety; some later moves are drawn by their visits, so that positions
/// after weak moves are included; the endings are played exactly, so that their labels are exact values. Tried with 16,000 to 30,000 games
/// each, by the error on 432 hard endgames in a search of depth 4: openings of up to 22 or 24 random plies were worse; one drawn move in 6
/// or 20 was no worse than none with the same number of games; ridges from 2 to 20 and smoothness from 30 to 300 changed little. Games at
/// depth 8 take 1.3 times as long as games at depth 6, and a third as many give the same error (docs/training.md). The rest is a guess.
const PATTERNS: TrainingTask = TrainingTask {
    name: "patterns",
    summary: "the final margin on the 8x8 board, from the contents of lines, corners and edges",
    target: Target::Points,
    boards: "",
    opening: Some("random"),
    opening_plies: [4, 14],
    player: "solver:from=16,lost=margin",
    budget: "depth=8",
    explore: 8,
    plies_left: [1, 56],
    epochs: 40,
    lambda: 0.95,
    ridge: 4.0,
    smoothness: 60.0,
    form: WeightForm { units: |_| PATTERN_UNIT as f32, most: i16::MAX, embedded: Some("patterns.bin") },
};

/// Training task of the priors; see experiments/reversi-priors.
const PRIORS: TrainingTask = TrainingTask {
    name: "priors",
    summary: "the shares of visits of the moves on the 8x8 board, from the lines through their squares and the evaluation after them",
    target: Target::Visits,
    boards: "",
    opening: Some("random"),
    opening_plies: [4, 14],
    player: "mcgs",
    budget: "playouts=10000",
    explore: 12,
    plies_left: [1, 56],
    epochs: 4,
    lambda: 1.0,
    ridge: 0.0,
    smoothness: 0.0,
    form: WeightForm { units: prior_units, most: 127, embedded: Some("priors.bin") },
};
