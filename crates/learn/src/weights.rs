//! Files of weights.
//!
//! A line of text, `banyan-weights 1 LAYOUT NUMBER FINGERPRINT`, and then the weights as little-endian 16-bit integers in units of
//! 1/[`UNIT`] point. The fingerprint is a digest of the layout and the weights: a damaged file is refused, and equal fingerprints
//! mean equal weights.

use std::fmt;

use banyan_core::mix;

/// Weights of one point.
pub const UNIT: f32 = 64.0;

/// The first words of a file: what it is, and the version of its form.
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

/// Learned weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    layout: String,
    weights: Vec<i16>,
    fingerprint: Fingerprint,
}

/// Why a file is not one of weights for this use, in one line: what was found, what was expected, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightError(String);

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WeightError {}

impl Weights {
    /// Weights in points, rounded to the precision of the file; those beyond its range, 512 points, get the nearest number in it.
    ///
    /// # Panics
    /// A layout that is empty or contains white space.
    pub fn rounded(layout: &str, weights: &[f32]) -> Weights {
        assert!(!layout.is_empty() && !layout.contains(char::is_whitespace), "a layout is a word: {layout:?}");
        // A conversion from a float takes the nearest number of the type.
        Weights::new(layout, weights.iter().map(|weight| (weight * UNIT).round() as i16).collect())
    }

    fn new(layout: &str, weights: Vec<i16>) -> Weights {
        let layout = layout.to_owned();
        let letters = layout.bytes().map(u64::from);
        let numbers = weights.iter().map(|&weight| u64::from(weight as u16));
        let digest = letters.chain([u64::MAX]).chain(numbers).fold(weights.len() as u64, |digest, n| mix(digest ^ n));
        Weights { layout, weights, fingerprint: Fingerprint(digest) }
    }

    /// The weights, in units of 1/[`UNIT`] point.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Their digest.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{MAGIC} {} {} {}\n", self.layout, self.weights.len(), self.fingerprint).into_bytes();
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// Reads a file of weights with this layout.
    ///
    /// # Errors
    /// The file is something else, has another layout or length, or is damaged.
    pub fn read(bytes: &[u8], layout: &str) -> Result<Weights, WeightError> {
        let refuse = |found: String| Err(WeightError(format!("{found}; write it again with banyan train")));
        let end = bytes.iter().take(LONGEST_LINE).position(|&byte| byte == b'\n');
        let line = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let Some((end, words)) = end.zip(line.and_then(|line| line.strip_prefix(MAGIC))) else {
            return refuse(format!("not a file of weights: expected it to begin with \"{MAGIC}\""));
        };
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let [found, n, fingerprint] = words[..] else {
            return refuse(format!("damaged first line: {} words after \"{MAGIC}\", expected 3", words.len()));
        };
        if found != layout {
            return refuse(format!("weights of layout {}, expected {layout}", found.escape_debug()));
        }
        let (numbers, rest) = bytes[end + 1..].as_chunks();
        if n.parse() != Ok(numbers.len()) || !rest.is_empty() {
            let n_bytes = bytes.len() - end - 1;
            return refuse(format!("{n_bytes} bytes after the first line, expected {} weights of 2", n.escape_debug()));
        }
        let weights = Weights::new(layout, numbers.iter().map(|&number| i16::from_le_bytes(number)).collect());
        if weights.fingerprint.to_string() != fingerprint {
            let found = fingerprint.escape_debug();
            return refuse(format!(
                "damaged: the weights have fingerprint {}, the first line says {found}",
                weights.fingerprint
            ));
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        Weights::rounded("toy-2", &[0.0, 1.5, -2.0, 1e9]).to_bytes()
    }

    #[test]
    fn weights_are_read_as_they_were_written() {
        let read = Weights::read(&file(), "toy-2").expect("it was just written");
        assert_eq!(read.weights(), [0, 96, -128, i16::MAX]);
        assert_eq!(read.to_bytes(), file());
        assert_ne!(read.fingerprint(), Weights::rounded("toy-3", &[0.0, 1.5, -2.0, 1e9]).fingerprint());
        assert_ne!(read.fingerprint(), Weights::rounded("toy-2", &[0.0, 1.5, -2.0]).fingerprint());
    }

    #[test]
    fn what_is_no_such_file_is_refused_in_one_line() {
        let check = |bytes: &[u8], expected: &str| {
            let found = Weights::read(bytes, "toy-2").expect_err(expected).to_string();
            assert_eq!(found, format!("{expected}; write it again with banyan train"));
        };
        let other = "not a file of weights: expected it to begin with \"banyan-weights 1\"";
        check(b"", other);
        check(b"hello\n", other);
        check(&[0; 1000], other);
        check(b"banyan-weights 1 toy-2\n", "damaged first line: 1 words after \"banyan-weights 1\", expected 3");
        let of_another = Weights::rounded("toy-9", &[]).to_bytes();
        check(&of_another, "weights of layout toy-9, expected toy-2");
        let short = file();
        check(&short[..short.len() - 1], "7 bytes after the first line, expected 4 weights of 2");
        let damaged = |at: usize| {
            let mut bytes = file();
            let at = bytes.len() - 1 - at;
            bytes[at] ^= 1;
            Weights::read(&bytes, "toy-2").expect_err("a bit is wrong").to_string()
        };
        for at in 0..8 {
            assert!(damaged(at).starts_with("damaged: the weights have fingerprint "), "{}", damaged(at));
        }
    }
}
