//! Records that were damaged, forged or removed: every reader detects them and names them in one line.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::{banyan, games, output, refusal, text, unused};

/// A match of four games, without openings, and the lines of its games.
fn played(name: &str, game: &str) -> (PathBuf, Vec<String>) {
    let path = unused(name);
    let fixed = ["--pairs", "2", "--jobs", "1", "--openings", "none", "--budget", "playouts=10", "--quiet", "--out"];
    let out = output(&[&["match", game, "greedy", "random"], &fixed[..], &[path.to_str().expect("text")]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let lines = fs::read_to_string(path.join("games.jsonl")).expect("games");
    (path, lines.lines().map(str::to_owned).collect())
}

/// Writes the games with the last one changed, and checks that all readers of records refuse it with `part`.
#[track_caller]
fn check_refused(path: &Path, lines: &[String], change: impl Fn(&mut serde_json::Value), part: &str) {
    let mut lines = lines.to_vec();
    let last = lines.last_mut().expect("a game");
    let mut game: serde_json::Value = serde_json::from_str(last).expect("JSON");
    change(&mut game);
    assert_ne!(game.to_string(), serde_json::from_str::<serde_json::Value>(last).expect("JSON").to_string());
    *last = game.to_string();
    fs::write(path.join("games.jsonl"), lines.join("\n") + "\n").expect("the file can be written");
    let folder = path.to_str().expect("text");
    for command in [&["merge", folder][..], &["match", "--resume", folder, "--quiet"]] {
        let error = refusal(&output(command));
        assert!(error.contains("games.jsonl: ") && error.contains(part), "{command:?}: {part:?} in {error}");
    }
}

#[test]
fn a_record_that_is_not_a_game_of_the_match_is_named() {
    let (path, lines) = played("forged", "connect-four:4x4");
    let check = |change: &dyn Fn(&mut serde_json::Value), part| check_refused(&path, &lines, change, part);
    check(&|game| game["pair"] = 7.into(), "game 7.1 of ");
    check(&|game| game["pair"] = 7.into(), "pairs are numbered below 2");
    check(&|game| game["seeds"] = serde_json::json!([1, 2]), "where its seeds are ");
    check(&|game| game["seats"] = serde_json::json!([0, 1]), "where random meets greedy");
    check(&|game| game["players"] = serde_json::json!(["uct", "greedy"]), "where random meets greedy");
    check(&|game| game["opening"] = 5.into(), "where it has opening 1");
    check(&|game| game["spec"] = "connect-four:5x5".into(), "which is played on connect-four:4x4");
    check(&|game| game["moves"] = "1 1 1 1 1".into(), "move 5");
    check(&|game| game["moves"] = format!("{} 1", game["moves"].as_str().expect("text")).into(), "ended the game");
    check(&|game| game["moves"] = "1 1".into(), "the game is not over after its moves");
    check(&|game| game["movers"] = "0000".into(), "the sides that made its moves");
    check(&|game| game["opening_plies"] = 99.into(), "an opening of 99 plies");
    check(&|game| game["margin"] = 99.into(), "the margin 99 contradicts the moves");
    check(&|game| game["ending"] = "late".into(), "the game is over, so that nobody lost it by fault");
    let other = |game: &serde_json::Value| if game["winner"] == "first" { "second" } else { "first" };
    check(&|game| game["winner"] = other(game).into(), "contradicts the moves: ");
    // Unchanged, it is accepted.
    fs::write(path.join("games.jsonl"), lines.join("\n") + "\n").expect("the file can be written");
    assert!(output(&["merge", path.to_str().expect("text")]).status.success());
}

#[test]
fn a_record_on_a_board_that_was_not_drawn_is_named() {
    let (path, lines) = played("forged-board", "connect-four:4-6x4-6");
    check_refused(&path, &lines, |game| game["spec"] = "connect-four:8x9".into(), "which is played on connect-four:");
}

#[cfg(unix)]
#[test]
fn games_that_are_removed_during_a_match_are_not_lost() {
    for (name, damage) in [
        ("removed", (|file: &Path| fs::remove_file(file)) as fn(&Path) -> std::io::Result<()>),
        ("replaced", |file| fs::remove_file(file).and_then(|()| fs::write(file, ""))),
        ("emptied", |file| fs::OpenOptions::new().write(true).open(file)?.set_len(0)),
    ] {
        let path = unused(&format!("games-{name}"));
        let folder = path.to_str().expect("text");
        let players = ["match", "connect-four:4x4", "greedy", "random", "--jobs", "1", "--openings", "random:plies=4"];
        let args = [&players[..], &["--pairs", "100000", "--json", "--out", folder]].concat();
        let mut child =
            banyan(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut reported = 0;
        for line in lines.by_ref().take(9) {
            reported += usize::from(line.expect("text").contains("\"game_end\""));
        }
        damage(&path.join("games.jsonl")).expect("the file can be changed");
        reported += lines.filter(|line| line.as_ref().expect("text").contains("\"game_end\"")).count();
        let output = child.wait_with_output().expect("the command ends");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        let error = errors.lines().last().expect("an error");
        assert!(
            error.contains("games.jsonl: expected it unchanged, but it was ")
                && error.contains(" while the match was running"),
            "{error}"
        );
        if name == "removed" {
            assert!(error.contains("was removed") && games(&path).len() >= reported, "{error}");
        }
    }
}

#[test]
fn balanced_openings_of_large_boards_do_not_keep_anybody_waiting() {
    let opening = |name: &str| {
        let path = unused(name);
        let players = ["match", "dots-and-boxes:9x9", "greedy", "random", "--openings", "balanced", "--pairs", "1"];
        let more = ["--budget", "playouts=1", "--quiet", "--out", path.to_str().expect("text")];
        let out = output(&[&players[..], &more].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        let first = games(&path).remove(&(0, 0)).expect("a game");
        let plies = first["opening_plies"].as_u64().expect("a number") as usize;
        first["moves"].as_str().expect("text").split(' ').take(plies).collect::<Vec<_>>().join(" ")
    };
    let first = opening("large-1");
    // If no opening is found balanced, they become longer and longer.
    assert_eq!(first.split(' ').count(), 6, "{first}");
    assert_eq!(first, opening("large-2"));
}

#[test]
fn a_warning_of_faults_names_the_reason_and_the_command_that_shows_the_game() {
    let (path, mut lines) = played("faulty games", "connect-four:4x4");
    let mut game: serde_json::Value = serde_json::from_str(&lines[3]).expect("JSON");
    for (field, value) in [
        ("moves", "1 1".into()),
        ("margin", serde_json::Value::Null),
        ("winner", "first".into()),
        ("ending", "crashed".into()),
        ("fault_by", "second".into()),
        ("fault", "crashed: exited with code 7; last line on stderr: \"no memory\"".into()),
    ] {
        game[field] = value;
    }
    lines[3] = game.to_string();
    fs::write(path.join("games.jsonl"), lines.join("\n") + "\n").expect("the file can be written");
    let merged = output(&["merge", path.to_str().expect("text")]);
    let errors = text(&merged.stderr);
    let warning = "warning: greedy lost 1 game by fault: 1 crashed (first in game 1.1: exited with code 7; last line on stderr: \
                   \"no memory\")";
    assert!(errors.contains(warning), "{errors}");
    let expected = format!("  banyan show --record '{}' --game 1.1", path.display());
    assert!(errors.lines().any(|line| line == expected), "{expected} in {errors}");
    let shown = output(&["show", "--record", path.to_str().expect("text"), "--game", "1.1"]);
    assert!(text(&shown.stdout).contains("greedy lost: crashed: "), "{}", text(&shown.stderr));
}
