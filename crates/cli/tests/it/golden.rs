//! Transcripts of the command: its input and its complete output. `UPDATE=1 cargo test -p banyan-cli` regenerates the
//! files in `golden/`; the difference is reviewed like code.
//!
//! A transcript is a list of runs. `$` is the command, `<` a line on its standard input, two blanks a line on stdout,
//! `!` one on stderr, `=` the exit code unless it is 0. Lines with `#` before a command are remarks.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::{banyan, folder};

#[derive(Default)]
struct Run {
    remarks: String,
    command: String,
    input: String,
}

fn read(transcript: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut run = Run::default();
    for line in transcript.lines() {
        if line.starts_with("$ ") && !run.command.is_empty() {
            runs.push(std::mem::take(&mut run));
        }
        match line.split_at_checked(2) {
            Some(("$ ", command)) => run.command = command.to_owned(),
            Some(("< ", typed)) => run.input += &format!("{typed}\n"),
            Some(("# ", _)) => {
                run.remarks += &format!("{line}\n");
            }
            _ if line.is_empty() && !run.command.is_empty() => runs.push(std::mem::take(&mut run)),
            _ => {}
        }
    }
    if !run.command.is_empty() {
        runs.push(run);
    }
    runs
}

/// The words of a command line, with text in double quotes as one word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn play_back(run: &Run, folder: &Path) -> String {
    let words = words(&run.command);
    assert_eq!(words[0], "banyan", "a transcript runs only the command itself");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let mut child = banyan(&args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that reads no input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(run.input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let mut text = format!("{}$ {}\n", run.remarks, run.command);
    run.input.lines().for_each(|line| text += &format!("< {line}\n"));
    for (mark, stream) in [("  ", &output.stdout), ("! ", &output.stderr)] {
        let stream = String::from_utf8(stream.clone()).expect("text");
        stream
            .lines()
            .map(without_speed)
            .for_each(|line| text += &format!("{}\n", format!("{mark}{line}").replace("banyan.exe", "banyan")));
    }
    match output.status.code() {
        Some(0) => {}
        code => text += &format!("= {}\n", code.expect("the command was not killed")),
    }
    text
}

/// The line without the figures of the speed of a proof or a search, which differ from run to run.
fn without_speed(line: &str) -> String {
    if line.starts_with("info time ") {
        return without_numbers_after(line, &["time", "nps"]);
    }
    if line.starts_with("estimated time: ") {
        return "estimated time: #".to_owned();
    }
    if !(line.starts_with("done: ") && line.contains(" nodes/s")) {
        return line.to_owned();
    }
    let mut text = line.replace(|c: char| c.is_ascii_digit() || c == '.', "#");
    while text.contains("##") {
        text = text.replace("##", "#");
    }
    text
}

/// The line, with `#` instead of each word that follows one of `keys`.
fn without_numbers_after(line: &str, keys: &[&str]) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let masked =
        words.iter().enumerate().map(|(i, word)| if i > 0 && keys.contains(&words[i - 1]) { "#" } else { word });
    masked.collect::<Vec<_>>().join(" ")
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let expected = fs::read_to_string(&path).expect("a transcript");
    let folder = folder(name);
    let runs: Vec<String> = read(&expected).iter().map(|run| play_back(run, &folder)).collect();
    assert!(!runs.is_empty(), "{name} runs nothing");
    let found = runs.join("\n");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, found).expect("the transcript can be written");
    } else if let Some((i, (found, expected))) =
        found.lines().zip(expected.lines()).enumerate().find(|(_, (found, expected))| found != expected)
    {
        panic!("{name}:{}\n  expected {expected:?}\n  found    {found:?}\n(UPDATE=1 accepts all of it)", i + 1);
    } else {
        assert_eq!(found, expected, "{name} has another length (UPDATE=1 accepts it)");
    }
}

#[test]
fn play() {
    check("play.txt");
}

#[test]
fn play_sessions() {
    check("play-sessions.txt");
}

#[test]
fn chinese() {
    check("chinese.txt");
}

#[test]
fn analyse() {
    check("analyse.txt");
}

#[test]
fn solve() {
    check("solve.txt");
}

#[test]
fn show() {
    check("show.txt");
}

#[cfg(unix)]
#[test]
fn records() {
    check("records.txt");
}

#[test]
fn review() {
    check("review.txt");
}

#[test]
fn perft() {
    check("perft.txt");
}

#[test]
fn calc() {
    check("calc.txt");
}

#[test]
fn train() {
    check("train.txt");
}

#[test]
fn sweep() {
    check("sweep.txt");
}

#[test]
fn ablate() {
    check("ablate.txt");
}

#[test]
fn openings() {
    check("openings.txt");
}

#[test]
fn book() {
    check("book.txt");
}

#[test]
fn lists() {
    check("lists.txt");
}

#[test]
fn help() {
    check("help.txt");
}

#[test]
fn matches() {
    check("match.txt");
}

#[test]
fn rate() {
    check("rate.txt");
}

#[test]
fn ugi() {
    check("ugi.txt");
}

#[test]
fn protocols() {
    check("protocols.txt");
}

#[test]
fn engines() {
    check("engines.txt");
}

#[test]
fn errors() {
    check("errors.txt");
}
