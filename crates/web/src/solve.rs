//! The exact value of a position: `POST /api/solve`.

use std::sync::Arc;
use std::time::Duration;

use banyan_catalog::view::{Analysis, Proof};
use banyan_catalog::{AnalysisObserver, Budget, Means};
use banyan_core::{Flow, Limits, TextError};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::events::{Message, Reporter, Work};
use crate::progress::Throttle;
use crate::refusal::Refusal;
use crate::spot::Spot;

/// Default time limit.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// A requested solution.
#[derive(Deserialize)]
pub(crate) struct Query {
    spot: Spot,
    #[serde(default)]
    budget: Option<String>,
}

/// The result so far.
#[derive(Serialize)]
struct SolvingView {
    nodes: u64,
    elapsed_ms: f64,
    proof: Option<Proof>,
}

/// Checks a request, and turns it into work.
pub(crate) fn prepare(app: &Arc<App>, query: &Query) -> Result<Work, Refusal> {
    let session = query.spot.open(&app.offer.catalog)?;
    let limits = query.budget.as_deref().map_or(Ok(Budget::time(USUAL_TIME).first_limits()), limits)?;
    let means = Means { table_mib: app.offer.limits.memory_mib, threads: app.offer.limits.threads };
    let work = move |reporter: &Reporter| {
        let solved = session.solve(means, &limits, &mut Observer { reporter, throttle: Throttle::default() });
        Ok(Message::new("done", &solved))
    };
    Ok(Box::new(work))
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

struct Observer<'a> {
    reporter: &'a Reporter,
    throttle: Throttle,
}

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        self.reporter.stopped()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.throttle.is_due() {
            let Analysis { nodes, elapsed_ms, proof, .. } = *analysis;
            self.reporter.send(Message::new("progress", &SolvingView { nodes, elapsed_ms, proof }));
        }
        Flow::Continue
    }
}
