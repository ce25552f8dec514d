//! `banyan match`: runs a match between players and reports the result.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use banyan_arena::stats::Decision;
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::{Exported, Games, Report, match_report, with_games};
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::{Summary, by_opening, kept_drops};

use super::loss_review;
use super::match_args::MatchArgs;
use crate::Exit;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::results;
use crate::output::terminal::Terminal;
use crate::program::shell_word;

impl FolderCommand for MatchArgs {
    const KIND: Kind = Kind::Match;
    const HAS_EVENTS: bool = true;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn check(&self) -> Result<()> {
        results::check_exports(&self.export, self.shared.out.as_deref())?;
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
        let exports = self.export.iter().map(|path| format!(" --export {}", shell_word(path)));
        let review = self.review.map(|budget| format!(" --review {budget}"));
        exports.chain(review).collect()
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let played = frame.play(stage, terminal)?;
        report(self, frame, &played, terminal)
    }
}

/// Prints the result on stdout and the warnings on stderr; `record` is the folder of the games, if there is one.
pub(super) fn print(
    summary: &Summary,
    report: &Report,
    record: Option<&Path>,
    json: bool,
    terminal: &mut Terminal,
) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(&summary.done()))?;
        return Ok(());
    }
    results::print_tables(report, terminal)?;
    results::print_warnings(&report.warnings, record, terminal)
}

/// Writes and prints the result.
fn report(args: &MatchArgs, frame: &Frame<'_>, match_: &PlayedStage, terminal: &mut Terminal) -> Result<Ended> {
    let PlayedStage { folder, played, .. } = match_;
    let quiet = args.shared.quiet;
    let mut summary = Summary::of(folder.config(), &played.lines);
    summary.openings = by_opening(folder.config(), &played.lines, frame.catalog);
    folder.write_file("summary.json", &(json_line(&summary) + "\n"))?;
    if let Some(budget) = args.review {
        let terms = loss_review::Terms { budget, jobs: frame.jobs, only_kept: played.unfinished, quiet };
        let known = (frame.catalog, &frame.players);
        summary.loss_review = Some(loss_review::review(&terms, known, (folder, &played.lines), terminal)?);
    }
    let is_reviewed = summary.loss_review.as_ref().is_none_or(|review| review.reviewed == review.to_review);
    let (config, lines) = (folder.config(), &played.lines);
    let drops = kept_drops(folder.path(), lines);
    let games = Games { catalog: frame.catalog, lines, drops: &drops };
    let report = with_games(match_report(config, &summary), config, &summary, games);
    let json = json_line(&summary);
    results::export(&args.export, &Exported { config, summary: &summary, json: &json, report: &report })?;
    if !quiet {
        results::note_exports(&args.export, terminal)?;
        print(&summary, &report, Some(folder.path()), args.shared.json, terminal)?;
        match (args.shared.json, args.review) {
            (true, _) => {}
            (false, Some(_)) => results::print_lost(folder.path(), &report, terminal)?,
            (false, None) => results::note_lost(folder.path(), (config, &report), terminal)?,
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
