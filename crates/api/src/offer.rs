//! The games and players on offer, and the players and budgets of requests within their limits.

use banyan_catalog::{Budget, Catalog, DEFAULT_PLAYER, PlayerCaps, PlayerSpec, Players, Session};
use banyan_core::{Limits, TextError};

use crate::refusal::Refusal;

/// The budget of a search that its viewer ends.
const INFINITE: &str = "infinite";
/// Maximum length of a player in bytes.
const MOST_TEXT: usize = 2000;

/// The games and players that requests may name, and the limits of one search.
pub struct Offer {
    /// The games.
    pub catalog: Catalog,
    /// The players.
    pub players: Players,
    /// The limits of one search.
    pub caps: PlayerCaps,
}

impl Offer {
    /// The player of this name in the game of a session.
    pub(crate) fn player(&self, session: &Session, text: Option<&str>) -> Result<PlayerSpec, Refusal> {
        let refused = |err: TextError| Refusal::in_field("player", &err);
        let text = text.unwrap_or(DEFAULT_PLAYER);
        if text.len() > MOST_TEXT {
            let expected = format!("expected at most {MOST_TEXT} bytes");
            return Err(refused(TextError::new("a long player", expected, "use fewer settings")));
        }
        let player = self.players.player(text).and_then(|player| player.within(session.tables(), &self.caps));
        player.map_err(refused)
    }
}

/// The limits of a search; none for `infinite` and by default.
pub(crate) fn budget(text: Option<&str>, player: &PlayerSpec) -> Result<Limits, Refusal> {
    match text {
        None | Some(INFINITE) => Ok(Limits::default()),
        Some(text) => Ok(finite_budget(text, player)?.first_limits()),
    }
}

/// A budget that ends every search of the player.
pub(crate) fn finite_budget(text: &str, player: &PlayerSpec) -> Result<Budget, Refusal> {
    let refused = |err: TextError| Refusal::in_field("budget", &err);
    let budget: Budget = text.parse().map_err(refused)?;
    player.check(&budget).and_then(|()| player.refuse_unused(&budget)).map_err(refused)?;
    Ok(budget)
}
