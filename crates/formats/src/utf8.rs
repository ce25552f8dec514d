//! The text of files in UTF-8, with or without a byte order mark.

use banyan_core::TextError;

/// The text of `bytes` without a byte order mark at its beginning.
///
/// # Errors
/// The first byte that is not UTF-8: its line, and its number in that line, both from 1.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, TextError> {
    let text = std::str::from_utf8(bytes).map_err(|err| {
        let (before, wrong) = (&bytes[..err.valid_up_to()], bytes[err.valid_up_to()]);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let found = format!("line {line}, byte {}: {wrong:#04x}", before.len() - start + 1);
        TextError::new(found, "expected text in UTF-8", "save the file in UTF-8, or choose another file")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        for (bytes, text) in [(&b""[..], ""), (b"\xef\xbb\xbf", ""), (b"\xef\xbb\xbf1\n", "1\n"), ("é".as_bytes(), "é")]
        {
            assert_eq!(utf8(bytes), Ok(text));
        }
    }

    #[test]
    fn the_first_wrong_byte_is_named_with_its_line() {
        for (bytes, place) in [
            (&b"\xff"[..], "line 1, byte 1: 0xff"),
            (b"\xef\xbb\xbfRen\xe9", "line 1, byte 7: 0xe9"),
            (b"one\r\n\nRen\xe9 and Jos\xe9\n", "line 3, byte 4: 0xe9"),
            // A truncated character.
            ("one\né".as_bytes().split_last().expect("bytes").1, "line 2, byte 1: 0xc3"),
        ] {
            let err = utf8(bytes).expect_err(place).to_string();
            assert!(err.starts_with(&format!("{place}: expected text in UTF-8; ")), "{err}");
        }
    }
}
