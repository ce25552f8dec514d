//! Files of positions with exact scores; the format depends on the game.

use banyan_catalog::storage::{Damaged, LineForm};
use banyan_catalog::{AnyGame, ScoredPosition};
use banyan_core::TextError;

use crate::scan::{Line, lines};
use crate::utf8::utf8;
use crate::{obf, scored_moves};

/// The file format of one game.
#[derive(Clone, Copy)]
pub struct ScoredFile {
    /// The game by name.
    family: &'static str,
    /// Checks the options of the game; an error if the scores assume others.
    check: fn(&str) -> Result<(), TextError>,
    /// The position of a line, given its number.
    read: fn(usize, &str) -> Result<ScoredPosition, TextError>,
    write: fn(&ScoredPosition) -> String,
    /// Whether it lists the scores of moves, not that of the position.
    scores_moves: bool,
}

const FORMS: &[ScoredFile] = &[
    ScoredFile {
        family: "reversi",
        check: obf::check_game,
        read: obf::read_line,
        write: obf::line,
        scores_moves: true,
    },
    ScoredFile {
        family: "connect-four",
        check: |_| Ok(()),
        read: scored_moves::read_line,
        write: scored_moves::line,
        scores_moves: false,
    },
];

impl ScoredFile {
    /// The file format of a game.
    ///
    /// # Errors
    /// A game without a format, or with options that the scores do not assume.
    pub fn of(game: &AnyGame) -> Result<ScoredFile, TextError> {
        let spec = game.spec();
        let (name, options) = spec.split_once(':').unwrap_or((&spec, ""));
        let Some(form) = FORMS.iter().find(|form| form.family == name) else {
            let expected =
                "expected a game with files of scored positions: reversi (OBF), connect-four (moves and score)";
            return Err(TextError::new(spec.clone(), expected, "use one of them"));
        };
        (form.check)(options)?;
        Ok(*form)
    }

    /// Whether it lists the scores of moves, not that of the position.
    pub fn scores_moves(&self) -> bool {
        self.scores_moves
    }

    /// The positions of a file with this content, in their order. Their moves are checked when they are
    /// [opened](ScoredPosition::open). Empty lines and lines that begin with `#` or `%` are skipped, as are comments after a `%`. If such
    /// a comment contains the checksum that `banyan solve --out` writes, it is verified.
    ///
    /// # Errors
    /// A line that is wrong or not in UTF-8, with its number, or a file without positions.
    pub fn read(&self, content: impl AsRef<[u8]>) -> Result<Vec<ScoredPosition>, TextError> {
        let read = |line: &Line<'_>| {
            let content = LineForm::Comment.content(line.text, line.number).map_err(|Damaged| damaged())?;
            (self.read)(line.number, content.split('%').next().unwrap_or_default().trim_end())
        };
        let lines = lines(utf8(content.as_ref())?).into_iter().filter(|line| !line.is_comment());
        let positions: Vec<_> = lines.map(|line| read(&line).map_err(|err| line.at(err))).collect::<Result<_, _>>()?;
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

fn damaged() -> TextError {
    let expected = "expected the checksum with which it ends";
    TextError::new("a damaged line", expected, "restore the file, or remove the line")
}
