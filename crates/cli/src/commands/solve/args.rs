//! The arguments of `banyan solve`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use banyan_arena::Shard;
use banyan_catalog::{Budget, GameState, GameTables, Goal, Means, SolverBook};
use banyan_core::TextError;
use clap::{Args, ValueEnum};

use crate::input::args::check_threads;
use crate::input::replay::AtOrRecord;

/// Maximum size of the table in MiB, as for players.
pub(crate) const LARGEST_TABLE: u32 = 65_536;

const EXAMPLES: &str = "\
Examples:
  banyan solve connect-four --moves \"4 4 4 4 4 4 2 2 3 5\" --threads 2
  banyan solve connect-four --moves 44444 --explain --svg why.svg
  banyan solve reversi --file endgames.obf --prove value
  banyan solve reversi --file positions.obf --out scored.obf
  banyan solve reversi --file positions.obf --shard 1/4 --out part-1
  banyan solve connect-four --file positions.txt

A line of OBF is a board of Reversi, the side to move, and exact scores of its
moves for that side, if known: \"--X...O- X; A2:+38; C7:+36;\". A line of Connect
Four is the moves to a position and its exact score, if known: \"4453 -2\". The
same command with --out resumes after an interruption.";

/// What `--prove` may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Prove {
    /// Win, draw or loss.
    Winner,
    /// The value, and one move that reaches it.
    Value,
    /// The value, and all moves that reach it.
    Best,
    /// The value of every move.
    All,
}

impl From<Prove> for Goal {
    fn from(prove: Prove) -> Goal {
        match prove {
            Prove::Winner => Goal::Winner,
            Prove::Value => Goal::Value,
            Prove::Best => Goal::BestMoves,
            Prove::All => Goal::Everything,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) at: AtOrRecord,

    /// Solve every position of this file instead, and compare with its scores (Reversi: OBF; Connect Four: moves and score).
    /// The exit code is 1 if one is unsolved or differs from the file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position", "opening", "record", "ply"])]
    pub(crate) file: Option<PathBuf>,

    /// Goal of the proof [default: all, with --file best; Connect Four: value].
    #[arg(long, value_enum, value_name = "WHAT")]
    prove: Option<Prove>,

    /// Also write the positions of --file to this file, with the scores of all moves (Connect Four: with their scores). A
    /// position that is not solved is written without scores.
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with_all = ["moves", "position", "opening", "record", "ply"])]
    pub(crate) out: Option<PathBuf>,

    /// Only solve part I of N of --file, such as 1/4: --out is then a folder. `banyan merge` combines the parts.
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["moves", "position", "opening", "record", "ply"])]
    pub(crate) shard: Option<Shard>,

    /// Search limit: a time (60s, 5m), nodes=N, or both joined by +; of each position with --file. At the limit, the proven
    /// bounds are printed.
    #[arg(long, default_value = "60s")]
    pub(crate) budget: Budget,

    /// Book of exact values to use: a file of `banyan book solve`, built-in, or off [default: built-in, if the game has it].
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Maximum size of the transposition table in MiB.
    #[arg(long, default_value_t = 1024, value_name = "MIB", allow_negative_numbers = true)]
    table: u32,

    /// Search threads. With more than one, the number of nodes varies between runs.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,

    /// Also show why: the position of the principal variation from which a simple strategy decides, or else the one in which threats do, or
    /// else the position itself, with its structure: in Connect Four the cells that complete four, the parity of their rows, the strategy, and
    /// the threats that cannot all be answered.
    #[arg(long, conflicts_with_all = ["file", "json"])]
    pub(crate) explain: bool,

    /// Also write the position of --explain to this file, with the structure marked, and below it the line and the facts.
    #[arg(long, value_name = "FILE", requires = "explain", conflicts_with_all = ["file", "json"])]
    pub(crate) svg: Option<PathBuf>,

    /// Print one JSON object; with --file one for each position, and one for their sum.
    #[arg(long)]
    pub(crate) json: bool,
}

impl SolveArgs {
    /// The goal of the proof of each position, in a game with these tables.
    pub(crate) fn goal(&self, tables: &GameTables) -> Goal {
        match self.prove {
            Some(prove) => prove.into(),
            None if self.file.is_some() && self.out.is_none() && tables.solves == Goal::Everything => Goal::BestMoves,
            None => tables.solves,
        }
    }

    /// The book of the solver for a game with these tables.
    pub(crate) fn book(&self, start: &GameState, tables: &GameTables) -> Result<SolverBook> {
        Ok(SolverBook::named(self.book.as_deref(), start, tables)?)
    }

    /// The resources of the solver.
    pub(crate) fn means(&self) -> Means {
        Means { table_mib: self.table, threads: self.threads }
    }

    /// Refuses limits that a proof does not support, and options that contradict one another.
    pub(crate) fn check(&self) -> Result<()> {
        let Budget { time, nodes, .. } = self.budget;
        if self.budget != (Budget { time, nodes, ..Budget::default() }) {
            let found = format!("--budget {}", self.budget);
            bail!(TextError::new(found, "expected a time, a number of nodes, or both", "try 60s or nodes=1e9"));
        }
        if !(1..=LARGEST_TABLE).contains(&self.table) {
            let expected = format!("expected 1 .. {LARGEST_TABLE} MiB");
            bail!(TextError::new(format!("--table {}", self.table), expected, "try --table 1024"));
        }
        check_threads(self.threads)?;
        Ok(())
    }
}
