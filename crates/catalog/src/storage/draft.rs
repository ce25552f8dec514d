//! Files that are replaced as a whole: the old file stays as it was until the new one is complete and on the disk.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::{thread, time::Duration};

/// The suffix of the names of drafts.
pub(super) const DRAFT: &str = ".tmp";

/// The longest file name that its draft's name begins with; file systems allow 255 bytes for both together.
const LONGEST_NAME: usize = 200;

/// Symbolic links that are followed to a file that does not exist.
const MOST_LINKS: usize = 40;

/// A file that replaces another one when it is complete; if it is dropped before, it is removed. Anything but an ordinary file, such
/// as a pipe or `/dev/stdout`, is written directly.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// The file to be replaced, behind all symbolic links.
    target: PathBuf,
    /// The path of the draft; `None` if the file is written directly.
    draft: Option<PathBuf>,
}

/// Writes a file so that it is whole at any time: the old one or the new one. A symbolic link stays one, and the file keeps its
/// permissions.
///
/// # Errors
/// It cannot be written; then the old file is still there.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes)?;
    draft.commit()
}

impl Draft {
    /// Begins the file that will be at `path`.
    ///
    /// # Errors
    /// No permission to write the file, or to create files in its folder.
    pub fn create(path: &Path) -> io::Result<Draft> {
        let target = behind_links(path)?;
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(Draft { file: open_special(&target)?, target, draft: None });
        }
        if old.is_some() {
            // A file without write permission is not replaced, either.
            OpenOptions::new().write(true).open(&target)?;
        }
        let draft = draft_of(&target);
        let file = match OpenOptions::new().write(true).create_new(true).open(&draft) {
            // The file is writable and its folder is not: there is no other way.
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied && old.is_some() => {
                let file = OpenOptions::new().write(true).truncate(true).open(&target)?;
                return Ok(Draft { file, target, draft: None });
            }
            file => file?,
        };
        open_drafts().push(draft.clone());
        let draft = Draft { file, target, draft: Some(draft) };
        if let Some(old) = &old {
            draft.take_permissions_of(old)?;
        }
        Ok(draft)
    }

    fn take_permissions_of(&self, old: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only root may change the owner of a file.
            let _ = fchown(&self.file, Some(old.uid()), Some(old.gid()));
        }
        self.file.set_permissions(old.permissions())
    }

    /// Whether the draft still exists: its folder may have been moved or removed.
    fn is_there(&self) -> bool {
        self.draft.as_ref().is_none_or(|draft| draft.exists())
    }

    /// Syncs the file to the disk and moves it to its path.
    ///
    /// # Errors
    /// The disk is full, or the folder does not exist any more.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(draft) = self.draft.clone() else { return Ok(()) };
        self.file.sync_all()?;
        match fs::rename(&draft, &self.target) {
            // A file of another user in a folder such as /tmp, or one that is mounted, can be written but not replaced.
            Err(err) if matches!(err.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy) => {
                return fs::copy(&draft, &self.target).map(drop);
            }
            renamed => renamed?,
        }
        self.draft = None;
        open_drafts().retain(|open| *open != draft);
        #[cfg(unix)]
        if let Some(folder) = self.target.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // Makes the new name survive a power failure too, if the file system can.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Write for Draft {
    /// Also fails if the draft was moved or removed.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_there() {
            let message = "it was moved or removed while it was written; run the same command again";
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            // A full disk leaves half a file. The error to report is the first one.
            let _ = fs::remove_file(draft);
            open_drafts().retain(|open| open != draft);
        }
    }
}

/// Opens a pipe or a device for writing. Opening a pipe without a reader would block until one comes, and no signal would end that.
fn open_special(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        use rustix::io::Errno;

        let has_reader =
            || OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
        let is_unread = |file: &io::Result<File>| {
            file.as_ref().is_err_and(|err| err.raw_os_error() == Some(Errno::NXIO.raw_os_error()))
        };
        // A reader that starts at the same time may open it a little later.
        let tried = (0..10).map(|_| has_reader()).find(|file| {
            let is_unread = is_unread(file);
            if is_unread {
                thread::sleep(Duration::from_millis(50));
            }
            !is_unread
        });
        // Stays open until the second one is, which waits if the pipe is full.
        let _first =
            tried.unwrap_or_else(|| Err(io::Error::new(io::ErrorKind::NotFound, "a pipe that no program reads")))?;
        OpenOptions::new().write(true).open(path)
    }
    #[cfg(not(unix))]
    OpenOptions::new().write(true).open(path)
}

/// The drafts that are neither complete nor dropped.
fn open_drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all drafts, for a program that ends without dropping them.
pub fn discard_drafts() {
    // Failures to remove a draft are ignored.
    open_drafts().drain(..).for_each(|draft| drop(fs::remove_file(draft)));
}

/// The file that a path leads to; symbolic links may end at one that is not there.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(to) = fs::read_link(&path) else { return Ok(path) };
        // `/dev/stdout` leads to something like `pipe:[1234]`, which only the link opens.
        if !to.exists() && fs::metadata(&path).is_ok() && to.is_relative() && path.starts_with("/proc") {
            return Ok(path);
        }
        path = path.parent().map_or(to.clone(), |folder| folder.join(&to));
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A file name beside the target that no other draft has.
fn draft_of(target: &Path) -> PathBuf {
    static DRAFTS: AtomicU32 = AtomicU32::new(0);
    let mark = format!(".{}-{}{DRAFT}", process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed));
    let name = target.file_name().filter(|name| name.len() <= LONGEST_NAME);
    let mut draft = name.map_or_else(|| OsString::from("draft"), OsString::from);
    draft.push(mark);
    target.with_file_name(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate temporary folder, removed on drop.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path = std::env::temp_dir().join(format!("banyan-draft-{}-{name}", process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a folder");
            Place(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn names(&self) -> Vec<String> {
            let names = fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let place = Place::new("whole");
        let file = place.file("report.html");
        replace_file(&file, b"old").expect("a new file");
        let mut draft = Draft::create(&file).expect("a draft");
        draft.write_all(b"half of").expect("it is written");
        assert_eq!(fs::read(&file).expect("the old one"), b"old");
        assert!(super::super::folder::is_draft(&place.names()[1]), "{:?}", place.names());
        drop(draft);
        assert_eq!(
            (fs::read(&file).expect("the old one"), place.names()),
            (b"old".to_vec(), vec!["report.html".to_owned()])
        );
        replace_file(&file, b"new").expect("it is replaced");
        assert_eq!(
            (fs::read(&file).expect("the new one"), place.names()),
            (b"new".to_vec(), vec!["report.html".to_owned()])
        );
        let long = place.file(&"x".repeat(250));
        replace_file(&long, b"1").expect("a long name");
        assert_eq!(fs::read(&long).expect("it is there"), b"1");
        assert!(replace_file(&place.file("none/report.html"), b"1").is_err());
        assert!(replace_file(&place.0, b"1").is_err());
    }

    // Windows removes no folder with an open file.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_gone_is_noticed() {
        let place = Place::new("gone");
        let mut draft = Draft::create(&place.file("a")).expect("a draft");
        assert!(draft.is_there());
        fs::remove_dir_all(&place.0).expect("it is ours");
        assert!(!draft.is_there());
        assert!(draft.write_all(b"1").expect_err("it is gone").to_string().contains("run the same command again"));
        assert!(draft.commit().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let place = Place::new("links");
        let (file, link, dangling) = (place.file("file"), place.file("link"), place.file("dangling"));
        fs::write(&file, "old").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("our own file");
        symlink("file", &link).expect("a link");
        symlink("later", &dangling).expect("a link");
        replace_file(&link, b"new").expect("behind the link");
        replace_file(&dangling, b"later").expect("behind the link");
        assert!(link.is_symlink() && dangling.is_symlink());
        assert_eq!(
            (fs::read(&file).expect("a file"), fs::read(place.file("later")).expect("a file")),
            (b"new".into(), b"later".into())
        );
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
        replace_file(Path::new("/dev/null"), b"anything").expect("a device");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
        if Path::new("/dev/full").exists() {
            assert_eq!(
                replace_file(Path::new("/dev/full"), b"1").expect_err("full").kind(),
                io::ErrorKind::StorageFull
            );
        }
        let pipe = place.file("pipe");
        assert!(process::Command::new("mkfifo").arg(&pipe).status().expect("every Unix has it").success());
        assert_eq!(replace_file(&pipe, b"1").expect_err("nobody reads").to_string(), "a pipe that no program reads");
        let reader = {
            let pipe = pipe.clone();
            thread::spawn(move || fs::read(pipe).expect("a pipe"))
        };
        let long = vec![b'x'; 200_000];
        replace_file(&pipe, &long).expect("it is read");
        assert!(reader.join().expect("a reader") == long);
        assert_eq!(place.names(), ["dangling", "file", "later", "link", "pipe"]);
    }
}
