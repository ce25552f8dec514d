//! The files of the page.

use serde_json::{Value, json};

use crate::Running;
use crate::client::Answer;

#[test]
fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = Running::start();
    let first = server.get("/");
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(first.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'self'")));
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = server.request("GET /", &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    let other = server.request("GET /", "If-None-Match: \"0\"\r\n", b"");
    assert_eq!((other.status, other.body == first.body), (200, true));
}

#[test]
fn files_have_their_media_types() {
    let server = Running::start();
    for (path, expected) in [
        ("/app.css", "text/css; charset=utf-8"),
        ("/js/main.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        assert_eq!(server.get(path).header("content-type"), Some(expected), "{path}");
    }
}

#[test]
fn what_is_not_there_is_an_error_in_json() {
    let server = Running::start();
    for path in ["/none.js", "/../Cargo.toml", "/api", "/api/none", "/api/analysis/none", "/api/matches/none/games"] {
        server.get(path).refused(404);
    }
    server.get("/api/state").refused(405);
    for request in ["POST /", "DELETE /app.css", "POST /none.js", "OPTIONS /api/state", "TRACE /api/about"] {
        server.request(request, "", b"").refused(405);
    }
}

#[test]
fn paths_and_queries_of_any_kind_are_answered_in_json() {
    let server = Running::start();
    let long = "x".repeat(30_000);
    for (path, status) in [
        ("/api/", 404),
        ("/api//about", 404),
        ("/api/analysis/%ff", 400),
        ("/api/analysis/%ff/tree", 400),
        ("/api/review/%c3%28", 400),
        ("/api/matches/%ff", 400),
        ("/api/matches/x/games/%ff", 400),
        ("/api/analysis/%zz", 404),
        ("/api/analysis/%", 404),
        ("/api/analysis/x%0ay", 404),
        ("/api/matches/x/games?from=-1", 400),
        ("/api/matches/x/games?from", 400),
        ("/api/matches/x/games?from=%31", 400),
        ("/api/matches/x/games?from=99999999999999999999", 400),
        ("/api/analysis/x/tree?nodes=", 400),
        ("/%ff", 404),
        ("//", 404),
        (&format!("/{long}"), 404),
        (&format!("/api/{long}"), 404),
        (&format!("/api/matches/{long}"), 404),
    ] {
        let error = server.get(path).refused(status);
        assert!(error.len() < 1000, "{error}");
    }
    // Targets that are not paths.
    for target in ["OPTIONS *", "CONNECT localhost:80"] {
        let answer = server.request(target, "", b"");
        assert!(matches!(answer.status, 400 | 403 | 404 | 405), "{target}: {}", answer.status);
        answer.refused(answer.status);
    }
}

#[test]
fn no_answer_is_taken_for_what_it_is_not() {
    let server = Running::start();
    let answers = [
        server.get("/"),
        server.get("/api/about"),
        server.get("/api/none"),
        server.post("/api/export/svg", &json!({"game": "reversi"})),
        server.request("GET /", "Host: evil.example\r\n", b""),
    ];
    for answer in answers {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{answer:?}");
        assert!(
            answer.header("content-security-policy").is_some_and(|policy| policy.contains("frame-ancestors 'none'"))
        );
    }
}

#[test]
fn errors_have_a_code_that_stays() {
    let server = Running::start();
    let code = |answer: Answer| answer.json()["code"].as_str().unwrap_or_default().to_owned();
    let wrong = |body: Value| code(server.post("/api/state", &body));
    assert_eq!(wrong(json!({"game": "chess"})), "invalid-game");
    assert_eq!(wrong(json!({"game": "reversi", "moves": ["a1"]})), "invalid-moves");
    assert_eq!(wrong(json!({})), "invalid");
    assert_eq!(code(server.get("/api/none")), "not-found");
    assert_eq!(code(server.get("/api/state")), "wrong-method");
    assert_eq!(code(server.request("GET /", "Host: evil.example\r\n", b"")), "forbidden");
    let edit = json!({"game": "reversi", "cells": "X", "to_move": 7});
    assert_eq!(code(server.post("/api/edit", &edit)), "invalid-to-move");
}
