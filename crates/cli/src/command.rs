//! What the command line looks like.

use clap::{Parser, Subcommand};

use crate::args::Color;

const EXAMPLES: &str = "\
Examples:
  banyan play                                            against the computer, Connect Four
  banyan play reversi --first greedy --second human
  banyan analyse connect-four:10x11,hole=d3 --moves \"5 6 5\"
  banyan analyse dots-and-boxes:3x3 --budget playouts=100000 --json
  banyan solve dots-and-boxes:3x3
  banyan match reversi uct uct:c=0.5 --pairs 100
  banyan perft reversi --depth 9

Exit codes: 0 done, 1 the answer is no, 2 it went wrong, 130 interrupted.";

/// The version, and the instruction set of the build.
const VERSION: &str = if banyan_core::cpu::IS_V3 {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v3)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (portable)")
};

/// Searches and plays two-player board games: Connect Four, Reversi, Dots and Boxes, and your own.
#[derive(Debug, Parser)]
#[command(name = "banyan", version = VERSION, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    /// When to use colour.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 100)]
    pub(crate) color: Color,

    /// Draw boards with plain characters.
    #[arg(long, global = true, display_order = 101)]
    pub(crate) ascii: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play in the terminal, against a player or a person.
    Play(crate::play::PlayArgs),
    /// Search a position and print the best moves.
    #[command(visible_alias = "analyze")]
    Analyse(crate::analyse::AnalyseArgs),
    /// Prove the value of a position and find all its best moves.
    Solve(crate::solve::SolveArgs),
    /// Run a match between players and report the result.
    Match(Box<crate::match_args::MatchArgs>),
    /// Put the parts of a match together.
    Merge(crate::merge::MergeArgs),
    /// Draw a position.
    Show(crate::show::ShowArgs),
    /// Count the sequences of exactly so many moves.
    Perft(crate::perft::PerftArgs),
    /// Compute Elo with its interval and sequential tests from counts of games.
    Calc(crate::calc::CalcArgs),
    /// Make and check openings for matches.
    Openings(crate::openings::OpeningsArgs),
    /// Measure speed and memory, and pin behaviour with a signature.
    Bench(crate::bench::BenchArgs),
    /// Speak the Go Text Protocol about Reversi, on standard input and output.
    Gtp(crate::gtp::GtpArgs),
    /// Speak NBoard 2 about Reversi, on standard input and output.
    Nboard(crate::nboard::NboardArgs),
    /// Speak the protocol of the SAU game platform about Dots and Boxes, on standard input and output.
    Sau(crate::sau::SauArgs),
    /// Play Connect Four for Saiblo: one thread, under 1 GB, 2.7 s a move, on standard input and output.
    Saiblo(crate::saiblo::SaibloArgs),
    /// Answer Botzone's JSON about Reversi, on standard input and output.
    Botzone(crate::botzone::BotzoneArgs),
    /// Analyse many positions at once, asked for in lines of JSON on standard input.
    Analysis(crate::analysis::AnalysisArgs),
    /// List the games.
    Games,
    /// List the players and everything that can be set on them.
    Players(crate::players::PlayersArgs),
    /// List the engines of engines.toml, or check one of them.
    Engines(crate::engines::EnginesArgs),
    /// Speak UGI on stdin and stdout, for programs that ask for moves (docs/ugi.md).
    Ugi,
    /// Let a strategy library of Connect Four speak UGI on stdin and stdout; matches start this by themselves.
    #[command(name = "strategy-host")]
    StrategyHost(crate::strategy_host::StrategyHostArgs),
    /// Write a completion script for a shell to stdout.
    Completions(crate::completions::CompletionsArgs),
    /// Write the manual page to stdout.
    Man,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_contradict_nothing() {
        super::Cli::command().debug_assert();
    }
}
