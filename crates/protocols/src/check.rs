//! Walks an engine through its protocol and says in plain words what it does wrong.

use std::time::{Duration, Instant};

use banyan_catalog::{Answer, AnyGame, GameState, Opening, Session};
use banyan_core::{Fault, Limits, TextError};

use crate::engine::{Engine, LEEWAY, Running, SECOND};
use crate::process::STOP_GRACE;

/// A move on which an engine is timed.
const TIMED: Duration = Duration::from_millis(200);
/// Moves of a whole game take so long each, unless it cannot be told.
const QUICK: Duration = Duration::from_millis(20);
/// A search that is told to stop would take so long.
const LONG: Duration = Duration::from_secs(20);

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the engine was to do: `begins a game of reversi`.
    pub what: String,
    /// How it did, or what was wrong.
    pub found: Result<String, String>,
}

/// Tries everything that a match asks of an engine, telling `tell` every step; whether all went well. What makes no sense
/// after a fault is left out.
///
/// # Errors
/// There is no such program, or its protocol has no words for the game.
pub fn check_engine(engine: &Engine, game: &dyn AnyGame, tell: &mut dyn FnMut(&Step)) -> Result<bool, TextError> {
    let start = game.open(Opening::Start)?;
    engine.check_protocol(&*start)?;
    engine.launch.check().map_err(|err| engine.error(format!("{}: {}", err.found, err.expected), err.remedy))?;
    let mut walk = Walk { engine, start: &*start, tell, all_well: true };
    let ended = walk.walk();
    Ok(ended.is_some() && walk.all_well)
}

struct Walk<'a> {
    engine: &'a Engine,
    start: &'a dyn Session,
    tell: &'a mut dyn FnMut(&Step),
    all_well: bool,
}

impl Walk<'_> {
    /// `None` if it broke off.
    fn walk(&mut self) -> Option<()> {
        let engine = self.engine;
        let what = format!("starts and says that it speaks {}", engine.protocol.name);
        let mut running = self.step(&what, || Running::start(engine, &mut || false))?;
        let played = self.play(&mut running);
        match played {
            Some(()) => drop(self.step("ends when it is told to", || match running.part() {
                true => Ok(()),
                false => Err(Fault::Late("it had to be killed".into())),
            })),
            None => drop(running.part()),
        }
        running.process.hear_out();
        if let Some(complaint) = running.process.last_complaint().filter(|_| !self.all_well) {
            self.say("wrote to its stderr", Ok(complaint));
        }
        played
    }

    /// What is asked of it between start and end; `None` if it broke off.
    fn play(&mut self, running: &mut Running) -> Option<()> {
        let (engine, start) = (self.engine, self.start);
        let what = format!("begins a game of {}", start.spec());
        self.step(&what, || running.begin(engine, start, 1, &mut || false))?;
        let most = time_of(running, engine, TIMED);
        let what = most.map_or("moves".to_owned(), |most| format!("moves within {most:?}"));
        self.step(&what, || timely_move(running, engine, start, most))?;
        if engine.protocol.can_stop {
            self.step("stops when it is told to", || stop(running, engine, start))?;
        }
        self.step("begins another game", || running.begin(engine, start, 2, &mut || false))?;
        if engine.protocol.plays_both_sides {
            self.step("plays both sides of it to the end", || whole_game(running, engine, start))?;
        }
        Some(())
    }

    fn step<T>(&mut self, what: &str, doing: impl FnOnce() -> Result<T, Fault>) -> Option<T> {
        let begun = Instant::now();
        match doing() {
            Ok(done) => {
                self.say(what, Ok(format!("{:.1} ms", begun.elapsed().as_secs_f64() * 1000.0)));
                Some(done)
            }
            Err(fault) => {
                self.say(what, Err(fault.to_string()));
                None
            }
        }
    }

    fn say(&mut self, what: &str, found: Result<String, String>) {
        self.all_well &= found.is_ok();
        (self.tell)(&Step { what: what.to_owned(), found });
    }
}

/// The time for a move that the engine can be told, if any: `fine` where milliseconds can be.
fn time_of(running: &Running, engine: &Engine, fine: Duration) -> Option<Duration> {
    let time = if running.client.says_whole_seconds() { SECOND } else { fine };
    engine.protocol.tells_times.then_some(time)
}

/// What is asked of an engine for a move; one that cannot be told a time is waited for as long as engines.toml says.
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
        // It said that it stopped, if not where: whoever does not is waited for longer.
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

/// The game after the move that was answered.
fn legal(at: &dyn GameState, answer: &Answer) -> Result<Box<dyn GameState>, Fault> {
    let mut game = at.fork();
    let played = game.play(&answer.best);
    let moves = at.history().join(" ");
    played.map(|_| game).map_err(|err| Fault::Illegal(format!("{err}, after the moves {moves:?}")))
}
