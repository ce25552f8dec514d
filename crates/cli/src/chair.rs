//! Who plays a side of a game at the terminal.

use std::fmt;

use banyan_catalog::{PlayerSpec, Players};
use banyan_core::TextError;

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chair {
    Person,
    Player(PlayerSpec),
}

impl Chair {
    /// Reads `human`, or the name of a player.
    ///
    /// # Errors
    /// Neither, or settings that it does not take.
    pub(crate) fn parse(text: &str, players: &Players) -> Result<Chair, TextError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        match (name, settings) {
            ("human", "") => Ok(Chair::Person),
            ("human", _) => {
                let expected = "human has nothing to set";
                Err(TextError::new(format!("player {text:?}"), expected, "leave the settings out"))
            }
            _ => players.player(text).map(Chair::Player).map_err(|err| TextError {
                expected: match err.found.starts_with("unknown player") {
                    true => err.expected.replacen("one of", "human or one of", 1),
                    false => err.expected,
                },
                ..err
            }),
        }
    }
}

impl fmt::Display for Chair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chair::Person => f.write_str("human"),
            Chair::Player(player) => player.fmt(f),
        }
    }
}
