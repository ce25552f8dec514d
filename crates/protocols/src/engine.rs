//! An engine of engines.toml: what it is, and how it takes part in games.

use std::sync::Arc;
use std::time::Duration;

use banyan_catalog::{Answer, ExternalEngine, GameState, RunningEngine, Stopped};
use banyan_core::{Fault, Limits, Margin, TextError};

use crate::process::{Launch, Process, Talk};
use crate::protocol::{ClientProtocol, Openings, Protocol};

/// Times below it cannot be told in whole seconds.
pub(crate) const SECOND: Duration = Duration::from_secs(1);
/// The least leeway, as in matches; outside matches nobody gives any.
pub(crate) const LEEWAY: Duration = Duration::from_millis(100);
/// Beyond its time and the leeway an engine is waited for so long, so that its answer is judged late and not missing.
const GRACE: Duration = Duration::from_millis(100);
/// An engine that was told to quit may take so long before it is ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// An engine that can be started any number of times.
#[derive(Clone, Debug)]
pub struct Engine {
    /// What it is asked for by.
    pub name: String,
    /// How to start it.
    pub launch: Launch,
    /// What it speaks.
    pub protocol: &'static Protocol,
    /// Its own settings.
    pub options: Vec<(String, String)>,
    /// It may take so long to start, and as long to begin a game.
    pub startup: Duration,
    /// It may take so long over a move where the budget has no time.
    pub move_time: Duration,
}

impl Engine {
    /// Time to start unless engines.toml has another.
    pub const STARTUP: Duration = Duration::from_secs(10);
    /// Time for a move without a clock unless engines.toml has another.
    pub const MOVE_TIME: Duration = Duration::from_secs(60);

    /// How long to wait for a move under these limits.
    pub(crate) fn patience(&self, limits: &Limits) -> Duration {
        let allowed = limits.time.into_iter().chain(limits.clock.map(|clock| clock.own)).min();
        allowed.map_or(self.move_time, |allowed| allowed + limits.leeway.max(LEEWAY) + GRACE)
    }

    /// An error about this engine.
    pub(crate) fn error(&self, what: impl std::fmt::Display, remedy: impl Into<String>) -> TextError {
        TextError::new(format!("engine {}", self.name), what.to_string(), remedy)
    }

    /// Whether its protocol has words for the game and for how it begins.
    ///
    /// # Errors
    /// It has none.
    pub(crate) fn check_protocol(&self, at: &dyn GameState) -> Result<(), TextError> {
        let Protocol { name, games, openings, .. } = *self.protocol;
        let spec = at.spec();
        let no_words =
            |what: &str, remedy: &str| Err(self.error(format!("its protocol {name} has no words for {what}"), remedy));
        if let Some(games) = games.filter(|_| !self.protocol.knows(&spec)) {
            return no_words(&spec, &format!("let it play {}", games.join(" or ")));
        }
        let is_position = at.opening().is_some();
        match openings {
            Openings::None if is_position || !at.history().is_empty() => {
                no_words("openings", "begin at the start: a match with --openings none")
            }
            Openings::Moves if is_position => {
                no_words("a position, only for moves", "begin at the start, or with moves")
            }
            _ => Ok(()),
        }
    }

    /// Whether it can be told of the time it has for a move.
    ///
    /// # Errors
    /// It takes whole seconds, and has less than one.
    fn check_times(&self, client: &dyn ClientProtocol, limits: &Limits) -> Result<(), TextError> {
        match limits.time {
            Some(time) if limits.clock.is_none() && time < SECOND && client.says_whole_seconds() => {
                let what = format!("it is told times in whole seconds, and {time:?} a move is less than one");
                Err(self.error(what, "give it 1s a move or more, or time for the game, or limit playouts"))
            }
            _ => Ok(()),
        }
    }

    /// What to do about an engine that started and then does not say what its protocol says.
    pub(crate) fn remedy_for_greeting(&self) -> String {
        let (name, protocol) = (&self.name, self.protocol.name);
        if protocol == "strategy" {
            return "name a library that exports getPoint and clearPoint, see docs/strategy-library.md".to_owned();
        }
        format!("see whether it speaks {protocol}, as engines.toml says, and what `banyan engines check {name}` finds")
    }
}

impl ExternalEngine for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> String {
        let command = std::iter::once(self.launch.program.display().to_string()).chain(self.launch.arguments.clone());
        let options = self.options.iter().map(|(name, value)| format!(" {name}={value:?}"));
        let command: Vec<String> = command.map(|word| format!("{word:?}")).collect();
        format!("{} {}{}", self.protocol.name, command.join(" "), options.collect::<String>())
    }

    fn check(&self, at: &dyn GameState, limits: &Limits) -> Result<(), TextError> {
        self.check_protocol(at)?;
        self.launch.check().map_err(|err| self.error(format!("{}: {}", err.found, err.expected), err.remedy))?;
        let mut running =
            Running::start(self, &mut || false).map_err(|fault| self.error(fault, self.remedy_for_greeting()))?;
        self.check_times(&*running.client, limits)?;
        let begun = running.begin(self, at, 0, &mut || false);
        begun.map_err(|fault| {
            let what = format!("does not play {}: {fault}", at.spec());
            self.error(what, "choose a game and a size that it knows")
        })
    }

    fn open(&self) -> Box<dyn RunningEngine> {
        Box::new(Seated { engine: Arc::new(self.clone()), running: None, seed: 0, prepared: false })
    }
}

/// A process and what was agreed with it.
pub(crate) struct Running {
    pub(crate) process: Process,
    pub(crate) client: Box<dyn ClientProtocol>,
}

impl Running {
    /// Starts the engine and greets it.
    pub(crate) fn start(engine: &Engine, stopped: Stopped<'_>) -> Result<Running, Fault> {
        let process = Process::start(&engine.launch)?;
        let mut running = Running { process, client: (engine.protocol.speak)(&engine.options) };
        running.client.greet(&mut Talk::new(&mut running.process, engine.startup, stopped))?;
        Ok(running)
    }

    pub(crate) fn begin(
        &mut self,
        engine: &Engine,
        at: &dyn GameState,
        seed: u64,
        stopped: Stopped<'_>,
    ) -> Result<(), Fault> {
        self.client.begin(&mut Talk::new(&mut self.process, engine.startup, stopped), at, seed)
    }

    pub(crate) fn choose(
        &mut self,
        engine: &Engine,
        at: &dyn GameState,
        limits: &Limits,
        stopped: Stopped<'_>,
    ) -> Result<Answer, Fault> {
        let patience = engine.patience(limits);
        self.client.choose(&mut Talk::new(&mut self.process, patience, stopped), at, limits)
    }

    /// Says good-bye and waits a little; whether the engine ended by itself.
    pub(crate) fn part(&mut self) -> bool {
        self.client.farewell(&mut Talk::new(&mut self.process, FAREWELL, &mut || false));
        self.process.close_input();
        self.process.wait_for_end(FAREWELL)
    }
}

/// An engine that takes part in games. It is started when the first one begins, and anew after a fault.
struct Seated {
    engine: Arc<Engine>,
    running: Option<Running>,
    seed: u64,
    prepared: bool,
}

impl Seated {
    /// What is running, started if it was not.
    fn run(&mut self, stopped: Stopped<'_>) -> Result<&mut Running, Fault> {
        // What ended between two games did no harm to any.
        if self.running.as_mut().is_none_or(|running| running.process.has_ended()) {
            self.running = Some(Running::start(&self.engine, stopped)?);
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    fn begin(&mut self, at: &dyn GameState, stopped: Stopped<'_>) -> Result<(), Fault> {
        let engine = Arc::clone(&self.engine);
        if let Err(err) = engine.check_protocol(at) {
            return Err(Fault::Nonsense(format!("{}; {}", err.expected, err.remedy)));
        }
        let seed = self.seed;
        self.run(&mut *stopped)?.begin(&engine, at, seed, stopped)?;
        self.prepared = true;
        Ok(())
    }
}

impl RunningEngine for Seated {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.prepared = false;
    }

    fn prepare(&mut self, at: &dyn GameState, stopped: Stopped<'_>) -> Result<(), Fault> {
        let begun = self.begin(at, stopped);
        if begun.is_err() {
            self.running = None;
        }
        begun
    }

    fn choose(&mut self, at: &dyn GameState, limits: &Limits, stopped: Stopped<'_>) -> Result<Answer, Fault> {
        if !self.prepared {
            self.prepare(at, &mut *stopped)?;
        }
        let Some(running) = &mut self.running else {
            return Err(Fault::Crashed("it was ended after an earlier fault in this game".into()));
        };
        let answer = running.choose(&self.engine, at, limits, stopped);
        if answer.is_err() {
            self.running = None;
        }
        answer
    }

    fn game_over(&mut self, result: Margin) {
        if let Some(Running { process, client }) = self.running.as_mut().filter(|_| self.prepared) {
            client.game_over(&mut Talk::new(process, Duration::ZERO, &mut || false), result);
        }
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            running.part();
        }
    }
}
