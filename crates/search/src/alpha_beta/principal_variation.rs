//! The principal variation, read from the table.

use banyan_core::{Game, Knowledge, MoveList};

use super::root::Root;
use super::transposition_table::TranspositionTable;

/// The principal variation from `first` on, up to the first position with a choice for which the table has no move; at
/// most `depth` moves.
pub(super) fn principal_variation<G: Game>(
    root: &Root<'_, G>,
    knowledge: &impl Knowledge<G>,
    first: G::Move,
    table: Option<&TranspositionTable>,
    depth: u32,
) -> Vec<G::Move> {
    let mut pv = vec![first];
    let mut state = root.state.clone();
    root.game.play(&mut state, first);
    for plies_left in (1..depth.min(root.game.max_plies().into())).rev() {
        let Some(mv) = next_move(root, knowledge, &state, table, plies_left) else { break };
        root.game.play(&mut state, mv);
        pv.push(mv);
    }
    pv
}

/// The move of the table's entry, or the only legal move.
fn next_move<G: Game>(
    root: &Root<'_, G>,
    knowledge: &impl Knowledge<G>,
    state: &G::State,
    table: Option<&TranspositionTable>,
    plies_left: u32,
) -> Option<G::Move> {
    let Root { game, params, .. } = root;
    if game.result(state).is_some() {
        return None;
    }
    let mut moves = MoveList::new();
    if params.forced {
        knowledge.undominated(*game, state, &mut moves);
    } else {
        game.moves(state, &mut moves);
    }
    if let [only] = moves[..] {
        return Some(only);
    }
    let table = table?;
    // A hint of 0 mostly means that the entry has no move.
    let entry = table.find(params.key(*game, knowledge, state, plies_left)).filter(|entry| entry.hint != 0)?;
    moves.into_iter().find(|&mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let below = plies_left.saturating_sub(1);
        let key =
            if game.result(&next).is_some() { game.key(&next) } else { params.key(*game, knowledge, &next, below) };
        table.hint_of(key) == entry.hint
    })
}
