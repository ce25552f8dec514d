//! The rules against those of OpenSpiel: random games, move by move.
//!
//! `scripts/open_spiel_rules.py` installs the Python package under the target folder and replays there what is written
//! here. Where the package cannot be had, one line on stderr says so and the tests pass.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use banyan_core::{Notation, Rng};
use banyan_games::{connect_four::ConnectFour, dots_and_boxes::DotsAndBoxes, reversi::Reversi};

const GAMES_PER_BOARD: u32 = 10_000;
const BOARDS: u32 = 5;

#[test]
fn random_games_agree_with_open_spiel() {
    let mut games = String::new();
    record::<ConnectFour<u64>>("6x7", GAMES_PER_BOARD, column, &mut games);
    record::<Reversi<u64>>("8x8", GAMES_PER_BOARD, square, &mut games);
    record::<DotsAndBoxes<u64>>("2x2", GAMES_PER_BOARD, |text| edge(text, 2, 2), &mut games);
    record::<DotsAndBoxes<u64>>("3x3", GAMES_PER_BOARD, |text| edge(text, 3, 3), &mut games);
    record::<DotsAndBoxes<u64>>("5x5", GAMES_PER_BOARD, |text| edge(text, 5, 5), &mut games);
    let Some(answer) = compare(&games) else { return };
    assert!(answer.status.success(), "{}", said(&answer));
    let agreed = said(&answer).matches(&format!(": {GAMES_PER_BOARD} games agree with OpenSpiel")).count();
    assert_eq!(agreed as u32, BOARDS, "{}", said(&answer));
    note(&said(&answer));
}

#[test]
fn a_game_with_one_thing_wrong_is_reported() {
    // 4 5 4 5 4 5 4: the first player's column stands with the seventh stone, and 35 cells are free.
    let right = "board connect-four:6x7\n0:7f:3 1:7f:4 0:7f:3 1:7f:4 0:7f:3 1:7f:4 0:7f:3 = 18\n";
    let Some(answer) = compare(right) else { return };
    assert!(answer.status.success(), "{}", said(&answer));
    for (from, to, reported) in [
        ("0:7f:3 1:7f:4 0", "0:7f:3 0:7f:4 0", "side to move: Banyan says 0, OpenSpiel 1, after 3"),
        ("0:7f:3 =", "0:7b:3 =", "legal actions: Banyan says [0, 1, 3, 4, 5, 6], OpenSpiel [0, 1, 2, 3, 4, 5, 6]"),
        ("0:7f:3 =", "0:7f:9 =", "action played: Banyan says 9"),
        ("0:7f:3 =", "0:7f:2 =", "end of the game: Banyan says it is over"),
        ("0:7f:3 =", "0:7f:3 1:7f:4 =", "end of the game: Banyan says it goes on"),
        ("= 18", "= -18", "final margin: Banyan says -18, OpenSpiel 18"),
        ("= 18", "= 17", "final margin: Banyan says 17, OpenSpiel 18"),
    ] {
        let wrong = format!("{right}{}", right.replacen(from, to, 1).lines().nth(1).expect("a line with the game"));
        let answer = compare(&wrong).expect("OpenSpiel was there a moment ago");
        assert_eq!(answer.status.code(), Some(1), "{wrong}{}", said(&answer));
        let expected = format!("connect-four:6x7, game 2: {reported}");
        assert!(said(&answer).starts_with(&expected), "{wrong}expected {expected}, found {}", said(&answer));
    }
}

/// Plays random games and appends them to `out` in the form that the script reads.
fn record<G: Notation>(options: &str, n_games: u32, action_of: impl Fn(&str) -> u32, out: &mut String) {
    let game = G::from_options(options).expect("the board is one of the usual ones");
    let mut rng = Rng::new(2);
    let mut known: Vec<(G::Move, u32)> = Vec::new();
    let mut moves = Vec::new();
    writeln!(out, "board {}:{options}", G::NAME).expect("a String takes all");
    for _ in 0..n_games {
        let mut state = game.start();
        let margin = loop {
            if let Some(margin) = game.result(&state) {
                break margin;
            }
            moves.clear();
            game.moves(&state, &mut moves);
            let mut action = |mv: G::Move| {
                let found = known.iter().find(|(known, _)| *known == mv).map(|&(_, action)| action);
                found.unwrap_or_else(|| {
                    let action = action_of(&game.print_move(&state, mv));
                    known.push((mv, action));
                    action
                })
            };
            let legal = moves.iter().fold(0u128, |mask, &mv| mask | 1 << action(mv));
            let mv = moves[rng.below(moves.len() as u32) as usize];
            write!(out, "{}:{legal:x}:{} ", game.to_move(&state).index(), action(mv)).expect("a String takes all");
            game.play(&mut state, mv);
        };
        writeln!(out, "= {}", margin.0).expect("a String takes all");
    }
}

/// Connect Four: the column, counted from 0.
fn column(text: &str) -> u32 {
    text.parse::<u32>().expect("a move prints as its column") - 1
}

/// Reversi: the square row by row from a1, 64 for a pass.
fn square(text: &str) -> u32 {
    match text.as_bytes() {
        b"pass" => 64,
        [column, row] => u32::from(row - b'1') * 8 + u32::from(column - b'a'),
        _ => panic!("{text} is no square"),
    }
}

/// Dots and Boxes: horizontal edges row by row, then vertical ones.
fn edge(text: &str, rows: u32, columns: u32) -> u32 {
    let (row, column) = text[1..].split_once(',').expect("an edge prints its row and column");
    let number = |text: &str| text.parse::<u32>().expect("rows and columns are numbers");
    let (row, column) = (number(row), number(column));
    if text.starts_with('h') { row * columns + column } else { (rows + 1) * columns + row * (columns + 1) + column }
}

/// Hands games to the script; `None`, after a line on stderr, where OpenSpiel cannot be had.
fn compare(games: &str) -> Option<Output> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts/open_spiel_rules.py");
    let venv = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("open-spiel-venv");
    let child = Command::new("python3")
        .args([script, venv])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(err) => return skipped(&format!("python3 does not start: {err}")),
    };
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A script that has found a difference, or no OpenSpiel, stops reading; its exit status says which.
    let written = stdin.write_all(games.as_bytes());
    drop(stdin);
    let answer = child.wait_with_output().expect("the script ends");
    if answer.status.code() == Some(3) {
        return skipped(&said(&answer));
    }
    assert!(written.is_ok() || !answer.status.success(), "the script did not read all games");
    Some(answer)
}

fn said(answer: &Output) -> String {
    let text = [answer.stdout.as_slice(), answer.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn skipped(why: &str) -> Option<Output> {
    note(&format!("SKIPPED, rules not compared: {why}"));
    None
}

/// Past the capture of the test harness, so that a skipped comparison is seen in every run.
fn note(text: &str) {
    writeln!(io::stderr(), "{text}").expect("stderr takes a line");
}
