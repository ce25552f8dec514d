//! Monte Carlo tree search, alpha-beta search and exact solving for two-player board games with perfect information.
//!
//! | feature | contents |
//! |---|---|
//! | default | the interfaces ([`Game`], [`Player`] and the rest), the laws that check a game ([`laws`]), the searches ([`search`]), matches and their statistics ([`arena`]) |
//! | `games` | in addition rules, knowledge and evaluators of the built-in games: `connect_four`, `reversi`, `dots_and_boxes` |
//! | `catalog` | in addition the kits of the built-in games, and games and players by name: `catalog`, `builtin` |
//!
// Its examples are tests where all features are there.
#![cfg_attr(any(not(doctest), feature = "catalog"), doc = include_str!("../README.md"))]

pub use banyan_arena as arena;
#[cfg(feature = "catalog")]
pub use banyan_catalog as catalog;
/// All interfaces, with the parts for fast rules and searches.
pub use banyan_core as contracts;
pub use banyan_exact as exact;
pub use banyan_inference as inference;
pub use banyan_laws as laws;
pub use banyan_search as search;

pub use banyan_arena::{MatchConditions, play_match};
#[doc(hidden)]
pub use banyan_bits::{self as bits, cpu};
pub use banyan_core::{
    Answer, Bounds, Cell, Clock, Edge, ErasedGame, ErasedState, Evaluator, Fault, Flow, Game, Knowledge, Leaves,
    Limits, Margin, MoveCode, MoveList, MoveStat, Notation, Picture, Plain, PlaneBatch, PlaneEvaluator, Planes, Player,
    PlayoutPolicy, Poll, Priors, Prover, Report, Rng, SearchObserver, Side, Silent, Situation, Solution, Solver,
    Symmetry, TextError, TextErrorKind, Timer, Uniform, Value, canonical_key, perft, random_move,
};
#[doc(hidden)]
pub use banyan_core::{FINE, mix, parse_moves_by_word, play_words};
pub use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, Config, Greedy, Kit, Mcts, Random};

/// Connect Four: rules, knowledge and playouts; with the feature `catalog` also the kit that configures searches.
#[cfg(feature = "games")]
pub mod connect_four {
    pub use banyan_connect_four::*;
    #[cfg(feature = "catalog")]
    pub use banyan_connect_four_engine::{ConnectFourKit, family};
}

/// Reversi: rules, knowledge and playouts; with the feature `catalog` also the kit that configures searches.
#[cfg(feature = "games")]
pub mod reversi {
    pub use banyan_reversi::*;
    #[cfg(feature = "catalog")]
    pub use banyan_reversi_engine::{ReversiKit, family};
}

/// Dots and Boxes: rules, knowledge and playouts; with the feature `catalog` also the kit that configures searches.
#[cfg(feature = "games")]
pub mod dots_and_boxes {
    pub use banyan_dots_and_boxes::*;
    #[cfg(feature = "catalog")]
    pub use banyan_dots_and_boxes_engine::{DotsAndBoxesKit, family};
}

/// The catalog of the built-in games; other games can be added with [`Catalog::register`](catalog::Catalog::register). Needs the
/// feature `catalog`.
///
/// ```
/// use banyan::catalog::PlayerSpec;
///
/// let catalog = banyan::builtin();
/// let names: Vec<&str> = catalog.families().iter().map(|family| family.name).collect();
/// assert_eq!(names, ["connect-four", "reversi", "dots-and-boxes"]);
///
/// let game = catalog.game("reversi:8x8")?; // the usual size
/// assert_eq!(game.spec(), "reversi");
/// game.check_player(&"mcgs:c=0.5".parse::<PlayerSpec>()?)?;
/// assert!(catalog.game("reversi:5x5").is_err());
/// # Ok::<(), banyan::TextError>(())
/// ```
#[cfg(feature = "catalog")]
pub fn builtin() -> catalog::Catalog {
    let families = [connect_four::family(), reversi::family(), dots_and_boxes::family()];
    catalog::Catalog::of(families).expect("the presets of built-in games parse")
}
