//! The exact value of a position.

use std::time::Duration;

use banyan_catalog::view::{Analysis, Proof, Solved};
use banyan_catalog::{AnalysisObserver, Budget, Means, Session};
use banyan_core::{Flow, Limits, TextError};
use serde::{Deserialize, Serialize};

use crate::offer::Offer;
use crate::refusal::Refusal;
use crate::sink::Sink;
use crate::spot::Spot;

/// Default time limit.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// A requested solution.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SolveRequest {
    /// The position.
    pub spot: Spot,
    /// A time, a number of nodes, or both; 60s unless given.
    pub budget: Option<String>,
}

/// The result so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolvingView {
    nodes: u64,
    elapsed_ms: f64,
    proof: Option<Proof>,
}

/// A solution that has not begun.
pub struct Solving {
    session: Session,
    limits: Limits,
    means: Means,
}

impl Solving {
    /// Checks a request.
    ///
    /// # Errors
    /// A position or a budget that is invalid.
    pub fn new(offer: &Offer, request: &SolveRequest) -> Result<Solving, Refusal> {
        let session = request.spot.open_to_search(offer)?;
        let limits = request.budget.as_deref().map_or(Ok(Budget::time(USUAL_TIME).first_limits()), limits)?;
        let means = Means { table_mib: offer.caps.memory_mib, threads: offer.caps.threads };
        Ok(Solving { session, limits, means })
    }

    /// Solves the position, until a limit or its sink ends it; it cannot be paused.
    pub fn run(self, sink: &dyn Sink<SolvingView>) -> Solved {
        self.session.solve(self.means, &self.limits, &mut Observer(sink))
    }
}

/// A time, a number of nodes, or both.
fn limits(text: &str) -> Result<Limits, Refusal> {
    let budget: Budget = text.parse().map_err(|err| Refusal::in_field("budget", &err))?;
    let Budget { time, nodes, .. } = budget;
    if budget != (Budget { time, nodes, ..Budget::default() }) {
        let expected = "expected a time, a number of nodes, or both";
        return Err(Refusal::in_field("budget", &TextError::new(text, expected, "try 60s or nodes=1e9")));
    }
    Ok(budget.first_limits())
}

struct Observer<'a>(&'a dyn Sink<SolvingView>);

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        self.0.is_stopped()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.0.is_due() {
            let Analysis { nodes, elapsed_ms, proof, .. } = *analysis;
            self.0.send(SolvingView { nodes, elapsed_ms, proof });
        }
        Flow::Continue
    }
}
