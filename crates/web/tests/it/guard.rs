//! Host and origin checks, and limits on requests.

use banyan_web::ServerLimits;
use serde_json::json;

use crate::{LIMITS, Running};

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let server = Running::start();
    let port = server.address.port();
    let ask = |headers: &str| server.request("GET /api/about", headers, b"");
    for host in ["localhost".to_owned(), format!("localhost:{port}"), format!("[::1]:{port}"), "127.0.0.1".to_owned()] {
        assert_eq!(ask(&format!("Host: {host}\r\n")).status, 200, "{host}");
        assert_eq!(ask(&format!("Host: {host}\r\nOrigin: http://{host}\r\n")).status, 200, "{host}");
    }
    for headers in [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://localhost:{}\r\n", port ^ 1),
        format!("Host: localhost:{port}\r\nOrigin: null\r\n"),
    ] {
        ask(&headers).refused(403);
    }
    // The page itself is refused too: otherwise it would be loaded under a name that was pointed to this machine.
    server.request("GET /", "Host: evil.example\r\n", b"").refused(403);
}

#[test]
fn large_bodies_are_refused() {
    let server = Running::start();
    let large = format!("{{\"game\": \"{}\"}}", "x".repeat(70_000));
    let answer = server.request("POST /api/state", "", large.as_bytes());
    assert!(answer.refused(413).contains("at most 65536 bytes"));
    // A file may be larger.
    let file = json!({"text": "4".repeat(70_000)});
    server.post("/api/import", &file).refused(400);
}

#[test]
fn players_have_the_limits_of_the_server_and_no_files() {
    let server = Running::start();
    for (player, part) in [
        ("uct:threads=3", "threads=3: expected at most 2"),
        ("mcgs:memory-mib=100000", "memory-mib"),
        ("pvs:table-mib=4096", "table-mib=4096: expected at most 64"),
        ("uct:pad=10000", "pad=10000: expected at most 0"),
        ("pvs:eval=/etc/passwd", "without files"),
        ("uct:book=/etc/passwd", "without files"),
        ("./x.so", "unknown player"),
        ("/bin/sh", "unknown player"),
        ("human", "human"),
        ("", "unknown player"),
    ] {
        let body = json!({"spot": {"game": "connect-four"}, "player": player, "budget": "playouts=1"});
        for path in ["/api/analysis", "/api/move"] {
            let error = server.post(path, &body).refused(400);
            assert!(error.contains(part), "{player}: {error}");
        }
        let body = json!({"game": "connect-four", "players": ["random", player]});
        let error = server.post("/api/matches", &body).refused(400);
        assert!(error.contains(part), "{player}: {error}");
    }
    let body = json!({"game": "connect-four", "players": ["random", "uct"], "openings": "file:/etc/passwd"});
    assert!(server.post("/api/matches", &body).refused(400).contains("without a file"));
}

#[test]
fn a_move_needs_a_budget_that_ends() {
    let server = Running::start();
    let body = |budget: &str| json!({"spot": {"game": "connect-four"}, "player": "uct", "budget": budget});
    server.post("/api/move", &body("infinite")).refused(400);
    server.post("/api/analysis", &body("soon")).refused(400);
    server.post("/api/analysis", &body("depth=3")).refused(400);
}

#[test]
fn viewers_and_searches_are_limited() {
    let server = Running::with(ServerLimits { sessions: 1, searches: 1, ..LIMITS });
    let analysis = |keep: &str| json!({"spot": {"game": "reversi"}, "player": "uct", "keep": keep});
    let path = server.asked("/api/analysis", &analysis("one"));
    let mut events = server.events(&path);
    assert_eq!(events.next().expect("an event").0, "progress");
    // The only tree is in use.
    assert!(server.post("/api/analysis", &analysis("two")).refused(429).contains("1 viewers"));
    // The only search is running: another one waits for its turn, until the viewer leaves.
    let path = server.asked("/api/analysis", &analysis(""));
    let mut waiting = server.events(&path);
    assert_eq!(waiting.next(), Some(("waiting".to_owned(), json!({"place": 1, "of": 1}))));
    drop(events);
    assert_eq!(waiting.next().expect("an event").0, "progress");
    drop(waiting);
    let body = json!({"spot": {"game": "reversi"}, "player": "uct", "budget": "playouts=10", "keep": ""});
    assert_eq!(server.post_for_events("/api/move", &body).last("done")["playouts"], 10);
    server.asked("/api/analysis", &analysis("two"));
}

#[test]
fn every_form_of_a_wrong_host_is_refused() {
    let server = Running::start();
    let port = server.address.port();
    let own = format!("Host: localhost:{port}\r\n");
    for headers in [
        "Host: localhost:evil.example\r\n".to_owned(),
        "Host: [::1]evil.example\r\n".to_owned(),
        "Host: localhost:80:evil.example\r\n".to_owned(),
        "Host: evil.example@localhost\r\n".to_owned(),
        "Host:\r\n".to_owned(),
        format!("{own}Host: evil.example\r\n"),
        format!("{own}Origin: http://localhost:{port}/\r\n"),
        format!("{own}Origin: http://localhost:{port}@evil.example\r\n"),
        format!("{own}Origin: ftp://localhost:{port}\r\n"),
        format!("{own}Origin: http://localhost:{port}\r\nOrigin: http://evil.example\r\n"),
    ] {
        server.request("GET /api/about", &headers, b"").refused(403);
    }
    // A target with its own host, as sent to a proxy.
    server.request(&format!("GET http://localhost:{port}/api/about"), &own, b"").ok();
    for target in ["http://evil.example/api/about", "http://user@localhost/api/about"] {
        server.request(&format!("GET {target}"), &own, b"").refused(403);
    }
}

#[test]
fn jobs_that_nobody_reads_make_room_for_others() {
    let server = Running::start();
    let body = json!({"spot": {"game": "reversi"}, "player": "uct", "budget": "playouts=10"});
    let paths: Vec<String> = (0..70).map(|_| server.asked("/api/analysis", &body)).collect();
    // The oldest jobs are dropped, the latest ones begin.
    server.get(&paths[0]).refused(404);
    assert_eq!(server.events(&paths[69]).last("done")["playouts"], 10);
}

#[test]
fn levels_move_while_all_searches_run() {
    let server = Running::with(ServerLimits { searches: 1, ..LIMITS });
    let path = server.asked("/api/analysis", &json!({"spot": {"game": "reversi"}, "player": "uct"}));
    let mut events = server.events(&path);
    assert_eq!(events.next().expect("an event").0, "progress");
    let query = |player: &str, budget: &str| json!({"spot": {"game": "reversi"}, "player": player, "budget": budget});
    // A long search waits for its turn.
    let mut waiting = server.post_for_events("/api/move", &query("uct", "10s"));
    assert_eq!(waiting.next().expect("an event").0, "waiting");
    drop(waiting);
    std::thread::scope(|scope| {
        let viewer = |level: usize| {
            let (query, server) = (query(&format!("level-{}", level % 10 + 1), "1s"), &server);
            scope.spawn(move || server.post_for_events("/api/move", &query).last("done")["best"].is_string())
        };
        let viewers: Vec<_> = (0..20).map(viewer).collect();
        assert!(viewers.into_iter().all(|viewer| viewer.join().expect("a move")));
    });
    // A search of a few milliseconds, and players that do not search.
    for (player, budget) in [("best", "20ms"), ("random", "1s"), ("greedy", "1s")] {
        assert!(server.post_for_events("/api/move", &query(player, budget)).last("done")["best"].is_string());
    }
    // An import does not wait for searches.
    server.post("/api/import", &json!({"text": "4453"})).ok();
    drop(events);
}

#[test]
fn viewers_who_leave_give_their_connections_back() {
    let server = Running::with(ServerLimits { jobs: 1, ..LIMITS });
    // Almost no event occurs, so the server cannot detect by a failed write that a viewer has left.
    let query = json!({"game": "connect-four", "players": ["uct", "uct:c=1"], "pairs": 100, "budget": "20s",
                       "openings": "random:plies=2"});
    let path = server.asked("/api/matches", &query);
    // More than the maximum number of connections: the last of them would wait for the first ones to leave.
    for _ in 0..600 {
        assert_eq!(server.events(&format!("{path}/events")).next().expect("an event").0, "snapshot");
    }
    for _ in 0..2 {
        assert_eq!(server.post(&format!("{path}/stop"), &json!(null)).status, 204);
    }
}
