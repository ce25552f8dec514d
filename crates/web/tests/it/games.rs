//! Solving, reviewing, importing and drawing of games.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::Running;

#[test]
fn a_position_is_solved() {
    let server = Running::start();
    let query = json!({"spot": {"game": "dots-and-boxes:1x1", "moves": ["h0,0"]}, "budget": "nodes=100000"});
    let solved = server.post_for_events("/api/solve", &query).last("done");
    // The side that draws the last edge gets the box.
    assert_eq!((&solved["margin"], solved["moves"].as_array().map(Vec::len)), (&json!(1), Some(3)));
    let query = json!({"spot": {"game": "reversi"}, "budget": "playouts=5"});
    server.post("/api/solve", &query).refused(400);
}

#[test]
fn a_review_marks_the_blunder() {
    let server = Running::start();
    // X loses the win with 5: O already has three in column 1.
    let moves = ["4", "1", "4", "1", "7", "1", "5", "1"];
    let query = json!({"spot": {"game": "connect-four", "moves": moves}, "player": "best", "budget": "playouts=200",
                       "players": ["me", "you"]});
    let review = server.events(&server.asked("/api/review", &query)).last("done");
    assert_eq!((&review["complete"], &review["players"]), (&json!(true), &json!(["me", "you"])));
    let moves = review["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 8);
    assert_eq!((&moves[6]["mark"], &moves[6]["best"]), (&json!("??"), &json!("1")), "{}", moves[6]);
    server.post("/api/review", &json!({"spot": {"game": "reversi"}})).refused(400);
}

#[test]
fn a_review_grows_from_the_last_move_on() {
    let server = Running::start();
    let moves = ["4", "1", "4", "1", "7", "1", "5", "1"];
    let query = json!({"spot": {"game": "connect-four", "moves": moves}, "player": "uct", "budget": "50ms"});
    let mut events = server.events(&server.asked("/api/review", &query));
    let (name, progress) = events.next().expect("an event");
    assert_eq!((name.as_str(), &progress["of"]), ("progress", &json!(9)));
    let reviewed = progress["review"]["moves"].as_array().expect("moves");
    assert!(
        reviewed.len() < 8 && reviewed.iter().all(|mv| mv["ply"].as_u64().is_some_and(|ply| ply > 1)),
        "{progress}"
    );
    events.last("done");
}

const GGF: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O\
    --------------------------- *]B[F5]W[F6];)";

/// The first record of a file, and the total number of records.
fn first(imported: &Value) -> (Value, u64) {
    (imported["records"][0].clone(), imported["of"].as_u64().expect("a number"))
}

#[test]
fn files_of_many_forms_are_imported() {
    let server = Running::start();
    let saved = r#"{"v":1,"game":"dots-and-boxes:1x1","position":null,"players":["a","b"],"moves":["h0,0","h1,0"]}"#;
    for (text, game, moves, n) in [
        ("4453\n71\n", "connect-four", json!(["4", "4", "5", "3"]), 2),
        ("f5d6c3", "reversi", json!(["f5", "d6", "c3"]), 1),
        (GGF, "reversi", json!(["f5", "f6"]), 1),
        (saved, "dots-and-boxes:1x1", json!(["h0,0", "h1,0"]), 1),
        ("position startpos moves 1 2 3", "connect-four", json!(["1", "2", "3"]), 1),
        ("> new black\n< move 1 AAA\n> move 1 BAA", "dots-and-boxes", json!(["h0,0", "v0,0"]), 1),
        ("1. f5 d6\r\n2. c3", "reversi", json!(["f5", "d6", "c3"]), 1),
        ("http://host/#g=reversi:6x6&m=e4(d5).e3&v=1", "reversi:6x6", json!(["e4", "e3"]), 1),
        ("11/10/01/111/010 o 1-0 x./..", "dots-and-boxes:2x2", json!([]), 1),
    ] {
        let (record, of) = first(&server.post("/api/import", &json!({"text": text, "name": "x"})).ok());
        assert_eq!((&record["game"], &record["moves"], of), (&json!(game), &moves, n), "{text}: {record}");
    }
    let (record, _) = first(&server.post("/api/import", &json!({"text": GGF})).ok());
    assert_eq!(record["players"], json!(["a", "b"]));
    let (record, _) = first(&server.post("/api/import", &json!({"text": "88", "game": "connect-four:8x8"})).ok());
    assert_eq!(record["game"], "connect-four:8x8");
}

#[test]
fn a_binary_file_is_imported_in_base64() {
    let server = Running::start();
    // A header of one game on 8x8, and its moves f5 d6 c3: ten times the row, and the column.
    let mut bytes = [0; 16 + 68];
    bytes[4] = 1;
    bytes[24..27].copy_from_slice(&[56, 64, 33]);
    let text = STANDARD.encode(bytes);
    let (record, of) = first(&server.post("/api/import", &json!({"base64": text, "name": "WTH_2024.wtb"})).ok());
    assert_eq!((&record["moves"], of), (&json!(["f5", "d6", "c3"]), 1), "{record}");
}

#[test]
fn what_is_no_game_is_refused() {
    let server = Running::start();
    for body in [
        json!({"text": "hello"}),
        json!({"text": ""}),
        json!({"base64": "!"}),
        json!({"text": "4453", "base64": "Zg=="}),
        json!({}),
        json!({"text": "position startpos moves 99"}),
        json!({"text": "{\"moves\":"}),
    ] {
        server.post("/api/import", &body).refused(400);
    }
}

#[test]
fn moves_before_a_mistake_are_imported_with_its_place() {
    let server = Running::start();
    for (text, n, part) in [
        ("1. f5 d6\n3. c3 d3", 2, "line 2, column 1: 3.: expected the number 2; "),
        ("f5 d6 c3 h0,0", 3, "line 1, column 10: move 4 of reversi: move \"h0\": expected a square"),
        ("1. f5 d6 2. c3 d3 42-22", 4, "line 1, column 19: result 42-22: expected more moves"),
    ] {
        let (record, _) = first(&server.post("/api/import", &json!({"text": text})).ok());
        let broken = record["broken"].as_str().expect("a mistake");
        assert!(broken.starts_with(part) && record["moves"].as_array().map(Vec::len) == Some(n), "{record}");
    }
}

#[test]
fn what_is_exported_is_imported() {
    let server = Running::start();
    for (game, position, moves) in [
        ("reversi", json!(null), json!(["f5", "d6", "c3", "d3"])),
        ("connect-four:8x9,hole=d3", json!(null), json!(["4", "5", "4", "9"])),
        ("dots-and-boxes", json!(null), json!(["h0,0", "v0,0", "h1,0", "v0,1", "h5,4"])),
        ("reversi:6x6", json!("6/6/2ox2/2xxx1/6/6 o"), json!(["c5"])),
    ] {
        let spot = json!({"game": game, "position": position, "moves": moves, "players": ["Ann", "mcgs"]});
        let forms = server.post("/api/export/text", &spot).ok()["forms"].as_array().expect("a list").clone();
        assert!(forms.len() >= 3, "{forms:?}");
        let state = server.post("/api/state", &spot).ok();
        for written in forms {
            // Moves alone do not name their board.
            let (record, of) = first(
                &server.post("/api/import", &json!({"text": written["text"], "game": given(game, &written)})).ok(),
            );
            let again = server.post("/api/state", &record).ok();
            assert_eq!((&again["game"], &again["position"], of), (&state["game"], &state["position"], 1), "{written}");
        }
        let drawing = server.post("/api/export/svg", &spot).text();
        let (record, _) = first(&server.post("/api/import", &json!({"text": drawing})).ok());
        assert_eq!((&record["game"], &record["position"]), (&state["game"], &state["position"]));
    }
}

/// The board to be given with moves that do not name it; empty for other forms.
fn given<'g>(game: &'g str, written: &Value) -> &'g str {
    if ["moves", "transcript"].contains(&written["form"].as_str().expect("a name")) { game } else { "" }
}

#[test]
fn a_position_is_drawn() {
    let server = Running::start();
    let answer = server.post("/api/export/svg", &json!({"game": "reversi", "moves": ["f5"]}));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/svg+xml")));
    assert!(answer.text().contains("<title>reversi: 8/8/8/3ox3/3xxx2/8/8/8 o</title>"), "{}", answer.text());
    let structure = json!({"game": "dots-and-boxes:1x1", "moves": ["h0,0", "h1,0", "v0,0"], "structure": true});
    assert!(server.post("/api/export/svg", &structure).text().contains(">+1</text>"));
}

#[test]
fn files_that_would_take_much_memory_are_refused_or_read_in_part() {
    let server = Running::start();
    let import = |text: String| server.post("/api/import", &json!({"text": text}));
    for (text, part) in [
        ("4\n".repeat(300_000), "300000 lines: expected at most 200000"),
        ("4".repeat(2_000_000), "2000000 moves: expected at most 1000"),
        (format!("position startpos moves{}", " 1".repeat(1 << 20)), "expected at most 1024 KiB"),
        (format!("> new black\n< move 600000 {}", "AAA".repeat(600_000)), "expected at most 1024 KiB"),
        (format!("(;GM[Othello]{}", "B[F5]".repeat(100_000)), "expected ;) at its end, within 16384 bytes"),
        ("play b f5\n=\n".repeat(95_000), "expected at most 1024 KiB"),
        ("5 ".repeat(1 << 20), "1000 moves: expected at most 1000"),
    ] {
        let answer = import(text);
        let error = answer.refused(400);
        assert!(error.contains(part) && answer.json()["code"] == "invalid-text", "{part}: {error}");
    }
    // Of a collection the first games are returned, and the others only counted.
    let rows = import("4453\n".repeat(150_000)).ok();
    assert_eq!((rows["records"].as_array().map(Vec::len), &rows["of"]), (Some(1000), &json!(150_000)));
    let games = import(format!("{GGF}\n").repeat(5000)).ok();
    assert_eq!((games["records"].as_array().map(Vec::len), &games["of"]), (Some(1000), &json!(5000)));
    let mut bytes = vec![0; 16 + 68 * 3000];
    bytes[4..8].copy_from_slice(&3000_u32.to_le_bytes());
    bytes[24..].chunks_mut(68).for_each(|game| game[0] = 56);
    let games = server.post("/api/import", &json!({"base64": STANDARD.encode(bytes), "name": "x.wtb"})).ok();
    assert_eq!((games["records"].as_array().map(Vec::len), &games["of"]), (Some(1000), &json!(3000)));
}
