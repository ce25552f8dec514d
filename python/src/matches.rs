//! Matches, and folders of games.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use banyan_arena::StopSignal;
use banyan_catalog::Budget;
use banyan_catalog::pairs::{GameLine, MatchError, OpeningSpec};
use banyan_core::TextError;
use banyan_core::threads::spawn_scoped;
use banyan_matches::exports::{StoredGames, Values, export_for, game_rows, move_rows, pair_rows};
use banyan_matches::sweep::{Entrants, Vary, with_values};
use banyan_matches::{
    ClockKind, Entrant, Match, MatchConfig, MatchFolder, MatchFormat, MatchWatch, Played, Quantity, Standing,
    SweepConfig, holds_match,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::builtin::{CATALOG, PLAYERS};
use crate::error::raised;
use crate::game::Game;

/// Time between two looks at Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// Plays a match into a folder, or the rest of one that was interrupted; see `banyan.play_match`.
#[pyfunction]
#[pyo3(signature = (folder, game, players, *, pairs, budget, openings, seed, jobs, gauntlet, cpu_time, callback))]
#[expect(clippy::too_many_arguments, reason = "the arguments of the function of Python")]
pub(crate) fn play_match(
    py: Python<'_>,
    folder: PathBuf,
    game: &Game,
    players: Vec<String>,
    pairs: u64,
    budget: &str,
    openings: &str,
    seed: u64,
    jobs: usize,
    gauntlet: bool,
    cpu_time: bool,
    callback: Option<Py<PyAny>>,
) -> PyResult<()> {
    let budget: Budget = budget.parse().map_err(raised)?;
    let tables = CATALOG.tables(&game.0.spec()).expect("the game is one of them");
    // `best` is replaced by the player that it is now, so that a match that is continued later plays with the same.
    let players = Entrant::list(&PLAYERS, &players, &budget).and_then(|entrants| {
        entrants.into_iter().map(|entrant| entrant.in_game(&PLAYERS, &tables)).collect::<Result<_, _>>()
    });
    let players = players.map_err(raised)?;
    let config = MatchConfig {
        format: if gauntlet { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin },
        pairs,
        seed,
        clock: clock(cpu_time),
        ..MatchConfig::of(game.0.spec(), resolved(game, openings)?, players)
    };
    play(py, &folder, config, jobs, callback)
}

/// Plays a sweep into a folder, or the rest of one that was interrupted; see `banyan.play_sweep`.
#[pyfunction]
#[pyo3(signature = (folder, game, player, vary, *, against, margin, pairs, budget, openings, seed, jobs, cpu_time, callback))]
#[expect(clippy::too_many_arguments, reason = "the arguments of the function of Python")]
pub(crate) fn play_sweep(
    py: Python<'_>,
    folder: PathBuf,
    game: &Game,
    player: &str,
    vary: Vec<String>,
    against: Option<&str>,
    margin: bool,
    pairs: u64,
    budget: &str,
    openings: &str,
    seed: u64,
    jobs: usize,
    cpu_time: bool,
    callback: Option<Py<PyAny>>,
) -> PyResult<()> {
    let budget: Budget = budget.parse().map_err(raised)?;
    let vary = vary.iter().map(|text| text.parse()).collect::<Result<Vec<Vary>, TextError>>().map_err(raised)?;
    let pair = [player, against.unwrap_or(player)];
    let tables = CATALOG.tables(&game.0.spec());
    let Entrants { players, vary } = with_values(&PLAYERS, tables.as_ref(), pair, &vary, &budget).map_err(raised)?;
    let quantity = if margin { Quantity::Margin } else { Quantity::Score };
    let config = MatchConfig {
        format: MatchFormat::Sweep,
        pairs,
        seed,
        clock: clock(cpu_time),
        sweep: Some(SweepConfig { quantity, refine: false, vary }),
        ..MatchConfig::of(game.0.spec(), resolved(game, openings)?, players)
    };
    play(py, &folder, config, jobs, callback)
}

fn clock(cpu_time: bool) -> ClockKind {
    if cpu_time { ClockKind::Cpu } else { ClockKind::Wall }
}

/// The openings with the length that is usual in the game.
fn resolved(game: &Game, openings: &str) -> PyResult<String> {
    let openings: OpeningSpec = openings.parse().map_err(raised)?;
    if matches!(openings, OpeningSpec::File(_)) {
        let err = TextError::new(openings.to_string(), "expected openings without a file", "try balanced");
        return Err(raised(err));
    }
    Ok(openings.resolved(game.0.usual_opening_plies()).to_string())
}

/// Begins or continues the folder of a match.
fn play(py: Python<'_>, folder: &Path, config: MatchConfig, jobs: usize, callback: Option<Py<PyAny>>) -> PyResult<()> {
    let played = Match::new(&CATALOG, &PLAYERS, &config, None).map_err(raised)?;
    let opened = if holds_match(folder) {
        let resumed = MatchFolder::resume(folder).map_err(raised)?;
        resumed.folder.config().check_same(&config).map_err(raised)?;
        (resumed.folder, resumed.lines)
    } else {
        (MatchFolder::create(folder, config, None).map_err(raised)?, Vec::new())
    };
    watched(py, &played, opened, jobs.max(1), callback)
}

/// Plays on other threads, while this one looks for Ctrl-C, which ends the match after the games that are recorded.
fn watched(
    py: Python<'_>,
    played: &Match,
    (mut folder, done): (MatchFolder, Vec<GameLine>),
    jobs: usize,
    callback: Option<Py<PyAny>>,
) -> PyResult<()> {
    let (stop, failure) = (StopSignal::new(), Mutex::new(None));
    let keep = |err: PyErr| {
        failure.lock().expect("no panic holds it").get_or_insert(err);
        stop.abort();
    };
    let mut watch = Watch { callback, keep: &keep };
    let result: Result<Played, MatchError> = py.detach(|| {
        std::thread::scope(|scope| {
            let work = || played.play(&mut folder, done, jobs, &stop, &mut watch);
            let refused = || MatchError::NoResources("no thread left".to_owned());
            let running = spawn_scoped(scope, work).ok_or_else(refused)?;
            while !running.is_finished() {
                std::thread::sleep(SIGNALS);
                if let Err(err) = Python::attach(|py| py.check_signals()) {
                    keep(err);
                }
            }
            running.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault))
        })
    });
    match failure.into_inner().expect("no panic holds it") {
        Some(err) => Err(err),
        None => result.map(drop).map_err(raised),
    }
}

/// Calls a function with each finished game.
struct Watch<'a> {
    callback: Option<Py<PyAny>>,
    keep: &'a (dyn Fn(PyErr) + Sync),
}

impl MatchWatch for Watch<'_> {
    fn game(&mut self, line: &GameLine) {
        let Some(callback) = &self.callback else { return };
        let json = serde_json::to_string(line).expect("a record is JSON");
        let called = Python::attach(|py| {
            let row = py.import("banyan.results")?.getattr("game")?.call1((json,))?;
            callback.bind(py).call1((row,)).map(drop)
        });
        if let Err(err) = called {
            (self.keep)(err);
        }
    }

    fn pair(&mut self, _standing: &Standing) {}
}

/// A folder of games that the command or `play_match` has written, as it was when it was read.
#[pyclass(frozen, module = "banyan")]
pub(crate) struct Folder {
    path: PathBuf,
    games: StoredGames,
}

#[pymethods]
impl Folder {
    #[new]
    fn new(path: PathBuf) -> PyResult<Folder> {
        if !holds_match(&path) {
            let expected = "expected the folder of a match, sweep, ablation, tuning, rating or ladder";
            return Err(raised(TextError::new(path.display().to_string(), expected, "play one first")));
        }
        let games = StoredGames::read(&CATALOG, &path).map_err(raised)?;
        Ok(Folder { path, games })
    }

    /// Its path.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The records of its games, each as JSON, in the order of the pairs.
    fn game_lines(&self) -> Vec<String> {
        let mut games: Vec<&GameLine> = self.games.lines().iter().collect();
        games.sort_by_key(|game| game.id());
        games.into_iter().map(|game| serde_json::to_string(game).expect("a record is JSON")).collect()
    }

    /// The games as columns by name: `kind` is `games`, `pairs` or `moves`.
    fn columns<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyDict>> {
        let lines = self.games.lines();
        let rows = match kind {
            "games" => game_rows(lines),
            "pairs" => pair_rows(lines),
            _ => move_rows(lines),
        };
        let columns = PyDict::new(py);
        for (name, values) in rows.columns {
            match values {
                Values::Whole(values) => columns.set_item(name, values)?,
                Values::Real(values) => columns.set_item(name, values)?,
                Values::Text(values) => columns.set_item(name, values)?,
            }
        }
        Ok(columns)
    }

    /// The result as text in the form of a file of this name: see `--export` of the command.
    fn export_text(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let form = export_for(name).map_err(raised)?;
        py.detach(|| Ok(form(&self.games.outcome(&CATALOG, banyan_review::Language::En)?)))
            .map_err(|err: TextError| raised(err))
    }
}
