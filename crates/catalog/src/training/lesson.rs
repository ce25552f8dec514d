//! The positions of recorded games, as samples to learn from.
//!
//! A game is a line of moves in the game's notation. A move that was drawn at random ends with `?`; a move before which the final
//! margin under best play was proven, with `!` and that margin, seen by the first side. What comes before the last random move is not learned from, for the result says little
//! about it.

use std::sync::Arc;

use banyan_core::{FINE, Features, Knowledge, Margin, Notation, TextError};
use banyan_learn::{Sample, Samples};

/// After a move that was drawn at random.
pub(super) const DRAWN: char = '?';
/// After a move before which the final margin was proven, and before that margin, seen by the first side.
pub(super) const PROVEN: char = '!';

/// An evaluation of a game as something to learn, without the type of the game.
pub trait Lesson {
    /// The name of the numbering of its features.
    fn layout(&self) -> String;

    /// The number of its weights.
    fn n_weights(&self) -> usize;

    /// Adds the positions of a recorded game that have a number of plies left in this range; of those only where the result was
    /// proven, if `proven` is set. Values are points from the position on, seen by the side to move.
    ///
    /// # Errors
    /// The line is no whole game.
    fn add(&self, line: &str, plies_left: [u16; 2], proven: bool, samples: &mut Samples) -> Result<(), TextError>;
}

/// The lesson of a game of known type.
pub(crate) struct TypedLesson<G: Notation, K> {
    pub(crate) game: Arc<G>,
    pub(crate) features: Box<dyn Features<G>>,
    pub(crate) knowledge: K,
}

impl<G: Notation, K: Knowledge<G> + Clone> Lesson for TypedLesson<G, K> {
    fn layout(&self) -> String {
        self.features.layout()
    }

    fn n_weights(&self) -> usize {
        self.features.n_weights()
    }

    fn add(&self, line: &str, plies_left: [u16; 2], proven: bool, samples: &mut Samples) -> Result<(), TextError> {
        let (game, mut state) = (&*self.game, self.game.start());
        // With the proven margin, if any.
        let mut learned: Vec<(G::State, Option<Margin>)> = Vec::new();
        for word in line.split_ascii_whitespace() {
            if game.result(&state).is_some() {
                return Err(TextError::new(word, "the end of the line after the end of the game", "remove the line"));
            }
            let (text, margin) = word.split_once(PROVEN).map_or((word, None), |(text, margin)| (text, Some(margin)));
            let margin = margin.map(str::parse).transpose();
            let margin = margin.map_err(|_| TextError::new(word, "a move, ! and a margin", "remove the line"))?;
            let mv = game.parse_move(&state, text.trim_end_matches(DRAWN))?;
            if text.ends_with(DRAWN) {
                learned.clear();
            } else {
                learned.push((state, margin.map(Margin)));
            }
            game.play(&mut state, mv);
        }
        let Some(result) = game.result(&state) else {
            return Err(TextError::new("a game without an end", "one that was played to its end", "remove the line"));
        };
        let mut knowledge = self.knowledge.clone();
        let (mut features, [least, most]) = (Vec::new(), plies_left);
        let mut next = result;
        for (state, margin) in learned.iter().rev() {
            // Without a proof of its own, what was proven next in the game, or its end.
            next = margin.unwrap_or(next);
            let left = game.max_plies() - game.ply(state);
            if !(least..=most).contains(&left) || proven && margin.is_none() {
                continue;
            }
            let mover = game.to_move(state);
            let (scored, final_points) = (game.score(state), next.seen_by(mover));
            features.clear();
            self.features.append(game, state, &mut features);
            let sign = f32::from(mover.sign());
            let known = knowledge.static_eval(game, state) - i32::from(scored.0) * FINE;
            samples.push(Sample {
                features: &features,
                value: f32::from(final_points - scored.seen_by(mover)),
                known: known as f32 / FINE as f32 * sign,
                group: left,
            });
        }
        Ok(())
    }
}
