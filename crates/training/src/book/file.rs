//! The file of a book that grows: a line is appended for each position as soon as it is searched; if the program ends for any reason,
//! only the running searches are lost.

use std::path::Path;

use banyan_catalog::book::{Book, BookError, BookPlan, LINE_FORM, read_book};
use banyan_catalog::storage::{Journal, JournalKind, Opened};
use banyan_catalog::{AnyGame, Catalog, GameState, Opening, Session};
use banyan_core::TextError;

use super::plan::parts;

const KIND: JournalKind = JournalKind {
    form: LINE_FORM,
    busy: "writing this book",
    work: "the search",
    in_folder: false,
    resume: |path| format!("continue with the same command and --out {path}"),
};

/// The open file of a book, locked against other processes that would write it.
#[derive(Debug)]
pub struct BookFile {
    journal: Journal,
    book: Book,
}

impl BookFile {
    /// Opens the book of this plan, and begins it if the file is new or empty. Its content is kept.
    ///
    /// # Errors
    /// The file holds something else or the book of another plan, another process writes it, or it cannot be written.
    pub fn open(path: &Path, plan: BookPlan, game: &AnyGame) -> Result<BookFile, BookError> {
        parts(&plan, game)?;
        let first = plan.to_string();
        let empty = |start: &GameState| Ok(Book::empty(plan.clone(), start));
        let read = |text: &str, name: &str, start: &GameState| {
            let book = Book::read(text, name, start)?;
            plan.check_same(book.plan()).map_err(|err| err.at(name))?;
            Ok(book)
        };
        let (journal, book) = open_journal(path, game, &first, empty, read)?;
        Ok(BookFile { journal, book })
    }

    /// The book in its current state.
    pub fn book(&self) -> &Book {
        &self.book
    }

    pub(super) fn book_mut(&mut self) -> &mut Book {
        &mut self.book
    }

    pub(super) fn append(&mut self, line: &str) -> Result<(), BookError> {
        Ok(self.journal.append(line)?)
    }

    /// Syncs what is written to the disk.
    pub(super) fn sync(&mut self) -> Result<(), BookError> {
        Ok(self.journal.sync()?)
    }
}

/// Opens the file of a book with this first line, and begins it if it is new or empty: `empty` makes the book of a new file, `read` that of
/// a text with the name of its file, for the start of the game.
///
/// # Errors
/// The file is refused by `read`, another process writes it, or it cannot be written.
pub(super) fn open_journal<B>(
    path: &Path,
    game: &AnyGame,
    first: &str,
    empty: impl FnOnce(&GameState) -> Result<B, TextError>,
    read: impl FnOnce(&str, &str, &GameState) -> Result<B, TextError>,
) -> Result<(Journal, B), BookError> {
    let Opened { mut journal, lines } = Journal::open(path, &KIND)?;
    let start = game.begin(Opening::Start)?;
    let is_new = lines.is_empty() && LINE_FORM.seal(first, 1).as_bytes().starts_with(lines.rest());
    let book = if is_new {
        empty(&start)?
    } else {
        // In a file without a line end, the rest is its first line, which is not that of a book.
        let text = lines.content()? + &String::from_utf8_lossy(lines.rest());
        read(&text, &path.display().to_string(), &start)?
    };
    // A line that was being written when the program ended is written again.
    journal.cut_off()?;
    if is_new {
        journal.append(first)?;
    }
    Ok((journal, book))
}

/// Opens a book and the game that it names, at its start.
///
/// # Errors
/// It cannot be read, or is damaged.
pub fn open_book(path: &Path, catalog: &Catalog) -> Result<(Book, Session), BookError> {
    let text = read_book(path)?;
    let name = path.display().to_string();
    let first = text.lines().next().unwrap_or_default();
    let at = |err: TextError| err.at(format_args!("{name}:1"));
    let game = BookPlan::read(first).and_then(|plan| catalog.game(&plan.game)).map_err(at)?;
    let session = game.open(Opening::Start)?;
    Ok((Book::read(&text, &name, &session)?, session))
}
