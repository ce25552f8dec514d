//! `banyan merge`: merges the parts of a match.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::MatchError;
use banyan_catalog::view::json_line;
use banyan_core::TextError;
use banyan_matches::exports::{Exported, Games, match_report, with_games};
use banyan_matches::sweep::{StageGames, SweepResult};
use banyan_matches::{Drops, MatchFolder, Merged, Summary, by_opening};
use clap::Args;

use super::{match_, sweep_report};
use crate::Exit;
use crate::output::results;
use crate::output::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folders of the parts: shards of one match or sweep, or the same played on several machines.
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,

    /// New folder for the merged match; without it, only print the result.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Also write the result to this file: .md, .csv, .json, .html, .course.md, .course.csv.
    #[arg(long, value_name = "FILE")]
    export: Vec<String>,

    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Exits with 1 if games that must be equal differ.
pub(crate) fn run(args: &MergeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    results::check_exports(&args.export, args.out.as_deref())?;
    let merged = Merged::read(catalog, &args.parts)?;
    let mut summary = Summary::of(&merged.config, &merged.lines);
    summary.openings = by_opening(&merged.config, &merged.lines, catalog);
    let games = [StageGames { config: &merged.config, lines: &merged.lines }];
    let sweep = merged.config.sweep.as_ref().map(|_| SweepResult::of(&games, false, 0)).transpose()?;
    if let Some(out) = &args.out {
        let created = MatchFolder::create(out, merged.config.clone(), merged.openings.as_ref());
        let mut folder = created.map_err(|err| match err {
            MatchError::Text(err) => MatchError::Text(TextError { remedy: "choose another --out".to_owned(), ..err }),
            err => err,
        })?;
        merged.lines.iter().try_for_each(|line| folder.append(line))?;
        folder.write_file("summary.json", &(json_line(&summary) + "\n"))?;
        if let Some(sweep) = &sweep {
            sweep_report::write(&folder, sweep)?;
        }
        folder.sync()?;
    }
    if merged.duplicates > 0 {
        writeln!(terminal.err, "{} duplicate games, each counted once", merged.duplicates)?;
    }
    let of = merged.config.schedule()?.n_pairs().unwrap_or(0);
    if merged.config.sprt.is_none() && summary.pairs < of {
        writeln!(
            terminal.err,
            "{} of {of} pairs are missing; name every part, or resume the unfinished ones",
            of - summary.pairs
        )?;
    }
    for (pair, game, path) in &merged.conflicts {
        writeln!(
            terminal.err,
            "conflict: game {pair}.{game} of {} differs from the same game of an earlier folder",
            path.display()
        )?;
    }
    let (config, lines) = (&merged.config, &merged.lines);
    let listed = Games { catalog, lines, drops: &Drops::new() };
    let report = with_games(match_report(config, &summary), config, &summary, listed);
    let json = json_line(&summary);
    results::export(&args.export, &Exported { config, summary: &summary, json: &json, report: &report })?;
    results::note_exports(&args.export, terminal)?;
    // Without a new folder, the record is the folder of the part, if there is only one.
    let record =
        args.out.as_deref().or_else(|| args.parts.first().filter(|_| args.parts.len() == 1).map(|path| &**path));
    match &sweep {
        Some(sweep) => sweep_report::print(sweep, &games, args.json, terminal)?,
        None => match_::print(&summary, &report, record, args.json, terminal)?,
    }
    Ok(if merged.conflicts.is_empty() { Exit::Done } else { Exit::No })
}
