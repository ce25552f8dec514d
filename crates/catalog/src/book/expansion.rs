//! The moves of a position as a book has them, and the position that is being expanded.

use banyan_core::{ErasedGame, ErasedState, Game, Margin, Side};

use crate::game_state::{GameState, position_key};

/// A position after a move.
#[derive(Clone, Debug)]
pub struct Child {
    /// The move; the first of those that lead to this position or to a symmetric one.
    pub mv: String,
    /// [`GameState::position_key`].
    pub key: u64,
    /// The side to move in it.
    pub mover: Side,
    /// The final margin; `None` if the game is not over.
    pub end: Option<Margin>,
}

impl Child {
    /// The current position of `game`, reached by `mv`.
    pub(super) fn at(game: &GameState, mv: String) -> Child {
        Child { mv, key: game.position_key(), mover: game.to_move(), end: game.result() }
    }
}

/// The positions after the moves of the current one, in the order of the moves, symmetric ones once.
pub fn children(game: &mut GameState) -> Vec<Child> {
    let mut found: Vec<Child> = Vec::new();
    for mv in game.legal_moves() {
        let child = after(game, &mv, |game| Child::at(game, mv.clone()));
        if found.iter().all(|other| other.key != child.key) {
            found.push(child);
        }
    }
    found
}

/// The legal moves with the keys of the positions after them, and these positions. A book identifies moves by these keys, so that it
/// serves every symmetric image of a position.
pub(super) fn moves_of<'a>(
    game: &'a ErasedGame,
    state: &'a ErasedState,
) -> impl Iterator<Item = (u16, u64, ErasedState)> + use<'a> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(move |mv| {
        let mut after = state.clone();
        game.play(&mut after, mv);
        (mv, position_key(game, &after), after)
    })
}

/// Plays a legal move, calls `look` at the position after it, takes the move back, and returns what `look` returned.
pub fn after<T>(game: &mut GameState, mv: &str, look: impl FnOnce(&mut GameState) -> T) -> T {
    game.play(mv).expect("the game has listed the move");
    let seen = look(game);
    game.undo();
    seen
}

/// Goes to the position after these moves from the first one.
pub fn go_to(game: &mut GameState, moves: &str) -> Result<(), banyan_core::TextError> {
    while game.undo().is_some() {}
    game.play_all(moves)
}

/// The position whose moves are being added.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    /// Its index in the book; `None` before the starting position is added.
    pub(super) of: Option<usize>,
    /// The positions after its moves.
    pub(super) children: Vec<Child>,
}
