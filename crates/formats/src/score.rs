//! The result of a game as records write it: `42-22`, `1-0`, `1/2-1/2`, or `*` for a game that is not over.

use banyan_catalog::Session;
use banyan_core::Side;

/// The result at the end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// Points of both sides, or 1 for the winner.
    Points(u32, u32),
    Draw,
    Unfinished,
}

impl Score {
    /// The result that a word is.
    pub(crate) fn parse(word: &str) -> Option<Score> {
        match word {
            "*" => return Some(Score::Unfinished),
            "1/2-1/2" | "½-½" => return Some(Score::Draw),
            _ => {}
        }
        let (first, second) = word.split_once(['-', '–', ':'])?;
        let number = |text: &str| {
            let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().ok()).flatten()
        };
        Some(Score::Points(number(first)?, number(second)?))
    }

    /// Whether a game has this result. A game that is not over may have been resigned.
    pub(crate) fn agrees(self, session: &Session) -> bool {
        let is_win = matches!(self, Score::Points(1, 0) | Score::Points(0, 1));
        let Some(margin) = session.result() else { return is_win || matches!(self, Score::Draw | Score::Unfinished) };
        match self {
            Score::Unfinished => true,
            Score::Draw => margin.0 == 0,
            Score::Points(first, second) => {
                let difference = i64::from(first) - i64::from(second);
                let same_winner = difference.signum() == i64::from(margin.0.signum());
                let points = session.points();
                same_winner
                    && (is_win
                        || points.is_none_or(|points| points == [first, second])
                        || difference == i64::from(margin.0))
            }
        }
    }

    /// The result of a game as text: the points of both sides if the game counts them.
    pub(crate) fn text(session: &Session) -> String {
        let Some(margin) = session.result() else { return "*".to_owned() };
        let winner = margin.winner();
        match (session.points(), winner) {
            (Some([first, second]), _) => {
                // Squares without an owner may count for the winner.
                let more = u32::from(margin.0.unsigned_abs()).saturating_sub(first.abs_diff(second));
                let points = |side: Side, own: u32| own + if winner == Some(side) { more } else { 0 };
                format!("{}-{}", points(Side::First, first), points(Side::Second, second))
            }
            (None, Some(Side::First)) => "1-0".to_owned(),
            (None, Some(Side::Second)) => "0-1".to_owned(),
            (None, None) => "1/2-1/2".to_owned(),
        }
    }
}
