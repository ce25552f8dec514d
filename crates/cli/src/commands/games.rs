//! `banyan games`: lists the games.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::view::{VERSION, json_line};
use clap::Args;
use serde::Serialize;

use crate::Exit;
use crate::output::terminal::Terminal;
use crate::output::wrap::wrapped;

/// Columns before the text about a game.
const INDENT: &str = "                ";

#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// Print one JSON object per game (docs/json.md).
    #[arg(long)]
    json: bool,
}

/// A game as listed by `--json`.
#[derive(Serialize)]
struct GameView {
    v: u32,
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    best: &'static str,
}

pub(crate) fn run(args: &GamesArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if args.json {
        for family in catalog.families() {
            let (name, aliases, summary, best) = (family.name, family.aliases, family.summary, family.tables.best);
            writeln!(terminal.out, "{}", json_line(&GameView { v: VERSION, name, aliases, summary, best }))?;
        }
        return Ok(Exit::Done);
    }
    list(catalog, terminal)?;
    Ok(Exit::Done)
}

/// Prints the games with their rules and options.
pub(crate) fn list(catalog: &Catalog, terminal: &mut Terminal) -> Result<()> {
    for family in catalog.families() {
        wrapped(terminal, &format!("{:<width$}", family.name, width = INDENT.len()), INDENT, family.summary)?;
    }
    writeln!(terminal.out, "\nWrite options after a colon, separated by commas: connect-four:10x11,hole=d3")?;
    Ok(())
}
