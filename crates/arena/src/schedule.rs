//! Pairings, openings and seeds: a pure function of the configuration and an index, so that the number of threads and
//! machines changes no game.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use banyan_core::{Side, TextError, TextErrorKind, mix};

/// Upper limit, against overflow by typing errors.
const MOST_PAIRS: u64 = 1_000_000_000_000;

/// The pairings of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// Player 0 meets every other.
    Gauntlet,
    /// The players are this many groups of the same size, of which the first player of each meets the others of its group. All pairs of
    /// a round have the same seeds: the players are values of a setting, or variants of a player, that are compared.
    Sweep {
        /// Number of groups.
        groups: usize,
    },
}

/// One machine's share of a match: part `index` of `of`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, below `of`.
    pub index: u64,
    /// Number of parts.
    pub of: u64,
}

impl Shard {
    /// The whole match.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Every `of`-th of a list belongs to a part.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.index
    }

    /// Number of those of a list of `n` that belong to the part.
    pub fn share(self, n: u64) -> u64 {
        n.saturating_sub(self.index).div_ceil(self.of)
    }

    /// Checks that all parts are there; `has` returns whether that of an index is.
    ///
    /// # Errors
    /// A part is missing; the error names all of these.
    pub fn check_complete(of: u64, has: impl Fn(u64) -> bool) -> Result<(), TextError> {
        let missing: Vec<String> =
            (0..of).filter(|&index| !has(index)).map(|index| Shard { index, of }.to_string()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let found = format!("{} of {of} parts", of - missing.len() as u64);
        let expected = format!("expected all of them: {} missing", missing.join(", "));
        Err(TextError::new(found, expected, "name every part"))
    }
}

/// `1/4`; parts are counted from 1.
impl FromStr for Shard {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Shard, TextError> {
        let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse::<u64>().ok()?, of.parse().ok()?)));
        let Some((index, of)) = parts.filter(|&(index, of)| 1 <= index && index <= of) else {
            let expected = "expected I/N, counted from 1";
            return Err(TextError::new(format!("shard {text:?}"), expected, "try 1/4"));
        };
        Ok(Shard { index: index - 1, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

/// The configuration of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleConfig {
    /// Number of players, at least two; of a sweep at least two in each group.
    pub n_players: usize,
    /// The pairings of a match.
    pub format: Format,
    /// Pairs of games per pairing; `None` for no limit, for sequential tests.
    pub pairs: Option<u64>,
    /// The seed of openings and games.
    pub seed: u64,
    /// The part to play on this machine.
    pub shard: Shard,
}

/// A whole match, pair by pair. Index `round * pairings + pairing` is the same pair of games on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    config: ScheduleConfig,
}

/// Two games on one opening with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairPlan {
    /// The index of the pair within the match.
    pub index: u64,
    /// The two players. The one named first is `Side::First` in game 0 and `Side::Second` in game 1.
    pub pairing: [usize; 2],
    /// Number of the opening, from 0; every pairing plays the same openings in the same order.
    pub round: u64,
    /// Seed for the random choices of the round, such as the size of the board: the same for every pairing.
    pub round_seed: u64,
    /// `[game][side]`: the seed of the player of that side; in a sweep the same for every pairing.
    pub game_seeds: [[u64; 2]; 2],
}

impl PairPlan {
    /// The players of `First` and `Second` in game 0 or 1.
    pub fn players(&self, game_idx: usize) -> [usize; 2] {
        let [a, b] = self.pairing;
        if game_idx == 0 { [a, b] } else { [b, a] }
    }

    /// The side of the pairing's player 0 or 1 in game 0 or 1.
    pub fn side(&self, game_idx: usize, player_idx: usize) -> Side {
        Side::BOTH[game_idx ^ player_idx]
    }
}

impl Schedule {
    /// # Errors
    /// Fewer than two players, no pairs or too many, or a shard index that is not below the number of shards.
    pub fn new(config: ScheduleConfig) -> Result<Schedule, TextError> {
        let ScheduleConfig { n_players, pairs, shard, .. } = config;
        let refused = |found: String, expected: &str, remedy: &str| {
            Err(TextError::new(found, expected, remedy).of_kind(TextErrorKind::InvalidValue))
        };
        if n_players < 2 {
            return refused(format!("{n_players} players"), "at least two", "name another player");
        }
        if let Format::Sweep { groups } = config.format
            && (groups == 0 || n_players % groups != 0 || n_players / groups < 2)
        {
            let found = format!("{n_players} players in {groups} groups");
            return refused(found, "groups of the same size, of two players or more", "name as many players for each");
        }
        if pairs == Some(0) {
            return refused("0 pairs".to_owned(), "expected at least one", "try 100");
        }
        if let Some(pairs) = pairs.filter(|&pairs| pairs > MOST_PAIRS) {
            return refused(format!("{pairs} pairs"), &format!("at most {MOST_PAIRS}"), "try 100");
        }
        if shard.index >= shard.of {
            let found = format!("part {} of {}", shard.index + 1, shard.of);
            return refused(found, "parts are counted from 1 to their number", "try 1/4");
        }
        Ok(Schedule { config })
    }

    /// Its configuration.
    pub fn config(&self) -> &ScheduleConfig {
        &self.config
    }

    /// Number of pairings.
    pub fn n_pairings(&self) -> u64 {
        let others = self.config.n_players as u64 - 1;
        match self.config.format {
            Format::RoundRobin => (others + 1) * others / 2,
            Format::Gauntlet => others,
            Format::Sweep { groups } => (self.config.n_players - groups) as u64,
        }
    }

    /// Pairs of games of the whole match, all shards together; `None` if it is open-ended.
    pub fn n_pairs(&self) -> Option<u64> {
        self.config.pairs.map(|pairs| pairs.saturating_mul(self.n_pairings()))
    }

    /// Pairs of games of this shard, in constant time per pairing; `None` if it is open-ended.
    pub fn n_pairs_of_shard(&self) -> Option<u64> {
        let Shard { index: mine, of } = self.config.shard;
        let rounds = self.config.pairs?;
        // Every `of`-th round of a pairing belongs to this shard, from the first one on one of its diagonals on.
        let share = |pairing: u64| rounds.saturating_sub((mine + of - pairing % of) % of).div_ceil(of);
        Some((0..self.n_pairings()).map(share).sum())
    }

    /// The indexes of this shard, in order.
    pub fn indexes(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let schedule = *self;
        (0..self.n_pairs().unwrap_or(u64::MAX)).filter(move |&index| schedule.is_in_shard(index))
    }

    /// The pairs of this shard that are not among those `done` already, in order.
    pub fn plans<'a>(&self, done: &'a HashSet<u64>) -> impl Iterator<Item = PairPlan> + Send + use<'a> {
        let schedule = *self;
        self.indexes().filter(|index| !done.contains(index)).map(move |index| schedule.plan(index))
    }

    fn is_in_shard(&self, index: u64) -> bool {
        self.shard_of(index, self.config.shard.of) == self.config.shard
    }

    /// The shard, one of `of`, to which the pair belongs. Shards are diagonals, so that each has its share of every pairing and of
    /// every round, and the table of a part resembles the whole.
    pub fn shard_of(&self, index: u64, of: u64) -> Shard {
        let (round, pairing) = (index / self.n_pairings(), index % self.n_pairings());
        Shard { index: (round % of + pairing % of) % of, of }
    }

    /// The pair with this index, whichever shard it belongs to.
    pub fn plan(&self, index: u64) -> PairPlan {
        let (round, pairing_idx) = (index / self.n_pairings(), index % self.n_pairings());
        let number = if matches!(self.config.format, Format::Sweep { .. }) { round } else { index };
        let seed = seed_of(seed_of(self.config.seed, GAMES), number);
        let game_seeds = [[0, 1], [2, 3]].map(|game| game.map(|n| seed_of(seed, n)));
        let round_seed = seed_of(seed_of(self.config.seed, ROUNDS), round);
        PairPlan { index, pairing: self.pairing(pairing_idx), round, round_seed, game_seeds }
    }

    /// The seed of the match's sequence of openings.
    pub fn openings_seed(&self) -> u64 {
        seed_of(self.config.seed, OPENINGS)
    }

    /// 0-1, 0-2, … 1-2, …: the gauntlet is the beginning of the round robin, and so is each group of a sweep.
    fn pairing(&self, pairing_idx: u64) -> [usize; 2] {
        let n = self.config.n_players;
        let mut rest = pairing_idx as usize;
        if let Format::Sweep { groups } = self.config.format {
            let size = n / groups;
            let first = rest / (size - 1) * size;
            return [first, first + 1 + rest % (size - 1)];
        }
        let mut a = 0;
        while rest >= n - 1 - a {
            rest -= n - 1 - a;
            a += 1;
        }
        [a, a + 1 + rest]
    }
}

/// Numbers of the streams of seeds, which keep them apart.
const GAMES: u64 = 1;
const ROUNDS: u64 = 2;
const OPENINGS: u64 = 3;

/// The `n`-th seed derived from `seed`, distinct for each `n`, as [`mix`] is a bijection. The added constant (the
/// golden ratio, as in splitmix64) avoids deriving 0 from 0.
pub(crate) fn seed_of(seed: u64, n: u64) -> u64 {
    mix(seed ^ mix(n.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}
