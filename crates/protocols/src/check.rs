//! Tests an engine step by step against its protocol and reports every failure.

use std::time::{Duration, Instant};

use banyan_catalog::{Answer, AnyGame, GameState, Opening, Session};
use banyan_core::{Fault, Limits, TextError};

use crate::engine::{Engine, LEEWAY, Running, SECOND};
use crate::process::STOP_GRACE;

/// Time limit of the timed move.
const TIMED: Duration = Duration::from_millis(200);
/// Time per move of the whole game, if the protocol can express it.
const QUICK: Duration = Duration::from_millis(20);
/// Time limit of the search that is stopped.
const LONG: Duration = Duration::from_secs(20);

/// One step of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the engine should do: `begins a game of reversi`.
    pub what: String,
    /// How long it took, or what failed.
    pub found: Result<String, String>,
}

/// Checks everything that a match requires of an engine and passes every step to `report`. Returns whether all steps
/// passed. Steps that depend on a failed one are skipped.
///
/// # Errors
/// The program does not exist, or its protocol does not support the game.
pub fn check_engine(engine: &Engine, game: &dyn AnyGame, report: &mut dyn FnMut(&Step)) -> Result<bool, TextError> {
    let start = game.open(Opening::Start)?;
    engine.check_protocol(&*start)?;
    engine.launch.check().map_err(|err| engine.error(format!("{}: {}", err.found, err.expected), err.remedy))?;
    let mut checker = Checker { engine, start: &*start, report, passed: true };
    let ended = checker.run();
    Ok(ended.is_some() && checker.passed)
}

struct Checker<'a> {
    engine: &'a Engine,
    start: &'a dyn Session,
    report: &'a mut dyn FnMut(&Step),
    passed: bool,
}

impl Checker<'_> {
    /// `None` if a step failed that others depend on.
    fn run(&mut self) -> Option<()> {
        let engine = self.engine;
        let what = format!("starts and speaks {}", engine.protocol.name);
        let mut running = self.step(&what, || Running::start(engine, &mut || false))?;
        let played = self.play(&mut running);
        match played {
            Some(()) => drop(self.step("exits on request", || match running.shut_down() {
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
        self.step(&what, || running.begin(engine, start, 1, &mut || false))?;
        let most = time_of(running, engine, TIMED);
        let what = most.map_or("moves".to_owned(), |most| format!("moves within {most:?}"));
        self.step(&what, || timely_move(running, engine, start, most))?;
        if engine.protocol.can_stop {
            self.step("stops a search on request", || stop(running, engine, start))?;
        }
        self.step("begins another game", || running.begin(engine, start, 2, &mut || false))?;
        if engine.protocol.plays_both_sides {
            self.step("plays both sides to the end", || whole_game(running, engine, start))?;
        }
        Some(())
    }

    fn step<T>(&mut self, what: &str, doing: impl FnOnce() -> Result<T, Fault>) -> Option<T> {
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
        (self.report)(&Step { what: what.to_owned(), found });
    }
}

/// The time limit that the protocol can express: `fine` in milliseconds, one second in whole seconds, or none.
fn time_of(running: &Running, engine: &Engine, fine: Duration) -> Option<Duration> {
    let time = if running.client.needs_whole_seconds() { SECOND } else { fine };
    engine.protocol.has_move_time.then_some(time)
}

/// The limits of a move; without a time, the limit of engines.toml applies.
fn limits(time: Option<Duration>) -> Limits {
    Limits { time, leeway: Duration::from_secs(1), ..Limits::default() }
}

fn timely_move(
    running: &mut Running,
    engine: &Engine,
    at: &dyn GameState,
    most: Option<Duration>,
) -> Result<(), Fault> {
    let asked = Instant::now();
    let answer = running.choose(engine, at, &limits(most), &mut || false)?;
    let taken = asked.elapsed();
    if most.is_some_and(|most| taken > most + LEEWAY) {
        return Err(Fault::Late(format!("it took {taken:.1?}")));
    }
    legal(at, &answer).map(drop)
}

fn stop(running: &mut Running, engine: &Engine, at: &dyn GameState) -> Result<(), Fault> {
    let asked = Instant::now();
    match running.choose(engine, at, &Limits::time(LONG), &mut || asked.elapsed() > QUICK) {
        // It reported that it stopped, but no move. An engine that does not respond takes the whole grace period.
        Err(Fault::Late(_)) if asked.elapsed() < STOP_GRACE => Ok(()),
        answer => legal(at, &answer?).map(drop),
    }
}

fn whole_game(running: &mut Running, engine: &Engine, start: &dyn GameState) -> Result<(), Fault> {
    let mut game = start.fork();
    let limits = limits(time_of(running, engine, QUICK));
    while game.result().is_none() {
        let answer = running.choose(engine, &*game, &limits, &mut || false)?;
        game = legal(&*game, &answer)?;
    }
    Ok(())
}

/// The game after the engine's move.
fn legal(at: &dyn GameState, answer: &Answer) -> Result<Box<dyn GameState>, Fault> {
    let mut game = at.fork();
    let played = game.play(&answer.best);
    let moves = at.history().join(" ");
    played.map(|_| game).map_err(|err| Fault::Illegal(format!("{err}, after the moves {moves:?}")))
}
