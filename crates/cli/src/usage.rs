//! Errors in the arguments of the command, each in one line: what was found, what was expected, what to do.

use std::error::Error as _;
use std::num::ParseIntError;

use banyan_catalog::{Catalog, did_you_mean};
use banyan_core::TextError;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::commands::completions::walk::Cursor;

/// The error in words. `command` is built, and `args` are the words after the name of the program.
pub(crate) fn in_words(err: &Error, command: &Command, args: &[String], catalog: &Catalog) -> String {
    let of_kind = match err.kind() {
        ErrorKind::UnknownArgument => text_of(err, ContextKind::InvalidArg)
            .map(|arg| game_in_words(arg, args, catalog).unwrap_or_else(|| unknown_argument(arg, command, args))),
        ErrorKind::InvalidSubcommand => text_of(err, ContextKind::InvalidSubcommand).map(|name| {
            game_as_command(name, command, args, catalog)
                .unwrap_or_else(|| unknown_subcommand(name, innermost(command, args)))
        }),
        ErrorKind::InvalidValue => impossible_value(err),
        ErrorKind::ValueValidation => refused_value(err),
        _ => None,
    };
    match of_kind {
        Some(err) => format!("error: {err}"),
        None => in_one_line(&err.render().to_string()),
    }
}

/// The most words of a game and its board, as in `dots and boxes 3x3`.
const MOST_WORDS: usize = 4;

/// A game written in several words, of which `arg` is one too many.
fn game_in_words(arg: &str, args: &[String], catalog: &Catalog) -> Option<TextError> {
    let at = args.iter().rposition(|word| word == arg)?;
    let spec = game_at(&args[at.checked_sub(1)?..], 2, catalog)?;
    Some(TextError::new(format!("argument {arg:?}"), "expected the game as one word", format!("try {spec}")))
}

/// A game instead of a command.
fn game_as_command(name: &str, command: &Command, args: &[String], catalog: &Catalog) -> Option<TextError> {
    // In the place of a subcommand, a game is not meant.
    let at = args.iter().position(|word| !word.starts_with('-')).filter(|&at| args[at] == name)?;
    let spec = game_at(&args[at..], 1, catalog)?;
    let expected = "expected a command before the game";
    Some(TextError::new(format!("command {name:?}"), expected, format!("try {} play {spec}", called(command))))
}

/// The game that `least` or more of the first words mean, as many as possible.
fn game_at(words: &[String], least: usize, catalog: &Catalog) -> Option<String> {
    let n_words = words.iter().take(MOST_WORDS).take_while(|word| !word.starts_with('-')).count();
    let spec = |n: usize| catalog.spec_of_words(&words[..n].join(" ")).filter(|spec| catalog.game(spec).is_ok());
    (least..=n_words).rev().find_map(spec)
}

/// A value that our own reader refuses, or that is no number. The error names it only once, and with its option.
fn refused_value(err: &Error) -> Option<TextError> {
    let reason = err.source()?;
    let (value, arg) = (text_of(err, ContextKind::InvalidValue)?, text_of(err, ContextKind::InvalidArg)?);
    let arg = arg.split(' ').next().unwrap_or(arg);
    if reason.is::<ParseIntError>() {
        let without_sign = if value.starts_with('-') { " without a sign" } else { "" };
        return Some(TextError::new(
            format!("{arg} {value}"),
            format!("expected a whole number{without_sign}"),
            "see --help",
        ));
    }
    let reason = reason.downcast_ref::<TextError>()?;
    let is_whole = reason.found == value || reason.found.ends_with(&format!("{value:?}"));
    let found = if is_whole { format!("{arg} {value}") } else { format!("{arg}: {}", reason.found) };
    Some(TextError { found, ..reason.clone() })
}

/// The subcommand that the arguments name.
fn innermost<'a>(command: &'a Command, args: &'a [String]) -> &'a Command {
    Cursor::at(command, args).command
}

fn text_of(err: &Error, kind: ContextKind) -> Option<&str> {
    match err.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// The words by which a command is called: `banyan book make`.
fn called(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn unknown_argument(arg: &str, command: &Command, args: &[String]) -> TextError {
    // Of `-player` the letters are taken to be options of one letter each.
    let is_cut = |word: &&String| word.starts_with(arg) && !word.starts_with("--") && word.len() > arg.len();
    let arg = if arg.len() == 2 { args.iter().find(is_cut).map_or(arg, String::as_str) } else { arg };
    let command = innermost(command, args);
    let name = called(command);
    let help = format!("`{name} --help` lists them");
    // After `--` every word is an argument.
    let is_word = args.iter().take_while(|word| *word != arg).any(|word| word == "--");
    if is_word || !arg.starts_with('-') {
        let expected = match command.get_positionals().count() {
            0 => format!("expected no argument of `{name}` but options"),
            1 => format!("expected only one argument of `{name}`"),
            n => format!("expected at most {n} arguments of `{name}`"),
        };
        return TextError::new(
            format!("argument {arg:?}"),
            expected,
            format!("leave it out, or quote words that belong together ({help})"),
        );
    }
    let names = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(|arg| arg.get_long());
    let meant = match arg.split('=').next() {
        Some("--moves") if called(command).ends_with("review") => Some("write the moves themselves as the argument"),
        Some("--png") => Some("try --svg FILE, or save a PNG on the page"),
        _ => None,
    };
    if let Some(remedy) = meant {
        return TextError::new(format!("option {arg:?}"), format!("expected an option of `{name}`"), remedy);
    }
    let hint = did_you_mean(arg.trim_start_matches('-'), names).replace("mean ", "mean --");
    TextError::new(format!("option {arg:?}"), format!("expected an option of `{name}`{hint}"), help)
}

fn unknown_subcommand(found: &str, command: &Command) -> TextError {
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
    let names: Vec<&str> = shown.map(Command::get_name).collect();
    let name = called(command);
    let hint = did_you_mean(found, names.iter().copied());
    let expected = match names.len() {
        0..=6 => format!("expected one of {}{hint}", names.join(", ")),
        _ => format!("expected a command of {name}{hint}"),
    };
    TextError::new(format!("command {found:?}"), expected, format!("`{name} --help` lists them"))
}

/// A value that is none of the words that an option takes; `None` if it takes others too, or the value is missing.
fn impossible_value(err: &Error) -> Option<TextError> {
    let ContextValue::Strings(words) = err.get(ContextKind::ValidValue)? else { return None };
    let found = text_of(err, ContextKind::InvalidValue).filter(|found| !found.is_empty())?;
    let arg = text_of(err, ContextKind::InvalidArg)?;
    let hint = did_you_mean(found, words.iter().map(String::as_str));
    let expected = format!("expected one of {}{hint}", words.join(", "));
    Some(TextError::new(format!("{found:?} for {arg}"), expected, "choose one of these"))
}

/// Joins the paragraphs of an error in the arguments into one line. The paragraph that names --help is kept only if no other gives a
/// remedy; tips are left out, for they know words and not what is meant.
fn in_one_line(text: &str) -> String {
    let paragraphs = text.trim_end().split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let (help, parts): (Vec<String>, Vec<String>) =
        paragraphs.filter(|part| !part.starts_with("tip: ")).partition(|part| part.starts_with("For more information"));
    let line = parts.join("; ").replace("; Usage: ", "; usage: ");
    if help.is_empty() || line.contains(';') { line } else { line + "; see --help" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_arguments_take_one_line() {
        let more = "\n\nFor more information, try '--help'.\n";
        for (text, line) in [
            (
                "error: required:\n  --depth <D>\n\nUsage: banyan perft <GAME>",
                "error: required: --depth <D>; usage: banyan perft <GAME>",
            ),
            ("error: invalid value '0s': use 1s; or 2s", "error: invalid value '0s': use 1s; or 2s"),
            ("error: invalid value 'deep'", "error: invalid value 'deep'; see --help"),
            ("error: no\n\n  tip: a similar one exists", "error: no; see --help"),
        ] {
            assert_eq!(in_one_line(&format!("{text}{more}")), line);
        }
    }

    #[test]
    fn what_is_unknown_is_named_with_what_was_meant() {
        for (line, expected) in [
            (
                "analyse reversi --playr pvs",
                "option \"--playr\": expected an option of `banyan analyse` (did you mean --player?); `banyan analyse --help` lists them",
            ),
            (
                "analyse reversi -player pvs",
                "option \"-player\": expected an option of `banyan analyse` (did you mean --player?); `banyan analyse --help` lists them",
            ),
            (
                "analyse reversi -- --player",
                "argument \"--player\": expected only one argument of `banyan analyse`; leave it out, or quote words that belong \
                 together (`banyan analyse --help` lists them)",
            ),
            // Neither a similar word nor a value is meant.
            (
                "match reversi uct --c 5",
                "option \"--c\": expected an option of `banyan match`; `banyan match --help` lists them",
            ),
            (
                "book make reversi --outt x",
                "option \"--outt\": expected an option of `banyan book make` (did you mean --out?); `banyan book make --help` lists them",
            ),
            ("play connect four", "argument \"four\": expected the game as one word; try connect-four"),
            (
                "analyse dots and boxes 3x3 --budget 1s",
                "argument \"and\": expected the game as one word; try dots-and-boxes:3x3",
            ),
            ("connect four", "command \"connect\": expected a command before the game; try banyan play connect-four"),
            ("reversi 6x6", "command \"reversi\": expected a command before the game; try banyan play reversi:6x6"),
            (
                "show run --list --result loss",
                "--result loss: expected won, drawn, lost or fault (did you mean lost?); try lost",
            ),
            ("sweep reversi uct --pairs -3", "--pairs -3: expected a whole number without a sign; see --help"),
            ("play reversi --level easy", "--level easy: expected a level from 1 to 10; try --level 3"),
            (
                "review --moves 4",
                "option \"--moves\": expected an option of `banyan review`; write the moves themselves as the argument",
            ),
            (
                "show reversi --png a.png",
                "option \"--png\": expected an option of `banyan show`; try --svg FILE, or save a PNG on the page",
            ),
            (
                "show reversi f5 d6",
                "argument \"f5\": expected only one argument of `banyan show`; leave it out, or quote words that belong together \
                 (`banyan show --help` lists them)",
            ),
            (
                "analize reversi",
                "command \"analize\": expected a command of banyan (did you mean analyse?); `banyan --help` lists them",
            ),
            (
                "book mak reversi",
                "command \"mak\": expected one of make, solve, show (did you mean make?); `banyan book --help` lists them",
            ),
            (
                "--color alway show reversi",
                "\"alway\" for --color <WHEN>: expected one of auto, always, never (did you mean always?); choose one of these",
            ),
        ] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let mut command = crate::command::with_games(&crate::builtin());
            let words = std::iter::once("banyan".to_owned()).chain(args.iter().cloned());
            let err = command.try_get_matches_from_mut(words).expect_err(line);
            command.build();
            assert_eq!(in_words(&err, &command, &args, &crate::builtin()), format!("error: {expected}"), "{line}");
        }
    }
}
