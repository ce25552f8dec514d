//! The move that decided a game.

use banyan_catalog::view::side_word;
use banyan_core::Side;

use crate::view::{Review, ReviewedMove};

/// A side that still expects this share of the point, in percent, has not lost the game yet. Guess: a draw is 50.
const ALIVE: f64 = 40.0;

impl Review {
    /// The decisive move of `loser`: of its moves from the last position on in which it could still expect 40 % of
    /// the point, the one that loses most of the expected result, and of these most in the unit of the review, the first of equals. An
    /// earlier loss that the other side gave back did not decide. Without such a position all its moves count; if those lose nothing, the
    /// earlier ones do. `None` if none loses anything.
    pub fn decisive(&self, loser: Side) -> Option<&ReviewedMove> {
        let own: Vec<&ReviewedMove> =
            self.moves.iter().filter(|mv| mv.to_move == side_word(loser) && mv.choices > 1).collect();
        let is_alive = |mv: &&ReviewedMove| 50.0 * (mv.before.value + 1.0) >= ALIVE;
        let from = own.iter().rposition(is_alive).unwrap_or(0);
        largest_loss(own[from..].iter().copied()).or_else(|| largest_loss(own[..from].iter().copied()))
    }
}

/// The move that loses most of the expected result, and of these most in the unit of the review, the first of equals; `None` if none loses
/// anything.
pub(super) fn largest_loss<'a>(moves: impl DoubleEndedIterator<Item = &'a ReviewedMove>) -> Option<&'a ReviewedMove> {
    // `max_by` keeps the last of equals.
    moves
        .rev()
        .filter(|mv| mv.loses())
        .max_by(|a, b| a.loss_percent.total_cmp(&b.loss_percent).then(a.loss.total_cmp(&b.loss)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{ReviewUnit, Valuation};

    /// A review of a game whose values, in percent for the first side, are these, and which the second side answers with the best moves.
    fn review(values: &[(f64, f64)]) -> Review {
        let valuation = |percent: f64| Valuation { value: percent / 50.0 - 1.0, margin: None, proof: None };
        let moves = values.iter().enumerate().map(|(i, &(before, after))| ReviewedMove {
            ply: 2 * i + 1,
            position: String::new(),
            to_move: side_word(Side::First).to_owned(),
            mv: "a1".to_owned(),
            choices: 2,
            before: valuation(before),
            after: valuation(after),
            loss: (before - after).max(0.0),
            exact: false,
            loss_percent: (before - after).max(0.0),
            mark: None,
            best: "b1".to_owned(),
            pv: Vec::new(),
            reasons: Vec::new(),
        });
        let moves: Vec<ReviewedMove> = moves.collect();
        Review {
            v: 1,
            game: String::new(),
            position: String::new(),
            players: None,
            sides: ["X".to_owned(), "O".to_owned()],
            reviewer: String::new(),
            budget: String::new(),
            unit: ReviewUnit::Percent,
            plies: 2 * values.len(),
            opening_plies: 0,
            result: None,
            opening: None,
            complete: true,
            summary: Side::BOTH.map(|side| crate::judge::summary(side, &moves)),
            moves,
            elapsed_ms: 0.0,
        }
    }

    #[test]
    fn a_loss_that_was_given_back_did_not_decide() {
        let decisive = |values: &[(f64, f64)]| review(values).decisive(Side::First).map(|mv| mv.ply);
        // The largest loss came first, and the other side gave it back.
        assert_eq!(decisive(&[(90.0, 10.0), (85.0, 80.0), (80.0, 20.0), (20.0, 15.0)]), Some(5));
        assert_eq!(decisive(&[(60.0, 30.0), (30.0, 0.0), (0.0, 0.0)]), Some(1));
        // Two steps after the last good position: the larger one.
        assert_eq!(decisive(&[(55.0, 35.0), (35.0, 5.0)]), Some(3));
        // Never alive; nothing lost after the last good position; nothing lost at all.
        assert_eq!(decisive(&[(30.0, 20.0), (20.0, 0.0)]), Some(3));
        assert_eq!(decisive(&[(90.0, 60.0), (60.0, 60.0)]), Some(1));
        assert_eq!(decisive(&[(50.0, 50.0)]), None);
        assert_eq!(review(&[(60.0, 30.0)]).decisive(Side::Second), None);
    }
}
