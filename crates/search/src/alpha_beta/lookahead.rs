//! A search to a fixed depth for other searches: what is best here, and what is it worth?

use banyan_core::{Game, Player};

use super::config::{Algorithm, AlphaBetaConfig};
use super::player::{AlphaBeta, Foresight};

/// Depth from which a table is worth its upkeep. Guess.
const TABLE_FROM: u32 = 4;
/// A look takes at most about so many positions, some milliseconds, so that whoever waits for it keeps its time. Guess.
const MOST_NODES: u64 = 30_000;
/// MiB the table may grow to.
const TABLE_MIB: u32 = 8;

/// Searches positions to one depth, with the game's own estimate at the horizon.
pub(crate) struct Lookahead<G: Game> {
    search: AlphaBeta<G>,
    depth: u32,
}

impl<G: Game> Lookahead<G> {
    /// So many plies deep, at least one.
    pub(crate) fn new(depth: u32) -> Lookahead<G> {
        let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
        config.symmetry = None;
        config.table_mib = (depth >= TABLE_FROM).then_some(TABLE_MIB);
        Lookahead { search: AlphaBeta::new(config), depth }
    }

    /// Forgets every position: another game begins.
    pub(crate) fn forget(&mut self) {
        self.search.new_game(0);
    }

    /// Searches a position that is not over; less deep than asked where that would take too many positions.
    pub(crate) fn look(&mut self, game: &G, state: &G::State) -> Foresight<G::Move> {
        let whole = self.search.foresee_within(game, state, self.depth, MOST_NODES);
        whole.unwrap_or_else(|| self.search.foresee(game, state, 1))
    }
}
