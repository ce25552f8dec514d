//! Server capabilities: games, players, engines, and limits.

use banyan_api::{About, Offer, about};
use serde::Serialize;

use crate::limits::ServerLimits;
use crate::matches::{MOST_PAIRS, MOST_PLAYERS};

/// An external engine of engines.toml.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineView {
    pub(crate) name: String,
    pub(crate) protocol: &'static str,
}

/// Games, players and levels on offer, with the facts that only a server has.
#[derive(Serialize)]
pub(crate) struct ServerAbout<'a> {
    #[serde(flatten)]
    about: About,
    engines: &'a [EngineView],
    limits: LimitsView,
}

/// Limits of one search, of the number of searches, and of matches.
#[derive(Serialize)]
struct LimitsView {
    threads: u32,
    memory_mib: u32,
    searches: usize,
    sessions: usize,
    /// Pairs of a match.
    pairs: u64,
    /// Players of a match.
    players: usize,
    /// MiB of the record of a match's games.
    match_mib: u32,
}

impl ServerAbout<'_> {
    pub(crate) fn of<'e>(offer: &Offer, engines: &'e [EngineView], limits: &ServerLimits) -> ServerAbout<'e> {
        let &ServerLimits { threads, memory_mib, searches, sessions, match_mib, .. } = limits;
        let (pairs, players) = (MOST_PAIRS, MOST_PLAYERS);
        let limits = LimitsView { threads, memory_mib, searches, sessions, pairs, players, match_mib };
        ServerAbout { about: about(offer), engines, limits }
    }
}
