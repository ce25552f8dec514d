//! The text of Reversi: moves, transcripts and positions, accepted and refused.

use banyan_core::{Game, Notation, Rng, random_move};
use banyan_reversi::{Place, Reversi};

fn reversi(options: &str) -> Reversi<u128> {
    Reversi::from_options(options).expect("the options of a test are right")
}

/// The position after a transcript, or the error, as text.
fn after(options: &str, transcript: &str) -> String {
    let game = reversi(options);
    let mut state = game.start();
    match game.parse_moves(&state, transcript) {
        Ok(moves) => {
            moves.into_iter().for_each(|mv| game.play(&mut state, mv));
            game.print_position(&state)
        }
        Err(err) => err.to_string(),
    }
}

#[test]
fn transcripts_are_read_with_and_without_separators_in_any_case() {
    for transcript in ["f5 d6 c3 d3", "F5D6C3D3", "f5d6c3d3", "f5,d6, c3\td3\n", "  f5d6 C3d3"] {
        assert_eq!(after("", transcript), "8/8/2xo4/3ox3/3oxx2/3o4/8/8 x", "{transcript:?}");
    }
    assert_eq!(after("10x10", "g6f7"), after("10x10", "g6 f7"));
    assert_eq!(after("10x10", ""), "10/10/10/10/4ox4/4xo4/10/10/10/10 x");
}

/// A random game and its moves as text.
fn random_game(game: &Reversi<u128>, seed: u64) -> (Vec<Place>, Vec<String>) {
    let mut rng = Rng::new(seed);
    let (mut state, mut played, mut words) = (game.start(), Vec::new(), Vec::new());
    while game.result(&state).is_none() {
        let mv = random_move(game, &state, &mut rng, &mut Vec::new());
        played.push(mv);
        words.push(game.print_move(&state, mv));
        game.play(&mut state, mv);
    }
    (played, words)
}

#[test]
fn a_pass_may_be_left_out_or_written_and_is_always_in_the_list() {
    let game = reversi("4x4");
    let games = (0..50).map(|seed| random_game(&game, seed));
    let with_pass: Vec<_> = games.filter(|(played, _)| played.contains(&Place::PASS)).collect();
    assert!(with_pass.len() > 10, "{} games had a pass", with_pass.len());
    for (played, words) in with_pass {
        let read = |text: &str| game.parse_moves(&game.start(), text);
        let without: String = words.iter().filter(|&word| word != "pass").cloned().collect();
        assert_eq!(read(&without).as_ref(), Ok(&played), "{without}");
        for pass in ["pass", "PASS", "pa", "PA", "ps", "--"] {
            let written: Vec<String> = words.iter().map(|word| word.replace("pass", pass)).collect();
            assert_eq!(read(&written.concat()).as_ref(), Ok(&played), "{written:?}");
            assert_eq!(read(&written.join(" ")).as_ref(), Ok(&played), "{written:?}");
        }
    }
}

#[test]
fn an_illegal_move_is_refused_with_its_number() {
    let cases = [
        ("f5f5", "move 2: move \"f5\": expected another square, as f5 is occupied; try one of f4 d6 f6"),
        ("a1", "move 1: move \"a1\": expected another square, as a1 turns over no white disc; try one of d3 c4 f5 e6"),
        ("f5a1", "move 2: move \"a1\": expected another square, as a1 turns over no black disc; try one of f4 d6 f6"),
        ("f5 z9", "move 2: move \"z9\": expected a square from a1 to h8; try one of f4 d6 f6"),
        ("f9", "move 1: move \"f9\": expected a square from a1 to h8; try one of d3 c4 f5 e6"),
        ("f05", "move 1: move \"f05\": expected a square from a1 to h8; try one of d3 c4 f5 e6"),
        (
            "pass",
            "move 1: move \"pass\": expected a square, as black has moves and so cannot pass; try one of d3 c4 f5 e6",
        ),
        ("é5", "move 1: move \"é5\": expected a square from a1 to h8; try one of d3 c4 f5 e6"),
    ];
    for (transcript, error) in cases {
        assert_eq!(after("", transcript), error, "{transcript:?}");
    }
    let game = reversi("4x4");
    let blocked = game.parse_position("1x2/1oo1/1oo1/2x1 o").expect("a position");
    for text in ["d4", "a1", "castle"] {
        let refused = game.parse_move(&blocked, text).expect_err("white has to pass");
        let expected = format!("move {text:?}: expected pass, as white can place no disc; try pass");
        assert_eq!(refused.to_string(), expected);
    }
    let over = game.parse_position("4/1xx1/1xx1/4 x").expect("a position");
    let refused = game.parse_move(&over, "a1").expect_err("the game is over");
    assert_eq!(refused.to_string(), "move \"a1\": expected no more moves, the game is over; leave it out");
}

#[test]
fn board_lines_and_rows_give_the_same_position() {
    let game = reversi("");
    let rows = game.parse_position("8/8/8/3ox3/3xo3/8/8/8 x").expect("the start");
    assert_eq!(rows, game.start());
    let line = format!("{}OX......XO{} X", "-".repeat(27), ".".repeat(27));
    for text in [line.clone(), line.replace('X', "*"), format!("{line}; D3:+0; --:-127;"), format!(" {line}\n")] {
        assert_eq!(game.parse_position(&text), Ok(rows), "{text:?}");
    }
    assert_eq!(game.parse_position("8/8/8/3OX3/11111*O3/8/8/8 *").map(|_| ()).map_err(|err| err.found), {
        Err("row 5 \"11111*O3\"".to_owned())
    });
}

#[test]
fn impossible_positions_are_refused_in_one_line() {
    let cases = [
        (
            "",
            "a board of 0 squares \"\": expected 64 squares, or 8 rows separated by /; try \"8/8/8/3ox3/3xo3/8/8/8 x\"",
        ),
        ("8/8/8/3ox3/3xo3/8/8 x", "7 rows: expected 8 rows separated by /; write every row from the top"),
        ("8/8/8/3ox3/3xo4/8/8/8 x", "row 5 \"3xo4\": expected 8 squares; count discs and runs of empty squares again"),
        (
            "8/8/8/3ox3/99999999999999999999999/8/8/8 x",
            "row 5 \"99999999999999999999999\": expected 8 squares; count discs and runs of empty squares again",
        ),
        (
            "8/8/8/3o-x3/3xo3/8/8/8 x",
            "'-' in row \"3o-x3\": expected x, o or a number of empty squares; write black as x and white as o",
        ),
        (
            "8/8/8/3ox3/3xo3/8/8/8",
            "side to move \"\": expected x for black or o for white; write it after the board and a space",
        ),
        (
            "8/8/8/3ox3/3x4/8/8/8 x",
            "an empty square in the centre: expected discs on the four between d4 and e5; fill them",
        ),
        (
            "8/8/8/3ox3/3xo3/8/8/8 x 1 2",
            "\"2\" after the position: expected a board, a side and at most a number of moves; leave it out",
        ),
        (
            "8/8/8/3ox3/3xo3/8/8/8 x -1",
            "\"-1\" after the side: expected the moves played, 0 to 1 with so many discs; leave it out if there was no pass",
        ),
    ];
    let game = reversi("");
    for (text, error) in cases {
        let refused = game.parse_position(text).expect_err(text);
        assert_eq!(refused.to_string(), error, "{text:?}");
    }
}

/// Texts damaged at random neither panic nor give a position or move that does not read back.
#[test]
fn damaged_texts_never_panic() {
    let pieces = ["x", "O", "/", "8", " ", "-", "*", ";", "é", "99999999999999999999", "pa", "d3", "\u{0}", "😀", "1"];
    let texts = [
        "8/8/2xo4/3oo3/3oxx2/3o4/8/8 x",
        "F5D6C3D3C4F4F6F3E6E7",
        "------------------XO------XXXO-----OXX-----O-X------------------ O; E3:+2;",
    ];
    let game = reversi("");
    let mut rng = Rng::new(4);
    for i in 0..6000 {
        let mut chars: Vec<String> = texts[i % texts.len()].chars().map(String::from).collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(chars.len() as u32) as usize;
            match rng.below(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, pieces[rng.below(pieces.len() as u32) as usize].to_owned()),
                _ => chars[at] = pieces[rng.below(pieces.len() as u32) as usize].to_owned(),
            }
        }
        let text = chars.concat();
        match game.parse_position(&text) {
            Ok(state) => assert_eq!(game.parse_position(&game.print_position(&state)), Ok(state), "{text:?}"),
            Err(err) => assert!(!err.to_string().contains('\n'), "{err}"),
        }
        if let Err(err) = game.parse_moves(&game.start(), &text) {
            assert!(!err.to_string().contains('\n'), "{err}");
        }
        assert!(Reversi::<u64>::from_options(&text).is_err());
    }
}
