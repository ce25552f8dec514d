//! Matches and sweeps in folders of the server.

use banyan_web::ServerLimits;
use serde_json::{Value, json};

use crate::client::Events;
use crate::{LIMITS, Running};

/// All events of a stream by name.
fn all(mut events: Events) -> Vec<(String, Value)> {
    std::iter::from_fn(|| events.next()).collect()
}

fn of<'a>(events: &'a [(String, Value)], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|(found, _)| found == name).map(|(_, data)| data).collect()
}

const RUN: &str = "/api/matches";

fn start(server: &Running, pairs: u64) -> String {
    let query = json!({"game": "connect-four:4x4", "players": ["greedy", "random"], "pairs": pairs, "budget": "playouts=10",
                       "openings": "random:plies=2"});
    server.asked(RUN, &query)
}

#[test]
fn a_match_is_watched_to_its_end() {
    let server = Running::start();
    assert_eq!(server.get(RUN).ok(), json!({"matches": []}));
    let path = start(&server, 4);
    let events = all(server.events(&format!("{path}/events")));
    let snapshot = of(&events, "snapshot");
    assert_eq!((snapshot.len(), &snapshot[0]["of"], &snapshot[0]["kind"]), (1, &json!(8), &json!("match")));
    let done = of(&events, "done");
    assert_eq!((done.len(), &done[0]["games"], &done[0]["players"]), (1, &json!(8), &json!(["greedy", "random"])));
    assert_eq!(events.last().expect("events").0, "done");
    // Games that ended before the first event are in the snapshot.
    let seen = of(&events, "game_end").len() as u64 + snapshot[0]["games"].as_u64().expect("a number");
    assert!(seen >= 8, "{seen}");

    let result = server.get(&path).ok();
    assert_eq!(
        (&result["state"], &result["games"], &result["summary"]["games"]),
        (&json!("done"), &json!(8), &json!(8))
    );
    assert_eq!(result["entrants"][0]["name"], "greedy");
    let list = server.get(RUN).ok();
    assert_eq!(
        (&list["matches"][0]["state"], &list["matches"][0]["title"]),
        (&json!("done"), &json!("connect-four:4x4: greedy - random"))
    );
    let games = server.get(&format!("{path}/games?from=6")).ok();
    assert_eq!((games["games"].as_array().map(Vec::len), &games["of"]), (Some(2), &json!(8)));
    let line = server.get(&format!("{path}/games/3.1")).ok();
    assert_eq!((&line["pair"], &line["game"], &line["event"]), (&json!(3), &json!(1), &json!("game_end")));
    server.get(&format!("{path}/games/4.0")).refused(404);
    server.get(&format!("{path}/games/x")).refused(404);
    // A later viewer receives the end.
    let later = all(server.events(&format!("{path}/events")));
    assert_eq!((of(&later, "game_end").len(), of(&later, "done").len()), (0, 1));
    assert!(server.dir.join(path.trim_start_matches(RUN).trim_start_matches('/')).join("summary.json").exists());
    // Its games can be imported.
    let file = std::fs::read_to_string(server.dir.join(path.rsplit('/').next().expect("an id")).join("games.jsonl"));
    let imported = server.post("/api/import", &json!({"text": file.expect("games"), "name": "games.jsonl"})).ok();
    assert_eq!((&imported["of"], &imported["records"][0]["game"]), (&json!(8), &json!("connect-four:4x4")));
}

#[test]
fn a_match_is_stopped_and_resumed() {
    let server = Running::start();
    let path = start(&server, 50_000);
    assert!(
        server
            .post(RUN, &json!({"game": "reversi", "players": ["random", "greedy"]}))
            .refused(429)
            .contains("at most one")
    );
    let mut events = server.events(&format!("{path}/events"));
    let live = std::iter::from_fn(|| events.next()).find(|(name, _)| name == "game_end");
    assert!(live.is_some());
    assert_eq!(server.get(&path).ok()["state"], "running");
    assert_eq!(server.post(&format!("{path}/stop"), &Value::Null).status, 204);
    let stopped = events.last("done")["games"].as_u64().expect("a number");
    assert!(stopped < 100_000);
    assert_eq!(server.get(&path).ok()["state"], "stopped");
    assert_eq!(server.post(&format!("{path}/resume"), &Value::Null).status, 204);
    let mut events = server.events(&format!("{path}/events"));
    let game = std::iter::from_fn(|| events.next()).find(|(name, _)| name == "game_end");
    assert!(game.is_some());
    server.post(&format!("{path}/stop"), &Value::Null);
    assert!(events.last("done")["games"].as_u64() > Some(stopped));
}

#[test]
fn the_end_of_the_server_ends_a_match_and_keeps_its_games() {
    let mut server = Running::start();
    let path = start(&server, 50_000);
    let mut events = server.events(&format!("{path}/events"));
    assert!(std::iter::from_fn(|| events.next()).any(|(name, _)| name == "game_end"));
    let reader = std::thread::spawn(move || events.last("done"));
    server.stop();
    let games = reader.join().expect("the last event")["games"].as_u64().expect("a number");
    let file = server.dir.join(path.rsplit('/').next().expect("an id")).join("games.jsonl");
    let lines = std::fs::read_to_string(file).expect("games").lines().count() as u64;
    assert!(lines >= games && games > 0, "{lines} {games}");
}

#[test]
fn a_sweep_is_watched_to_its_end() {
    let server = Running::start();
    let query = json!({"game": "connect-four:4x4", "player": "uct", "vary": "c=0.2..1.0/3", "against": "random",
                       "pairs": 2, "budget": "playouts=20"});
    let answer = server.post("/api/sweeps", &query);
    assert_eq!(answer.status, 202, "{}", answer.text());
    let path = format!("{RUN}/{}", answer.json()["id"].as_str().expect("an id"));
    let events = all(server.events(&format!("{path}/events")));
    let done = of(&events, "done");
    assert_eq!((done.len(), done[0]["points"].as_array().map(Vec::len)), (1, Some(3)));
    let result = server.get(&path).ok();
    assert_eq!(
        (&result["kind"], &result["sweep"]["pairs"], &result["summary"]),
        (&json!("sweep"), &json!(6), &Value::Null)
    );
    for (field, wrong) in
        [("vary", json!("c")), ("vary", json!("nothing=1,2,3")), ("pairs", json!(0)), ("game", json!("x"))]
    {
        let mut query = query.clone();
        query[field] = wrong;
        server.post("/api/sweeps", &query).refused(400);
    }
}

#[test]
fn folders_outside_are_not_found() {
    let server = Running::start();
    std::fs::create_dir_all(server.dir.join("broken")).expect("a folder");
    std::fs::write(server.dir.join("broken/match.toml"), "x").expect("a file");
    for id in ["..", ".", "%2e%2e", "..%2f..", "none", "a%00b"] {
        for path in ["", "/games", "/events"] {
            let answer = server.get(&format!("{RUN}/{id}{path}"));
            assert!(matches!(answer.status, 400 | 404), "{id}{path}: {}", answer.status);
        }
        server.post(&format!("{RUN}/{id}/resume"), &Value::Null).refused(404);
    }
    // An unreadable folder is an error, and is not in the list.
    server.get(&format!("{RUN}/broken")).refused(400);
    assert_eq!(server.get(RUN).ok(), json!({"matches": []}));
}

#[test]
fn two_hundred_viewers_watch_one_match_at_once() {
    let server = Running::start();
    let query = json!({"game": "connect-four", "players": ["uct", "uct:c=1"], "pairs": 50_000, "budget": "playouts=500",
                       "openings": "random:plies=2"});
    let path = server.asked(RUN, &query);
    let mut viewers: Vec<Events> = (0..200).map(|_| server.events(&format!("{path}/events"))).collect();
    for viewer in &mut viewers {
        assert_eq!(viewer.next().expect("an event").0, "snapshot");
    }
    // The server answers other requests meanwhile.
    assert_eq!(server.get(&path).ok()["state"], "running");
    server.get("/api/about").ok();
    assert_eq!(server.post(&format!("{path}/stop"), &Value::Null).status, 204);
    let games = viewers.pop().expect("a viewer").last("done")["games"].clone();
    for viewer in viewers {
        assert_eq!(viewer.last("done")["games"], games);
    }
}

#[test]
fn lists_may_be_empty() {
    let server = Running::start();
    let vary = |vary: Value| {
        let query =
            json!({"game": "connect-four:4x4", "player": "uct", "vary": vary, "pairs": 1, "budget": "playouts=5"});
        server.post("/api/sweeps", &query)
    };
    for wrong in
        [json!([]), json!(""), json!([""]), json!(["c=1,2,3", "c=1,2,3"]), json!(["c=1,2,3", "fpu=1,2,3", "c=1,2,3"])]
    {
        let answer = vary(wrong.clone());
        answer.refused(400);
        assert_eq!(answer.json()["code"], "invalid-vary", "{wrong}");
    }
    for (path, body, field) in [
        (RUN, json!({"game": "connect-four", "players": []}), "players"),
        (RUN, json!({"game": "connect-four", "players": ["", ""]}), "players"),
        ("/api/review", json!({"spot": {"game": "connect-four", "moves": []}}), "moves"),
    ] {
        let answer = server.post(path, &body);
        answer.refused(400);
        assert_eq!(answer.json()["field"], field, "{body}");
    }
    server.post("/api/review", &json!({"spot": {"game": "connect-four", "moves": ["1"]}, "players": []})).refused(400);
    for path in ["/api/state", "/api/export/svg"] {
        assert_eq!(server.post(path, &json!({"game": "reversi", "moves": []})).status, 200);
    }
    let query = json!({"spot": {"game": "reversi", "moves": []}, "player": "random", "budget": "1s"});
    assert!(server.post_for_events("/api/move", &query).last("done")["best"].is_string());
}

#[test]
fn a_sweep_whose_file_was_emptied_is_an_error() {
    let server = Running::start();
    let query = json!({"game": "connect-four:4x4", "player": "uct", "vary": "c=0.5,0.6,0.7", "pairs": 1, "budget": "playouts=5"});
    let path = server.asked("/api/sweeps", &query).replace("sweeps", "matches");
    server.events(&format!("{path}/events")).last("done");
    let file = server.dir.join(path.rsplit('/').next().expect("an id")).join("match.toml");
    let text = std::fs::read_to_string(&file).expect("a configuration");
    let start = text.find("values = [").expect("values");
    let end = start + text[start..].find(']').expect("their end") + 1;
    for values in ["values = []", "values = [0.5]", "values = [0.5, 0.5, 0.5]", "values = [nan, 0.5, 0.6]"] {
        std::fs::write(&file, format!("{}{values}{}", &text[..start], &text[end..])).expect("a configuration");
        server.get(&path).refused(400);
        server.get(&format!("{path}/events")).refused(400);
    }
    server.get(RUN).ok();
}

#[test]
fn a_match_has_a_limit_of_games_and_of_space() {
    let server = Running::with(ServerLimits { match_mib: 1, ..LIMITS });
    let many = json!({"game": "connect-four", "players": vec!["random"; 32], "pairs": 100_000});
    let answer = server.post(RUN, &many);
    assert!(answer.refused(400).contains("100000 pairs of 496 pairings: expected at most 201"), "{}", answer.text());
    assert_eq!(answer.json()["code"], "invalid-pairs");
    let path = start(&server, 50_000);
    let id = path.rsplit('/').next().expect("an id").to_owned();
    let end = server.events(&format!("{path}/events")).last("error");
    assert_eq!(end["code"], "match-full", "{end}");
    let size = std::fs::metadata(server.dir.join(&id).join("games.jsonl")).expect("games").len();
    assert!((1 << 20..(1 << 20) + (64 << 10)).contains(&size), "{size}");
    assert_eq!(server.get(&path).ok()["state"], "stopped");
    let answer = server.post(&format!("{path}/resume"), &Value::Null);
    assert!(answer.refused(429).contains("1 MiB of games"), "{}", answer.text());
}

/// Each file is replaced by a pipe without a writer: opening one would block forever.
#[cfg(unix)]
#[test]
fn pipes_in_the_folders_hold_nobody_up() {
    let server = Running::start();
    let path = start(&server, 1);
    server.events(&format!("{path}/events")).last("done");
    let whole = server.dir.join(path.rsplit('/').next().expect("an id"));
    for file in ["match.toml", "games.jsonl"] {
        let folder = server.dir.join(format!("pipe-{file}"));
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(whole.join("match.toml"), folder.join("match.toml")).expect("a file");
        std::fs::write(folder.join("games.jsonl"), "").expect("a file");
        std::fs::remove_file(folder.join(file)).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(folder.join(file)).status().expect("mkfifo");
        assert!(made.success());
    }
    for _ in 0..12 {
        assert_eq!(server.get(RUN).ok()["matches"].as_array().map(Vec::len), Some(1));
        server.get(&format!("{RUN}/pipe-match.toml")).refused(404);
        for path in ["", "/games", "/games/0.0", "/events"] {
            server.get(&format!("{RUN}/pipe-games.jsonl{path}")).refused(400);
        }
    }
    server.get("/api/about").ok();
}

#[test]
fn a_record_that_is_too_large_is_not_read() {
    let server = Running::start();
    let path = start(&server, 1);
    server.events(&format!("{path}/events")).last("done");
    let games = server.dir.join(path.rsplit('/').next().expect("an id")).join("games.jsonl");
    // A sparse file, with a size above the limit.
    std::fs::OpenOptions::new().write(true).open(&games).and_then(|file| file.set_len(200 << 20)).expect("a file");
    assert!(server.get(&path).refused(400).contains("200 MiB of games: expected at most 128 MiB"));
    // The list counts it in parts.
    let first = |list: Value| list["matches"][0].clone();
    let counted = first(server.get(RUN).ok());
    assert_eq!((&counted["games"], &counted["state"]), (&Value::Null, &json!("reading")));
    let lists = std::iter::repeat_with(|| first(server.get(RUN).ok()));
    let whole = lists.take(5).find(|found| found["games"] == json!(2)).expect("it is counted to its end");
    assert_eq!(whole["state"], "done");
}
