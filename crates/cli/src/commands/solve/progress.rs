//! The work of a proof, so far and in total.

use banyan_catalog::view::Proof;

use crate::interrupt::Interrupt;
use crate::output::search_progress::SearchProgress;

/// Shows the bounds proven so far, with the problem being solved before them.
pub(crate) fn solve_progress<'a>(interrupt: &'a Interrupt, problem: &'a str) -> SearchProgress<'a> {
    SearchProgress::with_text(interrupt, move |analysis| {
        let proof = analysis.proof.as_ref().map_or("nothing".to_owned(), Proof::in_words);
        format!("{problem}{:.1} M nodes, proven so far: {proof}", analysis.nodes as f64 / 1e6)
    })
}

/// `1000 nodes in 0.01 s, 0.1 M nodes/s`
pub(crate) fn work(nodes: u64, elapsed_ms: f64) -> String {
    let seconds = elapsed_ms / 1000.0;
    let rate = nodes as f64 / seconds.max(1e-6) / 1e6;
    format!("{nodes} nodes in {seconds:.2} s, {rate:.1} M nodes/s")
}
