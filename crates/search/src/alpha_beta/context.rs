//! The search context: one position, as all threads of the search see it.

use std::sync::RwLock;

use banyan_core::Game;

use super::coordination::{Coordination, HELP_FROM};
use super::params::{Params, to_the_end};
use super::transposition_table::{TranspositionTable, read_table};

/// Remaining depth from which a thread defers moves that another one searches. Guess, untuned.
const DEFER_FROM: u32 = 4;

/// A position to search, with everything that all threads share.
pub(super) struct Context<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) params: Params,
    /// The transposition table, if any.
    pub(super) table: Option<&'a RwLock<TranspositionTable>>,
    pub(super) coordination: Coordination,
}

impl<G: Game> Context<'_, G> {
    /// Bytes of the table.
    pub(super) fn bytes(&self) -> u64 {
        self.table.map_or(0, |table| read_table(table).bytes())
    }

    /// Positions after which the main thread starts helpers: at once if evaluations are padded, since a few of them take
    /// longer than a thread takes to start.
    pub(super) fn help_from(&self) -> u64 {
        if self.params.pad > 0 { 0 } else { HELP_FROM }
    }

    /// The depth from which a thread defers moves that another one searches; in searches to the end, moves are deferred
    /// in all but the last quarter of the remaining plies: in a game of 30 plies two threads then visit 10 to 20 % more
    /// positions than one, with half of the plies 30 to 40 %.
    pub(super) fn defer_from(&self) -> u32 {
        let plies_left = self.game.max_plies().saturating_sub(self.game.ply(self.state));
        match self.params.exact {
            _ if self.coordination.n_threads() == 1 => u32::MAX,
            true => to_the_end(self.game.ply(self.state)) - u32::from(plies_left) * 3 / 4,
            false => DEFER_FROM,
        }
    }
}
