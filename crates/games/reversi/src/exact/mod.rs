//! The exact solver: null-window search to the end of the game, for boards of up to eight rows and columns.
//!
//! Where a value is to be proven and there is a learned evaluation, passes that trust it come first, for a guess of the value and the moves
//! to try first. Near the end parity and few replies decide the order of the moves, higher up a shallow search; proven bounds are shared
//! through a table, also before the moves are searched (enhanced transposition cutoff: Schaeffer and Plaat 1996), and stable discs bound
//! the margin. The last four empty squares have dedicated code without lists. (Feldmann, Mysliwietz and Monien 1990, Game Tree Search on
//! a Massively Parallel System, and Buro 1994, Techniken für die Bewertung von Spielsituationen, describe fastest-first ordering;
//! Andersson's endgame solver, ordering by parity.)

mod board;
mod eval;
mod last;
mod pass;
mod prover;
mod search;

pub use prover::ExactEndings;
