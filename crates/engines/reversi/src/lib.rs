//! Reversi for the catalog: instantiates its searches, and names its evaluators and presets.

use banyan_catalog::{AnyGame, Family, GameTables, PointUnit, any_game, owned_cells};
use banyan_core::bits::{BitOps, Bits};
use banyan_core::{Evaluator, TextError};
use banyan_reversi::{Reversi, ReversiKnowledge, Shape, TacticalPlayouts, UniformMoves};
use banyan_search::{Config, Kit, playouts};

/// Knowledge and evaluators of Reversi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReversiKit;

impl<B: Bits> Kit<Reversi<B>> for ReversiKit {
    type Knowledge = ReversiKnowledge;

    fn knowledge(&self) -> ReversiKnowledge {
        ReversiKnowledge
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<Reversi<B>>>>, TextError> {
        Ok(match name {
            "uniform" => Some(playouts(UniformMoves, ReversiKnowledge, config)),
            "tactical" if config.playout_plies == 0 => Some(Box::new(TacticalPlayouts)),
            _ => None,
        })
    }
}

/// Generated openings are as long as those of the published XOT lists; published perft counts include the pass that
/// ends a game.
const TABLES: GameTables = GameTables {
    presets: &[],
    best: "pvs",
    evidence: "experiments/alpha-beta",
    rules: "Enclose discs in a line to turn them over; most discs win.\nA move is a cell: d3.",
    unit: PointUnit { one: "disc", many: "discs", to_spare: false },
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
        any_game(Reversi::<u64>::new(shape), ReversiKit, tables)
    } else {
        any_game(Reversi::<u128>::new(shape), ReversiKit, tables)
    })
}
