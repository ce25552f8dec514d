//! Banyan for library users: Monte Carlo tree search for two-player board games with perfect information.
//!
//! Three games are built in ([`games`]), a game of your own needs two small traits ([`Game`] and [`Notation`]; the
//! example `three_in_a_row` is a complete one). [`laws::check`] tells whether its rules are right, and every
//! [`Player`] plays it.
//!
//! What does UCT make of a Connect Four position?
//!
//! ```
//! use banyan::games::connect_four::ConnectFour;
//! use banyan::{Config, Game, Limits, Notation, Player, Silent, Situation, Mcts};
//!
//! // A board of 6x7 cells fits into 64 bits. Both sides have piled up three stones; the mover wins at once.
//! let game = ConnectFour::<u64>::from_options("6x7")?;
//! let start = game.start();
//! let played = game.parse_moves(&start, "4 3 4 3 4 3")?;
//! let mut state = start;
//! for &mv in &played {
//!     game.play(&mut state, mv);
//! }
//!
//! let at = Situation { game: &game, start: &start, played: &played, state: &state };
//! let report = Mcts::new(Config::default()).choose(&at, &Limits::playouts(10_000), &mut Silent)?;
//! assert_eq!(game.print_move(&state, report.best), "4");
//! assert!(report.win_rate() > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The searches are in [`search`], games and players by name in [`catalog`].

pub use banyan_catalog as catalog;
pub use banyan_games as games;
pub use banyan_search as search;

pub use banyan_core::{
    Bounds, Cell, Clock, Edge, Fault, Flow, Game, Limits, Margin, MoveList, MoveStat, Notation, Picture, Player,
    Report, Rng, Settings, Side, Silent, Situation, Symmetry, TextError, Timer, Watch, bits, cpu, laws, mix,
    parse_moves_by_word, perft, perft_divide, play_words,
};
pub use banyan_search::{Config, Greedy, Mcts, Random};
