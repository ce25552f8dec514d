//! Words of a line.

/// The first word of a line and the rest, both trimmed. Words are separated by white space of any kind and length.
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The rest of `text` after these words; `None` if it does not begin with them.
pub fn strip_words<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let after = |rest: &'t str, word: &&str| {
        let (first, rest) = split_word(rest);
        (first == *word).then_some(rest)
    };
    words.iter().try_fold(text.trim(), after)
}

/// Typed text with ASCII characters for full-width ones, as East Asian keyboards write them: digits, letters, punctuation, the blank.
pub fn half_width_text(text: &str) -> String {
    text.chars().map(half_width).collect()
}

/// The ASCII character for a full-width one; any other character as it is.
pub fn half_width(char: char) -> char {
    match char {
        // The ideographic blank, comma and full stop.
        '\u{3000}' => ' ',
        '\u{3001}' => ',',
        '\u{3002}' => '.',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(char as u32 - 0xfee0).unwrap_or(char),
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_text_becomes_ascii_and_other_text_stays() {
        for (typed, text) in [
            ("\u{ff11}\u{ff12}\u{ff0c}\u{3000}\u{ff44}\u{ff13}", "12, d3"),
            ("\u{ff01}\u{ff5e}\u{ff1a}\u{ff08}\u{ff09}\u{ff0f}", "!~:()/"),
            ("\u{ff11}\u{3002}\u{ff46}5\u{3001}d6", "1.f5,d6"),
            ("d3 \u{68cb} \u{25cf} \u{ff66}", "d3 \u{68cb} \u{25cf} \u{ff66}"),
        ] {
            assert_eq!(half_width_text(typed), text);
        }
    }

    #[test]
    fn any_white_space_separates_words() {
        for text in ["option name Hash", " option\t name \u{a0} Hash\r"] {
            assert_eq!(strip_words(text, &["option", "name"]), Some("Hash"), "{text:?}");
        }
        assert_eq!(strip_words("option names Hash", &["option", "name"]), None);
        assert_eq!((split_word("\tgo"), split_word(" ")), (("go", ""), ("", "")));
    }
}
