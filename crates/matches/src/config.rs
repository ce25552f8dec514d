//! The configuration of a match, and its file `match.toml`.

use banyan_arena::stats::{EloScale, Sprt};
use banyan_arena::{Format, Schedule, ScheduleConfig, Shard};
use banyan_catalog::view::VERSION;
use banyan_catalog::{Budget, Entry, ExternalEngine, GameTables, PlayerSpec, Players, did_you_mean};
use banyan_core::TextError;
use serde::{Deserialize, Serialize};

use crate::ablation_config::AblationConfig;
use crate::sweep_config::SweepConfig;
use crate::tune_config::TuneConfig;

/// The largest time margin: 30 days, as for budgets.
const MOST_MARGIN_MS: u64 = 30 * 24 * 3_600_000;

/// The configuration of a match, with all defaults resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// [`VERSION`](banyan_catalog::view::VERSION).
    pub v: u32,
    /// The game, or a range from which every round draws its board: `connect-four:9-12x9-12,holes=1`.
    pub game: String,
    /// The tournament format.
    pub format: MatchFormat,
    /// Pairs of games per pairing; with a sequential test the maximum.
    pub pairs: u64,
    /// Openings: `none`, `random:plies=6`, `balanced:plies=6`, `file:PATH`.
    pub openings: String,
    /// Digest of a file of openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_digest: Option<String>,
    /// Random seed.
    pub seed: u64,
    /// The clock that measures thinking time.
    pub clock: ClockKind,
    /// Milliseconds by which a player may exceed its budget without losing.
    pub margin_ms: u64,
    /// The part to play, `1/4`; the whole match if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The sequential test that ends the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtBounds>,
    /// The settings that a sweep varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepConfig>,
    /// The variants that an ablation compares with their player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ablation: Option<AblationConfig>,
    /// The settings that `banyan tune` tunes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<TuneConfig>,
    /// The choice of the pairs that `banyan rate` plays; all are played if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingTerms>,
    /// The players, in the order of their numbers.
    pub players: Vec<Entrant>,
    /// The program and machine that created it; never compared.
    #[serde(default)]
    pub made_by: MadeBy,
}

/// A player and its budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its unique name in this match.
    pub name: String,
    /// The player as text: `uct:c=0.5`.
    pub player: String,
    /// Its budget as text: `playouts=1000`.
    pub budget: String,
    /// The [`identity`](banyan_catalog::ExternalEngine::identity) of every engine in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<String>,
}

/// A test of `elo0` against `elo1`, in normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtBounds {
    /// The weaker hypothesis.
    pub elo0: f64,
    /// The stronger hypothesis.
    pub elo1: f64,
    /// Probability of accepting the stronger when the weaker is true.
    pub alpha: f64,
    /// Probability of accepting the weaker when the stronger is true.
    pub beta: f64,
}

/// The terms of a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingTerms {
    /// Pairs of games in all.
    pub pairs: u64,
    /// Likelihood of superiority at which the order of two neighbours is settled, above 0.5 and below 1.
    pub superiority: f64,
    /// Half-width in Elo to which the difference of neighbours is measured (95 %); their order is enough if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Name of the player whose rating is 0; the mean of all players if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
}

impl RatingTerms {
    /// Checks the terms of a rating of these players.
    ///
    /// # Errors
    /// Fewer than two players, too few pairs to compare all players, a likelihood of superiority that is not above 0.5 and below 1,
    /// an error that is not above 0, or an anchor that is not among the players.
    pub fn check(&self, players: &[Entrant]) -> Result<(), TextError> {
        let n_players = players.len();
        if n_players < 2 {
            let found = format!("a pool of {n_players} player{}", if n_players == 1 { "" } else { "s" });
            return Err(TextError::new(found, "expected at least two", "name another player"));
        }
        let least = n_players as u64 - 1;
        if self.pairs < least {
            let expected = format!("expected at least {least}, so that {n_players} players can be compared");
            let found = format!("{} pair{}", self.pairs, if self.pairs == 1 { "" } else { "s" });
            return Err(TextError::new(found, expected, format!("try --pairs {}", 100 * n_players)));
        }
        if !(self.superiority > 0.5 && self.superiority < 1.0) {
            let found = format!("a likelihood of superiority of {} %", 100.0 * self.superiority);
            return Err(TextError::new(found, "expected more than 50 % and less than 100 %", "try --los 97.5"));
        }
        if let Some(error) = self.error.filter(|error| !(error.is_finite() && *error > 0.0)) {
            let expected = "expected a number of Elo above 0";
            return Err(TextError::new(format!("an error of {error} Elo"), expected, "try --error 30"));
        }
        let names = || players.iter().map(|player| player.name.as_str());
        if let Some(anchor) = self.anchor.as_deref().filter(|anchor| names().all(|name| name != *anchor)) {
            let expected =
                format!("expected one of {}{}", names().collect::<Vec<_>>().join(", "), did_you_mean(anchor, names()));
            return Err(TextError::new(format!("anchor {anchor:?}"), expected, "name a player of the pool"));
        }
        Ok(())
    }
}

/// The tournament format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchFormat {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
    /// The first player meets every other, with the same seeds in all pairs of a round.
    Sweep,
    /// The players of each budget are a sweep.
    Ablation,
}

/// The clock that measures thinking time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// Wall time.
    #[default]
    Wall,
    /// CPU time of the player's thread.
    Cpu,
}

/// The program and machine that played. For readers of results; not part of the identity of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBy {
    /// Version of Banyan.
    #[serde(default)]
    pub version: String,
    /// System and processor: `linux x86_64`.
    #[serde(default)]
    pub system: String,
    /// Available processor cores.
    #[serde(default)]
    pub cores: usize,
    /// The file that defines the external engines, so that the match is resumed without naming it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engines_file: Option<String>,
}

impl MatchConfig {
    /// A match of these players on this machine, each against each: 100 pairs, seed 1, wall time with a margin of 100 ms.
    pub fn of(game: impl Into<String>, openings: impl Into<String>, players: Vec<Entrant>) -> MatchConfig {
        MatchConfig {
            v: VERSION,
            game: game.into(),
            format: MatchFormat::RoundRobin,
            pairs: 100,
            openings: openings.into(),
            openings_digest: None,
            seed: 1,
            clock: ClockKind::Wall,
            margin_ms: 100,
            shard: None,
            sprt: None,
            sweep: None,
            ablation: None,
            tune: None,
            rating: None,
            players,
            made_by: MadeBy::here(),
        }
    }

    /// The text of a `match.toml`.
    pub fn write(&self) -> String {
        toml::to_string(self).expect("a configuration holds only types that TOML supports")
    }

    /// Parses the output of [`write`](MatchConfig::write).
    ///
    /// # Errors
    /// An invalid configuration, or one of a later version.
    pub fn read(text: &str) -> Result<MatchConfig, TextError> {
        let remedy = "use a folder written by `banyan match`";
        let config: MatchConfig = toml::from_str(text).map_err(|err| {
            let why = err.message().lines().next().unwrap_or_default().to_owned();
            TextError::new("match.toml", format!("expected a match configuration: {why}"), remedy)
        })?;
        if config.v != VERSION {
            let found = format!("match.toml of version {}", config.v);
            return Err(TextError::new(found, format!("expected version {VERSION}"), remedy));
        }
        Ok(config)
    }

    /// Checks all values except those that depend on the available players; they may come from a command line, a request or a
    /// `match.toml`.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), TextError> {
        self.schedule()?;
        self.test()?;
        if self.margin_ms > MOST_MARGIN_MS {
            let found = format!("a margin of {} ms", self.margin_ms);
            return Err(TextError::new(found, "expected at most 30 days", "try --margin 100ms"));
        }
        if let Some(sweep) = &self.sweep {
            if self.format != MatchFormat::Sweep {
                return Err(TextError::new("a sweep of another format", "expected format = \"sweep\"", "correct it"));
            }
            sweep.check(self.players.len())?;
        }
        if self.ablation.is_some() != (self.format == MatchFormat::Ablation) {
            let expected = "expected format = \"ablation\" with [ablation], and only there";
            return Err(TextError::new("an ablation of another format", expected, "correct it"));
        }
        if let Some(ablation) = &self.ablation {
            ablation.check(self.players.len())?;
        }
        if let Some(tune) = &self.tune {
            tune.check(self.pairs)?;
        }
        if let Some(rating) = &self.rating {
            rating.check(&self.players)?;
        }
        Ok(())
    }

    /// The schedule of all games.
    ///
    /// # Errors
    /// Too few players or pairs, an invalid shard, or a seed too large for TOML.
    pub fn schedule(&self) -> Result<Schedule, TextError> {
        if i64::try_from(self.seed).is_err() {
            return Err(TextError::new(format!("seed {}", self.seed), "expected less than 2^63", "try 1"));
        }
        let format = match self.format {
            MatchFormat::RoundRobin => Format::RoundRobin,
            MatchFormat::Gauntlet => Format::Gauntlet,
            MatchFormat::Sweep => Format::Sweep { groups: 1 },
            MatchFormat::Ablation => {
                Format::Sweep { groups: self.ablation.as_ref().map_or(1, |ablation| ablation.budgets.len()) }
            }
        };
        let shard = self.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse)?;
        let n_players = self.players.len();
        Schedule::new(ScheduleConfig { n_players, format, pairs: Some(self.pairs), seed: self.seed, shard })
    }

    /// The sequential test, if there is one.
    ///
    /// # Errors
    /// Invalid bounds, a number of players other than two, or a shard.
    pub fn test(&self) -> Result<Option<Sprt>, TextError> {
        let Some(SprtBounds { elo0, elo1, alpha, beta }) = self.sprt else { return Ok(None) };
        if self.players.len() != 2 {
            let found = format!("a sequential test of {} players", self.players.len());
            return Err(TextError::new(found, "expected two", "use two players, or --pairs"));
        }
        if self.shard.is_some() {
            let expected = "expected all pairs in order for a sequential test";
            return Err(TextError::new("--sprt with --shard", expected, "use --pairs instead"));
        }
        Sprt::new(EloScale::Normalized, elo0, elo1, alpha, beta).map(Some)
    }

    /// Whether the same seed gives the same games: no budget has a time or a clock, and no player is an external engine.
    pub fn is_repeatable(&self) -> bool {
        let timeless = |(_, budget): (PlayerSpec, Budget)| budget.time.is_none() && budget.game.is_none();
        self.players.iter().all(|entrant| entrant.parse(&Players::presets()).is_ok_and(timeless))
    }

    /// Checks that `other` is the same match. Shard, number of pairs, version and machine may differ.
    ///
    /// # Errors
    /// The first difference; `found` is the value of `other`.
    pub fn check_same(&self, other: &MatchConfig) -> Result<(), TextError> {
        let sprt = |config: &MatchConfig| {
            config.sprt.map_or("none".into(), |s| format!("{},{} at {}, {}", s.elo0, s.elo1, s.alpha, s.beta))
        };
        let rating = |config: &MatchConfig| {
            config.rating.as_ref().map_or("none".into(), |RatingTerms { pairs, superiority, error, anchor }| {
                let anchor = anchor.as_deref().unwrap_or("the mean");
                let error = error.map_or("any".into(), |error| error.to_string());
                format!("of {pairs} pairs, LOS {superiority}, error {error}, anchor {anchor}")
            })
        };
        let players = |config: &MatchConfig| {
            let list = config.players.iter().map(|Entrant { player, budget, engines, .. }| match engines.as_slice() {
                [] => format!("{player}@{budget}"),
                engines => format!("{player}@{budget} ({})", engines.join("; ")),
            });
            list.collect::<Vec<_>>().join(" ")
        };
        let sweep = |config: &MatchConfig| config.sweep.as_ref().map_or("none".into(), SweepConfig::to_string);
        let ablation = |config: &MatchConfig| config.ablation.as_ref().map_or("none".into(), AblationConfig::to_string);
        let tune = |config: &MatchConfig| config.tune.as_ref().map_or("none".into(), TuneConfig::to_string);
        // The step of SPSA depends on the number of pairs.
        let tuned_pairs =
            |config: &MatchConfig| config.tune.as_ref().map_or(String::new(), |_| config.pairs.to_string());
        // A file may have moved; only its contents count.
        let openings = |config: &MatchConfig| config.openings_digest.clone().unwrap_or(config.openings.clone());
        let rows = [
            ("game", self.game.clone(), other.game.clone()),
            ("sweep", sweep(self), sweep(other)),
            ("ablation", ablation(self), ablation(other)),
            ("tune", tune(self), tune(other)),
            ("pairs", tuned_pairs(self), tuned_pairs(other)),
            ("players", players(self), players(other)),
            ("format", format!("{:?}", self.format), format!("{:?}", other.format)),
            ("openings", openings(self), openings(other)),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            ("sprt", sprt(self), sprt(other)),
            ("rating", rating(self), rating(other)),
            ("clock", format!("{:?}", self.clock).to_lowercase(), format!("{:?}", other.clock).to_lowercase()),
            ("margin", format!("{}ms", self.margin_ms), format!("{}ms", other.margin_ms)),
        ];
        match rows.into_iter().find(|(_, mine, others)| mine != others) {
            None => Ok(()),
            Some((what, mine, others)) => {
                let found = format!("a different match: {what} {others}");
                Err(TextError::new(
                    found,
                    format!("expected {what} {mine}"),
                    "use a new folder: --out instead of --resume",
                ))
            }
        }
    }
}

impl Entrant {
    /// Parses players such as `uct:c=0.5` or `uct@playouts=500`; those without a budget get the `common` one. Duplicate
    /// names are numbered.
    ///
    /// # Errors
    /// An invalid player or budget, a budget that does not end the player's search, or one with a limit that the player does not have;
    /// of the common one, a limit that none of its players has.
    pub fn list(known: &Players, texts: &[impl AsRef<str>], common: &Budget) -> Result<Vec<Entrant>, TextError> {
        let mut entrants: Vec<Entrant> = Vec::new();
        let mut sharing = Vec::new();
        for text in texts {
            let (asked, _) = Entry::split(text.as_ref());
            let Entry { player, budget: own } = Entry::parse(text.as_ref(), known)?;
            let budget = player.own_budget(&own.unwrap_or(*common));
            player.check(&budget)?;
            match own {
                Some(_) => player.refuse_unused(&budget)?,
                None => sharing.push(player.clone()),
            }
            let name = name_of(asked, &player);
            let name = if own.is_some() { format!("{name}@{budget}") } else { name };
            let names = (1..).map(|n| if n == 1 { name.clone() } else { format!("{name} ({n})") });
            let mut free = names.filter(|name| entrants.iter().all(|entrant| entrant.name != *name));
            let name = free.next().expect("the numbers are unbounded");
            let engines = identities(&player);
            entrants.push(Entrant { name, player: player.to_string(), budget: budget.to_string(), engines });
        }
        PlayerSpec::refuse_unused_by_all(&sharing, common)?;
        Ok(entrants)
    }

    /// The entrant with `best` replaced by the player that it stands for in a game with these tables, so that a match that is resumed
    /// later continues with it.
    ///
    /// # Errors
    /// Settings that this player does not take.
    pub fn in_game(self, known: &Players, tables: &GameTables) -> Result<Entrant, TextError> {
        let player = known.player(&self.player)?.in_game(tables)?;
        let budget = player.own_budget(&self.budget.parse()?).to_string();
        Ok(Entrant { player: player.to_string(), budget, ..self })
    }

    /// Parses the player and its budget.
    ///
    /// # Errors
    /// An invalid text, or an engine whose definition has changed since the match started.
    pub fn parse(&self, known: &Players) -> Result<(PlayerSpec, Budget), TextError> {
        let (player, budget): (PlayerSpec, Budget) = (known.player(&self.player)?, self.budget.parse()?);
        player.check(&budget)?;
        let engines = identities(&player);
        if engines != self.engines {
            let found = format!("a different engine {}", self.name);
            let (now, then) = (engines.join("; "), self.engines.join("; "));
            let expected = format!("expected {then}, with which the match started, but found {now}");
            return Err(TextError::new(found, expected, "restore engines.toml, or use a new folder with --out"));
        }
        Ok((player, budget))
    }
}

/// The player as it was given: a match between settings also names those that equal a default.
fn name_of(asked: &str, player: &PlayerSpec) -> String {
    let is_plain = asked.chars().all(|c| !c.is_control() && !c.is_whitespace());
    match is_plain && asked.contains(':') && player.engines().is_empty() {
        true => asked.trim_end_matches(':').to_owned(),
        false => player.to_string(),
    }
}

fn identities(player: &PlayerSpec) -> Vec<String> {
    player.engines().into_iter().map(ExternalEngine::identity).collect()
}

impl MadeBy {
    /// This program on this machine.
    pub fn here() -> MadeBy {
        MadeBy {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cores: std::thread::available_parallelism().map_or(0, Into::into),
            engines_file: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_config::{Quantity, Varied};
    use crate::tune_config::{TuneMethod, TunedSetting};

    fn config() -> MatchConfig {
        MatchConfig {
            v: VERSION,
            game: "connect-four".into(),
            format: MatchFormat::RoundRobin,
            pairs: 10,
            openings: "balanced:plies=6".into(),
            openings_digest: None,
            seed: 1,
            clock: ClockKind::Cpu,
            margin_ms: 100,
            shard: Some("2/3".into()),
            sprt: None,
            sweep: None,
            ablation: None,
            tune: None,
            rating: None,
            players: Entrant::list(
                &Players::presets(),
                &["uct", "uct", "uct:c=0.5@1s"],
                &"playouts=9".parse().expect("a budget"),
            )
            .expect("players"),
            made_by: MadeBy::here(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let sprt = Some(SprtBounds { elo0: -2.5, elo1: 10.0, alpha: 0.05, beta: 0.05 });
        for config in [config(), MatchConfig { sprt, shard: None, ..config() }] {
            assert_eq!(MatchConfig::read(&config.write()), Ok(config));
        }
        let err = MatchConfig::read("v = 1\ngame = 7").expect_err("no configuration").to_string();
        assert!(err.starts_with("match.toml: expected") && !err.contains('\n'), "{err}");
        assert!(MatchConfig::read(&config().write().replace("v = 1", "v = 2")).is_err());
    }

    #[test]
    fn equal_players_are_told_apart() {
        let names: Vec<String> = config().players.into_iter().map(|entrant| entrant.name).collect();
        assert_eq!(names, ["uct", "uct (2)", "uct:c=0.5@1s"]);
    }

    #[test]
    fn players_are_named_as_they_were_asked_for() {
        let texts = ["uct", "uct:c=0.3", "uct:c=0.5,fpu=1", "uct:", "uct:c=0.3@1s", "vote:uct+mcgs"];
        let names = Entrant::list(&Players::presets(), &texts, &"playouts=9".parse().expect("a budget"));
        let names: Vec<String> = names.expect("players").into_iter().map(|entrant| entrant.name).collect();
        assert_eq!(names, ["uct", "uct:c=0.3", "uct:c=0.5,fpu=1", "uct (2)", "uct:c=0.3@1s", "vote:uct+mcgs"]);
    }

    #[test]
    fn parts_and_lengths_of_a_match_are_the_same_match() {
        let (one, made_by) = (config(), MadeBy::default());
        assert_eq!(one.check_same(&MatchConfig { pairs: 99, shard: None, made_by, ..config() }), Ok(()));
        assert_eq!(config().schedule().map(|schedule| schedule.config().shard), Ok(Shard { index: 1, of: 3 }));
    }

    #[test]
    fn every_difference_in_who_plays_what_is_named() {
        let players = Entrant::list(
            &Players::presets(),
            &["uct", "uct", "uct:c=0.5"],
            &Budget::time(std::time::Duration::from_secs(1)),
        );
        let sprt = Some(SprtBounds { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 });
        for (other, part) in [
            (MatchConfig { game: "reversi".into(), ..config() }, "game reversi: expected game connect-four"),
            (MatchConfig { players: players.expect("players"), ..config() }, "players uct@1s uct@1s"),
            (MatchConfig { format: MatchFormat::Gauntlet, ..config() }, "format Gauntlet"),
            (MatchConfig { openings: "none".into(), ..config() }, "openings none"),
            (MatchConfig { openings_digest: Some("12".into()), ..config() }, "openings 12"),
            (MatchConfig { seed: 2, ..config() }, "seed 2"),
            (MatchConfig { clock: ClockKind::Wall, ..config() }, "clock wall"),
            (MatchConfig { margin_ms: 0, ..config() }, "margin 0ms"),
            (MatchConfig { sprt, ..config() }, "sprt 0,10"),
        ] {
            let err = config().check_same(&other).expect_err(part).to_string();
            assert!(err.contains(part), "{err}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for shard in ["0/2", "3/2", "1", "a/b", "1/2/3", ""] {
            let err = MatchConfig { shard: Some(shard.into()), ..config() }.schedule().expect_err(shard).to_string();
            assert!(err.contains("try 1/4"), "{err}");
        }
        assert!(MatchConfig { seed: u64::MAX, ..config() }.schedule().is_err());
        let sprt = Some(SprtBounds { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 });
        assert!(MatchConfig { sprt, shard: None, ..config() }.test().expect_err("three").to_string().contains("two"));
        for player in ["utc", "uct@", "uct@soon", "uct@depth=3"] {
            assert!(Entrant::list(&Players::presets(), &[player], &Budget::default()).is_err(), "{player}");
        }
    }

    #[test]
    fn every_value_of_a_file_is_checked() {
        let players = |n: usize| {
            let texts: Vec<String> = (0..n).map(|i| format!("uct:c=0.{i}1")).collect();
            Entrant::list(&Players::presets(), &texts, &"playouts=9".parse().expect("a budget")).expect("players")
        };
        let base = || MatchConfig { shard: None, pairs: 100, players: players(4), ..config() };
        let swept = |values: &[f64]| Varied {
            name: "c".into(),
            log: false,
            whole: false,
            values: values.to_vec(),
            default: None,
        };
        let sweep = |vary: Vec<Varied>| {
            let sweep = Some(SweepConfig { quantity: Quantity::Score, refine: false, vary });
            MatchConfig { format: MatchFormat::Sweep, sweep, ..base() }
        };
        let tuned = |low: f64, high: f64, log: bool| TunedSetting {
            name: "c".into(),
            log,
            whole: false,
            low,
            high,
            default: None,
        };
        let tune = |vary: Vec<TunedSetting>| {
            let tune = Some(TuneConfig { method: TuneMethod::Clop, base: "uct".into(), confirm: 0, vary });
            MatchConfig { format: MatchFormat::Gauntlet, tune, ..base() }
        };
        let rating = |superiority: f64, error: Option<f64>, anchor: Option<&str>| {
            let rating = Some(RatingTerms { pairs: 100, superiority, error, anchor: anchor.map(str::to_owned) });
            MatchConfig { rating, ..base() }
        };
        let good = swept(&[0.1, 0.2, 0.3]);
        for config in [
            base(),
            sweep(vec![good.clone()]),
            tune(vec![tuned(0.1, 2.0, true)]),
            rating(0.975, Some(30.0), Some("uct:c=0.11")),
        ] {
            assert_eq!(config.check(), Ok(()));
            // Values read from text.
            assert_eq!(MatchConfig::read(&config.write()).expect("a configuration").check(), Ok(()));
        }
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (config, part) in [
            (MatchConfig { margin_ms: u64::MAX, ..base() }, "30 days"),
            (MatchConfig { pairs: 0, ..base() }, "pairs"),
            (MatchConfig { players: Vec::new(), ..base() }, "players"),
            (sweep(Vec::new()), "sweep of no setting"),
            (sweep(vec![good.clone(), good.clone()]), "expected one setting, or two different ones"),
            (sweep(vec![swept(&[])]), "rising numbers"),
            (sweep(vec![swept(&[0.1, 0.1, 0.1])]), "rising numbers"),
            (sweep(vec![swept(&[0.3, 0.2, 0.1])]), "rising numbers"),
            (sweep(vec![swept(&[0.1, nan, 0.3])]), "rising numbers"),
            (sweep(vec![swept(&[0.1, 0.2, inf])]), "rising numbers"),
            (sweep(vec![swept(&[0.1, 0.2])]), "2 values of 3 players"),
            (sweep(vec![Varied { log: true, ..swept(&[0.0, 0.2, 0.3]) }]), "above 0"),
            (sweep(vec![Varied { default: Some(nan), ..good.clone() }]), "default"),
            (sweep(vec![Varied { whole: true, ..good }]), "whole numbers"),
            (tune(Vec::new()), "tuning of no setting"),
            (tune(vec![tuned(2.0, 1.0, false)]), "c=2..1"),
            (tune(vec![tuned(1.0, 1.0, false)]), "c=1..1"),
            (tune(vec![tuned(nan, 1.0, false)]), "c=NaN..1"),
            (tune(vec![tuned(0.0, inf, false)]), "c=0..inf"),
            (tune(vec![tuned(-1.0, 1.0, true)]), "above 0"),
            (tune(vec![tuned(0.0, 1.0, false), tuned(0.0, 1.0, false)]), "different settings"),
            (MatchConfig { pairs: 10, ..tune(vec![tuned(0.0, 1.0, false)]) }, "10 pairs"),
            (rating(-1.0, None, None), "-100 %"),
            (rating(nan, None, None), "superiority"),
            (rating(0.9, Some(nan), None), "Elo above 0"),
            (rating(0.9, None, Some("nobody")), "anchor"),
            (
                MatchConfig {
                    sprt: Some(SprtBounds { elo0: nan, elo1: 1.0, alpha: 0.05, beta: 0.05 }),
                    players: players(2),
                    ..base()
                },
                "NaN",
            ),
        ] {
            let err = config.check().expect_err(part).to_string();
            assert!(err.contains(part) && !err.contains('\n'), "{part}: {err}");
        }
    }

    #[test]
    fn only_matches_without_a_clock_are_repeatable() {
        assert!(!config().is_repeatable());
        let players =
            Entrant::list(&Players::presets(), &["uct", "random@depth=3"], &"nodes=9".parse().expect("a budget"));
        assert!(MatchConfig { players: players.expect("players"), ..config() }.is_repeatable());
    }
}
