//! Files of users, read up to a limit: a device such as `/dev/zero` has no end.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest text that is read, in bytes. The largest sensible one is a file of a million openings.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// The text of a file.
///
/// # Errors
/// It cannot be read, is not in UTF-8, or is larger than [`LARGEST_TEXT`].
pub fn read_text(path: &Path) -> io::Result<String> {
    read_text_from(File::open(path)?)
}

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, or is larger than [`LARGEST_TEXT`].
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, LARGEST_TEXT)
}

/// The rest of a stream as text.
///
/// # Errors
/// As for [`read_text`].
pub fn read_text_from(stream: impl Read) -> io::Result<String> {
    let bytes = read_at_most(stream, LARGEST_TEXT)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8; check the path"))
}

/// The message of an error that may quote text with line breaks, in one line.
pub(crate) fn in_one_line(err: impl Display) -> String {
    err.to_string().replace(['\n', '\r'], " ")
}

/// The bytes of a record of games, which may have any size on a disk. What is no ordinary file has the limit of other texts.
pub(crate) fn read_record(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let most = if file.metadata()?.is_file() { u64::MAX } else { LARGEST_TEXT };
    read_at_most(file, most)
}

/// Writes a file so that it is whole at any time, or is not there.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft_of(path);
    let write = || -> io::Result<()> {
        let mut file = File::create(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().inspect_err(|_| {
        // A full disk leaves half a file. The error to report is the first one.
        let _ = fs::remove_file(&draft);
    })
}

/// The name under which a file is written before it is complete.
pub(crate) fn draft_of(path: &Path) -> PathBuf {
    path.with_extension("tmp")
}

fn read_at_most(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("larger than {} MiB; check the path", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_without_an_end_is_refused() {
        let err = read_text_from(io::repeat(b'4')).expect_err("no end");
        assert_eq!(err.to_string(), "larger than 64 MiB; check the path");
        assert_eq!(read_text_from(&b"4 4\n"[..]).expect("a text"), "4 4\n");
        assert!(read_text_from(&b"\xff"[..]).is_err());
        assert_eq!(read_at_most(io::repeat(b'4').take(10), 10).expect("just fits").len(), 10);
        assert!(read_at_most(io::repeat(b'4').take(11), 10).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_record_that_is_a_device_is_refused() {
        assert_eq!(read_record(Path::new("/dev/zero")).expect_err("no end").kind(), io::ErrorKind::FileTooLarge);
        assert!(read_record(Path::new("/dev/null")).expect("empty").is_empty());
    }
}
