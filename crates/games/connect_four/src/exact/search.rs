//! The search of a position by null windows.
//!
//! Negamax after Pascal Pons (Solving Connect 4: how to build a perfect AI, 2017, parts 6 to 11): moves that lose at once are left out,
//! those that create most winning cells come first, and own stones plus all stones is a unique key. In addition, winning cells are kept
//! from node to node, wins in three plies are found when the children are made, a node with a single move passes the table, the entries of
//! the children are read before any is searched, and strategies give bounds. Where only a win in three plies exceeds the window, nothing
//! else is looked for.

use banyan_exact::TableAccess;

use super::node::{Node, points};
use crate::{ConnectFour, Grid};

/// Free cells from which bounds are kept in the table. This and the constants down to [`DISTANCE`]: tuned by the nodes and the CPU time of
/// 100 positions after 14 to 28 plies and 20 after 5 to 14, few values each.
const TABLE_FROM: u32 = 9;
/// Plies up to the last win that exceeds the window (one more if it is of the other parity) from which strategies and the table are used.
const FAR: i32 = 6;
/// Free cells from which the entries of all children are read before any is searched.
const CHILDREN_FROM: u32 = 18;
/// The rank of a move: for each cell that then completes four, but less if it is next in its column, where the other side takes it at
/// once, or right above a cell that completes four for the other side, and more if it comes after the next one.
const WIN: i32 = 64;
const NEXT: i32 = -32;
const ABOVE_OTHER: i32 = -48;
const AFTER_NEXT: i32 = 16;
/// For each column away from the middle.
const DISTANCE: i32 = -2;
/// For each line with two stones that the side to move can still complete, if it has to win for more than `alpha`, from `PAIRS_FROM` free
/// cells on; tuned by the nodes of the same positions (`bench/results/2026-11-30-intel-xeon/solvers.txt`, 4). (For the other side too, or with the lines left to the other side subtracted, it takes more nodes.)
const PAIR: i32 = 4;
const PAIRS_FROM: u32 = 20;
/// The rank of the move that was best before; larger than any other.
const FIRST: i32 = 1 << 20;
/// Stones up to which a position and its mirror image share an entry. Guess: later ones are seldom both reached.
const MIRROR_UP_TO: u32 = 6;
/// Free cells from which each further thread has a different order. Guess, untuned.
const OWN_ORDER_FROM: u32 = 14;

/// Whether a search by a null window above `alpha` of a position with these free cells reaches so far that it is worth looking for bounds.
#[inline(always)]
fn is_far(free: u32, alpha: i32) -> bool {
    // The plies up to the last that wins by more than `alpha`, for the side to move, or else for the other side.
    let least = if alpha >= 0 { alpha } else { !alpha };
    free as i32 - 2 * least >= FAR
}

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
    /// The higher, the earlier it is searched; [`SEARCHED`] from then on.
    rank: i32,
    column: u8,
}

/// The rank of a child that has been searched; smaller than any other.
const SEARCHED: i32 = i32::MIN;

/// One search: a board and the table.
pub(super) struct Search<'a, B> {
    pub(super) game: &'a ConnectFour<B>,
    /// Whether the board equals its mirror image.
    pub(super) is_symmetric: bool,
    /// Number of the thread, from 0.
    pub(super) thread: u32,
    pub(super) table: TableAccess<'a>,
    /// The root, and the children of the nodes from there to here; those that were searched have the rank [`SEARCHED`].
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
        self.children.push(Child { node: *node, key, rank: SEARCHED, column: 0 });
        self.search(0, free, alpha)
    }

    /// The margin of the position at this place among the children, as [`value`](Search::value) returns it.
    fn search(&mut self, place: usize, free: u32, alpha: i32) -> Option<i32> {
        let Child { node, key, .. } = self.children[place];
        self.table.count()?;
        if free <= 2 {
            return Some(0);
        }
        // Neither side wins with its next stone.
        let (mut lower, mut upper) = (if free >= 4 { -points(free - 4) } else { 0 }, points(free - 3));
        // Without a win in three plies the next one comes two later.
        let later = if free >= 5 { points(free - 5) } else { 0 };
        if later <= alpha {
            return Some(if upper <= alpha || self.wins_in_three(&node) { upper } else { later });
        }
        let is_far = is_far(free, alpha);
        if is_far {
            let (least, most) = self.game.strategies.bounds(self.game, &node, free);
            (lower, upper) = (lower.max(least), upper.min(most));
        }
        if lower > alpha || upper <= alpha {
            return Some(if lower > alpha { lower } else { upper });
        }
        let stores = is_far && free >= TABLE_FROM && !node.moves.without_lowest().is_empty();
        let mut hint = 0;
        if stores && let Some(entry) = self.table.get(key) {
            (lower, upper, hint) = (lower.max(entry.lower.into()), upper.min(entry.upper.into()), entry.hint);
            if lower > alpha || upper <= alpha {
                return Some(if lower > alpha { lower } else { upper });
            }
        }
        let before = self.table.nodes;
        let start = self.children.len();
        let first = self.expand(&node, free, alpha, hint);
        let won = if first.is_none() { Some(points(free - 3)) } else { self.known(start, free, alpha) };
        let (None, Some(first)) = (won, first) else {
            self.children.truncate(start);
            return won;
        };
        upper = upper.min(later);
        let (best, column) = self.best(start, first, free, alpha)?;
        if best > alpha {
            (lower, hint) = (lower.max(best), u16::from(column) + 1);
        } else {
            upper = upper.min(best);
        }
        self.children.truncate(start);
        if stores {
            self.table.put(key, (lower, upper), hint, before);
        }
        Some(if lower > alpha { lower } else { upper })
    }

    /// Whether a move of this position wins in three plies.
    #[inline(always)]
    fn wins_in_three(&self, node: &Node<B>) -> bool {
        let game = self.game;
        let filled = node.own.or(node.other).or(game.holes);
        node.moves.ones().any(|bit| {
            let stone = B::single(bit);
            let filled = filled.or(stone);
            let wins = game.completions(node.own.or(stone)).and_not(filled);
            game.holding(game.landing(filled), wins, game.below(wins)).is_none()
        })
    }

    /// Appends the positions after the moves; returns the place of the one with the highest rank, or `None` if one of them wins in three
    /// plies.
    ///
    /// All keys come first, so that the entries are on their way from the memory while the rest is computed.
    #[inline(always)]
    fn expand(&mut self, node: &Node<B>, free: u32, alpha: i32, hint: u16) -> Option<usize> {
        let game = self.game;
        let has_keys = free > TABLE_FROM && is_far(free - 1, !alpha);
        let start = self.children.len();
        for bit in node.moves.ones() {
            let stone = B::single(bit);
            let other = node.own.or(stone);
            let mut key = 0;
            if has_keys {
                key = self.key(node.other, other, free - 1);
                self.table.prefetch(key);
            }
            let own_wins = node.other_wins.and_not(stone);
            let node = Node { own: node.other, other, own_wins, other_wins: B::EMPTY, moves: B::EMPTY };
            self.children.push(Child { node, key, rank: 0, column: game.column(bit) });
        }
        let filled = node.own.or(node.other).or(game.holes);
        let mut first = (SEARCHED, start);
        for (i, child) in self.children.iter_mut().enumerate().skip(start) {
            let filled = filled.or(child.node.other);
            let wins = game.completions(child.node.other).and_not(filled);
            let landing = game.landing(filled);
            let moves = game.holding(landing, wins, game.below(wins))?;
            (child.node.other_wins, child.node.moves) = (wins, moves);
            let mut rank = Self::rank(game, &child.node, landing, child.column);
            if alpha >= 0 && free >= PAIRS_FROM {
                rank += PAIR * game.open_pairs(child.node.other, game.valid.and_not(filled)) as i32;
            }
            if hint == u16::from(child.column) + 1 {
                rank = FIRST;
            } else if self.thread > 0 && free >= OWN_ORDER_FROM {
                rank += (child.key >> (self.thread % 32)) as i32 & 63;
            }
            child.rank = rank;
            if rank > first.0 {
                first = (rank, i);
            }
        }
        Some(first.1)
    }

    /// The bound that the entry of a child gives, if it is more than `alpha`.
    #[inline(always)]
    fn known(&self, start: usize, free: u32, alpha: i32) -> Option<i32> {
        if free < CHILDREN_FROM || !is_far(free - 1, !alpha) {
            return None;
        }
        let bounds = self.children[start..].iter().filter_map(|child| self.table.get(child.key));
        bounds.map(|entry| -i32::from(entry.upper)).find(|&lower| lower > alpha)
    }

    /// Searches the children in the order of their ranks, up to one that exceeds `alpha`; returns the best value and its column.
    #[inline(always)]
    fn best(&mut self, start: usize, first: usize, free: u32, alpha: i32) -> Option<(i32, u8)> {
        let end = self.children.len();
        let (mut next, mut best) = (first, (i32::MIN, 0));
        loop {
            self.children[next].rank = SEARCHED;
            let value = -self.search(next, free - 1, !alpha)?;
            if value > best.0 {
                best = (value, self.children[next].column);
                if value > alpha {
                    return Some(best);
                }
            }
            let rest = self.children[start..end].iter().map(|child| child.rank).enumerate();
            let (place, rank) = rest.fold((0, SEARCHED), |first, next| if next.1 > first.1 { next } else { first });
            if rank == SEARCHED {
                return Some(best);
            }
            next = start + place;
        }
    }

    /// The rank of the move to this position; `landing` are the cells where the next stone may land.
    #[inline(always)]
    fn rank(game: &ConnectFour<B>, child: &Node<B>, landing: B, column: u8) -> i32 {
        let wins = child.other_wins;
        let count = |cells: B| wins.and(cells).count() as i32;
        let last = game.columns.len() as i32 - 1;
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
