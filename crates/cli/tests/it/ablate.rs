//! An ablation that is killed, split, or played by more threads has the same result as an undisturbed one.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::kill::observer;
use crate::{banyan, games, output, text, unused};

const ABLATION: &[&str] = &[
    "connect-four:5x5",
    "uct",
    "--on",
    "c=0",
    "--on",
    "no reuse: reuse=none",
    "--budget",
    "playouts=30",
    "--budget",
    "playouts=60",
    "--pairs",
    "20",
];

fn ablate(path: &Path, more: &[&str]) -> Output {
    output(&[&["ablate"], ABLATION, &["--out", path.to_str().expect("text")], more].concat())
}

/// The result without the speeds, which are measured.
fn result(path: &Path) -> Value {
    let json = fs::read_to_string(path.join("ablation.json")).expect("a result");
    let mut result: Value = serde_json::from_str(&json).expect("an object");
    for row in result["rows"].as_array_mut().expect("rows") {
        for speed in ["per_second", "per_second_of_player", "speed"] {
            assert!(row[speed].as_f64().is_some_and(|speed| speed > 0.0), "{row}");
            row[speed] = Value::Null;
        }
    }
    result
}

#[test]
fn an_ablation_killed_at_random_moments_ends_with_the_same_result() {
    let (whole, killed) = (unused("ablation-whole"), unused("ablation-killed"));
    let out = ablate(&whole, &["--quiet"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let path = killed.to_str().expect("text");
    let command = || {
        if killed.join("match.toml").exists() {
            return vec!["ablate", "--resume", path, "--quiet"];
        }
        [&["ablate"], ABLATION, &["--out", path, "--quiet"]].concat()
    };
    let bytes = || fs::metadata(killed.join("games.jsonl")).map_or(0, |file| file.len());
    for attempt in 0..8 {
        let mut child = banyan(&command()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let until = bytes() + 1 + attempt * 7919 % 6000;
        observer(&mut child, || bytes() >= until);
        assert!(child.try_wait().expect("a child").is_none(), "attempt {attempt} ended before it was killed");
        // SIGKILL: the program cannot clean up.
        child.kill().expect("it is there to be killed");
        child.wait().expect("it ends");
    }
    let left = output(&command());
    assert!(left.status.success(), "{}", text(&left.stderr));
    assert!(games(&whole) == games(&killed));
    assert_eq!(result(&whole), result(&killed));
    assert_eq!(
        fs::read_to_string(whole.join("ablation.svg")).expect("a plot"),
        fs::read_to_string(killed.join("ablation.svg")).expect("a plot")
    );
}

#[test]
fn neither_threads_nor_shards_change_an_ablation() {
    let whole = unused("ablation-one-thread");
    assert!(ablate(&whole, &["--jobs", "1", "--quiet"]).status.success());
    let threads = unused("ablation-threads");
    assert!(ablate(&threads, &["--jobs", "3", "--quiet"]).status.success());
    assert_eq!(result(&whole), result(&threads));
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let part = unused(&format!("ablation-part-{}", &shard[..1]));
        assert!(ablate(&part, &["--shard", shard, "--quiet"]).status.success());
        part
    });
    let merged = unused("ablation-merged");
    let paths = parts.each_ref().map(|part| part.to_str().expect("text"));
    let merge = output(&[&["merge"][..], &paths, &["--out", merged.to_str().expect("text")]].concat());
    assert!(merge.status.success(), "{}", text(&merge.stderr));
    assert!(text(&merge.stdout).contains("Holm"), "{}", text(&merge.stdout));
    assert_eq!(result(&whole), result(&merged));
    let path = whole.to_str().expect("text");
    let more = output(&["ablate", "--resume", path, "--pairs", "21", "--quiet"]);
    assert!(more.status.success(), "{}", text(&more.stderr));
    assert_eq!(games(&whole).len(), 2 * 2 * 21 * 2);
}

#[test]
fn every_row_meets_the_player_at_its_own_budget_on_the_same_openings_and_seeds() {
    let path = unused("ablation-common");
    assert!(ablate(&path, &["--quiet"]).status.success());
    let games = games(&path);
    let n_pairings = 4;
    for ((pair, number), game) in &games {
        let first = &games[&(pair - pair % n_pairings, *number)];
        assert_eq!(game["seeds"], first["seeds"], "{game}");
        let budget = if pair % n_pairings < 2 { "@playouts=30" } else { "@playouts=60" };
        let players = game["players"].as_array().expect("two players");
        assert!(players.iter().all(|player| player.as_str().is_some_and(|name| name.ends_with(budget))), "{game}");
        assert!(players.iter().any(|player| player.as_str().is_some_and(|name| !name.contains(':'))), "{game}");
    }
    assert_eq!(games.len(), 2 * 2 * 20 * 2);
}
