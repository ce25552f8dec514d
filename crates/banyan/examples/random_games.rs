//! Prints random games, each position with its legal moves, for comparing the rules with other implementations
//! (`scripts/checks/open-spiel`).
//!
//! ```text
//! cargo run --release -p banyan --features catalog --example random_games -- 100 1 connect-four:6x7 reversi
//! ```
//!
//! prints 100 games of each, determined by the seed 1: a line with the name of the game, then one line per game: for
//! each ply the side to move (0 moves first), the move played and every legal move, then the final margin seen by the
//! first side.
//!
//! ```text
//! game connect-four:6x7
//! 0:4:1|2|3|4|5|6|7 1:4:1|2|3|4|5|6|7 .. = 18
//! ```
#![allow(clippy::print_stderr)]

use std::error::Error;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use banyan::catalog::Opening;
use banyan::{Rng, TextError, builtin};

/// Writes `n_games` random games of each of `specs`.
///
/// # Errors
/// A game that is not built in, or an error of `out`.
pub fn write_games(n_games: u32, seed: u64, specs: &[&str], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for spec in specs {
        let game = builtin().game(spec)?;
        let mut rng = Rng::new(seed);
        writeln!(out, "game {spec}")?;
        for _ in 0..n_games {
            let mut session = game.open(Opening::Start)?;
            let margin = loop {
                if let Some(margin) = session.result() {
                    break margin;
                }
                let moves = session.legal_moves();
                let mv = &moves[rng.below(moves.len() as u32) as usize];
                write!(out, "{}:{mv}:{} ", session.to_move().index(), moves.join("|"))?;
                session.play(mv)?;
            };
            writeln!(out, "= {}", margin.0)?;
        }
    }
    Ok(out.flush()?)
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let usage = || TextError::new(format!("{words:?}"), "GAMES SEED GAME ..", "try 100 1 connect-four:6x7 reversi");
    let [n_games, seed, specs @ ..] = &words[..] else { return Err(usage().into()) };
    let (n_games, seed) = (n_games.parse().map_err(|_| usage())?, seed.parse().map_err(|_| usage())?);
    write_games(n_games, seed, specs, &mut BufWriter::new(io::stdout().lock()))
}

/// Runs the command line. A closed pipe is no error.
pub fn main() -> ExitCode {
    let Err(err) = run() else { return ExitCode::SUCCESS };
    if err.downcast_ref::<io::Error>().is_some_and(|err| err.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {err}");
    ExitCode::from(2)
}
