//! Detects the protocol of an engine that does not answer in the one it is defined with.

use std::time::Duration;

use crate::external::engine::Engine;
use crate::process::{Exchange, Framing, Launch, Process};

/// Time limit for the engine to answer.
const TIMEOUT: Duration = Duration::from_millis(1500);
/// The number of a ping, unlikely in any other line.
const PING: &str = "90714";

/// Starts the engine a second time with greetings of several protocols, and returns the name of the protocol in which
/// it answers, if that is not its own. `None` proves nothing: the engine may be slow.
pub(crate) fn other_protocol(engine: &Engine) -> Option<&'static str> {
    let launch = Launch { framing: Framing::Lines, ..engine.launch.clone() };
    let mut process = Process::start(&launch).ok()?;
    let mut never = || false;
    let mut exchange = Exchange::new(&mut process, TIMEOUT, &mut never);
    for greeting in ["ugi", "uci", "protocol_version", &format!("ping {PING}"), "name?"] {
        exchange.send(greeting);
    }
    loop {
        let line = exchange.receive("answer").ok()?;
        if let Some(protocol) = protocol_of(&line) {
            // Strategy libraries are served over UGI.
            let own = if engine.protocol.name == "strategy" { "ugi" } else { engine.protocol.name };
            return (protocol != own).then_some(protocol);
        }
    }
}

/// The protocol in which `line` answers a greeting.
fn protocol_of(line: &str) -> Option<&'static str> {
    let mut words = line.split_whitespace();
    match (words.next()?, words.next()) {
        ("ugiok", None) => Some("ugi"),
        ("uciok", None) => Some("uci"),
        ("uaiok", None) => Some("uai"),
        ("=" | "?", _) => Some("gtp"),
        ("pong", Some(PING)) => Some("nboard"),
        ("name", Some(_)) => Some("sau"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_to_greetings_name_a_protocol() {
        for (line, expected) in [
            ("ugiok", Some("ugi")),
            ("uciok", Some("uci")),
            ("= 2", Some("gtp")),
            ("? unknown command", Some("gtp")),
            ("pong 90714", Some("nboard")),
            ("pong 1", None),
            ("name Polygames", Some("sau")),
            ("id name Banyan", None),
            ("", None),
        ] {
            assert_eq!(protocol_of(line), expected, "{line}");
        }
    }
}
