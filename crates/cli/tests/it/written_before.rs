//! Folders and files of earlier versions of the program (tests/fixtures, created by its script `write`): they are
//! resumed, merged, reviewed and loaded.
//!
//! Players may change, so new games are only counted; the old games must stay unchanged, byte for byte, and so must
//! results computed from them alone.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::{banyan, folder, games, output_in, text};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Copies a file, or a folder with its contents.
fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::copy(from, to).expect("a file to write");
        return;
    }
    fs::create_dir_all(to).expect("a folder to write to");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// A folder with copies of these fixtures.
fn copies(test: &str, names: &[&str]) -> PathBuf {
    let folder = folder(&format!("before-{test}"));
    for name in names {
        copy(&fixtures().join(name), &folder.join(name));
    }
    folder
}

/// The output of the command, which must succeed without warnings.
fn done(folder: &Path, line: &str) -> String {
    let output = output_in(folder, line);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    assert!(!errors.contains("warning") && !errors.contains("damaged"), "{line}: {errors}");
    text(&output.stdout)
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

/// A JSON file without measured times.
fn json(path: PathBuf) -> serde_json::Value {
    fn untimed(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.retain(|name, _| !["spending", "at_ms"].contains(&name.as_str()));
                fields.values_mut().for_each(untimed);
            }
            serde_json::Value::Array(values) => values.iter_mut().for_each(untimed),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(&read(path)).expect("JSON");
    untimed(&mut value);
    value
}

/// Truncates a file to `lines` lines, and half of the next one if `torn`.
fn cut(path: PathBuf, lines: usize, torn: bool) -> String {
    let all = read(path.clone());
    let kept: String = all.split_inclusive('\n').take(lines).collect();
    let next = all[kept.len()..].lines().next().unwrap_or_default();
    let rest = if torn { &next[..next.len() / 2] } else { "" };
    fs::write(path, format!("{kept}{rest}")).expect("a file to write");
    kept
}

#[test]
fn matches_are_resumed_in_every_state() {
    for (state, lines, torn) in
        [("begun", 0, false), ("interrupted", 5, false), ("torn", 7, true), ("finished", 12, false)]
    {
        let folder = copies(&format!("match-{state}"), &["match"]);
        let kept = cut(folder.join("match/games.jsonl"), lines, torn);
        let _ = fs::remove_file(folder.join("match/summary.json"));
        let output = output_in(&folder, "match --resume match --jobs 1");
        assert!(output.status.success(), "{state}: {}", text(&output.stderr));
        assert!(read(folder.join("match/games.jsonl")).starts_with(&kept), "{state}: games were changed");
        assert_eq!(games(&folder.join("match")).len(), 12, "{state}");
        let summary = json(folder.join("match/summary.json"));
        assert_eq!((&summary["games"], &summary["pairs"]), (&12.into(), &6.into()), "{state}");
        if state == "finished" {
            assert_eq!(summary, json(fixtures().join("match/summary.json")));
        }
    }
}

#[test]
fn recorded_reviews_are_read_in_place_of_new_ones() {
    let folder = copies("reviews", &["match"]);
    let reviews = read(folder.join("match/reviews.jsonl"));
    done(&folder, "match --resume match --review nodes=500 --export report.json --quiet");
    assert_eq!(read(folder.join("match/reviews.jsonl")), reviews, "games were reviewed again");
    assert_eq!(json(folder.join("report.json")), json(fixtures().join("match/report.json")));
    let shown = done(&folder, "show --record match --game 0.0 --json");
    assert!(shown.contains("connect-four"), "{shown}");
}

#[test]
fn shards_are_merged_and_resumed() {
    let folder = copies("shards", &["shard-1", "shard-2"]);
    done(&folder, "merge shard-1 shard-2 --out merged");
    assert_eq!(read(folder.join("merged/games.jsonl")), read(fixtures().join("merged/games.jsonl")));
    let mut summary = json(folder.join("merged/summary.json"));
    // Openings were not counted then.
    let openings = summary.as_object_mut().and_then(|summary| summary.remove("openings")).expect("openings");
    assert_eq!(openings[0]["opening"], "Diagonal");
    assert_eq!(summary, json(fixtures().join("merged/summary.json")));
    let kept = cut(folder.join("shard-2/games.jsonl"), 1, false);
    done(&folder, "match --resume shard-2 --jobs 1");
    assert!(read(folder.join("shard-2/games.jsonl")).starts_with(&kept));
    done(&folder, "merge shard-1 shard-2 --out again");
    assert_eq!(games(&folder.join("again")).len(), 8);
}

#[test]
fn sweeps_tunings_ratings_and_ladders_are_resumed_and_reported() {
    for (name, command, report) in [
        ("sweep", "sweep", "sweep.json"),
        ("tuning", "tune", "tune.json"),
        ("rating", "rate", "rating.json"),
        ("ladder", "ladder", "ladder.json"),
    ] {
        let folder = copies(name, &[name]);
        fs::remove_file(folder.join(name).join(report)).expect("a report");
        done(&folder, &format!("{command} --resume {name} --jobs 1"));
        let mut written = json(folder.join(name).join(report));
        if name == "sweep" {
            // Not written before.
            let more = written.as_object_mut().and_then(|result| result.remove("more_pairs"));
            assert!(more.is_some(), "{written}");
        }
        assert_eq!(written, json(fixtures().join(name).join(report)), "{name}");
        let all = games(&folder.join(name)).len();
        let kept = cut(folder.join(name).join("games.jsonl"), 3, false);
        fs::remove_file(folder.join(name).join(report)).expect("a report");
        // A rating chooses its next games by the results.
        let output = output_in(&folder, &format!("{command} --resume {name} --jobs 1"));
        assert!(output.status.code().is_some_and(|code| code < 2), "{name}: {}", text(&output.stderr));
        assert!(read(folder.join(name).join("games.jsonl")).starts_with(&kept), "{name}: games were changed");
        assert!(name == "rating" || name == "tuning" || games(&folder.join(name)).len() == all, "{name}");
        json(folder.join(name).join(report));
    }
}

#[test]
fn trainings_are_resumed_and_weights_loaded() {
    let folder = copies("training", &["training"]);
    let line = "train dots-and-boxes:2x2 --out training --games 40 --budget playouts=30 --seed 7 --threads 1";
    done(&folder, line);
    assert!(
        fs::read(folder.join("training/weights.bin")).expect("weights")
            == fs::read(fixtures().join("training/weights.bin")).expect("weights"),
        "a finished training changed its weights"
    );
    let player = "pvs:eval=training/weights.bin";
    let answer = done(&folder, &format!("analyse dots-and-boxes:2x2 --player {player} --budget depth=2 --json"));
    assert!(answer.contains("\"value\""), "{answer}");
    let kept = cut(folder.join("training/games.txt"), 25, true);
    for made in ["fit.state", "curve.csv", "weights.bin"] {
        fs::remove_file(folder.join("training").join(made)).expect("it was copied");
    }
    let output = output_in(&folder, line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = read(folder.join("training/games.txt"));
    assert!(games.starts_with(&kept) && games.lines().count() == 40, "{games}");
}

#[test]
fn books_and_solved_files_are_continued() {
    let folder = copies("files", &["small.book", "positions.obf", "solved.obf"]);
    let shown = done(&folder, "book show small.book");
    assert!(shown.contains("h0,0"), "{shown}");
    let book = cut(folder.join("small.book"), 4, false);
    // The default player when the file was written.
    let player = "--player solver:opening=mcgs";
    done(
        &folder,
        &format!("book make dots-and-boxes:2x2 {player} --out small.book --budget nodes=200 --positions 6 --plies 4"),
    );
    let lines = read(fixtures().join("small.book")).lines().count();
    let continued = read(folder.join("small.book"));
    assert!(continued.starts_with(&book) && continued.lines().count() >= lines, "{continued}");
    cut(folder.join("solved.obf"), 1, true);
    let output = output_in(&folder, "solve reversi --file positions.obf --out solved.obf");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(read(folder.join("solved.obf")), read(fixtures().join("solved.obf")));
}

#[test]
fn saved_games_are_loaded() {
    let folder = copies("saved", &["saved.json", "saved.txt"]);
    let mut child = banyan(&["play", "--first", "human", "--second", "human", "--ascii"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let typed = b"load saved.json\nload saved.txt\nquit\n";
    child.stdin.take().expect("a pipe").write_all(typed).expect("the command reads");
    let answers = text(&child.wait_with_output().expect("the command ends").stdout);
    for file in ["saved.json", "saved.txt"] {
        assert!(answers.contains(&format!("loaded 3 moves of connect-four:5x6 from {file}")), "{answers}");
    }
    done(&folder, "review saved.json --budget nodes=200");
}
