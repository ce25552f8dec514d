//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::asked::Asked;
use crate::events::{Stop, Work, stream_of};
use crate::jobs::Jobs;
use crate::matches::Matches;
use crate::offer::Offer;
use crate::refusal::Refusal;
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
        match tokio::time::timeout(TURN, Arc::clone(&self.searches).acquire_owned()).await {
            Ok(Ok(permit)) => stream_of(work, [stop, &self.closing], permit),
            _ => {
                let found = format!("{} searches that run", self.offer.limits.searches);
                Refusal::too_many(&found, "expected fewer", "try again when one has ended").into_response()
            }
        }
    }

    /// Ends all searches, and admits no more.
    pub(crate) fn stop(&self) {
        self.searches.close();
        self.closing.set();
    }
}
