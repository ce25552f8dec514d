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
        let holding = self.holding(landing, enemy);
        let blocks = enemy.and(landing);
        self.list(holding.unwrap_or(if blocks.count() == 1 { blocks } else { landing }), out);
        // On the last free cell the other side cannot win any more; `points_at` is 0 there.
        holding.is_none().then(|| Bounds::exact(Margin::won_by(!mover, self.points_at(state.ply + 2))))
    }

    /// The landing cells after which the other side, whose `enemy` cells would complete four, has no win at once: none
    /// if it wins whatever is played. The mover cannot win itself.
    #[inline(always)]
    pub(super) fn holding(&self, landing: B, enemy: B) -> Option<B> {
        let blocks = enemy.and(landing);
        let safe = landing.and_not(self.below(enemy));
        let kept = if blocks.is_empty() { safe } else { safe.and(blocks) };
        let two_to_block = blocks.count() > 1;
        (!two_to_block && !kept.is_empty()).then_some(kept)
    }

    /// The cells of the board that would complete four with `stones`, whether or not a stone can land there.
    #[inline(always)]
    pub(super) fn completions(&self, stones: B) -> B {
        stones.completions(&self.steps).and(self.valid)
    }

    /// The cells right below those of `cells`, past holes: a stone there lets the next one land on them.
    #[inline(always)]
    fn below(&self, cells: B) -> B {
        let mut sunk = cells;
        for _ in 0..self.highest_pile {
            sunk = sunk.or(sunk.down(1).and(self.holes));
        }
        sunk.down(1)
    }

    #[inline(always)]
    fn list(&self, landing: B, out: &mut MoveList<u8>) {
        out.extend(landing.ones().map(|bit| self.column(bit)));
    }
}
