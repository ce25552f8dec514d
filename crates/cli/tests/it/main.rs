//! Tests of the command as a program.

#[cfg(unix)]
mod ablate;
mod course_platform;
mod engines;
mod files;
mod folders;
mod forms;
mod golden;
#[cfg(unix)]
mod interrupt;
mod json_docs;
mod kill;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod many_machines;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory;
mod openings;
mod own_game;
mod prompt;
mod rate;
mod recorded;
mod records;
mod review;
mod scored;
#[cfg(unix)]
mod shards;
#[cfg(unix)]
mod strategy;
mod streams;
#[cfg(unix)]
mod survival;
mod sweep;
mod tables;
mod train;
mod tree_file;
mod tune;
mod written_before;
mod wrong_use;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command with these arguments, no input, and no environment variables that affect it.
fn banyan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan"));
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "BANYAN_ENGINES"] {
        command.env_remove(variable);
    }
    // Only tests of a language name one.
    command.env("LC_ALL", "C");
    command.args(args).stdin(Stdio::null());
    command
}

/// The output of the command.
fn output(args: &[&str]) -> Output {
    banyan(args).output().expect("the command runs")
}

/// The output of the command in this folder, for arguments separated by single blanks.
fn output_in(folder: &Path, line: &str) -> Output {
    let args: Vec<&str> = line.split(' ').collect();
    banyan(&args).current_dir(folder).output().expect("the command runs")
}

/// A path that does not exist, used by this test alone.
fn unused(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Files of an earlier run must not help this one.
    let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    path
}

/// An empty folder, used by this test alone.
fn folder(name: &str) -> PathBuf {
    let path = unused(name);
    fs::create_dir_all(&path).expect("a folder to run in");
    path
}

/// Sends a signal, without the program `kill`, which some Linux systems lack.
#[cfg(unix)]
fn send_signal(process: u32, signal: rustix::process::Signal) {
    let process = rustix::process::Pid::from_raw(process as i32).expect("a number of a process");
    rustix::process::kill_process(process, signal).expect("it runs");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines of a file written by `banyan solve --out` without their checksums, which each must have.
fn unchecked(text: &str) -> String {
    let line = |line: &str| {
        let (content, checksum) = line.split_once(" % check ").unwrap_or((line, ""));
        assert!(checksum.len() == 8 || checksum.is_empty(), "{line}");
        format!("{content}\n")
    };
    text.lines().map(line).collect()
}

/// Checks that the command failed with one line of an error, before it wrote anything, and returns the line.
fn refusal(output: &Output) -> String {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    assert!(errors.starts_with("error: ") && errors.lines().count() == 1, "{errors}");
    let error = errors.trim_end().to_owned();
    assert!(!error.ends_with('.') && !error.contains("panicked"), "{error}");
    error
}

/// The games in the folder of a match by pair and number, without measured times.
fn games(folder: &Path) -> BTreeMap<(u64, u64), serde_json::Value> {
    let lines = fs::read_to_string(folder.join("games.jsonl")).expect("games");
    assert!(lines.is_empty() || lines.ends_with('\n'), "a line is cut off");
    let mut games = BTreeMap::new();
    for line in lines.lines() {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|err| panic!("{line}: {err}"));
        let fields = game.as_object_mut().expect("an object");
        for timed in ["time_us", "overrun_us", "at_ms", "check"] {
            fields.remove(timed);
        }
        let id = (game["pair"].as_u64().expect("a pair"), game["game"].as_u64().expect("a number"));
        assert!(games.insert(id, game).is_none(), "game {id:?} is there twice");
    }
    games
}
