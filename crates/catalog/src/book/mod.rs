//! Opening books, made by searches of our own: a text file of positions with their values and moves, which grows by drop-out
//! expansion, can be continued at any time, and from which every player can play.

mod error;
mod expansion;
mod file;
mod make;
mod opened;
mod plan;
mod player;
mod setting;
mod show;
mod value;

pub use error::BookError;
pub use file::BookFile;
pub use make::{BookLimits, grow_book};
pub use opened::Book;
pub use plan::BookPlan;
pub(crate) use player::BookPlayer;
pub(crate) use setting::BookSetting;

/// Receives the progress of a book, and can stop it; finished searches are kept.
pub trait BookObserver: Sync {
    /// Whether to stop; called every few milliseconds, also during a search.
    fn stopped(&self) -> bool {
        false
    }

    /// The book has so many positions, after the search of another one.
    fn added(&self, _book: &Book) {}
}
