//! `banyan merge`: merges the parts of a match.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::MatchError;
use banyan_core::TextError;
use banyan_matches::exports::{Details, Outcome, write_result};
use banyan_matches::frame::Kind;
use banyan_matches::rating::{RatingProgress, rating_progress};
use banyan_matches::sweep::StageGames;
use banyan_matches::{MatchFolder, Merged};
use banyan_training::{holds_training, merge_parts};
use clap::Args;

use crate::Exit;
use crate::commands::solve::{holds_positions, merge_positions};
use crate::frame::export_help;
use crate::output::results;
use crate::output::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folders of the parts: shards of one match, sweep, ablation, ladder, round of a rating, training or file of positions, or the same played
    /// on several machines.
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,

    /// New folder for the merged games, or new file for positions; without it, the result of a match is only printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = export_help())]
    export: Vec<String>,

    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

impl MergeArgs {
    /// Whether all parts are of this kind of work; false if none is.
    fn are_all(&self, kind: &str, holds: fn(&Path) -> bool) -> Result<bool, TextError> {
        let (parts, others): (Vec<_>, Vec<_>) = self.parts.iter().partition(|path| holds(path));
        match (parts.first(), others.first()) {
            (Some(part), Some(other)) => {
                let expected = format!("expected a part of {kind}, as {} is", part.display());
                Err(TextError::new(other.display().to_string(), expected, "merge parts of one kind"))
            }
            (part, _) => Ok(part.is_some()),
        }
    }

    /// The place of merged parts that are not games of a match.
    fn out_of(&self, what: &str) -> Result<&Path, TextError> {
        let refused = [(!self.export.is_empty(), "--export"), (self.json, "--json")];
        if let Some((_, option)) = refused.into_iter().find(|(is_given, _)| *is_given) {
            let expected = format!("expected no such option with {what}");
            return Err(TextError::new(option, expected, "leave it out"));
        }
        let none = || TextError::new("no --out", "expected the place of the merged parts", "give --out");
        self.out.as_deref().ok_or_else(none)
    }
}

/// Puts the games of the parts of a training into one folder.
fn merge_training(args: &MergeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let out = args.out_of("a training")?;
    let whole = merge_parts(&args.parts, out, catalog)?;
    let (n, parts, out) = (whole.n_games(), args.parts.len(), out.display());
    writeln!(
        terminal.err,
        "{n} games of {parts} parts; the command of the parts with --out {out} and without --shard learns from them"
    )?;
    Ok(Exit::Done)
}

/// Exits with 1 if games that must be equal differ.
pub(crate) fn run(args: &MergeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if args.are_all("a training", holds_training)? {
        return merge_training(args, catalog, terminal);
    }
    if args.are_all("a file of positions", holds_positions)? {
        let n = merge_positions(&args.parts, args.out_of("positions")?, catalog)?;
        writeln!(terminal.err, "{n} positions, from {} folders", args.parts.len())?;
        return Ok(Exit::Done);
    }
    results::check_exports(&args.export, args.out.as_deref())?;
    let merged = Merged::read(catalog, &args.parts)?;
    let games = [StageGames { config: &merged.config, lines: &merged.lines }];
    let rating = merged.config.rating.as_ref().map(|_| rating_progress(&merged.config, &merged.lines)).transpose()?;
    let kind = Kind::of(&merged.config, catalog);
    let is_finished = rating.is_some_and(|rating| rating.is_finished);
    let outcome = Outcome::of(catalog, kind, &games, Details { is_finished, ..Details::default() })?;
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
    note_missing(&merged, outcome.summary().pairs, rating, terminal)?;
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

/// Names what is missing or there twice.
fn note_missing(merged: &Merged, pairs: u64, rating: Option<RatingProgress>, terminal: &mut Terminal) -> Result<()> {
    let remedy = "name every part, or resume the unfinished ones";
    if let Some(RatingProgress { is_finished, last_batch: [of, missing] }) = rating {
        // The parts of a round have all earlier rounds.
        if missing > 0 {
            writeln!(terminal.err, "{missing} of {of} pairs of the last round are missing; {remedy}")?;
        } else if !is_finished {
            writeln!(terminal.err, "the rating is not finished: resume it, or share out the next round with --after")?;
        }
        return Ok(());
    }
    if merged.duplicates > 0 {
        writeln!(terminal.err, "{} duplicate games, each counted once", merged.duplicates)?;
    }
    let of = merged.config.schedule()?.n_pairs().unwrap_or(0);
    if merged.config.sprt.is_some() || pairs >= of {
        return Ok(());
    }
    let shards = merged.unfinished_shards()?;
    let named = match &shards[..] {
        [] => String::new(),
        [one] => format!(" of part {one}"),
        several => format!(" of parts {}", several.join(", ")),
    };
    writeln!(terminal.err, "{} of {of} pairs are missing{named}; {remedy}", of - pairs)?;
    Ok(())
}
