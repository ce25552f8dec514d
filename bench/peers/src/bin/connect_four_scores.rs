//! Solves the Connect Four positions of a file by the library's prover, score only: `connect_four_scores FILE each|once`.
//!
//! Prints the CPU seconds, the nodes and the number of scores that differ from the file. With `each` the table is cleared before each position,
//! outside of the time; with `once` only before the first, and one timing covers all.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use banyan_connect_four::{ConnectFour, ExactValues, State};
use banyan_core::{Game, Notation, Prover};
use banyan_search::{Goal, prove};
use cpu_time::ProcessTime;

/// Bytes of the table at most, as for `banyan solve`.
const TABLE: u64 = 1 << 30;

type Board = ConnectFour<u64>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, mode] = args.as_slice() else { return usage() };
    let clears = match mode.as_str() {
        "each" => true,
        "once" => false,
        _ => return usage(),
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(err) => {
            let _ = writeln!(io::stderr(), "{file}: {err}: expected a file of moves and scores; check the path");
            return ExitCode::from(2);
        }
    };
    let game = Board::from_options("").expect("the usual board");
    let positions: Vec<(State<u64>, i16)> = text.lines().filter_map(|line| position(&game, line)).collect();
    let Some((first, _)) = positions.first() else {
        let _ =
            writeln!(io::stderr(), "{file}: no positions: expected moves and score in each line; choose another file");
        return ExitCode::from(2);
    };
    let mut prover = ExactValues::new(TABLE);
    // As `banyan solve` does.
    Prover::<Board>::prepare_for_long_searches(&mut prover);
    // The first search makes the first level of the table.
    score(&game, first, &mut prover);
    let before = nodes(&prover);
    let (mut time, mut wrong) = (Duration::ZERO, 0);
    if clears {
        for (state, expected) in &positions {
            Prover::forget(&mut prover);
            let start = ProcessTime::now();
            let found = score(&game, state, &mut prover);
            time += start.elapsed();
            wrong += u32::from(found != *expected);
        }
    } else {
        Prover::forget(&mut prover);
        let start = ProcessTime::now();
        wrong =
            positions.iter().map(|(state, expected)| u32::from(score(&game, state, &mut prover) != *expected)).sum();
        time = start.elapsed();
    }
    let _ = writeln!(io::stdout(), "{} {} {wrong}", time.as_secs_f64(), nodes(&prover) - before);
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    let _ = writeln!(io::stderr(), "usage: connect_four_scores FILE each|once");
    ExitCode::from(2)
}

fn nodes(prover: &ExactValues<u64>) -> u64 {
    Prover::<Board>::nodes(prover)
}

/// The position and the score of a line; `None` for an empty one.
fn position(game: &Board, line: &str) -> Option<(State<u64>, i16)> {
    let (moves, score) = line.trim().split_once(' ')?;
    let mut state = game.start();
    for mv in game.parse_moves(&state, moves).expect("legal moves") {
        game.play(&mut state, mv);
    }
    Some((state, score.trim().parse().expect("a score")))
}

/// The score for the side to move by null windows, in the order of the prover.
fn score(game: &Board, state: &State<u64>, prover: &mut ExactValues<u64>) -> i16 {
    let bounds = prove(prover, game, state, Goal::Value, &mut |_| Some(u64::MAX)).expect("nothing stops it");
    bounds.seen_by(game.to_move(state)).0
}
