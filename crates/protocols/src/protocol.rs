//! The interface of all client protocols, and the table of protocols.

use std::fmt;

use banyan_catalog::{Answer, GameState, did_you_mean};
use banyan_core::{Fault, Limits, Margin, TextError};

use crate::process::{Exchange, Framing};
use crate::{botzone, gtp, nboard, saiblo, sau, strategy, ugi};

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
    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, seed: u64) -> Result<(), Fault>;

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
    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault>;

    /// Reports the result of the game; does not wait for an answer.
    fn game_over(&mut self, _talk: &mut Exchange<'_>, _result: Margin) {}

    /// Sends the engine its quit command, before its input is closed; does not wait for an answer.
    fn quit(&mut self, _talk: &mut Exchange<'_>) {}
}

/// The openings that a protocol supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the start only.
    None,
    /// At the start, or with moves from there.
    Moves,
    /// At any position.
    Positions,
}

/// A protocol by name.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// Its name in engines.toml.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// The games it supports; `None` for any.
    pub games: Option<&'static [&'static str]>,
    /// The openings it supports.
    pub openings: Openings,
    /// Whether a running search can be stopped.
    pub can_stop: bool,
    /// Whether the protocol can express a time limit per move.
    pub has_move_time: bool,
    /// The limits other than times that the protocol can express, by their names in a budget.
    pub countable_limits: &'static [&'static str],
    /// Whether an engine can play both sides of one game.
    pub plays_both_sides: bool,
    /// The delimiters of the engine's messages.
    pub framing: Framing,
    /// Checks options whose names and values the protocol defines; those of the engine are checked by the client.
    pub check_options: fn(&Options) -> Result<(), TextError>,
    /// Creates a client for an engine with these options.
    pub client: fn(&Options) -> Box<dyn ClientProtocol>,
}

/// Accepts all options: the engine announces them.
fn any_option(_options: &Options) -> Result<(), TextError> {
    Ok(())
}

/// Refuses all options.
fn no_option(options: &Options) -> Result<(), TextError> {
    own_options(options, &[], |_| None)
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

/// Every protocol with a client.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        name: "ugi",
        summary: "Universal Game Interface, any game (docs/ugi.md)",
        games: None,
        openings: Openings::Positions,
        can_stop: true,
        has_move_time: true,
        countable_limits: &["playouts", "nodes", "depth"],
        plays_both_sides: true,
        framing: Framing::Lines,
        check_options: any_option,
        client: |options| Box::new(ugi::Client::new(options)),
    },
    Protocol {
        name: "gtp",
        summary: "Go Text Protocol 2, as used by Edax and Egaroucid",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        has_move_time: true,
        countable_limits: &[],
        plays_both_sides: true,
        framing: Framing::Lines,
        check_options: any_option,
        client: |options| Box::new(gtp::Client::new(options)),
    },
    Protocol {
        name: "nboard",
        summary: "NBoard 2, as used by NTest and Edax",
        games: Some(&["reversi"]),
        openings: Openings::Positions,
        can_stop: true,
        has_move_time: false,
        countable_limits: &["depth"],
        plays_both_sides: true,
        framing: Framing::Lines,
        check_options: nboard::Client::check_options,
        client: |options| Box::new(nboard::Client::new(options)),
    },
    Protocol {
        name: "sau",
        summary: "the SAU game platform: whole turns, no openings",
        games: Some(&["dots-and-boxes"]),
        openings: Openings::None,
        can_stop: false,
        has_move_time: false,
        countable_limits: &[],
        plays_both_sides: false,
        framing: Framing::Lines,
        check_options: no_option,
        client: |options| Box::new(sau::Client::new(options)),
    },
    Protocol {
        name: "saiblo",
        summary: "Saiblo's Connect Four, at most one hole",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        has_move_time: false,
        countable_limits: &[],
        plays_both_sides: true,
        framing: Framing::Length,
        check_options: no_option,
        client: |options| Box::new(saiblo::Client::new(options)),
    },
    Protocol {
        name: "botzone",
        summary: "Botzone's JSON for Reversi on 8x8",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        has_move_time: false,
        countable_limits: &[],
        plays_both_sides: true,
        framing: Framing::LinesOrEnd,
        check_options: botzone::Client::check_options,
        client: |options| Box::new(botzone::Client::new(options)),
    },
    Protocol {
        name: "strategy",
        summary: "a Connect Four library with getPoint and clearPoint, at most one hole",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        has_move_time: false,
        countable_limits: &[],
        plays_both_sides: true,
        framing: Framing::Lines,
        check_options: no_option,
        client: |options| Box::new(strategy::Client::new(options)),
    },
];

impl Protocol {
    /// The protocol of this name.
    pub fn named(name: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.name == name)
    }

    /// Whether it supports a game; only the name before the options is compared.
    pub fn supports(&self, spec: &str) -> bool {
        let family = spec.split(':').next().unwrap_or_default();
        self.games.is_none_or(|games| games.contains(&family))
    }
}
