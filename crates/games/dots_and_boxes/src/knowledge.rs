//! Knowledge of Dots and Boxes.

use std::sync::Arc;

use banyan_bits::Bits;
use banyan_core::{Bounds, FINE, Game, Knowledge, Mistake, MoveList, Reason};
use banyan_inference::Features;

use super::features::{StructureFeatures, WindowFeatures};
use super::{DotsAndBoxes, State};

/// Static evaluation by learned weights if there are any, or else by boxes on offer and chains; undominated moves; move ordering;
/// solver key; reasons by boxes on offer and control.
#[derive(Clone, Debug, Default)]
pub struct DotsAndBoxesKnowledge {
    learned: Option<Learned>,
}

/// Points to come as a sum of learned weights, in 1 / [`FINE`] of a box.
#[derive(Clone, Debug)]
struct Learned {
    features: Arc<LearnedFeatures>,
    weights: Arc<[i16]>,
    /// Features of the last position; a reused buffer.
    numbers: Vec<u32>,
}

/// The features of one of the evaluations that are learned.
#[derive(Debug)]
enum LearnedFeatures {
    Windows(WindowFeatures),
    Structure(StructureFeatures),
}

impl DotsAndBoxesKnowledge {
    /// Evaluates positions by weights of [`WindowFeatures`]; `None` if the number of weights is wrong.
    pub fn with_windows<B: Bits>(features: WindowFeatures, weights: &[i16]) -> Option<DotsAndBoxesKnowledge> {
        let n_weights = Features::<DotsAndBoxes<B>>::n_weights(&features);
        (n_weights == weights.len()).then(|| DotsAndBoxesKnowledge::new(LearnedFeatures::Windows(features), weights))
    }

    /// Evaluates positions by weights of [`StructureFeatures`]; `None` if the number of weights is wrong.
    pub fn with_structure<B: Bits>(features: StructureFeatures, weights: &[i16]) -> Option<DotsAndBoxesKnowledge> {
        let n_weights = Features::<DotsAndBoxes<B>>::n_weights(&features);
        (n_weights == weights.len()).then(|| DotsAndBoxesKnowledge::new(LearnedFeatures::Structure(features), weights))
    }

    fn new(features: LearnedFeatures, weights: &[i16]) -> DotsAndBoxesKnowledge {
        let learned = Learned { features: Arc::new(features), weights: weights.into(), numbers: Vec::new() };
        DotsAndBoxesKnowledge { learned: Some(learned) }
    }
}

impl Learned {
    /// The points that the side to move wins more than the other from here on.
    fn points<B: Bits>(&mut self, game: &DotsAndBoxes<B>, state: &State<B>) -> i32 {
        self.numbers.clear();
        match &*self.features {
            LearnedFeatures::Windows(features) => features.append(game, state, &mut self.numbers),
            LearnedFeatures::Structure(features) => features.append(game, state, &mut self.numbers),
        }
        self.numbers.iter().map(|&number| i32::from(self.weights[number as usize])).sum()
    }
}

impl<B: Bits> Knowledge<DotsAndBoxes<B>> for DotsAndBoxesKnowledge {
    /// The score plus the learned points to come, or else the boxes on offer and the chains once they are determined. Evaluations
    /// have the magnitude of results, so the default scale is kept (guess, untuned).
    #[inline]
    fn static_eval(&mut self, game: &DotsAndBoxes<B>, state: &State<B>) -> i32 {
        let to_come = match &mut self.learned {
            Some(learned) => learned.points(game, state),
            None => FINE * game.grid.static_points(game.undrawn(state)),
        };
        FINE * i32::from(game.score(state).0) + to_come * i32::from(state.mover.sign())
    }

    /// A capture that is proven best is the only move; of several equivalent edges one is kept.
    #[inline]
    fn undominated(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        game.undominated_edges(game.undrawn(state), out);
        None
    }

    /// Captures, safe edges, few boxes given away; then centrality.
    #[inline]
    fn order_score(&self, game: &DotsAndBoxes<B>, before: &State<B>, mv: u8, after: &State<B>, _depth: u32) -> i32 {
        game.order_score(before, mv, after, game.centrality(mv))
    }

    #[inline]
    fn history_index(&self, _game: &DotsAndBoxes<B>, mv: u8) -> u8 {
        mv
    }

    /// One key for both movers, all symmetric boards, and border edges of the same box. With a learned evaluation, which may differ between
    /// these positions, the game's own key.
    #[inline]
    fn solver_key(&self, game: &DotsAndBoxes<B>, state: &State<B>) -> u64 {
        if self.learned.is_some() { game.key(state) } else { game.solver_key.of(state.drawn) }
    }

    fn reasons(&self, game: &DotsAndBoxes<B>, state: &State<B>, mistake: &Mistake<u8>) -> Vec<Reason> {
        game.reasons(state, mistake)
    }
}
