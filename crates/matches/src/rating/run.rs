//! Plays a rating into its folder.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use banyan_arena::{AdaptiveConfig, AdaptivePairing, Schedule, Shard, StopSignal};
use banyan_catalog::pairs::{GameLine, MatchError};
use banyan_core::TextError;

use crate::config::{MatchConfig, RatingTerms};
use crate::evidence::Evidence;
use crate::folder::{MatchFolder, read_folder};
use crate::run::{Match, MatchWatch, Played};

/// Plays on `jobs` threads the missing games of the rating in `folder`. A shard plays its share of the next batch, and ends. `done` are
/// the games that the folder holds.
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
    let mut batches = Batches::new(*game.schedule(), &terms(folder.config())?);
    let shard = game.schedule().config().shard;
    let known: HashSet<u64> = complete_pairs(&done).into_keys().collect();
    let mut has_share = false;
    game.play_batches(folder, done, jobs, stop_signal, observer, &mut |finished: &[[Arc<GameLine>; 2]]| {
        if has_share {
            return Vec::new();
        }
        finished.iter().for_each(|[one, other]| batches.add([one, other]));
        let batch = batches.next();
        if shard == Shard::WHOLE || batch.iter().all(|index| known.contains(index)) {
            return batch;
        }
        has_share = true;
        let mine = (0..).zip(batch).filter(|&(i, _)| shard.has(i));
        mine.map(|(_, index)| index).collect()
    })
}

/// The games of the earlier rounds of this rating, from their folder.
///
/// # Errors
/// The folder cannot be read, or has another rating, a part of a round, an incomplete round, or the last one.
pub fn earlier_rounds(config: &MatchConfig, folder: &Path) -> Result<Vec<GameLine>, MatchError> {
    let (other, _, lines) = read_folder(folder)?;
    let remedy = "give the merged rounds of this rating";
    let in_folder = |err: TextError| TextError { remedy: remedy.to_owned(), ..err }.at(folder.display());
    config.check_same(&other).map_err(in_folder)?;
    let refused =
        |found: String| in_folder(TextError::new(found, "expected rounds that are merged and not the last", ""));
    if let Some(shard) = &other.shard {
        return Err(refused(format!("part {shard} of a round")).into());
    }
    match rating_progress(&other, &lines)? {
        RatingProgress { is_finished: true, .. } => Err(refused("a finished rating".to_owned()).into()),
        RatingProgress { last_batch: [of, missing], .. } if missing > 0 => {
            Err(refused(format!("a round of which {missing} of {of} pairs are missing")).into())
        }
        _ => Ok(lines),
    }
}

/// Progress of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingProgress {
    /// Whether no further pair is to be played.
    pub is_finished: bool,
    /// Pairs of the last batch, and those of them that are missing.
    pub last_batch: [usize; 2],
}

/// The progress of the rating with these games.
///
/// # Errors
/// The configuration is not that of a rating.
pub fn rating_progress(config: &MatchConfig, lines: &[GameLine]) -> Result<RatingProgress, TextError> {
    let mut batches = Batches::new(config.schedule()?, &terms(config)?);
    let complete = complete_pairs(lines);
    let mut last_batch = [0, 0];
    loop {
        let batch = batches.next();
        let there: Vec<_> = batch.iter().filter_map(|index| complete.get(index)).collect();
        if batch.is_empty() || there.is_empty() {
            return Ok(RatingProgress { is_finished: batch.is_empty(), last_batch });
        }
        last_batch = [batch.len(), batch.len() - there.len()];
        if last_batch[1] > 0 {
            return Ok(RatingProgress { is_finished: false, last_batch });
        }
        there.into_iter().for_each(|&games| batches.add(games));
    }
}

/// The pairs of which both games are there, by their index.
fn complete_pairs(lines: &[GameLine]) -> HashMap<u64, [&GameLine; 2]> {
    let mut halves: HashMap<u64, [Option<&GameLine>; 2]> = HashMap::new();
    for line in lines {
        halves.entry(line.pair).or_default()[usize::from(line.game)] = Some(line);
    }
    halves.into_iter().filter_map(|(index, [one, other])| Some((index, [one?, other?]))).collect()
}

/// Chooses the batches of a rating from the games so far.
struct Batches {
    schedule: Schedule,
    adaptive: AdaptivePairing,
    evidence: Vec<Evidence>,
}

impl Batches {
    fn new(schedule: Schedule, terms: &RatingTerms) -> Batches {
        let evidence = vec![Evidence::default(); schedule.n_pairings() as usize];
        Batches { adaptive: AdaptivePairing::new(&schedule, adaptive_config(terms)), schedule, evidence }
    }

    fn add(&mut self, games: [&GameLine; 2]) {
        let pairing = (games[0].pair % self.schedule.n_pairings()) as usize;
        self.evidence[pairing].add_pair(games);
        self.adaptive.set_counts(pairing, *self.evidence[pairing].counts());
    }

    fn next(&mut self) -> Vec<u64> {
        self.adaptive.next_batch()
    }
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
