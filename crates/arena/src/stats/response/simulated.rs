//! Simulated sweeps.

use banyan_core::Rng;

use super::super::score_of_elo;
use super::Responses;

/// A pair of games with draws near 8 %, an opening that makes it easier or harder for all values alike, and a first move of 80 Elo.
fn pair(rng: &mut Rng, elo: f64, opening: f64) -> f64 {
    let game = |rng: &mut Rng, elo: f64| {
        let score = score_of_elo(elo);
        let drawn = 0.08f64.min(score).min(1.0 - score);
        let at = rng.unit();
        if at < score - drawn / 2.0 {
            1.0
        } else if at < score + drawn / 2.0 {
            0.5
        } else {
            0.0
        }
    };
    (game(rng, elo + opening + 80.0) + game(rng, elo + opening - 80.0)) / 2.0
}

/// A sweep over values of these strengths.
pub(super) fn sweep(rng: &mut Rng, elo: &[f64], pairs: usize) -> Responses {
    let round = |rng: &mut Rng| {
        let opening = 120.0 * (rng.unit() - 0.5);
        elo.iter().map(|&elo| Some(pair(rng, elo, opening))).collect()
    };
    Responses { rounds: (0..pairs).map(|_| round(rng)).collect() }
}
