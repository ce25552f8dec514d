//! The book of a player: a file or the book of the program, opened once for all its games.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use banyan_core::TextError;

use super::built_in::{BUILT_IN, BuiltInBook};
use super::exact::ExactBook;
use super::opened::Book;
use super::read::read_book;
use crate::game_state::GameState;

/// A book of either kind.
#[derive(Clone, Debug)]
pub(crate) enum OpenedBook {
    /// Values and moves that searches found.
    Searched(Arc<Book>),
    /// Exact values.
    Exact(Arc<ExactBook>),
}

impl OpenedBook {
    fn game(&self) -> &str {
        match self {
            OpenedBook::Searched(book) => &book.plan().game,
            OpenedBook::Exact(book) => &book.plan().game,
        }
    }
}

/// The book of a player.
#[derive(Clone, Debug)]
pub(crate) struct BookSetting {
    path: PathBuf,
    /// Shared by all copies of the player.
    opened: Arc<OnceLock<OpenedBook>>,
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

    /// The book of the program.
    pub(crate) fn built_in() -> BookSetting {
        BookSetting::new(BUILT_IN)
    }

    /// Whether it is the book of the program, not a file.
    pub(crate) fn is_built_in(&self) -> bool {
        self.path.as_os_str() == BUILT_IN
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The book, for the game that `start` begins; `built_in` is that of the program.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or not finished, or is the book of another game, or the program has no book of this game.
    pub(crate) fn open(
        &self,
        built_in: Option<&BuiltInBook>,
        start: impl FnOnce() -> Result<GameState, TextError>,
    ) -> Result<OpenedBook, TextError> {
        let start = start()?;
        if self.is_built_in() {
            let book = BuiltInBook::required(built_in, &start)?;
            return Ok(OpenedBook::Exact(book.open(|| start)));
        }
        if let Some(book) = self.opened.get().filter(|book| book.game() == start.spec()) {
            return Ok(book.clone());
        }
        let book = open_book(&self.path, &start)?;
        // If another thread was faster, both read the same file.
        Ok(self.opened.get_or_init(|| book).clone())
    }
}

fn open_book(path: &Path, start: &GameState) -> Result<OpenedBook, TextError> {
    let text = read(path)?;
    if ExactBook::is_text_of(&text) {
        return exact(&text, path, start).map(OpenedBook::Exact);
    }
    Ok(OpenedBook::Searched(Arc::new(Book::read(&text, &path.display().to_string(), start)?)))
}

/// Opens a finished book of exact values for the game that `start` begins.
///
/// # Errors
/// The file cannot be read, is damaged or not finished, or is another kind of book, or the book of another game.
pub fn open_exact_book(path: &Path, start: &GameState) -> Result<Arc<ExactBook>, TextError> {
    exact(&read(path)?, path, start)
}

fn read(path: &Path) -> Result<String, TextError> {
    let remedy = "check the path, or make it by `banyan book make` or `banyan book solve`";
    read_book(path).map_err(|err| TextError::new("book", err.to_string(), remedy))
}

fn exact(text: &str, path: &Path, start: &GameState) -> Result<Arc<ExactBook>, TextError> {
    let name = path.display().to_string();
    let book = ExactBook::read(text, &name, start)?;
    if book.is_complete() {
        return Ok(Arc::new(book));
    }
    let found = format!("a book with {} of {} positions", book.n_solved(), book.n_positions());
    Err(TextError::new(found, "expected a finished one", "continue it by `banyan book solve`").at(name))
}
