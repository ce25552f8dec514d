//! Arbitrary requests: each is answered, and the server keeps running.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::Running;

const PATHS: [&str; 11] = [
    "/api/state",
    "/api/edit",
    "/api/analysis",
    "/api/move",
    "/api/solve",
    "/api/import",
    "/api/review",
    "/api/export/svg",
    "/api/matches",
    "/api/sweeps",
    "/api/matches/x/stop",
];

/// Arbitrary JSON, mostly with the fields of requests.
fn json_of_any_kind() -> impl Strategy<Value = Value> {
    let game =
        prop::sample::select(vec!["connect-four", "reversi:4x4", "dots-and-boxes:1x1", "connect-four:0x0", "x", ""]);
    let text = prop_oneof!["[-a-z0-9,:=/+.]{0,12}".prop_map(Value::from), ".{0,8}".prop_map(Value::from)];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone(),
        game.clone().prop_map(Value::from),
        prop::collection::vec(text.clone(), 0..4).prop_map(Value::from),
    ];
    let spot = (game, text, leaf.clone())
        .prop_map(|(game, position, moves)| json!({"game": game, "position": position, "moves": moves}));
    let fields = prop::sample::select(vec![
        "game",
        "position",
        "moves",
        "cells",
        "to_move",
        "player",
        "budget",
        "seed",
        "keep",
        "text",
        "base64",
        "players",
        "pairs",
        "vary",
        "spot",
        "structure",
    ]);
    let value = prop_oneof![leaf.clone(), spot];
    prop_oneof![leaf, prop::collection::hash_map(fields, value, 0..8).prop_map(|map| json!(map))]
}

#[test]
fn every_request_is_answered() {
    let server = Running::start();
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let request = (prop::sample::select(PATHS.to_vec()), json_of_any_kind());
    let answered = |(path, mut body): (&str, Value)| {
        if let Some(fields) = body.as_object_mut().filter(|_| path == "/api/move" || path == "/api/solve") {
            // A valid request ends soon.
            fields.insert("budget".to_owned(), json!("1ms"));
        }
        let answer = server.post(path, &body);
        prop_assert!(answer.status != 500, "{path} {body}: {}", answer.text());
        if answer.status >= 400 {
            prop_assert!(answer.json()["error"].is_string(), "{path} {body}: {}", answer.text());
        }
        Ok(())
    };
    runner.run(&request, answered).expect("every request is answered");
    server.get("/api/about").ok();
}

#[test]
fn bytes_that_are_no_request_do_no_harm() {
    let server = Running::start();
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    let head = prop::sample::select(vec!["", "GET / HTTP/1.1\r\nHost: localhost\r\n", "POST /api/state HTTP/1.1\r\n"]);
    let sent = |(head, bytes): (&str, Vec<u8>)| {
        let mut stream = TcpStream::connect(server.address).expect("the server listens");
        let _ = stream.write_all(&[head.as_bytes(), &bytes].concat());
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        Ok(())
    };
    runner.run(&(head, prop::collection::vec(any::<u8>(), 0..200)), sent).expect("nothing is asserted");
    server.get("/api/about").ok();
}
