//! A book of exact values that is part of the program.

use std::fmt;
use std::sync::{Arc, OnceLock};

use banyan_core::TextError;

use super::exact::ExactBook;
use super::read::content;
use crate::game_state::GameState;

/// The name that stands for the book of the program.
pub(crate) const BUILT_IN: &str = "built-in";

/// A complete book of exact values, read when it is first used.
pub struct BuiltInBook {
    game: &'static str,
    plies: u16,
    text: &'static str,
    opened: OnceLock<Arc<ExactBook>>,
}

impl BuiltInBook {
    /// The book of a game and board with the values after `plies` moves: the content of a file of `banyan book solve`.
    pub const fn new(game: &'static str, plies: u16, text: &'static str) -> BuiltInBook {
        BuiltInBook { game, plies, text, opened: OnceLock::new() }
    }

    /// Moves to its last positions.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// The game and board.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The book of the program for the game that `start` begins, if there is one.
    pub(crate) fn required<'a>(book: Option<&'a BuiltInBook>, start: &GameState) -> Result<&'a BuiltInBook, TextError> {
        book.ok_or_else(|| {
            let found = format!("book={BUILT_IN} in {}", start.spec());
            TextError::new(found, "expected a game with a built-in book", "use book=off, or the file of a book")
        })
    }

    /// The book; `start` is the beginning of a game.
    ///
    /// # Panics
    /// The text is not the complete book of this game.
    pub(crate) fn open(&self, start: impl FnOnce() -> GameState) -> Arc<ExactBook> {
        let read = || {
            let text = content(self.text).expect("the lines of the built-in book match their checksums");
            let book = ExactBook::read(&text, BUILT_IN, &start()).expect("the built-in book is one of this game");
            let is_as_stated = book.is_complete() && book.plan().plies == u32::from(self.plies);
            assert!(is_as_stated, "the built-in book is complete and of {} plies", self.plies);
            Arc::new(book)
        };
        Arc::clone(self.opened.get_or_init(read))
    }
}

impl fmt::Debug for BuiltInBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltInBook").finish_non_exhaustive()
    }
}
