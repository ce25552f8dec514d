//! `banyan train` with files of the user, and after a killed run.

use std::fs;

use crate::{folder, output_in, refusal, text};

/// Positions of random games with scores by `banyan solve`.
const SCORED: &str = "\
# positions of random games
XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X; B8:+10; E8:+8; H4:+4; C8:+4;

OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X; E1:-30; G3:-40;
";

#[test]
fn every_generation_is_measured_on_positions_that_are_not_learned_from() {
    let folder = folder("train-measured");
    fs::write(folder.join("own.obf"), SCORED).expect("a file");
    let line = "train reversi --out rev --games 4 --generations 2 --player solver:from=4 --budget depth=1 --epochs 2 \
                --measure own.obf";
    let output = output_in(&folder, line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = text(&output.stdout);
    for number in ["0", "1"] {
        let eval = format!("pvs:depth=4,probcut=off,eval=rev/generation-{number}/weights.bin");
        let line = found.lines().find(|line| line.starts_with(&eval)).expect("a line of the measure");
        assert!(line.contains(" on own.obf: mean absolute error ") && line.contains(", best move "), "{line}");
        // `banyan accuracy` has the same result.
        let accuracy = output_in(&folder, &format!("accuracy reversi {eval} --file own.obf --json"));
        let accuracy: serde_json::Value = serde_json::from_slice(&accuracy.stdout).expect("JSON");
        let error = accuracy["error"][1].as_f64().expect("a mean");
        assert!(line.contains(&format!(": mean absolute error {error:.2} (")), "{line} {accuracy}");
        let in_folder = |name: &str| folder.join("rev").join(format!("generation-{number}")).join(name);
        assert_eq!(fs::read_to_string(in_folder("measured.csv")).expect("a file").lines().count(), 2);
        let plan = fs::read_to_string(in_folder("train.toml")).expect("the plan");
        assert!(plan.contains("exclude = [\"own.obf\"]"), "{plan}");
    }
    let (_, table) = found.split_once("\ngeneration  ").expect("the table");
    assert!(table.contains("measured") && table.contains("best"), "{table}");
    // For the second call everything is already done.
    assert_eq!(text(&output_in(&folder, line).stdout), found);
}

#[test]
fn what_cannot_be_measured_is_refused_before_the_first_game() {
    let folder = folder("train-not-measured");
    fs::write(folder.join("own.obf"), SCORED).expect("a file");
    fs::write(folder.join("unscored.obf"), SCORED.replace(" E1:-30; G3:-40;", "")).expect("a file");
    for (line, expected) in [
        (
            "train connect-four --out new --measure own.obf",
            "connect-four:9-12x9-12,holes=1: expected one board with --measure; name one with the game",
        ),
        (
            "train dots-and-boxes --out new --measure own.obf",
            "dots-and-boxes: expected a game with files of scored positions",
        ),
        ("train reversi --out new --measure unscored.obf", "unscored.obf: line 4: a position without scores"),
        ("train reversi --out a,b --measure own.obf", "a,b/weights.bin: expected a path without , : and +"),
        ("train reversi --out c,d --generations 2", "c,d/generation-0/weights.bin: expected a path without , : and +"),
    ] {
        let error = refusal(&output_in(&folder, line));
        assert!(error.contains(expected), "{error}");
        assert!(
            !folder.join("a,b/games.txt").metadata().is_ok_and(|found| found.len() > 0) && !folder.join("new").exists()
        );
    }
}

#[test]
fn an_incomplete_last_line_is_noted() {
    let folder = folder("train-torn");
    let line = "train dots-and-boxes:2x2 --out boxes --games 20";
    let whole = output_in(&folder, line);
    assert!(whole.status.success() && whole.stderr.is_empty(), "{}", text(&whole.stderr));
    let games = folder.join("boxes/games.txt");
    let before = fs::read_to_string(&games).expect("games");
    fs::write(&games, &before[..before.len() - 6]).expect("a torn file");
    let torn = before.lines().next_back().expect("a game").len() - 5;
    let output = output_in(&folder, line);
    let note = format!("note: boxes/games.txt ends with an incomplete line ({torn} bytes); that game is replayed\n");
    assert_eq!((text(&output.stderr), text(&output.stdout)), (note, text(&whole.stdout)));
    assert_eq!(fs::read_to_string(&games).expect("games"), before);
}
