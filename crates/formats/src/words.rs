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

/// The ASCII character for a full-width one, as typed on East Asian keyboards.
pub fn half_width(char: char) -> char {
    match char {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(char as u32 - 0xfee0).unwrap_or(char),
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_white_space_separates_words() {
        for text in ["option name Hash", " option\t name \u{a0} Hash\r"] {
            assert_eq!(strip_words(text, &["option", "name"]), Some("Hash"), "{text:?}");
        }
        assert_eq!(strip_words("option names Hash", &["option", "name"]), None);
        assert_eq!((split_word("\tgo"), split_word(" ")), (("go", ""), ("", "")));
    }
}
