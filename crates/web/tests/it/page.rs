//! The files of the page.

use crate::Running;

#[test]
fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = Running::start();
    let first = server.get("/");
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(first.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'self'")));
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = server.request("GET /", &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    let other = server.request("GET /", "If-None-Match: \"0\"\r\n", b"");
    assert_eq!((other.status, other.body == first.body), (200, true));
}

#[test]
fn what_is_not_there_is_an_error_in_json() {
    let server = Running::start();
    for path in ["/none.js", "/../Cargo.toml", "/api", "/api/none", "/api/analysis/none", "/api/matches/none/games"] {
        server.get(path).refused(404);
    }
    server.get("/api/state").refused(405);
    assert_eq!(server.request("POST /", "", b"").status, 405);
}
