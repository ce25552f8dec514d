//! A book in memory: positions with what a search found, values backed up by minimax, and which position to expand next.

use std::cmp::Reverse;
use std::collections::HashMap;

use banyan_core::{Side, TextError};

use super::expansion::{Child, Expansion, after, children, go_to};
use super::plan::BookPlan;
use super::value::BookValue;
use crate::game_state::GameState;

/// The first word of the line of the starting position, instead of a move.
const START: &str = "start";
/// The first word of a line that names a position to expand; the next lines are the positions after its moves.
const EXPAND: &str = "expand";
/// Instead of a best move if the game is over.
const NO_MOVE: &str = "-";

/// Cost in plies of losing a whole result, from a draw to a certain loss: the weight of the drop-out expansion. A reply that costs
/// 5 % of the win rate comes after the expansion of two further plies. Guess, untuned.
const LOSS_PLIES: f64 = 20.0;

/// The result of the search of a position.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value.
    pub value: BookValue,
    /// The best move, and the [key](GameState::position_key) of the position after it; `None` if the game is over.
    pub best: Option<(String, u64)>,
}

/// One position of a book.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The position from which it was reached first, and the move; `None` for the starting position.
    from: Option<(usize, String)>,
    /// [`GameState::position_key`].
    key: u64,
    pub(super) ply: u32,
    pub(super) mover: Side,
    is_over: bool,
    found: Found,
    /// The number of the expansion that added it, and its place there: an order that does not depend on threads.
    order: (usize, usize),
    is_expanded: bool,
    /// The positions after its moves; empty until all are in the book.
    children: Vec<usize>,
    /// The value backed up from the positions below.
    pub(super) value: BookValue,
    /// The key of the position after its best move; `None` if the game is over.
    pub(super) best: Option<u64>,
    /// The positions that were reached first through this one.
    pub(super) below: usize,
}

/// A book.
#[derive(Clone, Debug)]
pub struct Book {
    plan: BookPlan,
    entries: Vec<Entry>,
    /// Indices of the entries by [`GameState::position_key`].
    by_key: HashMap<u64, usize>,
    expansion: Expansion,
    n_expansions: usize,
}

impl Book {
    /// A book without positions; `start` is the beginning of a game.
    pub fn empty(plan: BookPlan, start: &GameState) -> Book {
        let expansion = Expansion { of: None, children: vec![Child::at(start, START.to_owned())] };
        Book { plan, entries: Vec::new(), by_key: HashMap::new(), expansion, n_expansions: 0 }
    }

    /// Reads the text of a book; `game` is the beginning of a game, and `name` that of the file, for errors. An incomplete last line,
    /// as in a book that is just being made, is ignored.
    ///
    /// # Errors
    /// The first line that is wrong, or the book of another game.
    pub fn read(text: &str, name: &str, start: &GameState) -> Result<Book, TextError> {
        let game = &mut start.fork();
        let at = |number: usize, err: TextError| err.at(format_args!("{name}:{number}"));
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.split('\n').enumerate().map(|(idx, line)| (idx + 1, line));
        let (number, first) = lines.next().expect("a text has a first line");
        let plan = BookPlan::read(first).map_err(|err| at(number, err))?;
        if plan.game != game.spec() {
            let found = format!("a book of {}", plan.game);
            let err = TextError::new(found, format!("expected one of {}", game.spec()), "use the book of this game");
            return Err(at(number, err));
        }
        go_to(game, "").expect("no moves");
        let mut book = Book::empty(plan, game);
        lines.try_for_each(|(number, line)| book.read_line(line, game).map_err(|err| at(number, err)))?;
        book.back_up();
        Ok(book)
    }

    /// The plan of the book.
    pub fn plan(&self) -> &BookPlan {
        &self.plan
    }

    /// Number of positions.
    pub fn n_positions(&self) -> usize {
        self.entries.len()
    }

    /// Plies of the main line, best moves of both sides.
    pub fn main_line_plies(&self) -> u32 {
        self.end_of_main_line().map_or(0, |idx| self.entries[idx].ply)
    }

    /// The position with this key.
    pub(super) fn entry(&self, key: u64) -> Option<&Entry> {
        self.by_key.get(&key).map(|&idx| &self.entries[idx])
    }

    /// The value of the move from `entry` to the position with this key, and the number of positions from there on. If some moves of
    /// `entry` are not in the book, only the best one has a value, that of `entry`, and no position.
    pub(super) fn value_of_move(&self, entry: &Entry, key: u64) -> Option<(BookValue, usize)> {
        let found = self.entry(key).filter(|_| !entry.children.is_empty());
        let of_search = || (entry.best == Some(key)).then_some((entry.value, 0));
        found.map(|found| (found.value, found.below + 1)).or_else(of_search)
    }

    /// The positions of the expansion that the book lacks, with their places.
    pub fn missing(&self) -> Vec<(usize, Child)> {
        let children = self.expansion.children.iter().cloned().enumerate();
        children.filter(|(_, child)| !self.by_key.contains_key(&child.key)).collect()
    }

    /// The moves to the position that is being expanded.
    pub fn moves_to_expansion(&self) -> String {
        self.expansion.of.map_or(String::new(), |idx| self.moves_to(idx))
    }

    /// The moves to a position, as it was reached first.
    pub fn moves_to(&self, mut idx: usize) -> String {
        let mut moves: Vec<&str> = Vec::new();
        while let Some((parent, mv)) = &self.entries[idx].from {
            moves.push(mv);
            idx = *parent;
        }
        moves.reverse();
        moves.join(" ")
    }

    /// Begins to expand the position of this number; `children` are the positions after its moves. Returns the line of the file.
    pub fn expand(&mut self, idx: usize, children: Vec<Child>) -> String {
        self.entries[idx].is_expanded = true;
        self.expansion = Expansion { of: Some(idx), children };
        self.n_expansions += 1;
        self.complete();
        format!("{EXPAND} {}", self.moves_to(idx)).trim_end().to_owned()
    }

    /// Adds the position at this place of the expansion. Returns the line of the file.
    pub fn add(&mut self, place: usize, found: Found) -> String {
        let Child { mv, key, mover, end } = self.expansion.children[place].clone();
        let best = found.best.as_ref().map_or(NO_MOVE, |(best, _)| best);
        let line = format!("{mv} {} {best}", found.value);
        let ply = self.expansion.of.map_or(0, |parent| self.entries[parent].ply + 1);
        self.by_key.insert(key, self.entries.len());
        self.entries.push(Entry {
            from: self.expansion.of.map(|parent| (parent, mv)),
            key,
            ply,
            mover,
            is_over: end.is_some(),
            order: (self.n_expansions, place),
            is_expanded: false,
            children: Vec::new(),
            value: found.value,
            best: found.best.as_ref().map(|&(_, key)| key),
            below: 0,
            found,
        });
        self.complete();
        line
    }

    /// Links the expanded position with those after its moves once all are there.
    fn complete(&mut self) {
        let children = self.expansion.children.iter().map(|child| self.by_key.get(&child.key).copied());
        if let (Some(parent), Some(children)) = (self.expansion.of, children.collect()) {
            self.entries[parent].children = children;
        }
    }

    fn read_line(&mut self, line: &str, game: &mut GameState) -> Result<(), TextError> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            [EXPAND, ..] => self.read_expansion(line[EXPAND.len()..].trim_start(), game),
            &[mv, value, best] => self.read_position(mv, value, best, game),
            _ => {
                let expected = "expected a move, a value and the best move after it, or expand with moves";
                Err(refused(format!("{line:?}"), expected))
            }
        }
    }

    fn read_expansion(&mut self, moves: &str, game: &mut GameState) -> Result<(), TextError> {
        if let Some((_, child)) = self.missing().first() {
            let found = format!("{EXPAND} {moves:?}");
            return Err(refused(found, format!("expected the position after {} first", child.mv)));
        }
        go_to(game, moves)?;
        let idx = self.by_key.get(&game.position_key()).copied();
        let Some(idx) = idx.filter(|&idx| self.moves_to(idx) == moves) else {
            return Err(refused(format!("{EXPAND} {moves:?}"), "expected moves to a position above"));
        };
        if self.entries[idx].is_over || self.entries[idx].is_expanded {
            let expected = "expected a position that is neither over nor expanded already";
            return Err(refused(format!("{EXPAND} {moves:?}"), expected));
        }
        self.expand(idx, children(game));
        Ok(())
    }

    /// `game` is at the position that is being expanded.
    fn read_position(&mut self, mv: &str, value: &str, best: &str, game: &mut GameState) -> Result<(), TextError> {
        let missing = self.missing();
        let Some((place, child)) = missing.iter().find(|(_, child)| child.mv == mv) else {
            let known = missing.first().map_or("expand with moves".to_owned(), |(_, child)| child.mv.clone());
            return Err(refused(format!("move {mv:?}"), format!("expected a move that is missing, such as {known}")));
        };
        let read = BookValue::read(value).filter(|&read| child.end.is_none_or(|end| read == BookValue::of_end(end)));
        let Some(value) = read else {
            let expected = match child.end {
                Some(end) => format!("expected the result {}", BookValue::of_end(end)),
                None => "expected a value such as +0.1250 or +0.1250/-1.50".to_owned(),
            };
            return Err(refused(format!("value {value:?}"), expected));
        };
        let is_start = self.expansion.of.is_none();
        let look = |game: &mut GameState| {
            if child.end.is_some() {
                let expected = format!("expected {NO_MOVE}, for the game is over");
                return if best == NO_MOVE { Ok(None) } else { Err(refused(format!("move {best:?}"), expected)) };
            }
            let key = game.play(best).map(|_| game.position_key())?;
            game.undo();
            Ok(Some((best.to_owned(), key)))
        };
        let best = if is_start { look(game)? } else { after(game, mv, look)? };
        self.add(*place, Found { value, best });
        Ok(())
    }

    /// Computes the values and best moves of all positions from those below them, also if a side moves twice in succession. The best
    /// move of a position is the one with the most positions below among those whose values hardly differ from the best: the largest
    /// of many inexact values is too large, and searching the replies of a position shifts its value in favour of one side compared
    /// with its siblings, so that the largest value alone would abandon each line that has just been searched.
    pub fn back_up(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.below = 0);
        for idx in (0..self.entries.len()).rev() {
            if let Some((parent, _)) = self.entries[idx].from {
                self.entries[parent].below += 1 + self.entries[idx].below;
            }
        }
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&idx| Reverse(self.entries[idx].ply));
        for idx in order {
            let Entry { mover, found, children, .. } = &self.entries[idx];
            let own = found.best.as_ref().map(|&(_, key)| key);
            // Among equals the move that the search chose, else the first.
            let first = |place: usize, child: usize| (Some(self.entries[child].key) == own, Reverse(place));
            let value = |child: usize| self.entries[child].value;
            let largest = children.iter().map(|&child| value(child)).max_by_key(|value| value.rank(*mover));
            let near = |child: usize| largest.is_some_and(|largest| largest.hardly_exceeds(value(child), *mover));
            let merit = |place: usize, child: usize| {
                (self.entries[child].below, value(child).rank(*mover), first(place, child))
            };
            let candidates = children.iter().enumerate().filter(|&(_, &child)| near(child));
            let best = candidates.max_by_key(|&(place, &child)| merit(place, child));
            let best = best.map_or(own, |(_, &child)| Some(self.entries[child].key));
            let value = largest.unwrap_or(found.value);
            (self.entries[idx].value, self.entries[idx].best) = (value, best);
        }
    }

    /// The last position of the main line; `None` in a book without positions.
    fn end_of_main_line(&self) -> Option<usize> {
        let mut idx = 0;
        while !self.entries.get(idx)?.children.is_empty() {
            idx = self.best_child(idx)?;
        }
        Some(idx)
    }

    /// The end of the main line, if it has fewer than `plies` plies.
    pub fn main_line_to_expand(&self, plies: u32) -> Option<usize> {
        self.end_of_main_line().filter(|&end| self.can_expand(end, plies))
    }

    fn can_expand(&self, idx: usize, plies: u32) -> bool {
        let entry = &self.entries[idx];
        !entry.is_over && !entry.is_expanded && entry.ply < plies
    }

    fn best_child(&self, idx: usize) -> Option<usize> {
        self.entries[idx].best.and_then(|key| self.by_key.get(&key).copied())
    }

    /// The position to expand next, of fewer than `plies` plies; `None` if all are expanded: first the end of the main line, then
    /// by drop-out expansion (Lincke 2000, "Strategies for the Automatic Construction of Opening Books", LNCS 2063), in which one
    /// side plays the best moves of the book and the other loses as little as possible:
    ///
    /// cost(leaf) = plies + `LOSS_PLIES` · losses of the other side on the way
    ///
    /// The paper computes this from the leaves upwards for a tree; here positions are reached in several ways, and the least cost of
    /// all ways counts. The book is for both sides, so the position with the least cost for either is next.
    pub fn next_to_expand(&self, plies: u32) -> Option<usize> {
        if let Some(end) = self.main_line_to_expand(plies) {
            return Some(end);
        }
        let costs = Side::BOTH.map(|side| self.costs(side));
        let cost = |idx: usize| costs[0][idx].min(costs[1][idx]);
        let before = |a: usize, b: usize| {
            let by_cost = cost(a).total_cmp(&cost(b));
            by_cost.then(self.entries[a].order.cmp(&self.entries[b].order))
        };
        (0..self.entries.len()).filter(|&idx| self.can_expand(idx, plies)).min_by(|&a, &b| before(a, b))
    }

    /// The cost of each position if `side` plays from the book.
    fn costs(&self, side: Side) -> Vec<f64> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&idx| self.entries[idx].ply);
        let mut costs = vec![f64::INFINITY; self.entries.len()];
        costs[..1].fill(0.0);
        for idx in order {
            let entry = &self.entries[idx];
            for &child in &entry.children {
                let loss = match (entry.mover == side, Some(child) == self.best_child(idx)) {
                    (true, true) => 0.0,
                    (true, false) => f64::INFINITY,
                    (false, _) => entry.value.loss(self.entries[child].value, entry.mover),
                };
                costs[child] = costs[child].min(costs[idx] + 1.0 + LOSS_PLIES * loss);
            }
        }
        costs
    }
}

fn refused(found: impl Into<String>, expected: impl Into<String>) -> TextError {
    TextError::new(found, expected, "restore the file, or make the book again")
}
