//! Engines of engines.toml, over HTTP.
#![cfg(unix)]

use std::path::PathBuf;
use std::time::Duration;

use banyan_protocols::process::Launch;
use banyan_protocols::{Engine, Protocol};
use serde_json::json;

use crate::{LIMITS, Running};

/// Speaks UGI, and plays column 3 in every position.
const THIRD: &str = r#"
    while read -r command; do
        case $command in
            ugi) echo "ugiok" ;;
            isready) echo "readyok" ;;
            go*) echo "bestmove 3" ;;
            quit) exit ;;
        esac
    done"#;

fn third() -> Engine {
    let protocol = Protocol::named("ugi").expect("a protocol");
    let arguments = ["-c", THIRD].map(str::to_owned).to_vec();
    let launch = Launch { program: PathBuf::from("sh"), arguments, folder: None, framing: protocol.framing };
    let (startup, move_time) = (Duration::from_secs(20), Duration::from_secs(20));
    Engine { name: "third".to_owned(), launch, protocol, options: Vec::new(), startup, move_time }
}

#[test]
fn an_engine_of_another_program_moves_and_plays_matches() {
    let server = Running::with_engines(LIMITS, vec![third()]);
    assert_eq!(server.get("/api/about").ok()["engines"], json!([{"name": "third", "protocol": "ugi"}]));
    let spot = json!({"game": "connect-four", "moves": ["4", "4"]});
    let query = json!({"spot": spot, "player": "third", "budget": "5s"});
    assert_eq!(server.post_for_events("/api/move", &query).last("done")["best"], "3");
    // An illegal move is an error of the engine, and not of the server.
    let full = json!({"game": "connect-four:4x4", "moves": ["3", "3", "3", "3"]});
    let query = json!({"spot": full, "player": "third", "budget": "5s"});
    let error = server.post_for_events("/api/move", &query).last("error");
    assert!(error["error"].as_str().is_some_and(|text| text.contains("third")), "{error}");
    let query = json!({"game": "connect-four", "players": ["third", "random"], "pairs": 1, "budget": "5s"});
    let path = server.asked("/api/matches", &query);
    let done = server.events(&format!("{path}/events")).last("done");
    assert_eq!((&done["games"], &done["players"]), (&json!(2), &json!(["third", "random"])));
}

/// As when a signal ends the program: the match is aborted first, then the engines are killed.
#[test]
fn an_engine_that_is_killed_after_its_match_was_aborted_loses_no_game() {
    let mut server = Running::with_engines(LIMITS, vec![third()]);
    let query = json!({"game": "connect-four", "players": ["third", "random"], "pairs": 1000, "budget": "5s"});
    let path = server.asked("/api/matches", &query);
    let mut events = server.events(&format!("{path}/events"));
    assert!(std::iter::from_fn(|| events.next()).any(|(name, _)| name == "live"));
    server.stopper.abort_match();
    events.last("done");
    assert_eq!(server.get(&path).ok()["state"], "stopped");
    let games = server.get(&format!("{path}/games")).ok();
    let faults = games["games"].as_array().expect("games").iter().filter(|game| game["fault"].is_string());
    // A game that the engine loses by an illegal move is not caused by the signal.
    assert!(faults.into_iter().all(|game| !game["fault"].to_string().contains("ended")), "{games}");
    server.stop();
}
