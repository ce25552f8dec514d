//! Tables for exact provers of single games: bounds of positions that threads have proven, in memory that grows while they search.
//!
//! A prover implements [`Prover`](banyan_core::Prover). It keeps a [`BoardTable`], and reads and writes it through a [`TableAccess`], which
//! counts its positions and stops it.

mod board_table;
mod bounds_table;
mod level;

pub use board_table::BoardTable;
pub use bounds_table::{BoundsTable, TableAccess};
pub use level::ProvenEntry;
