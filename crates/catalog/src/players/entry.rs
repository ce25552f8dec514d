//! Players with a budget, as `PLAYER@BUDGET`.

use std::fmt;

use banyan_core::TextError;

use super::{PlayerSpec, Players};
use crate::budget::Budget;

/// A player with its own budget, if it has one: `mcgs:c=2@playouts=500`, `greedy`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The player.
    pub player: PlayerSpec,
    /// Its own budget; `None` if it takes the common one.
    pub budget: Option<Budget>,
}

impl Entry {
    /// Parses `PLAYER` or `PLAYER@BUDGET`.
    ///
    /// # Errors
    /// An unknown player, invalid settings, an invalid budget, or one that replaces a budget that is part of the player.
    pub fn parse(text: &str, players: &Players) -> Result<Entry, TextError> {
        let (player, budget) = Entry::split(text);
        let budget = budget.map(str::parse).transpose()?;
        let player = players.player(player)?;
        budget.as_ref().map_or(Ok(()), |budget| player.refuse_other_budget(budget))?;
        Ok(Entry { player, budget })
    }

    /// The texts of the player and of its budget.
    pub fn split(text: &str) -> (&str, Option<&str>) {
        text.split_once('@').map_or((text, None), |(player, budget)| (player, Some(budget)))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.budget {
            None => self.player.fmt(f),
            Some(budget) => write!(f, "{}@{budget}", self.player),
        }
    }
}
