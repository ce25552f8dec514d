//! The search of a position by null windows.
//!
//! Negamax after Pascal Pons (Solving Connect 4: how to build a perfect AI, 2017, parts 6 to 11): moves that lose at once are left out,
//! those that create most winning cells come first, and own stones plus all stones is a unique key. In addition, winning cells are kept
//! from node to node, wins in three plies are found when the children are made, a node with a single move passes the table, the entries of
//! the children are read before any is searched, and strategies give bounds.

use banyan_exact::TableAccess;

use super::node::{Node, points};
use crate::{ConnectFour, Grid};

/// Free cells from which bounds are kept in the table. This and the constants down to [`DISTANCE`]: tuned by the nodes and the CPU time of
/// 100 positions after 14 to 28 plies and 20 after 5 to 14, few values each.
const TABLE_FROM: u32 = 11;
/// Free cells from which the entries of all children are read before any is searched.
const CHILDREN_FROM: u32 = 14;
/// The rank of a move: for each cell that then completes four, but less if it is next in its column, where the other side takes it at
/// once, or right above a cell that completes four for the other side, and more if it comes after the next one.
const WIN: i32 = 64;
const NEXT: i32 = -32;
const ABOVE_OTHER: i32 = -48;
const AFTER_NEXT: i32 = 16;
/// For each column away from the middle.
const DISTANCE: i32 = -2;
/// The rank of the move that was best before; larger than any other.
const FIRST: i32 = 1 << 20;
/// Stones up to which a position and its mirror image share an entry. Guess: later ones are seldom both reached.
const MIRROR_UP_TO: u32 = 6;
/// Free cells from which each further thread has a different order. Guess, untuned.
const OWN_ORDER_FROM: u32 = 14;

/// A position before it is searched.
pub(super) enum Begun<B> {
    /// Its margin for the side to move.
    Decided(i32),
    /// It is to be searched.
    Open(Node<B>),
}

/// The position after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<B> {
    node: Node<B>,
    key: u64,
    /// The higher, the earlier it is searched.
    rank: i32,
    column: u8,
}

/// One search: a board and the table.
pub(super) struct Search<'a, B> {
    pub(super) game: &'a ConnectFour<B>,
    /// Whether the board equals its mirror image.
    pub(super) is_symmetric: bool,
    /// Number of the thread, from 0.
    pub(super) thread: u32,
    pub(super) table: TableAccess<'a>,
    /// The children of the nodes from the root to here that are still to be searched.
    pub(super) children: &'a mut Vec<Child<B>>,
}

impl<B: Grid> Search<'_, B> {
    /// The position with these stones of the side to move and of the other side and `free` free cells, at least one.
    pub(super) fn begin(&self, own: B, other: B, free: u32) -> Begun<B> {
        let game = self.game;
        let filled = own.or(other).or(game.holes);
        let landing = game.landing(filled);
        let wins = |stones: B| game.completions(stones).and_not(filled);
        let (own_wins, other_wins) = (wins(own), wins(other));
        if !own_wins.and(landing).is_empty() {
            return Begun::Decided(points(free - 1));
        }
        match game.holding(landing, other_wins, game.below(other_wins)) {
            Some(moves) => Begun::Open(Node { own, other, own_wins, other_wins, moves }),
            None => Begun::Decided(-points(free - 2)),
        }
    }

    /// The margin for the side to move by a null window above `alpha`: a lower bound if it is more than `alpha`, otherwise an upper bound.
    /// `None` if stopped.
    pub(super) fn value(&mut self, node: &Node<B>, free: u32, alpha: i32) -> Option<i32> {
        self.children.clear();
        let key = self.key(node.own, node.other, free);
        self.search(node, free, alpha, key)
    }

    fn search(&mut self, node: &Node<B>, free: u32, alpha: i32, key: u64) -> Option<i32> {
        self.table.count()?;
        if free <= 2 {
            return Some(0);
        }
        // Neither side wins with its next stone.
        let (mut lower, mut upper) = (if free >= 4 { -points(free - 4) } else { 0 }, points(free - 3));
        let (least, most) = self.game.strategies.bounds(self.game, node, free);
        (lower, upper) = (lower.max(least), upper.min(most));
        if lower > alpha || upper <= alpha {
            return Some(if lower > alpha { lower } else { upper });
        }
        let stores = free >= TABLE_FROM && !node.moves.without_lowest().is_empty();
        let mut hint = 0;
        if stores && let Some(entry) = self.table.get(key) {
            (lower, upper, hint) = (lower.max(entry.lower.into()), upper.min(entry.upper.into()), entry.hint);
            if lower > alpha || upper <= alpha {
                return Some(if lower > alpha { lower } else { upper });
            }
        }
        let before = self.table.nodes;
        let start = self.children.len();
        let won = if self.expand(node, free, hint) { Some(points(free - 3)) } else { self.known(start, free, alpha) };
        if won.is_some() {
            self.children.truncate(start);
            return won;
        }
        // Without a win in three plies the next one comes two later.
        upper = upper.min(if free >= 5 { points(free - 5) } else { 0 });
        if upper > alpha {
            let (best, column) = self.best(start, free, alpha)?;
            if best > alpha {
                (lower, hint) = (lower.max(best), u16::from(column) + 1);
            } else {
                upper = upper.min(best);
            }
        }
        self.children.truncate(start);
        if stores {
            self.table.put(key, (lower, upper), hint, before);
        }
        Some(if lower > alpha { lower } else { upper })
    }

    /// Appends the positions after the moves; returns whether one of them wins in three plies.
    #[inline(always)]
    fn expand(&mut self, node: &Node<B>, free: u32, hint: u16) -> bool {
        let game = self.game;
        let filled = node.own.or(node.other).or(game.holes);
        for bit in node.moves.ones() {
            let stone = B::single(bit);
            let (own, filled) = (node.own.or(stone), filled.or(stone));
            let wins = game.completions(own).and_not(filled);
            let landing = game.landing(filled);
            let Some(moves) = game.holding(landing, wins, game.below(wins)) else { return true };
            let (own_wins, other_wins) = (node.other_wins.and_not(stone), wins);
            let child = Node { own: node.other, other: own, own_wins, other_wins, moves };
            let mut key = 0;
            if free > TABLE_FROM {
                key = self.key(child.own, child.other, free - 1);
                self.table.prefetch(key);
            }
            let column = game.column(bit);
            let mut rank = self.rank(&child, landing, column);
            if hint == u16::from(column) + 1 {
                rank = FIRST;
            } else if self.thread > 0 && free >= OWN_ORDER_FROM {
                rank += (key >> (self.thread % 32)) as i32 & 63;
            }
            self.children.push(Child { node: child, key, rank, column });
        }
        false
    }

    /// The bound that the entry of a child gives, if it is more than `alpha`.
    #[inline(always)]
    fn known(&self, start: usize, free: u32, alpha: i32) -> Option<i32> {
        if free < CHILDREN_FROM {
            return None;
        }
        let bounds = self.children[start..].iter().filter_map(|child| self.table.get(child.key));
        bounds.map(|entry| -i32::from(entry.upper)).find(|&lower| lower > alpha)
    }

    /// Searches the children in the order of their ranks, up to one that exceeds `alpha`; returns the best value and its column.
    #[inline(always)]
    fn best(&mut self, start: usize, free: u32, alpha: i32) -> Option<(i32, u8)> {
        let end = self.children.len();
        let mut best = (i32::MIN, 0);
        for i in start..end {
            let first = (i + 1..end).fold(
                i,
                |first, j| {
                    if self.children[j].rank > self.children[first].rank { j } else { first }
                },
            );
            self.children.swap(i, first);
            let child = self.children[i];
            let value = -self.search(&child.node, free - 1, !alpha, child.key)?;
            if value > best.0 {
                best = (value, child.column);
                if value > alpha {
                    break;
                }
            }
        }
        Some(best)
    }

    /// The rank of the move to this position; `landing` are the cells where the next stone may land.
    #[inline(always)]
    fn rank(&self, child: &Node<B>, landing: B, column: u8) -> i32 {
        let wins = child.other_wins;
        let count = |cells: B| wins.and(cells).count() as i32;
        let last = self.game.columns.len() as i32 - 1;
        let distance = (2 * i32::from(column) - last).abs() / 2;
        let mut rank = WIN * wins.count() as i32 + DISTANCE * distance;
        if !wins.is_empty() {
            rank += if wins.and(landing).is_empty() { 0 } else { NEXT };
            rank += ABOVE_OTHER * count(child.own_wins.up(1)) + AFTER_NEXT * count(landing.up(1));
        }
        rank
    }

    /// A key that is unique for boards of one word, and otherwise a hash (see the key of the game), the same for a position and its mirror
    /// image; the table mixes it.
    #[inline(always)]
    fn key(&self, own: B, other: B, free: u32) -> u64 {
        let key = |own: B, other: B| {
            let sum = own.plus(own.or(other).or(self.game.holes));
            if B::WIDTH == u64::BITS { sum.low_word() } else { sum.hash_with(4) }
        };
        if !self.is_symmetric || free + MIRROR_UP_TO < u32::from(self.game.cells) {
            return key(own, other);
        }
        key(own, other).min(key(self.game.mirror(own), self.game.mirror(other)))
    }
}
