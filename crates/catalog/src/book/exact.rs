//! A book of exact values: the outcome or the margin of every position after a number of moves, from which minimax gives the values of all
//! earlier positions.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt;

use banyan_core::{Bounds, ErasedGame, ErasedState, Game, Margin, Side, TextError};
use banyan_search::Goal;

use super::expansion::moves_of;
use super::view::ExactBookView;
use crate::game_state::{GameState, position_key};
use crate::view::{Proof, SolvedMove, VERSION as VIEW_VERSION, side_word};

/// The version of the format.
const VERSION: u32 = 1;
/// The first word of the file.
pub(super) const BEGINS: &str = "banyan-exact-book";
/// Positions in a line of the file.
pub const POSITIONS_PER_LINE: usize = 120;
/// The most positions after the moves of a book. Guess: a fifth of a GiB of memory.
const MOST_POSITIONS: usize = 1_000_000;
/// Outcomes in a character, three values each, and the character for the first three values of all of them.
const OUTCOMES_PER_CHAR: usize = 4;
const FIRST_CHAR: u8 = b'(';

/// The plan of an exact book: the first line of its file. Two complete books with equal plans are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactPlan {
    /// The game.
    pub game: String,
    /// Moves from the start of the game to the positions that are solved.
    pub plies: u32,
    /// Whether margins are known, or only who wins.
    pub has_margins: bool,
}

impl ExactPlan {
    fn values(&self) -> &'static str {
        if self.has_margins { "margin" } else { "winner" }
    }

    /// The goal of the proof of a position.
    pub fn goal(&self) -> Goal {
        if self.has_margins { Goal::Value } else { Goal::Winner }
    }

    /// Reads the first line of a book.
    ///
    /// # Errors
    /// It is not the first line of such a book, or that of another version.
    pub fn read(line: &str) -> Result<ExactPlan, TextError> {
        let wrong = || {
            let expected = format!("expected \"{BEGINS} v={VERSION}\" with game, plies and values");
            TextError::new(format!("{line:?}"), expected, "use a file of `banyan book solve`")
        };
        let parts = || {
            let words: Vec<&str> = line.strip_prefix(BEGINS)?.strip_prefix(' ')?.split(' ').collect();
            let [_, game, plies, values] = words[..] else { return None };
            let game = game.strip_prefix("game=")?.to_owned();
            let has_margins = values.strip_prefix("values=")? == "margin";
            Some(ExactPlan { game, plies: plies.strip_prefix("plies=")?.parse().ok()?, has_margins })
        };
        let plan = parts().ok_or_else(wrong)?;
        if plan.to_string() == line { Ok(plan) } else { Err(wrong()) }
    }

    /// Checks that a book of the plan `found` can be continued by this one.
    ///
    /// # Errors
    /// They differ.
    pub fn check_same(&self, found: &ExactPlan) -> Result<(), TextError> {
        if self == found {
            return Ok(());
        }
        let named = |plan: &ExactPlan| format!("{} with --plies {} --values {}", plan.game, plan.plies, plan.values());
        let expected = format!("expected one of {}", named(self));
        Err(TextError::new(
            format!("a book of {}", named(found)),
            expected,
            "choose another --out, or the same settings",
        ))
    }
}

/// The first line of the file.
impl fmt::Display for ExactPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEGINS} v={VERSION} game={} plies={} values={}", self.game, self.plies, self.values())
    }
}

/// A position before the last ones of a book.
#[derive(Clone, Debug)]
struct Earlier {
    /// [`GameState::position_key`].
    key: u64,
    mover: Side,
    /// The positions after its moves: the final margin, or the key.
    after: Vec<Result<Margin, u64>>,
}

/// The positions of a game in which it is not over, symmetric ones once.
#[derive(Clone, Debug)]
struct Positions {
    /// Those after fewer moves than the last ones, the earliest first.
    earlier: Vec<Earlier>,
    /// Those after all moves, with their keys, in the order of these.
    last: Vec<(u64, ErasedState)>,
}

impl Positions {
    /// The positions of `game` after up to `plies` moves.
    ///
    /// # Errors
    /// There are too many for a book.
    fn of(game: &ErasedGame, plies: u32) -> Result<Positions, TextError> {
        let (start, most) = (game.start(), u32::from(game.max_plies()));
        if plies > most {
            let expected = format!("expected at most {most}, the moves of a game of {}", game.spec());
            return Err(TextError::new(format!("{plies} plies"), expected, "choose fewer --plies"));
        }
        let (mut earlier, mut last) = (Vec::new(), vec![(position_key(game, &start), start)]);
        for ply in 1..=plies {
            let (mut seen, mut next) = (HashSet::new(), Vec::new());
            for (key, state) in last {
                let mut after = Vec::new();
                for (_, key, state) in moves_of(game, &state) {
                    let end = game.result(&state);
                    after.push(end.ok_or(key));
                    if end.is_none() && seen.insert(key) {
                        next.push((key, state));
                    }
                }
                earlier.push(Earlier { key, mover: game.to_move(&state), after });
                if next.len() > MOST_POSITIONS {
                    let found = format!("more than {MOST_POSITIONS} positions after {ply} moves of {}", game.spec());
                    return Err(TextError::new(found, "expected fewer", "choose fewer --plies"));
                }
            }
            next.sort_unstable_by_key(|(key, _)| *key);
            last = next;
        }
        Ok(Positions { earlier, last })
    }
}

/// A book of exact values, complete or in the making.
#[derive(Clone, Debug)]
pub struct ExactBook {
    plan: ExactPlan,
    /// The earlier ones until the book is complete.
    positions: Positions,
    /// Of the last positions: bounds that decide the goal of the plan; fewer than those until the book is complete.
    values: Vec<Bounds>,
    /// Bounds of all positions by their keys; empty until the book is complete.
    bounds: HashMap<u64, Bounds>,
}

impl ExactBook {
    /// A book without values; `start` is the beginning of a game.
    ///
    /// # Errors
    /// Too many positions.
    pub fn empty(plan: ExactPlan, start: &GameState) -> Result<ExactBook, TextError> {
        let positions = Positions::of(start.rules(), plan.plies)?;
        Ok(ExactBook { plan, positions, values: Vec::new(), bounds: HashMap::new() })
    }

    /// Whether a text is meant to be such a book.
    pub fn is_text_of(text: &str) -> bool {
        text.starts_with(BEGINS)
    }

    /// Reads the text of a book; `name` is that of the file, for errors. An incomplete last line is ignored.
    ///
    /// # Errors
    /// The first line that is wrong, or the book of another game.
    pub fn read(text: &str, name: &str, start: &GameState) -> Result<ExactBook, TextError> {
        let at = |number: usize, err: TextError| err.at(format_args!("{name}:{number}"));
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate().map(|(idx, line)| (idx + 1, line));
        let plan = lines.next().map_or_else(|| ExactPlan::read(text), |(_, first)| ExactPlan::read(first));
        let plan = plan.map_err(|err| at(1, err))?;
        if plan.game != start.spec() {
            let found = format!("a book of {}", plan.game);
            let err = TextError::new(found, format!("expected one of {}", start.spec()), "use the book of this game");
            return Err(at(1, err));
        }
        let mut book = ExactBook::empty(plan, start).map_err(|err| at(1, err))?;
        lines.try_for_each(|(number, line)| book.read_line(line, start.rules()).map_err(|err| at(number, err)))?;
        book.back_up();
        Ok(book)
    }

    fn read_line(&mut self, line: &str, game: &ErasedGame) -> Result<(), TextError> {
        let n = POSITIONS_PER_LINE.min(self.n_positions() - self.values.len());
        let wrong = || TextError::new(format!("{line:?}"), format!("expected {n} values"), "make the book again");
        let values: Vec<Bounds> = self.parsed(line, n, game).filter(|values| values.len() == n).ok_or_else(wrong)?;
        if n == 0 || self.line(&values) != line {
            return Err(wrong());
        }
        self.values.extend(values);
        Ok(())
    }

    fn parsed(&self, line: &str, n: usize, game: &ErasedGame) -> Option<Vec<Bounds>> {
        if self.plan.has_margins {
            return line.split(' ').map(|word| word.parse().ok().map(|points| Bounds::exact(Margin(points)))).collect();
        }
        let range = game.margin_range();
        let outcome = |digit: u8| match digit {
            0 => Bounds { upper: Margin(-1), ..range },
            1 => Bounds::exact(Margin::DRAW),
            _ => Bounds { lower: Margin(1), ..range },
        };
        let mut values = Vec::new();
        for char in line.bytes() {
            let mut rest = char.checked_sub(FIRST_CHAR)?;
            for _ in 0..OUTCOMES_PER_CHAR.min(n - values.len()) {
                values.push(outcome(rest % 3));
                rest /= 3;
            }
        }
        Some(values)
    }

    /// The line of the file that holds these values.
    fn line(&self, values: &[Bounds]) -> String {
        if self.plan.has_margins {
            let words: Vec<String> = values.iter().map(|bounds| bounds.lower.0.to_string()).collect();
            return words.join(" ");
        }
        let digit = |bounds: &Bounds| (Proof::seen_by(*bounds, Side::First).outcome().unwrap_or(0) + 1) as u8;
        let char =
            |four: &[Bounds]| char::from(FIRST_CHAR + four.iter().rev().fold(0, |sum, bounds| sum * 3 + digit(bounds)));
        values.chunks(OUTCOMES_PER_CHAR).map(char).collect()
    }

    /// `book of exact values after 6 moves`.
    pub fn in_words(&self) -> String {
        let values = if self.plan.has_margins { "exact values" } else { "outcomes" };
        format!("book of {values} after {} moves", self.plan.plies)
    }

    /// The plan.
    pub fn plan(&self) -> &ExactPlan {
        &self.plan
    }

    /// Number of positions that it has values of when it is complete.
    pub fn n_positions(&self) -> usize {
        self.positions.last.len()
    }

    /// Number of these that are solved.
    pub fn n_solved(&self) -> usize {
        self.values.len()
    }

    /// Whether all are solved.
    pub fn is_complete(&self) -> bool {
        self.n_solved() == self.n_positions()
    }

    /// The values of these positions so far, seen by `First`: bounds that decide the goal of the plan.
    pub fn values(&self) -> &[Bounds] {
        &self.values
    }

    /// The positions that it has values of, in their order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &ErasedState> {
        self.positions.last.iter().map(|(_, state)| state)
    }

    /// Adds the values of the next positions, seen by `First`, as many as a line of the file has, and returns that line.
    pub fn add(&mut self, values: Vec<Bounds>, game: &ErasedGame) -> String {
        let line = self.line(&values);
        // The values that are read again.
        self.values.extend(self.parsed(&line, values.len(), game).expect("a line of these values"));
        self.back_up();
        line
    }

    /// Once all positions are solved: the bounds of those before them.
    fn back_up(&mut self) {
        if !self.is_complete() {
            return;
        }
        let last = self.positions.last.iter().map(|(key, _)| *key).zip(self.values.iter().copied());
        let mut bounds: HashMap<u64, Bounds> = last.collect();
        for Earlier { key, mover, after } in std::mem::take(&mut self.positions.earlier).into_iter().rev() {
            let seen = after.iter().map(|after| after.map_or_else(|key| bounds[&key], Bounds::exact).seen_by(mover));
            let best = seen.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).expect("the game is not over");
            bounds.insert(key, Bounds::won_by(mover, best.0, best.1));
        }
        self.bounds = bounds;
    }

    /// The bounds of the position with this key, seen by `First`; `None` if it is not in the book.
    pub fn bounds(&self, key: u64) -> Option<Bounds> {
        self.bounds.get(&key).copied()
    }

    /// The legal moves, and the bounds of the positions after them, if the book has these or the game is over.
    pub(super) fn moves(&self, game: &ErasedGame, state: &ErasedState) -> Vec<(u16, Option<Bounds>)> {
        let known = |(mv, key, after)| (mv, game.result(&after).map(Bounds::exact).or_else(|| self.bounds(key)));
        moves_of(game, state).map(known).collect()
    }
}

impl ExactBook {
    /// The entry of the current position of a game; `None` if the position is not in the book.
    pub fn view(&self, game: &GameState) -> Option<ExactBookView> {
        let (rules, state, side) = (game.rules(), game.state(), game.to_move());
        let Proof { lower, upper } = Proof::seen_by(self.bounds(game.position_key())?, side);
        let mut moves = Vec::new();
        for (mv, bounds) in self.moves(rules, state) {
            let Some(bounds) = bounds else { continue };
            let Proof { lower, upper } = Proof::seen_by(bounds, side);
            let margin = (lower == upper).then_some(lower);
            moves.push(SolvedMove { mv: rules.print_move(state, mv), margin, lower, upper });
        }
        moves.sort_by_key(|mv| Reverse((mv.lower, mv.upper)));
        Some(ExactBookView {
            v: VIEW_VERSION,
            game: self.plan.game.clone(),
            plies: self.plan.plies,
            positions: self.n_positions() as u64,
            position: game.position(),
            to_move: side_word(side).to_owned(),
            lower,
            upper,
            moves,
        })
    }
}
