//! Error messages as one line of bounded length, whatever text of a user they quote.

/// Characters of a word that are shown in full.
const LONGEST_WORD: usize = 160;
/// Characters of a line that are shown in full.
const LONGEST_LINE: usize = 700;
/// Of a longer word or line, so many characters from its beginning and from its end.
const ENDS: usize = 40;

/// The message in one line: control characters are escaped, and of very long words and lines only the ends are kept.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.split(' ').map(|word| short(word, LONGEST_WORD)).collect::<Vec<_>>().join(" ");
    short(&line, LONGEST_LINE)
}

fn short(word: &str, longest: usize) -> String {
    let escaped = |text: &str| {
        text.chars().map(|c| if hides(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
    };
    let chars: Vec<char> = word.chars().collect();
    if chars.len() <= longest {
        return escaped(word);
    }
    let [head, tail] = [&chars[..ENDS], &chars[chars.len() - ENDS..]].map(|part| part.iter().collect::<String>());
    let [head, tail]: [String; 2] = [escaped(&head), escaped(&tail)];
    format!("{head}...{tail} ({} characters)", chars.len())
}

/// Whether it is no visible character: a control character, or one that changes the direction of what follows.
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
