//! Players as text: a preset and what is set differently, `uct:c=0.8`, or several that vote, `vote:uct:c=0.8+pvs`. Read
//! once, built for any game.

mod game_preset;
mod known;

use std::fmt;
use std::sync::Arc;

use banyan_core::TextError;
use banyan_search::{ALPHA_BETA_TUNABLES, Algorithm, AlphaBetaConfig, Config, TUNABLES, Tunable};

use crate::budget::Budget;
use crate::external_engine::ExternalEngine;

pub use game_preset::GamePreset;
pub use known::{EngineFinder, Players};

/// A player to ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Everything that can be set on it; empty if nothing can.
    pub settings: &'static [Tunable],
    /// Whether games have a [preset](GamePreset) of this name, as far as nothing else is set.
    pub suits_its_game: bool,
    kind: fn() -> Kind,
}

/// Every player there is. All but `vote`, which needs members, are complete with their name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: BEST,
        summary: "the player that won the recorded matches of its game; the default. It takes that player's settings: best:threads=2",
        settings: &[],
        suits_its_game: false,
        kind: || Kind::Best(Vec::new()),
    },
    Preset {
        name: "random",
        summary: "any legal move, all alike",
        settings: &[],
        suits_its_game: false,
        kind: || Kind::Random,
    },
    Preset {
        name: "greedy",
        summary: "one ply ahead: takes a win, blocks one, else the most points at once",
        settings: &[],
        suits_its_game: false,
        kind: || Kind::Greedy,
    },
    Preset {
        name: "uct",
        summary: "plain UCT (Kocsis and Szepesvari 2006): a tree, uniform playouts, no proofs, no knowledge of the game",
        settings: TUNABLES,
        suits_its_game: false,
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "graph",
        summary: "Monte Carlo graph search with proofs, with the same settings in every game",
        settings: TUNABLES,
        suits_its_game: false,
        kind: || Kind::Search(Box::default()),
    },
    Preset {
        name: "mcgs",
        summary: "graph, with settings tuned for the game",
        settings: TUNABLES,
        suits_its_game: true,
        kind: || Kind::Search(Box::default()),
    },
    Preset {
        name: "negamax",
        summary: "alpha-beta with one window for all moves (Knuth and Moore 1975)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Negamax)),
    },
    Preset {
        name: "pvs",
        summary: "principal variation search: alpha-beta with null windows after the first move (Reinefeld 1983)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Pvs)),
    },
    Preset {
        name: "mtdf",
        summary: "MTD(f): alpha-beta with null windows only (Plaat et al. 1996)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Mtdf)),
    },
    Preset {
        name: VOTE,
        summary: "the move that most of several players choose, each with an equal share of the budget: vote:uct:c=0.8+mcgs+pvs",
        settings: &[],
        suits_its_game: false,
        kind: || Kind::Vote(Vec::new()),
    },
];

/// The player of every command and protocol where none is named.
pub const DEFAULT_PLAYER: &str = BEST;

/// The name of the player that is another one in each game.
const BEST: &str = "best";

/// The name of the player that is made of others.
const VOTE: &str = "vote";

/// A player that has been named but does not know its game yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// That of its preset; empty for an engine.
    name: &'static str,
    kind: Kind,
    /// What was set on purpose, in the order of the table; only where that matters, see [`Preset::suits_its_game`].
    given: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Random,
    Greedy,
    Search(Box<Config>),
    AlphaBeta(AlphaBetaConfig),
    Vote(Vec<PlayerSpec>),
    /// Whoever is best in the game, with these settings: name and value.
    Best(Vec<(String, String)>),
    ExternalEngine(Arc<dyn ExternalEngine>),
}

/// Engines are told apart by their names.
impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Random, Kind::Random) | (Kind::Greedy, Kind::Greedy) => true,
            (Kind::Search(one), Kind::Search(other)) => one == other,
            (Kind::AlphaBeta(one), Kind::AlphaBeta(other)) => one == other,
            (Kind::Vote(one), Kind::Vote(other)) => one == other,
            (Kind::Best(one), Kind::Best(other)) => one == other,
            (Kind::ExternalEngine(one), Kind::ExternalEngine(other)) => one.name() == other.name(),
            _ => false,
        }
    }
}

impl Kind {
    /// Sets a row of the preset's table.
    fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        match self {
            Kind::Search(config) => config.set(name, value),
            Kind::AlphaBeta(config) => config.set(name, value),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::ExternalEngine(_) => {
                unreachable!("their tables have no rows")
            }
        }
    }

    /// What a row of the preset's table is set to.
    fn get(&self, name: &str) -> String {
        let value = match self {
            Kind::Search(config) => config.get(name),
            Kind::AlphaBeta(config) => config.get(name),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::ExternalEngine(_) => None,
        };
        value.expect("every row of the table has a value")
    }

    /// Whether all settings go together.
    fn check(&self) -> Result<(), TextError> {
        match self {
            Kind::Search(config) => config.check(),
            Kind::AlphaBeta(config) => config.check(),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::ExternalEngine(_) => Ok(()),
        }
    }
}

impl Default for PlayerSpec {
    /// [`DEFAULT_PLAYER`].
    fn default() -> PlayerSpec {
        PlayerSpec { name: DEFAULT_PLAYER, kind: Kind::Best(Vec::new()), given: Vec::new() }
    }
}

impl PlayerSpec {
    /// Whether it keeps what it searched, to be looked into afterwards.
    pub fn keeps_its_search(&self) -> bool {
        matches!(self.kind, Kind::Search(_))
    }

    /// The engines it is made of, none for most.
    pub fn engines(&self) -> Vec<&dyn ExternalEngine> {
        match &self.kind {
            Kind::Random | Kind::Greedy | Kind::Search(_) | Kind::AlphaBeta(_) | Kind::Best(_) => Vec::new(),
            Kind::Vote(members) => members.iter().flat_map(PlayerSpec::engines).collect(),
            Kind::ExternalEngine(engine) => vec![&**engine],
        }
    }

    /// Threads of this program that it searches on at most.
    pub fn threads(&self) -> u32 {
        match &self.kind {
            Kind::Random | Kind::Greedy | Kind::ExternalEngine(_) => 1,
            Kind::Search(config) => config.threads,
            Kind::AlphaBeta(config) => config.threads,
            Kind::Best(settings) => {
                let threads = settings.iter().find(|(name, _)| name == "threads");
                threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
            }
            Kind::Vote(members) => members.iter().map(PlayerSpec::threads).max().unwrap_or(1),
        }
    }

    /// Whether `budget` ends this player's search.
    ///
    /// # Errors
    /// It would search for ever, or the budget asks for something this player does not do.
    pub fn check(&self, budget: &Budget) -> Result<(), TextError> {
        let is_unlimited = |budget: &Budget| *budget == Budget::default();
        let endless = match &self.kind {
            // An engine that goes on too long is late.
            Kind::Random | Kind::Greedy | Kind::ExternalEngine(_) => false,
            Kind::Search(_) | Kind::Best(_) => is_unlimited(&Budget { depth: None, ..*budget }),
            Kind::AlphaBeta(config) => config.depth.is_none() && is_unlimited(budget),
            Kind::Vote(members) => return members.iter().try_for_each(|member| member.check(budget)),
        };
        if endless {
            let found = if is_unlimited(budget) { "an empty budget".to_owned() } else { format!("budget {budget}") };
            let expected = format!("{self} has no depth of its own and would never stop");
            return Err(TextError::new(found, expected, "add a time or a number of playouts"));
        }
        Ok(())
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// An error about this player.
    pub(crate) fn named(&self, err: TextError) -> TextError {
        TextError { found: format!("player {self}: {}", err.found), ..err }
    }

    /// Engines have none.
    fn preset(&self) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == self.name)
    }
}

impl fmt::Display for PlayerSpec {
    /// The preset and what differs from it, or was set on purpose where that matters, in the order of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preset = match (&self.kind, self.preset()) {
            (Kind::ExternalEngine(engine), _) => return f.write_str(engine.name()),
            (_, preset) => preset.expect("all but engines are named by a preset"),
        };
        f.write_str(self.name)?;
        let usual = (preset.kind)();
        let parts: Vec<String> = match &self.kind {
            Kind::Vote(members) => members.iter().map(PlayerSpec::to_string).collect(),
            Kind::Best(settings) => settings.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            kind => {
                let told = |row: &&Tunable| self.given.contains(&row.name) || kind.get(row.name) != usual.get(row.name);
                preset.settings.iter().filter(told).map(|row| format!("{}={}", row.name, kind.get(row.name))).collect()
            }
        };
        let joint = if self.name == VOTE { "+" } else { "," };
        if parts.is_empty() { Ok(()) } else { write!(f, ":{}", parts.join(joint)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for (text, printed) in [
            ("random", "random"),
            ("greedy", "greedy"),
            ("uct", "uct"),
            ("uct:", "uct"),
            ("uct:reward=margin,c=0.25", "uct:c=0.25,reward=margin"),
            ("uct:structure=graph,proof=off", "uct:structure=graph"),
            ("mcgs:proof=bounds", "mcgs:proof=bounds"),
            ("graph:proof=bounds", "graph"),
            ("best", "best"),
            ("best:threads=2,c=1", "best:threads=2,c=1"),
            ("vote:best:threads=2+uct", "vote:best:threads=2+uct"),
            ("uct:proof=off,forced=expansion", "uct:forced=expansion"),
            ("mcgs:schedule=0:0.5/1:0.25,fpu=0.1,proof=off", "mcgs:schedule=0:0.5/1:0.25,fpu=0.1,proof=off"),
            ("negamax:table-mib=off", "negamax:table-mib=off"),
            ("pvs:eval=margin,depth=6,table-mib=256", "pvs:depth=6,eval=margin"),
            ("mtdf:depth=off", "mtdf"),
            ("vote:uct:c=0.8+mcgs+pvs:depth=6", "vote:uct:c=0.8+mcgs+pvs:depth=6"),
            ("uct:forced=never", "uct"),
            ("uct:forced=expansion", "uct:forced=expansion"),
            ("vote:uct:reward=win+margin+uct+pvs", "vote:uct:reward=win+margin+uct+pvs"),
            ("mcgs:threat-rules=win+save,c=1", "mcgs:c=1,threat-rules=win+save"),
            (
                "vote:uct:threat-rules=win+block,c=1+mcgs:threat-rules=none+pvs",
                "vote:uct:c=1,threat-rules=win+block+mcgs:threat-rules=none+pvs",
            ),
            ("vote:uct:expand-at=3,c=0.25+random+random", "vote:uct:c=0.25,expand-at=3+random+random"),
        ] {
            let player: PlayerSpec = text.parse().unwrap_or_else(|err| panic!("{text}: {err}"));
            assert_eq!(player.to_string(), printed);
            assert_eq!(printed.parse::<PlayerSpec>(), Ok(player));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("utc", "did you mean uct?"),
            ("human", "only in `banyan play`"),
            ("random:c=1", "nothing to set"),
            ("uct:c", "name=value"),
            ("uct:c=-1", "c=-1: expected 0 .. 1000"),
            ("uct:c=nan", "c=nan"),
            ("uct:c=1,expand-at=3,c=2", "c=2: one value of c"),
            ("uct:rewrad=win", "did you mean reward?"),
            ("mcgs:memory-mib=0", "memory-mib=0: expected 1 .. 65536"),
            ("mcgs:threat-rules=Win!", "threat-rules=Win!: expected all, none, win+block"),
            ("best:d=1", "unknown parameter \"d\""),
            ("best:c=-1", "c=-1: expected 0 .. 1000"),
            ("best:after=1", "write expand-at=1"),
            ("uct+forced", "write uct:forced=expansion"),
            ("uct+forced:c=0.8", "write uct:forced=expansion,c=0.8"),
            (
                "vote:pvs+uct+forced",
                "member 2: player \"uct+forced\": expected uct:forced=expansion, as it is called now",
            ),
            ("uct:after=3", "after=3: expected expand-at=3, as it is called now; write expand-at=3"),
            ("mcgs:policy=even", "write priors=uniform"),
            ("pvs:table=off", "write table-mib=off"),
            ("pvs:order=learned", "write order=history"),
            ("uct:final=well", "expected another value of final, for this one was removed; leave final out"),
            ("vote:uct+force+mcgs", "member 2: unknown player \"force\""),
            ("mcgs:batch=65", "batch=65: expected 1 .. 64"),
            ("mcgs:schedule=0:1/0.5:2", "the whole game from phase 0 to 1, not 0 to 0.5"),
            ("mcgs:node-init=children", "add expand=all"),
            ("", "unknown player"),
            ("pvs:depth=0", "depth=0: expected off, 1 .. 1000"),
            ("mtdf:dept=3", "did you mean depth?"),
            ("negamax:c=1", "unknown parameter \"c\": expected one of depth, eval"),
            ("pvs:depth", "expected name=value; try for instance depth=off"),
            ("vote", "nobody votes: expected two players or more"),
            ("vote:", "nobody votes"),
            ("vote:uct:c=1", "only \"uct:c=1\" votes"),
            ("vote:uct+mcsg", "member 2: unknown player \"mcsg\""),
            ("vote:uct+", "member 2: unknown player \"\""),
            ("vote:uct+pvs:depth=0+mcgs", "member 2: player \"pvs:depth=0\": depth=0: expected off"),
            ("vote:uct+human", "member 2: player \"human\": a person"),
            ("vote:uct+vote:mcgs+pvs", "member 2: \"vote:mcgs\": expected a player that is no vote"),
        ] {
            let err = text.parse::<PlayerSpec>().expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n') && !err.ends_with('.'), "{text}: {err}");
        }
    }

    #[test]
    fn what_never_ends_is_refused_and_nothing_else() {
        let (depth, nodes) = ("depth=8", "nodes=5");
        for (player, budget, ends) in [
            ("random", depth, true),
            ("uct", depth, false),
            ("uct", nodes, true),
            ("pvs", depth, true),
            ("mtdf", nodes, true),
            ("vote:pvs+negamax", depth, true),
            ("vote:pvs+mcgs:c=1", depth, false),
            ("vote:pvs+mcgs:c=1", nodes, true),
        ] {
            let spec: PlayerSpec = player.parse().expect(player);
            let checked = spec.check(&budget.parse().expect(budget));
            assert_eq!(checked.is_ok(), ends, "{player} with {budget}: {checked:?}");
        }
        let endless = |player: &str| player.parse::<PlayerSpec>().expect(player).check(&Budget::default()).is_err();
        assert!(endless("pvs") && endless("vote:random+pvs") && !endless("pvs:depth=3") && !endless("greedy"));
    }
}
