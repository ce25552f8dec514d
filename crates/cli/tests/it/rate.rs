//! `banyan rate`: interruptions and threads change nothing, the page is self-contained, and wrong use is refused.

use std::fs;
use std::path::Path;

use crate::kill::killed_twenty_times;
use crate::{output, refusal, text, unused};

const POOL: &[&str] = &[
    "rate",
    "connect-four:6x7",
    "random",
    "greedy",
    "uct@playouts=500",
    "uct@playouts=1000",
    "uct@playouts=1100",
    "--budget",
    "playouts=50",
    "--pairs",
    "240",
    "--los",
    "99.999",
];

fn file(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("a file of the rating")
}

#[test]
fn a_rating_killed_twenty_times_ends_with_the_same_result() {
    killed_twenty_times("rate", POOL, "rating.json");
}

#[test]
fn the_page_of_a_thousand_games_is_one_small_file_without_network() {
    let (folder, page) = (unused("rate-page"), unused("rate-page.html"));
    let players = ["random", "greedy", "uct@playouts=5", "uct@playouts=10", "pvs@depth=1", "vote:random+greedy"];
    let options = ["--budget", "playouts=5", "--pairs", "500", "--los", "99.9999", "--openings", "random:plies=4"];
    let paths = ["--out", folder.to_str().expect("text"), "--html", page.to_str().expect("text"), "--quiet"];
    let args = [&["rate", "connect-four:4x5"], &players[..], &options, &paths].concat();
    let out = output(&args);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let html = fs::read_to_string(&page).expect("a page");
    assert_eq!(html, file(&folder, "report.html"));
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    for part in ["http:", "https:", "<script", "<img", "<link", "@import", "url("] {
        assert!(!html.contains(part), "{part}");
    }
    for part in
        ["<h2>Chart</h2>", "<h2>Cross table</h2>", "<h2>Residuals</h2>", "width=device-width", "Moving first is"]
    {
        assert!(html.contains(part), "{part}");
    }
    assert!(html.contains("prefers-color-scheme: dark"));
    assert_eq!(html.matches("<circle class=\"point\"").count(), 6);
}

#[test]
fn wrong_use_is_refused_with_the_fix() {
    let out = unused("rate-wrong");
    let path = out.to_str().expect("text");
    for (args, parts) in [
        (&["uct"][..], ["a pool of 1 player: expected at least two", "name another player"]),
        (&[], ["a pool of 0 players: expected at least two", "name another player"]),
        (&["uct", "random", "greedy", "--pairs", "1"], ["1 pair: expected at least 2", "try --pairs 300"]),
        (&["uct", "random", "--los", "50"], ["50 %: expected more than 50 %", "try --los 97.5"]),
        (&["uct", "random", "--los", "NaN"], ["NaN %: expected more than 50 %", "try --los 97.5"]),
        (&["uct", "random", "--anchor", "utc"], ["expected one of uct, random (did you mean uct?)", "name a player"]),
        (&["uct", "random", "--export", "a.doc"], ["export file \"a.doc\": expected one of", "try result.html"]),
        (&["uct", "random", "--clock", "cpu", "--budget", "depth=3"], ["uct does not support a depth limit", "add a"]),
    ] {
        let error = refusal(&output(&[&["rate", "connect-four:4x4"], args, &["--out", path]].concat()));
        assert!(parts.iter().all(|part| error.contains(part)), "{args:?}: {error}");
        assert!(!out.exists(), "{args:?}");
    }
    // A folder with other settings, or of another command.
    let game = ["connect-four:4x4", "greedy", "random", "--budget", "playouts=5"];
    let begun = output(&[&["rate"], &game[..], &["--pairs", "3", "--out", path, "--quiet"]].concat());
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    for (args, parts) in [
        (
            &["--pairs", "4"][..],
            ["--pairs: expected the game and the players with it", "remove it: --resume reads match.toml"],
        ),
        (&[&game[..], &["--pairs", "4"]].concat(), ["of 4 pairs", "expected rating of 3 pairs"]),
        (&[&game[..], &["--pairs", "3", "--seed", "2"]].concat(), ["a different match: seed 2", "use a new folder"]),
        (&[&game[..], &["--pairs", "3", "--anchor", "random"]].concat(), ["anchor random", "anchor the mean"]),
    ] {
        let error = refusal(&output(&[&["rate", "--resume", path], args].concat()));
        assert!(parts.iter().all(|part| error.contains(part)), "{args:?}: {error}");
    }
    let error = refusal(&output(&["match", "--resume", path]));
    assert!(error.contains("expected a match, found a rating; use `banyan rate --resume`"), "{error}");
    let other = unused("rate-match");
    let other = other.to_str().expect("text");
    assert!(output(&[&["match"], &game[..], &["--pairs", "1", "--out", other]].concat()).status.success());
    let error = refusal(&output(&["rate", "--resume", other]));
    assert!(error.contains("expected a rating, found a match; use `banyan match --resume`"), "{error}");
}
