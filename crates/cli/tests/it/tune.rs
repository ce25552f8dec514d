//! `banyan tune` and `banyan ladder`: interruptions and threads change nothing, pages are self-contained, wrong use is
//! refused.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::kill::killed_twenty_times;
use crate::{output, refusal, text, unused};

const TUNING: &[&str] = &[
    "tune",
    "connect-four:5x5",
    "uct",
    "--vary",
    "c=0.1..2:log",
    "--vary",
    "expand-at=1..8",
    "--budget",
    "playouts=60",
    "--pairs",
    "120",
    "--confirm",
    "20",
];

fn run(args: &[&str]) -> Output {
    output(args)
}

fn file(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

#[test]
fn a_tuning_killed_twenty_times_ends_with_the_same_result() {
    killed_twenty_times("tune", TUNING, "tune.json");
}

#[test]
fn so_does_one_by_spsa() {
    killed_twenty_times("spsa", &[TUNING, &["--method", "spsa"]].concat(), "tune.json");
}

#[test]
fn so_does_a_ladder() {
    let ladder = ["ladder", "greedy", "--game", "connect-four:6x7", "--pairs", "8", "--openings", "random:plies=4"];
    killed_twenty_times("ladder", &ladder, "ladder.json");
}

#[test]
fn the_page_is_one_small_file_without_network() {
    let folder = unused("tune-page");
    let path = folder.to_str().expect("text");
    let line =
        ["connect-four:4x4", "uct", "--vary", "c=0.1..2:log", "--vary", "expand-at=1..8", "--budget", "playouts=10"];
    let out = run(&[&["tune"], &line[..], &["--pairs", "500", "--confirm", "6", "--out", path]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let html = file(&folder, "report.html");
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    for part in ["http:", "https:", "<script", "<img", "<link", "@import", "url("] {
        assert!(!html.contains(part), "{part}");
    }
    for part in
        ["<h2>Landscape</h2>", "<h2>Trajectory and convergence</h2>", "width=device-width", "Elo over the default"]
    {
        assert!(html.contains(part), "{part}");
    }
    assert!(folder.join("confirm/games.jsonl").exists());
    let printed = text(&out.stdout);
    assert!(printed.contains("setting") && printed.contains("expand-at") && printed.contains("pairs"), "{printed}");
}

#[test]
fn without_a_confirming_match_none_is_announced() {
    let folder = unused("tune-unconfirmed");
    let line = ["connect-four:4x4", "uct", "--vary", "c=0.1..1", "--budget", "playouts=5", "--method", "spsa"];
    let path = folder.to_str().expect("text");
    let out = run(&[&["tune"], &line[..], &["--pairs", "24", "--confirm", "0", "--out", path]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let result = file(&folder, "tune.json");
    assert!(result.contains(": not tested against the default, as no confirming match was wanted"), "{result}");
}

/// The settings of both sides in every pair, as recorded in games.jsonl.
fn settings_of_pairs(folder: &Path) -> Vec<[String; 2]> {
    let lines = file(folder, "games.jsonl");
    let pair = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        [0, 1].map(|side| line["tuned"][side].as_str().expect("settings").to_owned())
    };
    lines.lines().map(pair).collect()
}

fn tuned(name: &str, args: &[&str]) -> (Vec<[String; 2]>, serde_json::Value) {
    let folder = unused(name);
    let line =
        ["tune", "connect-four:4x4", "uct", "--budget", "playouts=5", "--confirm", "0", "--quiet", "--pairs", "60"];
    let out = run(&[&line[..], args, &["--out", folder.to_str().expect("text")]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    (settings_of_pairs(&folder), serde_json::from_str(&file(&folder, "tune.json")).expect("JSON"))
}

#[test]
fn no_pair_of_a_narrow_range_is_played_between_equal_settings() {
    for vary in ["expand-at=1..2", "expand-at=1..3", "c=0.5..0.5001"] {
        let (pairs, _) = tuned("tune-narrow-spsa", &["--method", "spsa", "--vary", vary]);
        assert_eq!(pairs.len(), 120, "{vary}");
        assert!(pairs.iter().all(|[one, other]| one != other), "{vary}: {pairs:?}");
    }
    // Trials of the opponent's own values count as draws, and are not played.
    let (pairs, result) = tuned("tune-narrow-clop", &["--vary", "expand-at=1..2"]);
    assert!(pairs.iter().flatten().all(|settings| settings != "expand-at=2"), "{pairs:?}");
    let skipped = result["skipped"].as_u64().expect("a number");
    assert!(skipped > 10 && result["pairs"].as_u64() == Some(60 - skipped), "{result}");
    assert_eq!(pairs.len() as u64, 2 * (60 - skipped));
}

#[test]
fn wrong_use_is_refused_with_the_fix() {
    let out = unused("tune-wrong");
    let path = out.to_str().expect("text");
    for (args, parts) in [
        (&["uct", "--vary", "c=5000..6000"][..], ["--vary c: 5000: expected 0 .. 1000", "choose a range within"]),
        (&["uct", "--vary", "expand-at=1.5..3"], ["expand-at=1.5..3: expected whole numbers", "name it as"]),
        (&["uct", "--vary", "c=1..1.0000000001"], ["expected a wider range, in which values differ", "name it as"]),
        (&["uct", "--vary", "c=1"], ["expected name=low..high", "try c=0.1..2"]),
        (&["uct", "--vary", "d=1..2"], ["--vary d: expected a setting of uct", "see `banyan players`"]),
        (&["uct", "--vary", "select=0..1"], ["expected a setting that is a number", "compare words by `banyan match`"]),
        (&["uct:c=1", "--vary", "c=0..1"], ["expected c in --vary only", "remove c= from the player"]),
        (&["uct", "--vary", "c=0..1", "--vary", "c=1..2"], ["expected different settings", "remove one of them"]),
        (&["uct", "--vary", "node-eval=0..1"], ["expand=eval-children or node-init=children", "add expand="]),
        // The settings of mcgs depend on the evaluators of the game.
        (
            &["mcgs:expand=one", "--vary", "node-eval=0..1"],
            ["expand=eval-children or node-init=children", "add expand="],
        ),
        (&["uct", "--vary", "c=0..1", "--pairs", "9"], ["9 pairs: expected at least 24", "try --pairs 480"]),
        (
            &["uct", "--vary", "c=0..1", "--method", "spsa", "--against", "greedy"],
            ["--against with spsa", "remove --against"],
        ),
        (&["greedy", "--vary", "c=0..1"], ["expected a setting of greedy", "see `banyan players`"]),
    ] {
        let error = refusal(&run(&[&["tune", "connect-four:4x4"], args, &["--out", path]].concat()));
        assert!(parts.iter().all(|part| error.contains(part)), "{args:?}: {error}");
        assert!(!out.exists(), "{args:?}");
    }
    let line = ["connect-four:4x4", "uct", "--vary", "c=0.1..1", "--budget", "playouts=5", "--confirm", "0"];
    let begun = run(&[&["tune"], &line[..], &["--pairs", "24", "--out", path, "--quiet"]].concat());
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    for (args, part) in [
        (&["--pairs", "30"][..], "a different match: pairs 30: expected pairs 24"),
        (&["--pairs", "24", "--seed", "3"], "a different match: seed 3"),
        (&["--pairs", "24", "--method", "spsa"], "by spsa"),
    ] {
        let error = refusal(&run(&[&["tune", "--resume", path], &line[..], args].concat()));
        assert!(error.contains(part), "{args:?}: {error}");
    }
    let error = refusal(&run(&["match", "--resume", path]));
    assert!(error.contains("found a tuning; use `banyan tune --resume`"), "{error}");
    let error = refusal(&run(&["merge", path, path]));
    assert!(error.contains("expected a match, sweep or rating; play it in one folder"), "{error}");
    let error = refusal(&run(&["ladder", "--resume", path]));
    assert!(error.contains("expected a ladder, found a tuning; use `banyan tune --resume`"), "{error}");
}

#[test]
fn a_ladder_tells_where_the_player_stands_in_two_languages() {
    let folder = unused("ladder");
    let path = folder.to_str().expect("text");
    let args = ["ladder", "level-4", "--pairs", "3", "--budget", "1s", "--out", path, "--openings", "random:plies=4"];
    let out = run(&args);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let printed = text(&out.stdout);
    assert!(printed.contains("on the ladder of connect-four") && printed.contains("You stand "), "{printed}");
    assert!(printed.contains("(95 %: "), "{printed}");
    // The budget of the player does not apply to the levels.
    let config = file(&folder, "match.toml");
    let budgets: Vec<&str> = config.lines().filter(|line| line.starts_with("budget = ")).collect();
    assert_eq!(budgets.len(), 12, "{config}");
    assert!(budgets.iter().all(|budget| !budget.contains("1s")), "{budgets:?}");
    // The title, and a row of each level in every part of the table.
    assert!((1..=10).all(|level| printed.contains(&format!("level-{level} "))), "{printed}");
    let error = refusal(&run(&["ladder", "--resume", path, "--pairs", "5"]));
    assert!(error.contains("--pairs: expected the game and the players with it"), "{error}");
    let zh = run(&["ladder", "--resume", path, "--lang", "zh"]);
    let printed = text(&zh.stdout);
    assert!(printed.contains("胜-平-负") && printed.contains("积分"), "{printed}");
    let html = file(&folder, "report.html");
    assert!(html.contains("<html lang=\"zh\">") && html.contains("积分"), "{html}");
    assert!(!html.contains("http"), "{html}");
    let error = refusal(&run(&["ladder", "uct", "--game", "chess"]));
    assert!(error.contains("chess"), "{error}");
    let error = refusal(&run(&["ladder", "utc"]));
    assert!(error.contains("did you mean uct?"), "{error}");
}
