//! Searches: events, kept trees, and the conditions that end them.

use banyan_web::ServerLimits;
use serde_json::{Value, json};

use crate::{LIMITS, Running};

fn spot(game: &str, moves: &[&str]) -> Value {
    json!({"game": game, "moves": moves})
}

#[test]
fn the_same_seed_and_playouts_give_the_same_analysis() {
    let server = Running::start();
    let query = json!({"spot": spot("reversi", &["f5"]), "player": "mcgs", "budget": "playouts=2000", "seed": 7});
    let analysis = || server.events(&server.asked("/api/analysis", &query)).last("done");
    let (one, other) = (analysis(), analysis());
    assert_eq!((&one["best"], &one["moves"], &one["value"]), (&other["best"], &other["moves"], &other["value"]));
    assert_eq!(one["playouts"], json!(2000));
    assert!(one["rate"].as_f64().is_some_and(|rate| rate > 0.0), "{one}");
}

#[test]
fn every_move_of_an_analysis_has_a_value_and_in_play_the_best_one() {
    let server = Running::start();
    let query = |lines: Option<u32>| json!({"spot": spot("reversi:6x6", &["c2"]), "player": "pvs", "budget": "depth=5", "lines": lines});
    let of = |done: &Value| {
        let moves = done["moves"].as_array().expect("moves").iter();
        moves.map(|mv| (mv["margin"].is_number(), mv["at_most"]["margin"].is_number())).collect::<Vec<_>>()
    };
    let all = server.events(&server.asked("/api/analysis", &query(None))).last("done");
    assert!(of(&all).len() > 2 && of(&all).iter().all(|&found| found == (true, false)), "{all}");
    let two = server.events(&server.asked("/api/analysis", &query(Some(2)))).last("done");
    let alone = server.post_for_events("/api/move", &query(None)).last("done");
    for (found, n) in [(of(&two), 2), (of(&alone), 1)] {
        assert!(found.iter().enumerate().all(|(i, &found)| found == (i < n, i >= n)), "{n}: {found:?}");
    }
    assert_eq!(all["best"], alone["best"]);
}

#[test]
fn a_viewer_continues_with_the_tree_of_the_position_before() {
    let server = Running::start();
    let query = |moves: &[&str], keep: &str, playouts: u64| {
        let budget = format!("playouts={playouts}");
        json!({"spot": spot("connect-four", moves), "player": "uct", "budget": budget, "keep": keep})
    };
    let done = |query: &Value| server.events(&server.asked("/api/analysis", query)).last("done");
    assert_eq!(done(&query(&[], "me", 5000))["reused"], 0.0);
    let reused = done(&query(&["4"], "me", 100))["reused"].as_f64().expect("a share");
    assert!(reused > 0.05, "{reused}");
    // The same viewer again, another viewer, and no viewer.
    assert!(done(&query(&["4", "4"], "me", 100))["reused"].as_f64().is_some_and(|reused| reused > 0.0));
    assert_eq!(done(&query(&["4"], "you", 100))["reused"], 0.0);
    assert_eq!(done(&query(&["4"], "", 100))["reused"], 0.0);
}

#[test]
fn the_next_analysis_of_a_viewer_ends_the_one_before() {
    let server = Running::start();
    let query = |moves: &[&str]| json!({"spot": spot("connect-four", moves), "player": "uct", "keep": "me"});
    let mut first = server.events(&server.asked("/api/analysis", &query(&[])));
    assert_eq!(first.next().expect("an event").0, "progress");
    let mut second = server.events(&server.asked("/api/analysis", &query(&["4"])));
    assert_eq!(second.next().expect("an event").0, "progress");
    first.last("done");
}

#[test]
fn a_search_ends_when_it_is_deleted() {
    let server = Running::start();
    let path = server.asked("/api/analysis", &json!({"spot": spot("reversi", &[]), "player": "uct"}));
    let mut events = server.events(&path);
    assert_eq!(events.next().expect("an event").0, "progress");
    assert_eq!(server.request(&format!("DELETE {path}"), "", b"").status, 204);
    events.last("done");
    // It cannot begin again.
    server.get(&path).refused(410);
}

#[test]
fn a_search_ends_when_its_viewer_leaves() {
    let server = Running::with(ServerLimits { searches: 1, ..LIMITS });
    for _ in 0..5 {
        let path = server.asked("/api/analysis", &json!({"spot": spot("reversi", &[]), "player": "uct"}));
        let mut events = server.events(&path);
        assert_eq!(events.next().expect("an event").0, "progress");
    }
    // There is room for one search, which the last of these had.
    let query = json!({"spot": spot("reversi", &[]), "player": "uct", "budget": "playouts=5"});
    assert_eq!(server.post_for_events("/api/move", &query).last("done")["playouts"], 5);
}

#[test]
fn the_end_of_the_server_ends_its_searches() {
    let mut server = Running::start();
    let mut events =
        server.events(&server.asked("/api/analysis", &json!({"spot": spot("reversi", &[]), "player": "uct"})));
    assert_eq!(events.next().expect("an event").0, "progress");
    let reader = std::thread::spawn(move || events.last("done"));
    server.stop();
    assert!(reader.join().expect("the last event")["playouts"].as_u64().is_some_and(|n| n > 0));
}

#[test]
fn the_tree_of_a_search_is_shown_while_it_runs_and_after_its_end() {
    let server = Running::start();
    let query = json!({"spot": spot("reversi", &["f5"]), "player": "mcgs", "keep": "me"});
    let path = server.asked("/api/analysis", &query);
    server.get(&format!("{path}/tree")).refused(404);
    let mut events = server.events(&path);
    // Waits until the tree is large enough.
    let grown = std::iter::from_fn(|| events.next()).find(|(_, data)| data["playouts"].as_u64() > Some(5000));
    let (_, progress) = grown.expect("a search that goes on");
    let tree = server.get(&format!("{path}/tree?nodes=12")).ok();
    let nodes = tree["nodes"].as_array().expect("nodes");
    assert_eq!((nodes.len(), &nodes[0]["moves"], &nodes[0]["position"]), (12, &json!([]), &progress["position"]));
    for node in &nodes[1..] {
        let moves: Vec<String> = serde_json::from_value(node["moves"].clone()).expect("moves");
        let at: Vec<&str> = std::iter::once("f5").chain(moves.iter().map(String::as_str)).collect();
        let state = server.post("/api/state", &spot("reversi", &at)).ok();
        assert_eq!(state["position"], node["position"], "{moves:?}");
    }
    // The search continues, and its counts include the part before the pause.
    let (name, later) = events.next().expect("an event");
    assert_eq!(name, "progress");
    assert!(later["playouts"].as_u64() >= progress["playouts"].as_u64(), "{later}");
    server.request(&format!("DELETE {path}"), "", b"");
    events.last("done");
    let kept = server.get(&format!("{path}/tree")).ok();
    assert_eq!(kept["nodes"].as_array().map(Vec::len), Some(60));
    server.get(&format!("{path}/tree?nodes=many")).refused(400);
}

#[test]
fn a_player_without_a_tree_says_so() {
    let server = Running::start();
    let path = server.asked("/api/analysis", &json!({"spot": spot("reversi", &[]), "player": "pvs", "keep": "me"}));
    assert!(server.get(&format!("{path}/tree")).refused(400).contains("keeps no search tree"));
}

#[test]
fn a_finished_game_has_its_verdict() {
    let server = Running::start();
    let moves = ["1", "2", "1", "2", "1", "2", "1"];
    let query = json!({"spot": spot("connect-four", &moves), "budget": "1s"});
    let done = server.post_for_events("/api/move", &query).last("done");
    assert_eq!((&done["best"], &done["value"]), (&Value::Null, &json!(-1.0)));
}

/// Players available in every game.
const EVERYWHERE: [&str; 12] =
    ["best", "random", "greedy", "uct", "graph", "mcgs", "negamax", "pvs", "mtdf", "solver", "level-1", "level-10"];

#[test]
fn every_built_in_player_moves() {
    let server = Running::start();
    let players = server.get("/api/about").ok()["players"].clone();
    for player in players.as_array().expect("players") {
        let name = player["player"].as_str().expect("a name");
        let name = if name == "vote" { "vote:random+greedy" } else { name };
        for game in ["connect-four:4x4", "reversi:4x4", "dots-and-boxes:2x2"] {
            // Levels have fixed budgets, and accept a time in addition.
            let budget = if name.starts_with("level-") { "5s" } else { "playouts=50+nodes=500" };
            let query = json!({"spot": spot(game, &[]), "player": name, "budget": budget});
            let answer = server.post("/api/move", &query);
            let text = answer.text();
            // A name of levels, or a published system, that this game or board does not have.
            let is_refused = if answer.status == 400 {
                answer.json()["field"] == "player"
            } else {
                text.contains("event: error") && text.contains(r#""field":"player""#)
            };
            if is_refused && !EVERYWHERE.contains(&name) {
                continue;
            }
            assert!(answer.status == 200 && text.contains("event: done"), "{name} in {game}: {text}");
        }
    }
}
