//! Reasons as sentences.

use std::fmt::Display;

use banyan_catalog::view::side_word;
use banyan_core::Side;
use banyan_texts::Language;

use crate::view::{ReasonView, Review, ReviewedMove};

/// Moves of a line in a sentence.
const LINE_MOVES: usize = 8;

/// The reasons of a reviewed move as sentences without a full stop, the most important first, without that of the better line, which is shown
/// beside them. For a game in progress, review its last moves: [`ReviewPlan::plies`](crate::ReviewPlan::plies).
pub fn reasons_in_words(review: &Review, mv: &ReviewedMove, language: Language) -> Vec<String> {
    let sides = side_names(review, language);
    mv.own_reasons().map(|reason| reason_in_words(&sides, (&mv.mv, &mv.best), reason, language)).collect()
}

/// The names of the sides of a review in a language.
pub fn side_names(review: &Review, language: Language) -> [String; 2] {
    review.sides.each_ref().map(|side| language.side(side))
}

/// A reason why the first of two moves is worse than the second one, as a sentence without a full stop; `sides` are their names. A kind
/// without a text, of a game that is not built in, is its own text.
pub fn reason_in_words(
    sides: &[String; 2],
    (mv, better): (&str, &str),
    reason: &ReasonView,
    language: Language,
) -> String {
    let key = format!("reason.{}", reason.kind);
    if !language.has(&key) {
        return reason.kind.replace('-', " ");
    }
    let gains = usize::from(reason.side == side_word(Side::Second));
    let line = first_moves(&reason.line);
    let general: [(&str, &dyn Display); 5] =
        [("move", &mv), ("better", &better), ("side", &sides[gains]), ("other", &sides[1 - gains]), ("line", &line)];
    let names = reason.names.iter().map(|(placeholder, name)| (placeholder.as_str(), name as &dyn Display));
    let numbers = reason.numbers.iter().map(|(placeholder, number)| (placeholder.as_str(), number as &dyn Display));
    let params: Vec<_> = general.into_iter().chain(names).chain(numbers).collect();
    language.say(&key, &params)
}

/// The first moves of a line.
pub(crate) fn first_moves(line: &[String]) -> String {
    let more = if line.len() > LINE_MOVES { " ..." } else { "" };
    line[..line.len().min(LINE_MOVES)].join(" ") + more
}
