//! Dots and Boxes for the catalog: instantiates its searches, and names its evaluators and presets.

mod levels;

use banyan_catalog::{AnyGame, BoardSizes, Family, GamePreset, GameTables, PointUnit, any_game};
use banyan_core::bits::Bits;
use banyan_core::{Evaluator, Features, MoveList, Prover, TextError};
use banyan_dots_and_boxes::{
    DotsAndBoxes, DotsAndBoxesKnowledge, ExactEndings, SafePlayouts, Shape, State, StructureFeatures, TacticalPlayouts,
    UniformMoves, WindowFeatures, Word,
};
use banyan_search::{Config, Kit, Target, TrainingTask, WeightForm, playouts};

use levels::LEVELS;

/// Knowledge and evaluators of Dots and Boxes.
#[derive(Clone, Debug, Default)]
pub struct DotsAndBoxesKit {
    knowledge: DotsAndBoxesKnowledge,
}

impl<B: Bits> Kit<DotsAndBoxes<B>> for DotsAndBoxesKit {
    type Knowledge = DotsAndBoxesKnowledge;

    fn knowledge(&self) -> DotsAndBoxesKnowledge {
        self.knowledge.clone()
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<DotsAndBoxes<B>>>>, TextError> {
        Ok(match name {
            "uniform" => Some(playouts(UniformMoves, self.knowledge.clone(), config)),
            "tactical" if config.playout_plies == 0 => Some(Box::new(TacticalPlayouts)),
            "safe" if config.playout_plies == 0 => Some(Box::new(SafePlayouts)),
            _ => None,
        })
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[("safe", "a playout of random edges that give nothing away, then the value of the chains that remain")]
    }

    fn prover(&self, table_bytes: u64) -> Option<Box<dyn Prover<DotsAndBoxes<B>>>> {
        Some(Box::new(ExactEndings::new(table_bytes)))
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        TRAINING_TASKS
    }

    fn features(&self, evaluation: &str, game: &DotsAndBoxes<B>) -> Option<Box<dyn Features<DotsAndBoxes<B>>>> {
        match evaluation {
            "structure" => Some(Box::new(StructureFeatures::new(game))),
            "windows" => Some(Box::new(WindowFeatures::new(game))),
            _ => None,
        }
    }

    fn with_weights(&self, evaluation: &str, game: &DotsAndBoxes<B>, weights: &[i16]) -> Option<DotsAndBoxesKit> {
        let knowledge = match evaluation {
            "structure" => DotsAndBoxesKnowledge::with_structure::<B>(StructureFeatures::new(game), weights),
            "windows" => DotsAndBoxesKnowledge::with_windows::<B>(WindowFeatures::new(game), weights),
            _ => None,
        };
        Some(DotsAndBoxesKit { knowledge: knowledge? })
    }

    fn casual_moves(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut MoveList<u8>) {
        game.casual_moves(state, out);
    }
}

/// What is learned: the solver ends games from 36 plies before the end on in milliseconds, so that labels
/// from there on are values. Plies and budget: guess.
const TRAINING_TASKS: &[TrainingTask] = &[
    TrainingTask {
        name: "structure",
        summary: "the boxes to come, from windows and counts of safe edges, chains, loops and junctions",
        ..WINDOWS
    },
    WINDOWS,
];

const WINDOWS: TrainingTask = TrainingTask {
    name: "windows",
    summary: "the boxes to come, from the edges of each two by two boxes",
    target: Target::Points,
    boards: "",
    opening: Some("safe-exact:from=1"),
    opening_plies: [18, 24],
    player: "solver:from=38,opening=casual,lost=margin",
    budget: "nodes=1000000",
    explore: 0,
    plies_left: [24, 42],
    epochs: 10,
    lambda: 1.0,
    ridge: 0.0,
    smoothness: 0.0,
    form: WeightForm::POINTS,
};

/// Presets tuned for the game. With every legal move in the tree, `mcgs` gets weaker the longer it searches: it averages over replies that
/// leave offered boxes uncaptured, so that giving boxes away looks good. `experiments/dots-mcgs` has the matches.
const PRESETS: &[GamePreset] = &[
    GamePreset { name: "mcgs", variants: &["graph:eval=safe,forced=undominated,reward=win+margin"] },
    UCT_STUDY,
    ALPHA_BETA_STUDY,
];

/// The study of Zhang and Meng (2020), whose text leaves open the weights of exploration, their phases, the horizon, the evaluation and
/// when a branch has been on top for long enough: those are guesses, untuned.
const UCT_STUDY: GamePreset = GamePreset {
    name: "uct-dots-study",
    variants: &[
        "uct:schedule=0:0.7/0.3:0.7/0.5:0.25/1:0.25,order=listed,expand-at=1,horizon=8,horizon-eval=static,final=ucb,early=never,top=100000,parallel=mutex",
    ],
};

/// Its opponent: principal variation search, a table, and equivalent edges searched once.
const ALPHA_BETA_STUDY: GamePreset =
    GamePreset { name: "alpha-beta-dots-study", variants: &["pvs:eval=static,symmetry=1,forced=never,probcut=off"] };

/// Dots and Boxes by name.
pub fn family() -> Family {
    Family::of::<DotsAndBoxes<u64>>(
        GameTables {
            best: "solver:opening=mcgs",
            levels: LEVELS,
            evidence: "experiments/best",
            rules: "Draw edges; completing a box scores it and you draw again.\nA move is an edge with its left or upper dot: h0,1.",
            unit: PointUnit { one: "box", many: "boxes", to_spare: false },
            sizes: Some(BoardSizes { rows: [1, 9], columns: [1, 9], step: 1, holes: false }),
            points: Some(|game| boxes(&game.position())),
            ..GameTables::with_presets(PRESETS)
        },
        make,
    )
    .also_named(&["dots", "boxes"])
}

/// The boxes in a position, `3-1` after the mover: the board does not show who completed those of an earlier game.
fn boxes(position: &str) -> Option<[u32; 2]> {
    let (first, second) = position.split(' ').nth(2)?.split_once('-')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = Shape::parse(options)?;
    Ok(match shape.word() {
        Word::One => any_game(DotsAndBoxes::<u64>::new(shape), DotsAndBoxesKit::default(), tables),
        Word::Two => any_game(DotsAndBoxes::<u128>::new(shape), DotsAndBoxesKit::default(), tables),
        Word::Three => any_game(DotsAndBoxes::<[u64; 3]>::new(shape), DotsAndBoxesKit::default(), tables),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_from_the_position() {
        assert_eq!(boxes("1/0/00 o 3-12"), Some([3, 12]));
        assert_eq!(boxes("100/100/001/1100/0000 x 0-1 o../..."), Some([0, 1]));
        assert_eq!(boxes("1/0/00 o"), None);
    }
}
