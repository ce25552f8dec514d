//! A position with its exact score or those of its moves, as collections of endgames hold them.

use banyan_core::TextError;

use crate::game_state::Opening;
use crate::registry::AnyGame;
use crate::session::Session;

/// A position as a file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// In the game's notation of positions.
    Position(String),
    /// By the moves from the starting position.
    Moves(String),
}

/// A position of a file, with the exact scores that the file lists: final margins under best play, in points for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The position.
    pub start: Start,
    /// Moves and the scores that they reach, in the order of the file.
    pub scores: Vec<(String, i16)>,
    /// The score of the position, in files that list no moves.
    pub score: Option<i16>,
}

impl ScoredPosition {
    /// The position alone.
    pub fn without_scores(&self) -> ScoredPosition {
        ScoredPosition { scores: Vec::new(), score: None, ..self.clone() }
    }

    /// The score of the position, or else the best one of a move; `None` without any.
    pub fn best(&self) -> Option<i16> {
        self.score.or_else(|| self.scores.iter().map(|&(_, score)| score).max())
    }

    /// The score of the position, or else the best one of a move.
    ///
    /// # Errors
    /// There is none; the error names the line.
    pub fn exact(&self) -> Result<i16, TextError> {
        self.best().ok_or_else(|| {
            let remedy = "`banyan solve` with --file and --out writes it";
            self.at(TextError::new(
                "a position without scores",
                "expected its exact score or those of its moves",
                remedy,
            ))
        })
    }

    /// The moves with the best score.
    pub fn best_moves(&self) -> Vec<&str> {
        let best = self.scores.iter().filter(|&&(_, score)| Some(score) == self.best());
        best.map(|(mv, _)| mv.as_str()).collect()
    }

    /// A game at this position.
    ///
    /// # Errors
    /// No position of the game, or a move that is not legal there, has two scores or one that the board does not allow, with the
    /// line.
    pub fn open(&self, game: &AnyGame) -> Result<Session, TextError> {
        let opening = match &self.start {
            Start::Position(position) => Opening::Position(position),
            Start::Moves(moves) => Opening::Moves(moves),
        };
        let session = game.open(opening).map_err(|err| self.at(err))?;
        let legal = session.legal_moves();
        let (lower, upper) = session.margin_range().seen_by(session.to_move());
        let check = |what: &str, score: i16| {
            if (lower..=upper).contains(&score) {
                return Ok(());
            }
            let (found, expected) = (format!("{what}{score:+}"), format!("expected a score from {lower} to {upper}"));
            Err(self.at(TextError::new(found, expected, "correct it, or leave it out")))
        };
        self.score.map_or(Ok(()), |score| check("score ", score))?;
        for (i, (mv, score)) in self.scores.iter().enumerate() {
            let found = format!("move {mv:?}");
            if !legal.contains(mv) {
                let expected = format!("expected a legal move for {}", session.side_name(session.to_move()));
                return Err(self.at(TextError::new(found, expected, advice(&legal))));
            }
            if self.scores[..i].iter().any(|(earlier, _)| earlier == mv) {
                return Err(self.at(TextError::new(found, "expected one score for each move", "leave one out")));
            }
            check(&format!("{found}: "), *score)?;
        }
        Ok(session)
    }

    /// A game at this position, which is not over.
    ///
    /// # Errors
    /// Those of [`open`](ScoredPosition::open), or it is over, with the line.
    pub fn open_unfinished(&self, game: &AnyGame) -> Result<Session, TextError> {
        let session = self.open(game)?;
        match session.result() {
            Some(_) => Err(self.at(TextError::new(
                "the end of a game",
                "expected a position that is not over",
                "leave the line out",
            ))),
            None => Ok(session),
        }
    }

    /// An error about this position.
    fn at(&self, err: TextError) -> TextError {
        TextError { found: format!("line {}: {}", self.line, err.found), ..err }
    }
}

fn advice(legal: &[String]) -> String {
    match legal {
        [] => "leave it out, the game is over".to_owned(),
        [only] => format!("try {only}"),
        _ => format!("try one of {}", legal.join(" ")),
    }
}
