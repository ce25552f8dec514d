//! The accuracy of a side in a game: the formula of lichess (lila, modules/analyse/src/main/AccuracyPercent.scala), with the expected
//! results of this review instead of those from centipawns, and without the moves that have no alternative.

use banyan_catalog::view::side_word;
use banyan_core::{Side, exp};

use crate::view::ReviewedMove;

/// The accuracy of a move that loses `x` percent of the point is `SCALE * exp(-DECAY * x) + OFFSET + BONUS`, 0 to 100.
const SCALE: f64 = 103.166_810_071_164_9;
const DECAY: f64 = 0.043_544_153_867_539_51;
const OFFSET: f64 = -3.166_924_740_191_411;
/// For the uncertainty of the analysis.
const BONUS: f64 = 1.0;
/// The positions around a move whose standard deviation is its weight: a tenth of the game within these bounds.
const WINDOW: [usize; 2] = [2, 8];
/// The least and the largest weight.
const WEIGHT: [f64; 2] = [0.5, 12.0];
/// The least accuracy of a move in the harmonic mean.
const LEAST: f64 = 1.0;

/// The accuracy of the moves of a side in percent: the average of their mean, weighted by how much the expected result changes around
/// them, and of their harmonic mean. `None` if it had no choice.
pub(super) fn accuracy_of(side: Side, moves: &[ReviewedMove]) -> Option<f64> {
    let percents = percents(moves);
    let window = (moves.len() / 10).clamp(WINDOW[0], WINDOW[1]);
    let weight = |at: usize| {
        let first = (at + 2).saturating_sub(window).min(percents.len().saturating_sub(window));
        deviation(&percents[first..percents.len().min(first + window)]).clamp(WEIGHT[0], WEIGHT[1])
    };
    let chosen = |mv: &ReviewedMove| mv.to_move == side_word(side) && mv.choices > 1;
    let own: Vec<(f64, f64)> = (0..moves.len())
        .filter(|&at| chosen(&moves[at]))
        .map(|at| (of_move(moves[at].loss_percent), weight(at)))
        .collect();
    if own.is_empty() {
        return None;
    }
    let weighted =
        own.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / own.iter().map(|own| own.1).sum::<f64>();
    let harmonic = own.len() as f64 / own.iter().map(|(accuracy, _)| 1.0 / accuracy.max(LEAST)).sum::<f64>();
    Some((weighted + harmonic) / 2.0)
}

/// The expected share of the point of `First`, in percent: before each move, and after the last one.
fn percents(moves: &[ReviewedMove]) -> Vec<f64> {
    let seen_by_first = |mv: &ReviewedMove, value: f64| {
        let sign = if mv.to_move == side_word(Side::First) { 1.0 } else { -1.0 };
        50.0 * (1.0 + sign * value)
    };
    let before = moves.iter().map(|mv| seen_by_first(mv, mv.before.value));
    before.chain(moves.last().map(|mv| seen_by_first(mv, mv.after.value))).collect()
}

fn of_move(loss_percent: f64) -> f64 {
    (SCALE * exp(-DECAY * loss_percent) + OFFSET + BONUS).clamp(0.0, 100.0)
}

/// The standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Valuation;

    /// Moves of the sides in turn, given by the value of each position for `First`; a move loses what the value falls for its side.
    fn game(values: &[f64], choices: usize) -> Vec<ReviewedMove> {
        let mv = |(at, pair): (usize, &[f64])| {
            let side = Side::BOTH[at % 2];
            let sign = f64::from(side.sign());
            let valuation = |value: f64| Valuation { value: sign * value, margin: None, proof: None };
            let loss = (50.0 * sign * (pair[0] - pair[1])).max(0.0);
            ReviewedMove {
                ply: at + 1,
                position: String::new(),
                to_move: side_word(side).to_owned(),
                mv: String::new(),
                choices,
                before: valuation(pair[0]),
                after: valuation(pair[1]),
                loss,
                loss_percent: loss,
                exact: false,
                mark: None,
                best: String::new(),
                pv: Vec::new(),
                reasons: Vec::new(),
            }
        };
        values.windows(2).enumerate().map(mv).collect()
    }

    #[test]
    fn the_accuracy_of_a_side_weighs_its_moves_by_the_changes_around_them() {
        let check = |values: &[f64], expected: [f64; 2]| {
            let moves = game(values, 2);
            for (side, expected) in Side::BOTH.into_iter().zip(expected) {
                let found = accuracy_of(side, &moves).expect("a side with choices");
                assert!((found - expected).abs() < 0.01, "{values:?} {side:?}: {found}");
            }
        };
        check(&[0.0, 0.0, 0.0, 0.0, 0.0], [100.0, 100.0]);
        // By hand: a move that loses 20 % has 103.1668 * exp(-0.871) - 2.1669 = 41.0 %, deviation 10, weight 10; the other move of that
        // side has 100 %, deviation 0, weight 0.5. Weighted mean 43.83, harmonic mean 58.17.
        check(&[0.0, -0.4, -0.4, -0.4, -0.4], [51.0, 100.0]);
        // The move that loses the whole point weighs more than one that loses nothing in a decided game.
        check(&[1.0, -1.0, -1.0, -1.0, -1.0], [2.99, 100.0]);
    }

    #[test]
    fn moves_without_a_choice_have_no_accuracy() {
        assert_eq!(accuracy_of(Side::First, &game(&[0.0, -0.5, -0.5], 1)), None);
        assert_eq!(accuracy_of(Side::First, &[]), None);
    }
}
