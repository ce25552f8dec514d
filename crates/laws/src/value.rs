//! Laws on margins and on the bounds that the rules prove.

use banyan_core::{Bounds, Game, Margin, Notation, Side};

use crate::random_game::{RandomGame, after, listed};
use crate::violation::Finding;

/// Node limit of a full search of the rest of a game.
pub(super) const FULL_SEARCH_NODES: u32 = 2000;

pub(super) fn margins_in_range<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let range = game.margin_range();
    if range.lower > range.upper {
        return Err(format!("the range of margins goes from {} down to {}", range.lower, range.upper));
    }
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let margins = [("final margin", game.result(state)), ("score", Some(game.score(state)))];
            for (name, margin) in margins {
                if let Some(margin) = margin.filter(|&margin| !range.contains(margin)) {
                    let wrong = format!("{name} {margin} outside {}", shown(range));
                    return Err(played.describe(game, i, wrong));
                }
            }
        }
    }
    Ok(())
}

pub(super) fn shown(bounds: Bounds) -> String {
    format!("{} ..= {}", bounds.lower, bounds.upper)
}

pub(super) fn bounds_hold<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            check_bounds(game, state).map_err(|wrong| played.describe(game, i, wrong))?;
        }
        // From the end backwards, as long as the rest of the game can be searched.
        for i in (0..played.states.len()).rev() {
            let mut nodes = FULL_SEARCH_NODES;
            let Some(value) = full_search(game, &played.states[i], &mut nodes) else { break };
            let bounds = game.bounds(&played.states[i]);
            if !bounds.contains(value) {
                let wrong = format!("bounds {}, but best play ends with {value}", shown(bounds));
                return Err(played.describe(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// Bounds hold for best play, so a position's bounds must not contradict those of its children together.
fn check_bounds<G: Notation>(game: &G, state: &G::State) -> Finding {
    let (range, bounds) = (game.margin_range(), game.bounds(state));
    if bounds.lower > bounds.upper || !range.contains(bounds.lower) || !range.contains(bounds.upper) {
        return Err(format!("bounds {} are not within the range {}", shown(bounds), shown(range)));
    }
    if let Some(margin) = game.result(state) {
        let exact = bounds == Bounds::exact(margin);
        return if exact { Ok(()) } else { Err(format!("the game ended with {margin}, bounds {}", shown(bounds))) };
    }
    let children = || listed(game, state).into_iter().map(|mv| game.bounds(&after(game, state, mv)));
    let (lowers, uppers) = (children().map(|child| child.lower), children().map(|child| child.upper));
    let (lower, upper) = match game.to_move(state) {
        Side::First => (lowers.max(), uppers.max()),
        Side::Second => (lowers.min(), uppers.min()),
    };
    match (lower, upper) {
        (Some(lower), Some(upper)) if bounds.lower > upper || bounds.upper < lower => Err(format!(
            "bounds {}, but {} by the bounds after each move",
            shown(bounds),
            shown(Bounds { lower, upper })
        )),
        _ => Ok(()),
    }
}

/// The margin under best play by plain minimax, or `None` if that takes more than `nodes` positions.
pub(super) fn full_search<G: Game>(game: &G, state: &G::State, nodes: &mut u32) -> Option<Margin> {
    if let Some(margin) = game.result(state) {
        return Some(margin);
    }
    *nodes = nodes.checked_sub(1)?;
    let mut values = Vec::new();
    for mv in listed(game, state) {
        values.push(full_search(game, &after(game, state, mv), nodes)?);
    }
    best(game.to_move(state), values.into_iter())
}

pub(super) fn best(mover: Side, values: impl Iterator<Item = Margin>) -> Option<Margin> {
    match mover {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
}
