//! Bounds of a position by a strategy that one side can follow to the end.
//!
//! A side *follows up* in a region of free cells, the lower part of each column, if it answers each stone of the other side there with one
//! on top of it, or, where the number of free cells of the column within the region is odd, with one at the bottom of another such column.
//! It never has to move elsewhere if the region has an even number of free cells when the other side moves. Then it gets every second cell
//! of each column from the top of the region down, apart from those that are next in their columns. So the other side does not win if it
//! has no four among its stones and all other cells.
//!
//! The region is the whole board, or ends two cells below winning cells of the side that follows up: if the other side plays on the cell
//! under such a winning cell, which it must when the region is full, it loses at once. (The first is the claimeven of Victor Allis, A
//! Knowledge-based Approach of Connect-Four, 1988, for all columns at once and any height; the second is his
//! zugzwang by odd and even threats, with a proof for the position at hand.)

use banyan_core::{Bounds, Game, Side};

use crate::strategies::Strategies;
use crate::{ConnectFour, Grid, State, Threats};

use super::node::{Node, points};

/// Free cells up to which a side is tested for lines that are still open. Guess, untuned.
const OPEN_LINES_UP_TO: u32 = 20;

impl<B: Grid> ConnectFour<B> {
    /// The side that can follow up, and what it gets, in a position with these threats that is not over, in which the side to move has no
    /// win at once and a move after which the other side has none.
    pub(super) fn follow_up(&self, state: &State<B>, threats: &Threats<B>) -> Option<(Side, FollowUp<B>)> {
        let (own, other) = (state.own, self.others(state));
        let (own_wins, other_wins, moves) = (threats.own, threats.other, threats.landing[0]);
        let node = Node { own, other, own_wins, other_wins, moves };
        let (is_mover, found) = self.strategies.strongest(self, &node, u32::from(self.cells - state.ply))?;
        let mover = self.to_move(state);
        Some((if is_mover { mover } else { !mover }, found))
    }

    /// The bounds that this strategy proves.
    pub(crate) fn strategic_bounds(&self, state: &State<B>, threats: &Threats<B>) -> Option<Bounds> {
        let (side, found) = self.follow_up(state, threats)?;
        let (least, most) = self.bounds(state).seen_by(side);
        Some(Bounds::won_by(side, least.max(found.least as i16), most))
    }
}

impl<B: Grid> Strategies<B> {
    /// Lower and upper bound of the margin for the side to move, `free` cells being free; `i32::MIN` and `i32::MAX` if no strategy gives
    /// one.
    #[inline(always)]
    pub(super) fn bounds(&self, game: &ConnectFour<B>, node: &Node<B>, free: u32) -> (i32, i32) {
        match self.strongest(game, node, free) {
            Some((true, found)) => (found.least, i32::MAX),
            Some((false, found)) => (i32::MIN, -found.least),
            None => (i32::MIN, i32::MAX),
        }
    }

    /// Whether the side to move plays the last stone, and so can follow up on the whole board; that side and the other one, the empty cells,
    /// and those that are not next in their columns.
    #[inline(always)]
    fn sides(game: &ConnectFour<B>, node: &Node<B>, free: u32) -> (bool, [Cells<B>; 2], B, B) {
        let filled = node.own.or(node.other).or(game.holes);
        let empty = game.valid.and_not(filled);
        let later = empty.and_not(game.landing(filled));
        let own = Cells { stones: node.own, wins: node.own_wins };
        let other = Cells { stones: node.other, wins: node.other_wins };
        let owns_last = !free.is_multiple_of(2);
        (owns_last, if owns_last { [own, other] } else { [other, own] }, empty, later)
    }

    /// A strategy of one side, and whether that is the side to move; of both sides, that of the last stone.
    #[inline(always)]
    pub(super) fn strongest(&self, game: &ConnectFour<B>, node: &Node<B>, free: u32) -> Option<(bool, FollowUp<B>)> {
        let (owns_last, [last, first], empty, later) = Strategies::sides(game, node, free);
        let of_last = self.of_last(game, last, first, empty, later).map(|found| (owns_last, found));
        of_last.or_else(|| self.of_first(game, first, last, empty, later, free).map(|found| (!owns_last, found)))
    }

    /// The margin of the side that plays the last stone, if it can follow up. `later` are the empty cells that are not next in their columns.
    #[inline(always)]
    fn of_last(
        &self,
        game: &ConnectFour<B>,
        last: Cells<B>,
        first: Cells<B>,
        empty: B,
        later: B,
    ) -> Option<FollowUp<B>> {
        let mine = later.and(self.last_cells);
        let wins = last.wins.and(mine);
        // The number of cells of each top is even, so that those of the region stay even when the other side moves.
        let tops = self.tops_of(wins);
        let others = empty.and_not(mine).and_not(tops).or(game.below(wins).and(tops));
        if first.stones.or(others).has_four(&game.steps) {
            return None;
        }
        let least = if tops.is_empty() { last.stones.or(mine).has_four(&game.steps).into() } else { win_before(tops) };
        Some(FollowUp { least, wins, cells: mine.and_not(tops) })
    }

    /// The margin of the side that does not play the last stone, if it can follow up below one winning cell with an even number of
    /// cells to the top; and 0 if the other side has no open line.
    #[inline(always)]
    fn of_first(
        &self,
        game: &ConnectFour<B>,
        first: Cells<B>,
        last: Cells<B>,
        empty: B,
        later: B,
        free: u32,
    ) -> Option<FollowUp<B>> {
        let mut best: Option<FollowUp<B>> = None;
        for odd in first.wins.and(later).and_not(self.last_cells).ones() {
            let column = game.columns[game.column(odd) as usize];
            let wins = first.wins.and(later).and(self.last_cells).and_not(column).or(B::single(odd));
            // One top has an odd number of cells, so that of the region changes to even when the other side moves.
            let tops = self.tops_of(wins);
            let mine = later.and_not(tops).and(self.last_cells.xor(column));
            let others = empty.and_not(mine).and_not(tops).or(game.below(wins).and(tops));
            if !last.stones.or(others).has_four(&game.steps) {
                let found = FollowUp { least: win_before(tops), wins, cells: mine };
                best = Some(best.filter(|best| best.least >= found.least).unwrap_or(found));
            }
        }
        if best.is_none() && free <= OPEN_LINES_UP_TO && !last.stones.or(empty).has_four(&game.steps) {
            return Some(FollowUp { least: 0, wins: B::EMPTY, cells: B::EMPTY });
        }
        best
    }

    #[inline(always)]
    fn tops_of(&self, wins: B) -> B {
        wins.ones().fold(B::EMPTY, |tops, bit| tops.or(self.tops[bit as usize]))
    }
}

/// Result of following up for one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowUp<B> {
    /// Its margin at least.
    pub(super) least: i32,
    /// The winning cells under which the other side must play at last; without any, it does not lose, or wins by the cells it gets.
    pub(super) wins: B,
    /// The cells that it gets; none if the other side has no open line.
    pub(super) cells: B,
}

/// The stones and winning cells of one side.
#[derive(Clone, Copy)]
struct Cells<B> {
    stones: B,
    /// Free cells that complete four.
    wins: B,
}

/// The margin of a win at the latest when all other cells are filled: on one of these tops two stones are played.
#[inline(always)]
fn win_before<B: Grid>(tops: B) -> i32 {
    points(tops.count() - 2)
}
