//! The law on the guesses that searches stop at.

use std::collections::HashMap;

use super::Finding;
use super::random_game::RandomGame;
use super::value::shown;
use crate::{FINE, Game, Notation, Symmetry};

pub(super) fn estimates_agree<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    if game.estimate_scale() < 1 {
        return Err(format!("the scale of estimates is {}, not positive", game.estimate_scale()));
    }
    let mut guessed: HashMap<u64, i32> = HashMap::new();
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            check_guess(game, state).map_err(|wrong| played.tell(game, i, wrong))?;
            let to_come = still_to_come(game, state);
            let before = *guessed.entry(game.key(state)).or_insert(to_come);
            if before != to_come {
                let wrong = format!("{to_come} guessed to come, but {before} at a position with the same key");
                return Err(played.tell(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// Within the range of margins, and the same in every image.
fn check_guess<G: Game>(game: &G, state: &G::State) -> Finding {
    let (range, guess) = (game.margin_range(), game.estimate(state));
    if !(i32::from(range.lower.0) * FINE..=i32::from(range.upper.0) * FINE).contains(&guess) {
        return Err(format!("an estimate of {guess}/{FINE} points outside {}", shown(range)));
    }
    let to_come = still_to_come(game, state);
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let in_image = still_to_come(game, &game.transform(state, symmetry));
        if in_image != to_come {
            return Err(format!("{to_come} guessed to come, but {in_image} in the image by symmetry {}", symmetry.0));
        }
    }
    Ok(())
}

/// What the estimate adds to the points banked.
fn still_to_come<G: Game>(game: &G, state: &G::State) -> i32 {
    game.estimate(state) - i32::from(game.banked(state).0) * FINE
}
