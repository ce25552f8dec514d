//! The pairs of games of a sweep that count, and their results.

use std::collections::{BTreeMap, HashSet};

use banyan_arena::stats::{Interval, Outcome, Responses, mean, wilson};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::Span;
use banyan_core::Side;

use super::rounding::digits;
use crate::config::MatchConfig;
use crate::evidence::fingerprint;
use crate::sweep_config::Quantity;

/// The games of one stage.
#[derive(Clone, Copy, Debug)]
pub struct StageGames<'a> {
    /// Its match.
    pub config: &'a MatchConfig,
    /// The games, in any order.
    pub lines: &'a [GameLine],
}

/// A pair of games of a value.
#[derive(Clone, Copy)]
pub(super) struct PairResult {
    /// Seen by the value: as first, as second side.
    pub(super) sides: [f64; 2],
}

impl PairResult {
    pub(super) fn mean(&self) -> f64 {
        f64::midpoint(self.sides[0], self.sides[1])
    }
}

/// The pairs that count: `[round][value]`, without rounds in which no pair does.
pub(super) struct Counted {
    pub(super) rounds: Vec<Vec<Option<PairResult>>>,
    pub(super) repeated: u64,
    pub(super) without_margin: u64,
}

/// The rounds in which a pair counts, by number: a record may skip any number of them.
#[derive(Default)]
struct Counting {
    rounds: BTreeMap<u64, Vec<Option<PairResult>>>,
    repeated: u64,
    without_margin: u64,
}

impl Counted {
    /// The pairs of all stages, which together have `n_values` values.
    pub(super) fn of_stages(stages: &[StageGames<'_>], quantity: Quantity, n_values: usize) -> Counted {
        let mut counting = Counting::default();
        // The values of an earlier stage come first.
        let mut offset = 0;
        for stage in stages {
            counting.add(stage, quantity, offset, n_values);
            offset += stage.config.players.len() - 1;
        }
        let Counting { rounds, repeated, without_margin } = counting;
        Counted { rounds: rounds.into_values().collect(), repeated, without_margin }
    }

    pub(super) fn of(&self, value: usize) -> impl Iterator<Item = &PairResult> {
        self.rounds.iter().filter_map(move |round| round[value].as_ref())
    }
}

impl Counting {
    /// Adds the pairs of a stage whose first value is that of the index `offset`.
    fn add(&mut self, stage: &StageGames<'_>, quantity: Quantity, offset: usize, n_values: usize) {
        let n_pairings = stage.config.players.len() as u64 - 1;
        let mut pairs: BTreeMap<u64, [Option<&GameLine>; 2]> = BTreeMap::new();
        for line in stage.lines {
            pairs.entry(line.pair).or_default()[usize::from(line.game & 1)].get_or_insert(line);
        }
        let mut seen: HashSet<(usize, [u64; 2])> = HashSet::new();
        for (pair, games) in pairs {
            let [Some(one), Some(other)] = games else { continue };
            let (round, value) = (pair / n_pairings, (pair % n_pairings) as usize + offset);
            if !seen.insert((value, [one, other].map(fingerprint))) {
                self.repeated += 1;
                continue;
            }
            let Some(result) = pair_result([one, other], quantity) else {
                self.without_margin += 1;
                continue;
            };
            self.rounds.entry(round).or_insert_with(|| vec![None; n_values])[value] = Some(result);
        }
    }
}

/// The results of the player that is not the opponent, player 0; `None` if a margin is wanted and missing.
fn pair_result(games: [&GameLine; 2], quantity: Quantity) -> Option<PairResult> {
    let mut sides = [0.0; 2];
    for game in games {
        let side = if game.seats[0] == 0 { Side::Second } else { Side::First };
        sides[usize::from(side == Side::Second)] = match quantity {
            Quantity::Score => match game.outcome(side) {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            },
            Quantity::Margin => {
                let margin = f64::from(game.margin?);
                if side == Side::First { margin } else { -margin }
            }
        };
    }
    Some(PairResult { sides })
}

pub(super) fn responses(rounds: &[Vec<Option<PairResult>>]) -> Responses {
    let mean = |pair: &Option<PairResult>| pair.as_ref().map(PairResult::mean);
    Responses { rounds: rounds.iter().map(|round| round.iter().map(mean).collect()).collect() }
}

/// Student's interval of the mean; Wilson's if all scores are equal, which have no spread.
pub(super) fn interval(sample: &[f64], quantity: Quantity) -> Span {
    let is_constant = sample.windows(2).all(|pair| pair[0] == pair[1]);
    let found = match quantity {
        Quantity::Score if is_constant && !sample.is_empty() => {
            wilson((sample[0] * sample.len() as f64).round() as u64, sample.len() as u64)
        }
        _ => mean(sample),
    };
    let Interval { low, mid, high } = found;
    let clamped = |x: f64| if quantity == Quantity::Score { x.clamp(0.0, 1.0) } else { x };
    [low, mid, high].map(|x| x.map(clamped).map(digits))
}
