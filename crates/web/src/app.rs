//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use banyan_catalog::{Catalog, Players};
use tokio::sync::Semaphore;

use crate::about::EngineView;
use crate::analysis::Asked;
use crate::events::{Stop, Work, stream_of};
use crate::jobs::Jobs;
use crate::limits::ServerLimits;
use crate::matches::Matches;
use crate::refusal::Refusal;
use crate::viewers::Viewers;

/// Time that a search waits for another one to end: that of a viewer who has just left ends within 100 ms.
const TURN: Duration = Duration::from_secs(2);

/// The games and players of the server, its limits, and what runs.
pub(crate) struct App {
    pub(crate) catalog: Catalog,
    /// The presets, and the engines of engines.toml: no files.
    pub(crate) players: Players,
    pub(crate) engines: Vec<EngineView>,
    pub(crate) limits: ServerLimits,
    pub(crate) viewers: Viewers,
    pub(crate) analyses: Jobs<Asked>,
    pub(crate) reviews: Jobs<()>,
    pub(crate) matches: Matches,
    /// The file of the external engines, for the record of matches.
    pub(crate) engines_file: Option<String>,
    searches: Arc<Semaphore>,
    closing: Stop,
}

/// What an [`App`] is made of.
pub(crate) struct AppConfig {
    pub(crate) catalog: Catalog,
    pub(crate) players: Players,
    pub(crate) engines: Vec<EngineView>,
    pub(crate) engines_file: Option<String>,
    /// The folder of matches.
    pub(crate) dir: PathBuf,
    pub(crate) limits: ServerLimits,
}

impl App {
    pub(crate) fn new(config: AppConfig) -> App {
        let AppConfig { catalog, players, engines, engines_file, dir, limits } = config;
        let searches = Arc::new(Semaphore::new(limits.searches));
        App {
            catalog,
            players,
            engines,
            limits,
            viewers: Viewers::default(),
            analyses: Jobs::default(),
            reviews: Jobs::default(),
            matches: Matches::new(dir, limits.jobs),
            engines_file,
            searches,
            closing: Stop::default(),
        }
    }

    /// Runs a search and answers with its events, as soon as it is its turn.
    pub(crate) async fn events_of(&self, work: Work, stop: &Stop) -> Response {
        match tokio::time::timeout(TURN, Arc::clone(&self.searches).acquire_owned()).await {
            Ok(Ok(permit)) => stream_of(work, [stop, &self.closing], permit),
            _ => {
                let found = format!("{} searches that run", self.limits.searches);
                Refusal::too_many(&found, "expected fewer", "try again when one has ended").into_response()
            }
        }
    }

    /// Ends all searches, and admits no more.
    pub(crate) fn stop(&self) {
        self.searches.close();
        self.closing.set();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_set()
    }
}
