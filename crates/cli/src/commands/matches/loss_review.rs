//! `--review` of `banyan match` and `banyan ladder`: reviews the lost games for the reports.

use std::io::Write;

use anyhow::{Result, anyhow};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::storage::{Journal, JournalKind, LineForm, Opened};
use banyan_catalog::{Budget, Catalog, DEFAULT_PLAYER, Players};
use banyan_core::{Flow, TextError};
use banyan_matches::{LossReview, LossReviewer, MatchFolder};
use indicatif::ProgressBar;

use crate::interrupt::Interrupt;
use crate::output::search_progress::live_line;
use crate::output::terminal::Terminal;

const KIND: JournalKind = JournalKind {
    form: LineForm::Json,
    busy: "reviewing this match",
    work: "the review",
    in_folder: true,
    resume: |path| format!("resume the match with --resume {path} and the same --review"),
};

/// Checks the budget.
///
/// # Errors
/// It is one for whole games.
pub(crate) fn check(budget: &Budget) -> Result<(), TextError> {
    if budget.game.is_some() {
        let expected = "expected a limit for each position, not for a game";
        return Err(TextError::new(format!("--review {budget}"), expected, "try --review 100ms"));
    }
    Ok(())
}

/// Parameters of a review.
pub(crate) struct Terms {
    /// The limits of each position.
    pub(crate) budget: Budget,
    /// Games reviewed in parallel.
    pub(crate) jobs: usize,
    /// Whether only existing reviews of the folder are used, as after an interrupted match.
    pub(crate) only_kept: bool,
    /// Whether progress is not shown.
    pub(crate) quiet: bool,
}

/// Reviews the lost games without a stored review, until Ctrl-C, and stores each review when it is done.
pub(crate) fn review(
    terms: &Terms,
    (catalog, players): (&Catalog, &Players),
    (folder, games): (&MatchFolder, &[GameLine]),
    terminal: &mut Terminal,
) -> Result<LossReview> {
    let player = players.player(DEFAULT_PLAYER)?;
    let mut reviewer = LossReviewer::new(catalog, (player, terms.budget), games);
    let path = folder.path().join(LossReviewer::FILE);
    let Opened { mut journal, lines } = Journal::open(&path, &KIND)?;
    // A damaged line is ignored: the game is reviewed again.
    lines.iter().flatten().for_each(|(_, line)| reviewer.recall(line));
    let (n_games, n_kept) = reviewer.progress();
    if terms.only_kept || n_kept == n_games {
        return Ok(reviewer.result());
    }
    // Invalid content, such as an incomplete last line, is removed before lines are appended.
    let fitting = reviewer.lines();
    if fitting.len() != lines.len() || !lines.rest().is_empty() {
        journal.replace(&fitting)?;
    }
    let interrupt = Interrupt::install();
    let line = if terms.quiet { ProgressBar::hidden() } else { live_line() };
    let message = |done: usize| format!("reviewing lost games: {done} of {n_games}");
    line.set_message(message(n_kept));
    line.tick();
    let mut written = Ok(());
    let reviewed = reviewer.run(terms.jobs, &|| interrupt.pressed(), &mut |kept, done| {
        line.set_message(message(done));
        line.tick();
        written = journal.append(kept);
        if written.is_ok() { Flow::Continue } else { Flow::Stop }
    });
    line.finish_and_clear();
    reviewed.map_err(|err| anyhow!("{DEFAULT_PLAYER}: {err}"))?;
    written.and_then(|()| journal.sync())?;
    let result = reviewer.result();
    if !terms.quiet {
        let kept = if n_kept > 0 { format!(", {n_kept} of them before") } else { String::new() };
        writeln!(terminal.err, "{} of {n_games} lost games are reviewed{kept}", result.reviewed)?;
    }
    Ok(result)
}
