//! Error messages as one line of bounded length, whatever user text they quote.

use banyan_core::shortened;

/// Maximum length of a word that is shown in full, in characters.
const LONGEST_WORD: usize = 160;
/// Maximum length of a line that is shown in full, in characters.
const LONGEST_LINE: usize = 700;

/// The message in one line: control characters are escaped, and very long words and lines are shortened.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.split(' ').map(|word| at_most(LONGEST_WORD, word)).collect::<Vec<_>>().join(" ");
    escaped(&at_most(LONGEST_LINE, &line))
}

fn at_most(longest: usize, text: &str) -> String {
    let n = text.chars().count();
    if n <= longest { text.to_owned() } else { format!("{} ({n} characters)", shortened(text)) }
}

/// Text with control characters escaped, so that it takes one line and cannot change the terminal.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().map(|c| if hides(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// Whether it is not a visible character: a control character, or one that changes the direction of the following text.
fn hides(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_user_typed_is_quoted_in_one_short_line() {
        assert_eq!(one_line("game \"a\r\nb\u{1b}[31m\": unknown"), "game \"a\\r\\nb\\u{1b}[31m\": unknown");
        assert_eq!(one_line("library \u{202e}: not found"), "library \\u{202e}: not found");
        let long = format!("no file {}", "x".repeat(5000));
        let line = one_line(&long);
        assert!(line.len() < 200 && line.starts_with("no file xxxx") && line.ends_with("(5000 characters)"), "{line}");
        let usual = "player \"utc\": expected one of best, random; `banyan players` lists them — ö";
        assert_eq!(one_line(usual), usual);
    }
}
