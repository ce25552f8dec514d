//! Files of positions with the exact scores of their moves; the format depends on the game.

use banyan_catalog::{AnyGame, ScoredPosition};
use banyan_core::TextError;

use crate::obf;
use crate::utf8::utf8;

/// The file format of one game.
#[derive(Clone, Copy)]
pub struct ScoredFile {
    /// The game by name.
    family: &'static str,
    /// Checks the options of the game; an error if the scores assume others.
    check: fn(&str) -> Result<(), TextError>,
    read: fn(&str) -> Result<Vec<ScoredPosition>, TextError>,
    write: fn(&ScoredPosition) -> String,
}

const FORMS: &[ScoredFile] =
    &[ScoredFile { family: "reversi", check: obf::check_game, read: obf::read, write: obf::line }];

impl ScoredFile {
    /// The file format of a game.
    ///
    /// # Errors
    /// A game without a format, or with options that the scores do not assume.
    pub fn of(game: &AnyGame) -> Result<ScoredFile, TextError> {
        let spec = game.spec();
        let (name, options) = spec.split_once(':').unwrap_or((&spec, ""));
        let Some(form) = FORMS.iter().find(|form| form.family == name) else {
            let expected = "expected a game with files of scored positions: reversi (OBF)";
            return Err(TextError::new(spec.clone(), expected, "use reversi"));
        };
        (form.check)(options)?;
        Ok(*form)
    }

    /// The positions of a file with this content, in their order. Their moves are checked when they are
    /// [opened](ScoredPosition::open).
    ///
    /// # Errors
    /// A line that is wrong or not in UTF-8, with its number, or a file without positions.
    pub fn read(&self, content: impl AsRef<[u8]>) -> Result<Vec<ScoredPosition>, TextError> {
        let positions = (self.read)(utf8(content.as_ref())?)?;
        if positions.is_empty() {
            return Err(TextError::new("a file without positions", "expected one in each line", "add one"));
        }
        Ok(positions)
    }

    /// A position as a line of such a file, its best moves first, without the end of the line.
    pub fn line(&self, position: &ScoredPosition) -> String {
        (self.write)(position)
    }
}
