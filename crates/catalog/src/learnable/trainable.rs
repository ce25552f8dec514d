//! The positions of recorded games, as samples to learn from.
//!
//! A game is a line of words, one for each move; if the plan has a range of boards, the game comes first. Marks after a move:
//! - `?`: the move was drawn at random and is not learned from;
//! - `!`: the winner was proven before the move; if points are learned, the final margin under best play was proven, and follows,
//!   seen by the first side;
//! - `~`: a search expected a margin before the move, which follows;
//! - `=`: the visits of each move follow: `d=c:12/d:70`.
//!
//! If points or results are learned, the positions up to the last random move are left out, because the end of the game depends
//! little on them. The exception for points is a random move before which a search expected a margin: that margin replaces the end.

use std::sync::Arc;

use banyan_core::{Bounds, ErasedGame, ErasedState, FINE, Game, Knowledge, Margin, Side, TextError};
use banyan_inference::{MoveFeatures, NetworkSize, Sample, Samples, Target};

use super::excluded::Excluded;
use crate::searches::{Searches, TaskFeatures};

/// Mark of a move that was drawn at random.
pub const DRAWN: char = '?';
/// Mark of a move before which the outcome was proven; the final margin follows if points are learned.
pub const PROVEN: char = '!';
/// Mark of a move before which a search expected a margin, which follows.
pub const EXPECTED: char = '~';
/// Mark before the visits of the moves.
pub const VISITS: char = '=';
/// Separator of two moves among the visits.
pub const NEXT: char = '/';
/// Separator of a move and its number of visits.
pub const NUMBER: char = ':';

/// The remedy for a line that is not a game. Removing only this line would renumber the games after it.
const REMEDY: &str = "restore the file, or remove this line and all after it";

/// An evaluation of a game on one board as something to learn.
pub struct Trainable {
    /// Have the knowledge of the game.
    searches: Arc<dyn Searches>,
    features: TaskFeatures,
}

/// The dimensions of what is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSize {
    /// The weights of a value.
    Value {
        /// Their number.
        n_weights: usize,
        /// Their number in each stage of the game.
        per_stage: usize,
    },
    /// The network of a policy.
    Policy(NetworkSize),
}

impl ModelSize {
    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        match self {
            ModelSize::Value { n_weights, .. } => *n_weights,
            ModelSize::Policy(size) => size.n_weights(),
        }
    }
}

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct Word<'a> {
    mv: &'a str,
    is_drawn: bool,
    is_proven: bool,
    /// The proven final margin.
    margin: Option<Margin>,
    /// The final margin that a search expected, seen by the first side.
    expected: Option<f32>,
    visits: Vec<(&'a str, f32)>,
}

/// A position of a recorded game as numbers.
#[derive(Clone, Debug)]
pub struct Position {
    word_idx: usize,
    mover: Side,
    plies_left: u16,
    /// The margin if the game stopped there.
    scored: Margin,
    /// The value by knowledge, in points from there on, seen by the mover.
    known: f32,
    features: Vec<u32>,
    /// Features that identify it: for a policy those of all legal moves; empty for a value, whose `features` do.
    of_all_moves: Vec<u32>,
    /// `[move]`: visits, or 1 for the move that was played from a position with a proven outcome. Empty for a value.
    visits: Vec<f32>,
}

/// The positions of the games that are learned from, and their labels.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The target of learning.
    pub target: Target,
    /// The least and the greatest number of plies left.
    pub plies_left: [u16; 2],
    /// Whether only positions with a proven outcome are learned from.
    pub proven: bool,
    /// Numbers of plies left in each group.
    pub group: u16,
    /// The weight of the next position's label in the label of one with an expected margin: 1 for the outcome alone, 0 for the
    /// expected margin alone.
    pub lambda: f32,
    /// Positions that are not learned from.
    pub excluded: Excluded,
}

impl Position {
    fn identity(&self) -> &[u32] {
        if self.of_all_moves.is_empty() { &self.features } else { &self.of_all_moves }
    }
}

impl<'a> Word<'a> {
    fn read(text: &'a str) -> Result<Word<'a>, TextError> {
        let (marked, visits) = text.split_once(VISITS).map_or((text, None), |(mv, visits)| (mv, Some(visits)));
        let (marked, expected) = marked.split_once(EXPECTED).map_or((marked, None), |(mv, margin)| (mv, Some(margin)));
        let expected = expected.map(|margin| margin.parse().ok().filter(|margin: &f32| margin.is_finite()));
        let expected = match expected {
            Some(None) => return Err(TextError::new(text, "expected a move, ~ and a margin", REMEDY)),
            other => other.flatten(),
        };
        let (marked, proof) = marked.split_once(PROVEN).map_or((marked, None), |(mv, margin)| (mv, Some(margin)));
        let mv = marked.trim_end_matches(DRAWN);
        let margin = proof.filter(|margin| !margin.is_empty()).map(str::parse).transpose();
        let margin = margin.map(|margin| margin.map(Margin)).map_err(|_| no_margin(text))?;
        let visit = |pair: &'a str| {
            let found = pair.rsplit_once(NUMBER).and_then(|(mv, n)| Some((mv, n.parse::<u32>().ok()? as f32)));
            found.ok_or_else(|| TextError::new(pair, "expected a move and its visits, as in d:70", REMEDY))
        };
        let visits = visits.into_iter().flat_map(|visits| visits.split(NEXT)).map(visit).collect::<Result<_, _>>()?;
        Ok(Word { mv, is_drawn: marked.ends_with(DRAWN), is_proven: proof.is_some(), margin, expected, visits })
    }
}

/// Refuses margins that no game has. `sure` are the bounds in the position before the word, `all` those of all games: a search may
/// expect more than is possible, but at most twice as much.
fn check_margins(word: &Word<'_>, sure: Bounds, all: Bounds) -> Result<(), TextError> {
    let refused = |mark: char, margin: String, least: i32, most: i32| {
        let expected = format!("expected a margin from {least} to {most}");
        Err(TextError::new(format!("{}{mark}{margin}", word.mv), expected, REMEDY))
    };
    if let Some(margin) = word.margin.filter(|margin| !(sure.lower..=sure.upper).contains(margin)) {
        return refused(PROVEN, margin.0.to_string(), sure.lower.0.into(), sure.upper.0.into());
    }
    let [least, most] = [all.lower, all.upper].map(|end| 2 * i32::from(end.0));
    if let Some(margin) = word.expected.filter(|margin| !(least as f32..=most as f32).contains(margin)) {
        return refused(EXPECTED, margin.to_string(), least, most);
    }
    Ok(())
}

fn no_margin(word: &str) -> TextError {
    TextError::new(word, "expected a move, ! and a margin", REMEDY)
}

impl Selection {
    /// Adds the positions of the moves of a recorded game. Returns the number of positions left out because they are excluded.
    ///
    /// # Errors
    /// The moves are not a complete game.
    pub fn add(&self, moves: &str, trainable: &Trainable, samples: &mut Samples) -> Result<usize, TextError> {
        let words = moves.split_ascii_whitespace().map(Word::read).collect::<Result<Vec<_>, _>>()?;
        let unknown = words.iter().find(|word| word.is_proven && word.margin.is_none());
        if let Some(word) = unknown.filter(|_| self.target == Target::Points) {
            return Err(no_margin(&format!("{}{PROVEN}", word.mv)));
        }
        let is_unknown = |word: &Word<'_>| word.is_drawn && (word.expected.is_none() || self.target != Target::Points);
        let first = words.iter().rposition(is_unknown).map_or(0, |drawn| drawn + 1);
        let [least, most] = self.plies_left;
        let wanted = |idx: usize, plies_left: u16| {
            let Word { is_proven, ref visits, .. } = words[idx];
            let is_kind = match self.target {
                Target::Points => idx >= first && (is_proven || !self.proven),
                Target::Result => idx >= first && is_proven == self.proven,
                Target::Visits => is_proven || !self.proven && !visits.is_empty(),
            };
            is_kind && (least..=most).contains(&plies_left)
        };
        let mut positions = Vec::new();
        let result = trainable.replay(&words, &wanted, &mut positions)?;
        // Labels: the proven margin; without one that of the next position or of the end, mixed with the margin that a search expected.
        let mut margins: Vec<f32> = vec![f32::from(result.0); words.len() + 1];
        for (idx, word) in words.iter().enumerate().rev() {
            let (next, lambda) = (margins[idx + 1], if word.is_drawn { 0.0 } else { self.lambda });
            let expected = word.expected.map_or(next, |expected| lambda * next + (1.0 - lambda) * expected);
            margins[idx] = word.margin.map_or(expected, |margin| f32::from(margin.0));
        }
        let n_before = positions.len();
        positions.retain(|position| !self.excluded.contains(position.identity()));
        for position in &positions {
            let idx = position.word_idx;
            self.push(position, result, margins[idx], words[idx].is_proven, samples);
        }
        Ok(n_before - positions.len())
    }

    /// Adds a position of a game that ends with this result; `margin` is the label if points are learned.
    fn push(&self, position: &Position, result: Margin, margin: f32, is_proven: bool, samples: &mut Samples) {
        let Position { mover, ref features, known, .. } = *position;
        let won = result.winner().map(|winner| winner == mover);
        let mut push = |targets: &[f32], known, is_measured| {
            let group = position.plies_left / self.group;
            samples.push(Sample { features, targets, known, group, is_measured });
        };
        match self.target {
            Target::Points => {
                let points = (margin - f32::from(position.scored.0)) * f32::from(mover.sign());
                push(&[points], known, true);
            }
            Target::Result => push(&[won.map_or(0.5, |won| f32::from(u8::from(won)))], 0.5, true),
            Target::Visits => {
                let total: f32 = position.visits.iter().sum();
                // If the outcome is proven, only the winner's moves are learned, and they are not measured: they have no visits.
                if position.visits.len() > 1 && total > 0.0 && (!is_proven || won == Some(true)) {
                    let shares: Vec<f32> = position.visits.iter().map(|n| n / total).collect();
                    push(&shares, 0.0, !is_proven);
                }
            }
        }
    }
}

impl Trainable {
    pub(crate) fn new(searches: Arc<dyn Searches>, features: TaskFeatures) -> Trainable {
        Trainable { searches, features }
    }

    fn game(&self) -> &ErasedGame {
        self.searches.game()
    }

    /// The features of the position before a word.
    fn position(
        &self,
        (word_idx, word): (usize, &Word<'_>),
        state: &ErasedState,
        knowledge: &mut dyn Knowledge<ErasedGame>,
    ) -> Result<Position, TextError> {
        let game = self.game();
        let (mover, scored) = (game.to_move(state), game.score(state));
        let (mut features, mut of_all_moves, mut visits, mut known) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
        match &self.features {
            TaskFeatures::Value(of) => {
                of.append(game, state, &mut features);
                let points = knowledge.static_eval(game, state) - i32::from(scored.0) * FINE;
                known = points as f32 / FINE as f32 * f32::from(mover.sign());
            }
            TaskFeatures::Policy(of) => {
                let mut moves = Vec::new();
                if word.is_proven {
                    let played = game.parse_move(state, word.mv)?;
                    knowledge.forced_moves(game, state, &mut moves);
                    visits.extend(moves.iter().map(|&mv| f32::from(u8::from(mv == played))));
                } else {
                    for &(mv, n) in &word.visits {
                        moves.push(game.parse_move(state, mv)?);
                        visits.push(n);
                    }
                }
                of.append(game, state, &moves, &mut features);
                of_all_moves = features_of_all_moves(game, state, &**of);
            }
        }
        let plies_left = game.plies_left(state);
        Ok(Position { word_idx, mover, plies_left, scored, known, features, of_all_moves, visits })
    }

    /// The name of the numbering of its features.
    pub fn layout(&self) -> String {
        match &self.features {
            TaskFeatures::Value(features) => features.layout(),
            TaskFeatures::Policy(features) => features.layout(),
        }
    }

    /// Its dimensions.
    pub fn size(&self) -> ModelSize {
        match &self.features {
            TaskFeatures::Value(features) => {
                let (n_weights, per_stage) = (features.n_weights(), features.per_stage());
                ModelSize::Value { n_weights, per_stage }
            }
            TaskFeatures::Policy(of) => {
                let (n_features, per_move, lanes) = (of.n_features(), of.per_move(), of.lanes());
                ModelSize::Policy(NetworkSize { n_features, per_move, lanes })
            }
        }
    }

    /// The plies left at the start of a game.
    pub fn n_plies(&self) -> u16 {
        self.game().plies_left(&self.game().start())
    }

    /// Plays a game, and appends the positions that are `wanted`, given the index of the word and the plies left. Returns the final margin.
    ///
    /// # Errors
    /// The words are not a complete game.
    pub fn replay(
        &self,
        words: &[Word<'_>],
        wanted: &dyn Fn(usize, u16) -> bool,
        out: &mut Vec<Position>,
    ) -> Result<Margin, TextError> {
        let (game, mut state, mut knowledge) = (self.game(), self.game().start(), self.searches.knowledge());
        for (idx, word) in words.iter().enumerate() {
            if game.result(&state).is_some() {
                return Err(TextError::new(word.mv, "expected the end of the line after the end of the game", REMEDY));
            }
            let mv = game.parse_move(&state, word.mv)?;
            check_margins(word, game.bounds(&state), game.margin_range())?;
            if wanted(idx, game.plies_left(&state)) {
                out.push(self.position((idx, word), &state, &mut *knowledge)?);
            }
            game.play(&mut state, mv);
        }
        let unfinished = || TextError::new("a game without an end", "expected one that was played to its end", REMEDY);
        game.result(&state).ok_or_else(unfinished)
    }

    /// The features of a position as text, seen by the side to move; for a policy those of all its moves.
    ///
    /// # Errors
    /// It is not a position of the board.
    pub fn features_of(&self, position: &str) -> Result<Vec<u32>, TextError> {
        let state = self.game().parse_position(position)?;
        Ok(match &self.features {
            TaskFeatures::Value(of) => {
                let mut features = Vec::new();
                of.append(self.game(), &state, &mut features);
                features
            }
            TaskFeatures::Policy(of) => features_of_all_moves(self.game(), &state, &**of),
        })
    }
}

/// The features of all legal moves of a position.
fn features_of_all_moves(game: &ErasedGame, state: &ErasedState, of: &dyn MoveFeatures<ErasedGame>) -> Vec<u32> {
    let (mut moves, mut features) = (Vec::new(), Vec::new());
    game.moves(state, &mut moves);
    of.append(game, state, &moves, &mut features);
    features
}
