//! The name of the program, for the commands that messages propose: a new game has its own program.

use std::env;
use std::path::Path;

/// The name by which the program was started, without its folder; as a word for a shell.
pub(crate) fn program() -> String {
    let started_as = env::args_os().next().unwrap_or_default();
    let name = Path::new(&started_as).file_name().and_then(|name| name.to_str()).unwrap_or("banyan");
    shell_word(name.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(name))
}

/// A word of a command line that a shell reads as `text`.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,=+@%".contains(c) || cfg!(windows) && "\\~".contains(c);
    match text.chars().all(is_plain) && !text.is_empty() {
        true => text.to_owned(),
        false if cfg!(windows) => format!("\"{text}\""),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_back_what_is_quoted() {
        for (text, word) in [("banyan-matches/1", "banyan-matches/1"), ("my match", "'my match'"), ("a'b", r"'a'\''b'")]
        {
            assert_eq!(super::shell_word(text), word);
        }
    }
}
