//! Counting move sequences: the standard check of a rules implementation.

use crate::{Game, MoveList};

/// Number of move sequences of exactly `depth` moves from `state`. A pass is a move; games that end earlier do not
/// count, unless [`Game::moves_after_end`] makes up for the moves that are missing.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    count(game, state, &mut lists)
}

/// The same count split by the first move, in the order of `moves()`. `depth` is at least 1.
pub fn perft_divide<'a, G: Game>(
    game: &'a G,
    state: &'a G::State,
    depth: u32,
) -> impl Iterator<Item = (G::Move, u64)> + 'a {
    debug_assert!(depth >= 1, "a sequence of no moves has no first move");
    let mut moves = MoveList::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(move |mv| {
        let mut next = *state;
        game.play(&mut next, mv);
        (mv, perft(game, &next, depth - 1))
    })
}

fn count<G: Game>(game: &G, state: &G::State, lists: &mut [MoveList<G::Move>]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
    moves.clear();
    game.moves(state, moves);
    if moves.is_empty() {
        return u64::from(deeper.len() < game.moves_after_end() as usize);
    }
    if deeper.is_empty() {
        return moves.len() as u64;
    }
    let mut total = 0;
    for &mv in moves.iter() {
        let mut next = *state;
        game.play(&mut next, mv);
        total += count(game, &next, deeper);
    }
    total
}
