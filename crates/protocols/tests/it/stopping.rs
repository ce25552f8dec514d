//! Searches that would take minutes stop on request.

use std::time::{Duration, Instant};

use banyan_protocols::{analysis, nboard, sau};

use crate::dialogue::Dialogue;
use crate::{game, setup};

/// Far longer than any of these searches takes, far shorter than the budgets.
const SOON: Duration = Duration::from_secs(20);

const LONG: &str = "10m";

fn nboard() -> Dialogue {
    Dialogue::with(|input, output| nboard::serve(crate::catalog(), game("reversi"), setup("uct", LONG), input, output))
}

#[test]
fn a_ping_ends_what_nboard_thinks_about() {
    let begun = Instant::now();
    let mut dialogue = nboard();
    dialogue.send("go");
    dialogue.receive(|line| line.starts_with("status"));
    dialogue.send("ping 4");
    let lines = dialogue.receive(|line| line == "pong 4");
    let answers = lines.iter().filter(|line| line.starts_with("=== ")).count();
    assert_eq!((answers, lines.last().map(String::as_str)), (1, Some("pong 4")), "{lines:?}");
    dialogue.send("analyze");
    dialogue.receive(|line| line.starts_with("status B"));
    dialogue.send("quit");
    dialogue.end().0.expect("the server returns without error");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn the_end_of_input_ends_what_nboard_thinks_about() {
    let begun = Instant::now();
    let mut dialogue = nboard();
    dialogue.send("go");
    dialogue.receive(|line| line.starts_with("status"));
    let (ended, rest) = dialogue.end();
    ended.expect("the server returns without error");
    assert!(rest.iter().any(|line| line.starts_with("=== ")), "{rest:?}");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn long_searches_of_nboard_say_where_they_are() {
    let mut dialogue = nboard();
    dialogue.send("hint 1");
    let lines = dialogue.receive(|line| line.starts_with("nodestats"));
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    dialogue.send("quit");
    dialogue.end().0.expect("the server returns without error");
}

#[test]
fn the_end_of_a_game_ends_a_turn_of_sau_without_a_move() {
    let begun = Instant::now();
    let mut dialogue =
        Dialogue::with(|input, output| sau::serve(game("dots-and-boxes"), setup("uct", LONG), input, output));
    dialogue.send("new black");
    dialogue.send("end white");
    dialogue.send("name?");
    assert_eq!(dialogue.receive(|_| true), ["name Banyan"]);
    dialogue.end().0.expect("the server returns without error");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn a_terminated_query_answers_with_what_it_has() {
    let begun = Instant::now();
    let mut dialogue = Dialogue::with(|input, output| {
        let server = analysis::AnalysisServer { setup: setup("uct", LONG), threads: 1 };
        analysis::serve(crate::catalog(), &server, input, output)
    });
    dialogue.send(r#"{"id":"a","game":"reversi","moves":"f5","analyzeTurns":[0,1],"reportDuringSearchEvery":0.1}"#);
    assert!(dialogue.receive(|_| true)[0].contains(r#""isDuringSearch":true"#));
    // These wait: one turn is being searched, and another one precedes all but the last.
    dialogue.send(r#"{"id":"b","game":"reversi","maxVisits":10}"#);
    dialogue.send(r#"{"id":"c","game":"reversi","maxVisits":10,"priority":1}"#);
    dialogue.send(r#"{"id":"t","action":"terminate","terminateId":"a"}"#);
    let (ended, lines) = dialogue.end();
    ended.expect("the server returns without error");
    let finals: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains(r#""isDuringSearch":false"#))
        .map(|line| line.split(r#","v":"#).next().expect("a beginning"))
        .collect();
    let done = |id: &str, turn: u32| format!(r#"{{"id":"{id}","turnNumber":{turn},"isDuringSearch":false"#);
    assert_eq!(finals, [done("a", 1) + r#","noResults":true}"#, done("a", 0), done("c", 0), done("b", 0)], "{lines:?}");
    assert!(begun.elapsed() < SOON);
}
