//! `banyan ugi`: serves all games over UGI.

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use crate::Exit;
use crate::input::game_terms::Clock;
use crate::output::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct UgiArgs {
    /// Clock that measures the times of `go`: wall time, or CPU time of the searching thread.
    #[arg(long, value_enum, default_value_t = Clock::Wall, value_name = "CLOCK")]
    clock: Clock,
}

pub(crate) fn run(args: &UgiArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    banyan_protocols::ugi::serve(catalog, args.clock.timer(), std::io::stdin(), &mut terminal.out)?;
    Ok(Exit::Done)
}
