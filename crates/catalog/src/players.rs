//! Players as text: a preset with settings, `uct:c=0.8`, or several that vote, `vote:uct:c=0.8+pvs`. Parsed once, built for
//! any game.

mod caps;
mod entry;
mod eval_setting;
mod game_preset;
mod handicap;
mod handicapped;
mod in_game;
mod known;
mod level;
mod presets;
mod tables;
mod without;

use std::fmt;
use std::sync::Arc;

use banyan_core::TextError;
use banyan_search::{AlphaBetaConfig, Config, Opening, SolverConfig, Tunable, printed_rows};

use crate::book::BookSetting;
use crate::budget::Budget;
use crate::external_engine::{EngineLog, ExternalEngine};
use crate::kept_engine::KeptEngines;
use crate::logged_engine::LoggedEngine;

pub use caps::PlayerCaps;
pub use entry::Entry;
pub use eval_setting::{EvalSetting, UNLEARNED};
pub use game_preset::GamePreset;
pub use handicap::HANDICAPS;
pub(crate) use handicap::Handicap;
pub(crate) use handicapped::Handicapped;
pub use known::{EngineFinder, Players};
pub use level::{LEVELS, Level};
pub use presets::{PRESETS, Preset};
pub use tables::{BoardSizes, BoardStyle, CountPoints, GameTables, PointUnit, SignatureSearch, owned_cells};

/// The player of every command and protocol if none is named.
pub const DEFAULT_PLAYER: &str = BEST;

/// The name of the player that is defined by each game.
const BEST: &str = "best";

/// The setting of every player but `vote` that names the opening book it plays from, and its value for none.
pub(crate) const BOOK: &str = "book";
pub(crate) const NO_BOOK: &str = "off";

/// The setting of searches that names their evaluation: a word, or a file of weights.
pub const EVAL: &str = "eval";

/// The setting of Monte Carlo searches that names their evaluation of positions at the horizon.
pub(crate) const HORIZON_EVAL: &str = "horizon-eval";

/// The setting of Monte Carlo searches that names the player that predicts replies: a word, or any player.
pub(crate) const OPPONENT_MODEL: &str = "opponent-model";

/// The name of the player that combines others.
const VOTE: &str = "vote";

/// A parsed player, independent of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Name of its preset; empty for an external engine.
    name: &'static str,
    kind: Kind,
    /// The settings given explicitly, in the order of the table; only for presets with [`Preset::suits_its_game`].
    given: Vec<&'static str>,
    /// The opening book that it plays from; of [`Kind::Best`] it is among the settings.
    book: Option<BookSetting>,
    /// The weights by which it evaluates positions; of [`Kind::Best`] they are among the settings.
    eval: Option<EvalSetting>,
    /// Its own budget and its share of second-best moves.
    handicap: Handicap,
    /// The player that predicts the opponent's replies to it, if it is a named one.
    model: Option<Box<PlayerSpec>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Random,
    Greedy,
    Search(Box<Config>),
    AlphaBeta(AlphaBetaConfig),
    Solver(SolverConfig),
    Vote(Vec<PlayerSpec>),
    /// The best player of the game, with these settings: name and value.
    Best(Vec<(String, String)>),
    /// The level of this name of the game.
    Level(&'static str),
    ExternalEngine(Arc<dyn ExternalEngine>),
}

/// External engines are compared by name.
impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Random, Kind::Random) | (Kind::Greedy, Kind::Greedy) => true,
            (Kind::Search(one), Kind::Search(other)) => one == other,
            (Kind::AlphaBeta(one), Kind::AlphaBeta(other)) => one == other,
            (Kind::Solver(one), Kind::Solver(other)) => one == other,
            (Kind::Vote(one), Kind::Vote(other)) => one == other,
            (Kind::Best(one), Kind::Best(other)) => one == other,
            (Kind::Level(one), Kind::Level(other)) => one == other,
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
            Kind::Solver(config) => config.set(name, value),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) | Kind::ExternalEngine(_) => {
                unreachable!("their tables have no rows")
            }
        }
    }

    /// The value of a row of the preset's table.
    fn get(&self, name: &str) -> String {
        let value = match self {
            Kind::Search(config) => config.get(name),
            Kind::AlphaBeta(config) => config.get(name),
            Kind::Solver(config) => config.get(name),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) | Kind::ExternalEngine(_) => {
                None
            }
        };
        value.expect("every row of the table has a value")
    }

    /// Whether all settings are compatible.
    fn check(&self) -> Result<(), TextError> {
        match self {
            Kind::Search(config) => config.check(),
            Kind::AlphaBeta(config) => config.check(),
            Kind::Solver(config) => config.check(),
            Kind::Random | Kind::Greedy | Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) | Kind::ExternalEngine(_) => {
                Ok(())
            }
        }
    }
}

impl Default for PlayerSpec {
    /// [`DEFAULT_PLAYER`].
    fn default() -> PlayerSpec {
        PlayerSpec::plain(DEFAULT_PLAYER, Kind::Best(Vec::new()))
    }
}

/// Values of moves that the solver of the game can add to those of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuesToProve {
    /// The search values only the moves that it visits.
    OfUnvisited,
    /// The search values every move, and needs longer than the solver for exact values near the end.
    InPlaceOfEstimates,
}

/// Returns the replacement of an engine.
type ReplaceEngine<'a> = dyn FnMut(&Arc<dyn ExternalEngine>) -> Arc<dyn ExternalEngine> + 'a;

impl PlayerSpec {
    /// A player without explicit settings.
    fn plain(name: &'static str, kind: Kind) -> PlayerSpec {
        PlayerSpec { name, kind, given: Vec::new(), book: None, eval: None, handicap: Handicap::default(), model: None }
    }

    /// Whether it keeps its search tree, so that it can be exported.
    pub fn keeps_its_search(&self) -> bool {
        matches!(self.kind, Kind::Search(_))
    }

    /// The values of moves that the solver of the game may add to those of its search.
    pub(crate) fn values_to_prove(&self) -> Option<ValuesToProve> {
        match self.kind {
            _ if self.moves_without_search() => None,
            Kind::Search(_) | Kind::Solver(_) => Some(ValuesToProve::OfUnvisited),
            Kind::AlphaBeta(_) => Some(ValuesToProve::InPlaceOfEstimates),
            _ => None,
        }
    }

    /// Whether it reports a value for every position in which it moves; other players may report none.
    pub fn always_values(&self) -> bool {
        match &self.kind {
            Kind::Search(_) | Kind::AlphaBeta(_) | Kind::Greedy | Kind::Best(_) => !self.moves_without_search(),
            Kind::Solver(config) => config.opening != Opening::Casual && !self.moves_without_search(),
            Kind::Random | Kind::Vote(_) | Kind::Level(_) | Kind::ExternalEngine(_) => false,
        }
    }

    /// The external engines it contains.
    pub fn engines(&self) -> Vec<&dyn ExternalEngine> {
        let mut engines = self.own_engines();
        engines.extend(self.model().into_iter().flat_map(PlayerSpec::engines));
        engines
    }

    fn own_engines(&self) -> Vec<&dyn ExternalEngine> {
        match &self.kind {
            Kind::Random
            | Kind::Greedy
            | Kind::Search(_)
            | Kind::AlphaBeta(_)
            | Kind::Solver(_)
            | Kind::Best(_)
            | Kind::Level(_) => Vec::new(),
            Kind::Vote(members) => members.iter().flat_map(PlayerSpec::engines).collect(),
            Kind::ExternalEngine(engine) => vec![&**engine],
        }
    }

    /// The player, with engines whose processes are kept.
    pub fn keeping(self, engines: &mut KeptEngines) -> PlayerSpec {
        self.with_engines(&mut |engine| engines.keep(engine))
    }

    /// The player, with engines that pass their messages to `log`.
    pub(crate) fn logging(self, log: &Arc<dyn EngineLog>) -> PlayerSpec {
        self.with_engines(&mut |engine| Arc::new(LoggedEngine::new(engine, log)))
    }

    /// The player, with each of its engines replaced.
    fn with_engines(mut self, replace: &mut ReplaceEngine<'_>) -> PlayerSpec {
        self.model = self.model.map(|model| Box::new(model.with_engines(replace)));
        match &mut self.kind {
            Kind::Random
            | Kind::Greedy
            | Kind::Search(_)
            | Kind::AlphaBeta(_)
            | Kind::Solver(_)
            | Kind::Best(_)
            | Kind::Level(_) => {}
            Kind::Vote(members) => {
                *members = std::mem::take(members).into_iter().map(|member| member.with_engines(replace)).collect();
            }
            Kind::ExternalEngine(engine) => *engine = replace(engine),
        }
        self
    }

    /// Maximum number of threads of this process that it uses.
    pub fn threads(&self) -> u32 {
        match &self.kind {
            Kind::Random | Kind::Greedy | Kind::Level(_) | Kind::ExternalEngine(_) => 1,
            Kind::Search(config) => config.threads,
            Kind::AlphaBeta(config) => config.threads,
            Kind::Solver(config) => config.threads,
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
    /// The search would not end, or the player does not support a limit of the budget.
    pub fn check(&self, budget: &Budget) -> Result<(), TextError> {
        let budget = &self.handicap.budget(budget);
        let is_unlimited = |budget: &Budget| *budget == Budget::default();
        let endless = match &self.kind {
            // External engines have a separate time limit, levels a budget.
            Kind::Random | Kind::Greedy | Kind::Level(_) | Kind::ExternalEngine(_) => false,
            Kind::Search(_) | Kind::Solver(_) | Kind::Best(_) => is_unlimited(&Budget { depth: None, ..*budget }),
            Kind::AlphaBeta(config) => config.depth.is_none() && is_unlimited(budget),
            Kind::Vote(members) => return members.iter().try_for_each(|member| member.check(budget)),
        };
        if endless {
            let found = if is_unlimited(budget) { "an empty budget".to_owned() } else { format!("budget {budget}") };
            let expected = format!("expected another limit, since {self} does not support a depth limit");
            return Err(TextError::new(found, expected, "add a time or playout limit"));
        }
        Ok(())
    }

    /// Whether it is a single external engine.
    pub(crate) fn is_external_engine(&self) -> bool {
        matches!(self.kind, Kind::ExternalEngine(_))
    }

    /// Refuses a budget for this player alone with a limit that the player does not support: a depth of a Monte Carlo search,
    /// playouts of an engine whose protocol has none. Players that do not search accept any limit.
    ///
    /// # Errors
    /// The first such limit.
    pub fn refuse_unused(&self, budget: &Budget) -> Result<(), TextError> {
        PlayerSpec::refuse_unused_by_all(std::slice::from_ref(self), budget)?;
        let Kind::ExternalEngine(engine) = &self.kind else { return Ok(()) };
        let given = [("playouts", budget.playouts), ("nodes", budget.nodes)];
        match given.into_iter().find(|(name, count)| count.is_some() && !engine.countable_limits().contains(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let expected = format!("expected no {name}, which the protocol of {self} cannot express");
                Err(TextError::new(format!("budget {budget}"), expected, "give a time, or set it on the engine"))
            }
        }
    }

    /// Refuses a budget of several players with a depth if some of them search and none of those supports it.
    ///
    /// # Errors
    /// The first such limit.
    pub fn refuse_unused_by_all(players: &[PlayerSpec], budget: &Budget) -> Result<(), TextError> {
        let Some(depth) = budget.depth else { return Ok(()) };
        let Some(without) = players.iter().find(|player| player.has_depth() == Some(false)) else { return Ok(()) };
        if players.iter().any(|player| player.has_depth() == Some(true)) {
            return Ok(());
        }
        let expected = format!("expected no depth, which {without} does not support");
        Err(TextError::new(format!("budget {budget}"), expected, format!("remove depth={depth}")))
    }

    /// Whether a depth limits its search; `None` if it does not search, or that is decided elsewhere, as by its own budget.
    pub fn has_depth(&self) -> Option<bool> {
        match &self.kind {
            _ if self.handicap.has_budget() => None,
            Kind::Random | Kind::Greedy | Kind::Level(_) | Kind::Best(_) => None,
            Kind::ExternalEngine(engine) => Some(engine.countable_limits().contains(&"depth")),
            Kind::Search(_) => Some(false),
            Kind::AlphaBeta(_) => Some(true),
            Kind::Solver(config) => Some(config.opening == Opening::Pvs),
            Kind::Vote(members) => {
                let members: Vec<bool> = members.iter().filter_map(PlayerSpec::has_depth).collect();
                (!members.is_empty()).then(|| members.contains(&true))
            }
        }
    }

    /// Refuses a limit on its search other than time, if it has its own budget; of a level, any limit but a game clock.
    ///
    /// # Errors
    /// `budget`, which is one for this player alone, has such a limit.
    pub fn refuse_other_budget(&self, budget: &Budget) -> Result<(), TextError> {
        let is_level = matches!(self.kind, Kind::Level(_));
        let is_time = budget.playouts.is_none() && budget.nodes.is_none() && budget.depth.is_none();
        let is_allowed = is_time && !(is_level && budget.time.is_some());
        if is_allowed || !(is_level || self.handicap.has_budget()) {
            return Ok(());
        }
        let expected = format!("expected no budget for {self}, which has its own");
        let remedy = if is_level { "leave it out, or give a game clock" } else { "leave it out, or give a time" };
        Err(TextError::new(format!("budget {budget}"), expected, remedy))
    }

    /// `budget`, or the player's own one with the times of `budget`; of those a level takes the game clock only.
    pub fn own_budget(&self, budget: &Budget) -> Budget {
        self.handicap.budget(budget)
    }

    /// Its own budget and its share of second-best moves.
    pub(crate) fn handicap(&self) -> &Handicap {
        &self.handicap
    }

    /// The opening book that it plays from.
    pub(crate) fn book(&self) -> Option<&BookSetting> {
        self.book.as_ref()
    }

    /// Whether it plays some moves from a file without a search. (A file of exact values is taken for one of those: it is not read here.)
    fn moves_without_search(&self) -> bool {
        self.book.as_ref().is_some_and(|book| !book.is_built_in())
    }

    /// Whether it plays from the book of the program; `best` does in some games, see [`in_game`](PlayerSpec::in_game).
    pub fn has_built_in_book(&self) -> bool {
        self.book.as_ref().is_some_and(BookSetting::is_built_in)
    }

    /// Whether it, or one of its members, plays from an opening book.
    pub fn has_book(&self) -> bool {
        self.book.is_some()
            || match &self.kind {
                Kind::Vote(members) => members.iter().any(PlayerSpec::has_book),
                Kind::Best(settings) => settings.iter().any(|(name, value)| name == BOOK && value != NO_BOOK),
                _ => false,
            }
    }

    /// The player without its book.
    pub fn without_book(self) -> PlayerSpec {
        PlayerSpec { book: None, ..self }
    }

    /// The weights by which it evaluates positions.
    pub fn eval(&self) -> Option<&EvalSetting> {
        self.eval.as_ref()
    }

    /// The named player that predicts the opponent's replies to it.
    pub(crate) fn model(&self) -> Option<&PlayerSpec> {
        self.model.as_deref()
    }

    /// The budget of that player for one reply, in units.
    pub(crate) fn model_budget(&self) -> u32 {
        match &self.kind {
            Kind::Search(config) => config.opponent_model_budget,
            _ => 0,
        }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// An error about this player.
    pub(crate) fn named(&self, err: TextError) -> TextError {
        err.at(format_args!("player {self}"))
    }

    /// Its settings; none for an external engine, a vote, and `best` outside a game.
    pub fn settings(&self) -> &'static [Tunable] {
        self.preset().map_or(&[], |preset| preset.settings)
    }

    /// The published system that it is, whatever its settings.
    pub fn published(&self) -> Option<&'static Preset> {
        self.preset().filter(|preset| preset.needs_its_game)
    }

    /// External engines and levels have none.
    fn preset(&self) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == self.name)
    }

    /// Whether this setting is given explicitly.
    pub(crate) fn gives(&self, setting: &str) -> bool {
        self.given.contains(&setting)
    }
}

impl fmt::Display for PlayerSpec {
    /// The preset with the settings that differ from it or were given explicitly, in their order, and its book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.book.as_ref().map(|book| format!("{BOOK}={}", book.path().display()));
        let preset = match (&self.kind, self.preset()) {
            (Kind::ExternalEngine(engine), _) => {
                f.write_str(engine.name())?;
                return book.map_or(Ok(()), |book| write!(f, ":{book}"));
            }
            (Kind::Level(name), _) => {
                f.write_str(name)?;
                return book.map_or(Ok(()), |book| write!(f, ":{book}"));
            }
            (_, preset) => preset.expect("all players except engines and levels have a preset"),
        };
        f.write_str(self.name)?;
        let usual = (preset.kind)();
        let mut parts: Vec<String> = match &self.kind {
            Kind::Vote(members) => members.iter().map(PlayerSpec::to_string).collect(),
            Kind::Best(settings) => settings.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            kind => {
                let is_printed =
                    |row: &&Tunable| self.given.contains(&row.name) || kind.get(row.name) != usual.get(row.name);
                printed_rows(preset.settings)
                    .into_iter()
                    .filter(is_printed)
                    .filter(|row| self.eval.as_ref().is_none_or(|eval| eval.name() != row.name))
                    .filter(|row| row.name != OPPONENT_MODEL || self.model.is_none())
                    .map(|row| format!("{}={}", row.name, kind.get(row.name)))
                    .collect()
            }
        };
        parts.extend(self.model.as_ref().map(|model| format!("{OPPONENT_MODEL}={model}")));
        parts.extend(self.eval.as_ref().map(|eval| format!("{}={}", eval.name(), eval.path().display())));
        parts.extend(self.handicap.parts());
        parts.extend(book);
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
            ("pvs:eval=a.bin,depth=6", "pvs:depth=6,eval=a.bin"),
            ("mcgs:c=1,eval=dir/a,book=a.txt", "mcgs:c=1,eval=dir/a,book=a.txt"),
            ("uct:eval=a.bin", "uct:eval=a.bin"),
            ("uct:horizon-eval=a.bin,horizon=8", "uct:horizon=8,horizon-eval=a.bin"),
            ("uct:horizon-eval=static,horizon=8,eval=a.bin", "uct:horizon=8,horizon-eval=static,eval=a.bin"),
            ("uct:horizon=8,horizon-eval=a.bin,eval-noise=3", "uct:horizon=8,eval-noise=3,horizon-eval=a.bin"),
            ("uct:eval=a.bin,eval-noise=3", "uct:eval-noise=3,eval=a.bin"),
            ("uct-dots-study:horizon-eval=a.bin,eval-noise=3", "uct-dots-study:eval-noise=3,horizon-eval=a.bin"),
            ("uct:opponent-model=mtdf,reuse=none", "uct:reuse=none,opponent-model=mtdf"),
            ("uct-2019:reuse=none,opponent-model=uct-2019,c=1", "uct-2019:c=1,reuse=none,opponent-model=uct-2019"),
            ("alpha-beta-dots-study:depth=4", "alpha-beta-dots-study:depth=4"),
            ("pvs:eval=unlearned,depth=2", "pvs:depth=2,eval=unlearned"),
            ("solver:eval=a.bin,from=14", "solver:from=14,eval=a.bin"),
            ("best:eval=a.bin,threads=2", "best:threads=2,eval=a.bin"),
            ("random:book=a.txt", "random:book=a.txt"),
            ("mcgs:book=a.txt,c=1", "mcgs:c=1,book=a.txt"),
            ("uct:book=off,c=1", "uct:c=1"),
            ("best:book=off", "best:book=off"),
            ("best:book=a.txt,threads=2", "best:threads=2,book=a.txt"),
            ("vote:best:book=a.txt+uct:book=b.txt,c=1", "vote:best:book=a.txt+uct:c=1,book=b.txt"),
            ("uct:second-best=0.25,playouts=50,c=1", "uct:c=1,second-best=0.25,playouts=50"),
            ("pvs:nodes=1e6,second-best=0,depth=4", "pvs:depth=4,nodes=1000000"),
            ("graph:reuse=none,lazy-expansion=0.5", "graph:lazy-expansion=0.5,reuse=none"),
            (
                "uct:top=9,reuse=none,proof=off,pad=1,lazy-expansion=0,exact-leaves=0,horizon=8,playout-plies=0",
                "uct:horizon=8,pad=1,top=9,reuse=none",
            ),
            (
                "pvs:table-mib=8,lock=updates,pad=1,eval-noise=1,depth=4",
                "pvs:depth=4,eval-noise=1,pad=1,lock=updates,table-mib=8",
            ),
            ("best:playouts=50,threads=2", "best:threads=2,playouts=50"),
            ("vote:uct:playouts=5+level-3+random", "vote:uct:playouts=5+level-3+random"),
            ("vote:uct:reward=win+level-3", "vote:uct+level-3"),
            ("greedy:second-best=1", "greedy:second-best=1"),
            ("level-10", "level-10"),
            ("beginner:book=a.txt", "beginner:book=a.txt"),
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
            ("random:c=1", "expected no setting, since random has none"),
            ("uct:second-best=2", "second-best=2: expected 0 .. 1"),
            ("uct:second-best=nan", "expected 0 .. 1"),
            ("uct:playouts=0", "playouts=0: expected off or a whole number from 1 on"),
            ("uct:playouts=1+nodes=2", "expected off or a whole number"),
            ("uct:nodes=5,nodes=6", "found two"),
            ("level-4:c=1", "expected no setting of level-4 but book"),
            ("level-11", "unknown player"),
            ("uct:c", "name=value"),
            ("uct:c=-1", "c=-1: expected 0 .. 1000"),
            ("uct:c=nan", "c=nan"),
            ("uct:c=1,expand-at=3,c=2", "c=2: expected one value of c"),
            ("uct:rewrad=win", "did you mean reward?"),
            ("mcgs:memory-mib=0", "memory-mib=0: expected 1 .. 65536"),
            ("mcgs:threat-rules=Win!", "threat-rules=Win!: expected all, none, win+block"),
            ("uct:opponent-model=uct-2018,reuse=none", "opponent-model=uct-2018: unknown player \"uct-2018\""),
            ("uct:opponent-model=human,reuse=none", "expected another player, since human"),
            ("uct:opponent-model=vote,reuse=none", "opponent-model=vote"),
            ("uct:opponent-model=mtdf", "add reuse=none"),
            ("uct:opponent-model=mtdf,reuse=none,threads=2", "one thread with it"),
            ("uct-reversi-report:square-weights=1/2", "square-weights of 2 numbers: expected off, or 64 whole numbers"),
            ("best:d=1", "unknown parameter \"d\""),
            ("best:c=-1", "c=-1: expected 0 .. 1000"),
            ("vote:uct+force+mcgs", "member 2: unknown player \"force\""),
            ("mcgs:batch=1025", "batch=1025: expected 1 .. 1024"),
            ("mcgs:schedule=0:1/0.5:2", "the whole game from phase 0 to 1, not 0 to 0.5"),
            ("graph:node-init=children", "add expand=all"),
            ("", "unknown player"),
            ("pvs:depth=0", "depth=0: expected off, 1 .. 1000"),
            ("mtdf:dept=3", "did you mean depth?"),
            ("negamax:c=1", "unknown parameter \"c\": expected one of depth, eval"),
            ("pvs:depth", "expected name=value; try depth=off"),
            ("vote", "no members: expected at least two players"),
            ("vote:", "no members"),
            ("vote:uct:c=1", "only one member, \"uct:c=1\""),
            ("vote:uct+mcsg", "member 2: unknown player \"mcsg\""),
            ("vote:uct+", "member 2: unknown player \"\""),
            ("vote:uct+pvs:depth=0+mcgs", "member 2: player \"pvs:depth=0\": depth=0: expected off"),
            ("vote:uct+human", "member 2: player \"human\": expected another player, since human"),
            ("pvs:eval=a.bin,eval=static", "eval=static: expected one value of eval, found two"),
            ("random:eval=a.bin", "expected no setting, since random has none"),
            ("pvs:horizon-eval=a.bin", "unknown parameter \"horizon-eval\""),
            ("uct:horizon-eval=a.bin", "expected a horizon and batch=1 with it"),
            ("uct:horizon=4,eval=a.bin,horizon-eval=b.bin", "write horizon-eval=static"),
            ("uct:book=", "book=: expected off or the file of a book"),
            ("uct:book", "book: expected off or the file of a book"),
            ("best:book=a,book=off", "book=off: expected one value of book, found two"),
            ("vote:book=a.txt", "only one member"),
            ("vote:uct+vote:mcgs+pvs", "member 2: \"vote:mcgs\": expected a player other than vote"),
        ] {
            let err = text.parse::<PlayerSpec>().expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n') && !err.ends_with('.'), "{text}: {err}");
        }
    }

    #[test]
    fn a_depth_of_a_player_without_one_is_refused() {
        let budget: Budget = "1s+depth=5".parse().expect("a budget");
        let spec = |player: &str| player.parse::<PlayerSpec>().expect(player);
        for (player, has_depth) in [
            ("uct", false),
            ("mcgs:c=1", false),
            ("vote:uct+mcgs+random", false),
            ("solver:opening=mcgs", false),
            ("solver", true),
            ("pvs", true),
            ("vote:uct+pvs", true),
            ("random", true),
            ("level-4", true),
            ("uct:playouts=40", true),
        ] {
            let refused = spec(player).refuse_unused(&budget);
            assert_eq!(refused.is_ok(), has_depth, "{player}: {refused:?}");
            assert_eq!(spec(player).refuse_unused(&Budget { depth: None, ..budget }), Ok(()));
        }
        let err = spec("uct").refuse_unused(&budget).expect_err("a depth").to_string();
        let expected = "budget 1s+depth=5: expected no depth, which uct does not support; remove depth=5";
        assert_eq!(err, expected);
        // One that searches to a depth is enough.
        assert_eq!(PlayerSpec::refuse_unused_by_all(&["uct", "pvs"].map(spec), &budget), Ok(()));
        assert!(PlayerSpec::refuse_unused_by_all(&["uct", "random"].map(spec), &budget).is_err());
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
