//! `banyan bench --threads N`: speed-up of a search on several threads, by wall clock.

use std::io::Write;
use std::thread;

use anyhow::Result;
use banyan_catalog::AnyGame;
use banyan_catalog::view::json_line;
use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};

use crate::Exit;
use crate::measure::{Racer, ThreadMeasurement, ThreadRace, kinds_of_parallel};
use crate::table::Table;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Measure the speed-up of `graph` on N threads over one thread, for each kind of `parallel`, by wall clock.
    #[arg(long, value_name = "N", conflicts_with = "check", allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(2..=256))]
    threads: Option<u32>,

    /// Measure only this kind of `parallel`.
    #[arg(long, value_name = "KIND", requires = "threads", value_parser = PossibleValuesParser::new(kinds_of_parallel()))]
    parallel: Option<String>,

    /// Minimum time of a leaf evaluation in microseconds, to simulate a slower evaluator.
    #[arg(long, value_name = "MICROSECONDS", requires = "threads", default_value_t = 0, allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(0..=10_000))]
    pad: u32,

    /// Simulations per search.
    #[arg(long, value_name = "N", requires = "threads", default_value_t = 1_000_000, allow_negative_numbers = true,
        value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    playouts: u64,

    /// Searches of each kind; the median is reported.
    #[arg(long, value_name = "N", requires = "threads", default_value_t = 5, allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(1..=1000))]
    runs: u32,
}

impl ThreadArgs {
    /// The comparison to run, if `--threads` was given.
    fn race(&self) -> Option<ThreadRace> {
        let ThreadArgs { playouts, runs, pad: pad_us, .. } = *self;
        self.threads.map(|threads| ThreadRace { threads, playouts, runs, pad_us })
    }
}

/// Measures every game, if `--threads` was given.
pub(crate) fn run(args: &ThreadArgs, games: &[AnyGame], json: bool, terminal: &mut Terminal) -> Result<Option<Exit>> {
    let Some(race) = args.race() else { return Ok(None) };
    let racers = race.racers(args.parallel.as_deref())?;
    let (threads, cores) = (race.threads, thread::available_parallelism().map_or(1, usize::from));
    if threads as usize > cores {
        let cores = counted(cores);
        writeln!(
            terminal.err,
            "warning: {threads} threads on {cores}: the speed-up is limited by the number of cores"
        )?;
    }
    let headings = ["game", "parallel", ">threads", ">simulations/s", ">speed-up", ">efficiency", ">µs alone", ">µs"];
    let mut lines = Table::new(3, &[&headings[..], &[">round trip ns", ">simulations"]].concat());
    for game in games {
        for row in measure(&race, &racers, game, terminal)? {
            if json {
                writeln!(terminal.out, "{}", json_line(&row))?;
            } else {
                add(&row, &mut lines);
            }
        }
    }
    if !json {
        let cpu = banyan_bits::cpu::name();
        writeln!(terminal.out, "wall clock, {cpu}, {}, {}", counted(cores), in_words(&race))?;
        write!(terminal.out, "{}", lines.text(terminal.width))?;
    }
    Ok(Some(Exit::Done))
}

/// Measures one game and reports every search on stderr.
fn measure(
    race: &ThreadRace,
    racers: &[Racer],
    game: &AnyGame,
    terminal: &mut Terminal,
) -> Result<Vec<ThreadMeasurement>> {
    let (spec, mut written) = (game.spec(), Ok(()));
    let rows = race.run(game, racers, &mut |player, rate| {
        if written.is_ok() {
            written = writeln!(terminal.err, "{spec} {player}: {rate:.0} simulations/s");
        }
    })?;
    written?;
    Ok(rows)
}

fn in_words(race: &ThreadRace) -> String {
    let ThreadRace { playouts, runs, pad_us, .. } = race;
    let runs = if *runs == 1 { "one run".to_owned() } else { format!("median of {runs} runs") };
    let pad = if *pad_us > 0 { format!(", leaf evaluations of at least {pad_us} µs") } else { String::new() };
    format!("{runs} of {playouts} simulations{pad}")
}

fn counted(cores: usize) -> String {
    if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") }
}

fn add(row: &ThreadMeasurement, lines: &mut Table) {
    let ThreadMeasurement { simulations, settled, runs, .. } = row;
    let settled = if *settled > 0 { format!(" (ended early in {settled} of {runs} runs)") } else { String::new() };
    lines.add_row([
        row.game.clone(),
        row.parallel.clone().unwrap_or_else(|| "-".to_owned()),
        row.threads.to_string(),
        format!("{:.0}", row.rate),
        format!("{:.2}", row.speedup),
        format!("{:.2}", row.efficiency),
        format!("{:.3}", row.us_per_simulation_alone),
        format!("{:.3}", row.us_per_simulation),
        row.round_trip_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.0}")),
        format!("{simulations}{settled}"),
    ]);
}
