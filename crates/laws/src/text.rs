//! Laws on the text and the picture of a game.

use banyan_core::{Notation, Rng, TextError};

use crate::random_game::{RandomGame, listed};
use crate::violation::Finding;

/// Damaged position texts tried per game.
const DAMAGED_TEXTS: u32 = 16;

pub(super) fn moves_round_trip<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            check_moves(game, state).map_err(|wrong| played.describe(game, i, wrong))?;
        }
    }
    Ok(())
}

fn check_moves<G: Notation>(game: &G, state: &G::State) -> Finding {
    let mut texts: Vec<String> = Vec::new();
    for mv in listed(game, state) {
        let text = game.print_move(state, mv);
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(format!("move {mv:?} prints as {text:?}, which is not one word"));
        }
        if texts.contains(&text) {
            return Err(format!("two moves print as {text:?}"));
        }
        let reread = game.parse_move(state, &text);
        if reread.as_ref() != Ok(&mv) {
            return Err(format!("move {mv:?} prints as {text:?}, which reads as {}", shown(&reread)));
        }
        texts.push(text);
    }
    Ok(())
}

fn shown<T: std::fmt::Debug>(read: &Result<T, TextError>) -> String {
    match read {
        Ok(value) => format!("{value:?}"),
        Err(err) => format!("an error ({err})"),
    }
}

pub(super) fn positions_round_trip<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let text = game.print_position(state);
            if text.contains('\n') || text.trim() != text {
                return Err(played.describe(game, i, "the text of the position is not one trimmed line"));
            }
            let reread = game.parse_position(&text);
            if reread.as_ref() != Ok(state) {
                return Err(played.describe(game, i, format!("{text:?} reads as {}, not {state:?}", shown(&reread))));
            }
        }
    }
    Ok(())
}

pub(super) fn illegal_refused<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let n = played.moves.len();
        let texts: Vec<String> = (0..n).map(|i| game.print_move(&played.states[i], played.moves[i])).collect();
        let mut rng = played.rng(3);
        for (i, state) in played.states.iter().enumerate() {
            let legal = listed(game, state);
            let mut tried: Vec<&str> = vec!["", " ", "?", "-1", "99999999999999999999", "é"];
            if n > 0 {
                tried.extend((0..4).map(|_| texts[rng.below(n as u32) as usize].as_str()));
            }
            for text in tried {
                if let Ok(mv) = game.parse_move(state, text)
                    && !legal.contains(&mv)
                {
                    return Err(played.describe(game, i, format!("{text:?} is read as {mv:?}, which is not legal")));
                }
            }
        }
        for _ in 0..DAMAGED_TEXTS {
            let i = rng.below(played.states.len() as u32) as usize;
            let text = damaged(&game.print_position(&played.states[i]), &mut rng);
            check_damaged(game, &text).map_err(|wrong| played.describe(game, i, wrong))?;
        }
    }
    Ok(())
}

/// The text with one character deleted, doubled, or replaced by another.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return "?".to_owned();
    }
    let (at, from) = (rng.below(chars.len() as u32) as usize, rng.below(chars.len() as u32) as usize);
    match rng.below(3) {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, chars[at]),
        _ => chars[at] = chars[from],
    }
    chars.into_iter().collect()
}

/// A damaged text may be refused or be the text of another position, but not of an inconsistent one.
fn check_damaged<G: Notation>(game: &G, text: &str) -> Finding {
    let Ok(state) = game.parse_position(text) else { return Ok(()) };
    if game.recomputed(&state) != state {
        return Err(format!("the damaged text {text:?} is read as {state:?}, which differs when recomputed"));
    }
    let reread = game.parse_position(&game.print_position(&state));
    if reread.as_ref() != Ok(&state) {
        return Err(format!(
            "the damaged text {text:?} is read as {state:?}, whose own text reads as {}",
            shown(&reread)
        ));
    }
    if game.result(&state).is_none() == listed(game, &state).is_empty() {
        return Err(format!("the damaged text {text:?} is read as {state:?}, which has moves although over, or none"));
    }
    Ok(())
}

pub(super) fn games_round_trip<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let n = played.moves.len();
        let texts: Vec<String> = (0..n).map(|i| game.print_move(&played.states[i], played.moves[i])).collect();
        let reread = game.parse_moves(&played.states[0], &texts.join(" "));
        if reread.as_ref() != Ok(&played.moves) {
            return Err(played.describe(game, n, format!("the text of the moves reads as {}", shown(&reread))));
        }
    }
    Ok(())
}

pub(super) fn options_round_trip<G: Notation>(game: &G, _games: &[RandomGame<G>]) -> Finding {
    let options = game.options();
    let again = G::from_options(&options).map_err(|err| format!("options {options:?} are refused: {err}"))?;
    if again.options() != options {
        return Err(format!("options {options:?} give a game whose options are {:?}", again.options()));
    }
    let outline = |game: &G| (game.start(), game.max_plies(), game.margin_range(), game.symmetries());
    if outline(&again) != outline(game) {
        return Err(format!("options {options:?} give {:?}, not {:?}", outline(&again), outline(game)));
    }
    let named = G::NAME.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !named || G::NAME.is_empty() || game.spec().contains(char::is_whitespace) {
        return Err(format!("{:?} is not a name in kebab case, or the options contain a space", game.spec()));
    }
    Ok(())
}

pub(super) fn pictures_fit<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let last = i.checked_sub(1).map(|k| played.moves[k]);
            let Some(picture) = game.picture(state, last) else { continue };
            let (rows, columns) = (picture.rows, picture.columns);
            let edges = picture.edges.as_ref().map(Vec::len);
            let labels = (picture.row_labels.len(), picture.column_labels.len());
            let edges_fit = edges.is_none_or(|n| n == (rows + 1) * columns + rows * (columns + 1));
            if picture.cells.len() != rows * columns || labels != (rows, columns) || !edges_fit {
                let cells = picture.cells.len();
                let wrong = format!("{rows}x{columns} picture of {cells} cells, edges {edges:?}, labels {labels:?}");
                return Err(played.describe(game, i, wrong));
            }
        }
    }
    Ok(())
}
