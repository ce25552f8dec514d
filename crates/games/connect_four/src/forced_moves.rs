//! Forced moves: wins at once, wins in three plies by two threats above one another, blocks, and moves that do not hand
//! over a win.

use banyan_core::{Bounds, Game, Margin, MoveList};

use super::threat_playout::holding;
use super::{ConnectFour, Grid, State, Threats};

impl<B: Grid> ConnectFour<B> {
    /// Appends the winning moves, else the moves that win in three plies, else the block, else the moves that do not
    /// hand over a win, else all; returns the exact margin if one of these decides the game.
    pub(super) fn forced_moves(&self, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        if let Some(margin) = self.result(state) {
            return Some(Bounds::exact(margin));
        }
        self.forced_by(state, &self.threats(state), out)
    }

    /// Appends the forced moves; where they decide nothing and a side can follow up to the end, returns the bounds that this proves.
    pub(super) fn undominated_moves(&self, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        if let Some(margin) = self.result(state) {
            return Some(Bounds::exact(margin));
        }
        let threats = self.threats(state);
        self.forced_by(state, &threats, out).or_else(|| self.strategic_bounds(state, &threats))
    }

    /// The forced moves of a position with these threats that is not over.
    #[inline(always)]
    fn forced_by(&self, state: &State<B>, threats: &Threats<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        let mover = self.to_move(state);
        let [landing, second, third] = threats.landing;
        let wins = threats.own.and(landing);
        if !wins.is_empty() {
            self.list(wins, out);
            return Some(Bounds::exact(Margin::won_by(mover, self.points_at(state.ply + 1))));
        }
        let Some(kept) = self.holding(landing, threats.other, self.below(threats.other)) else {
            let blocks = threats.other.and(landing);
            self.list(if blocks.count() == 1 { blocks } else { landing }, out);
            return Some(Bounds::exact(Margin::won_by(!mover, self.points_at(state.ply + 2))));
        };
        let high = threats.own.and(third);
        if !high.is_empty() {
            let stacked = self.below(self.below(high).and(threats.own).and(second)).and(kept);
            if !stacked.is_empty() {
                self.list(stacked, out);
                return Some(Bounds::exact(Margin::won_by(mover, self.points_at(state.ply + 3))));
            }
        }
        self.list(kept, out);
        None
    }

    /// Appends the winning moves, else the moves where the other side would win, else the moves on top of which it would not win,
    /// else all.
    pub(super) fn one_ply_moves(&self, state: &State<B>, out: &mut MoveList<u8>) {
        let threats = self.threats(state);
        let landing = threats.landing[0];
        let (wins, blocks) = (threats.own.and(landing), threats.other.and(landing));
        let safe = landing.and_not(self.below(threats.other));
        let left = [wins, blocks, safe].into_iter().find(|moves| !moves.is_empty());
        self.list(left.unwrap_or(landing), out);
    }

    /// The landing cells after which the other side, for whom the `enemy` cells complete four, has no win at once:
    /// `None` if it wins after every move. `under` are the cells right below those. The mover cannot win itself.
    ///
    /// Among these cells lies a best move, since any other loses as soon as one can. Without such a cell the mover
    /// loses exactly two plies from here: a cell is left for the second ply, as the other side wins there.
    ///
    /// If the second and third cells of a column of these are own winning cells, past holes, the mover wins exactly
    /// three plies from here. It plays into that column, and the other side, without a win at once, must take the
    /// second cell, or the mover wins there. That stone completes nothing, as the other side had no win, and the third
    /// cell is next: the mover wins on it. No earlier win could be forced, since there is none at once.
    #[inline(always)]
    pub(super) fn holding(&self, landing: B, enemy: B, under: B) -> Option<B> {
        holding(enemy.and(landing), landing.and_not(under))
    }

    #[inline(always)]
    fn list(&self, landing: B, out: &mut MoveList<u8>) {
        out.extend(landing.ones().map(|bit| self.column(bit)));
    }
}
