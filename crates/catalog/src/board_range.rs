//! Ranges of boards: `connect-four:9-12x9-12,holes=1` draws rows, columns and holes for every round.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use banyan_core::{Rng, TextError};

use crate::game_state::Opening;
use crate::registry::{AnyGame, Catalog};

/// Failed draws in a row after which the range counts as empty: unsupported sizes, boards without a legal move.
const PATIENCE: u32 = 1000;

/// Maximum rows and columns; catches typing errors.
const LONGEST: u32 = 99;

/// A range of boards of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRange {
    text: String,
    name: String,
    rows: RangeInclusive<u32>,
    columns: RangeInclusive<u32>,
    holes: RangeInclusive<u32>,
    /// Options common to all boards, each with a leading comma.
    rest: String,
}

impl BoardRange {
    /// Parses a range; `None` if `spec` is a single board.
    ///
    /// # Errors
    /// An invalid range.
    pub fn parse(spec: &str) -> Result<Option<BoardRange>, TextError> {
        let Some((name, options)) = spec.split_once(':') else { return Ok(None) };
        let (size, rest) = options.split_once(',').unwrap_or((options, ""));
        let (rest, drawn): (Vec<&str>, Vec<&str>) =
            rest.split(',').filter(|option| !option.is_empty()).partition(|option| !option.starts_with("holes="));
        if !size.contains('-') && drawn.is_empty() {
            return Ok(None);
        }
        let wrong = || {
            let expected = "expected rows x columns, each a number or a range, and holes=N";
            TextError::new(spec, expected, format!("try {name}:6-8x6-8"))
        };
        let (rows, columns) = size.split_once('x').ok_or_else(wrong)?;
        let [rows, columns] = [rows, columns].map(|side| parse_range(side).filter(|side| *side.start() > 0));
        let holes = drawn.iter().map(|option| parse_range(&option["holes=".len()..]));
        let holes = holes.reduce(|_, _| None).unwrap_or(Some(0..=0));
        let (Some(rows), Some(columns), Some(holes)) = (rows, columns, holes) else { return Err(wrong()) };
        let rest = rest.iter().map(|option| format!(",{option}")).collect();
        Ok(Some(BoardRange { text: spec.to_owned(), name: name.to_owned(), rows, columns, holes, rest }))
    }

    /// Whether another range has all sizes and numbers of holes that this one has.
    pub fn is_within(&self, other: &BoardRange) -> bool {
        let pairs = [(&self.rows, &other.rows), (&self.columns, &other.columns), (&self.holes, &other.holes)];
        pairs.into_iter().all(|(part, all)| all.start() <= part.start() && part.end() <= all.end())
    }

    /// The board drawn with `seed`: sizes and holes are uniform among the valid boards with a legal move.
    ///
    /// # Errors
    /// No board is valid; the error is that of the last one drawn.
    pub fn draw(&self, catalog: &Catalog, seed: u64) -> Result<AnyGame, TextError> {
        let rng = &mut Rng::new(seed);
        let mut why = String::new();
        for _ in 0..PATIENCE {
            match catalog.game(&self.draw_spec(rng)).and_then(playable) {
                Ok(game) => return Ok(game),
                Err(err) => why = err.to_string(),
            }
        }
        let expected = format!("expected at least one valid board in the range: {why}");
        Err(TextError::new(&self.text, expected, "change the range"))
    }

    fn draw_spec(&self, rng: &mut Rng) -> String {
        let [rows, columns, holes] = [&self.rows, &self.columns, &self.holes].map(|range| draw(range, rng));
        let mut cells = BTreeSet::new();
        while (cells.len() as u32) < holes.min(rows * columns) {
            cells.insert(rng.below(rows * columns));
        }
        let holes = cells.iter().map(|cell| format!(",hole={}{}", letter(cell / rows), cell % rows + 1));
        format!("{}:{rows}x{columns}{}{}", self.name, holes.collect::<String>(), self.rest)
    }
}

/// The game, if its board has a legal move.
///
/// # Errors
/// It has none.
pub fn playable(game: AnyGame) -> Result<AnyGame, TextError> {
    let session = game.open(Opening::Start)?;
    if session.result().is_some() {
        return Err(TextError::new(game.spec(), "expected a board with a legal move", "use another one"));
    }
    Ok(game)
}

/// `9` or `9-12`.
fn parse_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let range = low.parse().ok()?..=high.parse().ok()?;
    (!range.is_empty() && *range.end() <= LONGEST).then_some(range)
}

fn draw(range: &RangeInclusive<u32>, rng: &mut Rng) -> u32 {
    range.start() + rng.below(range.end() - range.start() + 1)
}

/// The letter of a column, from a; the game rejects columns beyond its last one.
fn letter(column: u32) -> char {
    char::from_u32(u32::from('a') + column).filter(char::is_ascii_lowercase).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_board_is_no_range() {
        for spec in ["connect-four", "connect-four:6x7,hole=d3", "reversi:8x8,count=discs", "own:"] {
            assert_eq!(BoardRange::parse(spec), Ok(None), "{spec}");
        }
    }

    #[test]
    fn what_is_no_range_is_named() {
        for (spec, part) in [
            ("connect-four:9-x9", "rows x columns"),
            ("connect-four:12-9x9", "rows x columns"),
            ("connect-four:9-12", "rows x columns"),
            ("connect-four:6x7,holes=", "rows x columns"),
            ("connect-four:6x7,holes=1,holes=2", "rows x columns"),
            ("connect-four:6-4294967295x7", "rows x columns"),
        ] {
            let err = BoardRange::parse(spec).expect_err(spec).to_string();
            assert!(err.contains(part), "{err}");
        }
    }
}
