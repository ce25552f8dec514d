//! Openings that are generated, checked, and read from files.

use std::fs;

use crate::{output, text, unused};

/// Both commands judge each opening by the same search.
#[test]
fn openings_that_were_made_pass_the_check_with_the_same_threshold() {
    for (game, judge) in [("connect-four", "uct"), ("dots-and-boxes:7x7", "playouts")] {
        let path = unused(&format!("openings-{judge}"));
        let path = path.to_str().expect("text");
        let budget = ["--judge", judge, "--judge-budget", "playouts=60", "--threshold", "0.1"];
        let made =
            output(&[&["openings", "make", game, "--count", "60", "--seed", "9", "--out", path], &budget[..]].concat());
        assert!(made.status.success(), "{}", text(&made.stderr));
        let checked = output(&["openings", "check", path, game, "--threshold", "0.1"]);
        assert_eq!((text(&checked.stdout).as_str(), checked.status.code()), ("60 openings, all valid\n", Some(0)));
        // A given judge is another judge.
        let other = ["--judge", "uct", "--judge-budget", "playouts=50", "--threshold", "0.05"];
        let checked = output(&[&["openings", "check", path, game], &other[..]].concat());
        assert_eq!(checked.status.code(), Some(1), "{}", text(&checked.stdout));
    }
}

#[test]
fn a_recorded_command_that_cannot_be_read_is_named() {
    let path = unused("openings-strange");
    fs::write(&path, "# mine\n# banyan openings make connect-four --cuont 3\n4 4\n").expect("a file");
    let checked = output(&["openings", "check", path.to_str().expect("text"), "connect-four"]);
    let error = text(&checked.stderr);
    assert_eq!(checked.status.code(), Some(2), "{error}");
    assert!(error.contains("line 2: ") && error.contains("remove the line") && error.lines().count() == 1, "{error}");
}

/// There a search has too few playouts for each move to find an opening balanced: it took minutes for one.
#[test]
fn playouts_judge_the_openings_of_boards_with_many_moves() {
    let made = output(&["openings", "make", "dots-and-boxes:9x9", "--count", "5"]);
    let text = text(&made.stdout);
    assert!(text.contains("--judge playouts --judge-budget playouts=400"), "{text}");
    let plies: Vec<usize> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').count()).collect();
    assert_eq!(plies, [6; 5], "{text}");
}
