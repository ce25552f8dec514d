//! The law on board symmetries.

use banyan_core::{Notation, Symmetry, canonical_key};

use crate::random_game::{RandomGame, after, listed, same_set};
use crate::violation::Finding;

/// Positions per game that are mapped, besides the first and the last.
const MAPPED: u32 = 6;

pub(super) fn symmetries_map<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    if game.symmetries() == 0 {
        return Err("there are 0 symmetries, but the identity is one".to_owned());
    }
    for played in games {
        let (mut rng, n) = (played.rng(6), played.states.len());
        let places = (0..MAPPED).map(|_| rng.below(n as u32) as usize).chain([0, n - 1]);
        for (i, state) in places.map(|i| (i, &played.states[i])) {
            for symmetry in (0..game.symmetries()).map(Symmetry) {
                check_image(game, state, symmetry)
                    .map_err(|wrong| played.describe(game, i, format!("symmetry {}: {wrong}", symmetry.0)))?;
            }
        }
    }
    Ok(())
}

fn check_image<G: Notation>(game: &G, state: &G::State, symmetry: Symmetry) -> Finding {
    let image = game.transform(state, symmetry);
    if symmetry == Symmetry::default() && image != *state {
        return Err(format!("the identity turns {state:?} into {image:?}"));
    }
    let outline = |state| {
        let margins = (game.result(state), game.score(state));
        (game.to_move(state), game.ply(state), margins, canonical_key(game, state))
    };
    if outline(state) != outline(&image) {
        let (here, there) = (outline(state), outline(&image));
        return Err(format!("mover, ply, margins or canonical key are {here:?} here and {there:?} in the image"));
    }
    if game.recomputed(&image) != image {
        return Err(format!("the image {image:?} differs when recomputed"));
    }
    let moves = listed(game, state);
    let mapped: Vec<G::Move> = moves.iter().map(|&mv| game.transform_move(mv, symmetry)).collect();
    if let Some(k) = (0..mapped.len()).find(|&k| mapped[..k].contains(&mapped[k])) {
        return Err(format!("two moves are mapped to {:?}", mapped[k]));
    }
    if !same_set(&mapped, &listed(game, &image)) {
        return Err(format!("moves {moves:?} are mapped to {mapped:?}, the image has {:?}", listed(game, &image)));
    }
    for (&mv, &mapped_mv) in moves.iter().zip(&mapped) {
        if symmetry == Symmetry::default() && mv != mapped_mv {
            return Err(format!("the identity turns move {mv:?} into {mapped_mv:?}"));
        }
        if game.transform(&after(game, state, mv), symmetry) != after(game, &image, mapped_mv) {
            return Err(format!("playing {mv:?} and then mapping is not mapping and then playing {mapped_mv:?}"));
        }
    }
    Ok(())
}
