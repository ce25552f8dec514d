//! A game's knowledge beyond its rules: static evaluation, forced moves, move ordering, and reasons why a move loses something.

use crate::{Bounds, Game, Margin, Mistake, MoveCode, MoveList, Reason, canonical_key};

/// Units of a static evaluation per point of margin.
pub const FINE: i32 = 64;

/// Static evaluation, forced moves, move ordering and reasons of a game. Every function has a default; [`Plain`] has all of
/// them.
///
/// Alpha-beta calls these functions at every position, a Monte Carlo search when it expands a node; reasons are for people.
///
/// Of the game in the example of [`Game`], where the side to move loses if the stones left are a multiple of four:
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{FINE, Game, Knowledge};
///
/// #[derive(Clone)]
/// struct MultiplesOfFour;
///
/// impl Knowledge<Subtraction> for MultiplesOfFour {
///     fn static_eval(&mut self, game: &Subtraction, state: &(u16, u16)) -> i32 {
///         let points = if state.0 % 4 == 0 { -FINE } else { FINE };
///         points * i32::from(game.to_move(state).sign()) // seen by `First`
///     }
/// }
///
/// assert_eq!(MultiplesOfFour.static_eval(&Subtraction { stones: 21 }, &(20, 1)), FINE);
/// ```
pub trait Knowledge<G: Game>: Send {
    /// The expected final margin without search, score so far included, seen by `First`, in units of 1 / [`FINE`] of a
    /// point; the game is not over. Searches clamp it to the position's [`bounds`](Game::bounds). By default the
    /// [`static_margin`](Knowledge::static_margin).
    ///
    /// The part beyond the score is a function of the [`key`](Game::key) and the same for symmetric positions, since
    /// searches store it under that key.
    #[inline]
    fn static_eval(&mut self, game: &G, state: &G::State) -> i32 {
        i32::from(self.static_margin(game, state).0) * FINE
    }

    /// The [`static_eval`](Knowledge::static_eval) that corresponds to an expected result of tanh 1 = 0.76, in the same
    /// units; positive. By default a quarter of the largest margin.
    fn eval_scale(&self, game: &G) -> i32 {
        (i32::from(game.margin_range().upper.0) * FINE / 4).max(1)
    }

    /// The margin if the game stopped here. By default the score so far.
    #[inline]
    fn static_margin(&self, game: &G, state: &G::State) -> Margin {
        game.score(state)
    }

    /// Appends the moves left by one-ply tactics: at least one, and among them one that leads to the best final margin,
    /// so that a single move is proven best. May return proven bounds of the final margin. By default every move.
    ///
    /// Connect Four: a win if there is one, else a move that wins in three plies, else the block that must be played,
    /// else the moves that do not hand over a win, else all.
    #[inline]
    fn forced_moves(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) -> Option<Bounds> {
        game.moves(state, out);
        None
    }

    /// Appends the moves left by looking one ply ahead only, at least one: in Connect Four the wins, else the blocks, else the
    /// moves that do not hand over a win on top of them, else all. Nothing is proven. By default every move.
    #[inline]
    fn one_ply_moves(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) {
        game.moves(state, out);
    }

    /// Appends the moves that an exact search must try, under the contract of
    /// [`forced_moves`](Knowledge::forced_moves): every other move is proven to be no better than one of them. It may
    /// cost more time than pays in a Monte Carlo search. By default the forced moves.
    #[inline]
    fn undominated(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) -> Option<Bounds> {
        self.forced_moves(game, state, out)
    }

    /// Move ordering score of `mv`, which leads from `before` to `after`: alpha-beta searches the moves with the
    /// highest scores first, each `depth` plies deep, so that a score may cost the more the deeper. Any scale. By default the
    /// centrality.
    #[inline]
    fn order_score(&self, game: &G, _before: &G::State, mv: G::Move, _after: &G::State, _depth: u32) -> i32 {
        game.centrality(mv).into()
    }

    /// Index of `mv` in alpha-beta's history table; moves may share one. By default 0 for all.
    #[inline]
    fn history_index(&self, _game: &G, _mv: G::Move) -> u8 {
        0
    }

    /// Identity of `mv` across positions: a Monte Carlo search that learns from the moves of its simulations (all moves as first)
    /// counts the moves of a side with the same identity as one move. Small, since tables have an entry for each up to the largest. By
    /// default the [code](crate::MoveCode) of the move; the place that it takes is better where a code means another place in every
    /// position.
    #[inline]
    fn move_identity(&self, _game: &G, _state: &G::State, mv: G::Move) -> u16 {
        mv.code()
    }

    /// The standard deviation of an alpha-beta search of this position to `deep` plies from one to `shallow` plies, both even or both
    /// odd, with the [static evaluation](Knowledge::static_eval) at their horizons; in units of 1 / [`FINE`] of a point. `None` if it is
    /// not known, which is the default: searches then prune nothing by it.
    #[inline]
    fn depth_error(&self, _game: &G, _state: &G::State, _shallow: u32, _deep: u32) -> Option<f32> {
        None
    }

    /// The key under which exact values are shared: positions with the same solver key have the same value for the side
    /// to move under best play, excluding the score so far, and the same static evaluation, likewise excluding it. By
    /// default the [`canonical_key`].
    #[inline]
    fn solver_key(&self, game: &G, state: &G::State) -> u64 {
        canonical_key(game, state)
    }

    /// Why `mistake`, made in `state`, is worse than the better move: facts only, the most important first. By default none.
    fn reasons(&self, _game: &G, _state: &G::State, _mistake: &Mistake<G::Move>) -> Vec<Reason> {
        Vec::new()
    }
}

/// No knowledge: all defaults, for any game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl<G: Game> Knowledge<G> for Plain {}
