//! `banyan match`: runs a match between players and reports the result.

use std::io::Write;

use anyhow::Result;
use banyan_arena::stats::Decision;
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::{Details, Outcome, write_result};
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::{LossReview, kept_drops};

use super::loss_review;
use super::match_args::MatchArgs;
use crate::Exit;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::results;
use crate::output::terminal::Terminal;

impl FolderCommand for MatchArgs {
    const KIND: Kind = Kind::Match;
    const HAS_EVENTS: bool = true;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn check(&self) -> Result<()> {
        Ok(self.review.iter().try_for_each(loss_review::check)?)
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        self.requested(catalog, players)
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        self.given()
    }

    fn pairs(&self) -> Option<u64> {
        self.pairs.or(self.max_pairs)
    }

    fn resume_options(&self) -> String {
        self.review.map(|budget| format!(" --review {budget}")).unwrap_or_default()
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let played = frame.play(stage, terminal)?;
        report(self, frame, &played, terminal)
    }
}

/// Writes and prints the result.
fn report(args: &MatchArgs, frame: &Frame<'_>, match_: &PlayedStage, terminal: &mut Terminal) -> Result<Ended> {
    let PlayedStage { folder, played, .. } = match_;
    let quiet = args.shared.quiet;
    let language = terminal.language;
    let mut details = Details::default();
    if let Some(budget) = args.review {
        // A review takes long; the result of the games does not wait for it.
        let outcome =
            Outcome::of(frame.catalog, Kind::Match, &[match_.games()], Details { language, ..Details::default() })?;
        write_result(folder, &outcome)?;
        let terms = loss_review::Terms { budget, jobs: frame.jobs, only_kept: played.unfinished, quiet };
        let known = (frame.catalog, &frame.players);
        details.loss_review = Some(loss_review::review(&terms, known, (folder, &played.lines), terminal)?);
    }
    let is_reviewed = details.loss_review.as_ref().is_none_or(LossReview::is_complete);
    details.drops = kept_drops(folder.path(), &played.lines);
    let outcome = frame.ending(folder).write(&[match_.games()], details, terminal)?;
    if !quiet && !args.shared.json {
        match args.review {
            Some(_) => results::print_lost(folder.path(), outcome.report(), terminal)?,
            None => results::note_lost(folder.path(), &outcome, terminal)?,
        }
    }
    if played.uncounted > 0 && !quiet {
        writeln!(
            terminal.err,
            "{} games finished after the test was decided; they are recorded but not counted",
            played.uncounted
        )?;
    }
    if played.unfinished || !is_reviewed {
        return Ok(Ended::Unfinished);
    }
    Ok(Ended::Finished(match played.standing.sprt().map(|state| state.decision) {
        None | Some(Decision::AcceptH1) => Exit::Done,
        Some(Decision::AcceptH0) => Exit::No,
        Some(Decision::Continue) => {
            writeln!(terminal.err, "undecided after {} pairs; raise --max-pairs to continue", played.standing.pairs)?;
            Exit::No
        }
    }))
}
