//! `contrib/banyan_player.py`, which offers Banyan under the interface of a course platform, on a substitute for its
//! board.

use std::path::Path;
use std::process::{Command, Output};

use crate::text;

/// Seconds within which `solver` proves the move of an endgame even on a busy machine; it answers as soon as it has.
const TO_THE_PROOF: &str = "60";

/// Runs the substitute with these arguments, and with this command, player and seconds for each move in the
/// environment.
fn stand_in(args: &[&str], banyan: &str, player: &str, seconds: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut python = Command::new("python3");
    // Writes no compiled files beside the sources.
    python.arg("-B").arg(root.join("tests/course_platform/stand_in.py")).arg(root.join("../../contrib")).args(args);
    python.env("BANYAN", banyan).env("BANYAN_PLAYER", player).env("BANYAN_SECONDS", seconds);
    python.output().expect("python3, the interpreter of the system")
}

/// The output of a successful run.
fn printed(args: &[&str], player: &str, seconds: &str) -> String {
    let output = stand_in(args, env!("CARGO_BIN_EXE_banyan"), player, seconds);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn banyan_plays_both_colours_and_wins_against_the_first_legal_move() {
    assert_eq!(printed(&["games"], "pvs", "0.02"), "won as X\nwon as O\n");
}

#[test]
fn a_process_that_is_killed_between_moves_is_started_again() {
    assert_eq!(printed(&["killed"], "greedy", "0.02"), "played to the end\n");
}

/// Boards of random games, solved by `banyan solve`: each has one best move, which no symmetry maps onto a legal one.
#[test]
fn the_best_move_is_the_one_on_the_board_of_the_platform() {
    let check = |board: &str, color, expected| {
        assert_eq!(printed(&["answer", board, color], "solver", TO_THE_PROOF), format!("{expected}\n"), "{board}");
    };
    let board = "XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO";
    check(board, "X", "F1");
    check(&board.replace('X', "*").replace('O', "X").replace('*', "O"), "O", "F1");
    check("XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX", "X", "B8");
    check("OOO-OOO-OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX", "X", "H2");
    check(&"X".repeat(64), "X", "None");
}

#[test]
fn without_an_answer_the_reason_is_one_line_and_the_move_a_legal_one() {
    let board = "XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO";
    for (banyan, player, expected) in [
        (
            "/nowhere/banyan",
            "best",
            "banyan: cannot run '/nowhere/banyan': No such file or directory; set BANYAN to the path",
        ),
        (env!("CARGO_BIN_EXE_banyan"), "nobody", "banyan: unknown player \"nobody\": "),
        ("true", "best", "banyan: the process of banyan has ended; playing F1"),
    ] {
        let output = stand_in(&["answer", board, "X"], banyan, player, "0.02");
        let errors = text(&output.stderr);
        assert_eq!(text(&output.stdout), "F1\n", "{errors}");
        assert!(errors.starts_with(expected) && errors.lines().count() == 1, "{errors}");
        assert!(errors.ends_with("; playing F1, the first legal move\n"), "{errors}");
    }
}
