//! Mistakes at the prompt of `banyan play`: each is answered by one line with what is expected, and changes nothing.

use std::io::Write;
use std::process::Stdio;

use crate::{banyan, text};

/// The answers to each of `lines`, typed at the prompt `prompt`.
fn answers(args: &[&str], prompt: &str, lines: &[&str]) -> Vec<String> {
    let args = [&["play", "--ascii", "--color", "never"], args].concat();
    let mut child = banyan(&args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    let typed = lines.join("\n") + "\nquit\n";
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("the command reads");
    let output = text(&child.wait_with_output().expect("the command ends").stdout);
    let turns: Vec<&str> = output.split(&format!("{prompt}> ")).skip(1).collect();
    assert_eq!(turns.len(), lines.len() + 1, "{lines:?}: a line is no mistake: {output}");
    turns[..lines.len()].iter().map(|turn| turn.split_once('\n').map_or("", |(_, answer)| answer).to_owned()).collect()
}

fn check(args: &[&str], prompt: &str, lines: &[&str]) {
    for (line, answer) in lines.iter().zip(answers(args, prompt, lines)) {
        let parts = answer.split_once(": expected ").and_then(|(found, rest)| Some((found, rest.split_once("; ")?)));
        let is_complete = parts.is_some_and(|(found, (expected, remedy))| {
            !found.is_empty() && !expected.is_empty() && remedy.trim_end().len() > 4
        });
        assert!(is_complete && answer.matches('\n').count() == 1, "{args:?} {line:?}: {answer:?}");
    }
}

const EVERYWHERE: [&str; 21] = [
    "hlep",
    "?!",
    "undo",
    "undo 2",
    "hint please",
    "names off",
    "board 3",
    "rematch",
    "review",
    "why",
    "save",
    "load",
    "load none.json",
    "load .",
    "save /nowhere/game.json",
    "new chess",
    "new connect-four:99x99",
    "level 99",
    "level strong",
    "review 5m/game",
    "why soon",
];

#[test]
fn a_mistake_is_answered_by_one_line_and_changes_nothing() {
    check(&["connect-four"], "X", &[&EVERYWHERE[..], &["9", "0", "d4", "z", "4 4", "move 4"]].concat());
    check(&["reversi"], "black (X)", &[&EVERYWHERE[..], &["d6", "a1", "z9", "pass", "d3 c3"]].concat());
    let edges = ["60", "h6,0", "x", "0,0", "0,0-2,0", "0,0-0,9", "9,9 top", "0,0 up", "h 0,0"];
    check(&["dots-and-boxes"], "X", &[&EVERYWHERE[..], &edges].concat());
}

#[test]
fn the_environment_chooses_the_language_and_the_option_comes_first() {
    let line = ["play", "connect-four:4x4", "--ascii", "--first", "random", "--second", "random", "--seed", "1"];
    let printed = |locale: &str, more: &[&str]| {
        let output = banyan(&[&line[..], more].concat()).env("LC_ALL", locale).output().expect("the command runs");
        assert!(output.status.success(), "{locale}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    for (locale, more, word) in [
        ("zh_CN.UTF-8", &[][..], "走"),
        ("zh_CN.UTF-8", &["--lang", "en"], "plays"),
        ("C", &[], "plays"),
        ("C", &["--lang", "zh"], "走"),
    ] {
        let printed = printed(locale, more);
        assert!(printed.contains(word), "{locale} {more:?}: {printed}");
    }
}

#[test]
fn two_persons_have_no_level() {
    check(&["--second", "human"], "X", &["level 3", "level"]);
}

#[test]
fn a_finished_game_takes_no_moves() {
    let over = ["play", "--moves", "1 2 1 2 1 2 1", "--second", "human"];
    check(&over[1..], "over", &["4", "hint", "resign", "moves", "d9"]);
}
