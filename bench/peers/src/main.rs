//! Compares Banyan's search with the crates `treant` and `minimax`: same rules, same playouts, one thread, one run.
//!
//! `banyan-bench-peers [--repetitions N] [--json]`

#[cfg(test)]
mod adapter_tests;
mod banyan;
mod contest;
mod on_minimax;
mod on_treant;
mod peer;
mod uniform;

use std::io::{self, Write};
use std::process::{Command, ExitCode};

use banyan_bits::cpu;
use banyan_connect_four::ConnectFour;
use banyan_core::{Notation, PlayoutPolicy};
use banyan_dots_and_boxes::DotsAndBoxes;
use banyan_reversi::Reversi;

use crate::contest::{Contest, Row};
use crate::peer::Peer;

/// Exploration weight of all searches: the one that is fixed in `minimax`, 1 * sqrt(2 log2 N / n), written as c in c *
/// sqrt(2 ln N / n), for rewards from 0 to 1.
const C: f64 = 1.201_122_408_786_449_8;

const USAGE: &str = "usage: banyan-bench-peers [--repetitions N] [--json]";

struct Options {
    repetitions: u32,
    json: bool,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            let _ = writeln!(io::stderr(), "{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&options, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            let _ = writeln!(io::stderr(), "the table could not be written: {err}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { repetitions: 9, json: false };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => options.json = true,
            "--repetitions" => {
                let given = args.next().unwrap_or_default();
                let number = given.parse().ok().filter(|&n| n > 0);
                options.repetitions = number.ok_or(format!("--repetitions {given:?}: a number from 1 on; try 9"))?;
            }
            _ => return Err(format!("argument {arg:?}: no such option; leave it out")),
        }
    }
    Ok(options)
}

fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    if !options.json {
        writeln!(out, "{}, {}, commit {}", cpu_name(), cpu::name(), commit())?;
        writeln!(out, "thousand simulations per CPU second from the start position on one thread, uniform playouts,")?;
        writeln!(out, "c = {C:.3} unless it says default; median and range of {} repetitions", options.repetitions)?;
    }
    alternating::<ConnectFour<u64>, _>("6x7", banyan_connect_four::UniformMoves, 200_000, options, out)?;
    alternating::<Reversi<u64>, _>("8x8", banyan_reversi::UniformMoves, 100_000, options, out)?;
    let dots = DotsAndBoxes::<u64>::from_options("5x5").expect("the size is a usual one");
    report(&contest(dots, banyan_dots_and_boxes::UniformMoves, 100_000).run(options.repetitions), options, out)?;
    if !options.json {
        writeln!(out, "  minimax 0.6: not expressible, for there the players always take turns")?;
    }
    Ok(())
}

/// A game in which the sides alternate, so that `minimax` can play it too.
fn alternating<G: Notation, P: PlayoutPolicy<G> + Default + Sync>(
    size: &str,
    policy: P,
    n: u64,
    options: &Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut contest = contest(G::from_options(size).expect("the size is a usual one"), policy.clone(), n);
    let game = contest.game;
    contest.add(Peer::new("minimax 0.6", n, move |n, _| on_minimax::search(game, n, None::<(P, u64)>)));
    contest.add(Peer::new("minimax 0.6, our playouts", n, move |n, seed| {
        on_minimax::search(game, n, Some((policy.clone(), seed)));
    }));
    report(&contest.run(options.repetitions), options, out)
}

/// Banyan and `treant`, which support every game.
fn contest<G: Notation, P: PlayoutPolicy<G> + Default + Sync>(game: G, policy: P, n: u64) -> Contest<G> {
    // The libraries require states without borrowed data; a leaked game, which is small, is the simplest way.
    let game: &'static G = Box::leak(Box::new(game));
    let mut contest = Contest::new(game);
    for (name, n, config) in [
        ("banyan", n, banyan::plain(C)),
        ("banyan, 1 M", 1_000_000, banyan::plain(C)),
        ("banyan, default", n, banyan::default()),
    ] {
        let policy = policy.clone();
        let search = move |n, seed| banyan::search(game, policy.clone(), n, config.clone(), seed);
        contest.add(Peer::new(name, n, search));
    }
    contest.add(Peer::new("treant 0.4", n, move |n, seed| on_treant::search::<G, P>(game, n, C, seed)));
    contest
}

fn report(rows: &[Row], options: &Options, out: &mut impl Write) -> io::Result<()> {
    if !options.json {
        writeln!(out, "\n{}", rows[0].heading())?;
    }
    for row in rows {
        if options.json {
            writeln!(out, "{}", row.json(cpu::name()))?;
        } else {
            writeln!(out, "{}", row.line(&rows[0]))?;
        }
    }
    out.flush()
}

/// The name of the processor, as reported by the kernel.
fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(": ")).map_or("unknown CPU".to_owned(), |(_, name)| name.to_owned())
}

/// The commit of the current folder.
fn commit() -> String {
    let described = Command::new("git").args(["describe", "--always", "--dirty"]).output();
    described.ok().map_or(String::new(), |done| String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
