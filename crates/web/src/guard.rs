//! Who may ask: only pages of this server, by a name that the server has. A page of a stranger whose name was made to point to this
//! machine (DNS rebinding) has another Host, a page of another server another Origin.

use std::collections::HashSet;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::{Code, Refusal};

/// The names by which browsers may reach the server.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
    /// Bound to every address, it is reached by any of them: those are no names that somebody could point elsewhere.
    any_address: bool,
}

impl Hosts {
    /// Those of this machine, of the address that the server is bound to, and `more`.
    pub(crate) fn new(bound: IpAddr, more: &[String]) -> Hosts {
        let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let more = more.iter().map(|name| name.to_ascii_lowercase());
        let mut names: Vec<String> = own.into_iter().chain([bound.to_string()]).chain(more).collect();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        Hosts { names, any_address: bound.is_unspecified() }
    }

    fn has(&self, host: &str) -> bool {
        let name = name_of(host).to_ascii_lowercase();
        self.names.contains(&name) || self.any_address && name.parse::<IpAddr>().is_ok()
    }

    /// Whether the request comes from a page of this server, or from no page at all.
    fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| headers.get(name).map(|value: &header::HeaderValue| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if !self.has(host) {
            let found = format!("Host {host:?}");
            let expected = format!("expected one of {}", self.names.join(", "));
            return Err(Refusal::new(Code::Forbidden, &found, &expected, "add it by --host NAME"));
        }
        let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
            return Ok(());
        }
        let expected = format!("expected a page of {host}");
        Err(Refusal::new(Code::Forbidden, &format!("Origin {origin:?}"), &expected, "open the page itself"))
    }
}

/// The host without its port; an address of version 6 without its brackets.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Refuses requests of other pages.
pub(crate) async fn only_own_pages(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    match hosts.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_server_are_hosts() {
        let hosts = |bound: &str| Hosts::new(bound.parse().expect("an address"), &["Lab.example".to_owned()]);
        for (bound, host, expected) in [
            ("127.0.0.1", "localhost", true),
            ("127.0.0.1", "LOCALHOST:8000", true),
            ("127.0.0.1", "127.0.0.1:8000", true),
            ("127.0.0.1", "[::1]:8000", true),
            ("127.0.0.1", "lab.example:80", true),
            ("127.0.0.1", "evil.example:8000", false),
            ("127.0.0.1", "localhost.evil.example", false),
            ("127.0.0.1", "192.168.0.2:8000", false),
            ("127.0.0.1", "", false),
            ("192.168.0.2", "192.168.0.2:8000", true),
            ("0.0.0.0", "192.168.0.9:8000", true),
            ("0.0.0.0", "evil.example", false),
        ] {
            assert_eq!(hosts(bound).has(host), expected, "{host} at {bound}");
        }
    }
}
