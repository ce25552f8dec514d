//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::asked::Asked;
use crate::events::{EndsWork, Stop, Work, stream_of};
use crate::jobs::Jobs;
use crate::matches::Matches;
use crate::offer::Offer;
use crate::refusal::{Code, Refusal};
use crate::viewers::Viewers;

/// Time that a search waits for another one to end: that of a viewer who has just left ends within 100 ms.
const TURN: Duration = Duration::from_secs(2);

/// What the server offers, and what runs.
pub(crate) struct App {
    pub(crate) offer: Offer,
    pub(crate) viewers: Viewers,
    pub(crate) analyses: Jobs<Asked>,
    pub(crate) reviews: Jobs<()>,
    pub(crate) matches: Matches,
    searches: Arc<Semaphore>,
    closing: Stop,
}

impl App {
    /// Matches are folders in `dir`.
    pub(crate) fn new(offer: Offer, dir: PathBuf) -> App {
        let searches = Arc::new(Semaphore::new(offer.limits.searches));
        let matches = Matches::new(dir, offer.limits.jobs);
        App {
            offer,
            viewers: Viewers::default(),
            analyses: Jobs::default(),
            reviews: Jobs::default(),
            matches,
            searches,
            closing: Stop::default(),
        }
    }

    /// Runs a search and answers with its events, as soon as it is its turn.
    pub(crate) async fn events_of(&self, work: Work, stop: &Stop) -> Response {
        // A job whose events are refused, or whose viewer leaves before they begin, must not count as one that runs.
        let guard = EndsWork(stop.clone());
        match tokio::time::timeout(TURN, Arc::clone(&self.searches).acquire_owned()).await {
            Ok(Ok(permit)) => stream_of(work, guard, &self.closing, permit),
            _ => {
                let found = format!("{} searches that run", self.offer.limits.searches);
                Refusal::new(Code::ManySearches, &found, "expected fewer", "try again when one has ended")
                    .into_response()
            }
        }
    }

    /// Ends all searches, and admits no more.
    pub(crate) fn stop(&self) {
        self.searches.close();
        self.closing.set();
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use banyan_catalog::{Catalog, Players};

    use super::*;
    use crate::limits::ServerLimits;

    #[test]
    fn a_search_that_is_refused_counts_no_longer() {
        let (catalog, players, limits) = (Catalog::empty(), Players::presets(), ServerLimits::default());
        let offer = Offer { catalog, players, engines: Vec::new(), engines_file: None, limits };
        let app = App::new(offer, PathBuf::new());
        app.stop();
        let stop = Stop::default();
        let work: Work = Box::new(|_| Err(Refusal::internal()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let answer = runtime.block_on(app.events_of(work, &stop));
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(stop.is_set(), "else its job would wait for ever");
    }
}
