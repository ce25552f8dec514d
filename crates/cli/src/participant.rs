//! A participant of `banyan play`: a human or a player.

use std::fmt;

use banyan_catalog::{Budget, PlayerSpec, Players};
use banyan_core::TextError;

/// A participant, who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Participant {
    Human,
    /// A player, with its own budget if it has one.
    Player(Box<PlayerSpec>, Option<Budget>),
}

impl Participant {
    /// Parses `human` or a player, such as `mcgs@playouts=100` with its own budget.
    ///
    /// # Errors
    /// An unknown name, invalid settings or an invalid budget.
    pub(crate) fn parse(text: &str, players: &Players) -> Result<Participant, TextError> {
        let (player, budget) = match text.split_once('@') {
            Some((player, budget)) => (player, Some(budget.parse()?)),
            None => (text, None),
        };
        let (name, settings) = player.split_once(':').unwrap_or((player, ""));
        match (name, settings) {
            ("human", "") if budget.is_none() => Ok(Participant::Human),
            ("human", _) => {
                let expected = "human has no settings and no budget";
                Err(TextError::new(format!("player {text:?}"), expected, "write human"))
            }
            _ => {
                let player = players.player(player).map_err(|err| TextError {
                    expected: match err.found.starts_with("unknown player") {
                        true => err.expected.replacen("one of", "human or one of", 1),
                        false => err.expected,
                    },
                    ..err
                })?;
                budget.as_ref().map_or(Ok(()), |budget| player.refuse_other_budget(budget))?;
                Ok(Participant::Player(Box::new(player), budget))
            }
        }
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Participant::Human => f.write_str("human"),
            Participant::Player(player, None) => player.fmt(f),
            Participant::Player(player, Some(budget)) => write!(f, "{player}@{budget}"),
        }
    }
}
