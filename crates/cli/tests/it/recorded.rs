//! Recorded games: what `save`, a match and a protocol wrote is shown, analysed and resumed from any of them.

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

/// The position that a command prints as JSON.
fn position(folder: &Path, line: &str) -> String {
    let output = output_in(folder, line);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|err| panic!("{line}: {err}"));
    json["position"].as_str().expect("text").to_owned()
}

#[test]
fn show_and_analyse_read_the_same_records() {
    let folder = records("recorded");
    for (record, expected) in [
        ("--record saved.json", Some("6/6/6/6/xox3 o")),
        ("--record saved.json --ply 1", Some("6/6/6/6/x5 o")),
        ("connect4:5x6 --record saved.json --ply 0", Some("6/6/6/6/6 x")),
        ("--record ugi.txt", Some("6/6/6/6/xox3 o")),
        ("--record ugi.txt --game 2", Some("6/6/6/5o/5x x")),
        ("--record played --ply 3", None),
        ("--record played/games.jsonl --game 0.1", None),
    ] {
        let shown = position(&folder, &format!("show {record} --json"));
        let analysed = position(&folder, &format!("analyse {record} --json --player pvs --budget depth=2"));
        assert_eq!(shown, analysed, "{record}");
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
        "game 7.0: not found in the 2 games of played; the last pair is 0",
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
    fs::write(folder.join("illegal.txt"), "> position startpos moves 1 9\n").expect("a file");
    fs::write(folder.join("other.txt"), "no game at all\n").expect("a file");
    for (arguments, part) in [
        ("--record none.json", "cannot read none.json: "),
        ("--record illegal.json", "illegal.json: move 2: "),
        ("--record illegal.txt", "illegal.txt: line 1: move 2: "),
        ("--record other.txt", "other.txt: record: expected a saved game"),
        ("--record saved.json --ply 4", "--ply 4: the record has 3 moves; use at most 3"),
        ("--record saved.json --game 1", "--game: a saved file holds only one game; remove it"),
        ("--record ugi.txt --game 3", "ugi.txt: --game 3: the transcript has 2 games; use 1 to 2"),
        ("--record ugi.txt --game 0.1", "ugi.txt: --game 0.1: a transcript numbers its games from 1"),
        ("--record played --game 3", "--game 3: expected PAIR.GAME"),
        ("reversi --record saved.json", "reversi: the record is a game of connect-four:5x6; leave the game out"),
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
    // A file that exists stays as it is.
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
        ("--record gbk.txt --game 1", "--game: a saved file holds only one game; remove it"),
        ("reversi --record gbk.txt", "reversi: the record is a game of dots-and-boxes; leave the game out"),
        ("--record gbk.txt --ply 3", "--ply 3: the record has 2 moves; use at most 2"),
    ] {
        let error = refusal(&output_in(&folder, &format!("show {arguments}")));
        assert!(error.contains(part), "{arguments}: {error}");
    }
    gbk[7] = 0xFF;
    fs::write(folder.join("gbk.txt"), &gbk).expect("a record");
    let error = refusal(&output_in(&folder, "show --record gbk.txt"));
    assert!(error.contains("gbk.txt: byte 7: expected text in UTF-8 or GBK; "), "{error}");
}
