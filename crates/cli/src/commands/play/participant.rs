//! A participant of `banyan play`: a human or a player.

use std::fmt;

use banyan_catalog::{Entry, Players};
use banyan_core::TextError;

/// A participant, who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Participant {
    Human,
    /// A player, with its own budget if it has one.
    Player(Box<Entry>),
}

impl Participant {
    /// Parses `human` or a player, such as `mcgs@playouts=100` with its own budget.
    ///
    /// # Errors
    /// An unknown name, invalid settings or an invalid budget.
    pub(crate) fn parse(text: &str, players: &Players) -> Result<Participant, TextError> {
        let (player, budget) = Entry::split(text);
        let (name, settings) = player.split_once(':').unwrap_or((player, ""));
        match (name.eq_ignore_ascii_case("human"), settings, budget) {
            (true, "", None) => Ok(Participant::Human),
            (true, ..) => {
                let expected = "expected human without settings and budget";
                Err(TextError::new(format!("player {text:?}"), expected, "write human"))
            }
            _ => {
                let entry = Entry::parse(text, players).map_err(|err| TextError {
                    expected: match err.found.starts_with("unknown player") {
                        true => err.expected.replacen("one of", "human or one of", 1),
                        false => err.expected,
                    },
                    ..err
                })?;
                Ok(Participant::Player(Box::new(entry)))
            }
        }
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Participant::Human => f.write_str("human"),
            Participant::Player(entry) => entry.fmt(f),
        }
    }
}
