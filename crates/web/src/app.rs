//! State shared by all requests: capabilities, threads, and limits on concurrent work.

use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Offer, Refusal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::about::{EngineView, ServerAbout};
use crate::asked::Asked;
use crate::clients::{Client, PerClient};
use crate::events::{Begin, EndsWork, Stop, Work, events};
use crate::exchange::Json;
use crate::jobs::{Jobs, Pace};
use crate::limits::ServerLimits;
use crate::matches::Matches;
use crate::queue::Queue;
use crate::refusal::Refused;
use crate::viewers::Viewers;
use crate::workers::Workers;

/// Time that a request waits for another one to end.
const TURN: Duration = Duration::from_secs(2);
/// Time that a quick search waits for others: even in a long queue this is faster than a new request.
const QUICK_TURN: Duration = Duration::from_secs(20);
/// Threads that compute immediate answers: boards, checks of requests, pictures.
const ANSWERING: usize = 8;
/// Threads that serialise the tops of search trees.
const TREES: usize = 2;
/// Threads that read the folders of matches, and may block on the disk.
const READING: usize = 4;
/// Threads that read imported games.
const IMPORTING: usize = 2;
/// Threads that start matches, and may block on engines.
const STARTING: usize = 2;
/// Maximum number of files being received for an import, in total and of one client.
const FILES: usize = 4;
const FILES_OF_CLIENT: usize = 2;

/// Capabilities and running work of the server.
pub(crate) struct App {
    /// Its players are the presets, and the engines of engines.toml; no files.
    pub(crate) offer: Offer,
    pub(crate) limits: ServerLimits,
    pub(crate) about: Result<Json, Refusal>,
    pub(crate) viewers: Viewers,
    pub(crate) analyses: Jobs<Asked>,
    pub(crate) reviews: Jobs<()>,
    pub(crate) matches: Matches,
    pub(crate) answering: Workers,
    pub(crate) trees: Workers,
    pub(crate) reading: Workers,
    pub(crate) importing: Workers,
    pub(crate) starting: Workers,
    pub(crate) searches: Queue,
    quick: Arc<Semaphore>,
    files: Arc<Semaphore>,
    files_of: PerClient,
    closing: Stop,
}

impl App {
    pub(crate) fn new(offer: Offer, engines: &[EngineView], limits: ServerLimits, matches: Matches) -> App {
        let searches = Queue::new(limits.searches);
        let n_quick = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        App {
            about: Json::of(&ServerAbout::of(&offer, engines, &limits)),
            offer,
            limits,
            viewers: Viewers::default(),
            analyses: Jobs::default(),
            reviews: Jobs::default(),
            matches,
            answering: Workers::new(ANSWERING, 10 * TURN, "requests that are computed"),
            trees: Workers::new(TREES, TURN, "trees that are read"),
            reading: Workers::new(READING, TURN, "requests for matches that wait for the disk"),
            importing: Workers::new(IMPORTING, 10 * TURN, "files that are imported"),
            starting: Workers::new(STARTING, TURN, "matches that are started"),
            searches,
            quick: Arc::new(Semaphore::new(n_quick)),
            files: Arc::new(Semaphore::new(FILES)),
            files_of: PerClient::new(FILES_OF_CLIENT),
            closing: Stop::default(),
        }
    }

    /// Blocking threads of the runtime: one for each worker of a group, so that none of them waits for another, one to end matches and
    /// one to drop trees.
    pub(crate) fn n_threads(&self) -> usize {
        ANSWERING + TREES + READING + IMPORTING + STARTING + 2
    }

    /// Answers with the events of a search: of its place in the queue, and then its own.
    pub(crate) async fn events_of(&self, client: Client, work: Work, stop: &Stop, pace: Pace) -> Response {
        self.events_replacing(client, (work, pace), stop, || {}).await
    }

    /// Answers as [`events_of`](App::events_of), and calls `admitted` if the search is not refused.
    pub(crate) async fn events_replacing(
        &self,
        client: Client,
        (work, pace): (Work, Pace),
        stop: &Stop,
        admitted: impl FnOnce(),
    ) -> Response {
        // A job whose events are refused, or whose viewer leaves before they begin, must not count as running.
        let guard = EndsWork(stop.clone());
        let begun = match pace {
            Pace::Long => self.searches.join(client).map(Begin::Waits),
            Pace::Quick => permit(QUICK_TURN, &self.quick).await.map(Begin::Now),
        };
        match begun {
            Some(begin) => {
                admitted();
                events(work, guard, &self.closing, begin)
            }
            None => Refused(self.many_searches()).into_response(),
        }
    }

    fn many_searches(&self) -> Refusal {
        let found = format!("{} searches that run, and as many that wait as the queue takes", self.limits.searches);
        Refusal::new(Code::ManySearches, &found, "expected fewer", "try again when one has ended")
    }

    /// Reserves memory for a file that a client sends, for as long as the permits are held.
    pub(crate) async fn room_for_file(&self, client: Client) -> Result<[OwnedSemaphorePermit; 2], Refusal> {
        let own = permit(TURN, &self.files_of.semaphore(client)).await;
        let all = permit(TURN, &self.files).await;
        own.zip(all).map(<[OwnedSemaphorePermit; 2]>::from).ok_or_else(|| {
            let found = format!("{FILES} files that arrive, or {FILES_OF_CLIENT} of one client");
            Refusal::new(Code::Busy, &found, "expected fewer", "try again later")
        })
    }

    /// Ends all searches, and admits no more.
    pub(crate) fn stop(&self) {
        self.searches.close();
        self.quick.close();
        self.closing.set();
    }
}

/// A permit, if one becomes free within `patience`.
async fn permit(patience: Duration, semaphore: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    timeout(patience, Arc::clone(semaphore).acquire_owned()).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use axum::http::StatusCode;
    use banyan_catalog::{Catalog, PlayerCaps, Players};

    use super::*;

    #[test]
    fn a_search_that_is_refused_counts_no_longer() {
        let (catalog, players, limits) = (Catalog::empty(), Players::presets(), ServerLimits::default());
        let caps = PlayerCaps { threads: limits.threads, memory_mib: limits.memory_mib };
        let matches = Matches::new(PathBuf::new(), None, &limits);
        let app = App::new(Offer { catalog, players, caps }, &[], limits, matches);
        app.stop();
        let stop = Stop::default();
        let work: Work = Box::new(|_| Err(Refusal::internal()));
        let client = Client::of(([127, 0, 0, 1], 1).into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let answer = runtime.block_on(app.events_of(client, work, &stop, Pace::Long));
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(stop.is_set(), "else its job would wait for ever");
    }
}
