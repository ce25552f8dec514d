//! The table of protocols.

use banyan_core::TextError;

use crate::client::{ClientProtocol, Options, own_options};
use crate::process::Framing;
use crate::{botzone, gtp, nboard, saiblo, sau, strategy, ugi};

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
