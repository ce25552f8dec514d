//! Searches that would go on for minutes end when the other side says so.

use std::time::{Duration, Instant};

use banyan_protocols::{analysis, nboard, sau};

use crate::dialogue::Dialogue;
use crate::{game, setup};

/// Far more than any of these takes, far less than the budgets.
const SOON: Duration = Duration::from_secs(20);

const LONG: &str = "10m";

fn nboard() -> Dialogue {
    Dialogue::with(|input, output| nboard::serve(&crate::catalog(), game("reversi"), setup("uct", LONG), input, output))
}

#[test]
fn a_ping_ends_what_nboard_thinks_about() {
    let begun = Instant::now();
    let mut dialogue = nboard();
    dialogue.say("go");
    dialogue.hear(|line| line.starts_with("status"));
    dialogue.say("ping 4");
    let lines = dialogue.hear(|line| line == "pong 4");
    let answers = lines.iter().filter(|line| line.starts_with("=== ")).count();
    assert_eq!((answers, lines.last().map(String::as_str)), (1, Some("pong 4")), "{lines:?}");
    dialogue.say("analyze");
    dialogue.hear(|line| line.starts_with("status B"));
    dialogue.say("quit");
    dialogue.end().0.expect("a server that is content");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn the_end_of_input_ends_what_nboard_thinks_about() {
    let begun = Instant::now();
    let mut dialogue = nboard();
    dialogue.say("go");
    dialogue.hear(|line| line.starts_with("status"));
    let (ended, rest) = dialogue.end();
    ended.expect("a server that is content");
    assert!(rest.iter().any(|line| line.starts_with("=== ")), "{rest:?}");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn long_searches_of_nboard_say_where_they_are() {
    let mut dialogue = nboard();
    dialogue.say("hint 1");
    let lines = dialogue.hear(|line| line.starts_with("nodestats"));
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    dialogue.say("quit");
    dialogue.end().0.expect("a server that is content");
}

#[test]
fn the_end_of_a_game_ends_a_turn_of_sau_without_a_move() {
    let begun = Instant::now();
    let mut dialogue =
        Dialogue::with(|input, output| sau::serve(game("dots-and-boxes"), setup("uct", LONG), input, output));
    dialogue.say("new black");
    dialogue.say("end white");
    dialogue.say("name?");
    assert_eq!(dialogue.hear(|_| true), ["name Banyan"]);
    dialogue.end().0.expect("a server that is content");
    assert!(begun.elapsed() < SOON);
}

#[test]
fn a_terminated_query_answers_with_what_it_has() {
    let begun = Instant::now();
    let mut dialogue = Dialogue::with(|input, output| {
        let server = analysis::AnalysisServer { setup: setup("uct", LONG), threads: 1 };
        analysis::serve(&crate::catalog(), &server, input, output)
    });
    dialogue.say(r#"{"id":"a","game":"reversi","moves":"f5","analyzeTurns":[0,1],"reportDuringSearchEvery":0.1}"#);
    assert!(dialogue.hear(|_| true)[0].contains(r#""isDuringSearch":true"#));
    // These wait: one turn is being searched, and another comes before all but the last.
    dialogue.say(r#"{"id":"b","game":"reversi","maxVisits":10}"#);
    dialogue.say(r#"{"id":"c","game":"reversi","maxVisits":10,"priority":1}"#);
    dialogue.say(r#"{"id":"t","action":"terminate","terminateId":"a"}"#);
    let (ended, lines) = dialogue.end();
    ended.expect("a server that is content");
    let finals: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains(r#""isDuringSearch":false"#))
        .map(|line| line.split(r#","v":"#).next().expect("a beginning"))
        .collect();
    let done = |id: &str, turn: u32| format!(r#"{{"id":"{id}","turnNumber":{turn},"isDuringSearch":false"#);
    assert_eq!(finals, [done("a", 1) + r#","noResults":true}"#, done("a", 0), done("c", 0), done("b", 0)], "{lines:?}");
    assert!(begun.elapsed() < SOON);
}
