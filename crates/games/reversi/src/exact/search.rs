//! The search of positions with more empty squares.

use banyan_core::{FINE, InProgress};
use banyan_exact::{ProvenEntry, TableAccess};

use super::board::{Board, NONE, next_to};
use super::eval::{ANY, eval};
use super::selectivity::Selectivity;
use crate::patterns::PatternWeights;

/// Empty squares up to which moves are ordered by parity alone. This and the constants down to [`EVAL_FROM`]: tuned by the sum of the times of
/// FFO 40 to 44, few values each.
const BY_PARITY: u32 = 6;
/// Empty squares from which bounds are kept in the table of all threads; with fewer, in a small one.
const TABLE_FROM: u32 = 10;
/// Entries of the small table, as a power of two.
const SMALL_BITS: u32 = 13;
/// Empty squares from which the entries of all children are looked up before any is searched.
const CHILDREN_FROM: u32 = 12;
/// Empty squares from which moves are ordered by learned weights, if there are any.
const EVAL_FROM: u32 = 13;
/// Weights of the move ordering: for each reply of the other side, and more if it takes a corner; for each empty square beside the other
/// side's discs; with learned weights, for a disc of their evaluation; otherwise for the value of the square, each own disc in a
/// corner and beside such a one, each disc of the other side, and near the end for a square of an odd quarter. All but `REPLY` and `ODD_UP_TO`:
/// tuned by the nodes of FFO 40 to 44 and of 20 positions of hard-20, some 80 values in turns
/// (`bench/results/2026-11-30-intel-xeon/reversi-endgames.txt`, 7).
const REPLY: i32 = 32;
const CORNER_REPLY: i32 = 18;
const BESIDE: i32 = 5;
const SQUARE: i32 = 2;
const CORNER: i32 = -12;
const BESIDE_CORNER: i32 = 16;
const OTHER_DISC: i32 = 2;
const ODD: i32 = 12;
const ODD_UP_TO: u32 = 15;
const DISC: i32 = 12;
/// The rank of the move that was best before; larger than any other.
const FIRST: i32 = 1 << 20;
/// Empty squares from which a thread leaves moves that another one is searching for later, but not the first one, and looks whether another
/// one has decided a position on its way. (Of 60 endgames of 20 empty squares two threads visited 1.11 times the positions that one visits;
/// without the look 1.18 times, and when they deferred the first move too 1.24 times. From 10 to 14: no difference.)
const SHARED_FROM: u32 = 13;
/// Reduction of their rank; more than any rank.
const DEFERRED: i32 = 1 << 24;

/// The rank of a child that has been searched; smaller than any other.
const SEARCHED: i32 = i32::MIN;

/// One search: a board and the tables.
pub(super) struct Search<'a> {
    pub(super) board: &'a Board,
    pub(super) selectivity: Selectivity,
    /// Learned weights of the static evaluation.
    pub(super) patterns: Option<&'a PatternWeights>,
    /// Positions being searched, if there are other threads.
    pub(super) searched: Option<&'a InProgress>,
    /// With other threads, which may decide them meanwhile: the positions from the root to here with their windows, down to
    /// [`SHARED_FROM`] empty squares, but those that must pass.
    pub(super) path: Vec<(u64, i32)>,
    /// The place in the path of a position that another thread has decided, and its bound, until the search is back there.
    pub(super) decided: Option<(usize, i32)>,
    pub(super) table: TableAccess<'a>,
    pub(super) small: &'a mut SmallTable,
    /// The children of the positions from the root to here; those that were searched have the rank [`SEARCHED`].
    pub(super) children: &'a mut Vec<Child>,
}

/// A table of positions with few empty squares, small enough to stay in the processor's cache.
#[derive(Clone, Debug)]
pub(super) struct SmallTable {
    entries: Box<[(u64, ProvenEntry)]>,
}

impl SmallTable {
    pub(super) fn new() -> SmallTable {
        let none = ProvenEntry { lower: i8::MIN, upper: i8::MAX, hint: 0, work: 0 };
        SmallTable { entries: vec![(0, none); 1 << SMALL_BITS].into() }
    }

    #[inline(always)]
    fn place(key: u64) -> usize {
        (key >> (u64::BITS - SMALL_BITS)) as usize
    }

    #[inline(always)]
    fn get(&self, key: u64) -> Option<ProvenEntry> {
        let (found, entry) = self.entries[SmallTable::place(key)];
        (found == key).then_some(entry)
    }

    #[inline(always)]
    fn put(&mut self, key: u64, (lower, upper): (i32, i32), hint: u16) {
        let entry = ProvenEntry { lower: lower as i8, upper: upper as i8, hint, work: 0 };
        self.entries[SmallTable::place(key)] = (key, entry);
    }
}

/// The position after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// Discs of the side to move then.
    own: u64,
    other: u64,
    key: u64,
    square: u32,
    /// The squares where that side may place a disc, once the moves are ranked.
    placements: Option<u64>,
    /// The higher, the earlier it is searched.
    rank: i32,
}

impl Child {
    /// A position that no move has led to.
    fn root(own: u64, other: u64) -> Child {
        Child { own, other, key: key(own, other), square: 0, placements: None, rank: 0 }
    }
}

impl Search<'_> {
    /// The margin for `own`, which is to move, by a null window above `alpha`: a lower bound if it is more than
    /// `alpha`, otherwise an upper bound. `None` if stopped.
    pub(super) fn value(&mut self, own: u64, other: u64, alpha: i32) -> Option<i32> {
        let empty = self.board.all & !(own | other);
        match empty.count_ones() {
            0 => Some(self.board.final_margin(own, other)),
            n if n <= BY_PARITY => Some(self.by_parity(own, other, alpha, false)),
            n => self.by_rank(&Child::root(own, other), alpha, n),
        }
    }

    /// Searches the moves of odd quarters first, otherwise in the order of the squares.
    fn by_parity(&mut self, own: u64, other: u64, alpha: i32, passed: bool) -> i32 {
        let empty = self.board.all & !(own | other);
        if empty.count_ones() == 4 {
            return self.last_four(own, other, alpha, empty);
        }
        self.try_placements((own, other), empty, alpha, passed, self.board.placements(own, other))
    }

    /// Searches the `placements`, the squares on which `own` may place a disc, as [`by_parity`](Search::by_parity) does.
    #[inline(always)]
    fn try_placements(
        &mut self,
        (own, other): (u64, u64),
        empty: u64,
        alpha: i32,
        passed: bool,
        placements: u64,
    ) -> i32 {
        let board = self.board;
        self.table.nodes += 1;
        let odd = board.odd_quadrants(empty);
        let mut best = NONE;
        for mut set in [placements & odd & board.corners, placements & odd & !board.corners, placements & !odd] {
            while set != 0 {
                let square = set.trailing_zeros();
                set &= set - 1;
                let turned = board.turned(own, other, square);
                let value = -self.by_parity(other ^ turned, own | turned | 1 << square, !alpha, false);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        match best {
            NONE if passed || empty == 0 => board.final_margin(own, other),
            NONE => -self.by_parity(other, own, !alpha, true),
            best => best,
        }
    }

    /// Searches the moves of a position by table and rank.
    fn by_rank(&mut self, node: &Child, alpha: i32, n_empty: u32) -> Option<i32> {
        let board = self.board;
        let Child { own, other, key, placements, .. } = *node;
        self.table.count()?;
        if let Some(most) = self.stable_bound(own, other, alpha) {
            return Some(most);
        }
        let most = board.n_squares;
        let (mut lower, mut upper, mut hint) = (-most, most, 0);
        let table_key = self.selectivity.key(key, n_empty);
        if table_key != key
            && let Some(bound) = self.table.get(key).and_then(|proven| deciding(proven, alpha))
        {
            return Some(bound);
        }
        let known = if n_empty >= TABLE_FROM { self.table.get(table_key) } else { self.small.get(table_key) };
        if let Some(entry) = known {
            if let Some(bound) = deciding(entry, alpha) {
                return Some(bound);
            }
            (lower, upper, hint) = (entry.lower.into(), entry.upper.into(), entry.hint);
        }
        if hint == 0
            && let Some(before) = self.selectivity.key_before(key, n_empty)
        {
            hint = self.table.get(before).map_or(0, |entry| entry.hint);
        }
        let placements = placements.unwrap_or_else(|| board.placements(own, other));
        if placements == 0 {
            if board.placements(other, own) == 0 {
                return Some(board.final_margin(own, other));
            }
            return Some(-self.by_rank(&Child::root(other, own), !alpha, n_empty)?);
        }
        if let (Some(((least, most), depth)), Some(patterns)) =
            (self.selectivity.trusted(alpha, n_empty), self.patterns)
        {
            let points = eval(board, patterns, (own, other), depth, (least, most));
            // It has taken the time of many positions.
            self.table.poll_soon();
            if points >= most || points <= least {
                return Some(alpha + i32::from(points >= most));
            }
        }
        let is_shared = n_empty >= SHARED_FROM && self.searched.is_some();
        if is_shared && self.finds_decided() {
            return None;
        }
        let n_children = self.children.len();
        if is_shared {
            self.path.push((table_key, alpha));
        }
        let value = self.try_moves(node, placements, alpha, n_empty, (lower, upper, hint));
        if is_shared {
            self.path.pop();
            if let Some((_, known)) = self.decided.take_if(|decided| decided.0 == self.path.len()) {
                self.children.truncate(n_children);
                return Some(known);
            }
        }
        value
    }

    /// Whether another thread has decided a position on the way to this one; it is noted, and the search returns to it.
    fn finds_decided(&mut self) -> bool {
        let bound = |&(key, alpha): &(u64, i32)| deciding(self.table.get(key)?, alpha);
        self.decided = self.path.iter().enumerate().find_map(|(at, position)| Some((at, bound(position)?)));
        self.decided.is_some()
    }

    /// Searches the moves to `placements`, and stores what is then known.
    #[inline(always)]
    fn try_moves(
        &mut self,
        node: &Child,
        placements: u64,
        alpha: i32,
        n_empty: u32,
        (mut lower, mut upper, hint): (i32, i32, u16),
    ) -> Option<i32> {
        let Child { own, other, .. } = *node;
        let key = self.selectivity.key(node.key, n_empty);
        let before = self.table.nodes;
        let (mut best, mut best_square) = (NONE, 0);
        let mut rest = placements;
        // The move that was best before is searched before others are looked at.
        if hint & 127 != 0 && placements >> ((hint & 127) - 1) & 1 == 1 {
            best_square = u32::from(hint & 127) - 1;
            rest &= !(1 << best_square);
            let child = self.child(own, other, best_square);
            best = self.value_of(&child, alpha, n_empty)?;
        }
        if best <= alpha && rest != 0 {
            let (value, square) = self.best_of(node, rest, alpha, hint, n_empty)?;
            if value > best {
                (best, best_square) = (value, square);
            }
        }
        if best > alpha {
            lower = lower.max(best);
        } else {
            upper = upper.min(best);
        }
        let hint = if best > alpha || hint == 0 { with_first(hint, best_square) } else { hint };
        if n_empty >= TABLE_FROM {
            self.table.put(key, (lower, upper), hint, before);
        } else {
            self.small.put(key, (lower, upper), hint);
        }
        Some(best)
    }

    /// The position after a disc on a square.
    #[inline(always)]
    fn child(&self, own: u64, other: u64, square: u32) -> Child {
        let turned = self.board.turned(own, other, square);
        let (own, other) = (other ^ turned, own | turned | 1 << square);
        Child { own, other, key: key(own, other), square, placements: None, rank: 0 }
    }

    /// The value of a child for the side that moves to it from `n_empty` empty squares.
    #[inline(always)]
    fn value_of(&mut self, child: &Child, alpha: i32, n_empty: u32) -> Option<i32> {
        if n_empty - 1 > BY_PARITY {
            return Some(-self.by_rank(child, !alpha, n_empty - 1)?);
        }
        let (own, other) = (child.own, child.other);
        let empty = self.board.all & !(own | other);
        let placements = child.placements.unwrap_or_else(|| self.board.placements(own, other));
        Some(-self.try_placements((own, other), empty, !alpha, false, placements))
    }

    /// The best value of the moves to these squares and its square, up to one that exceeds `alpha`.
    #[inline(always)]
    fn best_of(&mut self, node: &Child, mut squares: u64, alpha: i32, hint: u16, n_empty: u32) -> Option<(i32, u32)> {
        let (board, own, other) = (self.board, node.own, node.other);
        let start = self.children.len();
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            let child = self.child(own, other, square);
            if child.own == 0 && board.final_margin(child.other, 0) > alpha {
                self.children.truncate(start);
                return Some((board.final_margin(child.other, 0), square));
            }
            if n_empty > TABLE_FROM {
                self.table.prefetch(child.key);
            }
            self.children.push(child);
        }
        if n_empty >= CHILDREN_FROM {
            for i in start..self.children.len() {
                let Child { key, square, .. } = self.children[i];
                if let Some(entry) = self.table.get(self.selectivity.key(key, n_empty - 1))
                    && -i32::from(entry.upper) > alpha
                {
                    self.children.truncate(start);
                    return Some((-i32::from(entry.upper), square));
                }
            }
        }
        if self.children.len() > start + 1 {
            self.rank(start, board.all & !(own | other), hint, n_empty);
        }
        let mut best = (NONE, 0);
        let searched = self.searched.filter(|_| n_empty >= SHARED_FROM);
        let end = self.children.len();
        loop {
            let (mut next, mut rank) = (start, SEARCHED);
            for (i, child) in self.children[start..end].iter().enumerate() {
                if child.rank > rank {
                    (next, rank) = (start + i, child.rank);
                }
            }
            if rank == SEARCHED {
                break;
            }
            let first = &mut self.children[next];
            let is_late = best.0 != NONE || hint != 0;
            if is_late
                && first.rank > -DEFERRED / 2
                && searched.is_some_and(|searched| searched.has(self.selectivity.key(first.key, n_empty - 1)))
            {
                first.rank -= DEFERRED;
                continue;
            }
            first.rank = SEARCHED;
            let child = *first;
            let table_key = self.selectivity.key(child.key, n_empty - 1);
            if let Some(searched) = searched {
                searched.enter(table_key);
            }
            let value = self.value_of(&child, alpha, n_empty);
            if let Some(searched) = searched {
                searched.leave(table_key);
            }
            let value = value?;
            if value > best.0 {
                best = (value, child.square);
                if value > alpha {
                    break;
                }
            }
        }
        self.children.truncate(start);
        Some(best)
    }

    /// An upper bound by the other side's stable discs, if it decides the window.
    #[inline(always)]
    fn stable_bound(&self, own: u64, other: u64, alpha: i32) -> Option<i32> {
        let board = self.board;
        let needed = board.n_squares - alpha;
        if 2 * (other.count_ones() as i32) < needed {
            return None;
        }
        let most = board.n_squares - 2 * board.stable(other, own).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// Ranks the children: the moves that were best before, then those that leave few replies and are good by the evaluation.
    #[inline(always)]
    fn rank(&mut self, start: usize, empty: u64, hint: u16, n_empty: u32) {
        let board = self.board;
        let odd = board.odd_quadrants(empty);
        for child in &mut self.children[start..] {
            // In a hint 0 is no square.
            let place = child.square as u16 + 1;
            if hint & 127 == place || hint >> 7 == place {
                child.rank = if hint & 127 == place { FIRST } else { FIRST / 2 };
                continue;
            }
            let replies = board.placements(child.own, child.other);
            child.placements = Some(replies);
            let count = |set: u64| set.count_ones() as i32;
            let empty = empty & !(1 << child.square);
            let mut rank = -REPLY * count(replies) - CORNER_REPLY * count(replies & board.corners);
            rank += BESIDE * count(board.beside(child.own, empty));
            if n_empty >= EVAL_FROM
                && let Some(patterns) = self.patterns
            {
                rank -= eval(board, patterns, (child.own, child.other), order_depth(n_empty), ANY) * DISC / FINE;
            } else {
                let corners = child.other & board.corners;
                rank += SQUARE * i32::from(board.value[child.square as usize]) + OTHER_DISC * count(child.own);
                rank += CORNER * count(corners) + BESIDE_CORNER * count(child.other & next_to(corners));
                rank += if n_empty <= ODD_UP_TO && odd >> child.square & 1 == 1 { ODD } else { 0 };
            }
            child.rank = rank;
        }
    }
}

/// Plies of the search of the learned evaluation that orders the moves of a position: the more below it, the more it saves. (With one
/// more ply from 14 empty squares on instead, FFO 40 to 44 took 80.2 M nodes; with one ply from 17 on only, 110.6 M.) Tuned as the constants above.
fn order_depth(n_empty: u32) -> u32 {
    match n_empty {
        ..=15 => 0,
        16..=17 => 1,
        18..=19 => 2,
        20 => 3,
        _ => 4,
    }
}

/// The bound of an entry that decides a null window above `alpha`.
#[inline(always)]
fn deciding(entry: ProvenEntry, alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
    if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
}

/// A hint with a new best move before the last one, each as its square plus one.
fn with_first(hint: u16, square: u32) -> u16 {
    let first = square as u16 + 1;
    if hint & 127 == first { hint } else { (hint & 127) << 7 | first }
}

/// A hash of the discs.
#[inline(always)]
pub(super) fn key(own: u64, other: u64) -> u64 {
    // Both halves of a product of words that are never 0 in practice (the multiplication of wyhash).
    let product = u128::from(own ^ 0x9E37_79B9_7F4A_7C15) * u128::from(other ^ 0xD1B5_4A32_D192_ED03);
    (product as u64) ^ (product >> 64) as u64
}
