//! Speed per second of CPU time, for `bench`. Other programs can only slow a run down, so each measurement is repeated and the
//! fastest counts. [`ThreadRace`] measures several threads.

mod round_trip;
#[cfg(test)]
mod tests;
mod threads;
mod view;

use std::time::Duration;

use banyan_catalog::view::VERSION;
use banyan_catalog::{AnyGame, Opening, Session};
use banyan_core::{Fault, Limits, Silent};
use banyan_search::{Algorithm, AlphaBetaConfig, EVALUATORS, HorizonEval};
use cpu_time::ThreadTime;

pub use threads::{Racer, ThreadRace, kinds_of_parallel};
pub use view::{Measurement, ThreadMeasurement};

/// Playouts between two clock reads.
const CHUNK: u64 = 160 * 64;
/// CPU time of one run of playouts.
const RUN: Duration = Duration::from_millis(700);
/// Runs of playouts.
const PLAYOUT_RUNS: u32 = 3;
/// CPU time of one run of searches to a depth, and runs of them.
const DEPTH_RUN: Duration = Duration::from_millis(300);
const DEPTH_RUNS: u32 = 3;
/// Positions that a search to a depth visits at least: some tens of milliseconds.
const ENOUGH_NODES: u64 = 200_000;
/// Playouts of one search.
const SIMULATIONS: u64 = 1_000_000;
/// Searches.
const SEARCHES: u32 = 3;

/// Uniformly random games from the start, without a tree.
///
/// # Errors
/// None; the signature matches the other measurements.
pub fn playouts(game: &AnyGame) -> Result<Measurement, Fault> {
    Ok(games_played(game, "playouts", "uniform", 1))
}

/// The game's heavy playouts from the start, without a tree.
///
/// # Errors
/// None; the signature matches the other measurements.
pub fn heavy_playouts(game: &AnyGame) -> Result<Measurement, Fault> {
    Ok(games_played(game, "heavy-playouts", own_playouts(game), 1))
}

/// The same in batches of 64, as in a search with `batch=64`.
///
/// # Errors
/// None; the signature matches the other measurements.
pub fn heavy_playouts_together(game: &AnyGame) -> Result<Measurement, Fault> {
    Ok(games_played(game, "heavy-playouts-64", own_playouts(game), 64))
}

/// The further leaf evaluators that only this game has, each from the start, without a tree.
///
/// # Errors
/// None; the signature matches the other measurements.
pub fn own_evaluators(game: &AnyGame) -> Result<Vec<Measurement>, Fault> {
    let is_general = |name: &str| EVALUATORS.iter().any(|&(general, _)| general == name);
    let evaluators = game.evaluators();
    let own = evaluators.iter().map(|&(name, _)| name).filter(|&name| !is_general(name) && name != own_playouts(game));
    Ok(own.map(|name| games_played(game, &format!("eval={name}"), name, 1)).collect())
}

/// The playout evaluator with the most game knowledge.
fn own_playouts(game: &AnyGame) -> &'static str {
    if game.evaluators().iter().any(|&(name, _)| name == "threat") { "threat" } else { "tactical" }
}

/// Measures chunks of playouts in batches.
fn games_played(game: &AnyGame, what: &str, evaluator: &str, batch: usize) -> Measurement {
    let session = open(game);
    let rate = (0..PLAYOUT_RUNS).map(|run| {
        let started = ThreadTime::now();
        let mut n = 0;
        while started.elapsed() < RUN {
            let sum = session.evaluate(evaluator, batch, CHUNK, u64::from(run) << 32 | n);
            std::hint::black_box(sum.expect("every game has this evaluator"));
            n += CHUNK;
        }
        n as f64 / started.elapsed().as_secs_f64()
    });
    measurement(game, what, rate.fold(0.0, f64::max), None)
}

/// A tree search of a million simulations from the start, with c = 0.7 regardless of the default, so that versions can be
/// compared: with a smaller c the tree is deeper and a simulation costs more.
///
/// # Errors
/// The search gave no move.
pub fn uct(game: &AnyGame) -> Result<Measurement, Fault> {
    search(game, "uct", "uct:forced=expansion,c=0.7")
}

/// The same with every setting at its default.
///
/// # Errors
/// The search gave no move.
pub fn uct_default(game: &AnyGame) -> Result<Measurement, Fault> {
    search(game, "uct-default", "uct:forced=expansion")
}

/// A graph search of a million simulations with proofs, with c as in [`uct`].
///
/// # Errors
/// The search gave no move.
pub fn graph(game: &AnyGame) -> Result<Measurement, Fault> {
    search(game, "graph", "graph:c=0.7")
}

/// Monte Carlo search with the settings tuned for its game.
///
/// # Errors
/// The search gave no move.
pub fn mcgs(game: &AnyGame) -> Result<Measurement, Fault> {
    search(game, "mcgs", "mcgs")
}

fn search(game: &AnyGame, what: &str, player: &str) -> Result<Measurement, Fault> {
    let player = player.parse().expect("a preset and its settings");
    let (mut rate, mut bytes) = (0.0f64, 0.0);
    for seed in 0..SEARCHES {
        let mut session = open(game);
        let seat = session.seat(&player, u64::from(seed)).expect("every game has these players");
        let analysis = session.choose(seat, &Limits::playouts(SIMULATIONS), &mut Silent)?;
        rate = rate.max(analysis.playouts as f64 / (analysis.cpu_ms / 1000.0));
        bytes = analysis.memory_bytes as f64 / analysis.playouts as f64;
    }
    Ok(measurement(game, what, rate, Some(bytes)))
}

/// Alpha-beta to a fixed depth from the start, with hashes as values at the horizon: without and with a transposition table,
/// and the two other algorithms with a table.
///
/// # Errors
/// None; the signature matches the other measurements.
pub fn alpha_beta(game: &AnyGame) -> Result<Vec<Measurement>, Fault> {
    let with_table = |algorithm| AlphaBetaConfig { eval: HorizonEval::Hash, ..AlphaBetaConfig::new(algorithm) };
    let plain = AlphaBetaConfig { table_mib: None, ..with_table(Algorithm::Negamax) };
    let depth = depth_for(game, &plain);
    let rows = [
        ("negamax:table-mib=off", plain),
        ("negamax", with_table(Algorithm::Negamax)),
        ("pvs", with_table(Algorithm::Pvs)),
        ("mtdf", with_table(Algorithm::Mtdf)),
    ];
    Ok(rows.map(|(name, config)| to_depth(game, name, &config, depth)).to_vec())
}

fn to_depth(game: &AnyGame, name: &str, config: &AlphaBetaConfig, depth: u32) -> Measurement {
    let session = open(game);
    let mut nodes = 0;
    let rate = (0..DEPTH_RUNS).map(|_| {
        let (started, mut visited) = (ThreadTime::now(), 0);
        while started.elapsed() < DEPTH_RUN {
            nodes = session.nodes_to_depth(config, depth);
            visited += nodes;
        }
        visited as f64 / started.elapsed().as_secs_f64()
    });
    let rate = rate.fold(0.0, f64::max);
    let what = format!("{name} depth={depth}");
    Measurement { unit: "nodes/s".into(), nodes: Some(nodes), ..measurement(game, &what, rate, None) }
}

/// The first depth at which the plain search visits enough positions to be timed, whatever the number of moves; in a small
/// game the depth that sees its end.
fn depth_for(game: &AnyGame, plain: &AlphaBetaConfig) -> u32 {
    let session = open(game);
    let (mut depth, mut nodes) = (1, session.nodes_to_depth(plain, 1));
    while nodes < ENOUGH_NODES {
        let deeper = session.nodes_to_depth(plain, depth + 1);
        if deeper == nodes {
            break;
        }
        (depth, nodes) = (depth + 1, deeper);
    }
    depth
}

fn open(game: &AnyGame) -> Session {
    game.open(Opening::Start).expect("every game can be opened")
}

fn measurement(game: &AnyGame, what: &str, rate: f64, bytes_per_simulation: Option<f64>) -> Measurement {
    let unit = if bytes_per_simulation.is_some() { "simulations/s" } else { "playouts/s" };
    Measurement {
        v: VERSION,
        game: game.spec(),
        what: what.into(),
        rate,
        unit: unit.into(),
        bytes_per_simulation,
        nodes: None,
    }
}

/// The median; 0 for an empty list.
fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match (numbers.len(), numbers.len() % 2) {
        (0, _) => 0.0,
        (_, 0) => f64::midpoint(numbers[half - 1], numbers[half]),
        _ => numbers[half],
    }
}
