//! Checksums at the ends of lines, so that a damaged line is refused instead of believed.

use banyan_core::mix;

/// The form of the checksums in the lines of a journal. A line without one is not checked: it was written by hand, by another program
/// or by an earlier version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// A JSON object: the last field is `"check":"0123abcd"`. Lines may be removed.
    Json,
    /// Words: ` #0123abcd` follows. The checksum depends on the number of the line too, so that lines cannot be removed or swapped.
    Numbered,
    /// Lines that may end with a comment behind `%`, such as those of OBF: ` % check 0123abcd` follows.
    Comment,
}

/// A line that does not match its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;

impl LineForm {
    /// The text before and after the digits of a checksum.
    fn marks(self) -> [&'static str; 2] {
        match self {
            LineForm::Json => [",\"check\":\"", "\"}"],
            LineForm::Numbered => [" #", ""],
            LineForm::Comment => [" % check ", ""],
        }
    }

    /// The line with its checksum; `number` counts the lines of the file from 1.
    pub fn seal(self, line: &str, number: usize) -> String {
        let [before, after] = self.marks();
        let content = if self == LineForm::Json { line.strip_suffix('}').unwrap_or(line) } else { line };
        format!("{content}{before}{:08x}{after}", self.checksum(content, number))
    }

    /// The content of a line: of a JSON object all of it, of others what precedes the checksum.
    ///
    /// # Errors
    /// The checksum of the line does not match its content.
    pub fn content(self, line: &str, number: usize) -> Result<&str, Damaged> {
        let Some((content, stated)) = self.split(line) else { return Ok(line) };
        match stated == self.checksum(content, number) {
            true => Ok(if self == LineForm::Json { line } else { content }),
            false => Err(Damaged),
        }
    }

    /// A line without its checksum, which is not compared.
    pub fn without_checksum(self, line: &str) -> String {
        match self.split(line) {
            None => line.to_owned(),
            Some((content, _)) => format!("{content}{}", if self == LineForm::Json { "}" } else { "" }),
        }
    }

    fn split(self, line: &str) -> Option<(&str, u32)> {
        let [before, after] = self.marks();
        let line = line.strip_suffix(after)?;
        let (rest, digits) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let stated = digits.bytes().all(is_digit).then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
        Some((rest.strip_suffix(before)?, stated))
    }

    fn checksum(self, content: &str, number: usize) -> u32 {
        let number = if self == LineForm::Numbered { number as u64 } else { 0 };
        digest(number, content.as_bytes()) as u32
    }
}

/// A digest of bytes, the same on every machine. Bytes that differ in one bit never have the same one.
pub fn digest(seed: u64, bytes: &[u8]) -> u64 {
    let mut digest = mix(seed.wrapping_add(1)) ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    // Without closures: this crate is compiled without optimisation.
    for word in words {
        digest = mix(digest ^ u64::from_le_bytes(*word)).wrapping_add(1);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(digest ^ u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [(LineForm, &str); 3] = [
        (LineForm::Json, r#"{"v":1,"moves":"4 4 3"}"#),
        (LineForm::Numbered, "h0,0 +0.0183 h5,1"),
        (LineForm::Comment, "OX-- X; A2:+38; C7:+36;"),
    ];

    #[test]
    fn what_is_sealed_is_read_again() {
        for (form, line) in LINES {
            let sealed = form.seal(line, 7);
            assert!(sealed.len() > line.len() && !sealed.contains('\n'), "{sealed}");
            assert_eq!(form.without_checksum(&sealed), line);
            let content = form.content(&sealed, 7).expect("it was just written");
            assert_eq!(content, if form == LineForm::Json { &sealed } else { line });
            // Without a checksum it is not checked.
            assert_eq!(form.content(line, 7), Ok(line));
            assert_eq!(form.content(&sealed, 8).is_err(), form == LineForm::Numbered);
        }
    }

    #[test]
    fn every_flipped_bit_of_the_content_is_noticed() {
        for (form, line) in LINES {
            let sealed = form.seal(line, 1).into_bytes();
            let n_bits = 8 * (line.len() - usize::from(form == LineForm::Json));
            for bit in 0..n_bits {
                let mut bytes = sealed.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(form.content(&String::from_utf8_lossy(&bytes), 1), Err(Damaged), "{line}: bit {bit}");
            }
        }
    }

    #[test]
    fn digests_are_those_of_other_machines() {
        let found = [digest(0, b""), digest(1, b"banyan tree")].map(|digest| format!("{digest:016x}"));
        assert_eq!(found, ["7ab40e090f363a7d", "0d0971b9f559721f"]);
    }
}
