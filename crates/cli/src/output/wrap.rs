//! Text in lines of 80 columns.

use std::io::Write;

use anyhow::Result;
use textwrap::{Options, WordSplitter};

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
    textwrap::wrap(text, options).into_iter().map(Into::into).collect()
}

fn options<'a>(first: &'a str, next: &'a str) -> Options<'a> {
    let options = Options::new(WIDTH).initial_indent(first).subsequent_indent(next);
    options.word_splitter(WordSplitter::NoHyphenation)
}
