//! `banyan perft`: counts move sequences, the standard check of a rules implementation.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use crate::Exit;
use crate::input::args::At;
use crate::interrupt::Interrupt;
use crate::output::search_progress::live_line;
use crate::output::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    at: At,

    /// Length of a move sequence. A pass is a move; games that end earlier are not counted.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    depth: u32,
}

pub(crate) fn run(args: &PerftArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let session = args.at.open(catalog)?;
    let interrupt = Interrupt::install();
    let progress = live_line();
    // The first count may take long; the elapsed time shows that the program is running.
    progress.enable_steady_tick(Duration::from_millis(200));
    progress.set_message("counting");
    let n_moves = session.legal_moves().len();
    let mut known = 0;
    let mut broken = Ok(());
    let out = &mut terminal.out;
    let total = session.perft(args.depth, &|| interrupt.pressed(), &mut |mv, count| {
        known += 1;
        progress.set_message(format!("{known} of {n_moves} moves counted"));
        if broken.is_ok() {
            broken = progress.suspend(|| writeln!(out, "{mv}: {count}"));
        }
    });
    progress.finish_and_clear();
    broken?;
    let Some(total) = total else {
        writeln!(terminal.err, "interrupted after {known} of {n_moves} moves")?;
        return Ok(Exit::Interrupted);
    };
    writeln!(terminal.out, "perft({}) = {total}", args.depth)?;
    Ok(Exit::Done)
}
