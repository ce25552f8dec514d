//! Text in lines of 80 columns.

use std::io::Write;

use anyhow::Result;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

use crate::output::terminal::Terminal;

/// Maximum number of columns of a line.
const WIDTH: usize = 80;

/// Prints `text` in lines, the first of which begins with `first`, the others with `next`.
pub(crate) fn wrapped(terminal: &mut Terminal, first: &str, next: &str, text: &str) -> Result<()> {
    let lines = textwrap::wrap(text, options(first, next));
    lines.iter().try_for_each(|line| writeln!(terminal.out, "{line}"))?;
    Ok(())
}

/// A player with its settings, in lines that break after a comma or between numbers joined by `/`.
pub(crate) fn wrapped_settings(terminal: &mut Terminal, first: &str, next: &str, player: &str) -> Result<()> {
    let spaced = player.replace(',', ", ").replace('/', "/ ");
    let lines = textwrap::wrap(&spaced, options(first, next));
    lines.iter().try_for_each(|line| writeln!(terminal.out, "{}", line.replace(", ", ",").replace("/ ", "/")))?;
    Ok(())
}

/// Text in lines that break between words only.
pub(crate) fn lines_of_words(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    textwrap::wrap(text, options.word_separator(WordSeparator::Custom(words))).into_iter().map(Into::into).collect()
}

fn options<'a>(first: &'a str, next: &'a str) -> Options<'a> {
    let options = Options::new(WIDTH).initial_indent(first).subsequent_indent(next);
    options.word_splitter(WordSplitter::NoHyphenation).word_separator(WordSeparator::Custom(words))
}

/// The words of a line. Chinese text has no blanks: it breaks around every character, but not before a closing sign or after an opening one.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let chars = line.char_indices().zip(line.char_indices().skip(1));
    let breaks = |left: char, right: char| match (left, right) {
        (_, ' ') => false,
        (' ', _) => true,
        (left, right) => {
            (is_chinese(left) || is_chinese(right)) && !"，。；：、！？）》”".contains(right) && !"（《“".contains(left)
        }
    };
    let starts = chars.filter(move |((_, left), (_, right))| breaks(*left, *right)).map(|(_, (start, _))| start);
    let mut from = 0;
    Box::new(starts.chain([line.len()]).map(move |to| {
        let word = Word::from(&line[from..to]);
        from = to;
        word
    }))
}

fn is_chinese(char: char) -> bool {
    matches!(char, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_lines_break_between_characters_and_english_ones_between_words() {
        assert_eq!(lines_of_words("four in a row", 7), ["four in", "a row"]);
        assert_eq!(lines_of_words("先手在 d3 连成四子，获胜", 12), ["先手在 d3 连", "成四子，获胜"]);
        assert_eq!(lines_of_words("连成四子，获胜", 8), ["连成四", "子，获胜"]);
        assert_eq!(lines_of_words("先手（您）", 6), ["先手", "（您）"]);
    }
}
