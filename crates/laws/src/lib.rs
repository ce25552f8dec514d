//! Laws that every game must satisfy, as checks on random games, for the tests of Banyan and of its users.
//!
//! [`check`] plays seeded random games and checks every law of [`all`] on their positions; it returns the first
//! violation as a [`Violation`] with the position, the moves that led there and the seed. Searches and matches rely on
//! these laws and on nothing else about a game. Knowledge beyond the rules has its own laws: [`check_knowledge`],
//! [`check_evaluator`], [`check_policy`].
//!
//! | law | requirement |
//! |---|---|
//! | `answers-repeat` | repeated calls of the rules return the same results |
//! | `moves-legal` | moves are distinct, as many as are counted, and appended to the list; none exactly when the game is over |
//! | `codes-round-trip` | a move's code decodes to the move |
//! | `plies-rise` | every play raises the ply, from 0 to at most `max_plies`, and not the plies left, and every game ends |
//! | `phase-rises` | the phase of a game stays within 0 and 1 and never falls |
//! | `state-small` | a state takes at most two cache lines |
//! | `state-recomputed` | an incrementally updated state equals the one computed from scratch, key and hash included |
//! | `key-determines-future` | positions with equal keys have the same mover, moves, gains and keys to come |
//! | `future-determines-key` | positions with the same future have equal keys, whatever their score, ply and history |
//! | `keys-mixed` | every bit of the key varies from position to position |
//! | `moves-round-trip` | a move's text has no spaces, is unique in its position, and parses back to the move |
//! | `positions-round-trip` | a position's text is one line and parses back to the position |
//! | `illegal-refused` | any text that parses as a move or position gives a legal one that prints consistently |
//! | `games-round-trip` | the texts of a game's moves in sequence parse back to the game |
//! | `symmetries-map` | symmetries map positions, moves and play onto each other and keep the canonical key |
//! | `margins-in-range` | results and scores stay in the range of margins |
//! | `bounds-hold` | bounds stay in the range, are exact at the end and never contradicted by play or by a full search |
//! | `pictures-fit` | a picture has as many cells, edges and labels as its rows and columns need |
//! | `options-round-trip` | the printed options make the same game |

pub mod evaluators;
mod future;
mod keys;
pub mod knowledge;
mod order;
pub mod policies;
mod random_game;
mod suite;
mod symmetry;
mod text;
mod value;
mod violation;

pub use evaluators::check_evaluator;
pub use knowledge::check_knowledge;
pub use policies::{check_policy, check_uniform_policy};
pub use random_game::RandomGame;
pub use suite::{Law, all, check};
pub use violation::{Finding, Violation};
