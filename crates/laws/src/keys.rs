//! Laws on keys and on incrementally updated state.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use banyan_core::Notation;

use crate::random_game::{RandomGame, after, listed, same_set};
use crate::violation::Finding;

/// Fewest distinct keys for a check of their bits.
const KEYS_TO_JUDGE: usize = 64;

/// Positions per game whose children are checked too.
const FAMILIES: u32 = 4;

pub(super) fn state_recomputed<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let recomputed = game.recomputed(state);
            if recomputed != *state {
                return Err(played.describe(
                    game,
                    i,
                    format!("updated incrementally to {state:?}, recomputed as {recomputed:?}"),
                ));
            }
            if (game.key(&recomputed), hash(&recomputed)) != (game.key(state), hash(state)) {
                return Err(played.describe(game, i, "the recomputed state is equal, but its key or hash is not"));
            }
        }
    }
    Ok(())
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn key_determines_future<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let mut named: HashMap<u64, G::State> = HashMap::new();
    for played in games {
        for (i, state) in relatives(game, played) {
            match named.entry(game.key(&state)) {
                Entry::Vacant(free) => {
                    free.insert(state);
                }
                Entry::Occupied(taken) => compare_futures(game, taken.get(), &state).map_err(|wrong| {
                    let (key, other) = (taken.key(), game.print_position(taken.get()));
                    let this = game.print_position(&state);
                    played.describe(game, i, format!("{other:?} and {this:?} both have key {key:#x}, but {wrong}"))
                })?,
            }
        }
    }
    Ok(())
}

/// The positions of a game, and all children of some of them: siblings are the likeliest to share a key by mistake.
fn relatives<G: Notation>(game: &G, played: &RandomGame<G>) -> Vec<(usize, G::State)> {
    let mut states: Vec<(usize, G::State)> = played.states.iter().cloned().enumerate().collect();
    let mut rng = played.rng(1);
    for _ in 0..FAMILIES.min(played.moves.len() as u32) {
        let i = rng.below(played.moves.len() as u32) as usize;
        let moves = listed(game, &played.states[i]);
        states.extend(moves.into_iter().map(|mv| (i, after(game, &played.states[i], mv))));
    }
    states
}

/// Compares mover, margin to come, moves, and the key after each move.
fn compare_futures<G: Notation>(game: &G, a: &G::State, b: &G::State) -> Finding {
    if a == b {
        return Ok(());
    }
    let (mover, other) = (game.to_move(a), game.to_move(b));
    if mover != other {
        return Err(format!("the movers are {mover:?} and {other:?}"));
    }
    let to_come = |state| game.result(state).map(|margin| margin - game.score(state));
    if to_come(a) != to_come(b) {
        return Err(format!("the margins still to be won are {:?} and {:?}", to_come(a), to_come(b)));
    }
    let (moves, others) = (listed(game, a), listed(game, b));
    if !same_set(&moves, &others) {
        return Err(format!("the moves are {moves:?} and {others:?}"));
    }
    for mv in moves {
        let (child, other_child) = (after(game, a, mv), after(game, b, mv));
        let (gain, other_gain) = (game.score(&child) - game.score(a), game.score(&other_child) - game.score(b));
        if gain != other_gain {
            return Err(format!("move {mv:?} scores {gain} and {other_gain}"));
        }
        if game.key(&child) != game.key(&other_child) {
            return Err(format!("move {mv:?} leads to keys {:#x} and {:#x}", game.key(&child), game.key(&other_child)));
        }
    }
    Ok(())
}

pub(super) fn keys_mixed<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let mut keys: Vec<u64> = games.iter().flat_map(|played| &played.states).map(|state| game.key(state)).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.len() < KEYS_TO_JUDGE {
        return Ok(());
    }
    for bit in 0..64 {
        let ones = keys.iter().filter(|&&key| key >> bit & 1 == 1).count();
        // In well mixed keys half of them have the bit set; 64 such keys exceed this tolerance once in 10^10 bits. It
        // is wide, as keys made by exclusive or of a few numbers per cell vary more.
        if !(keys.len() / 8..=keys.len() * 7 / 8).contains(&ones) {
            let n_keys = keys.len();
            return Err(format!(
                "bit {bit} is set in {ones} of {n_keys} keys of {}; put the key through mix()",
                game.spec()
            ));
        }
    }
    Ok(())
}
