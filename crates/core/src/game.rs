//! The rules of a game: the interface for searches, matches and protocols.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Bounds, Margin, Side};

/// A reusable list of moves, in the order the game lists them.
pub type MoveList<M> = Vec<M>;

/// One of a game's board symmetries: 0 is the identity, the others are numbered by the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry(pub u8);

/// A move that can be encoded in 16 bits, as nodes store it. Tested by `banyan-laws`.
pub trait MoveCode: Copy {
    /// The code of this move; distinct for the moves of one position.
    fn code(self) -> u16;

    /// The move with this code, a value returned by [`code`](MoveCode::code).
    fn from_code(code: u16) -> Self;
}

impl MoveCode for u8 {
    #[inline]
    fn code(self) -> u16 {
        self.into()
    }

    #[inline]
    fn from_code(code: u16) -> u8 {
        code as u8
    }
}

impl MoveCode for u16 {
    #[inline]
    fn code(self) -> u16 {
        self
    }

    #[inline]
    fn from_code(code: u16) -> u16 {
        code
    }
}

/// For example row and column.
impl MoveCode for (u8, u8) {
    #[inline]
    fn code(self) -> u16 {
        u16::from_be_bytes([self.0, self.1])
    }

    #[inline]
    fn from_code(code: u16) -> (u8, u8) {
        code.to_be_bytes().into()
    }
}

/// Rules and geometry of one game at one size: built once, shared read-only.
///
/// Two players with perfect information, no chance; turns need not alternate. Nine functions are required, the rest
/// have defaults. Rules cannot fail: [`Notation`](crate::Notation) refuses illegal input before it gets here. Knowledge
/// beyond the rules is in a [`Knowledge`](crate::Knowledge), an [`Evaluator`](crate::Evaluator) or a
/// [`PlayoutPolicy`](crate::PlayoutPolicy).
///
/// ```
#[doc = include_str!("../doc/subtraction.rs")]
///
/// let game = Subtraction { stones: 21 };
/// let mut state = game.start();
/// game.play(&mut state, 3);
/// assert_eq!((game.to_move(&state), game.result(&state)), (Side::Second, None));
/// ```
pub trait Game: Send + Sync + 'static {
    /// The changing part of a game, copied for each move and never undone. For speed it is `Copy` and at most two cache lines.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// One move; a pass is a move.
    type Move: MoveCode + Eq + Debug + Send + Sync;

    /// The position before the first move.
    fn start(&self) -> Self::State;

    /// The side to move. After the end of the game either side, but always the same one for the same state.
    fn to_move(&self, state: &Self::State) -> Side;

    /// The final margin, score included; `None` while the game is not over.
    fn result(&self, state: &Self::State) -> Option<Margin>;

    /// Appends every legal move to `out`, in a fixed order; none when the game is over, at least one otherwise.
    fn moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>);

    /// The number of moves that [`moves`](Game::moves) lists: 0 when the game is over. By default they are listed, in `list`, whose
    /// contents are lost; override it where counting is cheaper.
    fn move_count(&self, state: &Self::State, list: &mut MoveList<Self::Move>) -> usize {
        list.clear();
        self.moves(state, list);
        list.len()
    }

    /// Plays the legal move `mv`.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Moves played so far; every `play` raises it, so no position repeats.
    fn ply(&self, state: &Self::State) -> u16;

    /// Upper bound of the length of a game in plies.
    fn max_plies(&self) -> u16;

    /// The most plies that are left, passes excluded: what clocks, solvers and training count by. By default those up to
    /// [`max_plies`](Game::max_plies).
    #[inline]
    fn plies_left(&self, state: &Self::State) -> u16 {
        self.max_plies().saturating_sub(self.ply(state))
    }

    /// Hash of the future: of the side to move, the moves to come and the margin still to be won, but neither of the
    /// history nor of the score so far. Well mixed in all 64 bits (see [`mix`](crate::mix)).
    fn key(&self, state: &Self::State) -> u64;

    /// The smallest and largest margin a game can end with.
    fn margin_range(&self) -> Bounds;

    /// Points scored so far, seen by `First`; they are part of [`result`](Game::result) and not of the key.
    #[inline]
    fn score(&self, _state: &Self::State) -> Margin {
        Margin::DRAW
    }

    /// Bounds of the final margin (score so far included) that the rules prove without search; exact when the game is
    /// over.
    #[inline]
    fn bounds(&self, state: &Self::State) -> Bounds {
        self.result(state).map_or_else(|| self.margin_range(), Bounds::exact)
    }

    /// The share of the game that has been played: 0 at the start, 1 at the latest end, never less after a move. By
    /// default the share of [`max_plies`](Game::max_plies); games for which that is a loose bound should override it.
    #[inline]
    fn phase(&self, state: &Self::State) -> f32 {
        (f32::from(self.ply(state)) / f32::from(self.max_plies().max(1))).min(1.0)
    }

    /// Closeness of a move to the centre of the board, for ties and ordering: the larger, the closer. By default 0.
    #[inline]
    fn centrality(&self, _mv: Self::Move) -> u8 {
        0
    }

    /// Number of board symmetries, the identity included.
    fn symmetries(&self) -> u8 {
        1
    }

    /// The position as `symmetry` maps it.
    fn transform(&self, state: &Self::State, _symmetry: Symmetry) -> Self::State {
        state.clone()
    }

    /// The move as `symmetry` maps it: legal in the mapped position if it was legal before.
    fn transform_move(&self, mv: Self::Move, _symmetry: Symmetry) -> Self::Move {
        mv
    }

    /// This position with every incremental part computed anew, for the law suite.
    fn recomputed(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// The smallest key among all images of a position: equal for symmetric positions.
pub fn canonical_key<G: Game>(game: &G, state: &G::State) -> u64 {
    let keys = (0..game.symmetries()).map(|i| game.key(&game.transform(state, Symmetry(i))));
    keys.min().expect("the identity is always there")
}
