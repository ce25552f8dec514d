//! Counting move sequences: the standard check of a rules implementation.

use crate::{Game, MoveList};

/// Number of move sequences of exactly `depth` moves from `state`. A pass is a move; games that end earlier do not
/// count.
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{Game, perft};
///
/// let game = Subtraction { stones: 4 };
/// // After one, two or three stones, three, two or one are left, which allow as many moves.
/// assert_eq!(perft(&game, &game.start(), 2), 3 + 2 + 1);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    published_perft(game, state, depth, 0)
}

/// [`perft`] by the convention of published counts in which a finished game takes up to `moves_after_end` further
/// moves: Reversi counts include the pass that ends a game.
pub fn published_perft<G: Game>(game: &G, state: &G::State, depth: u32, moves_after_end: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    count(game, state, &mut lists, moves_after_end as usize)
}

fn count<G: Game>(game: &G, state: &G::State, lists: &mut [MoveList<G::Move>], after_end: usize) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
    if deeper.is_empty() {
        let n_moves = game.move_count(state, moves);
        return if n_moves == 0 { u64::from(after_end > 0) } else { n_moves as u64 };
    }
    moves.clear();
    game.moves(state, moves);
    if moves.is_empty() {
        return u64::from(deeper.len() < after_end);
    }
    let mut total = 0;
    for &mv in moves.iter() {
        let mut next = state.clone();
        game.play(&mut next, mv);
        total += count(game, &next, deeper, after_end);
    }
    total
}
