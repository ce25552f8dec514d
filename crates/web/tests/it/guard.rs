//! Who may ask, and how much.

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
    // The page itself too: otherwise a name that points here would load it.
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
    // The only search runs: another one gives up after its turn has not come.
    let path = server.asked("/api/analysis", &analysis(""));
    assert!(server.get(&path).refused(429).contains("1 searches"));
    // The viewer leaves, so there is room for both.
    drop(events);
    let body = json!({"spot": {"game": "reversi"}, "player": "uct", "budget": "playouts=10", "keep": ""});
    assert_eq!(server.post_for_events("/api/move", &body).last("done")["playouts"], 10);
    server.asked("/api/analysis", &analysis("two"));
}

#[test]
fn jobs_that_nobody_reads_are_limited() {
    let server = Running::start();
    let body = json!({"spot": {"game": "reversi"}, "player": "uct"});
    let statuses: Vec<u16> = (0..70).map(|_| server.post("/api/analysis", &body).status).collect();
    assert_eq!(statuses.iter().filter(|&&status| status == 202).count(), 64, "{statuses:?}");
    assert_eq!(statuses.last(), Some(&429));
}
