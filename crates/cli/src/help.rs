//! The help of the command in groups: subcommands by what they are for, and the options of long commands under headings.

use std::fmt::Write;

use clap::{Arg, ArgAction, Command};

use crate::output::wrap::lines_of_words;

/// The subcommands of each group, in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play and analyse", &["play", "analyse", "solve", "review", "show", "tui", "serve"]),
    (
        "Measure",
        &[
            "match", "ladder", "rate", "sweep", "ablate", "tune", "merge", "accuracy", "openings", "calc", "perft",
            "bench",
        ],
    ),
    ("Learn", &["train", "book"]),
    ("Servers", &["ugi", "gtp", "nboard", "sau", "saiblo", "botzone", "analysis", "strategy-host"]),
    ("Lists and tools", &["games", "players", "engines", "completions", "man", "help"]),
];

/// The headings of options, by their long names. An option that is not listed stands under `Options`.
const HEADINGS: [(&str, &[&str]); 4] = [
    ("Position", &["moves", "position", "opening", "record", "game", "ply"]),
    (
        "Players and search",
        &["first", "second", "player", "level", "against", "budget", "lines", "seed", "threads", "table", "engines"],
    ),
    (
        "Games",
        &[
            "pairs",
            "sprt",
            "max-pairs",
            "gauntlet",
            "clock",
            "margin",
            "openings",
            "opening-plies",
            "jobs",
            "shard",
            "after",
            "los",
            "error",
            "anchor",
            "vary",
            "off",
            "on",
            "rows",
            "quantity",
            "refine",
            "repetitions",
            "method",
            "confirm",
            "by-colour",
        ],
    ),
    (
        "Files and output",
        &[
            "out",
            "resume",
            "json",
            "quiet",
            "log",
            "log-faults",
            "export",
            "html",
            "svg",
            "tree",
            "review",
            "all",
            "structure",
            "ccgc",
            "gbk",
            "lang",
        ],
    ),
];

/// Commands with this many options have headings.
const MANY: usize = 8;
/// Columns of a line, as clap wraps the rest of the help.
const WIDTH: usize = 80;

/// The heading of the options that every command has.
const TERMINAL: &str = "Terminal";

/// The command with its help in groups.
pub(crate) fn in_groups(command: Command) -> Command {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{}{{after-help}}",
        subcommands(&command),
        options(&command)
    );
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    // Options without a heading come first, so that these would stand above those of each command.
    let command = command.mut_args(|arg| arg.help_heading(TERMINAL)).help_template(template);
    names.iter().fold(command, |command, name| command.mut_subcommand(name, under_headings))
}

/// The options of the command itself, without a heading.
fn options(command: &Command) -> String {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help("Print help").display_order(102);
    let alone = Command::new("options").version("1").max_term_width(WIDTH).disable_help_flag(true);
    let mut alone = alone.args(command.get_arguments()).arg(help).help_template("{options}");
    alone.render_help().to_string().trim_end().to_owned()
}

/// The subcommands in groups, with what they do.
fn subcommands(command: &Command) -> String {
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    let indent = names.map(|name| name.len()).max().unwrap_or(0) + 4;
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        for name in names {
            let about = about(command, name);
            let lines = lines_of_words(&about, WIDTH - indent);
            for (i, line) in lines.iter().enumerate() {
                let first = if i == 0 { *name } else { "" };
                let _ = writeln!(text, "  {first:<width$}{line}", width = indent - 2);
            }
        }
        text.push('\n');
    }
    text
}

/// The purpose of a subcommand, with its other name.
fn about(command: &Command, name: &str) -> String {
    let Some(sub) = command.find_subcommand(name) else {
        return "Print this message or the help of the given subcommand(s)".to_owned();
    };
    let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<&str> = sub.get_visible_aliases().collect();
    if aliases.is_empty() { about } else { format!("{about} [alias: {}]", aliases.join(", ")) }
}

/// A command with its options under headings, if it has many.
fn under_headings(command: Command) -> Command {
    if command.get_opts().count() < MANY {
        return command;
    }
    let heading = |name: &str| HEADINGS.iter().find(|(_, names)| names.contains(&name)).map(|(heading, _)| *heading);
    command.mut_args(|arg| match arg.get_long().and_then(heading) {
        Some(heading) => arg.help_heading(heading),
        None => arg,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_every_heading_has_options() {
        let command = crate::command::with_games(&crate::builtin());
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut shown: Vec<&str> =
            command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name).chain(["help"]).collect();
        listed.sort_unstable();
        shown.sort_unstable();
        assert_eq!(listed, shown);
        let long = |name: &str| {
            command.get_subcommands().any(|sub| sub.get_arguments().any(|arg| arg.get_long() == Some(name)))
        };
        for name in HEADINGS.iter().flat_map(|(_, names)| names.iter()) {
            assert!(long(name), "no command has --{name}");
        }
    }
}
