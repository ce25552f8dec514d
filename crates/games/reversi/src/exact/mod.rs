//! The exact solver: null-window search to the end of the game, for boards of up to eight rows and columns.
//!
//! Selective searches by the learned evaluation, if there is one, come before the proof of a value, for a guess of it and the moves to try
//! first. Near the end parity and few replies decide the order of the moves, higher up a shallow search; proven bounds are shared
//! through a table, also before the moves are searched (enhanced transposition cutoff: Schaeffer and Plaat 1996), and stable discs bound
//! the margin. The last four empty squares have dedicated code without lists. (Feldmann, Mysliwietz and Monien 1990, Game Tree Search on
//! a Massively Parallel System, and Buro 1994, Techniken für die Bewertung von Spielsituationen, describe fastest-first ordering;
//! Andersson's endgame solver, ordering by parity.)

mod board;
mod eval;
mod last;
mod prover;
mod search;
mod selectivity;

pub use prover::ExactEndings;
