//! Laws on move lists, plies, phase and the end of games.

use banyan_core::{MoveCode, Notation};

use crate::random_game::{RandomGame, after, listed};
use crate::violation::Finding;

/// Two cache lines of 64 bytes.
const STATE_BYTES: usize = 128;

pub(super) fn answers_repeat<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let results = || {
                let margins = (game.result(state), game.score(state), game.bounds(state));
                (game.to_move(state), game.ply(state), game.key(state), listed(game, state), margins)
            };
            let (first, second) = (results(), results());
            if first != second {
                return Err(played.describe(game, i, format!("the rules returned first {first:?}, then {second:?}")));
            }
        }
    }
    Ok(())
}

pub(super) fn moves_legal<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            check_list(game, state).map_err(|wrong| played.describe(game, i, wrong))?;
        }
    }
    Ok(())
}

fn check_list<G: Notation>(game: &G, state: &G::State) -> Finding {
    let moves = listed(game, state);
    let mut twice = moves.clone();
    game.moves(state, &mut twice);
    if twice.len() != 2 * moves.len() || twice[..moves.len()] != moves[..] || twice[moves.len()..] != moves[..] {
        return Err(format!("moves() does not append {moves:?} to a list that holds these already"));
    }
    let count = game.move_count(state, &mut twice);
    if count != moves.len() {
        return Err(format!("{} moves are listed, and {count} counted", moves.len()));
    }
    if let Some(mv) = moves.iter().enumerate().find(|(k, mv)| moves[..*k].contains(mv)).map(|(_, mv)| mv) {
        return Err(format!("move {mv:?} is listed twice"));
    }
    match game.result(state) {
        Some(margin) if !moves.is_empty() => Err(format!("the game is over ({margin}), yet moves are listed")),
        None if moves.is_empty() => Err("the game is not over, yet no move is listed".to_owned()),
        _ => Ok(()),
    }
}

pub(super) fn codes_round_trip<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            for mv in listed(game, state) {
                let (code, reread) = (mv.code(), G::Move::from_code(mv.code()));
                if reread != mv {
                    return Err(played.describe(
                        game,
                        i,
                        format!("move {mv:?} has code {code}, which reads as {reread:?}"),
                    ));
                }
            }
        }
    }
    Ok(())
}

pub(super) fn plies_rise<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let max_plies = game.max_plies();
    for played in games {
        if game.ply(&played.states[0]) != 0 {
            return Err(played.describe(game, 0, format!("the start has ply {}, not 0", game.ply(&played.states[0]))));
        }
        for i in played.choices() {
            let state = &played.states[i];
            // Every listed move is played, so a move that cannot be played panics here.
            for mv in listed(game, state) {
                let (before, then) = (game.ply(state), game.ply(&after(game, state, mv)));
                if then <= before || then > max_plies {
                    let wrong = format!("move {mv:?} takes ply {before} to {then} of at most {max_plies}");
                    return Err(played.describe(game, i, wrong));
                }
                let (before, then) = (game.plies_left(state), game.plies_left(&after(game, state, mv)));
                if then > before {
                    let wrong = format!("move {mv:?} raises the plies left from {before} to {then}");
                    return Err(played.describe(game, i, wrong));
                }
            }
        }
        let last = played.moves.len();
        if game.result(&played.states[last]).is_none() {
            return Err(played.describe(
                game,
                last,
                format!("the game is not over after {last} of at most {max_plies} plies"),
            ));
        }
    }
    Ok(())
}

pub(super) fn phase_rises<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let mut before = 0.0;
        for (i, state) in played.states.iter().enumerate() {
            let phase = game.phase(state);
            // Written so that NaN fails.
            if !(0.0..=1.0).contains(&phase) || phase < before {
                let wrong = format!("the phase is {phase}, not between {before}, as before the last move, and 1");
                return Err(played.describe(game, i, wrong));
            }
            before = phase;
        }
    }
    Ok(())
}

pub(super) fn state_small<G: Notation>(_game: &G, _games: &[RandomGame<G>]) -> Finding {
    let bytes = size_of::<G::State>();
    if bytes > STATE_BYTES {
        return Err(format!("a state takes {bytes} bytes, more than two cache lines ({STATE_BYTES})"));
    }
    Ok(())
}
