//! The work of a proof, so far and in total.

use banyan_catalog::AnalysisObserver;
use banyan_catalog::view::{Analysis, Proof};
use banyan_core::Flow;
use indicatif::ProgressBar;

use crate::interrupt::Interrupt;
use crate::output::search_progress::live_line;

/// Shows the bounds proven so far on a terminal, and stops on Ctrl-C.
pub(crate) struct SolveProgress<'a> {
    line: ProgressBar,
    interrupt: &'a Interrupt,
    /// The problem being solved, at the beginning of the line.
    what: &'a str,
}

impl<'a> SolveProgress<'a> {
    pub(crate) fn new(interrupt: &'a Interrupt, what: &'a str) -> SolveProgress<'a> {
        SolveProgress { line: live_line(), interrupt, what }
    }
}

impl Drop for SolveProgress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

impl AnalysisObserver for SolveProgress<'_> {
    fn stopped(&mut self) -> bool {
        self.interrupt.pressed()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        let proof = analysis.proof.as_ref().map_or("nothing".to_owned(), Proof::in_words);
        self.line.set_message(format!(
            "{}{:.1} M nodes, proven so far: {proof}",
            self.what,
            analysis.nodes as f64 / 1e6
        ));
        Flow::Continue
    }
}

/// `1000 nodes in 0.01 s, 0.1 M nodes/s`
pub(crate) fn work(nodes: u64, elapsed_ms: f64) -> String {
    let seconds = elapsed_ms / 1000.0;
    let rate = nodes as f64 / seconds.max(1e-6) / 1e6;
    format!("{nodes} nodes in {seconds:.2} s, {rate:.1} M nodes/s")
}
