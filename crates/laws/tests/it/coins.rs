//! Two piles of coins: a small game with extra turns and points scored on the way, and a variant for each violation of
//! a law.
//!
//! A move takes 1 to 3 coins from one pile. A player who leaves a multiple of 4 coins in the pile gets a point and
//! moves again; taking the last coin of all gives 3 more points.

mod evaluators;
mod knowledge;
mod text;

pub use evaluators::{CoinsPlayouts, CoinsPoints, CoinsPolicy, CoinsPriors};
pub use knowledge::CoinsKnowledge;

use std::sync::atomic::{AtomicI16, Ordering};

use banyan_core::{Bounds, FINE, Game, Margin, MoveCode, MoveList, Side, Symmetry, mix};

/// A mistake in the rules, the text, the knowledge or an evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    Nothing,
    AnswersChange,
    MoveTwice,
    MovesWhenOver,
    NoMoves,
    MovesMiscounted,
    MovesCountedWhenOver,
    MovesCleared,
    MoveWithoutCode,
    PlyConstant,
    StartsLate,
    TooLong,
    NeverEnds,
    PliesLeftRise,
    PhaseFalls,
    PhasePastEnd,
    PhaseUnknown,
    StaleSum,
    KeyWithoutMover,
    KeyWithoutPile,
    KeyWithoutSize,
    KeyHasScore,
    KeyHasPly,
    KeyHasHistory,
    KeyUnmixed,
    MovesPrintAlike,
    SpacedMove,
    MoveMisread,
    IllegalAccepted,
    UnevenPosition,
    PositionWithoutScore,
    FinishedPositionRefused,
    LastMoveLost,
    OptionsLost,
    DrawIllegal,
    DrawLopsided,
    PlayoutKind,
    PlayoutWild,
    MovesNotMapped,
    ImageSwapsMover,
    NoIdentity,
    ScoreTooHigh,
    RangeTooNarrow,
    BoundsTooNarrow,
    BoundsOpenAtEnd,
    StaticMarginTooHigh,
    StaticMarginLopsided,
    NoForcedMove,
    ForcedMoveIllegal,
    ForcedMovesProveWrong,
    BestDropped,
    WorseMarginKept,
    DominatingDropsBest,
    EvalLopsided,
    EvalHasPly,
    EvalTooHigh,
    EvalScaleless,
    SolverKeyWithoutPile,
    PointsLopsided,
    PointsTooHigh,
    PlayoutProvesWrong,
    PlayoutProvesTooWide,
    PlayoutStrays,
    LineIllegal,
    LineShort,
    LineOfAnother,
    LineMissing,
    PriorsShort,
    PriorsNegative,
    PriorsHeavy,
    PriorsLopsided,
    PriorsHavePly,
    PictureTooSmall,
}

/// `PAD` bytes make the state too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<const PAD: usize> {
    piles: [u8; 2],
    /// Coins in both piles, updated incrementally.
    sum: u8,
    mover: Side,
    score: i16,
    ply: u16,
    /// A hash of the moves that led here, in order; 0 unless [`Broken::KeyHasHistory`].
    history: u64,
    pad: [u8; PAD],
}

impl<const PAD: usize> State<PAD> {
    /// A static evaluation: the mover gets half of the points that are left.
    pub fn half_to_the_mover(&self) -> i32 {
        let half = FINE / 2 * i32::from(Coins::<PAD>::points_left(self) * self.mover.sign());
        i32::from(self.score) * FINE + half
    }
}

/// A pile and how many coins to take from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take(pub u8, pub u8);

/// One bit for the pile, two for the coins.
impl MoveCode for Take {
    fn code(self) -> u16 {
        u16::from(4 * self.0 + self.1 % 4)
    }

    fn from_code(code: u16) -> Take {
        Take((code / 4) as u8, (code % 4) as u8)
    }
}

pub struct Coins<const PAD: usize> {
    piles: [u8; 2],
    broken: Broken,
    n_calls: AtomicI16,
}

impl<const PAD: usize> Coins<PAD> {
    pub fn broken(broken: Broken) -> Coins<PAD> {
        Coins { piles: [13, 10], broken, n_calls: AtomicI16::new(0) }
    }

    fn is(&self, broken: Broken) -> bool {
        self.broken == broken
    }

    /// Points in excess of the true score.
    fn too_much(&self) -> i16 {
        if self.is(Broken::ScoreTooHigh) { 100 } else { 0 }
    }

    fn points_left(state: &State<PAD>) -> i16 {
        if state.sum == 0 { 0 } else { 3 + state.piles.iter().map(|&coins| i16::from(coins.div_ceil(4))).sum::<i16>() }
    }

    /// The margin under best play, seen by `First`.
    fn value(&self, state: &State<PAD>) -> i16 {
        let best = self.values(state).into_iter().max_by_key(|&(_, value)| value * state.mover.sign());
        best.map_or_else(|| self.result(state).expect("no move is left").0, |(_, value)| value)
    }

    fn values(&self, state: &State<PAD>) -> Vec<(Take, i16)> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let value = |mv| {
            let mut next = *state;
            self.play(&mut next, mv);
            (mv, self.value(&next))
        };
        moves.into_iter().map(value).collect()
    }

    /// The move with the worst margin among those after which the same side wins as after the best.
    pub fn worst_of_same_winner(&self, state: &State<PAD>) -> Take {
        let winner = self.value(state).signum();
        let kept = self.values(state).into_iter().filter(|&(_, value)| value.signum() == winner);
        kept.min_by_key(|&(_, value)| value * state.mover.sign()).expect("the best move is among them").0
    }

    /// The winning move that empties the table, if there is one.
    pub fn last_take(state: &State<PAD>) -> Option<Take> {
        match state.piles {
            [coins @ 1..=3, 0] => Some(Take(0, coins)),
            [0, coins @ 1..=3] => Some(Take(1, coins)),
            _ => None,
        }
    }
}

impl<const PAD: usize> Game for Coins<PAD> {
    type State = State<PAD>;
    type Move = Take;

    fn start(&self) -> State<PAD> {
        let (piles, sum) = (self.piles, self.piles[0] + self.piles[1]);
        let ply = u16::from(self.is(Broken::StartsLate));
        State { piles, sum, mover: Side::First, score: 0, ply, history: 0, pad: [0; PAD] }
    }

    fn to_move(&self, state: &State<PAD>) -> Side {
        state.mover
    }

    fn result(&self, state: &State<PAD>) -> Option<Margin> {
        let over = state.piles == [0, 0] && !self.is(Broken::NeverEnds);
        // The mover took the last coin: 0 is a multiple of 4, so the turn did not pass.
        over.then_some(Margin(state.score + 3 * state.mover.sign() + self.too_much()))
    }

    fn moves(&self, state: &State<PAD>, out: &mut MoveList<Take>) {
        if self.is(Broken::MovesCleared) {
            out.clear();
        }
        if self.is(Broken::NoMoves) && state.sum < 5 {
            return;
        }
        if state.sum == 0 && matches!(self.broken, Broken::MovesWhenOver | Broken::NeverEnds) {
            out.push(Take(0, 0));
        }
        let more = if self.is(Broken::MoveWithoutCode) { 4 } else { 0 };
        for pile in 0..2 {
            out.extend((1..=state.piles[usize::from(pile)].min(3)).map(|coins| Take(pile, coins + more)));
        }
        if self.is(Broken::MoveTwice) && state.sum > 0 {
            out.extend(out.last().copied());
        }
    }

    fn move_count(&self, state: &State<PAD>, list: &mut MoveList<Take>) -> usize {
        list.clear();
        self.moves(state, list);
        let too_many = match self.broken {
            Broken::MovesMiscounted => state.sum == 5,
            Broken::MovesCountedWhenOver => state.sum == 0,
            _ => false,
        };
        list.len() + usize::from(too_many)
    }

    fn play(&self, state: &mut State<PAD>, Take(pile, coins): Take) {
        let coins = coins % 4;
        let left = &mut state.piles[usize::from(pile)];
        *left -= coins;
        if left.is_multiple_of(4) {
            state.score += state.mover.sign();
        } else {
            state.mover = !state.mover;
        }
        state.sum -= if self.is(Broken::StaleSum) && coins == 3 { 2 } else { coins };
        state.ply += u16::from(!(self.is(Broken::PlyConstant) && coins == 2));
        if self.is(Broken::KeyHasHistory) {
            state.history = mix(state.history + u64::from(4 * pile + coins));
        }
    }

    fn ply(&self, state: &State<PAD>) -> u16 {
        state.ply
    }

    fn max_plies(&self) -> u16 {
        if self.is(Broken::TooLong) { 8 } else { 64 }
    }

    fn plies_left(&self, state: &State<PAD>) -> u16 {
        if self.is(Broken::PliesLeftRise) { state.ply } else { state.sum.into() }
    }

    fn phase(&self, state: &State<PAD>) -> f32 {
        let [at_start, now] = [self.piles[0] + self.piles[1], state.sum].map(f32::from);
        match self.broken {
            Broken::PhaseFalls if now < 3.0 => 0.5,
            Broken::PhasePastEnd => 1.1 * (at_start - now) / at_start,
            Broken::PhaseUnknown if now == 0.0 => f32::NAN,
            _ => (at_start - now) / at_start,
        }
    }

    fn key(&self, state: &State<PAD>) -> u64 {
        let [a, b] = state.piles.map(u64::from);
        let plain = match self.broken {
            Broken::KeyWithoutMover => a << 8 | b << 16,
            Broken::KeyWithoutPile => a << 8 | state.mover as u64,
            Broken::KeyWithoutSize => (a / 2) << 8 | b << 16 | state.mover as u64,
            _ => a << 8 | b << 16 | state.mover as u64,
        };
        match self.broken {
            Broken::KeyUnmixed => plain,
            Broken::KeyHasScore => mix(plain + ((state.score as u64) << 32)),
            Broken::KeyHasPly => mix(plain + (u64::from(state.ply) << 32)),
            Broken::KeyHasHistory => mix(plain ^ state.history),
            _ => mix(plain),
        }
    }

    fn margin_range(&self) -> Bounds {
        let most = if self.is(Broken::RangeTooNarrow) { 4 } else { Coins::<PAD>::points_left(&self.start()) };
        Bounds::new(Margin(-most), Margin(most))
    }

    fn score(&self, state: &State<PAD>) -> Margin {
        let n_calls = self.n_calls.fetch_add(1, Ordering::Relaxed);
        match self.broken {
            Broken::AnswersChange => Margin(n_calls % 2),
            _ => Margin(state.score + self.too_much()),
        }
    }

    fn bounds(&self, state: &State<PAD>) -> Bounds {
        let left = Coins::<PAD>::points_left(state);
        match (self.result(state), self.broken) {
            (_, Broken::RangeTooNarrow) | (Some(_), Broken::BoundsOpenAtEnd) => self.margin_range(),
            (Some(margin), _) => Bounds::exact(margin),
            (None, Broken::BoundsTooNarrow) if state.sum < 4 => Bounds::exact(Margin(state.score)),
            (None, _) => Bounds::new(Margin(state.score - left), Margin(state.score + left)),
        }
    }

    fn symmetries(&self) -> u8 {
        2
    }

    fn transform(&self, state: &State<PAD>, symmetry: Symmetry) -> State<PAD> {
        let mut image = *state;
        if symmetry == Symmetry(1) || self.is(Broken::NoIdentity) {
            image.piles.reverse();
        }
        if symmetry == Symmetry(1) && self.is(Broken::ImageSwapsMover) {
            image.mover = !image.mover;
        }
        image
    }

    fn transform_move(&self, Take(pile, coins): Take, symmetry: Symmetry) -> Take {
        let swapped = (symmetry == Symmetry(1) && !self.is(Broken::MovesNotMapped)) || self.is(Broken::NoIdentity);
        if swapped { Take(1 - pile, coins) } else { Take(pile, coins) }
    }

    fn recomputed(&self, state: &State<PAD>) -> State<PAD> {
        State { sum: state.piles[0] + state.piles[1], ..*state }
    }
}
