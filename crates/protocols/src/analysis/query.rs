//! Parses queries and actions.

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use banyan_catalog::{AnyGame, Budget, Catalog, Opening, PlayerSpec, Session};
use banyan_core::{Limits, TextError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answer::{Refusal, Warning};
use crate::server::Setup;

/// Maximum of `maxTime`.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Fields of KataGo that Banyan does not support, and what to use instead.
const REFUSED: [(&str, &str, &str); 5] = [
    ("allowMoves", "not supported, all moves are searched", "analyse the positions after the moves instead"),
    ("avoidMoves", "not supported, all moves are searched", "analyse the positions after the moves instead"),
    ("overrideSettings", "not supported", "write settings in the player, as in \"player\":\"mcgs:c=0.5\""),
    ("initialStones", "not supported", "use \"position\""),
    ("initialPlayer", "not supported", "use \"position\""),
];

/// A parsed line.
pub(super) enum Line {
    Query(Box<Query>, Vec<Warning>),
    Action { id: String, action: Action },
}

/// An action, executed immediately.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    QueryVersion,
    /// Has no effect: there is no cache, every position has a new search.
    ClearCache,
    /// Ends the searches of a query, for all its turns or for these.
    Terminate {
        id: String,
        turns: Option<Vec<usize>>,
    },
    /// Ends all searches, for all turns or for these.
    TerminateAll {
        turns: Option<Vec<usize>>,
    },
}

/// A query: positions to search.
pub(super) struct Query {
    pub(super) id: String,
    game: Arc<AnyGame>,
    position: Option<String>,
    /// The moves in the game's notation.
    moves: Vec<String>,
    /// Number of moves before each position, and its priority.
    pub(super) turns: Vec<(usize, i64)>,
    pub(super) setup: Setup,
    /// The number of moves with a value instead of a bound; `None` for what the player does by itself.
    pub(super) lines: Option<u32>,
    /// Interval of reports during a search.
    pub(super) every: Option<Duration>,
}

impl Query {
    /// A session at the position after `turn` moves.
    pub(super) fn open(&self, turn: usize) -> Result<Session, TextError> {
        let mut session = open(&self.game, self.position.as_deref())?;
        for mv in &self.moves[..turn] {
            session.play(mv)?;
        }
        Ok(session)
    }
}

fn open(game: &AnyGame, position: Option<&str>) -> Result<Session, TextError> {
    game.open(position.map_or(Opening::Start, Opening::Position))
}

/// Parses a line; missing fields are taken from `usual`.
pub(super) fn parse(text: &str, usual: &Setup, catalog: &Catalog) -> Result<Line, Refusal> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|err| {
        let err = TextError::new("a line that is not a JSON object", err.to_string(), "write one object per line");
        Refusal { error: err.to_string(), ..Refusal::default() }
    })?;
    let mut fields = Fields(fields);
    let id: String = fields.required("id", "expected a string")?;
    let line = match fields.optional::<String>("action", "expected a string")? {
        Some(name) => action(&name, &mut fields).map(|action| Line::Action { id: id.clone(), action }),
        None => query(&id, &mut fields, usual, catalog).map(|query| {
            let warnings = fields.0.keys().map(|field| Warning {
                warning: "unknown field, ignored".to_owned(),
                field: field.clone(),
                id: id.clone(),
            });
            Line::Query(Box::new(query), warnings.collect())
        }),
    };
    line.map_err(|refusal| Refusal { id: Some(id), ..refusal })
}

fn action(name: &str, fields: &mut Fields) -> Result<Action, Refusal> {
    const TURNS: &str = "expected a list of turn numbers";
    match name {
        "query_version" => Ok(Action::QueryVersion),
        "clear_cache" => Ok(Action::ClearCache),
        "terminate" => {
            let id = fields.required("terminateId", "expected the id of a query")?;
            Ok(Action::Terminate { id, turns: fields.optional("turnNumbers", TURNS)? })
        }
        "terminate_all" => Ok(Action::TerminateAll { turns: fields.optional("turnNumbers", TURNS)? }),
        _ => {
            let expected = "expected one of query_version, clear_cache, terminate, terminate_all";
            Err(Refusal::of_field("action", &TextError::new(format!("action {name:?}"), expected, "use one of them")))
        }
    }
}

fn query(id: &str, fields: &mut Fields, usual: &Setup, catalog: &Catalog) -> Result<Query, Refusal> {
    for (field, expected, remedy) in REFUSED {
        if fields.0.contains_key(field) {
            return Err(Refusal::of_field(field, &TextError::new(field, expected, remedy)));
        }
    }
    let spec: String =
        fields.required("game", "expected a game such as \"reversi\" or \"connect-four:10x11,hole=d3\"")?;
    let game = catalog.game(&spec).map_err(|err| Refusal::of_field("game", &err))?;
    let position: Option<String> = fields.optional("position", "expected a position as printed by `banyan show`")?;
    let mut session = open(&game, position.as_deref()).map_err(|err| Refusal::of_field("position", &err))?;
    let played = match fields.optional::<Moves>("moves", "expected a list of moves, or a string of moves")? {
        Some(Moves::Text(text)) => session.play_all(&text),
        Some(Moves::List(moves)) => moves.iter().try_for_each(|mv| session.play(mv).map(drop)),
        None => Ok(()),
    };
    played.map_err(|err| Refusal::of_field("moves", &err))?;
    let moves = session.history();
    let turns = turns(fields, moves.len())?;
    let every = fields.optional("reportDuringSearchEvery", "expected seconds")?;
    let every = every.map(|seconds| time("reportDuringSearchEvery", seconds)).transpose()?;
    let lines = fields.optional("lines", "expected a whole number of at least 1, or \"all\"")?.map(Lines::number);
    let setup = setup(fields, usual)?;
    game.check_player(&setup.player).map_err(|err| Refusal::of_field("player", &err))?;
    Ok(Query { id: id.to_owned(), game: game.into(), position, moves, turns, setup, lines, every })
}

/// A number of lines, or the word `all`.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Lines {
    Number(NonZeroU32),
    Word(AllLines),
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum AllLines {
    All,
}

impl Lines {
    fn number(self) -> u32 {
        match self {
            Lines::Number(n) => n.get(),
            Lines::Word(AllLines::All) => Limits::ALL_LINES,
        }
    }
}

/// Moves as a list or as one string.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Text(String),
}

/// The positions to search with their priorities; by default the last position.
fn turns(fields: &mut Fields, n_moves: usize) -> Result<Vec<(usize, i64)>, Refusal> {
    let turns = fields.optional::<Vec<usize>>("analyzeTurns", "expected a list of turn numbers of at least 0")?;
    let turns = turns.unwrap_or_else(|| vec![n_moves]);
    if let Some(turn) = turns.iter().find(|&&turn| turn > n_moves) {
        let expected = format!("expected at most {n_moves}, the number of moves");
        let err = TextError::new(format!("turn {turn}"), expected, "use turns of the game");
        return Err(Refusal::of_field("analyzeTurns", &err));
    }
    let priority = fields.optional("priority", "expected a whole number")?.unwrap_or(0);
    let priorities: Option<Vec<i64>> = fields.optional("priorities", "expected a list of whole numbers")?;
    let priorities = priorities.unwrap_or_else(|| vec![priority; turns.len()]);
    if priorities.len() != turns.len() {
        let found = format!("{} priorities", priorities.len());
        let err = TextError::new(found, format!("expected {}, one per turn", turns.len()), "give one per turn");
        return Err(Refusal::of_field("priorities", &err));
    }
    Ok(turns.into_iter().zip(priorities).collect())
}

/// The player and its limits. A query that has limits ignores the default limits.
fn setup(fields: &mut Fields, usual: &Setup) -> Result<Setup, Refusal> {
    let player = fields.optional::<String>("player", "expected a player such as \"mcgs:c=0.5\"")?;
    let player = player.map_or_else(|| Ok(usual.player.clone()), |text| text.parse::<PlayerSpec>());
    let player = player.map_err(|err| Refusal::of_field("player", &err))?;
    let seed = fields.optional("seed", "expected a whole number of at least 0")?.unwrap_or(usual.seed);
    let visits: Option<NonZeroU64> = fields.optional("maxVisits", "expected a whole number of at least 1")?;
    let visits = visits.map(NonZeroU64::get);
    let seconds: Option<f64> = fields.optional("maxTime", "expected seconds")?;
    let time = seconds.map(|seconds| time("maxTime", seconds)).transpose()?;
    let own = visits.is_some() || time.is_some();
    let budget = if own { Budget { time, playouts: visits, ..Budget::default() } } else { usual.budget };
    Setup::new(player, budget, seed).map_err(|err| Refusal::of_field("player", &err))
}

fn time(field: &str, seconds: f64) -> Result<Duration, Refusal> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && *time <= LONGEST);
    time.ok_or_else(|| {
        let expected = "expected seconds above 0, at most 30 days";
        Refusal::of_field(field, &TextError::new(format!("{field} {seconds}"), expected, "use another time"))
    })
}

/// The fields of an object that are not read yet.
struct Fields(Map<String, Value>);

impl Fields {
    fn optional<T: DeserializeOwned>(&mut self, name: &str, expected: &str) -> Result<Option<T>, Refusal> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let shown: String = value.to_string().chars().take(40).collect();
        let read = serde_json::from_value(value).map(Some);
        read.map_err(|_| {
            Refusal::of_field(name, &TextError::new(format!("{name} {shown}"), expected, "correct the field"))
        })
    }

    fn required<T: DeserializeOwned>(&mut self, name: &str, expected: &str) -> Result<T, Refusal> {
        let missing = || Refusal::of_field(name, &TextError::new(format!("no {name}"), expected, "add the field"));
        self.optional(name, expected)?.ok_or_else(missing)
    }
}
