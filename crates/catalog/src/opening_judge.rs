//! Judges of the balance of openings: a search, or random playouts if the game has too many moves for a short search.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use banyan_core::{ErasedGame, Game, Limits, TextError};

use crate::budget::Budget;
use crate::players::PlayerSpec;
use crate::searches::{ErasedPlayer, Searches, build};

/// Moves at the start of a game above which a short search cannot judge: each move gets too few playouts, so that the best
/// looks much better than it is, and no opening balanced. Random playouts judge there instead. Guess, untuned.
const TOO_MANY_MOVES: usize = 80;
/// Random playouts that judge an opening of such games: the standard error of its win rate is about 2.5 %, its threshold 10 %.
pub(crate) const RANDOM_PLAYOUTS: u64 = 400;
/// The search that judges in other games; fixed, so that a seed gives the same openings whatever the default player is.
const SEARCH: &str = "uct:forced=expansion";
/// Its playouts: the standard error of the win rate is about 1.6 %. Guess, untuned.
const SEARCH_PLAYOUTS: u64 = 1000;
/// The name of the judge by random playouts.
const PLAYOUTS: &str = "playouts";

/// The evaluation that decides whether an opening is balanced.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningJudge {
    /// The kind of evaluation.
    pub kind: JudgeKind,
    /// Its budget for each opening.
    pub budget: Budget,
    /// Maximum absolute value of a balanced opening.
    pub threshold: f64,
}

/// The kind of evaluation of an opening.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeKind {
    /// A search; the value is that of its best move.
    Search(Box<PlayerSpec>),
    /// The mean result of random playouts: the value of the position for players without any knowledge.
    Playouts,
}

impl OpeningJudge {
    /// Default threshold: a win rate between 40 and 60 %, as for generated openings of matches.
    pub const THRESHOLD: f64 = 0.2;

    /// A judge with the default threshold. Without a budget, it gets the default one of its kind.
    ///
    /// # Errors
    /// A budget that does not end the evaluation.
    pub fn new(kind: JudgeKind, budget: Option<Budget>) -> Result<OpeningJudge, TextError> {
        let n = if kind == JudgeKind::Playouts { RANDOM_PLAYOUTS } else { SEARCH_PLAYOUTS };
        let budget = budget.unwrap_or_else(|| Budget::playouts(n));
        match &kind {
            JudgeKind::Search(player) => player.check(&budget).and_then(|()| player.refuse_unused(&budget))?,
            JudgeKind::Playouts => {
                let limits = budget.first_limits();
                if limits.playouts.is_none_or(|n| limits != Limits::playouts(n)) {
                    let expected = format!("expected a budget in playouts for the judge {PLAYOUTS}");
                    return Err(TextError::new(format!("budget {budget}"), expected, "try playouts=400"));
                }
            }
        }
        Ok(OpeningJudge { kind, budget, threshold: OpeningJudge::THRESHOLD })
    }

    pub(crate) fn build(&self, searches: &Arc<dyn Searches>, seed: u64) -> Result<ErasedPlayer, TextError> {
        match &self.kind {
            JudgeKind::Search(player) => build(searches, player, seed),
            JudgeKind::Playouts => Ok(searches.random_playouts(seed)),
        }
    }
}

/// The kind of judge that suits a game.
pub(crate) fn judge_for(game: &ErasedGame) -> JudgeKind {
    if needs_playouts(game) {
        JudgeKind::Playouts
    } else {
        JudgeKind::Search(Box::new(SEARCH.parse().expect("it is a preset with one of its settings")))
    }
}

/// Whether the game has too many moves at its start for a short search to judge its openings.
pub(crate) fn needs_playouts(game: &ErasedGame) -> bool {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    moves.len() > TOO_MANY_MOVES
}

impl FromStr for JudgeKind {
    type Err = TextError;

    fn from_str(text: &str) -> Result<JudgeKind, TextError> {
        if text == PLAYOUTS {
            Ok(JudgeKind::Playouts)
        } else {
            text.parse().map(|player| JudgeKind::Search(Box::new(player)))
        }
    }
}

impl fmt::Display for JudgeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeKind::Search(player) => player.fmt(f),
            JudgeKind::Playouts => f.write_str(PLAYOUTS),
        }
    }
}
