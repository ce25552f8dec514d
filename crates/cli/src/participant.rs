//! Who plays a side in `banyan play`: a person or a player.

use std::fmt;

use banyan_catalog::{PlayerSpec, Players};
use banyan_core::TextError;

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Participant {
    Human,
    Player(PlayerSpec),
}

impl Participant {
    /// Parses `human` or a player.
    ///
    /// # Errors
    /// An unknown name or invalid settings.
    pub(crate) fn parse(text: &str, players: &Players) -> Result<Participant, TextError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        match (name, settings) {
            ("human", "") => Ok(Participant::Human),
            ("human", _) => {
                let expected = "human has no settings";
                Err(TextError::new(format!("player {text:?}"), expected, "remove the settings"))
            }
            _ => players.player(text).map(Participant::Player).map_err(|err| TextError {
                expected: match err.found.starts_with("unknown player") {
                    true => err.expected.replacen("one of", "human or one of", 1),
                    false => err.expected,
                },
                ..err
            }),
        }
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Participant::Human => f.write_str("human"),
            Participant::Player(player) => player.fmt(f),
        }
    }
}
