//! A service for many: a path behind a proxy, a check of health, a log of requests, a queue.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{LIMITS, Running};
use banyan_web::ServerLimits;

#[test]
fn everything_lies_below_the_base() {
    let server = Running::changed(|config| config.base = "/banyan/".parse().expect("a base"));
    let redirected = server.get("/banyan");
    assert_eq!((redirected.status, redirected.header("location")), (308, Some("/banyan/")));
    let page = server.get("/banyan/");
    assert!(page.text().contains("<title>"), "{}", page.text());
    assert_eq!(server.get("/banyan/js/main.js").status, 200);
    assert!(server.get("/banyan/api/about").ok()["games"].is_array());
    let body = json!({"spot": {"game": "reversi"}, "player": "uct", "budget": "playouts=10"});
    assert_eq!(server.post_for_events("/banyan/api/move", &body).last("done")["playouts"], 10);
    for path in ["/", "/api/about", "/banyans/", "/js/main.js"] {
        assert!(server.get(path).refused(404).contains("a path below /banyan/"), "{path}");
    }
    assert_eq!(server.get("/health").ok(), server.get("/banyan/health").ok());
    // Other sites are refused below a base, too.
    server.request("GET /banyan/api/about", "Host: evil.example\r\n", b"").refused(403);
}

#[test]
fn other_machines_have_an_address_only_if_they_reach_the_server() {
    assert_eq!(Running::start().network_urls, [""; 0]);
    let server = Running::changed(|config| {
        config.address = (Ipv4Addr::UNSPECIFIED, 0).into();
        config.base = "/banyan".parse().expect("a base");
    });
    // A machine without a network has none.
    for url in &server.network_urls {
        let address = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/banyan/")).expect(url);
        let address: SocketAddr = address.parse().expect(url);
        assert!(!address.ip().is_loopback() && address.port() == server.address.port(), "{url}");
        // The server is there.
        drop(TcpStream::connect(address).expect(url));
    }
}

#[test]
fn health_has_the_load() {
    let server = Running::with(ServerLimits { searches: 1, ..LIMITS });
    let load = || server.get("/health").ok()["searches"].clone();
    assert_eq!(
        (load(), server.get("/health").ok()["status"].as_str()),
        (json!({"running": 0, "waiting": 0, "most": 1}), Some("ok"))
    );
    let analysis =
        || server.events(&server.asked("/api/analysis", &json!({"spot": {"game": "reversi"}, "player": "uct"})));
    let mut events = analysis();
    assert_eq!(events.next().expect("an event").0, "progress");
    let mut waiting = [analysis(), analysis()];
    let places = waiting.each_mut().map(|events| events.next().expect("an event").1);
    assert_eq!((places[0]["place"].as_u64(), &places[1]), (Some(1), &json!({"place": 2, "of": 2})));
    assert_eq!(load(), json!({"running": 1, "waiting": 2, "most": 1}));
    // The first of the queue leaves, the second moves up.
    let [first, mut second] = waiting;
    drop(first);
    assert_eq!(second.next(), Some(("waiting".to_owned(), json!({"place": 1, "of": 1}))));
    drop((events, second));
    let patience = Instant::now();
    while load() != json!({"running": 0, "waiting": 0, "most": 1}) {
        assert!(patience.elapsed() < Duration::from_secs(20), "{}", load());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_viewer_does_not_wait_for_its_own_search() {
    let server = Running::with(ServerLimits { searches: 1, ..LIMITS });
    let body = json!({"spot": {"game": "reversi"}, "player": "uct", "keep": "me"});
    let mut before = server.events(&server.asked("/api/analysis", &body));
    assert_eq!(before.next().expect("an event").0, "progress");
    let mut now = server.events(&server.asked("/api/analysis", &body));
    let found = std::iter::from_fn(|| now.next()).find(|(name, _)| name == "progress");
    assert!(found.is_some());
    before.last("done");
}

#[test]
fn who_waits_is_ended_by_a_request_by_the_next_search_and_with_the_server() {
    let mut server = Running::with(ServerLimits { searches: 1, ..LIMITS });
    let asked = |keep: &str| {
        server.asked("/api/analysis", &json!({"spot": {"game": "reversi"}, "player": "uct", "keep": keep}))
    };
    let mut running = server.events(&asked(""));
    assert_eq!(running.next().expect("an event").0, "progress");
    let waiting = |path: &str| {
        let mut events = server.events(path);
        assert_eq!(events.next().expect("an event").0, "waiting");
        events
    };
    let path = asked("");
    let deleted = waiting(&path);
    assert_eq!(server.request(&format!("DELETE {path}"), &format!("Host: {}\r\n", server.address), b"").status, 204);
    deleted.last("done");
    let replaced = waiting(&asked("me"));
    let last = waiting(&asked("me"));
    replaced.last("done");
    let load = server.get("/health").ok()["searches"].clone();
    assert_eq!(load, json!({"running": 1, "waiting": 1, "most": 1}));
    server.stop();
    drop((running, last));
}

/// A log in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic holds it").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn each_request_has_a_line_in_the_log() {
    let memory = Memory::default();
    let to = memory.clone();
    let mut server = Running::changed(|config| config.access_log = Some(Box::new(to)));
    server.get("/api/about").ok();
    server.get("/nothing").refused(404);
    let forwarded =
        format!("Host: {}\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 10.9.8.7, 192.168.3.4\r\n", server.address);
    server.request("GET /health", &forwarded, b"").ok();
    let mut events =
        server.events(&server.asked("/api/analysis", &json!({"spot": {"game": "reversi"}, "player": "uct"})));
    assert_eq!(events.next().expect("an event").0, "progress");
    drop(events);
    server.stop();
    let written = String::from_utf8(memory.0.lock().expect("no panic holds it").clone()).expect("a text");
    let mut found: Vec<Vec<&str>> = written.lines().map(|line| line.split(' ').collect()).collect();
    assert!(found.iter().all(|parts| parts.len() == 8 && parts[0].ends_with('Z')), "{written}");
    found.sort_by_key(|parts| (parts[3].len(), parts[2]));
    let short: Vec<_> = found
        .iter()
        .map(|parts| (parts[1], parts[2], &parts[3][..parts[3].len().min(14)], parts[4], parts[7]))
        .collect();
    assert_eq!(
        short,
        [
            ("192.168.3.4", "GET", "/health", "200", "done"),
            ("127.0.0.1", "GET", "/nothing", "404", "done"),
            ("127.0.0.1", "GET", "/api/about", "200", "done"),
            ("127.0.0.1", "POST", "/api/analysis", "202", "done"),
            ("127.0.0.1", "GET", "/api/analysis/", "200", "left"),
        ],
        "{written}"
    );
}
