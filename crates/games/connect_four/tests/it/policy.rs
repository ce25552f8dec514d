//! The `threat` playout policy of Connect Four on a plain array, cell by cell, as a reference for the fast ones.

use banyan_connect_four::ThreatRules;
use banyan_core::{Bounds, Margin, Playout, Rng};

use crate::plain::{Plain, Stone};

/// Whether a stone of `side` would complete four in `column`, on the cell that is `skipped` above the landing cell. The
/// cells skipped count as empty.
pub fn completes(plain: &Plain, column: usize, skipped: usize, side: u8) -> bool {
    let mut tried = plain.clone();
    for _ in 0..skipped {
        let Some(row) = tried.landing_row(column) else { return false };
        tried.board[column][row] = Stone::Hole;
    }
    tried.turn = side;
    tried.landing_row(column).is_some() && tried.after(column).winner == Some(side)
}

/// The margin of a win by `side` with the stone `plies` from here.
fn won(plain: &Plain, side: u8, plies: usize) -> Margin {
    let points = 1 + (plain.free() - plies) as i16 / 2;
    Margin(if side == 0 { points } else { -points })
}

/// The result of the rules for one move.
enum Step {
    Over(Margin),
    /// The columns to choose from, and whether no single move was proven best.
    Play(Vec<usize>, bool),
}

fn step(plain: &Plain, rules: ThreatRules) -> Step {
    let (own, enemy) = (plain.turn, 1 - plain.turn);
    let legal = plain.legal();
    let can_win = legal.iter().any(|&c| completes(plain, c, 0, own));
    if can_win && rules.has(ThreatRules::WIN) {
        return Step::Over(won(plain, own, 1));
    }
    let blocks: Vec<usize> = legal.iter().copied().filter(|&c| completes(plain, c, 0, enemy)).collect();
    let is_safe = |&c: &usize| !completes(plain, c, 1, enemy);
    let mut kept = legal.clone();
    if rules.has(ThreatRules::BLOCK) && !blocks.is_empty() {
        kept = if blocks.len() == 1 && is_safe(&blocks[0]) { blocks.clone() } else { Vec::new() };
    } else if rules.has(ThreatRules::SAFE) {
        kept.retain(is_safe);
    }
    if kept.is_empty() {
        if !can_win {
            return Step::Over(won(plain, enemy, 2));
        }
        kept = legal.clone();
    }
    if rules.has(ThreatRules::STACK) && !can_win && blocks.len() < 2 {
        let holds = |c: &usize| is_safe(c) && (blocks.is_empty() || blocks == [*c]);
        let mut held = legal.iter().filter(|c| holds(c));
        if held.any(|&c| completes(plain, c, 1, own) && completes(plain, c, 2, own)) {
            return Step::Over(won(plain, own, 3));
        }
    }
    let had_choice = if can_win { legal.len() > 1 } else { kept.len() > 1 };
    let spare: Vec<usize> = kept.iter().copied().filter(|&c| !completes(plain, c, 1, own)).collect();
    if rules.has(ThreatRules::SAVE) && !spare.is_empty() {
        kept = spare;
    }
    Step::Play(kept, had_choice)
}

/// One playout, with one number drawn per move. `bounds` are those of the rules.
pub fn playout(mut plain: Plain, rules: ThreatRules, bounds: Bounds, rng: &mut Rng) -> Playout {
    let mut chose = [false; 2];
    let margin = loop {
        if let Some(margin) = plain.margin() {
            break Margin(margin);
        }
        match step(&plain, rules) {
            Step::Over(margin) => break margin,
            Step::Play(kept, had_choice) => {
                chose[usize::from(plain.turn)] |= had_choice;
                plain.play(kept[rng.below(kept.len() as u32) as usize]);
            }
        }
    };
    let lower = if chose[1] { bounds.lower } else { margin };
    let upper = if chose[0] { bounds.upper } else { margin };
    Playout::new(margin, Bounds::new(lower, upper))
}
