//! Texts that the commands write are read again everywhere: a file of --record, the text itself, --moves and --position, and `load`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::{banyan, folder, output, refusal, text};

/// The output of a successful command in a folder.
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = banyan(args).current_dir(folder).output().expect("the command runs");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The game, the position and the moves that `show --json` prints.
fn shown(folder: &Path, args: &[&str]) -> (String, String, usize) {
    let line = printed(folder, &[&["show", "--json"], args].concat());
    let json: Value = serde_json::from_str(&line).unwrap_or_else(|err| panic!("{args:?}: {line}: {err}"));
    let field = |name: &str| json[name].as_str().expect("text").to_owned();
    (field("game"), field("position"), json["history"].as_array().map_or(0, Vec::len))
}

/// The games whose outputs are read again: the board, the moves, and the size of the board to give where the text has none.
const GAMES: [(&str, &str); 4] = [
    ("reversi", "f5 d6 c3 d3 c4 f4"),
    ("connect-four:4x5,hole=c2", "3 3 2 3 4 1"),
    ("dots-and-boxes:2x2", "h0,0 v0,0 h1,0 v0,1 h2,0"),
    ("reversi:6x6", "e4 e3 e2"),
];

/// Everything that the commands write about a game after some moves, by name.
fn outputs(folder: &Path, spec: &str, moves: &str) -> Vec<(String, String)> {
    let mut outputs = Vec::new();
    let at = [spec, "--moves", moves];
    for form in ["saved", "ccgc", "svg", "link", "ggf", "position", "moves", "transcript", "pgn"] {
        let output = output(&[&["show"], &at[..], &["--as", form]].concat());
        // A form that cannot express the game says so in one line.
        if output.status.success() {
            outputs.push((format!("--as {form}"), text(&output.stdout)));
        } else {
            let error = refusal(&output);
            assert!(error.contains("expected") && ["ggf", "ccgc"].contains(&form), "{form}: {error}");
        }
    }
    let mut add = |name: &str, args: &[&str]| outputs.push((name.to_owned(), printed(folder, args)));
    add("show", &[&["show", "--ascii"], &at[..]].concat());
    add("show --json", &[&["show", "--json"], &at[..]].concat());
    add("show --svg", &[&["show", "--svg", "-"], &at[..]].concat());
    let search = ["--player", "uct", "--budget", "playouts=20", "--json"];
    add("analyse", &[&["analyse"], &at[..], &search].concat());
    fs::write(folder.join("game.json"), printed(folder, &[&["show"], &at[..], &["--as", "saved"]].concat()))
        .expect("a file");
    add("review", &[&["review", "game.json"], &search[..]].concat());
    // The command that resumes an interrupted game, and the file that `save` writes.
    add("play", &[&["play"], &at[..], &["--first", "human", "--second", "human"]].concat());
    outputs.push(("save".to_owned(), saved(folder, &at)));
    outputs
}

/// The file that `save` writes in a game.
fn saved(folder: &Path, at: &[&str]) -> String {
    played(folder, &[at, &["--first", "human", "--second", "human"]].concat(), "save saved.json!\nquit\n");
    fs::read_to_string(folder.join("saved.json")).expect("it is saved")
}

/// The output of `play` with this input.
fn played(folder: &Path, args: &[&str], typed: &str) -> String {
    let mut play = banyan(&[&["play"], args].concat());
    let mut child = play.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("the command reads");
    text(&child.wait_with_output().expect("it ends").stdout)
}

#[test]
fn what_a_command_writes_every_door_reads() {
    let folder = folder("forms");
    for (spec, moves) in GAMES {
        let expected = shown(&folder, &[spec, "--moves", moves]);
        let n_moves = expected.2;
        for (name, written) in outputs(&folder, spec, moves) {
            fs::write(folder.join("record.txt"), &written).expect("a file");
            // Moves alone do not name their board.
            let board: &[&str] = if ["--as moves", "--as transcript"].contains(&name.as_str()) { &[spec] } else { &[] };
            let option = if name == "--as position" { "--position" } else { "--moves" };
            for args in [["--record", "record.txt"], ["--record", written.trim()], [option, written.trim()]] {
                let again = shown(&folder, &[board, &args].concat());
                assert_eq!((&again.0, &again.1), (&expected.0, &expected.1), "{name} by {args:?}");
                assert!(again.2 == n_moves || again.2 == 0, "{name} by {args:?}: {again:?}");
            }
        }
        // A pasted line, and a file.
        let link = printed(&folder, &["show", spec, "--moves", moves, "--as", "link"]);
        let typed = format!("load {}\nload game.json\nquit\n", link.trim());
        let answers = played(&folder, &["--first", "human", "--second", "human"], &typed);
        for from in [link.trim(), "game.json"] {
            let part = format!("loaded {n_moves} moves of {} from {from}", expected.0);
            assert!(answers.contains(&part), "{part} in {answers}");
        }
    }
}

#[test]
fn the_game_is_found_by_its_moves_or_its_position() {
    let folder = folder("found");
    for (args, spec) in [
        (["--moves", "f5d6c3"], "reversi"),
        (["--moves", "1. f5 d6 2. c3"], "reversi"),
        (["--moves", "４　４　３"], "connect-four"),
        (["--moves", "h0,0 v1,2"], "dots-and-boxes"),
        (["--position", "6/6/2ox2/2xo2/6/6 B"], "reversi:6x6"),
        (["--position", "7/7/7/7/7/3x3 o"], "connect-four"),
        (["--record", "1. f5 d6 2. c3 d3"], "reversi"),
    ] {
        assert_eq!(shown(&folder, &args).0, spec, "{args:?}");
    }
    let solved = printed(&folder, &["solve", "--moves", "#g=connect-four:4x4&m=1.2.3.4.1.2.3.4.1.2", "--json"]);
    assert!(solved.contains(r#""game":"connect-four:4x4""#), "{solved}");
    let answers = played(&folder, &["--moves", "f5 d6", "--first", "human", "--second", "human"], "quit\n");
    assert!(answers.contains("reversi") && answers.contains("black (●)> "), "{answers}");
}

#[test]
fn mistakes_are_named_and_nothing_is_lost() {
    let folder = folder("mistaken");
    fs::write(folder.join("book.txt"), "1. f5 d6\n2. c3 d3\n4. c4 f4\n").expect("a file");
    fs::write(folder.join("mixed.txt"), "f5 d6 c3 h0,0\n").expect("a file");
    for (args, part) in [
        (
            &["--record", "book.txt"][..],
            "error: book.txt: line 3, column 1: 4.: expected the number 3; add the missing moves",
        ),
        (
            &["--record", "mixed.txt"],
            "error: mixed.txt: line 1, column 10: move 4 of reversi: move \"h0\": expected a square",
        ),
        (
            &["reversi:6x6", "--record", "mixed.txt"],
            "error: mixed.txt: line 1, column 1: move 1: move \"f5\": expected another square, as f5 turns over no white disc",
        ),
        (&["--moves", "f5 d6 c"], "error: column 7: move 3 of reversi: move \"c\": expected a square"),
        (&["reversi", "--moves", "1. f5 d6 2. zz"], "error: column 13: move 3: move \"zz\": expected a square"),
        (&["reversi", "--moves", "f5 d6 zz"], "error: move 3: move \"zz\": expected a square"),
        (
            &["--moves", "23 43"],
            "error: column 1: record: expected moves or a position of one game, and they fit connect-four and dots-and-boxes; name the game",
        ),
        (&["--record", "f5 d6 zz 7"], "error: line 1, column 7: move 3 of reversi: move \"zz\": "),
        (&["--record", "1. f5 d6 2. zz"], "error: line 1, column 13: move 3 of reversi: "),
        (&["reversi", "--moves", "f5 d6", "--as", "pdf"], "error: --as pdf: expected one of saved, ccgc, "),
    ] {
        let output = banyan(&[&["show"], args].concat()).current_dir(&folder).output().expect("the command runs");
        let error = text(&output.stderr);
        assert!(error.starts_with(part), "{args:?}: {error}");
    }
    // The moves before a mistake can be shown.
    let before = shown(&folder, &["--record", "book.txt", "--ply", "4"]);
    assert_eq!((before.0.as_str(), before.2), ("reversi", 4));
    // A wrong text leaves the game as it is.
    let answers = played(
        &folder,
        &["reversi", "--moves", "f5", "--first", "human", "--second", "human"],
        "load 1. f5 d6 3. c3\nd6\nquit\n",
    );
    assert!(answers.contains("3.: expected the number 2") && answers.contains("--moves \"f5 d6\""), "{answers}");
}

#[test]
fn the_picture_of_why_marks_the_threats() {
    let folder = folder("why");
    let position = ["solve", "connect-four", "--position", "7/7/7/1xxx3/1xox1o1/1oxo1o1 o", "--budget", "nodes=1e6"];
    let printed_in = |args: &[&str]| printed(&folder, args);
    let printed = printed_in(&[&position[..], &["--explain", "--svg", "why.svg"]].concat());
    assert!(printed.contains("a3 (odd row)"), "{printed}");
    let picture = fs::read_to_string(folder.join("why.svg")).expect("a picture");
    // The line is broken, and e2, below the threat on e3, has a frame around its own mark.
    let frame = "<rect class=\"framed\" x=\"231\" y=\"231\" width=\"42\" height=\"42\"/>";
    let line = [">line: 5 7 6 6 4 3 4 3 3 1 4 6 6 7 7 7 7 7 2 2</text>", ">1 1</text>"];
    let facts = [
        ">why: after 8 moves of the line, a strategy</text>",
        ">decides</text>",
        ">threats of first: X: a3 (odd row), c6 (even</text>",
        ">one on top of it, until O must play e2 under</text>",
    ];
    for part in ["<svg", "class=\"hatched\"", "class=\"striped\"", frame].iter().chain(&line).chain(&facts) {
        assert!(picture.contains(part), "{part} in {picture}");
    }
    // Both sides complete four on e3 and e4.
    let late = "2ox1ox/1xoo1xo/1oxo1xx/1xxx1oo/1xox1ox/xoxooox o";
    printed_in(&["solve", "connect-four", "--position", late, "--explain", "--svg", "late.svg"]);
    let picture = fs::read_to_string(folder.join("late.svg")).expect("a picture");
    let crossed = "class=\"crossed\" x=\"228\"";
    assert_eq!(picture.matches(crossed).count(), 2, "{picture}");
}

#[test]
fn the_sum_of_a_file_counts_the_positions_that_the_book_has() {
    let folder = folder("sum");
    fs::write(folder.join("lines.txt"), "44444 0\n4444443322 0\n").expect("a file");
    let line = ["solve", "connect-four", "--file", "lines.txt", "--budget", "nodes=1"];
    let sum = |more: &[&str]| {
        let output = banyan(&[&line[..], more].concat()).current_dir(&folder).output().expect("the command runs");
        text(&output.stdout).lines().last().expect("a sum").to_owned()
    };
    assert!(sum(&[]).contains(", 1 with a book; "), "{}", sum(&[]));
    assert!(sum(&["--json"]).contains("\"from_book\":1"), "{}", sum(&["--json"]));
    assert!(!sum(&["--book", "off"]).contains("book"), "{}", sum(&["--book", "off"]));
}
