//! `banyan show`: draws a position.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use banyan_catalog::svg;
use clap::Args;

use crate::args::At;
use crate::terminal::Terminal;
use crate::{Exit, board};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    at: At,

    /// Also write the board to this file as an SVG picture; - is stdout, and then nothing else goes there.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<Exit> {
    let session = args.at.open()?;
    if let Some(path) = &args.svg {
        let picture = session.picture().with_context(|| format!("{} has no board to draw", session.spec()))?;
        let drawing = svg(&picture, &format!("{}: {}", session.spec(), session.position()));
        if path.as_os_str() == "-" {
            write!(terminal.out, "{drawing}")?;
            return Ok(Exit::Done);
        }
        fs::write(path, drawing).map_err(|err| anyhow!("cannot write {}: {err}; try another name", path.display()))?;
    }
    write!(terminal.out, "{}", board::paint_session(&*session, terminal.ascii))?;
    writeln!(terminal.out, "game      {}", session.spec())?;
    writeln!(terminal.out, "position  {}", session.position())?;
    match session.result() {
        Some(_) => writeln!(terminal.out, "result    {}", board::outcome(&*session))?,
        None => {
            writeln!(terminal.out, "to move   {}", session.side_name(session.to_move()))?;
            writeln!(terminal.out, "moves     {}", session.legal_moves().join(" "))?;
        }
    }
    Ok(Exit::Done)
}
