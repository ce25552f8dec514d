//! Knowledge and evaluators of Dots and Boxes for its searches.

use banyan_bits::Bits;
use banyan_core::{Evaluator, MoveList, Prover, TextError};
use banyan_dots_and_boxes::{
    DotsAndBoxes, DotsAndBoxesKnowledge, ExactEndings, SafePlayouts, State, StructureFeatures, TacticalPlayouts,
    UniformMoves, WindowFeatures,
};
use banyan_inference::{Features, Target, TrainingTask, WeightForm};
use banyan_search::{Config, Kit, playouts};

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
            "safe" if config.playout_plies == 0 => Some(Box::new(SafePlayouts::new())),
            _ => None,
        })
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[(
            "safe",
            "a playout of random edges that give nothing away, then the value of the chains that remain, exact up to 25 boxes",
        )]
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

/// Training tasks. From 36 plies before the end on, the solver finishes games in milliseconds, so that the labels are
/// exact values. Plies and budget: guess; the plies are for 5x5.
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
