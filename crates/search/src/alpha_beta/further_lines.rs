//! The values of moves that are not the best.
//!
//! A depth is finished by a search for the best move, as without further lines. Then the best of the other moves is searched for in the
//! same way, and so on; if all moves are wanted, each is searched by itself. The value of the line before is the upper end of the
//! window, and the value of the depth before its middle.

use banyan_core::{FINE, Game, Knowledge, sort_by_order};

use super::lines::Lines;
use super::root::Root;
use super::score::{INFINITE, Window, widened};
use super::search::Search;

/// A window reaches this far to both sides of the value of the depth before. Guess, untuned.
const REACH: i32 = 2 * FINE;
/// Searches all lines but the first, whose value of this depth is `best`. `None` if it was stopped.
pub(super) fn search_lines<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    lines: Lines,
    depth: u32,
    best: i32,
) -> Option<()> {
    root.moves[0].line = Some((best, depth));
    let (n_lines, mut above) = (lines.of(root.moves.len()), best);
    for line in 1..n_lines {
        above = if lines == Lines::All {
            value_of_move(root, search, line, depth, best)?
        } else {
            best_from(root, search, line, depth, above)?
        };
        root.moves[line].line = Some((above, depth));
    }
    // No other move is better than the last line.
    for mv in &mut root.moves[n_lines..] {
        mv.finished = Some(mv.finished.map_or(above, |score| score.min(above)));
    }
    // The best first, so that the next depth finds them in order.
    sort_by_order(&mut root.moves[1..n_lines.max(1)], |a, b| a.line > b.line);
    Some(())
}

/// The value of move `i`, which is at most `most`, the value of a move before it.
fn value_of_move<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    i: usize,
    depth: u32,
    most: i32,
) -> Option<i32> {
    let mv = &root.moves[i];
    if mv.lower == mv.upper {
        return Some(mv.lower);
    }
    let guess = mv.line.map(|(score, _)| score).or(mv.score).unwrap_or(most).min(most).clamp(mv.lower, mv.upper);
    let (mut below, mut above) = (REACH, REACH);
    let mut window = Window { alpha: guess - REACH, beta: (guess + REACH).min(most) + 1 };
    loop {
        let score = root.visit(search, i, depth, window)?.score;
        if score <= window.alpha && window.alpha > -INFINITE {
            below = widened(below, REACH);
            window.alpha = score.saturating_sub(below).max(-INFINITE);
        } else if score >= window.beta && window.beta <= most {
            above = widened(above, REACH);
            window.beta = score.saturating_add(above).min(most + 1);
        } else {
            // A table that has changed in between may show a better value than that of the best move.
            return Some(score.min(most));
        }
    }
}

/// Puts the best of the moves from `first` on at `first`, and returns its value, which is at most `most`.
fn best_from<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    first: usize,
    depth: u32,
    most: i32,
) -> Option<i32> {
    let mut best = value_of_move(root, search, first, depth, most)?;
    for i in first + 1..root.moves.len() {
        let mv = &root.moves[i];
        if mv.upper <= best {
            continue;
        }
        if root.visit(search, i, depth, Window::null(best))?.score > best {
            root.moves[first..=i].rotate_right(1);
            let score = value_of_move(root, search, first, depth, most)?;
            if score > best {
                best = score;
            } else {
                root.moves[first..=i].rotate_left(1);
            }
        }
    }
    Some(best)
}
