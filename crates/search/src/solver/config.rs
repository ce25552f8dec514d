//! The settings of the player `solver`: one row for each.

use std::str::FromStr;

use banyan_core::TextError;

use crate::options::{Range, tunables, words};

words! {
    /// Choice of moves while the value is not proven.
    Opening {
        /// At random among the [casual moves](crate::Kit::casual_moves).
        Casual = "casual",
        /// By principal variation search.
        Pvs = "pvs",
        /// By the Monte Carlo search tuned for the game.
        Mcgs = "mcgs",
    }
}

words! {
    /// Choice among the moves of a lost or drawn position.
    Lost {
        /// The largest margin.
        Margin = "margin",
        /// Of the moves with the largest margin, the one with the fewest replies that keep the outcome.
        Replies = "replies",
    }
}

tunables! {
    /// The settings of the player `solver`.
    struct SolverConfig {}

    /// Every setting of the player `solver`.
    const SOLVER_TUNABLES;

    from: u32 = "from" {
        default: "46",
        range: Range::Whole { min: 0, max: 1000, step: 2 },
        help: "the value is proven from this number of plies before the last possible one on, if the budget allows; tuned by matches (experiments)",
    }
    later: u32 = "later" {
        default: "0",
        range: Range::Whole { min: 0, max: 100, step: 1 },
        help: "plies by which proofs begin after from for each full halving of the time of the move below 10 s, or of its nodes or playouts below 15,000,000, so that a small budget is not spent on proofs that it cannot reach; 0: at from",
    }
    opening: Opening = "opening" {
        default: "pvs",
        help: "moves before, and where the proof takes too long: casual, at random among moves that give nothing away; pvs; mcgs, as tuned for the game; eval=FILE gives them the weights of a file (banyan train)",
    }
    share: f32 = "share" {
        default: "0.8",
        range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
        help: "share of the budget for proofs: two fifths of it for the whole position, the rest, after the opening's search, for move by move in the order of that search; once the outcome is proven, all that is left goes to the margin, in a lost or drawn position four fifths; tuned by matches (experiments)",
    }
    lost: Lost = "lost" {
        default: "replies",
        help: "choice in a lost or drawn position: margin, the largest margin; replies, of the moves with the largest margin that can be proven the one with the fewest replies that keep the outcome, for an opponent that cannot prove them may err",
    }
    table_mib: u32 = "table-mib" {
        default: "256",
        range: Range::Whole { min: 1, max: 65_536, step: 64 },
        help: "MiB of the table of what is proven, and as much again for the opening's search",
    }
    threads: u32 = "threads" {
        default: "1",
        range: Range::Whole { min: 1, max: 256, step: 1 },
        help: "threads that search together; with more than one a search does not repeat exactly",
    }
}

impl Default for SolverConfig {
    fn default() -> SolverConfig {
        SolverConfig::at_defaults()
    }
}

/// The default settings but for those of a text, as [`SolverConfig::set_all`] takes it, checked by [`SolverConfig::check`].
impl FromStr for SolverConfig {
    type Err = TextError;

    fn from_str(settings: &str) -> Result<SolverConfig, TextError> {
        let mut config = SolverConfig::default();
        config.set_all(settings)?;
        config.check()?;
        Ok(config)
    }
}

impl SolverConfig {
    /// Casual moves, and exact play from 36 plies before the end on, as a reference.
    pub fn casual() -> SolverConfig {
        SolverConfig { from: 36, opening: Opening::Casual, share: 1.0, ..SolverConfig::default() }
    }
}
