//! A toy game: take one to three tokens; taking the last one wins a point. A player who leaves exactly `extra_turn_at`
//! tokens moves again, so turns need not alternate.

use banyan_core::{Bounds, Game, Margin, MoveList, Side, mix};

/// The rules.
pub struct Chain {
    /// Tokens at the start.
    pub tokens: u16,
    /// A player who leaves this many tokens moves again.
    pub extra_turn_at: Option<u16>,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Left {
    /// Tokens left.
    pub tokens: u16,
    /// The side to move.
    pub mover: Side,
    taken_by: Side,
    ply: u16,
}

impl Game for Chain {
    type State = Left;
    type Move = u8;

    fn start(&self) -> Left {
        Left { tokens: self.tokens, mover: Side::First, taken_by: Side::Second, ply: 0 }
    }

    fn to_move(&self, state: &Left) -> Side {
        state.mover
    }

    fn result(&self, state: &Left) -> Option<Margin> {
        (state.tokens == 0).then(|| Margin::won_by(state.taken_by, 1))
    }

    fn moves(&self, state: &Left, out: &mut MoveList<u8>) {
        out.extend(1..=state.tokens.min(3) as u8);
    }

    fn play(&self, state: &mut Left, mv: u8) {
        state.tokens -= u16::from(mv);
        state.ply += 1;
        state.taken_by = state.mover;
        if Some(state.tokens) != self.extra_turn_at {
            state.mover = !state.mover;
        }
    }

    fn ply(&self, state: &Left) -> u16 {
        state.ply
    }

    fn max_plies(&self) -> u16 {
        self.tokens
    }

    fn key(&self, state: &Left) -> u64 {
        mix(u64::from(state.tokens) * 4 + state.mover.index() as u64 * 2 + state.taken_by.index() as u64)
    }

    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }

    fn centrality(&self, mv: u8) -> u8 {
        if mv == 2 { 1 } else { 0 }
    }
}
