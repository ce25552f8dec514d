//! Searches and proofs, without the lock of the interpreter.

use std::time::{Duration, Instant};

use banyan_catalog::view::{Analysis, Solved};
use banyan_catalog::{AnalysisObserver, Budget, Goal, Means, PlayerSpec, Session};
use banyan_core::{Flow, Limits, TextError};
use banyan_review::{ReviewPlan, Reviewer, curve_picture};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::builtin::PLAYERS;
use crate::error::raised;
use crate::evaluator::FromPython;

/// Time between two looks at Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(20);
/// Table of the proofs of a review, as of the command.
const TABLE_MIB: u32 = 256;
/// Time between two calls of a callback.
const PROGRESS: Duration = Duration::from_millis(100);

/// A requested search.
pub(crate) struct Request<'a> {
    pub(crate) player: &'a str,
    pub(crate) budget: &'a str,
    pub(crate) seed: u64,
    pub(crate) lines: Option<u32>,
}

/// The analysis of a position, as `banyan.Analysis`.
pub(crate) fn analyse<'py>(
    py: Python<'py>,
    mut session: Session,
    request: &Request<'_>,
    callback: Option<Py<PyAny>>,
    evaluator: Option<FromPython>,
    actions: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let player: PlayerSpec =
        PLAYERS.player(request.player).and_then(|player| session.in_game(&player)).map_err(raised)?;
    let budget: Budget = request.budget.parse().map_err(raised)?;
    player.check(&budget).and_then(|()| player.refuse_unused(&budget)).map_err(raised)?;
    if let Some(verdict) = session.verdict() {
        return analysis(&verdict, actions);
    }
    let failure = evaluator.as_ref().map(FromPython::failure);
    let seat = match evaluator {
        Some(evaluator) => session.seat_with_evaluator(&player, Box::new(evaluator), request.seed),
        None => session.seat(&player, request.seed),
    };
    let seat = seat.map_err(raised)?;
    let limits = Limits { lines: Some(request.lines.unwrap_or(Limits::ALL_LINES).max(1)), ..budget.first_limits() };
    let mut observer = Observer::new(callback, actions);
    let stops = || failure.as_ref().is_some_and(|failure| failure.is_some());
    observer.stops = Some(&stops);
    let found = py.detach(|| session.analyse((seat, &player), &limits, &mut observer));
    let raised_within = observer.raised.take();
    if let Some(err) = failure.as_ref().and_then(|failure| failure.take()).or(raised_within) {
        return Err(err);
    }
    analysis(&found.map_err(raised)?, actions)
}

/// A `banyan.Analysis`; `actions` has the output of a policy for each legal move.
fn analysis<'py>(view: &Analysis, actions: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(view).expect("a view is JSON");
    actions.py().import("banyan.results")?.getattr("analysis")?.call1((json, actions))
}

/// The exact value of a position, as `banyan.Solved`.
pub(crate) fn solve<'py>(
    py: Python<'py>,
    session: Session,
    budget: &str,
    prove: Option<&str>,
    (threads, table_mib): (u32, u32),
    callback: Option<Py<PyAny>>,
    actions: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let goal = match prove {
        None => session.tables().solves,
        Some("winner") => Goal::Winner,
        Some("value") => Goal::Value,
        Some("best") => Goal::BestMoves,
        Some("all") => Goal::Everything,
        Some(other) => {
            let expected = "expected winner, value, best or all";
            return Err(raised(TextError::new(format!("prove={other:?}"), expected, "leave it out")));
        }
    };
    let parsed: Budget = budget.parse().map_err(raised)?;
    let Budget { time, nodes, .. } = parsed;
    if parsed != (Budget { time, nodes, ..Budget::default() }) {
        let expected = "expected a time, a number of nodes, or both";
        return Err(raised(TextError::new(budget, expected, "try 60s or nodes=1e9")));
    }
    if threads == 0 || table_mib == 0 {
        let found = format!("{threads} threads with {table_mib} MiB");
        return Err(raised(TextError::new(found, "expected at least one of each", "try threads=1, memory_mib=256")));
    }
    let mut observer = Observer::new(callback, actions);
    let means = Means { table_mib, threads };
    let (limits, watched) = (parsed.first_limits(), &mut observer);
    let solved: Solved = py.detach(move || session.prove_line(goal, means, &limits, watched));
    match observer.raised.take() {
        Some(err) => Err(err),
        None => {
            let json = serde_json::to_string(&solved).expect("a view is JSON");
            py.import("banyan.results")?.getattr("solved")?.call1((json,))
        }
    }
}

/// The review of the game at whose end `session` is, as `banyan.Review`.
pub(crate) fn review<'py>(
    py: Python<'py>,
    session: Session,
    request: &Request<'_>,
    players: Option<[String; 2]>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let player: PlayerSpec =
        PLAYERS.player(request.player).and_then(|player| session.in_game(&player)).map_err(raised)?;
    let budget: Budget = request.budget.parse().map_err(raised)?;
    if budget.game.is_some() {
        let expected = "expected a limit for each position, not for a game";
        return Err(raised(TextError::new(request.budget, expected, "try 500ms")));
    }
    player.check(&budget).and_then(|()| player.refuse_unused(&budget)).map_err(raised)?;
    let plan = ReviewPlan {
        player,
        budget: budget.to_string(),
        limits: budget.first_limits(),
        means: Means { table_mib: TABLE_MIB, threads: 1 },
        seed: request.seed,
        plies: None,
        opening_plies: 0,
    };
    let mut reviewer = py.detach(|| Reviewer::open(session, plan)).map_err(raised)?;
    let mut observer = Observer::new(None, &PyDict::new(py));
    loop {
        let (stepping, watched) = (&mut reviewer, &mut observer);
        let goes_on = py.detach(move || stepping.step(watched));
        if let Some(err) = observer.raised.take() {
            return Err(err);
        }
        let shown = || {
            let review = reviewer.review(players.clone());
            let json = serde_json::to_string(&review).expect("a view is JSON");
            py.import("banyan.results")?
                .getattr("review")?
                .call1((json, curve_picture(&review, banyan_review::Language::En)))
        };
        if !goes_on.map_err(raised)? {
            return shown();
        }
        if let Some(callback) = &callback
            && callback.bind(py).call1((shown()?,))?.extract::<bool>().ok() == Some(false)
        {
            return shown();
        }
    }
}

/// Passes progress to a function, and ends a search when that returns False or raises, or on Ctrl-C.
struct Observer<'a> {
    callback: Option<Py<PyAny>>,
    actions: Py<PyDict>,
    /// Whether something else ends the search.
    stops: Option<&'a (dyn Fn() -> bool + Sync)>,
    raised: Option<PyErr>,
    is_stopped: bool,
    looked: Instant,
    called: Instant,
}

impl Observer<'_> {
    fn new(callback: Option<Py<PyAny>>, actions: &Bound<'_, PyDict>) -> Self {
        let (now, actions) = (Instant::now(), actions.clone().unbind());
        Observer { callback, actions, stops: None, raised: None, is_stopped: false, looked: now, called: now }
    }

    /// Keeps the first exception, which ends the search.
    fn keep(&mut self, err: PyErr) {
        self.raised.get_or_insert(err);
        self.is_stopped = true;
    }
}

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        if self.looked.elapsed() >= SIGNALS {
            self.looked = Instant::now();
            if let Err(err) = Python::attach(|py| py.check_signals()) {
                self.keep(err);
            }
        }
        self.is_stopped || self.stops.is_some_and(|stops| stops())
    }

    fn progress(&mut self, so_far: &Analysis) -> Flow {
        let is_due = self.called.elapsed() >= PROGRESS;
        if let Some(callback) = self.callback.as_ref().filter(|_| is_due) {
            self.called = Instant::now();
            let answer = Python::attach(|py| {
                let answer = callback.bind(py).call1((analysis(so_far, self.actions.bind(py))?,))?;
                Ok(answer.extract::<bool>().ok() == Some(false))
            });
            match answer {
                Ok(ends) => self.is_stopped |= ends,
                Err(err) => self.keep(err),
            }
        }
        if self.is_stopped { Flow::Stop } else { Flow::Continue }
    }
}
