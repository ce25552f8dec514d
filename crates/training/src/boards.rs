//! The boards of the games of a training: one, or one drawn from a range for every game.

use std::borrow::Cow;

use banyan_catalog::learnable::Trainable;
use banyan_catalog::{AnyGame, BoardRange, Catalog, Opening, Session};
use banyan_core::{Rng, TextError};
use banyan_inference::TrainingTask;

/// The boards of the games of a training.
pub(super) struct Boards {
    catalog: Catalog,
    /// The board, or one of the range.
    first: AnyGame,
    range: Option<BoardRange>,
}

impl Boards {
    /// The boards that `spec` names.
    ///
    /// # Errors
    /// An unknown game, or no valid board.
    pub(super) fn parse(spec: &str, catalog: &Catalog) -> Result<Boards, TextError> {
        let range = BoardRange::parse(spec)?;
        let first = match &range {
            Some(range) => range.draw(catalog, 0)?,
            None => catalog.game(spec)?,
        };
        Ok(Boards { catalog: catalog.clone(), first, range })
    }

    /// The boards that `spec` names for this task: those of the task if it names a game only.
    ///
    /// # Errors
    /// No valid board, or a range although each board has separate weights.
    pub(super) fn of(task: &TrainingTask, spec: &str, catalog: &Catalog) -> Result<(Boards, String), TextError> {
        let spec = match task.boards {
            "" => Cow::Borrowed(spec),
            _ if spec.contains(':') => Cow::Borrowed(spec),
            boards => Cow::Owned(format!("{spec}:{boards}")),
        };
        let boards = Boards::parse(&spec, catalog)?;
        let name = boards.first.spec();
        if boards.range.is_none() {
            return Ok((boards, name));
        }
        // The name of the game, not an alias, so that equal plans are equal texts.
        let (name, options) = (name.split(':').next().unwrap_or_default(), spec.split_once(':').map_or("", |(_, o)| o));
        let text = format!("{name}:{options}");
        if task.boards.is_empty() {
            let expected = format!("expected one board, as each has its own weights of {}", task.name);
            return Err(TextError::new(text, expected, format!("try {}", boards.first.spec())));
        }
        Ok((boards, text))
    }

    /// The board, or one of the range.
    pub(super) fn first(&self) -> &AnyGame {
        &self.first
    }

    /// Whether every game draws its own board.
    pub(super) fn is_range(&self) -> bool {
        self.range.is_some()
    }

    /// Starts a game; returns the words with which its line begins, and the game. Takes a number from the generator if there is a
    /// range.
    ///
    /// # Errors
    /// No valid board.
    pub(super) fn open(&self, rng: &mut Rng) -> Result<(String, Session), TextError> {
        match &self.range {
            None => Ok((String::new(), self.first.open(Opening::Start)?)),
            Some(range) => {
                let game = range.draw(&self.catalog, rng.next_u64())?;
                Ok((game.spec(), game.open(Opening::Start)?))
            }
        }
    }

    /// The board of a line of the games, if there is a range, and the moves.
    pub(super) fn split<'a>(&self, line: &'a str) -> (Option<&'a str>, &'a str) {
        if self.range.is_none() {
            return (None, line);
        }
        let (spec, moves) = line.split_once(' ').unwrap_or((line, ""));
        (Some(spec), moves)
    }

    /// The evaluation to learn, on the board of a line.
    ///
    /// # Errors
    /// A board that does not exist, or of another game.
    pub(super) fn trainable(&self, spec: &str, name: &str) -> Result<Trainable, TextError> {
        self.catalog.game(spec)?.trainable(name)
    }
}
