//! The law on the guesses that searches stop at, or begin with.

use std::collections::HashMap;

use super::Finding;
use super::random_game::RandomGame;
use super::value::shown;
use crate::{FINE, Game, Notation, Symmetry};

pub(super) fn estimates_agree<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    if game.estimate_scale() < 1 {
        return Err(format!("the scale of estimates is {}, not positive", game.estimate_scale()));
    }
    check_kind(game, games, G::estimate)?;
    check_kind(game, games, G::appraise).map_err(|wrong| format!("at a closer look: {wrong}"))
}

fn check_kind<G: Notation>(game: &G, games: &[RandomGame<G>], guess: fn(&G, &G::State) -> i32) -> Finding {
    let mut guessed: HashMap<u64, i32> = HashMap::new();
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            check_guess(game, state, guess).map_err(|wrong| played.tell(game, i, wrong))?;
            let to_come = still_to_come(game, state, guess);
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
fn check_guess<G: Game>(game: &G, state: &G::State, guess: fn(&G, &G::State) -> i32) -> Finding {
    let (range, guessed) = (game.margin_range(), guess(game, state));
    if !(i32::from(range.lower.0) * FINE..=i32::from(range.upper.0) * FINE).contains(&guessed) {
        return Err(format!("an estimate of {guessed}/{FINE} points outside {}", shown(range)));
    }
    let to_come = still_to_come(game, state, guess);
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let in_image = still_to_come(game, &game.transform(state, symmetry), guess);
        if in_image != to_come {
            return Err(format!("{to_come} guessed to come, but {in_image} in the image by symmetry {}", symmetry.0));
        }
    }
    Ok(())
}

/// What the guess adds to the points banked.
fn still_to_come<G: Game>(game: &G, state: &G::State, guess: fn(&G, &G::State) -> i32) -> i32 {
    guess(game, state) - i32::from(game.banked(state).0) * FINE
}
