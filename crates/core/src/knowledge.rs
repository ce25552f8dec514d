//! What is known of a game beyond its rules, as far as searches ask for it move by move.

use crate::{Bounds, Game, Margin, MoveList, canonical_key};

/// Units of a static evaluation in one point of margin: evaluations are finer than results.
pub const FINE: i32 = 64;

/// Static evaluation, forced moves and move ordering of a game. Every function has a default, so that [`Plain`] is
/// complete for a game of which nothing is known.
///
/// Alpha-beta asks at every position, a Monte Carlo search when it expands a node.
pub trait Knowledge<G: Game>: Send {
    /// The expected final margin without search, score so far included, seen by `First`, in units of 1 / [`FINE`] of a
    /// point; the game is not over. Searches take what lies outside of the position's [`bounds`](Game::bounds) for their
    /// end. By default the [`static_margin`](Knowledge::static_margin).
    ///
    /// What it adds to the score follows from the future alone: positions with the same [`key`](Game::key), or the same
    /// but for a symmetry, get the same, since searches remember it by that key.
    #[inline]
    fn static_eval(&mut self, game: &G, state: &G::State) -> i32 {
        i32::from(self.static_margin(game, state).0) * FINE
    }

    /// How far a [`static_eval`](Knowledge::static_eval) is from a draw, in its own units, when it promises a result of
    /// tanh 1 = 0.76 of a win; positive. By default a quarter of the largest margin.
    fn eval_scale(&self, game: &G) -> i32 {
        (i32::from(game.margin_range().upper.0) * FINE / 4).max(1)
    }

    /// The margin if the game stopped here. By default the score so far.
    #[inline]
    fn static_margin(&self, game: &G, state: &G::State) -> Margin {
        game.score(state)
    }

    /// Appends the moves that one-ply tactics leave: at least one, and among them one that leads to the best final
    /// margin, so that a single move is proven to be best. May prove bounds of the final margin. By default every move.
    ///
    /// Connect Four: a win if there is one, else the start of one in three plies, else the block that must be played,
    /// else the moves that do not hand over a win, else all.
    #[inline]
    fn forced_moves(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) -> Option<Bounds> {
        game.moves(state, out);
        None
    }

    /// Appends the moves that an exact search must try, on the terms of [`forced_moves`](Knowledge::forced_moves). What
    /// it leaves out is proven to be no better than what it keeps; it may take more time, or leave out more, than pays
    /// in a Monte Carlo search. By default the forced moves.
    #[inline]
    fn undominated(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) -> Option<Bounds> {
        self.forced_moves(game, state, out)
    }

    /// How promising `mv` looks, which leads from `before` to `after`: alpha-beta searches the moves with the highest
    /// scores first. Any scale. By default the most central first.
    #[inline]
    fn order_score(&self, game: &G, _before: &G::State, mv: G::Move, _after: &G::State) -> i32 {
        game.centrality(mv).into()
    }

    /// Where alpha-beta's history table counts how often `mv` refuted other moves; moves may share an index. By default
    /// all do.
    #[inline]
    fn history_index(&self, _game: &G, _mv: G::Move) -> u8 {
        0
    }

    /// The key under which exact values are shared: positions with the same one are worth the same to the side to move
    /// under best play, counted from the score so far, and have the same static evaluation from there. By default the
    /// [`canonical_key`].
    #[inline]
    fn solver_key(&self, game: &G, state: &G::State) -> u64 {
        canonical_key(game, state)
    }
}

/// No knowledge: every default, for any game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl<G: Game> Knowledge<G> for Plain {}
