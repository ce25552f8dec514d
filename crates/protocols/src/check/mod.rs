//! Tests an engine step by step against its protocol and reports every failure.

mod probe;

use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_catalog::{Answer, AnyGame, EngineLog, GameState, Opening, Session, Stopped};
use banyan_core::{Fault, Limits, TextError};

use crate::engine::{Engine, LEEWAY, QUIT_GRACE, Running, SECOND};
use crate::process::STOP_GRACE;
use crate::protocol::Protocol;
use probe::other_protocol;

/// Time limit of the timed move.
const TIMED: Duration = Duration::from_millis(200);
/// Time per move of the whole game, if the protocol can express it.
const QUICK: Duration = Duration::from_millis(20);
/// Time limit of the search that is stopped.
const LONG: Duration = Duration::from_secs(20);
/// Time without an answer after which other protocols are tried.
const SILENCE: Duration = Duration::from_secs(2);

/// The progress of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckEvent {
    /// A step begins.
    Begins {
        /// Expected behaviour of the engine: `begins a game of reversi`.
        what: String,
        /// Time limit of the step, as text: `at most 10s`.
        limit: String,
    },
    /// A step has ended.
    Ended(Step),
}

/// One step of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Expected behaviour of the engine: `begins a game of reversi`.
    pub what: String,
    /// The time that the step took, or the failure.
    pub found: Result<String, String>,
}

/// Checks everything that a match requires of an engine, and passes the beginning and the end of every step to
/// `report`, which may end the check. `log` receives all input and output of the engine. Returns whether all steps
/// passed. Steps that depend on a failed one are skipped. An engine that is silent but answers in another protocol
/// fails before the deadline.
///
/// # Errors
/// The program does not exist, or its protocol does not support the game.
pub fn check_engine(
    engine: &Engine,
    game: &AnyGame,
    log: Option<Arc<dyn EngineLog>>,
    report: &mut dyn FnMut(&CheckEvent) -> ControlFlow<()>,
) -> Result<bool, TextError> {
    let start = game.open(Opening::Start)?;
    engine.check_protocol(&start)?;
    engine.check_files()?;
    let mut checker = Checker { engine, start: &start, log, report, ended: false, passed: true };
    let ended = checker.run();
    Ok(ended.is_some() && checker.passed)
}

struct Checker<'a> {
    engine: &'a Engine,
    start: &'a Session,
    log: Option<Arc<dyn EngineLog>>,
    report: &'a mut dyn FnMut(&CheckEvent) -> ControlFlow<()>,
    /// Whether `report` has ended the check.
    ended: bool,
    passed: bool,
}

impl Checker<'_> {
    /// `None` if a step failed that others depend on.
    fn run(&mut self) -> Option<()> {
        let engine = self.engine;
        let what = format!("starts and speaks {}", engine.protocol.name);
        let limit = at_most(engine.startup);
        let log = self.log.clone();
        let start = || unless_other(engine, |stopped| Running::start_logged(engine, log, stopped));
        let mut running = self.step(&what, &limit, start)?;
        if engine.protocol.has_move_time && !running.client.takes_times() {
            self.report("has no time_settings", Ok("its times are limited without being sent".to_owned()));
        }
        let played = self.play(&mut running);
        match played {
            Some(()) => drop(self.step("exits on request", &at_most(QUIT_GRACE), || match running.shut_down() {
                true => Ok(()),
                false => Err(Fault::Late("did not exit and was killed".into())),
            })),
            None => drop(running.shut_down()),
        }
        running.process.drain_stderr();
        if let Some(line) = running.process.last_stderr_line().filter(|_| !self.passed) {
            self.report("last line on stderr", Ok(line));
        }
        played
    }

    /// The steps between start and exit; `None` if one failed that others depend on.
    fn play(&mut self, running: &mut Running) -> Option<()> {
        let (engine, start) = (self.engine, self.start);
        let what = format!("begins a game of {}", start.spec());
        let to_begin = at_most(engine.startup);
        self.step(&what, &to_begin, || running.begin(engine, start, 1, &mut || false))?;
        let most = time_of(running, engine, TIMED);
        let what = most.map_or("moves".to_owned(), |most| format!("moves within {most:?}"));
        let to_move = at_most(engine.answer_timeout(&limits(most)));
        self.step(&what, &to_move, || {
            unless_other(engine, |stopped| timely_move(running, engine, start, most, stopped))
        })?;
        if engine.protocol.can_stop {
            self.step("stops a search on request", &at_most(QUICK + STOP_GRACE), || stop(running, engine, start))?;
        }
        self.step("begins another game", &to_begin, || running.begin(engine, start, 2, &mut || false))?;
        if engine.protocol.plays_both_sides {
            let per_move = engine.answer_timeout(&limits(time_of(running, engine, QUICK)));
            let limit = format!("{} per move", at_most(per_move));
            self.step("plays both sides to the end", &limit, || whole_game(running, engine, start))?;
        }
        Some(())
    }

    fn step<T, E: Display>(&mut self, what: &str, limit: &str, doing: impl FnOnce() -> Result<T, E>) -> Option<T> {
        self.pass_on(&CheckEvent::Begins { what: what.to_owned(), limit: limit.to_owned() });
        if self.ended {
            return None;
        }
        let begun = Instant::now();
        match doing() {
            Ok(done) => {
                self.report(what, Ok(format!("{:.1} ms", begun.elapsed().as_secs_f64() * 1000.0)));
                Some(done)
            }
            Err(fault) => {
                self.report(what, Err(fault.to_string()));
                None
            }
        }
    }

    fn report(&mut self, what: &str, found: Result<String, String>) {
        self.passed &= found.is_ok();
        self.pass_on(&CheckEvent::Ended(Step { what: what.to_owned(), found }));
    }

    fn pass_on(&mut self, event: &CheckEvent) {
        self.ended = self.ended || (self.report)(event).is_break();
    }
}

fn at_most(time: Duration) -> String {
    format!("at most {time:?}")
}

/// Performs an exchange, and ends it early if the engine is silent and answers in another protocol.
fn unless_other<T, E: From<Fault>>(
    engine: &Engine,
    exchange: impl FnOnce(Stopped<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let begun = Instant::now();
    let (mut tried, mut other) = (false, None);
    let done = exchange(&mut || {
        if !tried && begun.elapsed() >= SILENCE {
            tried = true;
            other = other_protocol(engine);
        }
        other.is_some()
    });
    let Some(other) = other.filter(|_| done.is_err()) else { return done };
    let own = engine.protocol.name;
    let remedy = match Protocol::named(other) {
        Some(_) => format!("write protocol = \"{other}\""),
        None => "no protocol of Banyan".to_owned(),
    };
    Err(Fault::Nonsense(format!("does not answer in {own}, but in {other}: {remedy}")).into())
}

/// The time limit that the engine can receive: `fine` in milliseconds, one second in whole seconds, or none.
fn time_of(running: &Running, engine: &Engine, fine: Duration) -> Option<Duration> {
    let time = if running.client.needs_whole_seconds() { SECOND } else { fine };
    (engine.protocol.has_move_time && running.client.takes_times()).then_some(time)
}

/// The limits of a move; without a time, the limit of engines.toml applies.
fn limits(time: Option<Duration>) -> Limits {
    Limits { time, leeway: Duration::from_secs(1), ..Limits::default() }
}

fn timely_move(
    running: &mut Running,
    engine: &Engine,
    at: &GameState,
    most: Option<Duration>,
    stopped: Stopped<'_>,
) -> Result<(), Fault> {
    let asked = Instant::now();
    let answer = running.choose(engine, at, &limits(most), stopped)?;
    let taken = answer.time.unwrap_or_else(|| asked.elapsed());
    if most.is_some_and(|most| taken > most + LEEWAY) {
        return Err(Fault::Late(format!("it took {taken:.1?}")));
    }
    legal(at, &answer).map(drop)
}

fn stop(running: &mut Running, engine: &Engine, at: &GameState) -> Result<(), Fault> {
    let asked = Instant::now();
    match running.choose(engine, at, &Limits::time(LONG), &mut || asked.elapsed() > QUICK) {
        // It reported that it stopped, but no move. An engine that does not respond takes the whole grace period.
        Err(Fault::Late(_)) if asked.elapsed() < STOP_GRACE => Ok(()),
        answer => legal(at, &answer?).map(drop),
    }
}

fn whole_game(running: &mut Running, engine: &Engine, start: &GameState) -> Result<(), Fault> {
    let mut game = start.fork();
    let limits = limits(time_of(running, engine, QUICK));
    while game.result().is_none() {
        let answer = running.choose(engine, &game, &limits, &mut || false)?;
        game = legal(&game, &answer)?;
    }
    Ok(())
}

/// The game after the engine's move.
fn legal(at: &GameState, answer: &Answer) -> Result<GameState, Fault> {
    let mut game = at.fork();
    let played = game.play(&answer.best);
    let moves = at.history().join(" ");
    played.map(|_| game).map_err(|err| Fault::Illegal(format!("{err}, after the moves {moves:?}")))
}
