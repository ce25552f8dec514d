//! `banyan bench`: speed and memory per game, and the search signature. `bench_threads` measures several threads.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Family};
use clap::Args;

use crate::bench_threads::{self, ThreadArgs};
use crate::measure::Measurement;
use crate::table::Table;
use crate::terminal::Terminal;
use crate::{Exit, measure, signature};

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Measure only this game, and skip the signature.
    #[arg(conflicts_with = "check")]
    game: Option<String>,

    /// Print one JSON object per measurement, and skip the signature.
    #[arg(long)]
    pub(crate) json: bool,

    /// Only compare the signature with bench/signature.txt.
    #[arg(long, conflicts_with = "json")]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

/// Exits with 1 if `--check` finds a different signature.
pub(crate) fn run(args: &BenchArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if args.check {
        return check(catalog, terminal);
    }
    let games = args.game.clone().map_or_else(|| usual_games(catalog), |game| vec![game]);
    let games = games.iter().map(|spec| catalog.game(spec)).collect::<Result<Vec<_>, _>>()?;
    if let Some(exit) = bench_threads::run(&args.threads, &games, args.json, terminal)? {
        return Ok(exit);
    }
    let mut lines = Table::new(2, &["game", "what", ">rate", "unit", ">bytes/simulation", ">nodes"]);
    for game in games {
        for measure in [
            measure::playouts,
            measure::heavy_playouts,
            measure::heavy_playouts_together,
            measure::uct,
            measure::uct_default,
            measure::graph,
            measure::mcgs,
        ] {
            report(&measure(&game)?, args.json, terminal, &mut lines)?;
        }
        for measurement in measure::own_evaluators(&game)?.into_iter().chain(measure::alpha_beta(&game)?) {
            report(&measurement, args.json, terminal, &mut lines)?;
        }
    }
    if !args.json {
        writeln!(terminal.out, "one thread, per second of CPU time, {}", banyan_bits::cpu::name())?;
        write!(terminal.out, "{}", lines.text(terminal.width))?;
        if args.game.is_none() && signature::can_compute(catalog) {
            writeln!(terminal.out, "signature {}", signature::compute(catalog)?)?;
        }
    }
    Ok(Exit::Done)
}

/// The boards of all games that are measured by default.
fn usual_games(catalog: &Catalog) -> Vec<String> {
    let boards = |family: &Family| {
        let family = *family;
        family.tables.bench_boards.iter().map(move |board| family.spec(board))
    };
    catalog.families().iter().flat_map(boards).collect()
}

/// Reports a measurement: as a JSON line, or on stderr at once and in the table at the end.
fn report(measurement: &Measurement, json: bool, terminal: &mut Terminal, lines: &mut Table) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(measurement))?;
        return Ok(());
    }
    let Measurement { game, what, rate, unit, .. } = measurement;
    writeln!(terminal.err, "{game} {what}: {rate:.0} {unit}")?;
    let bytes = measurement.bytes_per_simulation.map(|bytes| format!("{bytes:.1}")).unwrap_or_default();
    let nodes = measurement.nodes.map(|nodes| nodes.to_string()).unwrap_or_default();
    lines.add_row([game.clone(), what.clone(), format!("{:.3} M", rate / 1e6), unit.clone(), bytes, nodes]);
    Ok(())
}

fn check(catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let (found, expected) = (signature::compute(catalog)?, signature::expected());
    writeln!(terminal.out, "signature {found}")?;
    if found == expected {
        return Ok(Exit::Done);
    }
    writeln!(
        terminal.err,
        "expected signature {expected} (bench/signature.txt): rules, search or random numbers have changed; if the \
         change is intended, run `echo {found} > bench/signature.txt` and give the reason in the commit"
    )?;
    Ok(Exit::No)
}
