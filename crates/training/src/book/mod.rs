//! Opening books made by searches: a file that grows by drop-out expansion and can be continued at any time.

mod file;
mod make;
mod plan;

use banyan_catalog::book::Book;

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
