//! The loss of a move, and its mark.

use banyan_catalog::view::{Analysis, Proof, side_word};
use banyan_core::Side;

use crate::view::{Mark, ReviewUnit, ReviewedMove, ReviewedSide, Valuation};

/// The least losses that are marked `?!`, `?` and `??`, in percent of the point: the thresholds of lichess (lila,
/// modules/tree/src/main/Advice.scala: 0.1, 0.2 and 0.3 on a scale from -1 to 1).
const PERCENT: [f64; 3] = [5.0, 10.0, 15.0];
/// The least losses in points, as shares of the largest margin: 2, 4 and 8 discs in Reversi on 8x8, and 0.8, 1.6 and 3.1 boxes in
/// Dots and Boxes on 5x5. Guesses.
const OF_LARGEST_MARGIN: [f64; 3] = [1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0];
/// The least expected margin in points that counts as a win; a marked move that changes this winner gets the next mark. Guess.
const WINNING_POINTS: f64 = 0.5;

/// The bounds and the search results of a position, seen by one side.
#[derive(Clone, Debug)]
pub(super) struct Valued {
    /// Proven.
    pub(super) bounds: Proof,
    /// Value of a search, -1..1.
    value: f64,
    /// Margin expected by a search, in points.
    margin: Option<f64>,
    /// `None` if the game is over, and in the view of the other side.
    pub(super) best: Option<String>,
    /// Begins with `best`.
    pub(super) pv: Vec<String>,
    /// The key of the position after `best`, of searches.
    pub(super) key: Option<u64>,
}

impl Valued {
    /// Nothing is known but the range of margins.
    pub(super) fn unknown(range: Proof) -> Valued {
        Valued { bounds: range, value: 0.0, margin: None, best: None, pv: Vec::new(), key: None }
    }

    /// Adds proven bounds.
    pub(super) fn narrow(&mut self, proof: Proof) {
        let lower = self.bounds.lower.max(proof.lower);
        self.bounds = Proof { lower, upper: self.bounds.upper.min(proof.upper).max(lower) };
    }

    /// Adds the result of a search. A move that is already proven to win stays the best.
    pub(super) fn add(&mut self, analysis: &Analysis) {
        if let Some(proof) = analysis.proof {
            self.narrow(proof);
        }
        (self.value, self.margin) = (analysis.value, analysis.margin);
        let is_winning = |mv: &str| {
            let found = analysis.moves.iter().find(|stat| stat.mv == mv);
            found.and_then(|stat| stat.proof).is_some_and(|proof| proof.lower > 0)
        };
        match (self.best.take(), &analysis.best) {
            (Some(winner), Some(best)) if winner != *best && !is_winning(best) => self.choose(&winner, &[]),
            (_, best) => (self.best, self.pv) = (best.clone(), analysis.pv.clone()),
        }
    }

    /// Sets the best move and the moves expected after it.
    pub(super) fn choose(&mut self, best: &str, after: &[String]) {
        self.best = Some(best.to_owned());
        self.pv = [&[best.to_owned()], after].concat();
    }

    /// The values seen by the other side. The line stays.
    pub(super) fn of_other_side(&self) -> Valued {
        Valued {
            bounds: Proof { lower: -self.bounds.upper, upper: -self.bounds.lower },
            value: -self.value,
            margin: self.margin.map(|margin| -margin),
            ..self.clone()
        }
    }

    /// The margin, if it is proven.
    fn exact(&self) -> Option<i16> {
        (self.bounds.lower == self.bounds.upper).then_some(self.bounds.lower)
    }

    /// 1, 0 or -1, if it is proven.
    fn outcome(&self) -> Option<i16> {
        let Proof { lower, upper } = self.bounds;
        if lower > 0 {
            Some(1)
        } else if upper < 0 {
            Some(-1)
        } else {
            (lower == upper).then_some(0)
        }
    }

    /// The margin, proven or expected.
    pub(super) fn points(&self) -> Option<f64> {
        let Proof { lower, upper } = self.bounds;
        let margin = self.margin.map(|margin| margin.clamp(lower.into(), upper.into()));
        self.exact().map(f64::from).or(margin)
    }

    fn result(&self) -> f64 {
        self.outcome().map_or(self.value, f64::from)
    }

    /// The valuation, with the proof if it is narrower than `range`, the range of margins.
    pub(super) fn view(&self, range: (i16, i16)) -> Valuation {
        let proof = Some(self.bounds).filter(|proof| (proof.lower, proof.upper) != range);
        Valuation { value: self.result(), margin: self.points(), proof }
    }
}

/// A loss and its mark.
pub(super) struct Verdict {
    pub(super) loss: f64,
    pub(super) exact: bool,
    pub(super) mark: Option<Mark>,
}

/// The unit of losses, and the largest margin of the game.
pub(super) struct Scale {
    pub(super) unit: ReviewUnit,
    pub(super) largest: i16,
}

impl Scale {
    /// Both values are seen by the side that made the move. `is_best`: the player would have made it too.
    pub(super) fn judge(&self, before: &Valued, after: &Valued, is_best: bool) -> Verdict {
        let exact = self.is_exact(before) && self.is_exact(after);
        let loss = (self.measure(before) - self.measure(after)).max(0.0);
        // A choice of the player itself is not an error, even if the search after it finds a lower value, unless the loss is proven.
        let loss = if is_best && !exact { 0.0 } else { rounded(loss) };
        let loses_outcome = before.outcome().zip(after.outcome()).is_some_and(|(before, after)| after < before);
        let mark = if loses_outcome { Some(Mark::Blunder) } else { self.mark(loss, before, after) };
        Verdict { loss, exact, mark }
    }

    fn is_exact(&self, valued: &Valued) -> bool {
        match self.unit {
            ReviewUnit::Points => valued.exact().is_some(),
            ReviewUnit::Percent => valued.outcome().is_some(),
        }
    }

    fn measure(&self, valued: &Valued) -> f64 {
        match self.unit {
            ReviewUnit::Points => valued.points().expect("points are the unit where all are known"),
            ReviewUnit::Percent => 50.0 * (valued.result() + 1.0),
        }
    }

    fn mark(&self, loss: f64, before: &Valued, after: &Valued) -> Option<Mark> {
        let thresholds = match self.unit {
            ReviewUnit::Points => OF_LARGEST_MARGIN.map(|share| share * f64::from(self.largest)),
            ReviewUnit::Percent => PERCENT,
        };
        let reached = thresholds.iter().filter(|&&threshold| loss >= threshold).count();
        let changes_winner = self.unit == ReviewUnit::Points
            && self.measure(before) >= WINNING_POINTS
            && self.measure(after) <= -WINNING_POINTS;
        match reached + usize::from(reached > 0 && changes_winner) {
            0 => None,
            1 => Some(Mark::Inaccuracy),
            2 => Some(Mark::Mistake),
            _ => Some(Mark::Blunder),
        }
    }
}

/// Rounds to a thousandth: smaller differences of searches mean nothing.
fn rounded(loss: f64) -> f64 {
    (loss * 1000.0).round() / 1000.0
}

/// The summary of a side's moves among these.
pub(super) fn summary(side: Side, moves: &[ReviewedMove]) -> ReviewedSide {
    let own: Vec<&ReviewedMove> = moves.iter().filter(|mv| mv.to_move == side_word(side)).collect();
    let chosen: Vec<&ReviewedMove> = own.iter().copied().filter(|mv| mv.choices > 1).collect();
    let losses = chosen.iter().map(|mv| mv.loss);
    let marked = |mark: Mark| own.iter().filter(|mv| mv.mark == Some(mark)).count();
    // `max_by` keeps the last of equals.
    let worst = chosen.iter().rev().max_by(|a, b| a.loss.total_cmp(&b.loss)).filter(|mv| mv.loss > 0.0);
    ReviewedSide {
        side: side_word(side).to_owned(),
        moves: own.len(),
        choices: chosen.len(),
        best: chosen.iter().filter(|mv| mv.loss == 0.0).count(),
        mean_loss: (!chosen.is_empty()).then(|| rounded(losses.sum::<f64>() / chosen.len() as f64)),
        inaccuracies: marked(Mark::Inaccuracy),
        mistakes: marked(Mark::Mistake),
        blunders: marked(Mark::Blunder),
        worst: worst.map(|mv| mv.ply),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valued(lower: i16, upper: i16, value: f64, margin: Option<f64>) -> Valued {
        Valued { value, margin, ..Valued::unknown(Proof { lower, upper }) }
    }

    fn check(unit: ReviewUnit, before: &Valued, after: &Valued, is_best: bool, expected: (f64, bool, &str)) {
        let Verdict { loss, exact, mark } = Scale { unit, largest: 64 }.judge(before, after, is_best);
        assert_eq!((loss, exact, mark.map_or("", Mark::glyph)), expected, "{before:?} {after:?}");
    }

    #[test]
    fn losses_in_points_are_marked_by_size_and_by_the_winner() {
        let check = |before: &Valued, after: &Valued, is_best, expected| {
            check(ReviewUnit::Points, before, after, is_best, expected);
        };
        let searched = |margin| valued(-64, 64, 0.0, Some(margin));
        let exact = |margin| valued(margin, margin, 0.0, None);
        check(&searched(6.0), &searched(4.5), false, (1.5, false, ""));
        check(&searched(6.0), &searched(4.0), false, (2.0, false, "?!"));
        check(&searched(6.0), &searched(2.0), false, (4.0, false, "?"));
        check(&searched(9.0), &searched(1.0), false, (8.0, false, "??"));
        // The expected winner changes.
        check(&searched(1.5), &searched(-0.5), false, (2.0, false, "?"));
        check(&searched(0.5), &searched(-0.5), false, (1.0, false, ""));
        // A choice of the player is no error, unless that is proven.
        check(&searched(6.0), &searched(-9.0), true, (0.0, false, ""));
        check(&exact(6), &exact(4), true, (2.0, true, "?!"));
        // A search may expect more after the move than before it.
        check(&searched(1.0), &searched(3.0), false, (0.0, false, ""));
        // Proven changes of the outcome are blunders, however small.
        check(&exact(1), &exact(0), false, (1.0, true, "??"));
        check(&exact(0), &exact(-1), false, (1.0, true, "??"));
        check(&exact(-1), &exact(-2), false, (1.0, true, ""));
        check(&valued(2, 64, 0.9, Some(1.0)), &exact(-2), false, (4.0, false, "??"));
    }

    #[test]
    fn losses_in_percent_are_those_of_the_result() {
        let check = |before: &Valued, after: &Valued, expected| {
            check(ReviewUnit::Percent, before, after, false, expected);
        };
        let searched = |value| valued(-20, 20, value, None);
        check(&searched(0.5), &searched(0.42), (4.0, false, ""));
        check(&searched(0.5), &searched(0.4), (5.0, false, "?!"));
        check(&searched(0.5), &searched(0.3), (10.0, false, "?"));
        check(&searched(0.5), &searched(0.2), (15.0, false, "??"));
        // Slower wins lose nothing.
        check(&valued(9, 9, 0.0, None), &valued(3, 7, 0.0, None), (0.0, true, ""));
        check(&valued(1, 9, 0.0, None), &valued(0, 0, 0.0, None), (50.0, true, "??"));
        check(&valued(1, 9, 0.0, None), &searched(0.96), (2.0, false, ""));
    }
}
