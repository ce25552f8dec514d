//! The number of lines (multi-PV): moves of the root with a value instead of a bound.

use banyan_core::{Limits, TextError};

use crate::options::{Range, Tunable, Value};

/// The number of moves with a value instead of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lines {
    /// This many, at least one, the best ones.
    Best(u32),
    /// All legal moves.
    All,
}

impl Value for Lines {
    fn read(text: &str, row: &Tunable) -> Result<Lines, TextError> {
        let Range::WholeOrAll { min, max, .. } = row.range else { return Err(row.refused(text)) };
        if text == "all" {
            return Ok(Lines::All);
        }
        let number = text.parse::<u32>().ok().filter(|&n| (min..=max).contains(&n.into()));
        number.map(Lines::Best).ok_or_else(|| row.refused(text))
    }

    fn text(&self) -> String {
        match self {
            Lines::Best(n) => n.to_string(),
            Lines::All => "all".to_owned(),
        }
    }
}

impl Lines {
    /// The lines of a [limit](Limits::lines).
    pub(super) fn of_number(n: u32) -> Lines {
        if n == Limits::ALL_LINES { Lines::All } else { Lines::Best(n.max(1)) }
    }

    /// The number of lines in a position with `n_moves` moves.
    pub(super) fn of(self, n_moves: usize) -> usize {
        match self {
            Lines::Best(n) => n_moves.min(n as usize),
            Lines::All => n_moves,
        }
    }
}
