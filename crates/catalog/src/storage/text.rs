//! Files of users, read up to a limit: a device such as `/dev/zero` has no end. Every text may begin with a byte order mark and have the
//! line ends of Windows.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use banyan_core::TextError;

use super::checked::{Damaged, LineForm};
use super::error::FileError;

/// The largest text that is read, in bytes. The largest sensible one is a file of a million openings.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// A mark that some editors write at the beginning of a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a file, without a byte order mark, with `\n` for line ends.
///
/// # Errors
/// It cannot be read, is not in UTF-8, or is larger than [`LARGEST_TEXT`].
pub fn read_text(path: &Path) -> io::Result<String> {
    read_text_from(File::open(path)?)
}

/// The text of a file that the program wrote: not of a pipe or a device, which may never end or answer.
///
/// # Errors
/// As for [`read_text`], or it is not an ordinary file.
pub fn read_own_text(path: &Path) -> io::Result<String> {
    check_ordinary(path)?;
    read_text(path)
}

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, or is larger than [`LARGEST_TEXT`].
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, LARGEST_TEXT)
}

/// The rest of a stream as text, without a byte order mark, with `\n` for line ends.
///
/// # Errors
/// As for [`read_text`].
pub fn read_text_from(stream: impl Read) -> io::Result<String> {
    let bytes = read_at_most(stream, LARGEST_TEXT)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8; check the path"))?;
    Ok(plain(text))
}

/// Text without a byte order mark, with `\n` for line ends.
fn plain(text: String) -> String {
    let text = text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n") } else { text }
}

/// The message of an error that may quote text with line breaks, in one line.
pub(crate) fn in_one_line(err: impl Display) -> String {
    err.to_string().replace(['\n', '\r'], " ")
}

/// The bytes of a record, which may have any size on a disk. A file that is not ordinary has the limit of other texts.
///
/// # Errors
/// It cannot be read, or is larger than [`LARGEST_TEXT`] without being an ordinary file.
pub fn read_record(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let most = if file.metadata()?.is_file() { u64::MAX } else { LARGEST_TEXT };
    read_at_most(file, most)
}

/// Checks that there is no pipe, device or folder at a path.
pub(super) fn check_ordinary(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "expected an ordinary file; remove it, or check the path"))
        }
    }
}

pub(super) fn read_at_most(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("larger than {} MiB; check the path", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The whole lines of a [journal](super::Journal), of which each is checked when it is read.
#[derive(Clone, Debug)]
pub struct Lines {
    path: PathBuf,
    form: LineForm,
    text: String,
    rest: Vec<u8>,
}

/// Reads the lines of a journal without locking it.
///
/// # Errors
/// It cannot be read, or is not an ordinary file.
pub fn read_lines(path: &Path, form: LineForm) -> Result<Lines, FileError> {
    let bytes = check_ordinary(path).and_then(|()| read_record(path));
    Ok(Lines::of(path, form, bytes.map_err(FileError::of("read", path))?))
}

impl Lines {
    /// The lines of a file with these bytes. Bytes that are not UTF-8 count as damage, or are reported when their line is parsed.
    pub(crate) fn of(path: &Path, form: LineForm, mut bytes: Vec<u8>) -> Lines {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let rest = bytes.split_off(whole);
        let text = String::from_utf8(bytes).unwrap_or_else(|err| String::from_utf8_lossy(err.as_bytes()).into_owned());
        Lines { path: path.to_owned(), form, text, rest }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.text.bytes().filter(|&byte| byte == b'\n').count()
    }

    /// An incomplete last line: one that was being written when the program was killed.
    pub fn rest(&self) -> &[u8] {
        &self.rest
    }

    /// Number, from 1, and content of each line.
    ///
    /// # Errors
    /// A line that is not as it was written, with file and line.
    pub fn iter(&self) -> impl Iterator<Item = Result<(usize, &str), TextError>> {
        let text = self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text);
        text.lines().enumerate().map(|(idx, line)| match self.form.content(line, idx + 1) {
            Ok(content) => Ok((idx + 1, content)),
            Err(Damaged) => Err(self.damaged(idx + 1)),
        })
    }

    fn damaged(&self, number: usize) -> TextError {
        let remedy = match self.form {
            LineForm::Json => "restore the file, or remove this line",
            LineForm::Numbered => "restore the file, or remove this line and all after it",
            LineForm::Comment => "restore the file, or remove the line and all after it",
        };
        let expected = "expected the checksum with which it ends";
        TextError::new("a damaged line", expected, remedy).at(format_args!("{}:{number}", self.path.display()))
    }

    /// The content of all lines, each with its line end.
    ///
    /// # Errors
    /// A line that is not as it was written, with file and line.
    pub fn content(&self) -> Result<String, TextError> {
        let mut text = String::new();
        for line in self.iter() {
            text += line?.1;
            text.push('\n');
        }
        Ok(text)
    }
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

    #[test]
    fn texts_of_other_editors_are_read() {
        let text = read_text_from(&b"\xef\xbb\xbfone\r\n\r\ntwo\rthree\r\n"[..]).expect("a text");
        assert_eq!(text, "one\n\ntwo\rthree\n");
        let lines = Lines::of(Path::new("a"), LineForm::Json, b"\xef\xbb\xbf{}\r\n{\"v\":1}\r\n{".to_vec());
        assert_eq!((lines.len(), lines.rest(), lines.is_empty()), (2, &b"{"[..], false));
        assert_eq!(lines.content(), Ok("{}\n{\"v\":1}\n".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_record_that_is_a_device_is_refused() {
        assert_eq!(read_record(Path::new("/dev/zero")).expect_err("no end").kind(), io::ErrorKind::FileTooLarge);
        assert!(read_record(Path::new("/dev/null")).expect("empty").is_empty());
        assert_eq!(read_own_text(Path::new("/dev/null")).expect_err("no file").kind(), io::ErrorKind::InvalidInput);
    }
}
