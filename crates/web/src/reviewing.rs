//! The review of a game: `POST /api/review` and its events.

use std::sync::Arc;

use banyan_catalog::{AnalysisObserver, Means};
use banyan_core::TextError;
use banyan_review::{Review, ReviewPlan, Reviewer};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::events::{Message, Reporter, Work};
use crate::player::finite_budget;
use crate::progress::Throttle;
use crate::refusal::Refusal;
use crate::spot::Spot;

/// The default limit for each position.
const USUAL_BUDGET: &str = "500ms";

/// A game to be reviewed.
#[derive(Deserialize)]
pub(crate) struct Query {
    spot: Spot,
    #[serde(default)]
    player: Option<String>,
    /// Limit for each position.
    #[serde(default)]
    budget: Option<String>,
    #[serde(default)]
    players: Option<[String; 2]>,
    /// Moves at the beginning that no player chose.
    #[serde(default)]
    opening_plies: usize,
}

/// A partial review, which grows from the last move backwards.
#[derive(Serialize)]
struct ProgressView {
    /// Number of positions evaluated.
    done: usize,
    of: usize,
    review: Review,
}

/// Ends a proof or a search whose viewer has left.
struct Observer<'a>(&'a Reporter);

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        self.0.stopped()
    }
}

/// Checks a request, and turns it into work that begins when its events are read.
pub(crate) fn prepare(app: &Arc<App>, query: Query) -> Result<Work, Refusal> {
    let session = query.spot.open(&app.offer.catalog)?;
    if session.history().len() <= query.opening_plies {
        let err = TextError::new("a game without moves", "expected a game with moves", "play or import one");
        return Err(Refusal::in_field("moves", &err));
    }
    let player = app.offer.player(&session, query.player.as_deref())?;
    let budget = finite_budget(query.budget.as_deref().unwrap_or(USUAL_BUDGET), &player)?;
    if budget.game.is_some() {
        let err = TextError::new(budget.to_string(), "expected a limit for each position", "try 500ms");
        return Err(Refusal::in_field("budget", &err));
    }
    let plan = ReviewPlan {
        player,
        budget: budget.to_string(),
        limits: budget.first_limits(),
        means: Means { table_mib: app.offer.limits.memory_mib, threads: 1 },
        seed: 1,
        plies: None,
        opening_plies: query.opening_plies,
    };
    let work = move |reporter: &Reporter| {
        let failed = |err: banyan_review::ReviewError| Refusal::input(err.to_string());
        let mut reviewer = Reviewer::open(session, plan).map_err(failed)?;
        let mut throttle = Throttle::default();
        while reviewer.step(&mut Observer(reporter)).map_err(failed)? {
            if throttle.is_due() {
                let ((of, done), review) = (reviewer.progress(), reviewer.review(query.players.clone()));
                reporter.send(Message::new("progress", &ProgressView { done, of, review }));
            }
        }
        Ok(Message::new("done", &reviewer.review(query.players)))
    };
    Ok(Box::new(work))
}
