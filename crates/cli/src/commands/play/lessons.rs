//! Reviews of the game at the prompt: of all of it, and of the last mistake of a person.

use std::fmt::Display;
use std::time::Duration;

use anyhow::Result;
use banyan_catalog::view::side_word;
use banyan_catalog::{Budget, Catalog, GameState, Means, Opening, PlayerSpec, Session};
use banyan_core::Side;
use banyan_review::{Mark, ReasonView, Review, ReviewPlan, ReviewedMove, Reviewer, reasons_in_words};
use banyan_texts::Language;

use super::words;
use crate::commands::review::{open, value_positions};
use crate::interrupt::Interrupt;
use crate::output::move_names::{short_name, short_names};
use crate::output::search_progress::principal_variation;

/// The limit of each position, as that of `banyan review`.
const BUDGET: Duration = Duration::from_millis(500);
/// Memory of proofs.
const TABLE_MIB: u32 = 256;
/// The last moves of the game among which a mistake is looked for.
const LAST_MOVES: usize = 20;

/// A review of the whole game at whose end `session` is; of its last moves if Ctrl-C ended it.
pub(crate) fn whole_game(
    session: Session,
    budget: Option<Budget>,
    (interrupt, language): (&Interrupt, Language),
) -> Result<Review> {
    let plan = plan(&session, budget)?;
    let mut reviewer = open(session, plan)?;
    value_positions(&mut reviewer, (interrupt, language), &|_| false)?;
    Ok(reviewer.review(None))
}

/// The last mistake of one of `persons` among the last moves of the game, an inaccuracy only if there is none, and a move that only loses
/// points, proven, if there is none either; with the review of the moves from there on.
pub(crate) fn last_mistake(
    session: Session,
    persons: &[Side],
    budget: Option<Budget>,
    (interrupt, language): (&Interrupt, Language),
) -> Result<(Review, Option<ReviewedMove>)> {
    let n_moves = session.history().len();
    let plies = Some(n_moves.saturating_sub(LAST_MOVES) + 1..=n_moves);
    let plan = ReviewPlan { plies, ..plan(&session, budget)? };
    let mut reviewer = open(session, plan)?;
    let last = |review: &Review, is_asked: fn(&ReviewedMove) -> bool| {
        let is_persons = |mv: &&ReviewedMove| persons.iter().any(|&side| side_word(side) == mv.to_move);
        review.moves.iter().rev().filter(is_persons).find(|mv| is_asked(mv)).cloned()
    };
    let is_mistake = |mv: &ReviewedMove| mv.mark >= Some(Mark::Mistake);
    let enough = |reviewer: &Reviewer| last(&reviewer.review(None), is_mistake).is_some();
    value_positions(&mut reviewer, (interrupt, language), &enough)?;
    let review = reviewer.review(None);
    let found = last(&review, is_mistake)
        .or_else(|| last(&review, |mv| mv.mark.is_some()))
        .or_else(|| last(&review, |mv| mv.exact && mv.loss > 0.0));
    Ok((review, found))
}

/// A review of the last move of the game alone.
pub(crate) fn last_move(
    session: Session,
    budget: Option<Budget>,
    (interrupt, language): (&Interrupt, Language),
) -> Result<Review> {
    let n_moves = session.history().len();
    let plan = ReviewPlan { plies: Some(n_moves..=n_moves), ..plan(&session, budget)? };
    let mut reviewer = open(session, plan)?;
    value_positions(&mut reviewer, (interrupt, language), &|_| false)?;
    Ok(reviewer.review(None))
}

/// The number of moves of a review that `persons` made.
pub(crate) fn n_moves_of(review: &Review, persons: &[Side]) -> usize {
    review.moves.iter().filter(|mv| persons.iter().any(|&side| side_word(side) == mv.to_move)).count()
}

fn plan(session: &Session, budget: Option<Budget>) -> Result<ReviewPlan> {
    let player = session.in_game(&PlayerSpec::default())?;
    let budget = budget.unwrap_or_else(|| Budget::time(BUDGET));
    player.check(&budget)?;
    player.refuse_unused(&budget)?;
    Ok(ReviewPlan {
        player,
        budget: budget.to_string(),
        limits: budget.first_limits(),
        means: Means { table_mib: TABLE_MIB, threads: 1 },
        seed: 1,
        plies: None,
        opening_plies: 0,
    })
}

/// Gives the moves of a review their shortest names.
pub(crate) fn shorten_names(catalog: &Catalog, review: &mut Review) -> Result<()> {
    let game = catalog.game(&review.game)?;
    for mv in &mut review.moves {
        let before = game.begin(Opening::Position(&mv.position))?;
        *mv = shortened(&before, mv);
    }
    Ok(())
}

/// A move made in this position, with the shortest names of all moves.
fn shortened(before: &GameState, mv: &ReviewedMove) -> ReviewedMove {
    let reasons =
        mv.reasons.iter().cloned().map(|reason| ReasonView { line: short_names(before, &reason.line), ..reason });
    let [made, best] = [&mv.mv, &mv.best].map(|mv| short_name(before, mv));
    ReviewedMove { mv: made, best, pv: short_names(before, &mv.pv), reasons: reasons.collect(), ..mv.clone() }
}

/// A reviewed move as the person reads it.
pub(crate) enum Told<'a> {
    /// It was made in the game.
    Made,
    /// It could be made now.
    Here,
    /// It could have been made instead of this move of the game.
    InsteadOf(&'a str),
}

/// A move in lines of text: the move, what it lost, why, and the better line; with `short` names of moves as on the board.
pub(crate) fn explained(
    catalog: &Catalog,
    review: &Review,
    mv: &ReviewedMove,
    (told, short): (Told<'_>, bool),
    language: Language,
) -> Result<Vec<String>> {
    let session = catalog.game(&review.game)?.open(Opening::Position(&mv.position))?;
    let named = if short { shortened(&session, mv) } else { mv.clone() };
    let side = language.side(session.side_name(session.to_move()));
    let loss = words::loss_or_none(language, &session, mv, review.unit);
    let (side, name): ((&str, &dyn Display), (&str, &dyn Display)) = (("side", &side), ("move", &named.mv));
    let mut lines = vec![match told {
        Told::Made => language.say("terminal.mistake", &[("n", &mv.ply), side, name, ("loss", &loss)]),
        Told::Here => language.say("terminal.here", &[side, name, ("loss", &loss)]),
        Told::InsteadOf(made) => {
            let made = if short { short_name(&session, made) } else { made.to_owned() };
            language.say("terminal.instead", &[("n", &mv.ply), side, name, ("made", &made), ("loss", &loss)])
        }
    }];
    if !mv.loses() || mv.best == mv.mv {
        return Ok(lines);
    }
    lines.extend(reasons_in_words(review, &named, language));
    lines.push(language.say("terminal.better", &[("line", &principal_variation(&named.pv))]));
    Ok(lines)
}
