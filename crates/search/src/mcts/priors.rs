//! Priors that the game guesses.

use banyan_core::Game;

use super::choices::ExpansionWidth;
use super::graph::NodeId;
use super::search::Search;
use super::task::Task;

impl<G: Game> Search<G> {
    /// Whether the game guesses priors; an evaluator's come first.
    #[inline(always)]
    fn guesses_policy(&self) -> bool {
        self.graph.keeps().priors && self.evaluator.is_none()
    }

    /// Guesses the priors of the moves just listed, where the likeliest child is to be tried first.
    #[inline(always)]
    pub(super) fn guess_before_expansion(&mut self, task: &Task<'_, G>, state: &G::State) {
        if self.guesses_policy() && task.config.expand == ExpansionWidth::One {
            let Self { moves, batch, .. } = self;
            guess(task.game, state, moves, &mut batch.priors);
            sort_by_prior(moves, &mut batch.priors);
        }
    }

    /// Guesses the priors of a node where all children were tried at once, when it is visited again and selection comes by
    /// for the first time: most nodes never see it.
    #[inline(always)]
    pub(super) fn guess_before_selection(&mut self, task: &Task<'_, G>, state: &G::State, node: NodeId) {
        if self.guesses_policy() && !self.graph.has_priors(node) {
            let Self { graph, batch, .. } = self;
            guess(task.game, state, graph.moves(node), &mut batch.priors);
            graph.set_priors(node, &batch.priors);
            batch.priors.clear();
        }
    }
}

#[inline(always)]
fn guess<G: Game>(game: &G, state: &G::State, moves: &[G::Move], priors: &mut Vec<f32>) {
    priors.clear();
    game.priors(state, moves, priors);
    if priors.is_empty() {
        priors.resize(moves.len(), 1.0 / moves.len() as f32);
    }
}

/// Has the likeliest move come first.
pub(super) fn sort_by_prior<M: Copy>(moves: &mut [M], priors: &mut [f32]) {
    let mut rated: Vec<(M, f32)> = moves.iter().copied().zip(priors.iter().copied()).collect();
    rated.sort_by(|a, b| b.1.total_cmp(&a.1));
    for ((mv, prior), (best, likeliest)) in moves.iter_mut().zip(priors).zip(rated) {
        (*mv, *prior) = (best, likeliest);
    }
}
