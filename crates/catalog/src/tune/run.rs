//! Plays a tuning into its folder.

use std::sync::Arc;

use banyan_arena::StopSignal;
use banyan_arena::stats::Outcome;
use banyan_arena::tuning::{Clop, Spsa, SpsaConfig, Trial};
use banyan_core::{Rng, Side, TextError, mix};

use super::plan::{settings_text, tuned_player};
use crate::matches::{
    GameLine, Match, MatchConfig, MatchError, MatchFolder, MatchWatch, Played, TuneConfig, TuneMethod, Variant,
};
use crate::players::Players;

/// Pairs of a batch of SPSA: all of them start from the same settings.
const SPSA_BATCH: u64 = 4;

/// A batch of CLOP has at least so many pairs, and at least one in `CLOP_SHARE` of those played. Guess, untuned.
const CLOP_BATCH: u64 = 8;
const CLOP_SHARE: u64 = 16;

/// Plays on `jobs` threads what the tuning of `folder` still lacks. `done` are the games that the folder holds.
///
/// # Errors
/// The folder is no tuning, holds games with other settings than it would play, or as [`Match::play`].
pub fn tune(
    game: &Match,
    (known, folder): (&Players, &mut MatchFolder),
    done: Vec<GameLine>,
    jobs: usize,
    stop_signal: &StopSignal,
    observer: &mut dyn MatchWatch,
) -> Result<Played, MatchError> {
    let mut tuner = Tuner::new(folder.config())?;
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
                let middle = |row: &crate::matches::TunedSetting| {
                    let default = row.default.filter(|default| (row.low..=row.high).contains(default));
                    default.map_or(0.0, |default| row.coordinate(default))
                };
                let start = tune.vary.iter().map(middle).collect();
                Search::Spsa(Box::new(Spsa::new(SpsaConfig::usual(n_axes, pairs, seed), start)))
            }
        };
        Ok(Tuner { tune, pairs, seed, search, chosen: 0, batch: Vec::new() })
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
                return Err(TextError::new(found, expected, "restore the file, or use a new folder with --out"));
            }
        }
        let score = score_of(pair);
        match &mut self.search {
            Search::Clop(_, trials) => {
                let values = values[0].as_ref().expect("the first player of a pair is the tuned one");
                let x = self.tune.vary.iter().zip(values).map(|(row, value)| row.coordinate(*value)).collect();
                trials.push(Trial { x, score });
            }
            Search::Spsa(spsa) => spsa.count(index, score),
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

    /// Chooses the values of the next batch from the results so far.
    pub(super) fn choose(&mut self) {
        let left = self.pairs.saturating_sub(self.chosen);
        let n = match &self.search {
            Search::Clop(..) => (self.chosen / CLOP_SHARE).max(CLOP_BATCH).min(left),
            Search::Spsa(_) => SPSA_BATCH.min(left),
        };
        let indexes = self.chosen..self.chosen + n;
        let values = |x: &[f64], chance: f64| -> Vec<f64> {
            self.tune.vary.iter().zip(x).map(|(row, x)| row.value(*x, chance)).collect()
        };
        self.batch = match &self.search {
            Search::Clop(clop, trials) => {
                let places = clop.next(trials, n as usize);
                indexes.zip(places).map(|(index, x)| (index, [Some(values(&x, 0.5)), None])).collect()
            }
            // Both sides of a pair are rounded by the same chance, as in fishtest.
            Search::Spsa(spsa) => indexes
                .map(|index| {
                    let chance = Rng::new(mix(self.seed ^ mix(!index))).unit();
                    (index, spsa.trial(index).map(|x| Some(values(&x, chance))))
                })
                .collect(),
        };
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
