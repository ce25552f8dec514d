//! Positions as sent to the page.

use serde_json::{Value, json};

use crate::Running;

fn state(server: &Running, game: &str, moves: &str) -> Value {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    server.post("/api/state", &json!({"game": game, "moves": moves})).ok()
}

/// The preview of a legal move.
fn legal<'a>(state: &'a Value, mv: &str) -> &'a Value {
    let found = state["legal"].as_array().expect("moves").iter().find(|legal| legal["move"] == mv);
    found.unwrap_or_else(|| panic!("{mv} in {state}"))
}

#[test]
fn a_stone_of_connect_four_falls_in_its_column() {
    let server = Running::start();
    let state = state(&server, "connect-four:4x5,hole=b2", "1 2");
    assert_eq!(state["title"], "Connect Four 4x5, hole=b2");
    assert_eq!((&state["to_move"], &state["ply"], &state["start"]), (&json!(0), &json!(2), &Value::Null));
    assert_eq!(state["moves"], json!([{"move": "1", "side": 0}, {"move": "2", "side": 1}]));
    let second = legal(&state, "2");
    // Above the hole.
    assert_eq!((&second["at"], &second["after"]["cells"]), (&json!({"column": 1}), &json!([[1, 1, 0]])));
    let picture = &state["picture"];
    assert_eq!((&picture["rows"], &picture["columns"], &picture["edges"]), (&json!(4), &json!(5), &Value::Null));
    assert_eq!(picture["cells"][15], json!({"o": 0}));
    assert_eq!(picture["cells"][16], json!({"o": 1, "last": 1}));
    assert_eq!(picture["cells"][11], json!({"hole": 1}));
}

#[test]
fn discs_of_reversi_are_previewed_with_those_they_flip() {
    let server = Running::start();
    let start = state(&server, "reversi:4x4", "");
    let mv = legal(&start, "b1");
    assert_eq!((&mv["at"], &mv["after"]["cells"]), (&json!({"cell": [0, 1]}), &json!([[0, 1, 0], [1, 1, 0]])));
    assert_eq!(start["points"], json!([2, 2]));
}

#[test]
fn every_move_has_the_points_after_it_where_the_game_has_points() {
    let server = Running::start();
    let points = |game: &str, moves: &str| -> Vec<Value> {
        let state = state(&server, game, moves);
        state["moves"].as_array().expect("moves").iter().map(|mv| mv["points"].clone()).collect()
    };
    assert_eq!(points("reversi", "f5 d6"), [json!([4, 1]), json!([3, 3])]);
    assert_eq!(points("dots-and-boxes:1x1", "h0,0 h1,0 v0,0 v0,1").last(), Some(&json!([0, 1])));
    assert_eq!(points("connect-four", "4"), [Value::Null]);
}

#[test]
fn a_game_offers_its_own_players_and_names_published_systems() {
    let server = Running::start();
    let about = server.get("/api/about").ok();
    for (game, own, foreign) in [
        ("connect-four", "uct-2019", "uct-dots-study"),
        ("reversi", "uct-reversi-report", "mcgs-lionjump"),
        ("dots-and-boxes", "alpha-beta-dots-study", "uct-2023"),
    ] {
        let games = about["games"].as_array().expect("games");
        let found = games.iter().find(|one| one["name"] == game).expect("the game");
        let players = found["players"].as_array().expect("players");
        let has = |name: &str, published: bool| players.contains(&json!({"name": name, "published": published}));
        assert!(has("best", false) && has("uct", false) && has(own, true), "{players:?}");
        assert!(!players.iter().any(|player| player["name"] == foreign || player["name"] == "vote"), "{players:?}");
    }
}

#[test]
fn a_pass_is_made_nowhere() {
    let server = Running::start();
    let position = json!({"game": "reversi:4x4", "position": "xo2/1xo1/1xx1/4 o"});
    let state = server.post("/api/state", &position).ok();
    let at: Vec<&Value> = state["legal"].as_array().expect("moves").iter().map(|legal| &legal["at"]).collect();
    assert_eq!(state["start"], state["position"]);
    assert!(!at.is_empty());
    let position = json!({"game": "reversi:4x4", "position": "4/xxo1/xxx1/4 o"});
    let state = server.post("/api/state", &position).ok();
    for legal in state["legal"].as_array().expect("moves") {
        let is_pass = legal["move"] == "pass";
        assert_eq!(legal["at"] == Value::Null, is_pass, "{legal}");
        assert_eq!(legal["after"]["cells"].as_array().expect("cells").is_empty(), is_pass, "{legal}");
    }
}

#[test]
fn an_edge_closes_a_box() {
    let server = Running::start();
    let state = state(&server, "dots-and-boxes:1x1", "h0,0 h1,0 v0,0");
    let mv = legal(&state, "v0,1");
    assert_eq!((&mv["at"], &mv["after"]["cells"]), (&json!({"edge": 3}), &json!([[0, 0, 1]])));
    assert_eq!(state["moves"][2], json!({"move": "v0,0", "side": 0, "id": 2, "points": [0, 0]}));
    assert_eq!(state["picture"]["edges"], json!([{"drawn": 1}, {"drawn": 1}, {"drawn": 1, "last": 1}, {}]));
    assert_eq!(state["structure"]["parts"][0]["kind"], "on-offer");
}

#[test]
fn a_position_has_the_name_of_its_opening() {
    let server = Running::start();
    for (game, moves, name) in [
        ("reversi", "d3 c5 f6 f5 e6", json!("Tiger")),
        ("reversi", "", Value::Null),
        ("reversi:6x6", "", Value::Null),
        ("connect-four", "4 4", Value::Null),
    ] {
        assert_eq!(state(&server, game, moves)["opening"], name, "{game} {moves}");
    }
}

#[test]
fn a_finished_game_has_a_result_in_words_and_no_moves() {
    let server = Running::start();
    let state = state(&server, "connect-four", "1 2 1 2 1 2 1");
    assert_eq!(state["result"], json!({"winner": 0, "margin": 18, "text": "X wins with 17 stones to spare"}));
    assert_eq!((&state["to_move"], &state["legal"]), (&Value::Null, &json!([])));
    let winning = state["picture"]["cells"].as_array().expect("cells").iter().filter(|cell| cell["win"] == 1);
    assert_eq!(winning.count(), 4);
}

#[test]
fn wrong_positions_name_the_field() {
    let server = Running::start();
    let refused = |body: Value| {
        let answer = server.post("/api/state", &body);
        let error = answer.refused(400);
        (answer.json()["field"].as_str().map(str::to_owned), error)
    };
    for (body, field, part) in [
        (json!({"game": "chess"}), Some("game"), "unknown game \"chess\""),
        (json!({"game": "connect-four:99x99"}), Some("game"), "at most 15 rows"),
        (json!({"game": "reversi", "moves": ["f5", "a1"]}), Some("moves"), "move 2: "),
        (json!({"game": "reversi", "position": "8 x"}), Some("position"), ""),
        (json!({"moves": []}), None, "missing field `game`"),
        (json!([1]), None, "body: "),
    ] {
        let (found, error) = refused(body.clone());
        assert_eq!(found.as_deref(), field, "{body}: {error}");
        assert!(error.contains(part), "{body}: {error}");
    }
}

#[test]
fn boards_that_are_set_up_become_positions() {
    let server = Running::start();
    let edit = |game: &str, cells: &str, to_move: Value| {
        server.post("/api/edit", &json!({"game": game, "cells": cells, "to_move": to_move}))
    };
    for (game, cells, to_move, expected) in [
        ("connect-four:4x5", "...../...../...../XO...", Value::Null, "5/5/5/xo3 x"),
        ("connect-four:4x5", "...../...../...../XOX..", Value::Null, "5/5/5/xox2 o"),
        ("connect-four:4x4", "....\n....\n....\nX...\n", json!(1), "4/4/4/x3 o"),
        ("reversi:4x4", "..../.OX./.XO./....", json!(0), "4/1ox1/1xo1/4 x"),
        ("dots-and-boxes:1x1", "1/1/11 1-0", json!(0), "1/1/11 x 1-0"),
    ] {
        assert_eq!(edit(game, cells, to_move).ok()["position"], expected, "{cells}");
    }
    let error = edit("connect-four:4x4", "X.../..../..../....", Value::Null).refused(400);
    assert!(error.contains("float") || error.contains("fall") || !error.is_empty(), "{error}");
    edit("connect-four:4x4", "..../..../..../X...", json!(7)).refused(400);
}

#[test]
fn the_server_tells_what_it_has() {
    let server = Running::start();
    let about = server.get("/api/about").ok();
    let names: Vec<&str> =
        about["games"].as_array().expect("games").iter().map(|game| game["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["connect-four", "reversi", "dots-and-boxes"]);
    assert_eq!(about["games"][2]["title"], "Dots and Boxes");
    assert_eq!(
        about["games"][1]["sizes"],
        json!({"rows": [4, 10], "columns": [4, 10], "step": 2, "square": true, "holes": false})
    );
    let facts = |game: usize| ["default_size", "style", "structure"].map(|fact| about["games"][game][fact].clone());
    assert_eq!(facts(0), [json!([6, 7]), json!("drop"), json!(true)]);
    assert_eq!(facts(1), [json!([8, 8]), json!("discs"), json!(false)]);
    assert_eq!(facts(2), [json!([5, 5]), json!("boxes"), json!(true)]);
    assert!(about["players"].as_array().expect("players").iter().any(|player| player["player"] == "mcgs"));
    assert_eq!(
        about["limits"],
        json!({"threads": 2, "memory_mib": 64, "searches": 4, "sessions": 4, "pairs": 100_000, "players": 32, "match_mib": 64})
    );
}

#[test]
fn the_sample_moves_of_every_game_are_legal() {
    let server = Running::start();
    for game in server.get("/api/about").ok()["games"].as_array().expect("games") {
        let moves = game["sample"].as_array().expect("moves");
        let state = server.post("/api/state", &json!({"game": game["spec"], "moves": moves})).ok();
        assert_eq!((moves.is_empty(), &state["ply"]), (false, &json!(moves.len())), "{}", game["name"]);
    }
}

/// All board sizes that the page offers can be played.
#[test]
fn the_smallest_and_the_largest_board_of_every_game_exist() {
    let server = Running::start();
    for game in server.get("/api/about").ok()["games"].as_array().expect("games") {
        let (name, sizes) = (game["name"].as_str().expect("a name"), &game["sizes"]);
        for end in 0..2 {
            let spec = format!("{name}:{}x{}", sizes["rows"][end], sizes["columns"][end]);
            server.post("/api/state", &json!({"game": spec})).ok();
        }
    }
}
