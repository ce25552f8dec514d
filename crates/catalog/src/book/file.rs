//! The file of a book that grows: a line is appended for each position as soon as it is searched, so that whatever ends the program,
//! only the running searches are lost.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use banyan_core::TextError;

use super::error::BookError;
use super::opened::Book;
use super::plan::BookPlan;
use crate::file_error::FileError;
use crate::game_state::Opening;
use crate::registry::{AnyGame, Catalog};
use crate::text_file::read_record;

/// Lines between two calls that bring them to the disk.
const SYNC_EVERY: u64 = 100;

/// The open file of a book, locked against other processes that would write it.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    file: File,
    book: Book,
    /// Lines written since it was opened.
    n_appended: u64,
}

impl BookFile {
    /// Opens the book of this plan, and begins it if the file is new or empty. What is in it already is kept.
    ///
    /// # Errors
    /// The file holds something else or the book of another plan, another process writes it, or it cannot be written.
    pub fn open(path: &Path, plan: BookPlan, game: &dyn AnyGame) -> Result<BookFile, BookError> {
        plan.parts(game)?;
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let file = opened.map_err(FileError::of("open", path))?;
        if file.try_lock().is_err() {
            let expected = "another process is writing this book";
            return Err(TextError::new(path.display().to_string(), expected, "wait for it or stop it").into());
        }
        let text = read_book(path)?;
        let first = format!("{plan}\n");
        let mut start = game.open(Opening::Start)?;
        // A line that was being written when the program ended is written again.
        let (book, whole) = if first.starts_with(&text) {
            (Book::empty(plan, &*start), 0)
        } else {
            let book = Book::read(&text, &path.display().to_string(), &mut *start)?;
            let named = |err: TextError| err.at(path.display());
            plan.check_same(book.plan()).map_err(named)?;
            (book, text.rfind('\n').map_or(0, |end| end + 1))
        };
        let mut opened = BookFile { path: path.to_owned(), file, book, n_appended: 0 };
        opened.file.set_len(whole as u64).map_err(FileError::of("shorten", path))?;
        opened.file.seek(SeekFrom::End(0)).map_err(FileError::of("read", path))?;
        if whole == 0 {
            opened.append(first.trim_end())?;
        }
        Ok(opened)
    }

    /// The book as far as it is made.
    pub fn book(&self) -> &Book {
        &self.book
    }

    pub(super) fn book_mut(&mut self) -> &mut Book {
        &mut self.book
    }

    pub(super) fn append(&mut self, line: &str) -> Result<(), BookError> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(FileError::of("write", &self.path))?;
        self.n_appended += 1;
        if self.n_appended.is_multiple_of(SYNC_EVERY) { self.sync() } else { Ok(()) }
    }

    /// Brings what is written to the disk.
    pub(super) fn sync(&self) -> Result<(), BookError> {
        Ok(self.file.sync_data().map_err(FileError::of("write", &self.path))?)
    }
}

impl Book {
    /// Opens a book and the game that it names, at its start.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn open(path: &Path, catalog: &Catalog) -> Result<(Book, Box<dyn crate::session::Session>), BookError> {
        let text = read_book(path)?;
        let name = path.display().to_string();
        let first = text.lines().next().unwrap_or_default();
        let at = |err: TextError| err.at(format_args!("{name}:1"));
        let game = BookPlan::read(first).and_then(|plan| plan.game(catalog)).map_err(at)?;
        let mut session = game.open(Opening::Start)?;
        let book = Book::read(&text, &name, &mut *session)?;
        while session.undo().is_some() {}
        Ok((book, session))
    }
}

/// Reads the text of a book. What is not UTF-8 becomes a damaged line.
pub(super) fn read_book(path: &Path) -> Result<String, BookError> {
    let bytes = read_record(path).map_err(FileError::of("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
