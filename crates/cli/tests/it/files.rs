//! Endless files.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::{banyan, folder, output, refusal, text};

#[test]
fn files_without_an_end_are_refused() {
    let folder = folder("endless");
    fs::create_dir(folder.join("match")).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    for name in ["games.jsonl", "match/match.toml", "match/games.jsonl"] {
        symlink("/dev/zero", folder.join(name)).expect("a link");
    }
    for args in [
        &["openings", "check", "/dev/zero", "connect-four"][..],
        &["match", "connect-four", "random", "greedy", "--openings", "file:/dev/zero"],
        &["engines", "list", "--engines", "/dev/zero"],
        &["play", "--engines", "/dev/zero"],
        &["show", "--record", "/dev/zero"],
    ] {
        let error = refusal(&output(args));
        assert!(error.contains("larger than 64 MiB"), "{args:?}: {error}");
    }
    // Files written by the program itself must be regular files.
    for args in [
        &["match", "--resume", &path("match")][..],
        &["merge", &path("match"), "--out", &path("merged")],
        &["show", "--record", &path("games.jsonl")],
        &["book", "make", "connect-four", "--out", "/dev/zero"],
    ] {
        let error = refusal(&output(args));
        assert!(error.contains("expected an ordinary file"), "{args:?}: {error}");
    }
    let mut check = banyan(&["openings", "check", "-", "connect-four"]);
    check.stdin(fs::File::open("/dev/zero").expect("the system has it"));
    let error = refusal(&check.output().expect("it runs"));
    assert!(error.contains("larger than 64 MiB"), "{error}");
}

#[test]
fn a_game_without_an_end_is_not_loaded() {
    let mut play = banyan(&["play"]);
    let mut child = play.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), b"load /dev/zero\nquit\n").expect("it reads");
    let shown = text(&child.wait_with_output().expect("it ends").stdout);
    assert!(shown.contains("cannot read /dev/zero: larger than 64 MiB"), "{shown}");
}
