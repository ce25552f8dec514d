//! `banyan games`: lists the games.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::{VERSION, json_line};
use clap::Args;
use serde::Serialize;

use crate::terminal::Terminal;
use crate::{Exit, builtin, table};

#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// Print one JSON object per game (docs/json.md).
    #[arg(long)]
    json: bool,
}

/// A game as `--json` lists it.
#[derive(Serialize)]
struct GameView {
    v: u32,
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    best: &'static str,
}

pub(crate) fn run(args: &GamesArgs, terminal: &mut Terminal) -> Result<Exit> {
    let catalog = builtin::catalog();
    if args.json {
        for family in catalog.families() {
            let (name, aliases, summary, best) = (family.name, family.aliases, family.summary, family.tables.best);
            writeln!(terminal.out, "{}", json_line(&GameView { v: VERSION, name, aliases, summary, best }))?;
        }
        return Ok(Exit::Done);
    }
    let mut lines = table::table(&["game", "rules and options"]);
    for family in catalog.families() {
        lines.add_row([family.name, family.summary]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    writeln!(terminal.out, "\nWrite options after a colon, separated by commas: connect-four:10x11,hole=d3")?;
    Ok(Exit::Done)
}
