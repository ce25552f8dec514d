//! The review of a game.

use banyan_catalog::{Means, Session, StopWhen};
use banyan_core::TextError;
use banyan_review::{Review, ReviewError, ReviewPlan, Reviewer};
use serde::{Deserialize, Serialize};

use crate::offer::{Offer, finite_budget};
use crate::refusal::Refusal;
use crate::sink::{Sink, Step};
use crate::spot::Spot;

/// The default limit for each position.
const USUAL_BUDGET: &str = "500ms";

/// A game to be reviewed.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReviewRequest {
    /// The end of the game.
    pub spot: Spot,
    /// The reviewer; the default player unless given.
    pub player: Option<String>,
    /// Limit for each position; 500ms unless given.
    pub budget: Option<String>,
    /// Names of the players, the first side's first.
    pub players: Option<[String; 2]>,
    /// Moves at the beginning that no player chose.
    #[serde(default)]
    pub opening_plies: usize,
    /// The first and the last move to review, from 1; all unless given.
    pub plies: Option<[usize; 2]>,
}

/// A partial review, which grows from the last move backwards.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewProgress {
    /// Number of positions evaluated.
    pub done: usize,
    /// Number of positions of the game.
    pub of: usize,
    /// The moves evaluated so far.
    pub review: Review,
}

/// A review that has not begun.
pub struct Reviewing {
    session: Session,
    plan: ReviewPlan,
    players: Option<[String; 2]>,
}

impl Reviewing {
    /// Checks a request.
    ///
    /// # Errors
    /// A game, a player or a budget that is invalid, or above the limits of the offer.
    pub fn new(offer: &Offer, request: ReviewRequest) -> Result<Reviewing, Refusal> {
        let session = request.spot.open_to_search(offer)?;
        if session.history().len() <= request.opening_plies {
            let err = TextError::new("a game without moves", "expected a game with moves", "play or import one");
            return Err(Refusal::in_field("moves", &err));
        }
        let player = offer.player(&session, request.player.as_deref())?;
        let budget = finite_budget(request.budget.as_deref().unwrap_or(USUAL_BUDGET), &player)?;
        if budget.game.is_some() {
            let err = TextError::new(budget.to_string(), "expected a limit for each position", "try 500ms");
            return Err(Refusal::in_field("budget", &err));
        }
        let plan = ReviewPlan {
            player,
            budget: budget.to_string(),
            limits: budget.first_limits(),
            means: Means { table_mib: offer.caps.memory_mib, threads: 1 },
            seed: 1,
            plies: request.plies.map(|[first, last]| first..=last),
            opening_plies: request.opening_plies,
        };
        Ok(Reviewing { session, plan, players: request.players })
    }

    /// Begins it.
    ///
    /// # Errors
    /// A player that cannot play the game, or gives no values.
    pub fn begin(self) -> Result<RunningReview, Refusal> {
        let reviewer = Reviewer::open(self.session, self.plan).map_err(failed)?;
        Ok(RunningReview { reviewer, players: self.players })
    }
}

/// A review that has begun. It can be paused between two positions.
pub struct RunningReview {
    reviewer: Reviewer,
    players: Option<[String; 2]>,
}

impl RunningReview {
    /// Evaluates positions until it has ended or is paused; a review that is stopped has the moves evaluated so far.
    ///
    /// # Errors
    /// The player gave no move, or no value.
    pub fn step(&mut self, sink: &dyn Sink<ReviewProgress>) -> Result<Step<Review>, Refusal> {
        while self.reviewer.step(&mut StopWhen(|| sink.is_stopped())).map_err(failed)? {
            if sink.is_due() {
                let (of, done) = self.reviewer.progress();
                sink.send(ReviewProgress { done, of, review: self.review() });
            }
            if sink.is_paused() {
                return Ok(Step::Paused);
            }
        }
        Ok(Step::Done(self.review()))
    }

    fn review(&self) -> Review {
        self.reviewer.review(self.players.clone())
    }
}

fn failed(err: ReviewError) -> Refusal {
    Refusal::input(err.to_string())
}
