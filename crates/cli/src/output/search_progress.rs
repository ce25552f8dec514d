//! Progress of a search: a live line while it runs, one line when it is done.

use std::time::Duration;

use banyan_catalog::AnalysisObserver;
use banyan_catalog::view::{Analysis, Proof};
use banyan_core::Flow;
use banyan_texts::Language;
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::Interrupt;

/// Maximum number of moves printed of a principal variation.
pub(crate) const LINE_MOVES: usize = 8;

/// Makes the text of a line from a running search.
type Text<'a> = Box<dyn Fn(&Analysis) -> String + 'a>;

/// Shows the progress of searches on a terminal, and stops them on Ctrl-C.
pub(crate) struct SearchProgress<'a> {
    line: ProgressBar,
    interrupt: &'a Interrupt,
    /// The text of the line during a search; the message set before it if there is none.
    text: Option<Text<'a>>,
}

impl<'a> SearchProgress<'a> {
    /// Shows work, value and principal variation.
    pub(crate) fn new(interrupt: &'a Interrupt, language: Language) -> SearchProgress<'a> {
        SearchProgress::with_text(interrupt, move |analysis| {
            let (line, percent) = (principal_variation(&analysis.pv), format!("{:.1}", analysis.win_percent()));
            let work = work(analysis, language);
            language.say("search.running", &[("work", &work), ("percent", &percent), ("line", &line)])
        })
    }

    /// Shows a text about the search.
    pub(crate) fn with_text(interrupt: &'a Interrupt, text: impl Fn(&Analysis) -> String + 'a) -> SearchProgress<'a> {
        SearchProgress { line: live_line(), interrupt, text: Some(Box::new(text)) }
    }

    /// Shows the messages that are set between searches.
    pub(crate) fn of_many(interrupt: &'a Interrupt) -> SearchProgress<'a> {
        SearchProgress { line: live_line(), interrupt, text: None }
    }

    pub(crate) fn set_message(&self, message: String) {
        self.line.set_message(message);
    }
}

impl Drop for SearchProgress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

impl AnalysisObserver for SearchProgress<'_> {
    fn stopped(&mut self) -> bool {
        self.interrupt.pressed()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        match &self.text {
            Some(text) => self.line.set_message(text(analysis)),
            None => self.line.tick(),
        }
        Flow::Continue
    }
}

/// A line on stderr that is overwritten; nothing if stderr is not a terminal.
pub(crate) fn live_line() -> ProgressBar {
    let style = ProgressStyle::with_template("[{elapsed_precise}] {wide_msg}").expect("a valid template");
    ProgressBar::new_spinner().with_style(style)
}

/// The line printed at the end of a search.
pub(crate) fn done(analysis: &Analysis, language: Language) -> String {
    if is_unvalued(analysis) {
        return language.say("search.no-value", &[]);
    }
    let percent = format!("{:.2}", analysis.win_percent());
    let mut text = language.say("search.done", &[("work", &work(analysis, language)), ("percent", &percent)]);
    match (&analysis.proof, analysis.margin) {
        (Some(_), _) if analysis.ends_in.is_some() => {
            let key = if analysis.value > 0.0 { "proof.win-in" } else { "proof.loss-in" };
            let proof = language.say(key, &[("n", &analysis.ends_in.unwrap_or_default())]);
            text += &language.say("search.proven", &[("proof", &proof)]);
        }
        (Some(proof), _) if proof.outcome().is_some() => {
            let key = if analysis.book { "search.proven-by-book" } else { "search.proven" };
            text += &language.say(key, &[("proof", &proof_in_words(*proof, language))]);
        }
        (_, Some(margin)) => text += &language.say("search.margin", &[("margin", &signed(margin, 1))]),
        (_, None) => {}
    }
    if analysis.depth.is_none() && !is_unsearched(analysis) {
        let reused = format!("{:.1}", 100.0 * analysis.reused);
        text += &language.say("search.reused", &[("percent", &reused), ("n", &analysis.nodes)]);
    }
    text
}

/// `win +3`, `loss -9 .. -2`, `draw`.
fn proof_in_words(proof: Proof, language: Language) -> String {
    let words = proof.in_words();
    match words.split_once(' ') {
        Some(("win", margin)) => language.say("proof.win", &[("margin", &margin)]),
        Some(("loss", margin)) => language.say("proof.loss", &[("margin", &margin)]),
        _ if proof.outcome() == Some(0) => language.say("proof.draw", &[]),
        _ => words,
    }
}

/// Whether the player has given no value: it has not searched, and the value is that of a game of which nothing is known.
fn is_unvalued(analysis: &Analysis) -> bool {
    let has_searched = analysis.playouts > 0 || analysis.nodes > 0 || analysis.depth.is_some() || analysis.book;
    !has_searched && analysis.value == 0.0 && analysis.proof.is_none() && analysis.margin.is_none()
}

/// Whether the move is one of a book that is played without a search.
pub(crate) fn is_unsearched(analysis: &Analysis) -> bool {
    analysis.book && analysis.playouts == 0 && analysis.depth.is_none()
}

/// A number with its sign, and without one if it is rounded to zero.
pub(crate) fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    if text.trim_start_matches(['+', '-', '0', '.']).is_empty() { text[1..].to_owned() } else { text }
}

/// The work of a search so far: depth and positions for alpha-beta, playouts for other players; or that the move is
/// from a book.
fn work(analysis: &Analysis, language: Language) -> String {
    if is_unsearched(analysis) {
        return language.say("search.book", &[("n", &analysis.nodes)]);
    }
    match analysis.depth {
        Some(depth) => language.say("search.depth", &[("depth", &depth), ("n", &analysis.nodes)]),
        None => language.say("search.playouts", &[("n", &analysis.playouts)]),
    }
}

/// The first moves of a principal variation.
pub(crate) fn principal_variation(pv: &[String]) -> String {
    let more = if pv.len() > LINE_MOVES { " ..." } else { "" };
    pv[..pv.len().min(LINE_MOVES)].join(" ") + more
}

/// Wall-clock time of a search.
pub(crate) fn elapsed(analysis: &Analysis) -> Duration {
    Duration::from_secs_f64(analysis.elapsed_ms / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        for (number, decimals, expected) in
            [(-0.04, 1, "0.0"), (0.04, 1, "0.0"), (-0.05001, 1, "-0.1"), (-0.004, 2, "0.00"), (2.0, 1, "+2.0")]
        {
            assert_eq!(signed(number, decimals), expected);
        }
    }
}
