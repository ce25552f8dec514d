//! One leaf at a time: found by a descent, valued elsewhere, backed up later.

use banyan_core::Game;

use crate::mcts::company::Alone;
use crate::mcts::search::{Search, Worth};
use crate::mcts::task::Task;

/// A position to be valued, whose values count from `offset`, after so many visits.
pub(super) struct Asked<G: Game> {
    pub(super) state: G::State,
    pub(super) offset: i16,
    pub(super) visits: u32,
}

impl<G: Game> Clone for Asked<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Asked<G> {}

/// What a descent came to.
pub(super) enum Descent<G: Game> {
    /// A leaf, which waits from now on.
    Leaf(Asked<G>),
    /// Something known, which is backed up.
    Known,
    /// A leaf that waits already: nothing has changed.
    Blocked,
}

/// Descends once. A leaf that is found waits behind those that wait already.
pub(super) fn descend<G: Game>(search: &mut Search<G>, task: &Task<'_, G>) -> Descent<G> {
    let before = search.batch.waiting();
    search.advance(task, &mut Alone);
    if search.batch.waiting() > before {
        let (state, offset) = search.batch.last();
        let edge = search.path[search.path.len() - 1].edge;
        // Its visit has been counted already.
        return Descent::Leaf(Asked { state, offset, visits: search.graph.tally(edge).visits - 1 });
    }
    if search.batch.take_blocked() { Descent::Blocked } else { Descent::Known }
}

/// Backs up what the leaf is worth that waits behind `i` others.
pub(super) fn settle<G: Game>(search: &mut Search<G>, task: &Task<'_, G>, i: usize, worth: Worth) {
    search.take_up(i);
    search.settle(task, &mut Alone, i, worth);
    search.batch.remove(i);
}
