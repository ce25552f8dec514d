//! Books: files that grow and can be continued at any time, by drop-out expansion with the values of searches, or with exact values of all
//! positions after some moves.

mod exact;
mod file;
mod make;
mod plan;

use banyan_catalog::book::Book;

pub use exact::{ExactBookFile, ExactBookObserver, open_exact};
pub use file::{BookFile, open_book};
pub use make::{BookLimits, grow_book};
pub use plan::new_plan;

/// Receives the progress of a book, and can stop it; finished searches are kept.
pub trait BookObserver: Sync {
    /// Whether to stop; called every few milliseconds, also during a search.
    fn stopped(&self) -> bool {
        false
    }

    /// Called with the book after the search of another position.
    fn added(&self, _book: &Book) {}
}
