//! Laws on margins, on what is provable at a glance, and on the moves worth looking at.

use super::Finding;
use super::random_game::{RandomGame, after, listed, same_set};
use crate::{Bounds, Game, Margin, MoveList, Notation, Side};

/// Positions a full search of the rest of a game may visit.
pub(super) const FULL_SEARCH_NODES: u32 = 2000;

pub(super) fn margins_in_range<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let range = game.margin_range();
    if range.lower > range.upper {
        return Err(format!("the range of margins goes from {} down to {}", range.lower, range.upper));
    }
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let margins = [
                ("final margin", game.result(state)),
                ("standing", Some(game.standing(state))),
                ("banked points", Some(game.banked(state))),
            ];
            for (name, margin) in margins {
                if let Some(margin) = margin.filter(|&margin| !range.contains(margin)) {
                    let wrong = format!("{name} {margin} outside {}", shown(range));
                    return Err(played.tell(game, i, wrong));
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
            check_bounds(game, state).map_err(|wrong| played.tell(game, i, wrong))?;
        }
        // From the end backwards, as long as the rest of the game can be searched.
        for i in (0..played.states.len()).rev() {
            let mut nodes = FULL_SEARCH_NODES;
            let Some(value) = full_search(game, &played.states[i], &mut nodes) else { break };
            let bounds = game.bounds(&played.states[i]);
            if !bounds.contains(value) {
                let wrong = format!("bounds {}, but best play ends with {value}", shown(bounds));
                return Err(played.tell(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// Bounds hold for best play, so a position's bounds cannot contradict those of its children taken together.
fn check_bounds<G: Notation>(game: &G, state: &G::State) -> Finding {
    let (range, bounds) = (game.margin_range(), game.bounds(state));
    if bounds.lower > bounds.upper || !range.contains(bounds.lower) || !range.contains(bounds.upper) {
        return Err(format!("bounds {} are no part of the range {}", shown(bounds), shown(range)));
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

/// The margin under best play by plain minimax, or `None` when that takes more than `nodes` positions.
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

fn best(mover: Side, values: impl Iterator<Item = Margin>) -> Option<Margin> {
    match mover {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
}

/// A way to leave moves out: its name, and what keeps some moves and may prove bounds.
struct Choice<G: Game> {
    name: &'static str,
    keep: Keep<G>,
}

type Keep<G> = fn(&G, &<G as Game>::State, &mut MoveList<<G as Game>::Move>) -> Option<Bounds>;

pub(super) fn tactics_keep_best<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    keeps_best(game, games, &Choice { name: "tactics()", keep: G::tactics })
}

pub(super) fn dominating_keeps_best<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    keeps_best(game, games, &Choice { name: "dominating()", keep: G::dominating })
}

fn keeps_best<G: Notation>(game: &G, games: &[RandomGame<G>], choice: &Choice<G>) -> Finding {
    for played in games {
        let mut searchable = true;
        for i in played.choices().rev() {
            let state = &played.states[i];
            let tell = |wrong: String| played.tell(game, i, format!("{} {wrong}", choice.name));
            let (kept, bounds) = kept_moves(game, state, choice).map_err(tell)?;
            if !searchable {
                continue;
            }
            let mut nodes = FULL_SEARCH_NODES;
            let moves = listed(game, state).into_iter();
            let values: Option<Vec<(G::Move, Margin)>> =
                moves.map(|mv| Some((mv, full_search(game, &after(game, state, mv), &mut nodes)?))).collect();
            match values {
                None => searchable = false,
                Some(values) => check_kept(game.to_move(state), &values, &kept, bounds).map_err(tell)?,
            }
        }
    }
    Ok(())
}

/// The moves kept, and what was proven on the way.
type Kept<G> = (MoveList<<G as Game>::Move>, Option<Bounds>);

fn kept_moves<G: Notation>(game: &G, state: &G::State, choice: &Choice<G>) -> Result<Kept<G>, String> {
    let mut kept = Vec::new();
    let bounds = (choice.keep)(game, state, &mut kept);
    let mut twice = kept.clone();
    let again = (choice.keep)(game, state, &mut twice);
    if again != bounds || twice.len() != 2 * kept.len() || !same_set(&twice[kept.len()..], &kept) {
        return Err(format!("does not append {kept:?} to a list that holds these already"));
    }
    let legal = listed(game, state);
    if kept.is_empty() {
        return Err("keeps no move".to_owned());
    }
    if let Some((_, mv)) = kept.iter().enumerate().find(|(k, mv)| !legal.contains(mv) || kept[..*k].contains(mv)) {
        return Err(format!("keeps {mv:?}, which is not legal or comes twice"));
    }
    Ok((kept, bounds))
}

/// A best move by margin is asked for even where all moves lose: a list of one is taken for a proof.
fn check_kept<M: Copy + Eq + std::fmt::Debug>(
    mover: Side,
    values: &[(M, Margin)],
    kept: &[M],
    bounds: Option<Bounds>,
) -> Finding {
    let best_of_all = best(mover, values.iter().map(|&(_, value)| value));
    let best_kept = best(mover, values.iter().filter(|(mv, _)| kept.contains(mv)).map(|&(_, value)| value));
    let (Some(best_of_all), Some(best_kept)) = (best_of_all, best_kept) else { return Ok(()) };
    if let Some(bounds) = bounds.filter(|bounds| !bounds.contains(best_of_all)) {
        return Err(format!("proves {}, but best play ends with {best_of_all}", shown(bounds)));
    }
    if best_kept != best_of_all {
        return Err(format!(
            "keeps {kept:?}, the best of which ends with {best_kept}; a full search gives {best_of_all}"
        ));
    }
    Ok(())
}
