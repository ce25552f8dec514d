//! External engines whose processes are kept between games, so that a match starts each once per worker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, thread};

use banyan_core::threads::spawn_scoped;
use banyan_core::{Fault, Limits, Margin, TextError};

use crate::external_engine::{Answer, EngineLog, ExternalEngine, RunningEngine, Stopped};
use crate::game_state::GameState;

/// The kept engines of a match, one for each name. Dropping it ends their processes.
#[derive(Debug, Default)]
pub struct KeptEngines(Vec<Arc<KeptEngine>>);

impl KeptEngines {
    /// `engine` with its processes kept between games, shared by all players that name it.
    pub(crate) fn keep(&mut self, engine: &Arc<dyn ExternalEngine>) -> Arc<dyn ExternalEngine> {
        let known = self.0.iter().find(|kept| kept.name() == engine.name()).cloned();
        known.unwrap_or_else(|| {
            let kept = Arc::new(KeptEngine { engine: Arc::clone(engine), idle: Arc::default() });
            self.0.push(Arc::clone(&kept));
            kept
        })
    }

    /// Number of engines that no player uses at the moment; some may not run.
    pub fn n_idle(&self) -> u64 {
        self.0.iter().map(|kept| kept.idle.lock().len() as u64).sum()
    }

    /// Ends all idle processes at the same time: each may take a while to exit.
    pub fn shut_down(&self) {
        let idle: Vec<_> = self.0.iter().flat_map(|kept| std::mem::take(&mut *kept.idle.lock())).collect();
        thread::scope(|scope| {
            for engine in idle {
                // If the thread is refused, its work is dropped here.
                let _ = spawn_scoped(scope, move || drop(engine));
            }
        });
    }
}

impl Drop for KeptEngines {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// An engine that gives an idle process to the next player.
#[derive(Debug)]
struct KeptEngine {
    engine: Arc<dyn ExternalEngine>,
    idle: Arc<Idle>,
}

impl KeptEngine {
    fn lend(&self, engine: Box<dyn RunningEngine>) -> Box<dyn RunningEngine> {
        Box::new(Lent { engine: Some(engine), idle: Arc::clone(&self.idle), in_call: false })
    }
}

impl ExternalEngine for KeptEngine {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn identity(&self) -> String {
        self.engine.identity()
    }

    fn countable_limits(&self) -> &'static [&'static str] {
        self.engine.countable_limits()
    }

    fn check(&self, at: &GameState, limits: &Limits) -> Result<Box<dyn RunningEngine>, TextError> {
        self.engine.check(at, limits).map(|engine| self.lend(engine))
    }

    fn open(&self) -> Box<dyn RunningEngine> {
        let idle = self.idle.lock().pop();
        self.lend(idle.unwrap_or_else(|| self.engine.open()))
    }
}

/// Engines that no player uses at the moment.
#[derive(Default)]
struct Idle(Mutex<Vec<Box<dyn RunningEngine>>>);

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Box<dyn RunningEngine>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} idle", self.lock().len())
    }
}

/// An engine that becomes idle when its player is dropped.
struct Lent {
    /// `None` only while it is dropped.
    engine: Option<Box<dyn RunningEngine>>,
    idle: Arc<Idle>,
    /// Still set after a panic in a call, which leaves the engine in the middle of an exchange: it is not used again.
    in_call: bool,
}

impl Lent {
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn RunningEngine) -> T) -> T {
        self.in_call = true;
        let answer = call(&mut **self.engine.as_mut().expect("it is lent until it is dropped"));
        self.in_call = false;
        answer
    }
}

impl RunningEngine for Lent {
    fn new_game(&mut self, seed: u64) {
        self.call(|engine| engine.new_game(seed));
    }

    fn prepare(&mut self, at: &GameState, stopped: Stopped<'_>) -> Result<(), Fault> {
        self.call(|engine| engine.prepare(at, stopped))
    }

    fn choose(&mut self, at: &GameState, limits: &Limits, stopped: Stopped<'_>) -> Result<Answer, Fault> {
        self.call(|engine| engine.choose(at, limits, stopped))
    }

    fn game_over(&mut self, result: Margin) {
        self.call(|engine| engine.game_over(result));
    }

    fn log_to(&mut self, log: Option<Arc<dyn EngineLog>>) {
        self.call(|engine| engine.log_to(log));
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take().filter(|_| !self.in_call) {
            self.idle.lock().push(engine);
        }
    }
}
