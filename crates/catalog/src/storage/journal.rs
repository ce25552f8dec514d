//! A text file that grows by a line for each piece of work: if the program ends for any reason, only the running piece is lost.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use banyan_core::TextError;

use super::checked::LineForm;
use super::draft::replace_file;
use super::error::{FileError, StorageError};
use super::syncer::Syncer;
use super::text::{Lines, check_ordinary};

/// The kind of a journal: the form of its lines, and words for its messages.
#[derive(Debug)]
pub struct JournalKind {
    /// The form of its lines.
    pub form: LineForm,
    /// The reason why it may be locked: `another process is playing this match`.
    pub busy: &'static str,
    /// The work in progress: `the match`, in the message that it was changed `while the match was running`.
    pub work: &'static str,
    /// Whether it is one of several files of a folder, which users name by the folder.
    pub in_folder: bool,
    /// Instructions to continue with the file or folder at a path: `resume the match with --resume runs/first`.
    pub resume: fn(&str) -> String,
}

/// An open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    kind: &'static JournalKind,
    file: File,
    /// The size that the file has unless another program changes it.
    size: u64,
    n_lines: usize,
    /// Length of an incomplete last line.
    rest: usize,
    syncer: Syncer,
    /// Files without which the journal is of no use.
    kept: Vec<(PathBuf, String)>,
}

/// A journal that was opened, and its lines so far.
#[derive(Debug)]
pub struct Opened {
    /// The journal.
    pub journal: Journal,
    /// Its lines.
    pub lines: Lines,
}

impl Journal {
    /// Opens a journal, creating it if it does not exist. Its content is not changed.
    ///
    /// # Errors
    /// Another process has locked it, it is not an ordinary file, or it cannot be read or written.
    pub fn open(path: &Path, kind: &'static JournalKind) -> Result<Opened, StorageError> {
        let (file, n_read) = open_locked(path, kind)?;
        let mut bytes = Vec::new();
        (&file).take(n_read).read_to_end(&mut bytes).map_err(FileError::of("read", path))?;
        let size = bytes.len() as u64;
        let lines = Lines::of(path, kind.form, bytes);
        let syncer = Syncer::start(file.try_clone().map_err(FileError::of("open", path))?);
        let (n_lines, rest) = (lines.len(), lines.rest().len());
        let journal = Journal { path: path.to_owned(), kind, file, size, n_lines, rest, syncer, kept: Vec::new() };
        Ok(Opened { journal, lines })
    }

    /// Removes an incomplete last line, and returns its length. To be called once the content of the file is validated.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn cut_off(&mut self) -> Result<Option<usize>, StorageError> {
        let rest = std::mem::take(&mut self.rest);
        if rest == 0 {
            return Ok(None);
        }
        self.size -= rest as u64;
        self.file.set_len(self.size).map_err(FileError::of("shorten", &self.path))?;
        Ok(Some(rest))
    }

    /// Replaces all lines by these, as a whole.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn replace(&mut self, lines: &[String]) -> Result<(), StorageError> {
        let sealed = lines.iter().enumerate().map(|(idx, line)| self.kind.form.seal(line, idx + 1) + "\n");
        let text: String = sealed.collect();
        replace_file(&self.path, text.as_bytes()).map_err(FileError::of("write", &self.path))?;
        let Opened { journal, .. } = Journal::open(&self.path, self.kind)?;
        let kept = std::mem::take(&mut self.kept);
        *self = Journal { kept, ..journal };
        Ok(())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of lines.
    pub fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// Writes a further file of the folder, replacing an old one, and writes it again if it is removed while the journal is open.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&mut self, name: &str, text: String) -> Result<(), StorageError> {
        let path = self.path.with_file_name(name);
        replace_file(&path, text.as_bytes()).map_err(FileError::of("write", &path))?;
        self.remember(name, text);
        Ok(())
    }

    /// Writes a file again, with this text, if it is removed while the journal is open.
    pub fn remember(&mut self, name: &str, text: String) {
        let path = self.path.with_file_name(name);
        self.kept.retain(|(kept, _)| *kept != path);
        self.kept.push((path, text));
    }

    /// Appends a line with its checksum, in one write.
    ///
    /// # Errors
    /// It cannot be written, and then no part of it is; or another program has removed, moved or changed the file.
    pub fn append(&mut self, line: &str) -> Result<(), StorageError> {
        self.cut_off()?;
        let text = self.kind.form.seal(line, self.n_lines + 1) + "\n";
        if let Err(err) = self.file.write_all(text.as_bytes()) {
            // With a full disk, a part may have been written.
            let _ = self.file.set_len(self.size);
            return Err(FileError::of("write", &self.path)(err).into());
        }
        self.size += text.len() as u64;
        self.n_lines += 1;
        self.syncer.wake();
        self.check()
    }

    /// Brings all lines to the disk.
    ///
    /// # Errors
    /// They cannot be written, or another program has removed, moved or changed the file.
    pub fn sync(&mut self) -> Result<(), StorageError> {
        self.file.sync_data().map_err(FileError::of("write", &self.path))?;
        self.check()
    }

    /// Checks that the file at the path still holds the lines that were written. A file that was removed is written again.
    ///
    /// # Errors
    /// Another program has removed, moved or changed the file.
    pub fn check(&mut self) -> Result<(), StorageError> {
        self.inspect().map_err(|Lost { error, new }| {
            // Later lines are written to the new file; the final sync brings them to the disk.
            if let Some(file) = new {
                self.file = file;
            }
            error
        })
    }

    /// [`check`](Journal::check) for a journal to which nothing more is appended.
    ///
    /// # Errors
    /// See [`check`](Journal::check).
    pub fn look(&self) -> Result<(), StorageError> {
        self.inspect().map_err(|lost| lost.error)
    }

    fn inspect(&self) -> Result<(), Lost> {
        match fs::metadata(&self.path) {
            Ok(found) if is_same(&found, &self.file) => {
                if found.len() != self.size {
                    return self.lost("was changed", format!("restore the file, then {}", self.resume()));
                }
                match self.write_kept(false) {
                    // The folder is being removed.
                    Err(_) if !self.path.exists() => self.moved_or_removed(),
                    written => Ok(written?),
                }
            }
            // The folder was moved, and another one has its name.
            Ok(_) if moved_to(&self.file).is_some_and(|place| place.file_name() == self.path.file_name()) => {
                self.moved_or_removed()
            }
            Ok(_) => self.replaced(),
            Err(err) if is_absent(&err) => self.moved_or_removed(),
            Err(err) => Err(StorageError::from(FileError::of("read", &self.path)(err)).into()),
        }
    }

    fn replaced(&self) -> Result<(), Lost> {
        let copy = self.save_copy()?;
        let remedy = format!("its lines are in {copy}: rename that to {}, then {}", self.name(), self.resume());
        self.lost("was replaced", remedy)
    }

    fn moved_or_removed(&self) -> Result<(), Lost> {
        if let Some(place) = moved_to(&self.file) {
            let is_folder = self.kind.in_folder && place.file_name() == self.path.file_name();
            let here = if is_folder { place.parent().unwrap_or(&place) } else { &place };
            let remedy = match self.kind.in_folder && !is_folder {
                true => format!("move it back from {}, then {}", place.display(), self.resume()),
                false => (self.kind.resume)(&here.display().to_string()),
            };
            return self.lost(&format!("was moved to {}", here.display()), remedy);
        }
        if is_linked(&self.file) {
            return self.lost("was moved", format!("move it back, then {}", self.resume()));
        }
        match self.write_again() {
            Ok(file) => {
                let lost = self.lost("was removed", format!("it is written again; {}", self.resume()));
                lost.map_err(|lost| Lost { new: Some(file), ..lost })
            }
            // Another file got its name in the meantime.
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => self.replaced(),
            Err(err) => Err(StorageError::from(FileError::of("write again the removed", &self.path)(err)).into()),
        }
    }

    fn lost(&self, what: &str, remedy: String) -> Result<(), Lost> {
        let expected = format!("expected it unchanged, but it {what} while {} was running", self.kind.work);
        Err(StorageError::from(TextError::new(self.path.display().to_string(), expected, remedy)).into())
    }

    /// Instructions to continue.
    fn resume(&self) -> String {
        let folder = self.path.parent().filter(|_| self.kind.in_folder);
        (self.kind.resume)(&folder.unwrap_or(&self.path).display().to_string())
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        let (mut file, mut bytes) = (&self.file, Vec::new());
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the lines of the open file, which was removed, to a new file at its path, and returns that.
    fn write_again(&self) -> io::Result<File> {
        let bytes = self.bytes()?;
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create_new(true).read(true).append(true).open(&self.path)?;
        file.try_lock()?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        self.write_kept(true).map_err(io::Error::other)?;
        Ok(file)
    }

    /// Writes the files that belong to the journal and are missing.
    fn write_kept(&self, is_new: bool) -> Result<(), StorageError> {
        for (path, text) in &self.kept {
            if is_new || fs::metadata(path).is_err_and(|err| is_absent(&err)) {
                replace_file(path, text.as_bytes()).map_err(FileError::of("write", path))?;
            }
        }
        Ok(())
    }

    /// Writes the lines of the open file to a new file beside it, and returns its name.
    fn save_copy(&self) -> Result<String, StorageError> {
        let copies = (1..).map(|n| format!("{}.saved-{n}", self.name()));
        let name = copies.map(|name| self.path.with_file_name(name)).find(|path| !path.exists());
        let path = name.expect("the numbers are unbounded");
        let saved = self.bytes().and_then(|bytes| replace_file(&path, &bytes));
        saved.map_err(FileError::of("write", &path))?;
        Ok(path.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }
}

/// A journal that was moved, removed or changed.
struct Lost {
    error: StorageError,
    /// The file that it was written to again.
    new: Option<File>,
}

impl From<StorageError> for Lost {
    fn from(error: StorageError) -> Lost {
        Lost { error, new: None }
    }
}

/// The file, and its size when it was locked.
fn open_locked(path: &Path, kind: &JournalKind) -> Result<(File, u64), StorageError> {
    let open = || {
        // A pipe would wait for another program to open it.
        match check_ordinary(path) {
            Err(err) if is_absent(&err) => {}
            checked => checked?,
        }
        OpenOptions::new().create(true).read(true).append(true).open(path)
    };
    // A single file has the name that the user gave it.
    let what = if kind.in_folder { "open" } else { "write" };
    loop {
        let file = open().map_err(FileError::of(what, path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let named = path.parent().filter(|_| kind.in_folder).unwrap_or(path);
                let err = TextError::new(
                    named.display().to_string(),
                    format!("expected no other process {}", kind.busy),
                    "wait for it or stop it",
                );
                return Err(err.into());
            }
            Err(TryLockError::Error(err)) => return Err(FileError::of("lock", path)(err).into()),
        }
        // Another process may have replaced the file before it was locked.
        if fs::metadata(path).is_ok_and(|found| is_same(&found, &file)) {
            let size = file.metadata().map_err(FileError::of("read", path))?.len();
            return Ok((file, size));
        }
    }
}

/// Whether nothing is at a path: a folder on the way may have been replaced by a file.
fn is_absent(err: &io::Error) -> bool {
    matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether the file found at a path is the open one.
#[cfg(unix)]
fn is_same(found: &Metadata, open: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    open.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (found.dev(), found.ino()))
}

/// An open file cannot be replaced on this system.
#[cfg(not(unix))]
fn is_same(_found: &Metadata, _open: &File) -> bool {
    true
}

/// Whether an open file still has a name.
#[cfg(unix)]
fn is_linked(open: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    open.metadata().is_ok_and(|open| open.nlink() > 0)
}

#[cfg(not(unix))]
fn is_linked(_open: &File) -> bool {
    true
}

/// The new path of an open file that was moved, if the system reports it.
#[cfg(target_os = "linux")]
fn moved_to(open: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let place = fs::read_link(format!("/proc/self/fd/{}", open.as_raw_fd())).ok()?;
    let is_there = fs::metadata(&place).is_ok_and(|found| is_same(&found, open));
    is_there.then_some(place)
}

#[cfg(not(target_os = "linux"))]
fn moved_to(_open: &File) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: JournalKind = JournalKind {
        form: LineForm::Numbered,
        busy: "playing",
        work: "the work",
        in_folder: true,
        resume: |path| format!("continue with {path}"),
    };
    const ALONE: JournalKind = JournalKind { in_folder: false, ..KIND };

    /// A separate temporary folder, removed on drop.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path = std::env::temp_dir().join(format!("banyan-journal-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(path.join("games")).expect("a folder");
            Place(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn open(&self, kind: &'static JournalKind) -> Journal {
            let mut journal = Journal::open(&self.file("games/lines"), kind).expect("it opens").journal;
            journal.keep("plan", "a plan\n".to_owned()).expect("it is written");
            for line in ["one", "two"] {
                journal.append(line).expect("it is written");
            }
            journal
        }

        /// The content of the lines of a file.
        fn content(&self, name: &str) -> String {
            super::super::read_lines(&self.file(name), KIND.form).expect("a file").content().expect("whole lines")
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[cfg(unix)]
    fn error(journal: &mut Journal) -> String {
        let err = journal.append("three").expect_err("it is noticed").to_string();
        assert!(!err.contains('\n'), "{err}");
        err
    }

    #[test]
    fn lines_are_appended_after_the_last_whole_one() {
        let place = Place::new("whole");
        let file = place.file("games/lines");
        drop(place.open(&KIND));
        let whole = fs::read(&file).expect("a file");
        fs::write(&file, [&whole[..], b"thr"].concat()).expect("a file");
        let Opened { mut journal, lines } = Journal::open(&file, &KIND).expect("it opens");
        assert_eq!((lines.content(), lines.rest()), (Ok("one\ntwo\n".to_owned()), &b"thr"[..]));
        // Nothing is changed before the content is validated.
        assert_eq!(fs::read(&file).expect("a file").len(), whole.len() + 3);
        let err = Journal::open(&file, &KIND).expect_err("it is locked").to_string();
        let folder = place.file("games");
        assert_eq!(err, format!("{}: expected no other process playing; wait for it or stop it", folder.display()));
        assert_eq!(journal.cut_off().expect("it is shortened"), Some(3));
        assert_eq!(journal.cut_off().expect("it is whole"), None);
        journal.append("three").expect("it is written");
        journal.sync().expect("it is written");
        assert_eq!((place.content("games/lines"), journal.n_lines()), ("one\ntwo\nthree\n".to_owned(), 3));
        journal.replace(&["four".to_owned()]).expect("it is written");
        journal.append("five").expect("it is written");
        assert_eq!(place.content("games/lines"), "four\nfive\n");
        assert!(Journal::open(&file, &KIND).is_err(), "it is still locked");
        drop(journal);
        assert_eq!(Journal::open(&file, &KIND).expect("it opens").journal.n_lines(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn what_was_removed_is_written_again() {
        let place = Place::new("removed");
        let mut journal = place.open(&KIND);
        fs::remove_file(place.file("games/plan")).expect("it is ours");
        journal.append("three").expect("the plan is written again");
        assert_eq!(fs::read_to_string(place.file("games/plan")).expect("a plan"), "a plan\n");
        fs::remove_dir_all(place.file("games")).expect("it is ours");
        let err = error(&mut journal);
        assert!(
            err.contains("lines: expected it unchanged, but it was removed while the work was running; it is written again; continue with "),
            "{err}"
        );
        assert_eq!(place.content("games/lines"), "one\ntwo\nthree\nthree\n");
        assert_eq!(fs::read_to_string(place.file("games/plan")).expect("a plan"), "a plan\n");
        drop(journal);
        // The advice works.
        assert_eq!(Journal::open(&place.file("games/lines"), &KIND).expect("it opens").journal.n_lines(), 4);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_was_moved_is_continued_where_it_is() {
        let place = Place::new("moved");
        let mut journal = place.open(&KIND);
        fs::rename(place.file("games"), place.file("new")).expect("it is ours");
        let new = place.file("new").canonicalize().expect("it is there");
        let expected = format!("was moved to {0} while the work was running; continue with {0}", new.display());
        assert!(error(&mut journal).ends_with(&expected), "{}", error(&mut journal));
        assert!(!place.file("games").exists());
        // Also if another folder has its name.
        fs::create_dir(place.file("games")).expect("a folder");
        fs::write(place.file("games/lines"), "").expect("a file");
        assert!(error(&mut journal).ends_with(&expected), "{}", error(&mut journal));
        assert_eq!(fs::read(place.file("games/lines")).expect("a file"), b"");
        drop(journal);
        let mut journal = place.open(&ALONE);
        fs::rename(place.file("games/lines"), place.file("games/others")).expect("it is ours");
        assert!(error(&mut journal).ends_with("/games/others"), "{}", error(&mut journal));
        drop(journal);
        let mut journal = place.open(&KIND);
        fs::rename(place.file("games/lines"), place.file("games/others")).expect("it is ours");
        let err = error(&mut journal);
        assert!(err.contains("; move it back from ") && err.contains("/games/others, then continue with "), "{err}");
    }

    #[cfg(unix)]
    #[test]
    fn what_was_replaced_is_saved_beside_it() {
        let place = Place::new("replaced");
        let mut journal = place.open(&KIND);
        let file = place.file("games/lines");
        fs::remove_file(&file).and_then(|()| fs::write(&file, "other\n")).expect("it is ours");
        let err = error(&mut journal);
        assert!(err.contains("was replaced while the work was running; its lines are in lines.saved-1: "), "{err}");
        assert_eq!(place.content("games/lines.saved-1"), "one\ntwo\nthree\n");
        assert_eq!(place.content("games/lines"), "other\n");
        drop(journal);
        let mut journal = Journal::open(&file, &KIND).expect("it opens").journal;
        OpenOptions::new().write(true).open(&file).and_then(|file| file.set_len(0)).expect("it is ours");
        assert!(error(&mut journal).contains("was changed while the work was running; restore the file, then "));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_ordinary_file_is_refused_at_once() {
        let place = Place::new("special");
        let pipe = place.file("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("every Unix has it");
        assert!(made.success());
        for path in [&pipe, Path::new("/dev/null"), &place.file("games")] {
            let err = Journal::open(path, &KIND).expect_err("no file").to_string();
            assert!(err.contains("expected an ordinary file") && !err.contains('\n'), "{err}");
        }
        assert!(super::super::read_lines(&pipe, KIND.form).is_err());
    }
}
