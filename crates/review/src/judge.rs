//! The losses of a move, and their mark.

use banyan_catalog::view::{Analysis, Proof, side_word};
use banyan_core::Side;

use crate::decisive::largest_loss;
use crate::game_accuracy::accuracy_of;
use crate::view::{Mark, ReviewUnit, ReviewedMove, ReviewedSide, Valuation};

/// The least losses that are marked `?!`, `?` and `??`, in percent of the point: the thresholds of lichess (lila,
/// modules/tree/src/main/Advice.scala: 0.1, 0.2 and 0.3 on a scale from -1 to 1).
const PERCENT: [f64; 3] = [5.0, 10.0, 15.0];

/// The least loss, in points or percent, of a move that is not proven to lose something: smaller differences of searches mean nothing.
pub(super) const LEAST_LOSS: f64 = 0.05;

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
    /// Whether each move of it is proven to be a best one.
    pub(super) is_proven_line: bool,
    /// The key of the position after `best`, of searches.
    pub(super) key: Option<u64>,
    /// Value and margin of the move that was made here, by the same search as `value`.
    made: Option<(f64, Option<f64>)>,
}

impl Valued {
    /// Nothing is known but the range of margins.
    pub(super) fn unknown(range: Proof) -> Valued {
        let (best, pv) = (None, Vec::new());
        Valued { bounds: range, value: 0.0, margin: None, best, pv, is_proven_line: false, key: None, made: None }
    }

    /// The end of the game with this margin.
    pub(super) fn result_of(margin: i16) -> Valued {
        Valued { is_proven_line: true, ..Valued::unknown(Proof { lower: margin, upper: margin }) }
    }

    /// Adds proven bounds.
    pub(super) fn narrow(&mut self, proof: Proof) {
        let lower = self.bounds.lower.max(proof.lower);
        self.bounds = Proof { lower, upper: self.bounds.upper.min(proof.upper).max(lower) };
    }

    /// Adds the result of a search, and of the move that was `made` in the game. A move that is already proven to win stays the best.
    pub(super) fn add(&mut self, analysis: &Analysis, made: Option<&String>) {
        if let Some(proof) = analysis.proof {
            self.narrow(proof);
        }
        (self.value, self.margin) = (analysis.value, analysis.margin);
        let made = made.and_then(|made| analysis.moves.iter().find(|stat| stat.mv == *made));
        self.made = made.and_then(|stat| Some((stat.value?, stat.margin)));
        let is_winning = |mv: &str| {
            let found = analysis.moves.iter().find(|stat| stat.mv == mv);
            found.and_then(|stat| stat.proof).is_some_and(|proof| proof.lower > 0)
        };
        match (self.best.take(), &analysis.best) {
            (Some(winner), Some(best)) if winner != *best && !is_winning(best) => self.choose(&winner, &[], false),
            (_, best) => (self.best, self.pv, self.is_proven_line) = (best.clone(), analysis.pv.clone(), false),
        }
    }

    /// Sets the best move and the moves expected after it, and whether all of them are proven to be best.
    pub(super) fn choose(&mut self, best: &str, after: &[String], is_proven_line: bool) {
        self.best = Some(best.to_owned());
        self.pv = [&[best.to_owned()], after].concat();
        self.is_proven_line = is_proven_line;
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
        self.bounds.outcome()
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

    /// The expected share of the point, in percent.
    fn percent(&self) -> f64 {
        50.0 * (self.result() + 1.0)
    }

    /// The valuation, with the proof if it is narrower than `range`, the range of margins.
    pub(super) fn view(&self, range: (i16, i16)) -> Valuation {
        let proof = Some(self.bounds).filter(|proof| (proof.lower, proof.upper) != range);
        Valuation { value: self.result(), margin: self.points(), proof }
    }
}

/// The losses of a move and their mark.
pub(super) struct Verdict {
    /// In the unit of the review.
    pub(super) loss: f64,
    /// Whether `loss` is proven.
    pub(super) exact: bool,
    /// Of the expected share of the point, in percent.
    pub(super) loss_percent: f64,
    pub(super) mark: Option<Mark>,
}

impl Verdict {
    /// Both values are seen by the side that made the move. `is_best`: the player would have made it too.
    pub(super) fn of(before: &Valued, after: &Valued, unit: ReviewUnit, is_best: bool) -> Verdict {
        let lost = |[before_proven, after_proven]: [bool; 2], before: f64, after: f64, by_search: Option<f64>| {
            let exact = before_proven && after_proven;
            let loss = (before - after).max(0.0);
            // Two searches of successive positions differ by the advantage that each sees in the right to move: of a loss that is not
            // proven, only that counts which the search before the move sees too. A choice of the player itself is no error.
            let loss = match by_search.filter(|_| !after_proven) {
                Some(by_search) => loss.min(by_search.max(0.0)),
                None => loss,
            };
            let means_nothing = !exact && (is_best || loss < LEAST_LOSS);
            (if means_nothing { 0.0 } else { rounded(loss) }, exact)
        };
        let outcomes_proven = [before, after].map(|valued| valued.outcome().is_some());
        let by_search = before.made.map(|(value, _)| 50.0 * (before.value - value));
        let (loss_percent, percent_exact) = lost(outcomes_proven, before.percent(), after.percent(), by_search);
        let (loss, exact) = match unit {
            ReviewUnit::Percent => (loss_percent, percent_exact),
            ReviewUnit::Points => {
                let margins_proven = [before, after].map(|valued| valued.exact().is_some());
                let points = |valued: &Valued| valued.points().expect("points are the unit where all are known");
                let by_search = before.made.and_then(|(_, margin)| Some(before.margin? - margin?));
                lost(margins_proven, points(before), points(after), by_search)
            }
        };
        // Without a loss of points a smaller chance is the difference of two searches.
        let loss_percent = if unit == ReviewUnit::Points && loss == 0.0 && !percent_exact { 0.0 } else { loss_percent };
        Verdict { loss, exact, loss_percent, mark: mark(loss_percent) }
    }
}

fn mark(loss_percent: f64) -> Option<Mark> {
    match PERCENT.iter().filter(|&&threshold| loss_percent >= threshold).count() {
        0 => None,
        1 => Some(Mark::Inaccuracy),
        2 => Some(Mark::Mistake),
        _ => Some(Mark::Blunder),
    }
}

/// Rounds to a thousandth: smaller differences of searches mean nothing.
pub(super) fn rounded(loss: f64) -> f64 {
    (loss * 1000.0).round() / 1000.0
}

/// The summary of a side's moves among these.
pub(super) fn summary(side: Side, moves: &[ReviewedMove]) -> ReviewedSide {
    let own: Vec<&ReviewedMove> = moves.iter().filter(|mv| mv.to_move == side_word(side)).collect();
    let chosen: Vec<&ReviewedMove> = own.iter().copied().filter(|mv| mv.choices > 1).collect();
    let losses = chosen.iter().map(|mv| mv.loss);
    let marked = |mark: Mark| own.iter().filter(|mv| mv.mark == Some(mark)).count();
    let worst = largest_loss(chosen.iter().copied());
    ReviewedSide {
        side: side_word(side).to_owned(),
        moves: own.len(),
        choices: chosen.len(),
        best: chosen.iter().filter(|mv| mv.loss == 0.0).count(),
        mean_loss: (!chosen.is_empty()).then(|| rounded(losses.sum::<f64>() / chosen.len() as f64)),
        accuracy: accuracy_of(side, moves).map(rounded),
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

    fn check(unit: ReviewUnit, before: &Valued, after: &Valued, is_best: bool, expected: (f64, bool, f64, &str)) {
        let Verdict { loss, exact, loss_percent, mark } = Verdict::of(before, after, unit, is_best);
        assert_eq!((loss, exact, loss_percent, mark.map_or("", Mark::glyph)), expected, "{before:?} {after:?}");
    }

    #[test]
    fn losses_in_points_are_marked_by_the_expected_result() {
        let check = |before: &Valued, after: &Valued, is_best, expected| {
            check(ReviewUnit::Points, before, after, is_best, expected);
        };
        let searched = |margin, value| valued(-64, 64, value, Some(margin));
        let exact = |margin| valued(margin, margin, 0.0, None);
        check(&searched(6.0, 0.5), &searched(4.5, 0.42), false, (1.5, false, 4.0, ""));
        check(&searched(6.0, 0.5), &searched(4.0, 0.4), false, (2.0, false, 5.0, "?!"));
        check(&searched(6.0, 0.5), &searched(2.0, 0.25), false, (4.0, false, 12.5, "?"));
        check(&searched(6.0, 0.5), &searched(-1.0, -0.25), false, (7.0, false, 37.5, "??"));
        // A choice of the player is no error, unless that is proven.
        check(&searched(6.0, 0.5), &searched(-9.0, -0.5), true, (0.0, false, 0.0, ""));
        check(&exact(2), &exact(-2), true, (4.0, true, 100.0, "??"));
        // The search before the move sees a smaller loss, which does not count against a proof after the move.
        let made = |made| Valued { made: Some(made), ..searched(6.0, 0.5) };
        check(&made((0.375, Some(5.0))), &searched(-1.0, -0.25), false, (1.0, false, 6.25, "?!"));
        check(&made((0.625, Some(7.0))), &searched(-1.0, -0.25), false, (0.0, false, 0.0, ""));
        check(&made((0.375, Some(5.0))), &exact(-2), false, (8.0, false, 75.0, "??"));
        // A search may expect more after the move than before it.
        check(&searched(1.0, 0.25), &searched(3.0, 0.5), false, (0.0, false, 0.0, ""));
        // In a decided game points are lost, and no result.
        check(&exact(40), &exact(2), false, (38.0, true, 0.0, ""));
        check(&exact(-1), &exact(-30), false, (29.0, true, 0.0, ""));
        check(&searched(40.0, 0.9921875), &searched(30.0, 0.984375), false, (10.0, false, 0.391, ""));
        // Proven changes of the outcome are blunders, however small.
        check(&exact(1), &exact(0), false, (1.0, true, 50.0, "??"));
        check(&exact(0), &exact(-1), false, (1.0, true, 50.0, "??"));
        check(&valued(2, 64, 0.9, Some(1.0)), &exact(-2), false, (4.0, false, 100.0, "??"));
    }

    #[test]
    fn losses_in_percent_are_those_of_the_result() {
        let check = |before: &Valued, after: &Valued, loss, exact, mark| {
            check(ReviewUnit::Percent, before, after, false, (loss, exact, loss, mark));
        };
        let searched = |value| valued(-20, 20, value, None);
        check(&searched(0.5), &searched(0.42), 4.0, false, "");
        check(&searched(0.5), &searched(0.4), 5.0, false, "?!");
        check(&searched(0.5), &searched(0.3), 10.0, false, "?");
        check(&searched(0.5), &searched(0.2), 15.0, false, "??");
        // Slower wins lose nothing.
        check(&valued(9, 9, 0.0, None), &valued(3, 7, 0.0, None), 0.0, true, "");
        check(&valued(1, 9, 0.0, None), &valued(0, 0, 0.0, None), 50.0, true, "??");
        check(&valued(1, 9, 0.0, None), &searched(0.96), 2.0, false, "");
    }
}
