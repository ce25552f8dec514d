//! The book of a player: a file, opened once for all its games.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use banyan_core::TextError;

use super::opened::Book;
use super::read::read_book;
use crate::game_state::GameState;

/// The book of a player.
#[derive(Clone, Debug)]
pub(crate) struct BookSetting {
    path: PathBuf,
    /// Shared by all copies of the player.
    opened: Arc<OnceLock<Arc<Book>>>,
}

/// Books are compared by the name of their file.
impl PartialEq for BookSetting {
    fn eq(&self, other: &BookSetting) -> bool {
        self.path == other.path
    }
}

impl BookSetting {
    pub(crate) fn new(path: impl Into<PathBuf>) -> BookSetting {
        BookSetting { path: path.into(), opened: Arc::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The book, for the game that `start` begins.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is the book of another game.
    pub(crate) fn open(&self, start: impl FnOnce() -> Result<GameState, TextError>) -> Result<Arc<Book>, TextError> {
        let start = start()?;
        if let Some(book) = self.opened.get().filter(|book| book.plan().game == start.spec()) {
            return Ok(Arc::clone(book));
        }
        let remedy = "check the path, or make it by `banyan book make`";
        let text = read_book(&self.path).map_err(|err| TextError::new("book", err.to_string(), remedy))?;
        let book = Arc::new(Book::read(&text, &self.path.display().to_string(), &start)?);
        // If another thread was faster, both read the same file.
        Ok(Arc::clone(self.opened.get_or_init(|| book)))
    }
}
