//! The place of the cursor in a command line: the subcommand, and the argument whose value is typed.

use clap::{Arg, Command};

/// The place of the word that is completed.
pub(crate) struct Cursor<'a> {
    /// The innermost subcommand before it.
    pub(crate) command: &'a Command,
    /// The values of its positional arguments before it.
    pub(super) positionals: Vec<&'a str>,
    pub(super) place: Place<'a>,
    /// The typed part of the value, option or subcommand.
    pub(super) typed: &'a str,
    /// The text before it in the same word: `--player=`.
    pub(super) before: &'a str,
}

/// The kind of the word that is completed.
pub(crate) enum Place<'a> {
    /// The value of this argument.
    Value(&'a Arg),
    /// An option.
    Option,
    /// A subcommand, or the value of the positional argument, if one is expected.
    Word(Option<&'a Arg>),
}

impl<'a> Cursor<'a> {
    /// The last of `words`, which follow the name of the program `command`. The command must be built.
    pub(crate) fn at(command: &'a Command, words: &'a [String]) -> Cursor<'a> {
        let (typed, before) = words.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
        let mut cursor = Cursor { command, positionals: Vec::new(), place: Place::Option, typed, before: "" };
        let (mut valued, mut only_words) = (None, false);
        for word in before {
            if valued.take().is_some() {
                continue;
            }
            match word.strip_prefix("--") {
                Some("") if !only_words => only_words = true,
                Some(name) if !only_words => valued = cursor.option(name),
                _ if !only_words && word.starts_with('-') && word.len() > 1 => {}
                _ => cursor.pass(word),
            }
        }
        cursor.place = match (valued, typed.split_once('=')) {
            (Some(arg), _) => Place::Value(arg),
            (None, Some((name, _))) if !only_words && name.starts_with("--") => cursor.value_of(name),
            _ if !only_words && typed.starts_with('-') => Place::Option,
            _ => Place::Word(cursor.positional()),
        };
        cursor
    }

    /// The option of this name, without its dashes, if it takes a value that is not joined to it.
    fn option(&self, name: &str) -> Option<&'a Arg> {
        let is_it = |arg: &&Arg| arg.get_long() == Some(name) && arg.get_action().takes_values();
        self.command.get_arguments().find(is_it)
    }

    /// Goes past a word that is no option.
    fn pass(&mut self, word: &'a str) {
        match self.command.find_subcommand(word) {
            Some(subcommand) if self.positionals.is_empty() => self.command = subcommand,
            _ => self.positionals.push(word),
        }
    }

    /// The value of an option of this name, with its dashes, that is joined to it by `=`.
    fn value_of(&mut self, name: &str) -> Place<'a> {
        let Some(arg) = self.option(name.trim_start_matches('-')) else { return Place::Option };
        (self.before, self.typed) = self.typed.split_at(name.len() + 1);
        Place::Value(arg)
    }

    /// The positional argument that comes next; the last one, if it may be repeated.
    fn positional(&self) -> Option<&'a Arg> {
        let all: Vec<&Arg> = self.command.get_positionals().collect();
        let repeated = || all.last().copied().filter(|last| matches!(last.get_action(), clap::ArgAction::Append));
        all.get(self.positionals.len()).copied().or_else(repeated)
    }
}
