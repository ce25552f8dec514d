//! Plays a rating into its folder.

use std::sync::Arc;

use banyan_arena::{AdaptiveConfig, AdaptivePairing, StopSignal};
use banyan_catalog::pairs::{GameLine, MatchError};
use banyan_core::TextError;

use crate::config::{MatchConfig, RatingTerms};
use crate::evidence::Evidence;
use crate::folder::MatchFolder;
use crate::run::{Match, MatchWatch, Played};

/// Plays on `jobs` threads what the rating of `folder` still lacks. `done` are the games that the folder holds.
///
/// # Errors
/// The folder is not a rating, or an error of [`Match::play`].
pub fn rate(
    game: &Match,
    folder: &mut MatchFolder,
    done: Vec<GameLine>,
    jobs: usize,
    stop_signal: &StopSignal,
    observer: &mut dyn MatchWatch,
) -> Result<Played, MatchError> {
    let terms = terms(folder.config())?;
    let schedule = *game.schedule();
    let mut adaptive = AdaptivePairing::new(&schedule, adaptive_config(&terms));
    let mut evidence = vec![Evidence::default(); schedule.n_pairings() as usize];
    game.play_batches(folder, done, jobs, stop_signal, observer, &mut |finished: &[[Arc<GameLine>; 2]]| {
        for [one, other] in finished {
            let pairing = (one.pair % schedule.n_pairings()) as usize;
            evidence[pairing].add_pair([one, other]);
            adaptive.set_counts(pairing, *evidence[pairing].counts());
        }
        adaptive.next_batch()
    })
}

pub(super) fn terms(config: &MatchConfig) -> Result<RatingTerms, TextError> {
    config.rating.clone().ok_or_else(|| {
        let remedy = "use `banyan match --resume`, or another folder";
        TextError::new("match.toml", "expected a rating, found a match", remedy)
    })
}

pub(super) fn adaptive_config(terms: &RatingTerms) -> AdaptiveConfig {
    AdaptiveConfig {
        pairs: terms.pairs,
        superiority: terms.superiority,
        error_elo: terms.error.unwrap_or(f64::INFINITY),
    }
}
