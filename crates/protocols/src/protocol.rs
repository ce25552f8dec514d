//! The interface of all client protocols, and the table of protocols.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Margin};

use crate::process::{Exchange, Framing};
use crate::{botzone, gtp, nboard, saiblo, sau, strategy, ugi};

/// Options of an engine by name, from engines.toml.
pub type Options = [(String, String)];

/// The client side of a protocol, for one engine. Every step has a deadline, enforced by the [`Exchange`].
pub trait ClientProtocol: Send {
    /// Performs the handshake with an engine that has just started.
    ///
    /// # Errors
    /// The engine does not speak the protocol.
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), Fault>;

    /// Begins a game at `at`: rules, size, opening. Sends `seed` if the protocol supports it.
    ///
    /// # Errors
    /// The protocol or the engine does not support the game.
    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, seed: u64) -> Result<(), Fault>;

    /// Whether times are sent to this engine in whole seconds; known after the handshake.
    fn needs_whole_seconds(&self) -> bool {
        false
    }

    /// Requests a move at `at`, a later position of the game begun last.
    ///
    /// # Errors
    /// The engine gives no valid answer.
    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault>;

    /// Reports the result of the game; does not wait for an answer.
    fn game_over(&mut self, _talk: &mut Exchange<'_>, _result: Margin) {}

    /// Asks the engine to quit, before its input is closed; does not wait for an answer.
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
    /// Whether an engine can play both sides of one game.
    pub plays_both_sides: bool,
    /// How messages of the engine are delimited.
    pub framing: Framing,
    /// Creates a client for an engine with these options.
    pub client: fn(&Options) -> Box<dyn ClientProtocol>,
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
        plays_both_sides: true,
        framing: Framing::Lines,
        client: |options| Box::new(ugi::Client::new(options)),
    },
    Protocol {
        name: "gtp",
        summary: "Go Text Protocol 2, as used by Edax and Egaroucid",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        has_move_time: true,
        plays_both_sides: true,
        framing: Framing::Lines,
        client: |options| Box::new(gtp::Client::new(options)),
    },
    Protocol {
        name: "nboard",
        summary: "NBoard 2, as used by NTest and Edax",
        games: Some(&["reversi"]),
        openings: Openings::Positions,
        can_stop: true,
        has_move_time: false,
        plays_both_sides: true,
        framing: Framing::Lines,
        client: |options| Box::new(nboard::Client::new(options)),
    },
    Protocol {
        name: "sau",
        summary: "the SAU game platform: whole turns, no openings",
        games: Some(&["dots-and-boxes"]),
        openings: Openings::None,
        can_stop: false,
        has_move_time: false,
        plays_both_sides: false,
        framing: Framing::Lines,
        client: |options| Box::new(sau::Client::new(options)),
    },
    Protocol {
        name: "saiblo",
        summary: "Saiblo's Connect Four, at most one hole",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        has_move_time: false,
        plays_both_sides: true,
        framing: Framing::Length,
        client: |options| Box::new(saiblo::Client::new(options)),
    },
    Protocol {
        name: "botzone",
        summary: "Botzone's JSON for Reversi on 8x8",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        has_move_time: false,
        plays_both_sides: true,
        framing: Framing::LinesOrEnd,
        client: |options| Box::new(botzone::Client::new(options)),
    },
    Protocol {
        name: "strategy",
        summary: "a Connect Four library with getPoint and clearPoint, at most one hole",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        has_move_time: false,
        plays_both_sides: true,
        framing: Framing::Lines,
        client: |options| Box::new(strategy::Client::new(options)),
    },
];

impl Protocol {
    /// The protocol of this name.
    pub fn named(name: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.name == name)
    }

    /// Whether it supports a game; only the name before the options counts.
    pub fn supports(&self, spec: &str) -> bool {
        let family = spec.split(':').next().unwrap_or_default();
        self.games.is_none_or(|games| games.contains(&family))
    }
}
