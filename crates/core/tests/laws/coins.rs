//! Two piles of coins: a game with extra turns and banked points, small enough to read, and every way to break it.
//!
//! A move takes 1 to 3 coins from one pile. Who leaves a number of coins that 4 divides gets a point and moves again;
//! who takes the last coin of all gets 3 points more.

mod coins_text;

use std::sync::atomic::{AtomicI16, Ordering};

use banyan_core::{
    Bounds, FINE, Game, Guided, Margin, MoveCode, MoveList, PlayoutRules, Rng, Side, Symmetry, guided_by_tactics, mix,
};

/// One mistake in the rules or the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    Nothing,
    AnswersChange,
    MoveTwice,
    MovesWhenOver,
    NoMoves,
    MovesCleared,
    MoveWithoutCode,
    PlyStands,
    StartsLate,
    TooLong,
    NeverEnds,
    StageFalls,
    StagePastEnd,
    StageUnknown,
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
    MovesNotMapped,
    ImageSwapsMover,
    NoIdentity,
    PlainCanonicalKey,
    LopsidedRandom,
    RandomMoveIllegal,
    KindPlayout,
    WildPlayout,
    StandingTooHigh,
    RangeTooNarrow,
    BoundsTooNarrow,
    BoundsOpenAtEnd,
    NoTactics,
    TacticsIllegal,
    BestDropped,
    TacticsProveWrong,
    WorseMarginKept,
    DominatingDropsBest,
    EstimateLopsided,
    EstimateHasPly,
    EstimateTooHigh,
    AppraisalLopsided,
    AppraisalTooHigh,
    EstimateScaleless,
    PriorsShort,
    PriorsNegative,
    PriorsHeavy,
    PriorsLopsided,
    PriorsHavePly,
    GuidedProvesWrong,
    GuidedProvesTooWide,
    GuidedStrays,
    PictureTooSmall,
}

/// `PAD` bytes make the state larger than it need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<const PAD: usize> {
    piles: [u8; 2],
    /// Coins in both piles, kept up move by move.
    sum: u8,
    mover: Side,
    score: i16,
    ply: u16,
    /// The moves that led here, told apart by their order; 0 unless [`Broken::KeyHasHistory`].
    history: u64,
    pad: [u8; PAD],
}

/// A pile and how many coins to take from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take(pub u8, pub u8);

/// One bit for the pile, two for the coins: only so many fit.
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
    asked: AtomicI16,
}

impl<const PAD: usize> Coins<PAD> {
    pub fn broken(broken: Broken) -> Coins<PAD> {
        Coins { piles: [13, 10], broken, asked: AtomicI16::new(0) }
    }

    fn is(&self, broken: Broken) -> bool {
        self.broken == broken
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
    fn worst_of_same_winner(&self, state: &State<PAD>) -> Take {
        let winner = self.value(state).signum();
        let kept = self.values(state).into_iter().filter(|&(_, value)| value.signum() == winner);
        kept.min_by_key(|&(_, value)| value * state.mover.sign()).expect("the best move is among them").0
    }

    /// The winning move that empties the table, if there is one.
    fn last_take(state: &State<PAD>) -> Option<Take> {
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
        // The mover of the last take moves on, by the rule of four.
        over.then_some(Margin(state.score + 3 * state.mover.sign()))
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
        state.ply += u16::from(!(self.is(Broken::PlyStands) && coins == 2));
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

    fn stage(&self, state: &State<PAD>) -> f32 {
        let [at_start, now] = [self.piles[0] + self.piles[1], state.sum].map(f32::from);
        match self.broken {
            Broken::StageFalls if now < 3.0 => 0.5,
            Broken::StagePastEnd => 1.1 * (at_start - now) / at_start,
            Broken::StageUnknown if now == 0.0 => f32::NAN,
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

    fn banked(&self, state: &State<PAD>) -> Margin {
        Margin(state.score)
    }

    fn standing(&self, state: &State<PAD>) -> Margin {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        match self.broken {
            Broken::StandingTooHigh => Margin(100),
            Broken::AnswersChange => Margin(asked % 2),
            _ => Margin(state.score),
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

    fn tactics(&self, state: &State<PAD>, out: &mut MoveList<Take>) -> Option<Bounds> {
        match (Coins::<PAD>::last_take(state), self.broken) {
            (_, Broken::NoTactics) if state.ply > 3 => return None,
            (_, Broken::TacticsIllegal) => out.push(Take(0, 3)),
            (Some(Take(pile, 2..)), Broken::BestDropped) => out.push(Take(pile, 1)),
            (_, Broken::WorseMarginKept) if (1..7).contains(&state.sum) => out.push(self.worst_of_same_winner(state)),
            (Some(take), _) => {
                out.push(take);
                let gain = if self.is(Broken::TacticsProveWrong) { 2 } else { 4 };
                return Some(Bounds::exact(Margin(state.score + gain * state.mover.sign())));
            }
            (None, _) => self.moves(state, out),
        }
        None
    }

    fn dominating(&self, state: &State<PAD>, out: &mut MoveList<Take>) -> Option<Bounds> {
        if self.is(Broken::DominatingDropsBest) && (1..7).contains(&state.sum) {
            out.push(self.worst_of_same_winner(state));
            return None;
        }
        self.tactics(state, out)
    }

    /// Half of what is left goes to the mover.
    fn estimate(&self, state: &State<PAD>) -> i32 {
        let half = FINE / 2 * i32::from(Coins::<PAD>::points_left(state) * state.mover.sign());
        let guess = i32::from(state.score) * FINE + half;
        match self.broken {
            Broken::EstimateLopsided => guess + i32::from(state.piles[0] > state.piles[1]),
            Broken::EstimateHasPly => guess + i32::from(state.ply > 4),
            Broken::EstimateTooHigh if state.sum == 2 => FINE * i32::from(self.margin_range().upper.0) + 1,
            _ => guess,
        }
    }

    fn appraise(&self, state: &State<PAD>) -> i32 {
        match self.broken {
            Broken::AppraisalLopsided => self.estimate(state) + i32::from(state.piles[0] > state.piles[1]),
            Broken::AppraisalTooHigh if state.sum == 2 => FINE * i32::from(self.margin_range().upper.0) + 1,
            _ => self.estimate(state),
        }
    }

    /// The more coins a move takes, the likelier it is.
    fn priors(&self, state: &State<PAD>, moves: &[Take], out: &mut Vec<f32>) {
        let weight = |&Take(pile, coins): &Take| match self.broken {
            Broken::PriorsLopsided => f32::from(coins + pile),
            Broken::PriorsHavePly => f32::from(coins) + f32::from(state.ply),
            _ => f32::from(coins),
        };
        let total: f32 = moves.iter().map(weight).sum();
        let share = if self.is(Broken::PriorsHeavy) { 2.0 / total } else { 1.0 / total };
        out.extend(moves.iter().map(|mv| weight(mv) * share));
        if self.is(Broken::PriorsShort) {
            out.pop();
        }
        if self.is(Broken::PriorsNegative) && out.len() > 1 {
            let first = out[0];
            out[0] = -first;
            out[1] += 2.0 * first;
        }
    }

    fn estimate_scale(&self) -> i32 {
        if self.is(Broken::EstimateScaleless) { 0 } else { 2 * FINE }
    }

    fn random_move(&self, state: &State<PAD>, rng: &mut Rng, list: &mut MoveList<Take>) -> Take {
        list.clear();
        self.moves(state, list);
        let n = list.len() as u32;
        let i = match self.broken {
            Broken::LopsidedRandom => rng.below(n + 1).min(n - 1),
            Broken::RandomMoveIllegal if state.ply == 0 => return Take(0, 4),
            _ => rng.below(n),
        };
        list[i as usize]
    }

    fn playout(&self, mut state: State<PAD>, rng: &mut Rng, list: &mut MoveList<Take>) -> Margin {
        while self.result(&state).is_none() {
            let winning = Coins::<PAD>::last_take(&state).filter(|_| self.is(Broken::KindPlayout));
            let mv = winning.unwrap_or_else(|| self.random_move(&state, rng, list));
            self.play(&mut state, mv);
        }
        if self.is(Broken::WildPlayout) && rng.below(1000) == 0 {
            return Margin(11);
        }
        self.result(&state).expect("the loop ends with the game")
    }

    fn guided_playout(&self, at: State<PAD>, _: PlayoutRules, rng: &mut Rng, list: &mut MoveList<Take>) -> Guided {
        let Guided { margin, proven } = guided_by_tactics(self, at, rng, list);
        let over = self.result(&at).is_some();
        match self.broken {
            // The line taken for best play.
            Broken::GuidedProvesWrong => Guided { margin, proven: Bounds::exact(margin) },
            Broken::GuidedProvesTooWide if over => Guided { margin, proven: self.margin_range() },
            Broken::GuidedStrays if proven.is_exact() => Guided { margin: margin + Margin(1), proven },
            _ => Guided { margin, proven },
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

    fn canonical_key(&self, state: &State<PAD>) -> u64 {
        let image = self.key(&self.transform(state, Symmetry(1)));
        if self.is(Broken::PlainCanonicalKey) { self.key(state) } else { self.key(state).min(image) }
    }

    fn rebuilt(&self, state: &State<PAD>) -> State<PAD> {
        State { sum: state.piles[0] + state.piles[1], ..*state }
    }
}
