//! Host and origin checks (DNS rebinding and CSRF protection): only pages of this server, under a name of the server. A
//! page of another site whose name was pointed to this machine (DNS rebinding) has another Host, a page of another
//! server another Origin.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv6Addr};

use axum::extract::{Request, State};
use axum::http::header::{HeaderName, ORIGIN};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal};

use crate::refusal::Refused;

/// Host names by which browsers may reach the server.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<Name>,
    /// Whether any IP address is accepted, because the server is bound to all of them; unlike names, addresses cannot
    /// be rebound.
    any_address: bool,
}

/// A host without its port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Address(IpAddr),
    /// In lower case, without a final dot.
    Text(String),
}

impl Name {
    fn new(text: &str) -> Name {
        let text = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        text.parse().map_or(Name::Text(text), Name::Address)
    }

    /// The host of `name`, `name:port`, `[address]` or `[address]:port`; `None` for anything else.
    fn of(authority: &str) -> Option<Name> {
        let (name, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                (Name::Address(IpAddr::V6(address.parse::<Ipv6Addr>().ok()?)), port)
            }
            None => {
                let end = authority.find(':').unwrap_or(authority.len());
                let (name, port) = authority.split_at(end);
                (Name::new(name), port)
            }
        };
        let is_number = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        (port.is_empty() || port.strip_prefix(':').is_some_and(is_number)).then_some(name)
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Address(address) => address.fmt(f),
            Name::Text(text) => f.write_str(text),
        }
    }
}

impl Hosts {
    /// The names of this machine, the address that the server is bound to, and `more`.
    pub(crate) fn new(bound: IpAddr, more: &[String]) -> Hosts {
        let own = ["localhost", "127.0.0.1", "::1"].map(Name::new);
        let more = more.iter().map(|name| Name::new(name));
        let mut names: Vec<Name> = own.into_iter().chain([Name::Address(bound)]).chain(more).collect();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        Hosts { names, any_address: bound.is_unspecified() }
    }

    fn has(&self, authority: &str) -> bool {
        Name::of(authority)
            .is_some_and(|name| self.names.contains(&name) || self.any_address && matches!(name, Name::Address(_)))
    }

    /// Checks that the request comes from a page of this server, or from no page at all.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        // The host of a target in absolute form, as for a proxy, takes precedence over the header.
        let of_target = uri.authority().map(|authority| authority.as_str());
        let host = only(headers, &header::HOST).unwrap_or_default();
        for host in [host].into_iter().chain(of_target) {
            if !self.has(host) {
                let found = format!("Host {host:?}");
                let names: Vec<String> = self.names.iter().map(Name::to_string).collect();
                let expected = format!("expected one of {}", names.join(", "));
                return Err(Refusal::new(Code::Forbidden, &found, &expected, "add it by --host NAME"));
            }
        }
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let origin = only(headers, &ORIGIN).unwrap_or_default();
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
            return Ok(());
        }
        let expected = format!("expected a page of {host}");
        Err(Refusal::new(Code::Forbidden, &format!("Origin {origin:?}"), &expected, "open the page itself"))
    }
}

/// The value of a header that occurs exactly once, in ASCII.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Refuses requests of pages of other sites.
pub(crate) async fn only_own_pages(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    match hosts.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => Refused(refusal).into_response(),
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
            ("127.0.0.1", "localhost.:8000", true),
            ("127.0.0.1", "127.0.0.1:8000", true),
            ("127.0.0.1", "[::1]", true),
            ("127.0.0.1", "[::1]:8000", true),
            ("127.0.0.1", "[0:0:0:0:0:0:0:1]:8000", true),
            ("127.0.0.1", "lab.example:80", true),
            ("127.0.0.1", "lab.example.", true),
            ("127.0.0.1", "evil.example:8000", false),
            ("127.0.0.1", "localhost.evil.example", false),
            ("127.0.0.1", "192.168.0.2:8000", false),
            ("127.0.0.1", "", false),
            ("192.168.0.2", "192.168.0.2:8000", true),
            ("0.0.0.0", "192.168.0.9:8000", true),
            ("0.0.0.0", "[fe80::1]:8000", true),
            ("0.0.0.0", "evil.example", false),
            // The text after the name must be a port.
            ("127.0.0.1", "localhost:evil.example", false),
            ("127.0.0.1", "localhost:80:evil.example", false),
            ("127.0.0.1", "localhost:", false),
            ("127.0.0.1", "localhost:+80", false),
            ("127.0.0.1", "localhost:65536", false),
            ("127.0.0.1", "localhost..", false),
            ("127.0.0.1", "localhost/evil.example", false),
            ("127.0.0.1", "localhost@evil.example", false),
            ("127.0.0.1", "evil.example@localhost", false),
            ("127.0.0.1", "evil.example:80@localhost", false),
            ("127.0.0.1", "[::1]evil.example", false),
            ("127.0.0.1", "[::1]:evil.example", false),
            ("127.0.0.1", "[::1", false),
            ("127.0.0.1", "[localhost]", false),
            ("127.0.0.1", "[::1%25lo]", false),
            ("127.0.0.1", "::1", false),
            ("0.0.0.0", "fe80::1:8000", false),
            ("0.0.0.0", "192.168.0.9:evil.example", false),
        ] {
            assert_eq!(hosts(bound).has(host), expected, "{host} at {bound}");
        }
    }
}
