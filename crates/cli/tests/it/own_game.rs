//! The example of a new game supports the whole command.

#[allow(dead_code)]
#[path = "../../examples/domineering.rs"]
mod example;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use banyan::{Notation, laws, perft};
use banyan_testkit::rounds;
use example::Domineering;

use crate::{folder, games, refusal, text};

/// The example program, which `cargo test` and `cargo nextest` build beside the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let program = profile.join("examples").join(format!("domineering{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "no {}; run `cargo test -p banyan-cli --no-run`, which builds it", program.display());
    program
}

/// The output of the example in this folder, for arguments separated by single blanks and typed input.
fn domineering(folder: &Path, line: &str, typed: &str) -> Output {
    let mut command = Command::new(program());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "BANYAN_ENGINES"] {
        command.env_remove(variable);
    }
    command.args(line.split(' ')).current_dir(folder);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example starts");
    // A command that reads no input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(typed.as_bytes());
    child.wait_with_output().expect("the example ends")
}

/// The standard output of a successful run.
fn printed(folder: &Path, line: &str, typed: &str) -> String {
    let output = domineering(folder, line, typed);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_rules_satisfy_every_law() {
    for options in ["", "2x2", "3x8", "8x3", "5x5", "8x8"] {
        let game = Domineering::from_options(options).expect("options of the example");
        laws::check(&game, rounds(10, 40), 1).unwrap_or_else(|err| panic!("{options}: {err}"));
    }
    // On 2x2 one of two vertical dominoes leaves no place for a horizontal one.
    let small = Domineering::from_options("2x2").expect("options of the example");
    assert_eq!((perft(&small, &[0, 0], 1), perft(&small, &[0, 0], 2)), (2, 0));
}

#[test]
fn it_is_the_only_game_and_the_default() {
    let folder = folder("own-lists");
    let list = printed(&folder, "games", "");
    assert!(list.starts_with("domineering") && !list.contains("reversi  "), "{list}");
    assert!(printed(&folder, "play --help", "").contains("[default: domineering]"));
    let refused = refusal(&domineering(&folder, "show connect-four", ""));
    assert!(refused.contains("expected one of domineering"), "{refused}");
    assert!(printed(&folder, "players", "").contains("best in domineering is mcgs."));
}

#[test]
fn it_is_played_analysed_and_solved() {
    let folder = folder("own-play");
    let game =
        printed(&folder, "play domineering:4x4 --budget playouts=50 --seed 1", "a1\nhelp\nsave game.json\nquit\n");
    for part in [
        "vertical (●): you",
        "3 a3 b3 [○][○]",
        "vertical (●)> a1",
        "horizontal (○) plays ",
        "saved 2 moves",
        "resume with\n  domineering play domineering:4x4",
    ] {
        assert!(game.contains(part), "{part}: {game}");
    }
    assert!(printed(&folder, "show --record game.json --ascii", "").contains("players   human - best"));
    let analysis = printed(&folder, "analyse domineering:4x4 --budget playouts=500 --json", "");
    let analysis: serde_json::Value = serde_json::from_str(&analysis).expect("JSON");
    assert_eq!((&analysis["game"], analysis["moves"].as_array().map(Vec::len)), (&"domineering:4x4".into(), Some(12)));
    // The side that moves first wins on 4x4 (Berlekamp, Conway and Guy, Winning Ways; Breuker, Uiterwijk and van den
    // Herik 2000).
    assert!(printed(&folder, "solve domineering:4x4", "").contains("value: win"));
}

#[test]
fn it_is_played_in_matches_and_over_ugi() {
    let folder = folder("own-match");
    // On 4x4 balanced openings are so rare that they take five seconds.
    let result =
        printed(&folder, "match domineering:6x6 uct random --pairs 2 --budget playouts=50 --seed 1 --out m", "");
    assert!(result.contains("uct - random") && games(&folder.join("m")).len() == 4, "{result}");
    assert!(printed(&folder, "merge m", "").contains("uct - random"));
    let answers = printed(&folder, "ugi", "ugi\nposition startpos moves a1\ngo nodes 100\nquery p1turn\nquit\n");
    for part in ["option name Game type combo default domineering var domineering\n", "bestmove ", "response false"] {
        assert!(answers.contains(part), "{part}: {answers}");
    }
}
