//! An engine of engines.toml: its definition, and the player that runs it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use banyan_catalog::{Answer, EngineLog, ExternalEngine, GameState, RunningEngine, Stopped};
use banyan_core::{Fault, Limits, Margin, TextError};

use super::protocol::{Openings, Protocol};
use crate::client::{ClientProtocol, StartError};
use crate::process::{Exchange, FILE_NOT_FOUND, Launch, Process};

/// The command of this executable that serves a strategy library.
pub(crate) const STRATEGY_HOST: &str = "strategy-host";

/// The smallest time that whole seconds can express.
pub(crate) const SECOND: Duration = Duration::from_secs(1);
/// The minimum leeway, as in matches; outside matches the limits have none.
pub(crate) const LEEWAY: Duration = Duration::from_millis(100);
/// Waiting time beyond time limit and leeway, so that an answer counts as late rather than missing.
const GRACE: Duration = Duration::from_millis(100);
/// Time limit for an engine to exit after `quit`; then it is killed.
pub(crate) const QUIT_GRACE: Duration = Duration::from_millis(500);

/// An engine that can be started any number of times.
#[derive(Clone, Debug)]
pub struct Engine {
    /// Its name in engines.toml.
    pub name: String,
    /// Its command line and framing.
    pub launch: Launch,
    /// Its protocol.
    pub protocol: &'static Protocol,
    /// Options sent to the engine.
    pub options: Vec<(String, String)>,
    /// Time limit to start, and to begin a game.
    pub startup: Duration,
    /// Time limit of a move if the budget has none.
    pub move_time: Duration,
}

impl Engine {
    /// Default of `startup` in engines.toml.
    pub const STARTUP: Duration = Duration::from_secs(10);
    /// Default of `move` in engines.toml.
    pub const MOVE_TIME: Duration = Duration::from_secs(60);
    /// Default of `move` for strategy libraries: the time of Tsinghua's course and of Saiblo.
    pub const LIBRARY_TIME: Duration = Duration::from_secs(3);

    /// Timeout of a move under these limits.
    pub(crate) fn answer_timeout(&self, limits: &Limits) -> Duration {
        let allowed = limits.time.into_iter().chain(limits.clock.map(|clock| clock.own)).min();
        allowed.map_or(self.move_time, |allowed| allowed + limits.leeway.max(LEEWAY) + GRACE)
    }

    /// An error about this engine.
    pub(crate) fn error(&self, what: impl std::fmt::Display, remedy: impl Into<String>) -> TextError {
        TextError::new(format!("engine {}", self.name), what.to_string(), remedy)
    }

    /// The path of its strategy library, if it is one.
    fn library(&self) -> Option<&Path> {
        match &self.launch.arguments[..] {
            [host, library] if self.protocol.name == "strategy" && host == STRATEGY_HOST => Some(Path::new(library)),
            _ => None,
        }
    }

    /// Checks that its program, or its strategy library, exists.
    ///
    /// # Errors
    /// It does not, or is no program.
    pub(crate) fn check_files(&self) -> Result<(), TextError> {
        if let Some(library) = self.library().filter(|path| !path.is_file()) {
            let what = if library.as_os_str() == self.name.as_str() {
                FILE_NOT_FOUND.to_owned()
            } else {
                format!("{}: {FILE_NOT_FOUND}", library.display())
            };
            return Err(self.error(what, "check the path"));
        }
        self.launch.check().map_err(|err| self.error(format!("{}: {}", err.found, err.expected), err.remedy))
    }

    /// Checks that its protocol supports the game and its opening.
    ///
    /// # Errors
    /// It does not.
    pub(crate) fn check_protocol(&self, at: &GameState) -> Result<(), TextError> {
        let Protocol { name, games, openings, .. } = *self.protocol;
        let spec = at.spec();
        let unsupported =
            |what: &str, remedy: &str| Err(self.error(format!("its protocol {name} does not support {what}"), remedy));
        if let Some(games) = games.filter(|_| !self.protocol.supports(&spec)) {
            return unsupported(&spec, &format!("play {}", games.join(" or ")));
        }
        let is_position = at.opening().is_some();
        match openings {
            Openings::None if is_position || !at.history().is_empty() => {
                unsupported("openings", "start at the initial position; in matches use --openings none")
            }
            Openings::Moves if is_position => {
                unsupported("positions, only moves", "start at the initial position or with moves")
            }
            _ => Ok(()),
        }
    }

    /// Checks that the protocol can express the time limit of a move.
    ///
    /// # Errors
    /// The engine requires whole seconds, and the limit is less than one.
    fn check_times(&self, client: &dyn ClientProtocol, limits: &Limits) -> Result<(), TextError> {
        match limits.time {
            Some(time) if limits.clock.is_none() && time < SECOND && client.needs_whole_seconds() => {
                let what = format!("its protocol expresses times in whole seconds, but the limit is {time:?} per move");
                Err(self.error(what, "use at least 1s per move, a game clock, or a playout limit"))
            }
            _ => Ok(()),
        }
    }

    /// The remedy for an engine that does not start.
    fn remedy_for(&self, fault: &Fault) -> String {
        match fault {
            Fault::NoResources(_) => "raise the limit with ulimit -n or ulimit -u, or end other programs".to_owned(),
            _ => self.remedy_for_greeting(),
        }
    }

    /// The error of an engine that cannot begin to play.
    fn start_error(&self, err: StartError) -> TextError {
        match err {
            StartError::Fault(fault) => self.error(&fault, self.remedy_for(&fault)),
            StartError::Definition(err) => TextError { found: format!("engine {}: {}", self.name, err.found), ..err },
            StartError::GaveUp(why) => {
                // The path of a library is also its name, so it is not repeated.
                let why = why.strip_prefix(&format!("strategy library {}: ", self.name)).unwrap_or(&why);
                match why.rsplit_once("; ") {
                    Some((why, remedy)) => self.error(why, remedy),
                    None => self.error(why, format!("fix that, and run `banyan engines check {}`", self.name)),
                }
            }
        }
    }

    /// The remedy for an engine that starts but does not answer as its protocol requires.
    pub(crate) fn remedy_for_greeting(&self) -> String {
        let (name, protocol) = (&self.name, self.protocol.name);
        if protocol == "strategy" {
            return "use a library that exports getPoint and clearPoint (docs/strategy-library.md)".to_owned();
        }
        format!("check that it speaks {protocol}, and run `banyan engines check {name}`")
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

    fn countable_limits(&self) -> &'static [&'static str] {
        self.protocol.countable_limits
    }

    fn check(&self, at: &GameState, limits: &Limits) -> Result<Box<dyn RunningEngine>, TextError> {
        self.check_protocol(at)?;
        self.check_files()?;
        let mut running = Running::start(self, &mut || false).map_err(|err| self.start_error(err))?;
        self.check_times(&*running.client, limits)?;
        let begun = running.begin(self, at, 0, &mut || false);
        begun.map_err(|fault| {
            let what = format!("does not play {}: {fault}", at.spec());
            self.error(what, "choose a game and size that the engine supports")
        })?;
        let mut player = EnginePlayer::new(self);
        player.running = Some(running);
        Ok(Box::new(player))
    }

    fn open(&self) -> Box<dyn RunningEngine> {
        Box::new(EnginePlayer::new(self))
    }
}

/// A running engine process with its protocol client.
pub(crate) struct Running {
    pub(crate) process: Process,
    pub(crate) client: Box<dyn ClientProtocol>,
}

impl Running {
    /// Starts the engine and performs the handshake.
    pub(crate) fn start(engine: &Engine, stopped: Stopped<'_>) -> Result<Running, StartError> {
        Running::start_logged(engine, None, stopped)
    }

    /// Starts the engine and performs the handshake, with all input and output passed to `log`.
    pub(crate) fn start_logged(
        engine: &Engine,
        log: Option<Arc<dyn EngineLog>>,
        stopped: Stopped<'_>,
    ) -> Result<Running, StartError> {
        let process = Process::start(&engine.launch)?;
        process.log_to(log);
        let mut running = Running { process, client: (engine.protocol.client)(&engine.options) };
        running.client.greet(&mut Exchange::new(&mut running.process, engine.startup, stopped))?;
        Ok(running)
    }

    pub(crate) fn begin(
        &mut self,
        engine: &Engine,
        at: &GameState,
        seed: u64,
        stopped: Stopped<'_>,
    ) -> Result<(), Fault> {
        self.client.begin(&mut Exchange::new(&mut self.process, engine.startup, stopped), at, seed)
    }

    pub(crate) fn choose(
        &mut self,
        engine: &Engine,
        at: &GameState,
        limits: &Limits,
        stopped: Stopped<'_>,
    ) -> Result<Answer, Fault> {
        let mut exchange = Exchange::new(&mut self.process, engine.answer_timeout(limits), stopped);
        let answer = self.client.choose(&mut exchange, at, limits)?;
        Ok(Answer { time: Some(exchange.elapsed()), ..answer })
    }

    /// Sends the engine its quit command, closes its input and waits briefly. Returns whether it exited by itself.
    pub(crate) fn shut_down(&mut self) -> bool {
        self.client.quit(&mut Exchange::new(&mut self.process, QUIT_GRACE, &mut || false));
        self.process.close_input();
        self.process.wait_for_end(QUIT_GRACE)
    }
}

/// An engine as a player. It starts with the first game, and again after a fault.
struct EnginePlayer {
    engine: Arc<Engine>,
    running: Option<Running>,
    seed: u64,
    prepared: bool,
    log: Option<Arc<dyn EngineLog>>,
}

impl EnginePlayer {
    fn new(engine: &Engine) -> EnginePlayer {
        EnginePlayer { engine: Arc::new(engine.clone()), running: None, seed: 0, prepared: false, log: None }
    }

    /// The running engine, started if necessary.
    fn run(&mut self, stopped: Stopped<'_>) -> Result<&mut Running, Fault> {
        // An engine that exits between two games is simply restarted.
        if self.running.as_mut().is_none_or(|running| running.process.has_ended()) {
            let started = Running::start_logged(&self.engine, self.log.clone(), stopped);
            self.running = Some(started.map_err(StartError::into_fault)?);
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    fn begin(&mut self, at: &GameState, stopped: Stopped<'_>) -> Result<(), Fault> {
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

impl RunningEngine for EnginePlayer {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.prepared = false;
    }

    fn prepare(&mut self, at: &GameState, stopped: Stopped<'_>) -> Result<(), Fault> {
        let begun = self.begin(at, stopped);
        if begun.is_err() {
            self.running = None;
        }
        begun
    }

    fn choose(&mut self, at: &GameState, limits: &Limits, stopped: Stopped<'_>) -> Result<Answer, Fault> {
        if !self.prepared {
            self.prepare(at, &mut *stopped)?;
        }
        let Some(running) = &mut self.running else {
            return Err(Fault::Crashed("stopped after an earlier fault in this game".into()));
        };
        let answer = running.choose(&self.engine, at, limits, stopped);
        if answer.is_err() {
            self.running = None;
        }
        answer
    }

    fn log_to(&mut self, log: Option<Arc<dyn EngineLog>>) {
        if let Some(running) = &self.running {
            running.process.log_to(log.clone());
        }
        self.log = log;
    }

    fn game_over(&mut self, result: Margin) {
        if let Some(Running { process, client }) = self.running.as_mut().filter(|_| self.prepared) {
            client.game_over(&mut Exchange::new(process, Duration::ZERO, &mut || false), result);
        }
    }
}

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            running.shut_down();
        }
    }
}
