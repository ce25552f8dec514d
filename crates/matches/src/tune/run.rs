//! Plays a tuning into its folder.

use std::sync::Arc;

use banyan_arena::StopSignal;
use banyan_arena::stats::Outcome;
use banyan_arena::tuning::{Clop, Spsa, SpsaConfig, Trial};
use banyan_catalog::Players;
use banyan_catalog::pairs::{GameLine, MatchError};
use banyan_core::{Rng, Side, TextError, mix};

use super::plan::{corners, settings_text, tuned_player};
use crate::config::MatchConfig;
use crate::folder::MatchFolder;
use crate::run::{Match, MatchWatch, Played, Variant};
use crate::tune_config::{TuneConfig, TuneMethod};

/// Pairs of a batch of SPSA: all of them start from the same settings.
const SPSA_BATCH: u64 = 4;

/// A batch of CLOP has at least `CLOP_BATCH` pairs, and at least one in `CLOP_SHARE` of those played. Guess, untuned.
const CLOP_BATCH: u64 = 8;
const CLOP_SHARE: u64 = 16;

/// Plays on `jobs` threads what the tuning of `folder` still lacks. `done` are the games that the folder holds.
///
/// # Errors
/// The folder is not a tuning, holds games with other settings than it would play, or an error of [`Match::play`].
pub fn tune(
    game: &Match,
    (known, folder): (&Players, &mut MatchFolder),
    done: Vec<GameLine>,
    jobs: usize,
    stop_signal: &StopSignal,
    observer: &mut dyn MatchWatch,
) -> Result<Played, MatchError> {
    let mut tuner = Tuner::new(folder.config())?;
    // The file may have been written by a user.
    corners(known, &tuner.tune).try_for_each(|player| player.map(drop))?;
    let mut failed = None;
    let played = game.play_batches(folder, done, jobs, stop_signal, observer, &mut |finished| {
        let next = finished.iter().try_for_each(|pair| tuner.count(pair)).and_then(|()| tuner.next(known));
        match next {
            Ok(batch) => batch
                .into_iter()
                .map(|(index, variants)| {
                    game.set_variants(index, variants);
                    index
                })
                .collect(),
            Err(err) => {
                failed = Some(err);
                Vec::new()
            }
        }
    });
    match failed {
        Some(err) => Err(err.into()),
        None => played,
    }
}

/// Pair and players, in the order of the pairing.
type Order = (u64, [Option<Variant>; 2]);

/// Chooses the settings of every pair.
pub(super) struct Tuner {
    tune: TuneConfig,
    pairs: u64,
    seed: u64,
    pub(super) search: Search,
    /// The values of the opponent, if it is the same player: its score against itself is known.
    even: Option<Vec<f64>>,
    /// Pairs chosen, and the values of the last batch: `[pair][side of the pairing]`.
    chosen: u64,
    batch: Vec<(u64, [Option<Vec<f64>>; 2])>,
}

/// The state of the method.
pub(super) enum Search {
    Clop(Clop, Vec<Trial>),
    Spsa(Box<Spsa>),
}

impl Tuner {
    pub(super) fn new(config: &MatchConfig) -> Result<Tuner, TextError> {
        let tune = config.tune.clone().ok_or_else(|| {
            let remedy = "use `banyan match --resume`, or another folder";
            TextError::new("match.toml", "expected a tuning, found a match", remedy)
        })?;
        let (n_axes, seed) = (tune.vary.len(), mix(config.seed));
        let n_opponents = config.players.len() as u64 - 1;
        let pairs = config.pairs * n_opponents.max(1);
        let search = match tune.method {
            TuneMethod::Clop => Search::Clop(Clop { n_axes, seed }, Vec::new()),
            TuneMethod::Spsa => {
                let middle = |row: &crate::tune_config::TunedSetting| {
                    let default = row.default.filter(|default| (row.low..=row.high).contains(default));
                    default.map_or(0.0, |default| row.coordinate(default))
                };
                let start = tune.vary.iter().map(middle).collect();
                Search::Spsa(Box::new(Spsa::new(SpsaConfig::usual(n_axes, pairs, seed), start)))
            }
        };
        let even = match config.players.as_slice() {
            [one, other] if (&one.player, &one.budget) == (&other.player, &other.budget) => {
                tune.vary.iter().map(|row| row.default).collect()
            }
            _ => None,
        };
        Ok(Tuner { tune, pairs, seed, search, even, chosen: 0, batch: Vec::new() })
    }

    /// Counts a pair of the last batch.
    pub(super) fn count(&mut self, pair: &[Arc<GameLine>; 2]) -> Result<(), TextError> {
        let index = pair[0].pair;
        let Some((_, values)) = self.batch.iter().find(|(chosen, _)| *chosen == index) else { return Ok(()) };
        let texts =
            values.clone().map(|values| values.map_or(String::new(), |values| settings_text(&self.tune, &values)));
        for line in pair {
            let expected = if line.game == 0 { [&texts[0], &texts[1]] } else { [&texts[1], &texts[0]] };
            if !line.tuned.iter().eq(expected) {
                let found = format!("pair {index} with {}", line.tuned.join(" against "));
                let expected =
                    format!("expected {} against {}, as follows from the games before", expected[0], expected[1]);
                return Err(TextError::new(found, expected, "restore games.jsonl, or begin a new tuning with --out"));
            }
        }
        let score = score_of(pair);
        match &mut self.search {
            Search::Clop(_, trials) => {
                let values = values[0].as_ref().expect("the first player of a pair is the tuned one");
                trials.push(Trial { x: self.tune.places(values), score, is_played: true });
            }
            Search::Spsa(spsa) => {
                let places = values
                    .each_ref()
                    .map(|values| self.tune.places(values.as_ref().expect("both players of a pair are tuned")));
                spsa.count(index, places.each_ref().map(Vec::as_slice), score);
            }
        }
        Ok(())
    }

    /// The next batch; empty at the end.
    fn next(&mut self, known: &Players) -> Result<Vec<Order>, TextError> {
        self.choose();
        let variant = |values: &Vec<f64>| {
            let player = tuned_player(known, &self.tune, values)?;
            Ok(Variant { player, settings: settings_text(&self.tune, values) })
        };
        let order = |(index, [one, other]): &(u64, [Option<Vec<f64>>; 2])| {
            let [one, other] = [one, other].map(|values| values.as_ref().map(variant).transpose());
            Ok((*index, [one?, other?]))
        };
        self.batch.iter().map(order).collect()
    }

    /// Whether the pair of this index is one of the last batch.
    pub(super) fn has_chosen(&self, index: u64) -> bool {
        self.batch.iter().any(|(chosen, _)| *chosen == index)
    }

    /// Chooses the values of the next batch from the results so far. Pairs of a player against itself are counted without games; a batch
    /// without others is followed by the next one.
    pub(super) fn choose(&mut self) {
        self.batch.clear();
        while self.batch.is_empty() && self.chosen < self.pairs {
            let left = self.pairs - self.chosen;
            match &self.search {
                Search::Clop(..) => self.choose_by_clop((self.chosen / CLOP_SHARE).max(CLOP_BATCH).min(left)),
                Search::Spsa(_) => self.choose_by_spsa(SPSA_BATCH.min(left)),
            }
        }
    }

    fn choose_by_clop(&mut self, n: u64) {
        let Search::Clop(clop, trials) = &mut self.search else { return };
        for x in clop.next(trials, n as usize) {
            let values: Vec<f64> = self.tune.vary.iter().zip(&x).map(|(row, x)| row.value(*x, 0.5)).collect();
            if self.even.as_ref() == Some(&values) {
                trials.push(Trial { x: self.tune.places(&values), score: 0.5, is_played: false });
            } else {
                self.batch.push((self.chosen, [Some(values), None]));
            }
            self.chosen += 1;
        }
    }

    fn choose_by_spsa(&mut self, n: u64) {
        let Search::Spsa(spsa) = &self.search else { return };
        for index in self.chosen..self.chosen + n {
            // Both sides of a pair are rounded by the same chance, as in fishtest.
            let chance = Rng::new(mix(self.seed ^ mix(!index))).unit();
            let [one, other] = spsa.trial(index);
            let places = self.tune.vary.iter().zip(one.into_iter().zip(other));
            let values = places.map(|(row, (one, other))| row.two_values([one, other], chance));
            let (one, other) = values.map(|[one, other]| (one, other)).unzip();
            self.batch.push((index, [Some(one), Some(other)]));
        }
        self.chosen += n;
    }
}

/// The mean score of the first player of the pairing, which moves first in the first game.
pub(super) fn score_of(pair: &[Arc<GameLine>; 2]) -> f64 {
    let of = |line: &GameLine| match line.outcome(if line.game == 0 { Side::First } else { Side::Second }) {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    };
    f64::midpoint(of(&pair[0]), of(&pair[1]))
}
