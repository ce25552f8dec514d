//! Move ordering: ranks, killer moves and history.

use banyan_core::{Game, Knowledge, Side};

use super::config::Ordering;
use super::ply::{Child, Ply};
use super::score::{Best, INFINITE};
use super::search::Search;

/// The rank of the table's move.
const BEST_BEFORE: i32 = i32::MAX;
/// Bits that break ties between equal ordering scores: two for killer moves, below them eight for history. A killer
/// that counted as much as 16 points of the score took 26 % more positions in a game of 7 moves (depth 15) and 21 % more
/// in one of up to 24 moves (depth 12), and 3 % fewer in one of some 10 moves (depth 10), than ordering scores alone.
/// Even as tie-breaks killers and history took 2, 12 and 0.5 % more there; they are kept for games without an ordering
/// score.
const TIE_BITS: u32 = 10;
/// History counts are halved once one exceeds this.
const MOST_HISTORY: i32 = (1 << 20) - 1;
/// Reduces a history count to eight bits.
const HISTORY_SHIFT: u32 = 12;

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// Plays every move of `ply.moves` and ranks the children that are not terminal; returns the best of the terminal
    /// ones.
    #[inline(always)]
    pub(super) fn list(&mut self, ply: &mut Ply<G>, state: &G::State, depth: u32, hint: Option<u64>) -> Best<G::Move> {
        let (mover, scored) = (self.game.to_move(state), self.game.score(state));
        let sign = i32::from(mover.sign());
        let mut best = Best { score: -INFINITE, full: true, child: None };
        ply.children.clear();
        ply.order.clear();
        for &mv in &ply.moves {
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            if let Some(margin) = self.game.result(&next) {
                self.nodes += 1;
                let score = (i32::from(margin.0) - i32::from(scored.0)) * self.params.unit * sign;
                if score > best.score {
                    best = Best { score, full: true, child: Some((mv, self.game.key(&next))) };
                }
                continue;
            }
            let key = self.params.key(self.game, &self.memory.knowledge, &next, depth - 1);
            let rank = if hint.is_some() && hint == self.hint_of(key) && self.params.ordering == Ordering::History {
                BEST_BEFORE
            } else {
                self.rank(ply, (state, mv, &next), mover, depth - 1)
            };
            let gain = (i32::from(self.game.score(&next).0) - i32::from(scored.0)) * self.params.unit * sign;
            let turned = self.game.to_move(&next) != mover;
            ply.order.push(ply.children.len() as u16);
            ply.children.push(Child { mv, state: next, key, gain, turned, rank });
        }
        best
    }

    #[inline(always)]
    fn hint_of(&self, key: u64) -> Option<u64> {
        self.table.as_ref().map(|table| table.hint_of(key))
    }

    #[inline(always)]
    fn rank(&self, ply: &Ply<G>, (state, mv, next): (&G::State, G::Move, &G::State), mover: Side, depth: u32) -> i32 {
        match self.params.ordering {
            Ordering::Listed => 0,
            Ordering::Static => self.memory.knowledge.order_score(self.game, state, mv, next, depth),
            Ordering::History => {
                let killer = ply.killers.iter().position(|&killer| killer == Some(mv)).map_or(0, |i| 2 - i as i32);
                let history = self.memory.history[mover.index()]
                    [usize::from(self.memory.knowledge.history_index(self.game, mv))]
                    >> HISTORY_SHIFT;
                let order_score =
                    self.memory.knowledge.order_score(self.game, state, mv, next, depth).saturating_mul(1 << TIE_BITS);
                order_score.saturating_add((killer << (TIE_BITS - 2)) + history).min(BEST_BEFORE - 1)
            }
        }
    }

    /// Updates killers and history with a move that refuted a position.
    #[inline(always)]
    pub(super) fn record_refutation(&mut self, ply: &mut Ply<G>, mover: Side, mv: Option<G::Move>, depth: u32) {
        let Some(mv) = mv.filter(|_| self.params.ordering == Ordering::History) else { return };
        if ply.killers[0] != Some(mv) {
            ply.killers = [Some(mv), ply.killers[0]];
        }
        let history = &mut self.memory.history[mover.index()];
        let count = &mut history[usize::from(self.memory.knowledge.history_index(self.game, mv))];
        *count += depth.min(64).pow(2) as i32;
        if *count > MOST_HISTORY {
            history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}
