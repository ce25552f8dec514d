//! The analysis of a position, as reported to a page during the search.

use std::time::Instant;

use banyan_catalog::view::Analysis;
use serde::Serialize;

use crate::events::EVERY;

/// An [`Analysis`] with its speed.
#[derive(Serialize)]
pub(crate) struct AnalysisView {
    #[serde(flatten)]
    analysis: Analysis,
    /// Playouts per second; for alpha-beta positions per second.
    rate: f64,
}

impl AnalysisView {
    pub(crate) fn new(analysis: Analysis) -> AnalysisView {
        let n = if analysis.depth.is_some() { analysis.nodes } else { analysis.playouts };
        let rate = if analysis.elapsed_ms > 0.0 { n as f64 / analysis.elapsed_ms * 1000.0 } else { 0.0 };
        AnalysisView { rate: rate.round(), analysis }
    }
}

/// Limits the rate of events.
#[derive(Default)]
pub(crate) struct Throttle(Option<Instant>);

impl Throttle {
    pub(crate) fn is_due(&mut self) -> bool {
        let is_due = self.0.is_none_or(|last| last.elapsed() >= EVERY);
        if is_due {
            self.0 = Some(Instant::now());
        }
        is_due
    }
}
