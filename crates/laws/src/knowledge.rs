//! Laws on a game's [`Knowledge`], checked by [`check_knowledge`].
//!
//! | law | requirement |
//! |---|---|
//! | `static-margins-in-range` | static margins stay in the range of margins and are the same in every image |
//! | `forced-moves-keep-best` | forced moves are legal, among them is one of the best margin; their bounds hold too |
//! | `undominated-keeps-best` | the same for undominated moves |
//! | `static-evals-agree` | evaluations stay in the range; their part beyond the score is a function of the canonical key |
//! | `solver-keys-agree` | positions with the same solver key have the same value for the mover, excluding the score so far |

use std::collections::HashMap;

use banyan_core::{Bounds, FINE, Game, Knowledge, Margin, MoveList, Notation, Side, Symmetry, canonical_key};

use crate::random_game::{RandomGame, after, listed, random_games, same_set};
use crate::value::{FULL_SEARCH_NODES, best, full_search, shown};
use crate::violation::{Finding, Violation};

/// A law that checks a game's knowledge on random games.
type Test<G, K> = fn(&G, &mut K, &[RandomGame<G>]) -> Finding;

/// Every law of this module by name.
pub fn laws<G: Notation, K: Knowledge<G>>() -> [(&'static str, Test<G, K>); 5] {
    [
        ("static-margins-in-range", static_margins_in_range),
        ("forced-moves-keep-best", |game, known, games| {
            keeps_best(game, games, "forced_moves()", &mut |state, out| known.forced_moves(game, state, out))
        }),
        ("undominated-keeps-best", |game, known, games| {
            keeps_best(game, games, "undominated()", &mut |state, out| known.undominated(game, state, out))
        }),
        ("static-evals-agree", static_evals_agree),
        ("solver-keys-agree", solver_keys_agree),
    ]
}

/// Plays `games` random games (at least one) with the seeds from `seed` on, and checks `knowledge` by every law of this
/// module.
///
/// # Errors
/// The first violation found.
pub fn check_knowledge<G: Notation, K: Knowledge<G>>(
    game: &G,
    knowledge: &mut K,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    let games = random_games(game, games, seed);
    laws::<G, K>()
        .into_iter()
        .try_for_each(|(law, test)| test(game, knowledge, &games).map_err(|message| Violation { law, message }))
}

fn static_margins_in_range<G: Notation>(
    game: &G,
    knowledge: &mut impl Knowledge<G>,
    games: &[RandomGame<G>],
) -> Finding {
    let range = game.margin_range();
    for played in games {
        for (i, state) in played.states.iter().enumerate() {
            let margin = knowledge.static_margin(game, state);
            if !range.contains(margin) {
                let wrong = format!("static margin {margin} outside {}", shown(range));
                return Err(played.describe(game, i, wrong));
            }
            for symmetry in (0..game.symmetries()).map(Symmetry) {
                let in_image = knowledge.static_margin(game, &game.transform(state, symmetry));
                if in_image != margin {
                    let wrong =
                        format!("static margin {margin}, but {in_image} in the image by symmetry {}", symmetry.0);
                    return Err(played.describe(game, i, wrong));
                }
            }
        }
    }
    Ok(())
}

fn static_evals_agree<G: Notation>(game: &G, knowledge: &mut impl Knowledge<G>, games: &[RandomGame<G>]) -> Finding {
    if knowledge.eval_scale(game) < 1 {
        return Err(format!("the scale of evaluations is {}, not positive", knowledge.eval_scale(game)));
    }
    evals_agree(game, games, &mut |state| knowledge.static_eval(game, state))
}

/// Checks that evaluations stay in range and that their part beyond the score is a function of the canonical key.
pub(super) fn evals_agree<G: Notation>(
    game: &G,
    games: &[RandomGame<G>],
    eval: &mut dyn FnMut(&G::State) -> i32,
) -> Finding {
    let mut seen: HashMap<u64, i32> = HashMap::new();
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            let to_come = check_eval(game, state, eval).map_err(|wrong| played.describe(game, i, wrong))?;
            let before = *seen.entry(game.key(state)).or_insert(to_come);
            if before != to_come {
                let wrong = format!("{to_come} beyond the score, but {before} at a position with the same key");
                return Err(played.describe(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// The part of the evaluation beyond the score; an error if the evaluation is out of range or differs in an image.
fn check_eval<G: Game>(game: &G, state: &G::State, eval: &mut dyn FnMut(&G::State) -> i32) -> Result<i32, String> {
    let (range, points) = (game.margin_range(), eval(state));
    if !(i32::from(range.lower.0) * FINE..=i32::from(range.upper.0) * FINE).contains(&points) {
        return Err(format!("an evaluation of {points}/{FINE} points outside {}", shown(range)));
    }
    let score = |state: &G::State| i32::from(game.score(state).0) * FINE;
    let to_come = points - score(state);
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let image = game.transform(state, symmetry);
        let in_image = eval(&image) - score(&image);
        if in_image != to_come {
            return Err(format!("{to_come} beyond the score, but {in_image} in the image by symmetry {}", symmetry.0));
        }
    }
    Ok(to_come)
}

fn solver_keys_agree<G: Notation>(game: &G, knowledge: &mut impl Knowledge<G>, games: &[RandomGame<G>]) -> Finding {
    // Positions with the same canonical key are symmetric, which `symmetries-map` checks.
    let mut values: HashMap<u64, (u64, i16)> = HashMap::new();
    for played in games {
        for i in played.choices().rev() {
            let state = &played.states[i];
            let mut nodes = FULL_SEARCH_NODES;
            let Some(value) = full_search(game, state, &mut nodes) else { break };
            let to_come = (value - game.score(state)).seen_by(game.to_move(state));
            let key = knowledge.solver_key(game, state);
            let (canonical, before) = *values.entry(key).or_insert((canonical_key(game, state), to_come));
            if before != to_come {
                let other = if canonical == canonical_key(game, state) { "the same" } else { "another" };
                let wrong = format!(
                    "{to_come} to come for the mover, but {before} at {other} canonical key with the same solver key"
                );
                return Err(played.describe(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// A function under test: appends some moves of a position and may return proven bounds.
type Keep<'a, G> = &'a mut dyn FnMut(&<G as Game>::State, &mut MoveList<<G as Game>::Move>) -> Option<Bounds>;

fn keeps_best<G: Notation>(game: &G, games: &[RandomGame<G>], name: &str, keep: Keep<'_, G>) -> Finding {
    for played in games {
        let mut searchable = true;
        for i in played.choices().rev() {
            let state = &played.states[i];
            let describe = |wrong: String| played.describe(game, i, format!("{name} {wrong}"));
            let (kept, bounds) = kept_moves(game, state, keep).map_err(describe)?;
            if !searchable {
                continue;
            }
            let mut nodes = FULL_SEARCH_NODES;
            let moves = listed(game, state).into_iter();
            let values: Option<Vec<(G::Move, Margin)>> =
                moves.map(|mv| Some((mv, full_search(game, &after(game, state, mv), &mut nodes)?))).collect();
            match values {
                None => searchable = false,
                Some(values) => check_kept(game.to_move(state), &values, &kept, bounds).map_err(describe)?,
            }
        }
    }
    Ok(())
}

/// The moves kept, and the bounds proven.
type Kept<G> = (MoveList<<G as Game>::Move>, Option<Bounds>);

fn kept_moves<G: Notation>(game: &G, state: &G::State, keep: Keep<'_, G>) -> Result<Kept<G>, String> {
    let mut kept = Vec::new();
    let bounds = keep(state, &mut kept);
    let mut twice = kept.clone();
    let again = keep(state, &mut twice);
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

/// A best move by margin is required even where all moves lose, since a single move is taken as proven best.
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
