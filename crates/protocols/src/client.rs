//! The interface of all client protocols.

use std::fmt;

use banyan_catalog::{Answer, GameState, did_you_mean};
use banyan_core::{Fault, Limits, Margin, TextError};

use crate::process::Exchange;

/// Options of an engine by name, from engines.toml.
pub type Options = [(String, String)];

/// The reason why an engine cannot begin to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// It violates its protocol.
    Fault(Fault),
    /// Its definition in engines.toml is wrong.
    Definition(TextError),
    /// It reported a reason and exited.
    GaveUp(String),
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Fault(fault)
    }
}

impl From<TextError> for StartError {
    fn from(err: TextError) -> StartError {
        StartError::Definition(err)
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Fault(fault) => fault.fmt(f),
            StartError::Definition(err) => err.fmt(f),
            StartError::GaveUp(why) => f.write_str(why),
        }
    }
}

impl StartError {
    /// The fault of an engine that cannot begin to play during a match.
    pub fn into_fault(self) -> Fault {
        match self {
            StartError::Fault(fault) => fault,
            StartError::Definition(err) => Fault::Nonsense(err.to_string()),
            StartError::GaveUp(why) => Fault::Crashed(why),
        }
    }
}

/// The client side of a protocol, for one engine. Every step has a deadline, enforced by the [`Exchange`].
pub trait ClientProtocol: Send {
    /// Performs the handshake with an engine that has just started, and sends its options.
    ///
    /// # Errors
    /// The engine does not speak the protocol, or does not have an option.
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError>;

    /// Begins a game at `at`: rules, size, opening. Sends `seed` if the protocol supports it.
    ///
    /// # Errors
    /// The protocol or the engine does not support the game.
    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, seed: u64) -> Result<(), Fault>;

    /// Whether times are sent to this engine in whole seconds; known after the handshake.
    fn needs_whole_seconds(&self) -> bool {
        false
    }

    /// Whether this engine receives the time of a move, if the protocol has times; known after the handshake.
    fn takes_times(&self) -> bool {
        true
    }

    /// Requests a move at `at`, a later position of the game begun last.
    ///
    /// # Errors
    /// The engine gives no valid answer.
    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, limits: &Limits) -> Result<Answer, Fault>;

    /// Reports the result of the game; does not wait for an answer.
    fn game_over(&mut self, _talk: &mut Exchange<'_>, _result: Margin) {}

    /// Sends the engine its quit command, before its input is closed; does not wait for an answer.
    fn quit(&mut self, _talk: &mut Exchange<'_>) {}
}

/// Refuses options other than those `known`, and values for which `refusal` returns what is expected.
pub(crate) fn own_options(
    options: &Options,
    known: &[&str],
    refusal: impl Fn(&str) -> Option<&'static str>,
) -> Result<(), TextError> {
    for (name, value) in options {
        if !known.contains(&name.as_str()) {
            let expected = match known {
                [] => "expected none, as the protocol has no options".to_owned(),
                known => format!("expected {}{}", known.join(", "), did_you_mean(name, known.iter().copied())),
            };
            return Err(TextError::new(format!("option {name}"), expected, "correct or remove it"));
        }
        if let Some(expected) = refusal(value) {
            return Err(TextError::new(format!("option {name} = {value:?}"), expected, "correct it"));
        }
    }
    Ok(())
}
