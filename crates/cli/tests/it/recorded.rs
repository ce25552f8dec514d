//! Recorded games: files written by `save`, matches and protocols are shown, analysed and resumed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::{banyan, folder, output_in, refusal, text};

/// A folder with a saved game, a match and a transcript.
fn records(name: &str) -> PathBuf {
    let folder = folder(name);
    let saved = r#"{"v":1,"game":"connect-four:5x6","players":["human","mcgs"],"moves":["1","2","3"]}"#;
    fs::write(folder.join("saved.json"), saved).expect("a saved game");
    let transcript = "> setoption name Game value connect-four:5x6\n> position startpos moves 1 2 3\n> uginewgame\n\
                      > position startpos moves 6 6\n";
    fs::write(folder.join("ugi.txt"), transcript).expect("a transcript");
    let line = "match connect-four:5x6 greedy random --pairs 1 --openings none --budget playouts=1 --seed 1 --quiet --out played";
    assert!(output_in(&folder, line).status.success());
    folder
}

/// The position printed by a command as JSON.
fn position(folder: &Path, line: &str) -> String {
    let output = output_in(folder, line);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|err| panic!("{line}: {err}"));
    json["position"].as_str().expect("text").to_owned()
}

#[test]
fn show_analyse_and_solve_read_the_same_records() {
    let folder = records("recorded");
    for (record, expected) in [
        ("--record saved.json", Some("6/6/6/6/xox3 o")),
        ("--record saved.json --ply 1", Some("6/6/6/6/x5 o")),
        ("connect4:5x6 --record saved.json --ply 0", Some("6/6/6/6/6 x")),
        ("--record ugi.txt", Some("6/6/6/6/xox3 o")),
        ("--record ugi.txt --game 2", Some("6/6/6/5o/5x x")),
        ("--record played --ply 3", None),
        ("--record played/games.jsonl --game 0.1 --ply 4", None),
    ] {
        let shown = position(&folder, &format!("show {record} --json"));
        let analysed = position(&folder, &format!("analyse {record} --json --player pvs --budget depth=2"));
        let solved = position(&folder, &format!("solve {record} --json --budget nodes=1"));
        assert_eq!((&analysed, &solved), (&shown, &shown), "{record}");
        assert!(expected.is_none_or(|expected| expected == shown), "{record}: {shown}");
    }
}

#[test]
fn play_resumes_them() {
    let folder = records("resumed");
    let args = ["play", "--first", "human", "--second", "human", "--ascii"];
    let mut child = banyan(&args)
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let typed = "load saved.json\nload ugi.txt 2\nload played 0.1\nload played 7.0\nload none\nquit\n";
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("the command reads");
    let answers = text(&child.wait_with_output().expect("the command ends").stdout);
    for part in [
        "loaded 3 moves of connect-four:5x6 from saved.json",
        "loaded 2 moves of connect-four:5x6 from ugi.txt",
        "moves of connect-four:5x6 from played",
        "game 7.0: expected one of the 2 games of played; the last pair is 0",
        "cannot read none: ",
    ] {
        assert!(answers.contains(part), "{part:?} in {answers}");
    }
}

#[test]
fn a_wrong_record_is_refused_with_its_place() {
    let folder = records("refused");
    fs::write(folder.join("illegal.json"), r#"{"v":1,"game":"reversi","players":["a","b"],"moves":["f5","f5"]}"#)
        .expect("a file");
    fs::write(folder.join("illegal.txt"), "> setoption name Game value connect-four\n> position startpos moves 1 9\n")
        .expect("a file");
    fs::write(folder.join("other.txt"), "no game at all\n").expect("a file");
    fs::write(folder.join("one.txt"), "4453\n").expect("a file");
    let second = "> new black\n< move 1 AAA\n> end\n> new black\n< move 1 AAA\n> move 1 AAA\n";
    fs::write(folder.join("second.txt"), second).expect("a file");
    for (arguments, part) in [
        ("--record none.json", "cannot read none.json: "),
        ("--record illegal.json", "illegal.json: move 2: "),
        ("--record illegal.txt", "illegal.txt: line 2: move 2: "),
        ("--record other.txt", "other.txt: line 1, column 1: \"no\": expected a move with which a game begins"),
        ("--record saved.json --ply 4", "--ply 4: expected at most 3, the moves of the record; use at most 3"),
        (
            "--record saved.json --game 1",
            "--game: expected no number for a saved file, which holds one game; remove it",
        ),
        (
            "--record ugi.txt --game 3",
            "ugi.txt: --game 3: expected one of the games of the transcript, which has 2 games; use 1 to 2",
        ),
        (
            "--record one.txt --game 3",
            "one.txt: --game 3: expected one of the games of the transcript, which has 1 game; use 1",
        ),
        // The first game, which is shown, is legal.
        ("--record second.txt", "second.txt: game 2: line 6, column 10: move 2: "),
        ("--record ugi.txt --game 0.1", "ugi.txt: --game 0.1: expected one number, since a transcript has no pairs"),
        ("--record played --game 3", "--game 3: expected PAIR.GAME"),
        ("reversi --record saved.json", "reversi: expected connect-four:5x6, as in the record; leave the game out"),
    ] {
        for command in ["show", "analyse"] {
            let error = refusal(&output_in(&folder, &format!("{command} {arguments}")));
            assert!(error.contains(part), "{command} {arguments}: {error}");
        }
    }
}

#[test]
fn championship_records_are_read_in_both_encodings_and_written() {
    let folder = folder("championship");
    // In GBK; the names are those of the first and the second heavenly stem.
    let mut gbk =
        b"{\"R\":\"\xBC\xD7\",\"B\":\"\xD2\xD2\",\"winner\":\"U\",\"RScore\":0,\"BScore\":0,\"Date\":\"2022-08-06\",\
        \"Event\":\"2022 CCGC\",\"game\":[{\"piece\":\"b(d2,h)\"},{\"piece\":\"r(b3,v)\"}]}\n"
            .to_vec();
    fs::write(folder.join("gbk.txt"), &gbk).expect("a record");
    let shown = text(&output_in(&folder, "show --record gbk.txt --json").stdout);
    for part in [r#""history":["h4,3","v2,1"]"#, r#""history_ids":[23,43]"#, r#""players":["乙","甲"]"#] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(output_in(&folder, "show --record gbk.txt --ccgc utf8.json").status.success());
    assert!(output_in(&folder, "show --record utf8.json --ccgc again.txt --gbk").status.success());
    assert_eq!(fs::read(folder.join("again.txt")).expect("written"), gbk);
    let utf8 = fs::read_to_string(folder.join("utf8.json")).expect("UTF-8");
    assert!(utf8.starts_with(r#"{"R":"甲","B":"乙","winner":"U","#), "{utf8}");
    assert_eq!(output_in(&folder, "show --record utf8.json --ccgc -").stdout, utf8.as_bytes());
    // An existing file is not changed.
    let error = refusal(&output_in(&folder, "show --record gbk.txt --ccgc utf8.json"));
    assert!(error.contains("cannot write utf8.json: ") && error.contains("try another name"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("utf8.json")).expect("UTF-8"), utf8);
    let analysed =
        text(&output_in(&folder, "analyse --record gbk.txt --json --budget playouts=50 --player uct").stdout);
    assert!(analysed.contains(r#""move":"h0,0","id":0,"#), "{analysed}");
    assert_eq!(
        position(&folder, "show dots --record utf8.json --json"),
        position(&folder, "show --record gbk.txt --json")
    );
    for (arguments, part) in [
        ("--record gbk.txt --game 1", "--game: expected no number for a saved file, which holds one game; remove it"),
        ("reversi --record gbk.txt", "reversi: expected dots-and-boxes, as in the record; leave the game out"),
        ("--record gbk.txt --ply 3", "--ply 3: expected at most 2, the moves of the record; use at most 2"),
    ] {
        let error = refusal(&output_in(&folder, &format!("show {arguments}")));
        assert!(error.contains(part), "{arguments}: {error}");
    }
    gbk[7] = 0xFF;
    fs::write(folder.join("gbk.txt"), &gbk).expect("a record");
    let error = refusal(&output_in(&folder, "show --record gbk.txt"));
    assert!(error.contains("gbk.txt: byte 7: expected text in UTF-8 or GBK; "), "{error}");
}

/// A file of WTHOR with these games.
fn wthor(games: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 1, 2, games.len() as u8, 0, 0, 0, 0, 0, 0xD0, 0x07, 8, 0, 22, 0];
    for moves in games {
        bytes.extend([3, 0, 1, 0, 2, 0, 40, 38]);
        bytes.extend(moves.iter().copied().chain(std::iter::repeat(0)).take(60));
    }
    bytes
}

#[test]
fn tournament_games_in_wthor_and_ggf_are_read_wherever_records_are() {
    let folder = folder("tournaments");
    // Black passes before the last move, which neither file contains.
    let squares = [34, 33, 65, 24, 14, 15, 22, 13, 31];
    fs::write(folder.join("games.wtb"), wthor(&[&[56, 66], &squares])).expect("a file");
    fs::write(folder.join("unnamed"), wthor(&[&[56, 66], &squares])).expect("a file");
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let begun = format!("(;GM[Othello]PC[GGS/os]PB[Ann]PW[Bob ;)]TI[5:00]TY[8]{board}B[f5/1.5/2]W[F6//0.1];)");
    let moves = "B[D3]W[C3]B[E6/-2.00/1.5]W[D2]B[D1]W[E1]B[B2]W[C1]B[PA]W[A3]";
    fs::write(folder.join("games.ggf"), format!("2 {begun}{}\n", begun.replace("B[f5/1.5/2]W[F6//0.1]", moves)))
        .expect("a file");
    let first = position(&folder, "show reversi --moves f5f6 --json");
    let second = position(&folder, "show reversi --moves d3c3e6d2d1e1b2c1a3 --json");
    for file in ["games.wtb", "unnamed", "games.ggf"] {
        assert_eq!(position(&folder, &format!("show --record {file} --json")), first, "{file}");
        let of_second = format!("--record {file} --game 2 --json");
        assert_eq!(position(&folder, &format!("show {of_second}")), second, "{file}");
        let analysed = position(&folder, &format!("analyse {of_second} --player pvs --budget depth=2"));
        assert_eq!(analysed, second, "{file}");
    }
    let shown = text(&output_in(&folder, "show --record games.wtb --game 2").stdout);
    assert!(
        shown.contains("record    game 2 of 2, wthor\nevent     tournament 3 of 2000, players 1 and 2\n"),
        "{shown}"
    );
    let shown = text(&output_in(&folder, "show --record games.ggf --game 2 --json").stdout);
    assert!(shown.contains(r#""players":["Ann","Bob ;)"]"#), "{shown}");
    let mut play = banyan(&["play", "--first", "human", "--second", "human", "--ascii"]);
    let mut child =
        play.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(b"load games.wtb 2\nload games.ggf\nquit\n").expect("it reads");
    let answers = text(&child.wait_with_output().expect("the command ends").stdout);
    for part in ["loaded 10 moves of reversi from games.wtb", "loaded 2 moves of reversi from games.ggf"] {
        assert!(answers.contains(part), "{part:?} in {answers}");
    }
}

#[test]
fn wrong_tournament_games_are_named_with_file_and_game() {
    let folder = folder("tournaments-refused");
    let whole = wthor(&[&[56, 66], &[56, 56], &[56]]);
    let mut large = whole.clone();
    large[12] = 10;
    let mut square = whole.clone();
    square[16 + 68 + 9] = 90;
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let game = |moves: &str| format!("(;GM[Othello]{board}{moves};)\n");
    for (name, contents, arguments, expected) in [
        ("illegal.wtb", whole.clone(), "--game 2", "illegal.wtb: game 2: byte 94: move 2: move \"f5\": "),
        (
            "number.wtb",
            whole.clone(),
            "--game 4",
            "number.wtb: --game 4: expected one of the games of the transcript, which has 3 games",
        ),
        ("large.wtb", large, "", "large.wtb: games on 10x10: expected games on 8x8"),
        ("square.wtb", square, "", "square.wtb: game 2: byte 94: move 2: square 90: expected 11 to 88"),
        ("cut.WTB", whole[..100].to_vec(), "", "cut.WTB: game 2: 16 bytes at the end of the file: expected 3 games"),
        ("empty.wtb", Vec::new(), "", "empty.wtb: a file of 0 bytes: expected a header of 16 bytes"),
        (
            "illegal.ggf",
            (game("B[F5]") + &game("B[F5]W[F5]")).into_bytes(),
            "--game 2",
            "illegal.ggf: game 2: line 2: move 2: ",
        ),
        (
            "cut.ggf",
            (game("B[F5]") + "(;GM[Othello]").into_bytes(),
            "",
            "cut.ggf: line 2: game 2: a game in GGF: expected ;)",
        ),
        ("large.ggf", (game("") + &game("").replace("[8 ", "[9 ")).into_bytes(), "", "large.ggf: line 2: game 2: "),
    ] {
        fs::write(folder.join(name), contents).expect("a file");
        for command in ["show", "analyse"] {
            let line = format!("{command} --record {name} {arguments}");
            let error = refusal(&output_in(&folder, line.trim_end()));
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
