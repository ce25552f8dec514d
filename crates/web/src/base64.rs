//! Bytes within JSON (RFC 4648, section 4).

/// The bytes of a text in base64; `None` if it is none.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let digits = group.iter().map(|&byte| digit(byte)).collect::<Option<Vec<u32>>>()?;
        let number = digits.iter().fold(0, |number, digit| number << 6 | digit) << (6 * (4 - digits.len()));
        let n_bytes = match digits.len() {
            1 => return None,
            n => n - 1,
        };
        bytes.extend_from_slice(&number.to_be_bytes()[1..1 + n_bytes]);
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc_are_decoded() {
        for (text, expected) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(decode("/+8A"), Some(vec![0xff, 0xef, 0]));
        for wrong in ["A", "Zm9vY", "Zm9 v", "Zg=a", "é"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
