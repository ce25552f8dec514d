//! The law on the probabilities that searches begin with.

use std::collections::HashMap;

use super::Finding;
use super::random_game::{RandomGame, listed};
use crate::{Game, Notation, Symmetry};

/// Sums of many small numbers are not exact.
const SLACK: f32 = 1e-4;

pub(super) fn priors_agree<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let mut guessed: HashMap<u64, Vec<f32>> = HashMap::new();
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            let priors = check_priors(game, state).map_err(|wrong| played.tell(game, i, wrong))?;
            let before = guessed.entry(game.key(state)).or_insert_with(|| priors.clone());
            if !alike(before, &priors) {
                let wrong = format!("priors {priors:?}, but {before:?} at a position with the same key");
                return Err(played.tell(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// One for each move or none at all, probabilities, and the same in every image.
fn check_priors<G: Game>(game: &G, state: &G::State) -> Result<Vec<f32>, String> {
    let moves = listed(game, state);
    let priors = priors_of(game, state, &moves);
    if priors.is_empty() {
        return Ok(priors);
    }
    let sum: f32 = priors.iter().sum();
    if priors.len() != moves.len() || priors.iter().any(|&p| p.is_nan() || p < 0.0) || (sum - 1.0).abs() > SLACK {
        return Err(format!("priors {priors:?} of {} moves are no probabilities, their sum is {sum}", moves.len()));
    }
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let mapped: Vec<G::Move> = moves.iter().map(|&mv| game.transform_move(mv, symmetry)).collect();
        let in_image = priors_of(game, &game.transform(state, symmetry), &mapped);
        if !alike(&priors, &in_image) {
            let number = symmetry.0;
            return Err(format!("priors {priors:?} of {moves:?}, but {in_image:?} in the image by symmetry {number}"));
        }
    }
    Ok(priors)
}

fn priors_of<G: Game>(game: &G, state: &G::State, moves: &[G::Move]) -> Vec<f32> {
    let mut priors = Vec::new();
    game.priors(state, moves, &mut priors);
    priors
}

fn alike(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SLACK)
}
