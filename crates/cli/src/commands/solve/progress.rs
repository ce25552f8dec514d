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
