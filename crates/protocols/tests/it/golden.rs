//! Transcripts of whole sessions: `> ` precedes the lines sent to the server, `< ` its answers. `UPDATE=1 cargo test`
//! regenerates them from the lines sent; the difference is reviewed like code.

use std::env;
use std::fs;
use std::path::Path;

use banyan_protocols::process::{Framing, Piece, read_piece};
use banyan_protocols::{analysis, botzone, gtp, nboard, saiblo, sau};

use crate::dialogue::Dialogue;
use crate::{game, setup};

/// Replays the session of a file and compares. `answer` receives the reply to a line that is sent.
fn check(name: &str, mut dialogue: Dialogue, answer: impl Fn(&mut Dialogue, &str) -> Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let expected = fs::read_to_string(&path).expect(name);
    let mut found = String::new();
    for line in expected.lines() {
        if let Some(sent) = line.strip_prefix("> ").or_else(|| line.strip_prefix('>')) {
            found += line;
            found.push('\n');
            dialogue.send(sent);
            for received in answer(&mut dialogue, sent) {
                found += format!("< {}", without_times(&received)).trim_end();
                found.push('\n');
            }
        } else if !line.starts_with('<') {
            found += line;
            found.push('\n');
        }
    }
    let (ended, rest) = dialogue.end();
    ended.expect("a server that is content");
    assert_eq!(rest, Vec::<String>::new(), "{name}: unexpected further output");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &found).expect("a file that can be written");
    }
    assert_eq!(found, fs::read_to_string(&path).expect(name), "{name}");
}

/// A line without times.
fn without_times(line: &str) -> String {
    let mut line = line.to_owned();
    for field in ["\"elapsed_ms\":", "\"cpu_ms\":", "\"memory_bytes\":"] {
        if let Some(at) = line.find(field) {
            let start = at + field.len();
            let end = line[start..].find([',', '}']).map_or(line.len(), |end| start + end);
            line.replace_range(start..end, "0");
        }
    }
    match line.split(' ').next() {
        Some("nodestats") => line.rsplit_once(' ').map_or(line.clone(), |(start, _)| format!("{start} 0.00")),
        Some("===") if line.matches('/').count() == 2 => {
            line.rsplit_once('/').map_or(line.clone(), |(start, _)| format!("{start}/0.00"))
        }
        _ => line,
    }
}

#[test]
fn gtp_is_spoken_as_written_down() {
    let dialogue = Dialogue::with(|input, output| {
        gtp::serve(crate::catalog(), game("reversi"), setup("uct", "playouts=200"), input, output)
    });
    check("gtp.txt", dialogue, |dialogue, sent| {
        if gtp::Command::parse(sent).is_none() { Vec::new() } else { dialogue.receive(str::is_empty) }
    });
}

#[test]
fn nboard_is_spoken_as_written_down() {
    let dialogue = Dialogue::with(|input, output| {
        nboard::serve(crate::catalog(), game("reversi"), setup("uct", "playouts=200"), input, output)
    });
    check("nboard.txt", dialogue, |dialogue, sent| match sent.split(' ').next() {
        Some("nboard") => dialogue.receive(|line| line.starts_with("set myname")),
        Some("go") => dialogue.receive(|line| line.starts_with("===")),
        Some("hint" | "analyze") => dialogue.receive(|line| line == "status" || line.ends_with("over")),
        Some("ping") => dialogue.receive(|line| line.starts_with("pong")),
        Some("learn") => dialogue.receive(|line| line == "learned"),
        _ => Vec::new(),
    });
}

#[test]
fn sau_is_spoken_as_written_down() {
    let dialogue = Dialogue::with(|input, output| {
        sau::serve(game("dots-and-boxes:2x2"), setup("uct", "playouts=200"), input, output)
    });
    check("sau.txt", dialogue, |dialogue, sent| match sent.split(' ').next() {
        Some("name?" | "move" | "error") => dialogue.receive(|_| true),
        Some("new") if sent != "new white" => dialogue.receive(|_| true),
        _ => Vec::new(),
    });
}

#[test]
fn saiblo_is_spoken_as_written_down() {
    let dialogue =
        Dialogue::with(|input, output| saiblo::serve(crate::catalog(), setup("uct", "playouts=200"), input, output));
    check("saiblo.txt", dialogue, |dialogue, sent| {
        let is_turn = sent.split(' ').count() > 4;
        let answer = is_turn.then(|| read_piece(Framing::Length, &mut dialogue.from).expect("a frame"));
        answer.map_or_else(Vec::new, |answer| match answer {
            Piece::Message(text) => vec![text],
            other => panic!("{other:?} for an answer"),
        })
    });
}

#[test]
fn botzone_is_spoken_as_written_down() {
    let dialogue = Dialogue::with(|input, output| {
        let life = botzone::Life::KeepRunning;
        botzone::serve(game("reversi"), setup("uct", "playouts=200"), life, input, output)
    });
    check("botzone.txt", dialogue, |dialogue, _| dialogue.receive(|line| line == botzone::KEEP_RUNNING));
}

#[test]
fn botzone_answers_once_unless_it_is_to_live_on() {
    let dialogue = Dialogue::with(|input, output| {
        botzone::serve(game("reversi"), setup("uct", "playouts=200"), botzone::Life::OneShot, input, output)
    });
    check("botzone_once.txt", dialogue, |dialogue, _| dialogue.receive(|_| true));
}

#[test]
fn analysis_is_spoken_as_written_down() {
    let dialogue = Dialogue::with(|input, output| {
        let server = analysis::AnalysisServer { setup: setup("uct", "playouts=100"), threads: 1 };
        analysis::serve(crate::catalog(), &server, input, output)
    });
    check("analysis.txt", dialogue, |dialogue, sent| {
        let turns = sent.split_once("\"analyzeTurns\":[").and_then(|(_, rest)| rest.split_once(']'));
        let n = turns.map_or(1, |(turns, _)| turns.split(',').count());
        let n = if sent.contains("unknownField") { n + 1 } else { n };
        (0..n).flat_map(|_| dialogue.receive(|_| true)).collect()
    });
}
