//! A sweep that is killed, split, or played by more threads has the same result as an undisturbed one.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::kill::observer;
use crate::{banyan, games, output, output_in, refusal, text, unused};

const SWEEP: &[&str] = &[
    "connect-four:5x5",
    "uct",
    "--vary",
    "c=0.1..2.1/5",
    "--against",
    "uct:c=0.5",
    "--budget",
    "playouts=60",
    "--pairs",
    "30",
];

fn sweep(path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().expect("text");
    output(&[&["sweep"], SWEEP, &["--out", path], more].concat())
}

fn json(path: &Path) -> String {
    fs::read_to_string(path.join("sweep.json")).expect("a result")
}

#[test]
fn a_sweep_killed_at_random_moments_ends_with_the_same_result() {
    let (whole, killed) = (unused("sweep-whole"), unused("sweep-killed"));
    let out = sweep(&whole, &["--refine", "--quiet"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let path = killed.to_str().expect("text");
    let command = || {
        if killed.join("match.toml").exists() {
            return vec!["sweep", "--resume", path, "--quiet"];
        }
        [&["sweep"], SWEEP, &["--out", path, "--refine", "--quiet"]].concat()
    };
    let size = |stage: &str| fs::metadata(killed.join(stage).join("games.jsonl")).map_or(0, |file| file.len());
    let bytes = || size("") + size("finer");
    // The last kills fall within the second stage.
    for attempt in 0..20 {
        let mut child = banyan(&command()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let until = bytes() + 1 + attempt * 7919 % 20_000;
        observer(&mut child, || bytes() >= until);
        assert!(child.try_wait().expect("a child").is_none(), "attempt {attempt} ended before it was killed");
        // SIGKILL: the program cannot clean up.
        child.kill().expect("it is there to be killed");
        child.wait().expect("it ends");
    }
    assert!(size("finer") > 0, "no kill fell within the second stage");
    let left = output(&command());
    assert!(left.status.success(), "{}", text(&left.stderr));
    for stage in ["", "finer"] {
        assert!(games(&whole.join(stage)) == games(&killed.join(stage)), "stage {stage:?}");
    }
    assert_eq!(json(&whole), json(&killed));
    assert_eq!(
        fs::read_to_string(whole.join("sweep.svg")).expect("a plot"),
        fs::read_to_string(killed.join("sweep.svg")).expect("a plot")
    );
}

#[test]
fn neither_threads_nor_shards_change_a_sweep() {
    let whole = unused("sweep-one-thread");
    assert!(sweep(&whole, &["--jobs", "1", "--quiet"]).status.success());
    let threads = unused("sweep-threads");
    assert!(sweep(&threads, &["--jobs", "3", "--quiet"]).status.success());
    assert_eq!(json(&whole), json(&threads));
    let parts = ["1/2", "2/2"].map(|shard| {
        let part = unused(&format!("sweep-part-{}", &shard[..1]));
        assert!(sweep(&part, &["--shard", shard, "--quiet"]).status.success());
        part
    });
    let merged = unused("sweep-merged");
    let paths = parts.each_ref().map(|part| part.to_str().expect("text"));
    let merge = output(&[&["merge"][..], &paths, &["--out", merged.to_str().expect("text")]].concat());
    assert!(merge.status.success(), "{}", text(&merge.stderr));
    assert!(text(&merge.stdout).contains("fitted"), "{}", text(&merge.stdout));
    assert_eq!(json(&whole), json(&merged));
}

#[test]
fn all_values_play_the_same_openings_with_the_same_seeds() {
    let path = unused("sweep-common");
    assert!(sweep(&path, &["--quiet"]).status.success());
    let games = games(&path);
    let n_values = 5;
    for ((pair, number), game) in &games {
        let first = &games[&(pair - pair % n_values, *number)];
        assert_eq!(game["seeds"], first["seeds"], "{game}");
        let opening = |game: &serde_json::Value| {
            let plies = game["opening_plies"].as_u64().expect("a number") as usize;
            let moves = game["moves"].as_str().expect("text");
            moves.split(' ').take(plies).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(opening(game), opening(first), "{game}");
    }
    assert_eq!(games.len(), 5 * 30 * 2);
}

#[test]
fn a_sweep_is_no_match_and_wrong_use_names_the_fix() {
    let path = unused("sweep-refusals");
    let folder = path.to_str().expect("text");
    for (line, parts) in [
        ("uct --vary c=0.1..2000/4", ["--vary c: 1333.37", "expected 0 .. 1000", "values in this range"]),
        ("uct --vary d=1..2/4", ["--vary d", "expected a setting of uct", "`banyan players`"]),
        ("uct --vary reward=1,2,3", ["--vary reward", "a setting that is a number", "banyan match"]),
        ("uct:c=1 --vary c=1..2/4", ["uct:c=1", "expected c in --vary only", "remove c= from the player"]),
        (
            "uct --vary node-eval=0,0.5,1",
            ["node-eval=0.5", "expand=eval-children or node-init=children", "add expand=eval-children"],
        ),
        ("uct --vary c=1..2/4 --vary c=1..3/4", ["c and c", "two different ones", "remove one --vary"]),
        ("uct --vary expand-at=1,1.2,1.4", ["expand-at", "three whole numbers", "wider range"]),
        ("uct --vary c=1..2/4 --vary fpu=0..1/3 --refine", ["--refine", "expected one setting", "remove"]),
        ("random --vary c=1..2/4", ["--vary c", "expected a setting of random", "banyan players"]),
    ] {
        let line = format!("sweep connect-four:4x4 {line} --budget playouts=9 --out {folder}");
        let error = refusal(&output(&line.split(' ').collect::<Vec<_>>()));
        for part in parts {
            assert!(error.contains(part), "{line}: {part} in {error}");
        }
        assert!(!path.exists(), "{line} has begun a sweep");
    }
    let here = path.parent().expect("a folder");
    let line = "sweep connect-four:4x4 uct --vary c=0.2,0.4,0.8 --pairs 2 --budget playouts=9 --quiet";
    assert!(output_in(here, &format!("{line} --out {folder}")).status.success());
    for (line, parts) in [
        (format!("match --resume {folder}"), ["expected a match, found a sweep", "sweep --resume"]),
        (
            format!("{} --resume {folder}", line.replace("0.8", "0.9")),
            ["sweep c=0.2,0.4,0.9", "expected sweep c=0.2,0.4,0.8 by score; use a new folder"],
        ),
        (format!("{line} --seed 2 --resume {folder}"), ["seed 2", "use a new folder"]),
        (format!("{line} --quantity margin --resume {folder}"), ["by margin", "use a new folder"]),
        (format!("sweep --resume {folder} --pairs 1"), ["1 pairs", "remove --pairs"]),
        (format!("{line} --out {folder}"), ["expected a new or empty folder", "--resume"]),
    ] {
        let error = refusal(&output_in(here, &line));
        for part in parts {
            assert!(error.contains(part), "{line}: {part} in {error}");
        }
    }
    assert!(output_in(here, &format!("sweep --resume {folder} --pairs 3 --quiet")).status.success());
    assert_eq!(games(&path).len(), 3 * 3 * 2);
}
