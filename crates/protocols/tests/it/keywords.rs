//! Texts for servers, clients and engines.toml made of their keywords: none causes a panic. `noise` feeds the servers with
//! random bytes.

use std::io::Cursor;
use std::path::Path;

use banyan_core::Timer;
use banyan_protocols::process::{Framing, Piece, read_piece};
use banyan_protocols::{analysis, read_engines, saiblo, ugi};
use banyan_testkit::rounds;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{catalog, setup};

/// Keywords of protocols, numbers, and arbitrary text.
fn words(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "-?[0-9]{1,20}(\\.[0-9]{0,3})?",
        1 => "\\PC{0,6}",
    ];
    prop_oneof![6 => vec(word, 0..6).prop_map(|words| words.join(" ")), 1 => any::<String>()]
}

/// A piece of a file or message, or arbitrary text.
fn piece(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(known).prop_map(str::to_owned), 1 => "\\PC{0,5}"]
}

const UGI: &[&str] = &[
    "ugi",
    "isready",
    "setoption",
    "name",
    "value",
    "Game",
    "Player",
    "Seed",
    "Threads",
    "random",
    "connect-four:4x4",
    "uginewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "1",
    "4/4/4/4 x",
    "go",
    "nodes",
    "depth",
    "p1time",
    "p1inc",
    "movetime",
    "infinite",
    "stop",
    "ponder",
    "searchmoves",
    "query",
    "info",
    "pv",
    "score",
    "cp",
    "wdl",
    "string",
    "hashfull",
    "time",
    "-1",
    "p1turn",
    "result",
];
const ENGINES: &[&str] = &[
    "[a]",
    "[b.c]",
    "\n",
    "command",
    "library",
    "protocol",
    "options",
    "startup",
    "move",
    "folder",
    "=",
    "\"ugi\"",
    "'gtp'",
    "\"10s\"",
    "{ Hash = 64 }",
    "[\"x\", \"y\"]",
    "'x'",
    "[",
    "}",
    "7",
    "true",
    "\"\"\"",
];
const QUERY: &[&str] = &[
    "{",
    "}",
    "\"id\":",
    "\"a\"",
    ",",
    "\"game\":",
    "\"reversi:4x4\"",
    "\"moves\":",
    "[\"a2\"]",
    "\"maxVisits\":",
    "3",
    "\"maxTime\":",
    "-1",
    "1e9",
    "\"analyzeTurns\":",
    "[0,1]",
    "\"action\":",
    "\"terminate\"",
    "\"terminateId\":",
    "\"position\":",
    "null",
    "\"priorities\":",
    "{\"id\":\"a\",\"game\":\"connect-four:4x4\",\"maxVisits\":2",
    "\"reportDuringSearchEvery\":",
    "\"seed\":",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(500, 2000)))]

    #[test]
    fn framed_stones_of_saiblo(x in 0..=16usize, y in 0..=16usize) {
        let stone = saiblo::Stone { x, y };
        let framed = read_piece(Framing::Length, &mut Cursor::new(stone.framed())).expect("memory can be read");
        prop_assert_eq!(framed, Piece::Message(stone.to_string()));
    }

    #[test]
    fn any_information_of_ugi(line in words(UGI)) {
        let info = ugi::Info::read(&line);
        prop_assert_eq!(ugi::Info::read(&line), info);
    }

    #[test]
    fn any_engines_file(words in vec(piece(ENGINES), 0..16)) {
        if let Err(err) = read_engines(&words.join(" "), Path::new("base")) {
            prop_assert!(!err.to_string().contains('\n'));
        }
    }

    #[test]
    fn any_bytes_of_an_engine(bytes in vec(prop_oneof![Just(0u8), Just(b'\n'), Just(b'\r'), any::<u8>()], 0..40)) {
        for framing in [Framing::Lines, Framing::LinesOrEnd, Framing::Length] {
            let mut input = Cursor::new(&bytes);
            while let Ok(Piece::Message(text)) = read_piece(framing, &mut input) {
                prop_assert!(framing == Framing::Length || !text.contains('\n'));
            }
        }
    }
}

proptest! {
    // Each case starts a server.
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_lines_to_ugi(lines in vec(words(UGI), 0..12)) {
        let in_one_line = |line: &String| line.replace(['\n', '\r'], " ").replace("quit", "q") + "\n";
        let noise: String = lines.iter().map(in_one_line).collect();
        // A search without a limit ends with the next line.
        let text = format!("setoption name Player value random\n{noise}stop\nugi\n");
        let mut output = Vec::new();
        ugi::serve(catalog(), Timer::WALL, Cursor::new(text.into_bytes()), &mut output).expect("memory can be written");
        let output = String::from_utf8(output).expect("text");
        prop_assert!(output.ends_with("ugiok\n"), "{}", output);
    }

    #[test]
    fn any_query(lines in vec(vec(piece(QUERY), 0..14), 0..8)) {
        let server = analysis::AnalysisServer { setup: setup("random", "playouts=1"), threads: 1 };
        let mut text: String = lines.iter().map(|line| line.concat().replace('\n', " ") + "\n").collect();
        text += "{\"id\":\"last\",\"action\":\"query_version\"}\n";
        let mut output = Vec::new();
        analysis::serve(catalog(), &server, Cursor::new(text), &mut output).expect("memory can be written");
        let output = String::from_utf8(output).expect("text");
        prop_assert!(output.contains("\"id\":\"last\""), "{}", output);
        for line in output.lines() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", line);
        }
    }
}
