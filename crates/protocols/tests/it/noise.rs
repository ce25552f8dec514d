//! No input causes a panic: parsers receive random bytes and mutated messages, servers receive long streams of them.

use std::io::sink;

use banyan_core::Rng;
use banyan_protocols::{ServeError, analysis, botzone, gtp, nboard, saiblo, sau};
use banyan_testkit::rounds;

use crate::{game, setup};

const INPUTS: u32 = 100_000;
/// Inputs to a server that is restarted for each.
const INPUTS_TO_A_NEW_SERVER: u32 = 10_000;

/// Random bytes one time in eight, else one of `samples` with up to four changes.
fn noise(rng: &mut Rng, samples: &[&str]) -> Vec<u8> {
    if below(rng, 8) == 0 {
        return (0..below(rng, 40)).map(|_| byte(rng)).collect();
    }
    let mut bytes = samples[below(rng, samples.len())].as_bytes().to_vec();
    for _ in 0..below(rng, 5) {
        let at = below(rng, bytes.len() + 1);
        match below(rng, 4) {
            0 => bytes.insert(at, byte(rng)),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = byte(rng),
            _ => {
                let piece = bytes[at..].to_vec();
                bytes.splice(at..at, piece.into_iter().take(8));
            }
        }
    }
    bytes
}

/// A byte, usually one that occurs in messages.
fn byte(rng: &mut Rng) -> u8 {
    const USUAL: &[u8] = b"0123456789-+.,:;/ []{}()\"=?#ABFWOXabcdefghpsx*\t\xc3\xa9\xff\0";
    if below(rng, 4) == 0 { below(rng, 256) as u8 } else { USUAL[below(rng, USUAL.len())] }
}

fn below(rng: &mut Rng, n: usize) -> usize {
    rng.below(n as u32) as usize
}

/// Feeds `parse` with noise made of `samples`.
fn feed(samples: &[&str], parse: impl FnMut(&[u8], &str)) {
    feed_some(INPUTS, samples, parse);
}

/// Feeds `parse` with `n` inputs, or a quarter of them in a quick run.
fn feed_some(n: u32, samples: &[&str], mut parse: impl FnMut(&[u8], &str)) {
    let mut rng = Rng::new(8);
    for _ in 0..rounds(n / 4, n) {
        let bytes = noise(&mut rng, samples);
        parse(&bytes, &String::from_utf8_lossy(&bytes));
    }
}

/// A stream of many lines of noise.
fn flood(samples: &[&str]) -> std::io::Cursor<Vec<u8>> {
    let mut all = Vec::new();
    feed(samples, |bytes, _| {
        all.extend(bytes.iter().filter(|&&byte| byte != b'\n'));
        all.push(b'\n');
    });
    std::io::Cursor::new(all)
}

/// Errors are expected, but must be a single line.
fn check(ended: Result<(), ServeError>) {
    if let Err(err) = ended {
        let text = err.to_string();
        assert!(!text.contains('\n'), "{text}");
    }
}

const GTP: &[&str] = &[
    "1 genmove b",
    "play white f5 # comment",
    "undo",
    "time_settings 300 30 5",
    "time_left b 10 1",
    "boardsize 8",
    "showboard",
    "final_score",
    "clear_board",
    "list_commands",
    "reg_genmove w",
    "=3 F5",
    "? illegal move",
    "= 2",
    "",
];

const GGF: &str = "(;GM[Othello]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1]W[F6];)";

const NBOARD: &[&str] = &[
    "nboard 2",
    "set depth 3",
    "set contempt -10",
    "move F5/1.25/0.5",
    "move PA",
    "hint 3",
    "go",
    "ping 3",
    "learn",
    "analyze",
    "F5",
    "set myname x",
    "status s",
    "nodestats 35805 0.00",
    "search F5d6-PA 1.25,3 0 100%W text",
    "=== d6 -1.00 0.0",
    "pong 1",
    "analysis 12 -3.5",
    "set game (;GM[Othello]TY[4]BO[4 -----O*--*O----- *]B[A2];)",
];

const SAU: &[&str] =
    &["name?", "new black", "new white", "move 1 AED", "move 3 AAAABABAB", "error", "end", "end black", "name Banyan"];

const BOTZONE: &[&str] = &[
    r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#,
    r#"{"requests":[{"x":5,"y":4},{"x":3,"y":2}],"responses":[{"x":5,"y":5}],"data":""}"#,
    r#"{"x":5,"y":4}"#,
    r#"{"response":{"x":2,"y":3},"debug":"d"}"#,
];

const ANALYSIS: &[&str] = &[
    r#"{"id":"a","game":"reversi:4x4","moves":["a2"],"analyzeTurns":[0,1],"priorities":[1,2],"maxVisits":5}"#,
    r#"{"id":"b","game":"dots-and-boxes:1x1","position":"11/10 o 0-0","seed":3,"maxTime":0.1}"#,
    r#"{"id":"c","game":"connect-four:5x4,hole=a1","moves":"1 2 3","reportDuringSearchEvery":0.5}"#,
    r#"{"id":"d","action":"terminate","terminateId":"a","turnNumbers":[0]}"#,
    r#"{"id":"d","action":"query_version"}"#,
];

const SAIBLO: &[&str] = &[
    "4 4 0 0 -1 -1 3 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    "4 4 -1 -1\n3 1 4 3 3 4 0 0 0 0 0 0 0 0 0 0 0 0 0 2 1 0",
    "\0\0\0\x0410 5",
];

#[test]
fn parsers_of_gtp_take_anything() {
    let mut reader = gtp::ReplyReader::default();
    feed(GTP, |_, text| {
        if let Some(command) = gtp::Command::parse(text).filter(|command| !command.name.is_empty()) {
            let again = gtp::Command::parse(&command.to_string());
            assert_eq!(again.map(|again| again.arguments), Some(command.arguments), "{text:?}");
        }
        if let Some(reply) = reader.take(text) {
            let _ = reply.to_string();
        }
        let _ = (gtp::Color::parse(text), gtp::Vertex::of_move(text));
        if let Some(vertex) = gtp::Vertex::parse(text) {
            assert_eq!(gtp::Vertex::parse(&vertex.to_string()), Some(vertex));
        }
    });
}

#[test]
fn parsers_of_nboard_take_anything() {
    feed(NBOARD, |_, text| {
        if let Ok(Some(command)) = nboard::ToEngine::parse(text) {
            assert!(matches!(nboard::ToEngine::parse(&command.to_string()), Ok(Some(_))), "{text:?}");
        }
        if let Some(answer) = nboard::FromEngine::parse(text) {
            assert!(nboard::FromEngine::parse(&answer.to_string()).is_some(), "{text:?}");
        }
    });
    feed(&[GGF], |_, text| {
        if let Ok(read) = nboard::Ggf::parse(text) {
            assert!(nboard::Ggf::parse(&read.to_string()).is_ok(), "{text:?}");
            let _ = (read.position(), read.seconds_left(banyan_core::Side::First));
        }
    });
}

#[test]
fn parsers_of_sau_take_anything() {
    feed(SAU, |_, text| {
        if let Ok(Some(command)) = sau::ToEngine::parse(text) {
            assert_eq!(sau::ToEngine::parse(&command.to_string()), Ok(Some(command)), "{text:?}");
        }
        if let Ok(Some(answer)) = sau::FromEngine::parse(text) {
            assert_eq!(sau::FromEngine::parse(&answer.to_string()), Ok(Some(answer)), "{text:?}");
        }
        let _ = sau::Edge::of_move(text);
    });
}

#[test]
fn parsers_of_botzone_take_anything() {
    feed(BOTZONE, |_, text| {
        if let Ok(input) = botzone::Input::parse(text) {
            assert_eq!(botzone::Input::parse(&input.to_line()), Ok(input), "{text:?}");
        }
        if let Ok(response) = botzone::Response::parse(text) {
            let line = botzone::Response { response, debug: None }.to_line();
            assert_eq!(botzone::Response::parse(&line), Ok(response), "{text:?}");
        }
        let _ = botzone::Place::of_move(text);
    });
}

/// Tests the server and its parsers in one go.
#[test]
fn the_server_of_saiblo_takes_anything() {
    feed_some(INPUTS_TO_A_NEW_SERVER, SAIBLO, |bytes, _| {
        let _ = saiblo::Stone::parse(&String::from_utf8_lossy(bytes));
        check(saiblo::serve(crate::catalog(), setup("random", "playouts=1"), bytes, sink()));
    });
}

#[test]
fn the_server_of_botzone_takes_anything() {
    feed_some(INPUTS_TO_A_NEW_SERVER, BOTZONE, |bytes, _| {
        let life = botzone::Life::KeepRunning;
        check(botzone::serve(game("reversi"), setup("random", "playouts=1"), life, bytes, sink()));
    });
}

#[test]
fn a_flood_leaves_gtp_standing() {
    let mut output = Vec::new();
    let input = flood(GTP);
    let commands = String::from_utf8_lossy(input.get_ref()).into_owned();
    check(gtp::serve(crate::catalog(), game("reversi"), setup("random", "playouts=1"), input, &mut output));
    let n_commands = commands.lines().filter(|line| gtp::Command::parse(line).is_some()).count();
    let output = String::from_utf8(output).expect("text");
    assert_eq!(output.split_terminator("\n\n").count(), n_commands, "every command has one reply");
}

#[test]
fn a_flood_leaves_nboard_standing() {
    let mut input = flood(NBOARD);
    input.get_mut().extend_from_slice(b"ping 77777\n");
    let mut output = Vec::new();
    check(nboard::serve(crate::catalog(), game("reversi"), setup("random", "playouts=1"), input, &mut output));
    assert!(String::from_utf8(output).expect("text").ends_with("pong 77777\n"));
}

#[test]
fn a_flood_leaves_sau_standing() {
    let mut input = flood(SAU);
    input.get_mut().extend_from_slice(b"name?\n");
    let mut output = Vec::new();
    check(sau::serve(game("dots-and-boxes:2x2"), setup("random", "playouts=1"), input, &mut output));
    let output = String::from_utf8(output).expect("text");
    assert!(output.ends_with("name Banyan\n"));
    assert!(output.lines().all(|line| line.len() < sau::LONGEST_LINE), "a line is too long");
}

#[test]
fn a_flood_leaves_analysis_standing() {
    let mut input = flood(ANALYSIS);
    input.get_mut().extend_from_slice(b"\n{\"id\":\"last\",\"action\":\"query_version\"}\n");
    let server = analysis::AnalysisServer { setup: setup("random", "playouts=1"), threads: 2 };
    let mut output = Vec::new();
    check(analysis::serve(crate::catalog(), &server, input, &mut output));
    let output = String::from_utf8(output).expect("text");
    assert!(output.contains(r#"{"id":"last","action":"query_version""#));
    for line in output.lines() {
        let _: serde_json::Value = serde_json::from_str(line).expect(line);
    }
}
