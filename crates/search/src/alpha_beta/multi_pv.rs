//! Searches for the values of several moves (multi-PV).
//!
//! The moves are searched once, in the order of the depth before. The first ones get values, by a window around the value of the depth
//! before; each further move is tested against the least of these values, and replaces it if it is better. So most moves are refuted once,
//! not once for each line.

use banyan_core::{FINE, Game, Knowledge};

use super::lines::Lines;
use super::root::Root;
use super::score::{Window, widened};
use super::search::Search;

/// A window reaches this far to both sides of the value of the depth before. Positions visited by three lines, against this: half as wide
/// +8 %, a quarter +23 %, twice as wide +8 % (bench/results/2026-11-28-intel-xeon/lines.txt).
const REACH: i32 = 2 * FINE;

/// If all moves are lines, one that is this many points below the best is searched one ply less deep, with twice as many two, and so on: it
/// costs more than its precise value is worth. Not at small depths, and not to the end of the game. Guesses; together they lower the mean error of all values
/// after a second from 1.67 to 1.56 discs (experiments/values-of-moves).
const POINTS_PER_PLY: i32 = 6;
const MOST_PLIES_LESS: u32 = 3;
const LESS_FROM: u32 = 8;

/// Searches the lines to this depth, and sorts them; `score` is that of the depth before. Returns the value of the position, or `None` if the
/// search was stopped.
pub(super) fn search_lines<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    lines: Lines,
    depth: u32,
    score: i32,
) -> Option<i32> {
    let n_lines = lines.of(root.moves.len());
    // Of the best moves so far, which stand first.
    let mut values = Vec::with_capacity(n_lines + 1);
    for i in 0..root.moves.len() {
        let least = values.get(n_lines - 1).copied();
        if least.is_some_and(|least| root.moves[i].upper <= least) {
            continue;
        }
        if let Some(least) = least
            && root.visit(search, i, depth, Window::null(least))?.score <= least
        {
            continue;
        }
        let less = if lines == Lines::All { plies_less(root, i, depth, score) } else { 0 };
        let known = root.moves[i].line.filter(|_| less > 0 && root.moves[i].depth >= depth - less);
        let mut value = match known {
            Some((value, _)) => value.clamp(root.moves[i].lower, root.moves[i].upper),
            None => value_of_move(root, search, i, depth - less, score)?,
        };
        // What seems best now is searched as deep as the others.
        if less > 0 && values.first().is_none_or(|&best| value > best) {
            value = value_of_move(root, search, i, depth, score)?;
        }
        root.moves[i].line = Some((value, depth));
        let place = values.partition_point(|&better| better >= value);
        if place < n_lines {
            values.insert(place, value);
            values.truncate(n_lines);
            root.moves[place..=i].rotate_right(1);
        }
    }
    root.reconcile_bounds();
    Some(values[0].clamp(root.least, root.most))
}

/// The number of plies that a search of move `i` may be less deep than `depth`; `best` is the best value of the depth before.
fn plies_less<G: Game>(root: &Root<'_, G>, i: usize, depth: u32, best: i32) -> u32 {
    if depth < LESS_FROM || depth >= u32::from(root.game.plies_left(root.state)) {
        return 0;
    }
    let below = root.moves[i].line.map_or(0, |(value, _)| best.saturating_sub(value).max(0));
    ((below / root.params.unit / POINTS_PER_PLY) as u32).min(MOST_PLIES_LESS)
}

/// The value of move `i`; `score` is a guess where the move has none of its own.
fn value_of_move<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    i: usize,
    depth: u32,
    score: i32,
) -> Option<i32> {
    let mv = &root.moves[i];
    let guess = mv.line.map(|(value, _)| value).or(mv.score).unwrap_or(score).clamp(mv.lower, mv.upper);
    let (mut below, mut above) = (REACH, REACH);
    let mut window = Window { alpha: guess - REACH, beta: guess + REACH };
    loop {
        let (lower, upper) = (root.moves[i].lower, root.moves[i].upper);
        if lower == upper {
            return Some(lower);
        }
        // The value is within the proven bounds.
        let searched = Window { alpha: window.alpha.max(lower - 1), beta: window.beta.min(upper + 1) };
        let score = root.visit(search, i, depth, searched)?.score;
        if score <= searched.alpha && searched.alpha >= lower {
            window.alpha = score.saturating_sub(below);
            below = widened(below, REACH);
        } else if score >= searched.beta && searched.beta <= upper {
            window.beta = score.saturating_add(above);
            above = widened(above, REACH);
        } else {
            return Some(score.clamp(root.moves[i].lower, root.moves[i].upper));
        }
    }
}
