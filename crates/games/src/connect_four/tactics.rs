//! What is plain to see one ply ahead: wins, blocks, and cells that hand over a win.

use banyan_core::{Bounds, Game, Margin, MoveList};

use super::{ConnectFour, Grid, State};

impl<B: Grid> ConnectFour<B> {
    /// Appends the winning moves, else the block, else the moves that do not hand over a win, else all; gives the
    /// exact margin where one of these settles the game.
    #[inline(always)]
    pub(super) fn worthwhile(&self, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        if let Some(margin) = self.result(state) {
            return Some(Bounds::exact(margin));
        }
        let mover = self.to_move(state);
        let landing = self.landing(state.filled);
        let wins = self.completions(state.own).and(landing);
        if !wins.is_empty() {
            self.list(wins, out);
            return Some(Bounds::exact(Margin::won_by(mover, self.points_at(state.ply + 1))));
        }
        let enemy = self.completions(self.others(state));
        let safe = landing.and_not(self.below(enemy, state.filled, landing));
        let blocks = enemy.and(landing);
        let (kept, lost) = match blocks.count() {
            0 => (if safe.is_empty() { landing } else { safe }, safe.is_empty()),
            1 => (blocks, blocks.and(safe).is_empty()),
            _ => (landing, true),
        };
        self.list(kept, out);
        // On the last free cell the other side cannot win any more; `points_at` is 0 there.
        lost.then(|| Bounds::exact(Margin::won_by(!mover, self.points_at(state.ply + 2))))
    }

    /// The cells that would complete four with `stones`, whether or not a stone can land there.
    #[inline(always)]
    fn completions(&self, stones: B) -> B {
        let mut cells = B::EMPTY;
        for step in self.steps.0 {
            let step = step as u32;
            let (below, above) = (stones.up(step), stones.down(step));
            let two_below = below.and(stones.up(2 * step));
            let two_above = above.and(stones.down(2 * step));
            let from_below = two_below.and(stones.up(3 * step).or(above));
            let from_above = two_above.and(stones.down(3 * step).or(below));
            cells = cells.or(from_below).or(from_above);
        }
        cells.and(self.valid)
    }

    /// The landing cells right below a cell of `cells`: a stone there lets the next one land on it. Holes in between
    /// do not matter.
    #[inline(always)]
    fn below(&self, cells: B, filled: B, landing: B) -> B {
        let handed = self.landing(filled.or(landing)).and(cells);
        handed.ones().fold(B::EMPTY, |below, bit| below.or(landing.and(self.columns[self.column(bit) as usize])))
    }

    #[inline(always)]
    fn list(&self, landing: B, out: &mut MoveList<u8>) {
        out.extend(landing.ones().map(|bit| self.column(bit)));
    }
}
