//! What every protocol is to the rest: a way to ask an engine for moves.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Margin};

use crate::process::{Framing, Talk};
use crate::{botzone, gtp, nboard, saiblo, sau, strategy, ugi};

/// Settings of an engine by name, as engines.toml has them.
pub type Options = [(String, String)];

/// One protocol as we speak it to one engine. Every step has a deadline, which the [`Talk`] keeps.
pub trait ClientProtocol: Send {
    /// Finds out whether the engine, just started, speaks the protocol.
    ///
    /// # Errors
    /// It does not.
    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault>;

    /// Begins a game at `at`: rules, size, opening. All randomness of the engine follows from `seed`, as far as it can be
    /// told.
    ///
    /// # Errors
    /// The protocol or the engine does not know the game.
    fn begin(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, seed: u64) -> Result<(), Fault>;

    /// Whether this engine, once greeted, is told times in whole seconds.
    fn says_whole_seconds(&self) -> bool {
        false
    }

    /// Asks for a move at `at`, which lies some moves further in the game begun last.
    ///
    /// # Errors
    /// There is none.
    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault>;

    /// Tells how the game ended; no answer is waited for.
    fn game_over(&mut self, _talk: &mut Talk<'_>, _result: Margin) {}

    /// Says good-bye; afterwards its input is closed. No answer is waited for.
    fn farewell(&mut self, _talk: &mut Talk<'_>) {}
}

/// How a game may begin.
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
    /// What engines.toml calls it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The games it has words for; `None` for any.
    pub games: Option<&'static [&'static str]>,
    /// The openings it has words for.
    pub openings: Openings,
    /// Whether an engine that thinks can be told to stop and answer.
    pub can_stop: bool,
    /// Whether an engine is told the time that it has for a move.
    pub tells_times: bool,
    /// Whether an engine can be asked for the moves of both sides of one game.
    pub plays_both_sides: bool,
    /// How engines mark the end of a message.
    pub framing: Framing,
    /// Begins to speak it to an engine with these options.
    pub speak: fn(&Options) -> Box<dyn ClientProtocol>,
}

/// Every protocol in which engines can be asked for moves.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        name: "ugi",
        summary: "Universal Game Interface, any game (docs/ugi.md)",
        games: None,
        openings: Openings::Positions,
        can_stop: true,
        tells_times: true,
        plays_both_sides: true,
        framing: Framing::Lines,
        speak: |options| Box::new(ugi::Client::new(options)),
    },
    Protocol {
        name: "gtp",
        summary: "Go Text Protocol 2 as Edax and Egaroucid speak it",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        tells_times: true,
        plays_both_sides: true,
        framing: Framing::Lines,
        speak: |options| Box::new(gtp::Client::new(options)),
    },
    Protocol {
        name: "nboard",
        summary: "NBoard 2, spoken by NTest and Edax",
        games: Some(&["reversi"]),
        openings: Openings::Positions,
        can_stop: true,
        tells_times: false,
        plays_both_sides: true,
        framing: Framing::Lines,
        speak: |options| Box::new(nboard::Client::new(options)),
    },
    Protocol {
        name: "sau",
        summary: "the SAU game platform: whole turns, no openings",
        games: Some(&["dots-and-boxes"]),
        openings: Openings::None,
        can_stop: false,
        tells_times: false,
        plays_both_sides: false,
        framing: Framing::Lines,
        speak: |options| Box::new(sau::Client::new(options)),
    },
    Protocol {
        name: "saiblo",
        summary: "Saiblo's Connect Four: one hole at most",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        tells_times: false,
        plays_both_sides: true,
        framing: Framing::Length,
        speak: |options| Box::new(saiblo::Client::new(options)),
    },
    Protocol {
        name: "botzone",
        summary: "Botzone's JSON for Reversi on 8x8",
        games: Some(&["reversi"]),
        openings: Openings::Moves,
        can_stop: false,
        tells_times: false,
        plays_both_sides: true,
        framing: Framing::LinesOrEnd,
        speak: |options| Box::new(botzone::Client::new(options)),
    },
    Protocol {
        name: "strategy",
        summary: "a library of Connect Four with getPoint and clearPoint: one hole at most",
        games: Some(&["connect-four"]),
        openings: Openings::Positions,
        can_stop: false,
        tells_times: false,
        plays_both_sides: true,
        framing: Framing::Lines,
        speak: |options| Box::new(strategy::Client::new(options)),
    },
];

impl Protocol {
    /// The protocol of this name.
    pub fn named(name: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.name == name)
    }

    /// Whether it has words for a game, by the name in front of its options.
    pub fn knows(&self, spec: &str) -> bool {
        let family = spec.split(':').next().unwrap_or_default();
        self.games.is_none_or(|games| games.contains(&family))
    }
}
