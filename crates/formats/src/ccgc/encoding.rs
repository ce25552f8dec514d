//! The encodings of records: UTF-8, and GBK, which many programs in China write.

use banyan_core::TextError;
use encoding_rs::{DecoderResult, GBK};

use super::Record;
use crate::utf8::utf8;

/// The encoding of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// GBK.
    Gbk,
}

/// The text of a file: in UTF-8, with or without a byte order mark, or of a record in GBK.
///
/// # Errors
/// The first wrong byte, counted from 1: of a record that is not in GBK either its number in the file, of other files its
/// line and its number in that line.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    let err = match utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(err) => err,
    };
    if !Record::is_in(&GBK.decode_without_bom_handling(bytes).0) {
        return Err(err);
    }
    let mut decoder = GBK.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let mut text = String::with_capacity(room.expect("a text in memory is shorter than the address space"));
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::Malformed(n_wrong, n_after), read) => {
            let first = read - usize::from(n_wrong) - usize::from(n_after) + 1;
            let expected = "expected text in UTF-8 or GBK";
            Err(TextError::new(format!("byte {first}"), expected, "save the record in UTF-8"))
        }
        _ => Ok(text),
    }
}

/// The bytes of a record for a file.
///
/// # Errors
/// A character that GBK does not have.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, TextError> {
    if encoding == Encoding::Utf8 {
        return Ok(text.as_bytes().to_vec());
    }
    let is_missing = |char: &char| GBK.encode(char.encode_utf8(&mut [0; 4])).2;
    match text.chars().find(is_missing) {
        Some(char) => Err(TextError::new(
            format!("character {char:?}"),
            "expected a character of GBK",
            "write the record in UTF-8",
        )),
        None => Ok(GBK.encode(text).0.into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gbk_is_read_where_it_is_a_record() {
        let text = r#"{"R":"甲队","B":"乙","RScore":0}"#;
        let gbk = encode(text, Encoding::Gbk).expect("characters of GBK");
        assert!(gbk.windows(4).any(|bytes| bytes == [0xBC, 0xD7, 0xB6, 0xD3]), "{gbk:?}");
        assert_eq!(decode(&gbk), Ok(text.to_owned()));
        assert_eq!(decode(text.as_bytes()), Ok(text.to_owned()));
        assert_eq!(decode(format!("\u{feff}{text}").as_bytes()), Ok(text.to_owned()));
        assert_eq!(decode(b"ab\n\xff\xfe").expect_err("no record").found, "line 2, byte 1: 0xff");
        let mut wrong = gbk;
        wrong[6] = 0xFF;
        assert_eq!(decode(&wrong).expect_err("no GBK").found, "byte 7");
        assert_eq!(encode("x", Encoding::Utf8), Ok(b"x".to_vec()));
        let err = encode("🌳", Encoding::Gbk).expect_err("no character of GBK");
        assert_eq!(err.found, "character '🌳'");
    }
}
