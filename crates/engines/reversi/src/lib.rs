//! Reversi for the catalog: instantiates its searches, and names its evaluators and presets.

mod levels;
mod report;

use banyan_catalog::{AnyGame, BoardSizes, Family, GamePreset, GameTables, PointUnit, any_game, owned_cells};
use banyan_core::bits::{BitOps, Bits};
use banyan_core::{Evaluator, Features, Prover, TextError};
use banyan_reversi::{
    ExactEndings, PATTERN_UNIT, PatternFeatures, PatternWeights, Reversi, ReversiKnowledge, Shape, StaleMoves,
    TacticalPlayouts, UniformMoves,
};
use banyan_search::{Config, Kit, Target, TrainingTask, WeightForm, playouts};

use levels::LEVELS;
use report::CornerBonus;

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
            "corners" => Some(CornerBonus::around(playouts(UniformMoves, self.knowledge.clone(), config), config)),
            "corners-stale" if config.playout_plies == 0 => {
                Some(CornerBonus::around(Box::new(StaleMoves::default()), config))
            }
            _ => None,
        })
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("corners", "a uniform playout, and 10 more reward for each corner that a side owns at the leaf"),
            ("corners-stale", "the same with a playout whose moves are all drawn from the list of the leaf"),
        ]
    }

    fn prover(&self, table_bytes: u64) -> Option<Box<dyn Prover<Reversi<B>>>> {
        (B::WIDTH == u64::WIDTH).then(|| -> Box<dyn Prover<Reversi<B>>> {
            Box::new(ExactEndings::new(table_bytes, self.knowledge.clone()))
        })
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[PATTERNS]
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

/// The games begin at random, so that there are many, have a random move now and then, so that positions after weak moves are known
/// too, and are exact at the end, so that the labels are values. Tried with 16,000 to 30,000 games each, by the error on 432 hard
/// endgames in a search of depth 4: openings of up to 22 or 24 random plies were worse; one random move in 6 or 20 was no worse than none
/// for as many games; ridges from 2 to 20 and smoothness from 30 to 300 changed little. The rest is a guess.
const PATTERNS: TrainingTask = TrainingTask {
    name: "patterns",
    summary: "the final margin on the 8x8 board, from the contents of lines, corners and edges",
    target: Target::Points,
    boards: "",
    opening: Some("random"),
    opening_plies: [4, 14],
    player: "solver:from=16,lost=margin",
    budget: "depth=6",
    explore: 8,
    plies_left: [1, 56],
    epochs: 40,
    lambda: 0.95,
    ridge: 4.0,
    smoothness: 60.0,
    form: WeightForm { units: |_| PATTERN_UNIT as f32, most: i16::MAX, embedded: Some("patterns.bin") },
};

/// Every child of a new node has its static evaluation. Guess: of c = 0.5, 1.5 and 2.5 the best in a few games against `pvs` at 0.1 s a
/// move, all with weights of an earlier training.
const MCGS: GamePreset = GamePreset {
    name: "mcgs",
    variants: &["graph:eval=static,select=puct,expand=eval-children,c=2.5,fpu=0.1,reward=wdl"],
};

/// Generated openings are as long as those of the published XOT lists; published perft counts include the pass that
/// ends a game.
const TABLES: GameTables = GameTables {
    presets: &[MCGS, report::AS_TEXT, report::AS_CODED],
    best: "pvs",
    levels: LEVELS,
    evidence: "experiments/alpha-beta",
    rules: "Enclose discs in a line to turn them over; most discs win.\nA move is a cell: d3.",
    unit: PointUnit { one: "disc", many: "discs", to_spare: false },
    sizes: Some(BoardSizes { rows: [4, 10], columns: [4, 10], step: 2, holes: false }),
    points: Some(owned_cells),
    opening_plies: 8,
    moves_after_end: 1,
};

/// Reversi by name.
pub fn family() -> Family {
    Family::of::<Reversi<u64>>(TABLES, make).also_named(&["othello"])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = Shape::parse(options)?;
    Ok(if shape.word_bits() <= u64::WIDTH {
        any_game(Reversi::<u64>::new(shape), ReversiKit::default(), tables)
    } else {
        any_game(Reversi::<u128>::new(shape), ReversiKit::default(), tables)
    })
}
