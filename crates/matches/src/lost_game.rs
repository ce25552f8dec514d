//! The causes of lost games of a match: a fault, or the decisive move by a review.

use banyan_catalog::pairs::{EndingKind, GameLine};
use banyan_review::{Mark, ReasonView, ReviewUnit};
use banyan_texts::Language;
use serde::{Deserialize, Serialize};

/// The lost games of a match, with what a review found in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossReview {
    /// The player that valued the positions.
    pub reviewer: String,
    /// Its limit for each position.
    pub budget: String,
    /// Lost games with moves to review, and those of them that are reviewed.
    pub to_review: usize,
    /// Fewer if the review was interrupted.
    pub reviewed: usize,
    /// All lost games, in the order of their pairs.
    pub games: Vec<LostGame>,
}

impl LossReview {
    /// Whether no game is left to be reviewed.
    pub fn is_complete(&self) -> bool {
        self.reviewed == self.to_review
    }
}

/// A game that a player lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LostGame {
    /// Its pair.
    pub pair: u64,
    /// The number of the game in the pair, 0 or 1.
    pub game: u8,
    /// The number of the player that lost it.
    pub player: usize,
    /// The cause.
    pub cause: LossCause,
    /// The decisive move of that player ([`Review::decisive`](banyan_review::Review::decisive)); `None` without a
    /// review, and if no move loses anything.
    pub drop: Option<ValueDrop>,
}

/// A move that made the value of the position drop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueDrop {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// A best move instead; `None` if a better value is proven, but not which move has it.
    pub best: Option<String>,
    /// Its loss against the best move, in `unit`.
    pub loss: f64,
    /// The unit of the loss.
    pub unit: ReviewUnit,
    /// Whether the loss is proven.
    pub exact: bool,
    /// `None` for a move that loses little.
    pub mark: Option<Mark>,
    /// The most important reason for the loss besides the better move; `None` without one, and in reviews of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonView>,
}

/// The cause of a lost game. Faults come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossCause {
    /// An illegal move.
    Illegal,
    /// An answer that the protocol does not allow at that point.
    Nonsense,
    /// Too much time.
    Late,
    /// A panic in the player's code.
    Panicked,
    /// The end of the player's process.
    Crashed,
    /// Resignation.
    Resigned,
    /// A move marked `??`.
    Blunder,
    /// A move marked `?`, and none marked `??`.
    Mistake,
    /// Moves of which none is a mistake.
    Gradual,
    /// On the board, without a review.
    Unreviewed,
}

impl LossCause {
    /// The cause as a heading.
    pub fn in_words(self, language: Language) -> String {
        let key = match self {
            LossCause::Illegal => "cause.illegal",
            LossCause::Nonsense => "cause.nonsense",
            LossCause::Late => "cause.late",
            LossCause::Panicked => "cause.panicked",
            LossCause::Crashed => "cause.crashed",
            LossCause::Resigned => "cause.resigned",
            LossCause::Blunder => "cause.blunder",
            LossCause::Mistake => "cause.mistake",
            LossCause::Gradual => "cause.gradual",
            LossCause::Unreviewed => "cause.unreviewed",
        };
        language.say(key, &[])
    }

    /// The cause of a game that ended so, without a review.
    fn of_ending(ending: EndingKind) -> LossCause {
        match ending {
            EndingKind::Finished => LossCause::Unreviewed,
            EndingKind::Illegal => LossCause::Illegal,
            EndingKind::Nonsense => LossCause::Nonsense,
            EndingKind::Late => LossCause::Late,
            EndingKind::Panicked => LossCause::Panicked,
            EndingKind::Crashed => LossCause::Crashed,
            EndingKind::Resigned => LossCause::Resigned,
        }
    }
}

impl LostGame {
    /// The loss of a game that is not reviewed; `None` if the game has no loser.
    pub fn of(game: &GameLine) -> Option<LostGame> {
        let player = game.seats[game.loser()?.index()];
        let cause = LossCause::of_ending(game.ending);
        Some(LostGame { pair: game.pair, game: game.game, player, cause, drop: None })
    }

    /// The lost game with the result of its review.
    #[must_use]
    pub fn reviewed(self, drop: Option<ValueDrop>) -> LostGame {
        let mark = drop.as_ref().and_then(|drop| drop.mark);
        let cause = match (self.cause, mark) {
            (LossCause::Unreviewed, Some(Mark::Blunder)) => LossCause::Blunder,
            (LossCause::Unreviewed, Some(Mark::Mistake)) => LossCause::Mistake,
            (LossCause::Unreviewed, _) => LossCause::Gradual,
            (cause, _) => cause,
        };
        LostGame { cause, drop, ..self }
    }

    /// Its pair and its number in it.
    pub fn id(&self) -> (u64, u8) {
        (self.pair, self.game)
    }
}
