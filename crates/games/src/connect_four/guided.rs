//! Playouts that win when they can, block when they must and never hand over a win.

use banyan_core::cpu::Isa;
use banyan_core::{Bounds, Guided, Margin, Rng, Side};

use super::{ConnectFour, Grid, State};

impl<B: Grid> ConnectFour<B> {
    /// What `guided_by_tactics` does, number drawn for number drawn, on bare words: a stone changes the wins of its own
    /// side only, so those of the other side are kept from ply to ply.
    #[inline(always)]
    pub(super) fn guided<I: Isa>(&self, state: State<B>, bounds: Bounds, isa: I, rng: &mut Rng) -> Guided {
        if bounds.is_exact() {
            return Guided::new(bounds.lower, bounds);
        }
        let mut draws = rng.clone();
        let State { mut own, mut filled, mut ply, .. } = state;
        let mut other = filled.xor(own).xor(self.holes);
        let (mut own_wins, mut other_wins) = (self.completions(own), self.completions(other));
        // Bit 0: `First` had a choice at some move; bit 1: `Second` had.
        let mut chose = 0;
        let margin = loop {
            let landing = self.landing(filled);
            let mover = if ply.is_multiple_of(2) { Side::First } else { Side::Second };
            if !own_wins.and(landing).is_empty() {
                break Margin::won_by(mover, self.points_at(ply + 1));
            }
            let Some(kept) = self.holding(landing, other_wins) else {
                break Margin::won_by(!mover, self.points_at(ply + 2));
            };
            let n_kept = kept.count();
            chose |= u32::from(n_kept > 1) << (ply % 2);
            let stone = kept.select_single(isa, draws.below(n_kept));
            ply += 1;
            if ply == self.cells {
                break Margin::DRAW;
            }
            filled = filled.or(stone);
            let mover_wins = self.completions(own.or(stone));
            (own, other) = (other, own.or(stone));
            (own_wins, other_wins) = (other_wins, mover_wins);
        };
        *rng = draws;
        let lower = if chose & 2 == 0 { margin } else { bounds.lower };
        let upper = if chose & 1 == 0 { margin } else { bounds.upper };
        Guided::new(margin, Bounds { lower, upper })
    }
}
