//! Banyan for library users: Monte Carlo tree search for two-player board games with perfect information.
//!
//! Three games are built in ([`connect_four`], [`reversi`], [`dots_and_boxes`]), a game of your own needs two small
//! traits ([`Game`] and [`Notation`]; the example `three_in_a_row` is a complete one). [`laws::check`] tests its rules,
//! and every [`Player`] plays it.
//!
//! Monte Carlo search of a Connect Four position:
//!
//! ```
//! use banyan::connect_four::{ConnectFour, ConnectFourKit};
//! use banyan::{Config, Game, Limits, Mcts, Notation, Player, Silent, Situation};
//!
//! // A board of 6x7 cells fits into 64 bits. Both sides have three stones in a column; the mover wins at once.
//! let game = ConnectFour::<u64>::from_options("6x7")?;
//! let start = game.start();
//! let played = game.parse_moves(&start, "4 3 4 3 4 3")?;
//! let mut state = start;
//! for &mv in &played {
//!     game.play(&mut state, mv);
//! }
//!
//! let at = Situation { game: &game, start: &start, played: &played, state: &state };
//! let mut player = Mcts::with_kit(Config::default(), &ConnectFourKit)?;
//! let report = player.choose(&at, &Limits::playouts(10_000), &mut Silent)?;
//! assert_eq!(game.print_move(&state, report.best), "4");
//! assert!(report.win_rate() > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The searches are in [`search`], matches and their statistics in [`arena`], games and players by name in [`catalog`];
//! [`builtin`] is the catalog of the built-in games.

pub use ::banyan_catalog as catalog;
pub use banyan_arena as arena;
pub use banyan_search as search;

pub use banyan_core::{
    Answer, Bounds, Cell, Clock, Edge, Evaluator, FINE, Fault, Flow, Game, Knowledge, Leaves, Limits, Margin, MoveCode,
    MoveList, MoveStat, Notation, Picture, Plain, Player, PlayoutPolicy, Poll, Priors, Prover, Report, Rng,
    SearchObserver, Side, Silent, Situation, Solution, Solver, Symmetry, TextError, Timer, Uniform, Value, bits,
    canonical_key, cpu, laws, mix, parse_moves_by_word, perft, play_words, random_move,
};
pub use banyan_search::{Config, Greedy, Kit, Mcts, Random};

/// Connect Four: rules, knowledge, playouts, and the kit that configures searches.
pub mod connect_four {
    pub use banyan_connect_four::*;
    pub use banyan_connect_four_engine::ConnectFourKit;
    pub use banyan_connect_four_family::family;
}

/// Reversi: rules, knowledge, playouts, and the kit that configures searches.
pub mod reversi {
    pub use banyan_reversi::*;
    pub use banyan_reversi_engine::ReversiKit;
    pub use banyan_reversi_family::family;
}

/// Dots and Boxes: rules, knowledge, playouts, and the kit that configures searches.
pub mod dots_and_boxes {
    pub use banyan_dots_and_boxes::*;
    pub use banyan_dots_and_boxes_engine::DotsAndBoxesKit;
    pub use banyan_dots_and_boxes_family::family;
}

/// The catalog of the built-in games; games of your own can be added.
pub fn builtin() -> catalog::Catalog {
    let families = [connect_four::family(), reversi::family(), dots_and_boxes::family()];
    catalog::Catalog::of(families).expect("the presets of built-in games parse")
}
