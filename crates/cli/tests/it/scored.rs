//! Files of positions with exact scores: solved, compared, written, resumed; and the accuracy of players on them.

use std::fs;
use std::path::Path;

use crate::{folder, output_in, refusal, text, unchecked};

/// Positions of random games, solved by `banyan solve`; the moves of the first are not ordered by score and include the
/// placeholder of other collections, the last one is over.
const POSITIONS: &str = "\
# positions of random games
XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO X; E2:-12; F1:-2; H2:-14; F3:-14; H5:-14; H4:-16; --:-127;

XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X; B8:+10; E8:+8; H4:+4; C8:+4;
OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;
OOO-OOO-OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X; PS:-64;

";

/// The output file of `--out`.
const SCORED: &str = "\
XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO X; F1:-2; E2:-12; H2:-14; F3:-14; H5:-14; H4:-16;
XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X; B8:+10; E8:+8; H4:+4; C8:+4;
OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X; E1:-30; G3:-40;
OOO-OOO-OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X;
";

fn write(folder: &Path, name: &str, contents: impl AsRef<[u8]>) {
    fs::write(folder.join(name), contents).expect("a file");
}

/// The JSON objects printed by a command.
fn objects(folder: &Path, line: &str) -> Vec<serde_json::Value> {
    let output = output_in(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_position_is_solved_and_compared() {
    let folder = folder("scored-solved");
    write(&folder, "own.obf", POSITIONS.replace(" PS:-64;", ""));
    for prove in ["winner", "value", "best", "all"] {
        let lines = objects(&folder, &format!("solve reversi --file own.obf --prove {prove} --json"));
        let [solved @ .., sum] = &lines[..] else { panic!("{lines:?}") };
        let of = |field: &str| solved.iter().map(|line| line[field].to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!((of("line").as_str(), of("given").as_str()), ("2 4 5 6", "-2 10 null null"), "{prove}");
        assert_eq!(of("agrees"), "true true null null", "{prove}");
        assert_eq!((&sum["solved"], &sum["agree"], &sum["disagree"]), (&4.into(), &2.into(), &0.into()));
        if prove != "winner" {
            assert_eq!(
                (of("margin").as_str(), of("best").as_str()),
                ("-2 10 -30 -64", r#"["f1"] ["b8"] ["e1"] []"#),
                "{prove}"
            );
        }
    }
    let table = output_in(&folder, "solve reversi --file own.obf");
    let table = text(&table.stdout);
    assert!(table.contains("\nsum: 4 positions, 4 solved, 2 as in the file; "), "{table}");
    assert!(table.contains("; mean ") && table.trim_end().ends_with(" nodes"), "{table}");
    let words = |nth: usize| table.lines().nth(nth).expect("a row").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(1).starts_with("2 loss -2 ") && words(1).ends_with(" s agrees f1"), "{table}");
    assert!(words(4).ends_with("the game is over"), "{table}");
}

#[test]
fn scores_that_differ_are_named_and_exit_with_1() {
    let folder = folder("scored-differ");
    for (wrong, prove, expected) in [
        // The value itself, and a move other than the best.
        ("B8:+12;", "value", "b8:+12"),
        ("E8:+6;", "all", "e8:+6"),
        ("E1:+30;", "winner", "e1:+30"),
    ] {
        let (mv, _) = wrong.split_once(':').expect("a score");
        let right = SCORED.split(' ').find(|score| score.starts_with(mv)).expect("the score");
        write(&folder, "wrong.obf", SCORED.replace(right, wrong));
        let output = output_in(&folder, &format!("solve reversi --file wrong.obf --prove {prove}"));
        let table = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{table}");
        assert!(table.contains(&format!("  {expected}")) && table.contains(" and 1 not; "), "{expected}: {table}");
    }
    write(&folder, "own.obf", SCORED);
    let output = output_in(&folder, "solve reversi --file own.obf --budget nodes=1 --out none.obf");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("sum: 4 positions, 1 solved; "), "{}", text(&output.stdout));
    // Unsolved positions have no scores.
    let bare: String =
        SCORED.lines().map(|line| format!("{}\n", line.split_inclusive(';').next().expect("a board"))).collect();
    assert_eq!(unchecked(&fs::read_to_string(folder.join("none.obf")).expect("written")), bare);
    // The same command reports both again, and has nothing left to solve.
    let again = |file: &str, out: &str| {
        let output = output_in(&folder, &format!("solve reversi --file {file} --out {out}"));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        text(&output.stderr)
    };
    let known = "4 of 4 positions are in the file of --out already";
    assert_eq!(again("own.obf", "none.obf"), format!("{known}, 3 of them unsolved; use another name to try again\n"));
    write(&folder, "solved.obf", SCORED);
    assert_eq!(again("wrong.obf", "solved.obf"), format!("{known}; 1 not as in the file\n"));
    write(&folder, "latin.obf", b"\xe9\n".as_slice());
    let error = refusal(&output_in(&folder, "solve reversi --file own.obf --out latin.obf"));
    assert!(error.contains("latin.obf: line 1: expected position 1 of own.obf; use another name"), "{error}");
}

#[test]
fn all_scores_are_written_best_first_and_the_same_command_resumes() {
    let folder = folder("scored-out");
    write(&folder, "own.obf", POSITIONS.replace(" PS:-64;", ""));
    let first_two = SCORED.match_indices('\n').nth(1).expect("a second line").0 + 1;
    for (written, known) in [("", 0), (&SCORED[..first_two], 2), (&SCORED[..first_two + 30], 2), (SCORED, 4)] {
        write(&folder, "out.obf", written);
        let output = output_in(&folder, "solve reversi --file own.obf --out out.obf");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let note = if known > 0 {
            format!("{known} of 4 positions are in the file of --out already\n")
        } else {
            String::new()
        };
        assert_eq!(text(&output.stderr), note);
        assert!(text(&output.stdout).contains(&format!("sum: {} positions", 4 - known)), "{}", text(&output.stdout));
        assert_eq!(unchecked(&fs::read_to_string(folder.join("out.obf")).expect("written")), SCORED);
    }
    // A file with other positions is not changed.
    write(&folder, "other.obf", SCORED.replacen("-X--O-", "----O-", 1));
    let error = refusal(&output_in(&folder, "solve reversi --file own.obf --out other.obf"));
    assert!(error.contains("other.obf: line 2: expected position 2 of own.obf; use another name"), "{error}");
}

#[test]
fn a_wrong_line_is_named_with_its_file() {
    let folder = folder("scored-refused");
    let (first, rest) = SCORED.split_once('\n').expect("lines");
    for (name, wrong, expected) in [
        ("short.obf", first.replacen('O', "", 1), "short.obf: line 1: a board of 63 squares"),
        ("strange.obf", first.replacen('O', "0", 1), "strange.obf: line 1: '0' in a board line: expected X or *, O"),
        ("side.obf", first.replacen(" X;", " Z;", 1), "side.obf: line 1: side to move \"Z\": "),
        (
            "illegal.obf",
            first.replace("F1:", "A1:"),
            "illegal.obf: line 1: move \"a1\": expected a legal move for black",
        ),
        ("score.obf", first.replace("F1:-2", "F1=-2"), "score.obf: line 1: \"F1=-2\": expected a move and its score"),
        (
            "over.obf",
            format!("{rest}{}PS:+0;", rest.lines().last().expect("a line")),
            "over.obf: line 4: move \"pass\": ",
        ),
        ("empty.obf", "\n\n".to_owned(), "empty.obf: a file without positions"),
    ] {
        write(&folder, name, wrong);
        for line in [format!("solve reversi --file {name}"), format!("accuracy reversi pvs:depth=1 --file {name}")] {
            let error = refusal(&output_in(&folder, &line));
            assert!(
                error.contains(expected) || name == "side.obf" && error.contains("side to move"),
                "{line}: {error}"
            );
        }
    }
    write(&folder, "own.obf", SCORED);
    write(&folder, "bare.obf", first.split_inclusive(';').next().expect("a board"));
    write(&folder, "over.txt", "1213 0\n1212121 18\n");
    write(&folder, "latin.obf", [b"# Ren\xe9\n", SCORED.as_bytes()].concat());
    for (line, expected) in [
        ("solve reversi --file latin.obf", "latin.obf: line 1, byte 6: 0xe9: expected text in UTF-8; "),
        ("solve reversi --file gone.obf", "cannot read gone.obf: "),
        ("solve dots-and-boxes --file own.obf", "dots-and-boxes: expected a game with files of scored positions"),
        ("solve connect-four --file own.obf", ": expected moves as digits or joined by commas, then the score; "),
        ("solve reversi:8x8,count=discs --file own.obf", "expected empty squares to count for the winner, as in OBF"),
        ("solve reversi:6x6 --file own.obf", "own.obf: line 1: a board of 64 squares"),
        ("solve reversi --file own.obf --out x.obf --prove best", "expected the scores of all moves with --out"),
        ("solve reversi --file own.obf --out ./own.obf", "--out ./own.obf: expected another file than --file"),
        ("solve reversi --file own.obf --out no/x.obf", "cannot write no/x.obf: "),
        ("accuracy reversi pvs:depth=4 --file own.obf", "own.obf: line 4: the end of a game: expected a position"),
        ("accuracy reversi pvs:depth=4 --file bare.obf", "bare.obf: line 1: a position without scores"),
        ("accuracy connect-four mcgs:playouts=9 --file over.txt", "over.txt: line 2: the end of a game: expected"),
        ("solve reversi --moves f5 --out x.obf", "cannot be used with '--out <FILE>'"),
        ("solve reversi --moves f5 --shard 1/2 --out x", "cannot be used with: --shard <I/N> --out <FILE>"),
        ("solve reversi --file own.obf --svg x.svg", "cannot be used with '--"),
        ("solve reversi --moves f5 --book built-in", "book=built-in in reversi: expected a game with a built-in book"),
        ("show reversi --moves f5 --game 1.1", "cannot be used with '--game <PAIR.GAME>'"),
    ] {
        let error = refusal(&output_in(&folder, line));
        assert!(error.contains(expected), "{line}: {error}");
    }
    write(&folder, "own.obf", first);
    for (player, expected) in [
        ("pvs", "player pvs: expected --budget, because the player has no depth of its own"),
        ("uct --budget depth=4", "budget depth=4: expected another limit, since uct does not support a depth limit"),
        ("nobody", "unknown player \"nobody\""),
    ] {
        let error = refusal(&output_in(&folder, &format!("accuracy reversi {player} --file own.obf")));
        assert!(error.contains(expected), "{player}: {error}");
    }
}

#[test]
fn lines_of_moves_are_solved_written_resumed_and_measured() {
    let folder = folder("scored-moves");
    // A draw, a win at once and a loss: without its scores, and one that is wrong.
    write(&folder, "moves.txt", "# ours\nstart\n1,2,1,2,1,2\n1213\n");
    let line = "solve connect-four:4x5 --file moves.txt --out scored.txt";
    let first = output_in(&folder, line);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let written = fs::read_to_string(folder.join("scored.txt")).expect("the scores");
    let known: Vec<&str> = written.lines().map(|line| line.split(" % ").next().unwrap_or_default()).collect();
    assert_eq!(known, ["start 0", "1,2,1,2,1,2 7", "1213 0"]);
    let again = output_in(&folder, line);
    assert!(
        text(&again.stderr).contains("3 of 3 positions are in the file of --out already"),
        "{}",
        text(&again.stderr)
    );
    assert_eq!(fs::read_to_string(folder.join("scored.txt")).expect("the scores"), written);
    let sum = |file: &str| {
        let output = output_in(&folder, &format!("solve connect-four:4x5 --file {file}"));
        (output.status.code(), text(&output.stdout).lines().last().unwrap_or_default().to_owned())
    };
    let (code, agrees) = sum("scored.txt");
    assert!(code == Some(0) && agrees.contains("3 solved, 3 as in the file"), "{agrees}");
    write(&folder, "wrong.txt", "start 1\n");
    let (code, differs) = sum("wrong.txt");
    assert!(code == Some(1) && differs.contains("0 as in the file and 1 not"), "{differs}");
    // A longer line of moves without its end is another position.
    write(&folder, "other.txt", "1213,4 1");
    let refused = refusal(&output_in(&folder, "solve connect-four:4x5 --file moves.txt --out other.txt"));
    assert!(refused.contains("other.txt: "), "{refused}");
    assert_eq!(fs::read_to_string(folder.join("other.txt")).expect("it is left alone"), "1213,4 1");
    let measured = objects(&folder, "accuracy connect-four:4x5 solver --budget 20s --file scored.txt --json");
    assert_eq!((&measured[0]["positions"], &measured[0]["best_move"][1]), (&3.into(), &1.0.into()));
}

#[test]
fn players_are_measured_by_the_exact_scores() {
    let folder = folder("scored-accuracy");
    // Without the finished game.
    let scored = &SCORED[..SCORED.rfind("OOO-OOO-").expect("the last line")];
    write(&folder, "own.obf", scored);
    // Only a bad move is listed as best, so the right one is a miss.
    let missed: String =
        scored.lines().map(|line| format!("{};\n", line.rsplit_once("; ").expect("scores").0)).collect();
    write(&folder, "missed.obf", missed.replace("F1:-2", "F1:-22").replace("B8:+10", "B8:-20"));
    let measure = |arguments: &str| {
        let line = format!("accuracy reversi {arguments} --json");
        let measured = objects(&folder, &line);
        measured
            .iter()
            .map(|file| (file["positions"].clone(), file["error"][1].clone(), file["best_move"][1].clone()))
            .collect::<Vec<_>>()
    };
    let all = |error: serde_json::Value, share: f64| (3.into(), error, share.into());
    assert_eq!(measure("pvs:depth=20 --file own.obf"), [all(0.0.into(), 1.0)]);
    assert_eq!(measure("pvs --budget depth=20 --file own.obf"), [all(0.0.into(), 1.0)]);
    assert_eq!(measure("solver --budget 20s --file own.obf"), [all(0.0.into(), 1.0)]);
    // The losses are 10, 2 and 0 points.
    let both = measure("pvs:depth=20 --file own.obf --file missed.obf");
    assert_eq!(both, [all(0.0.into(), 1.0), all(4.0.into(), 0.333333)]);
    // Players that return no margin still choose moves.
    assert_eq!(measure("uct --budget playouts=2000 --file own.obf")[0].1, serde_json::Value::Null);
    let again = || measure("uct --budget playouts=50 --seed 7 --file own.obf");
    assert_eq!(again(), again());
    let table = text(&output_in(&folder, "accuracy reversi pvs:depth=20 --file own.obf").stdout);
    let row = table.lines().nth(1).expect("a row").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(row.starts_with("own.obf 3 0.00 (0.00 .. 0.00) 100.0 (43.9 .. 100.0) "), "{table}");
    assert!(row.ends_with(" M nodes/s") && row.split(' ').any(|word| word == "ms"), "{table}");
}
