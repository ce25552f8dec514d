//! The rules of a game, as every search, match and page sees them.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Bounds, FINE, Guided, Margin, PlayoutRules, Rng, Side, guided_by_tactics};

/// A reusable list of moves, in the order the game lists them.
pub type MoveList<M> = Vec<M>;

/// One of a game's board symmetries: 0 is the identity, the others are numbered by the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry(pub u8);

/// Settings of a Monte Carlo search, each by name and value as in the search's own table.
pub type Settings = &'static [(&'static str, &'static str)];

/// A move that fits a number of 16 bits, by which search trees keep it. [`laws`](crate::laws) test it.
pub trait MoveCode: Copy {
    /// The number of this move; other moves of a position have others.
    fn code(self) -> u16;

    /// The move of this number, which [`code`](MoveCode::code) has given.
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

/// A row and a column, for one.
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
/// Two players with perfect information, no chance; turns need not alternate. Ten functions are asked for, the rest
/// have defaults that fast games override. Rules cannot fail: whatever is not legal is refused by
/// [`Notation`](crate::Notation) before it gets here.
pub trait Game: Send + Sync + 'static {
    /// Only what changes during a game; small (at most two cache lines), copied and never undone.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// One move; a pass is a move.
    type Move: MoveCode + Eq + Debug + Send + Sync;

    /// The position before the first move.
    fn start(&self) -> Self::State;

    /// Whose move it is. After the end of the game: any side, but always the same one for the same state.
    fn to_move(&self, state: &Self::State) -> Side;

    /// The final margin, points banked on the way included, or `None` while the game goes on.
    fn result(&self, state: &Self::State) -> Option<Margin>;

    /// Appends every legal move to `out`, in a fixed order; none when the game is over, at least one otherwise.
    fn moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>);

    /// Plays the legal move `mv`.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Moves played so far; every `play` raises it, so no position repeats.
    fn ply(&self, state: &Self::State) -> u16;

    /// No game is longer than this.
    fn max_plies(&self) -> u16;

    /// How far the game has got: 0 at the start, 1 at the latest end, never less after a move. By default the share of
    /// [`max_plies`](Game::max_plies) played; better where that is a loose bound.
    #[inline]
    fn stage(&self, state: &Self::State) -> f32 {
        (f32::from(self.ply(state)) / f32::from(self.max_plies().max(1))).min(1.0)
    }

    /// Names the future: the side to move, the moves to come and the margin still to be won, but neither how the
    /// position arose nor what is banked already. Well mixed in all 64 bits (see [`mix`]).
    fn key(&self, state: &Self::State) -> u64;

    /// Settings that matches have shown to be strong in this game. Where the first list cannot be had, since it does not go
    /// together with what else is wanted, the next is tried. By default none: the usual settings.
    fn strong_settings() -> &'static [Settings] {
        &[]
    }

    /// Moves that published move counts let a finished game still make, for [`perft`](crate::perft()) alone: a Reversi
    /// count takes for a move the pass by which the side to move shows that it cannot move either.
    fn moves_after_end(&self) -> u32 {
        0
    }

    /// The smallest and largest margin a game can end with.
    fn margin_range(&self) -> Bounds;

    /// Points settled already, seen by `First`; they are part of [`result`](Game::result) and not of the key.
    #[inline]
    fn banked(&self, _state: &Self::State) -> Margin {
        Margin::DRAW
    }

    /// The margin if the game stopped here: what a player that looks no further goes by.
    #[inline]
    fn standing(&self, state: &Self::State) -> Margin {
        self.banked(state)
    }

    /// What is provable about the final margin (banked points included) at a glance; exact when the game is over.
    #[inline]
    fn bounds(&self, state: &Self::State) -> Bounds {
        self.result(state).map_or_else(|| self.margin_range(), Bounds::exact)
    }

    /// Appends the moves worth looking at to `out`: at least one, and among them one that leads to the best final
    /// margin, so that a single move is as good as proven best. May prove bounds of the final margin on the way. By
    /// default every move.
    ///
    /// Connect Four: a win if there is one, else the start of one in three plies, else the block that must be played,
    /// else the moves that do not hand over a win, else all.
    #[inline]
    fn tactics(&self, state: &Self::State, out: &mut MoveList<Self::Move>) -> Option<Bounds> {
        self.moves(state, out);
        None
    }

    /// Appends the moves that an exact search must look at, on the terms of [`tactics`](Game::tactics); may prove bounds
    /// likewise. What it leaves out is proven to be no better than what it keeps, and it may spend more time on that, or
    /// leave out more, than pays in a Monte Carlo search. By default the moves of `tactics`.
    ///
    /// Dots and Boxes: a box that it cannot pay to leave is taken at once, and of several edges that come to the same
    /// one is kept.
    #[inline]
    fn dominating(&self, state: &Self::State, out: &mut MoveList<Self::Move>) -> Option<Bounds> {
        self.tactics(state, out)
    }

    /// How central a move is, for ties and ordering: the larger, the more central.
    #[inline]
    fn centrality(&self, _mv: Self::Move) -> u8 {
        0
    }

    /// The expected final margin at a guess, banked points included, seen by `First`, in units of 1 / [`FINE`] of a
    /// point; the game is not over. What it adds to the banked points follows from the future alone, see
    /// [`Heuristic`](crate::Heuristic). By default the margin as the board stands.
    #[inline]
    fn estimate(&self, state: &Self::State) -> i32 {
        i32::from(self.standing(state).0) * FINE
    }

    /// How far an [`estimate`](Game::estimate) must be from a draw, in its own units, to promise a result of
    /// tanh 1 = 0.76 of a win. By default a quarter of the largest margin.
    fn estimate_scale(&self) -> i32 {
        (i32::from(self.margin_range().upper.0) * FINE / 4).max(1)
    }

    /// The same as [`estimate`](Game::estimate) at a closer look, on the same scale: for searches that look at few positions
    /// and play out what follows, so that they have the time. By default the estimate.
    #[inline]
    fn appraise(&self, state: &Self::State) -> i32 {
        self.estimate(state)
    }

    /// How likely each of `moves` is to be the best, as far as the game can tell at a glance; the game is not over. Appends
    /// one probability for each move, none negative, their sum 1: the priors that PUCT begins with. By default nothing:
    /// they are all alike.
    #[inline]
    fn priors(&self, _state: &Self::State, _moves: &[Self::Move], _out: &mut Vec<f32>) {}

    /// How promising `mv` looks, which leads from `before` to `after`: alpha-beta looks first at the moves that promise
    /// most. Any scale. By default the most central first.
    #[inline]
    fn promise(&self, _before: &Self::State, mv: Self::Move, _after: &Self::State) -> i32 {
        self.centrality(mv).into()
    }

    /// Tells moves apart in tables of what each was worth elsewhere in the tree, such as history; moves may share a
    /// slot. By default all do.
    #[inline]
    fn slot(&self, _mv: Self::Move) -> u8 {
        0
    }

    /// A uniformly random legal move; the game is not over. `scratch` may be overwritten.
    #[inline]
    fn random_move(&self, state: &Self::State, rng: &mut Rng, scratch: &mut MoveList<Self::Move>) -> Self::Move {
        scratch.clear();
        self.moves(state, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }

    /// Plays uniformly random moves to the end and returns the final margin. `scratch` may be overwritten.
    #[inline]
    fn playout(&self, mut state: Self::State, rng: &mut Rng, scratch: &mut MoveList<Self::Move>) -> Margin {
        loop {
            if let Some(margin) = self.result(&state) {
                return margin;
            }
            let mv = self.random_move(&state, rng, scratch);
            self.play(&mut state, mv);
        }
    }

    /// The game's own playout: random moves that are better than uniform ones, with whatever the line proves about
    /// `state`. A game that is over gives its result. `scratch` may be overwritten. By default
    /// [`guided_by_tactics`].
    ///
    /// Games that do not know the `rules` ignore them: every game but Connect Four.
    #[inline(always)]
    fn guided_playout(
        &self,
        state: Self::State,
        _rules: PlayoutRules,
        rng: &mut Rng,
        scratch: &mut MoveList<Self::Move>,
    ) -> Guided {
        guided_by_tactics(self, state, rng, scratch)
    }

    /// One [`guided_playout`](Game::guided_playout) from each of `states`; the results go to `out`, which is as long, in
    /// the same order. The playouts are independent of one another and distributed as single ones are, though the
    /// numbers drawn may be others. By default one after another.
    ///
    /// Connect Four plays many at once in the lanes of vectors.
    #[inline(always)]
    fn guided_playouts(
        &self,
        states: &[Self::State],
        rules: PlayoutRules,
        rng: &mut Rng,
        scratch: &mut MoveList<Self::Move>,
        out: &mut [Guided],
    ) {
        debug_assert_eq!(states.len(), out.len(), "as many results as states");
        for (state, guided) in states.iter().zip(out) {
            *guided = self.guided_playout(*state, rules, rng, scratch);
        }
    }

    /// Number of board symmetries, the identity included.
    fn symmetries(&self) -> u8 {
        1
    }

    /// The position as `symmetry` maps it.
    fn transform(&self, state: &Self::State, _symmetry: Symmetry) -> Self::State {
        *state
    }

    /// The move as `symmetry` maps it: legal in the mapped position if it was legal before.
    fn transform_move(&self, mv: Self::Move, _symmetry: Symmetry) -> Self::Move {
        mv
    }

    /// The smallest key among all symmetric positions: equal for positions that are the same but for a symmetry.
    fn canonical_key(&self, state: &Self::State) -> u64 {
        let keys = (0..self.symmetries()).map(|i| self.key(&self.transform(state, Symmetry(i))));
        keys.min().expect("the identity is always there")
    }

    /// Names what the side to move can still win: positions with the same key are worth the same to it under best play,
    /// counted from what is banked, and have the same [`estimate`](Game::estimate) from there. May be equal for
    /// positions that differ in more than a symmetry. By default the [`canonical_key`](Game::canonical_key).
    #[inline]
    fn value_key(&self, state: &Self::State) -> u64 {
        self.canonical_key(state)
    }

    /// The same position with every incremental part computed anew, for the law suite.
    fn rebuilt(&self, state: &Self::State) -> Self::State {
        *state
    }
}

/// Spreads `x` over all 64 bits; a bijection (the finaliser of splitmix64, Steele, Lea and Flood 2014, with the
/// constants of David Stafford's variant 13).
#[inline(always)]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
