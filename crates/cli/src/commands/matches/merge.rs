//! `banyan merge`: merges the parts of a match.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::MatchError;
use banyan_core::TextError;
use banyan_matches::exports::{Details, Outcome, write_result};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;
use banyan_matches::{MatchFolder, Merged};
use clap::Args;

use crate::Exit;
use crate::frame::export_help;
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

    #[arg(long, value_name = "FILE", help = export_help())]
    export: Vec<String>,

    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Exits with 1 if games that must be equal differ.
pub(crate) fn run(args: &MergeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    results::check_exports(&args.export, args.out.as_deref())?;
    let merged = Merged::read(catalog, &args.parts)?;
    let games = [StageGames { config: &merged.config, lines: &merged.lines }];
    let kind = if merged.config.sweep.is_some() { Kind::Sweep } else { Kind::Match };
    let outcome = Outcome::of(catalog, kind, &games, Details::default())?;
    if let Some(out) = &args.out {
        let created = MatchFolder::create(out, merged.config.clone(), merged.openings.as_ref());
        let mut folder = created.map_err(|err| match err {
            MatchError::Text(err) => MatchError::Text(TextError { remedy: "choose another --out".to_owned(), ..err }),
            err => err,
        })?;
        merged.lines.iter().try_for_each(|line| folder.append(line))?;
        write_result(&folder, &outcome)?;
        folder.sync()?;
    }
    if merged.duplicates > 0 {
        writeln!(terminal.err, "{} duplicate games, each counted once", merged.duplicates)?;
    }
    let of = merged.config.schedule()?.n_pairs().unwrap_or(0);
    let pairs = outcome.summary().pairs;
    if merged.config.sprt.is_none() && pairs < of {
        let missing = of - pairs;
        writeln!(terminal.err, "{missing} of {of} pairs are missing; name every part, or resume the unfinished ones")?;
    }
    for (pair, game, path) in &merged.conflicts {
        writeln!(
            terminal.err,
            "conflict: game {pair}.{game} of {} differs from the same game of an earlier folder",
            path.display()
        )?;
    }
    results::export(&args.export, &outcome)?;
    results::note_exports(&args.export, terminal)?;
    // Without a new folder, the record is the folder of the part, if there is only one.
    let record =
        args.out.as_deref().or_else(|| args.parts.first().filter(|_| args.parts.len() == 1).map(|path| &**path));
    results::print(&outcome, args.json, record, terminal)?;
    Ok(if merged.conflicts.is_empty() { Exit::Done } else { Exit::No })
}
