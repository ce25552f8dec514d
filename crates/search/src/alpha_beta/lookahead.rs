//! A fixed-depth search for use by other searches.

use banyan_core::{Game, Knowledge, Player};

use super::config::{Algorithm, AlphaBetaConfig};
use super::player::{AlphaBeta, DepthResult};

/// Depth from which a table is used. Guess, untuned.
const TABLE_FROM: u32 = 4;
/// Approximate limit on the positions of a search, some milliseconds, so that the calling search keeps its time limit.
/// Guess, untuned.
const MOST_NODES: u64 = 30_000;
/// MiB the table may grow to.
const TABLE_MIB: u32 = 8;

/// Searches positions to one depth, with a static evaluation at the horizon.
pub(crate) struct Lookahead<G: Game, K> {
    search: AlphaBeta<G, K>,
    depth: u32,
}

impl<G: Game, K: Knowledge<G> + Clone> Lookahead<G, K> {
    /// A search of `depth` plies, at least one.
    pub(crate) fn new(depth: u32, knowledge: K) -> Lookahead<G, K> {
        let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
        config.symmetry = None;
        config.table_mib = (depth >= TABLE_FROM).then_some(TABLE_MIB);
        Lookahead { search: AlphaBeta::with_knowledge(config, knowledge), depth }
    }
}

/// A fixed-depth search, whatever the type of the game's knowledge.
pub(crate) trait ShallowSearch<G: Game>: Send {
    /// Searches a position that is not terminal; to a smaller depth than set if that would take too many positions.
    fn search(&mut self, game: &G, state: &G::State) -> DepthResult<G::Move>;

    /// Clears the table: another game begins.
    fn forget(&mut self);
}

impl<G: Game, K: Knowledge<G> + Clone> ShallowSearch<G> for Lookahead<G, K> {
    fn search(&mut self, game: &G, state: &G::State) -> DepthResult<G::Move> {
        let whole = self.search.search_within(game, state, self.depth, MOST_NODES);
        whole.unwrap_or_else(|| self.search.search_to_depth(game, state, 1))
    }

    fn forget(&mut self) {
        self.search.new_game(0);
    }
}
