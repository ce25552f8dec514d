//! The accuracy of a player on positions with exact scores: the error of its value, and whether it finds a best move.

use std::fmt;

use banyan_arena::stats::{Interval, mean, wilson};
use banyan_catalog::view::Analysis;
use banyan_catalog::{AnalysisObserver, AnyGame, Goal, Means, PlayerSpec, ScoredPosition, Session};
use banyan_core::{Fault, Limits, TextError};

/// Maximum size of the table that proves the score of a move. Guess, untuned.
const TABLE_MIB: u32 = 64;

/// The reason why a position was not measured.
#[derive(Debug)]
pub enum AccuracyError {
    /// It is not a position of the game, is over, or has no scores.
    Position(TextError),
    /// The player cannot be built for the board.
    Settings(TextError),
    /// The player gave no move.
    Player(Fault),
    /// The observer stopped the search.
    Stopped,
}

impl fmt::Display for AccuracyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccuracyError::Position(err) | AccuracyError::Settings(err) => err.fmt(f),
            AccuracyError::Player(fault) => fault.fmt(f),
            AccuracyError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for AccuracyError {}

impl From<TextError> for AccuracyError {
    fn from(err: TextError) -> AccuracyError {
        AccuracyError::Position(err)
    }
}

/// The result of a player on one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The best exact score, in points for the side to move.
    pub exact: i16,
    /// The margin that the search of the position expects; `None` from players that expect none.
    pub margin: Option<f64>,
    /// The move with the best value when the position after each move is searched; the first of equals.
    pub chosen: String,
    /// Whether its exact score is the best.
    pub is_best: bool,
    /// Positions visited, or nodes held, of all these searches.
    pub nodes: u64,
    /// Their time.
    pub elapsed_ms: f64,
}

/// A player and its limits for each search.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The player, with the settings that it has in the game.
    pub player: PlayerSpec,
    /// The limits of each search.
    pub limits: Limits,
    /// The random seed of each search.
    pub seed: u64,
}

/// The value of a position for one side.
#[derive(Clone, Copy, Debug)]
struct Valued {
    value: f64,
    margin: Option<f64>,
}

impl Valued {
    fn of(analysis: &Analysis) -> Valued {
        let proven = analysis.proof.filter(|proof| proof.lower == proof.upper).map(|proof| f64::from(proof.lower));
        Valued { value: analysis.value, margin: proven.or(analysis.margin) }
    }

    fn of_other_side(self) -> Valued {
        Valued { value: -self.value, margin: self.margin.map(|margin| -margin) }
    }
}

impl Subject {
    /// Searches a position, and the position after each of its moves, every time with a new player.
    ///
    /// # Errors
    /// See [`AccuracyError`].
    pub fn attempt(
        &self,
        game: &AnyGame,
        position: &ScoredPosition,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<Attempt, AccuracyError> {
        let mut root = position.open_unfinished(game)?;
        let exact = position.exact()?;
        let (mut nodes, mut elapsed_ms) = (0, 0.0);
        let mut search = |session: &mut Session| {
            let seat = session.seat(&self.player, self.seed).map_err(AccuracyError::Settings)?;
            let analysis = session.choose(seat, &self.limits, observer).map_err(AccuracyError::Player)?;
            nodes += analysis.nodes;
            elapsed_ms += analysis.elapsed_ms;
            if observer.stopped() { Err(AccuracyError::Stopped) } else { Ok(Valued::of(&analysis)) }
        };
        let margin = search(&mut root)?.margin;
        let mut children = Vec::new();
        for mv in root.legal_moves() {
            let mut child = position.open(game)?;
            child.play(&mv)?;
            let valued = match child.verdict() {
                Some(verdict) => Valued::of(&verdict),
                None => search(&mut child)?,
            };
            children.push((mv, if child.to_move() == root.to_move() { valued } else { valued.of_other_side() }));
        }
        // Margins are more precise than values, but are compared only if every move has one.
        let has_margins = children.iter().all(|(_, child)| child.margin.is_some());
        let worth = |child: &Valued| child.margin.filter(|_| has_margins).unwrap_or(child.value);
        // `max_by` keeps the last of equals.
        let best = children.iter().rev().max_by(|(_, a), (_, b)| worth(a).total_cmp(&worth(b)));
        let chosen = best.map(|(mv, _)| mv.clone()).expect("a position that is not over has moves");
        let is_best = match position.score {
            Some(score) => reached(game, position, &chosen, observer)? == score,
            None => position.best_moves().contains(&chosen.as_str()),
        };
        Ok(Attempt { exact, margin, chosen, is_best, nodes, elapsed_ms })
    }
}

/// The score that a move of the position reaches, by the game's solver.
fn reached(
    game: &AnyGame,
    position: &ScoredPosition,
    mv: &str,
    observer: &mut dyn AnalysisObserver,
) -> Result<i16, AccuracyError> {
    let mut session = position.open(game)?;
    let mover = session.to_move();
    session.play(mv)?;
    let means = Means { table_mib: TABLE_MIB, threads: 1 };
    let solved = session.prove(Goal::Value, means, &Limits::default(), observer);
    let margin = solved.margin.ok_or(AccuracyError::Stopped)?;
    Ok(if session.to_move() == mover { margin } else { -margin })
}

/// The results of a player on several positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Positions.
    pub positions: u64,
    /// Those in which the chosen move is one of the best.
    pub hits: u64,
    /// Positions visited, or nodes held, of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub elapsed_ms: f64,
    /// Absolute errors in points, of the positions for which the player expected a margin.
    errors: Vec<f64>,
}

impl Accuracy {
    /// Counts one more position.
    pub fn add(&mut self, attempt: &Attempt) {
        self.positions += 1;
        self.hits += u64::from(attempt.is_best);
        self.nodes += attempt.nodes;
        self.elapsed_ms += attempt.elapsed_ms;
        self.errors.extend(attempt.margin.map(|margin| (margin - f64::from(attempt.exact)).abs()));
    }

    /// Mean absolute error in points; unknown if the player expected no margin for some position, because the others may be the easy ones.
    pub fn error(&self) -> Interval {
        if self.errors.len() as u64 == self.positions { mean(&self.errors) } else { Interval::UNKNOWN }
    }

    /// Share of the positions in which it found a best move.
    pub fn best_moves(&self) -> Interval {
        wilson(self.hits, self.positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_count_only_where_all_are_known() {
        let attempt = |exact, margin, is_best| {
            let chosen = "a1".to_owned();
            Attempt { exact, margin, chosen, is_best, nodes: 10, elapsed_ms: 0.5 }
        };
        let mut accuracy = Accuracy::default();
        accuracy.add(&attempt(4, Some(1.5), true));
        accuracy.add(&attempt(-2, Some(1.5), false));
        assert_eq!(accuracy.error().mid, Some(3.0));
        assert_eq!((accuracy.best_moves().mid, accuracy.nodes, accuracy.elapsed_ms), (Some(0.5), 20, 1.0));
        accuracy.add(&attempt(0, None, true));
        assert_eq!(accuracy.error(), Interval::UNKNOWN);
        assert_eq!(accuracy.best_moves(), wilson(2, 3));
    }
}
