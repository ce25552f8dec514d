//! An external engine whose exchanges are logged.

use std::sync::Arc;

use banyan_core::{Limits, TextError};

use crate::external_engine::{EngineLog, ExternalEngine, RunningEngine};
use crate::game_state::GameState;

/// An engine that passes what it is sent and what it writes to a log.
#[derive(Debug)]
pub(crate) struct LoggedEngine {
    engine: Arc<dyn ExternalEngine>,
    log: Arc<dyn EngineLog>,
}

impl LoggedEngine {
    pub(crate) fn new(engine: &Arc<dyn ExternalEngine>, log: &Arc<dyn EngineLog>) -> LoggedEngine {
        LoggedEngine { engine: Arc::clone(engine), log: Arc::clone(log) }
    }

    fn logging(&self, mut engine: Box<dyn RunningEngine>) -> Box<dyn RunningEngine> {
        engine.log_to(Some(Arc::clone(&self.log)));
        engine
    }
}

impl ExternalEngine for LoggedEngine {
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
        self.engine.check(at, limits).map(|engine| self.logging(engine))
    }

    fn open(&self) -> Box<dyn RunningEngine> {
        self.logging(self.engine.open())
    }
}
