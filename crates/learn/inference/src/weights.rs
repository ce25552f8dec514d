//! Files of weights.
//!
//! A line of text, `banyan-weights 1 LAYOUT NUMBER FINGERPRINT`, and then the weights as little-endian 16-bit integers in the units
//! of the layout. The fingerprint is a digest of the layout and the weights: a damaged file is refused, and equal fingerprints mean
//! equal weights.

use std::fmt;

use banyan_core::{TextError, mix};

/// The first words of a file: its type and format version.
const MAGIC: &str = "banyan-weights 1";
/// The longest first line that is read.
const LONGEST_LINE: usize = 200;

/// A digest of weights, printed as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Bytes of a weight where a game embeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A signed byte.
    One = 1,
    /// A signed 16-bit integer.
    Two = 2,
}

/// Learned weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    layout: String,
    weights: Vec<i16>,
    fingerprint: Fingerprint,
}

impl Weights {
    /// Weights as integers, where number `i` has `units(i)` units in 1; those beyond `most` units, positive or negative, get the
    /// nearest number within.
    ///
    /// # Panics
    /// A layout that is empty or contains white space.
    pub fn rounded(layout: &str, weights: &[f32], units: impl Fn(usize) -> f32, most: i16) -> Weights {
        assert!(!layout.is_empty() && !layout.contains(char::is_whitespace), "a layout is a word: {layout:?}");
        let limit = f32::from(most);
        let rounded = |(i, weight): (usize, &f32)| (weight * units(i)).round().clamp(-limit, limit) as i16;
        Weights::new(layout, weights.iter().enumerate().map(rounded).collect())
    }

    fn new(layout: &str, weights: Vec<i16>) -> Weights {
        let layout = layout.to_owned();
        let letters = layout.bytes().map(u64::from);
        let numbers = weights.iter().map(|&weight| u64::from(weight as u16));
        let digest = letters.chain([u64::MAX]).chain(numbers).fold(weights.len() as u64, |digest, n| mix(digest ^ n));
        Weights { layout, weights, fingerprint: Fingerprint(digest) }
    }

    /// The name of the numbering of the weights.
    pub fn layout(&self) -> &str {
        &self.layout
    }

    /// The weights, in the units of the layout.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Their digest.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The weights without the first line, in little-endian order, as a game embeds them. With one byte each must be from -128 to 127.
    pub fn to_raw_bytes(&self, width: Width) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| weight.to_le_bytes().into_iter().take(width as usize)).collect()
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{MAGIC} {} {} {}\n", self.layout, self.weights.len(), self.fingerprint).into_bytes();
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// Reads a file of weights with one of these layouts.
    ///
    /// # Errors
    /// The file is something else, has another layout or length, or is damaged.
    pub fn read(bytes: &[u8], layouts: &[&str]) -> Result<Weights, TextError> {
        let refuse = |found: String, expected: String| {
            Err(TextError::new(found, expected, "check the path, or write it again with banyan train"))
        };
        let end = bytes.iter().take(LONGEST_LINE).position(|&byte| byte == b'\n');
        let line = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let Some((end, words)) = end.zip(line.and_then(|line| line.strip_prefix(MAGIC))) else {
            return refuse("not a file of weights".to_owned(), format!("expected it to begin with \"{MAGIC}\""));
        };
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let [found, n, fingerprint] = words[..] else {
            let found = format!("damaged first line: {} words after \"{MAGIC}\"", words.len());
            return refuse(found, "expected 3".to_owned());
        };
        let Some(layout) = layouts.iter().find(|&&layout| layout == found) else {
            let expected = format!("expected {}", layouts.join(" or "));
            return refuse(format!("weights of layout {}", found.escape_debug()), expected);
        };
        let (numbers, rest) = bytes[end + 1..].as_chunks();
        if n.parse() != Ok(numbers.len()) || !rest.is_empty() {
            let n_bytes = bytes.len() - end - 1;
            let expected = format!("expected {} weights of 2 bytes each", n.escape_debug());
            return refuse(format!("{n_bytes} bytes after the first line"), expected);
        }
        let weights = Weights::new(layout, numbers.iter().map(|&number| i16::from_le_bytes(number)).collect());
        if weights.fingerprint.to_string() != fingerprint {
            let expected = format!("expected {} as in the first line", fingerprint.escape_debug());
            return refuse(format!("damaged weights with fingerprint {}", weights.fingerprint), expected);
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(layout: &str, weights: &[f32]) -> Weights {
        Weights::rounded(layout, weights, |_| 64.0, i16::MAX)
    }

    fn file() -> Vec<u8> {
        rounded("toy-2", &[0.0, 1.5, -2.0, 1e9]).to_bytes()
    }

    #[test]
    fn weights_are_read_as_they_were_written() {
        let read = Weights::read(&file(), &["toy-1", "toy-2"]).expect("it was just written");
        assert_eq!(read.layout(), "toy-2");
        assert_eq!(read.weights(), [0, 96, -128, i16::MAX]);
        assert_eq!(read.to_bytes(), file());
        assert_ne!(read.fingerprint(), rounded("toy-3", &[0.0, 1.5, -2.0, 1e9]).fingerprint());
        assert_ne!(read.fingerprint(), rounded("toy-2", &[0.0, 1.5, -2.0]).fingerprint());
    }

    #[test]
    fn every_weight_has_its_unit_and_embedded_ones_their_width() {
        let weights = Weights::rounded("toy-2", &[1.5, 1.5, -9.0, 9.0], |i| [2.0, 4.0, 64.0, 64.0][i], 127);
        assert_eq!(weights.weights(), [3, 6, -127, 127]);
        assert_eq!(weights.to_raw_bytes(Width::One), [3, 6, 129, 127]);
        assert_eq!(weights.to_raw_bytes(Width::Two), [3, 0, 6, 0, 129, 255, 127, 0]);
    }

    #[test]
    fn what_is_no_such_file_is_refused_in_one_line() {
        let check = |bytes: &[u8], expected: &str| {
            let found = Weights::read(bytes, &["toy-2"]).expect_err(expected).to_string();
            assert_eq!(found, format!("{expected}; check the path, or write it again with banyan train"));
        };
        let other = "not a file of weights: expected it to begin with \"banyan-weights 1\"";
        check(b"", other);
        check(b"hello\n", other);
        check(&[0; 1000], other);
        check(b"banyan-weights 1 toy-2\n", "damaged first line: 1 words after \"banyan-weights 1\": expected 3");
        let of_another = rounded("toy-9", &[]).to_bytes();
        check(&of_another, "weights of layout toy-9: expected toy-2");
        let short = file();
        check(&short[..short.len() - 1], "7 bytes after the first line: expected 4 weights of 2 bytes each");
        let damaged = |at: usize| {
            let mut bytes = file();
            let at = bytes.len() - 1 - at;
            bytes[at] ^= 1;
            Weights::read(&bytes, &["toy-2"]).expect_err("a bit is wrong").to_string()
        };
        for at in 0..8 {
            assert!(damaged(at).starts_with("damaged weights with fingerprint "), "{}", damaged(at));
        }
    }
}
