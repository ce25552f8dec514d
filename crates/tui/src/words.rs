//! The words of the screen in the language of the user: sides, results, values, proofs, refusals.

use std::fmt::Display;

use banyan_api::{About, GameView, Offer, Refusal, StateView, about};
use banyan_catalog::view::{MoveView, Proof};
use banyan_review::{ReasonView, ReviewedMove};
use banyan_texts::Language;

/// Maximum number of moves of a line in a sentence.
const LINE: usize = 8;

/// The winner by a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Won,
    Lost,
    Drawn,
    /// Not decided, but bounded.
    Bounded,
}

/// A proof with its sign and its text.
pub(crate) struct Proven {
    pub(crate) outcome: Outcome,
    pub(crate) sign: &'static str,
    pub(crate) text: String,
}

/// The words of a language, for the games on offer.
pub(crate) struct Words {
    pub(crate) language: Language,
    pub(crate) about: About,
}

impl Words {
    pub(crate) fn new(language: Language, offer: &Offer) -> Words {
        Words { language, about: about(offer) }
    }

    /// A text without parameters.
    pub(crate) fn text(&self, key: &str) -> String {
        self.language.say(key, &[])
    }

    pub(crate) fn say(&self, key: &str, params: &[(&str, &dyn Display)]) -> String {
        self.language.say(key, params)
    }

    /// The text of a key made of data, or another one if there is none.
    pub(crate) fn text_or(&self, key: &str, other: &str) -> String {
        if self.language.has(key) { self.text(key) } else { other.to_owned() }
    }

    /// The game of a specification.
    pub(crate) fn game(&self, spec: &str) -> Option<&GameView> {
        let name = spec.split(':').next().unwrap_or_default();
        self.about.games.iter().find(|game| game.name == name)
    }

    /// Whether margins count in a game, not only the winner.
    pub(crate) fn counts_margins(&self, spec: &str) -> bool {
        self.game(spec).is_none_or(|game| !game.unit.to_spare)
    }

    /// The sides by the colours in which the board draws them.
    pub(crate) fn sides(&self, spec: &str) -> [String; 2] {
        let keys = match self.game(spec).map(|game| game.style) {
            Some("discs") => ["side.black", "side.white"],
            _ => ["side.blue", "side.orange"],
        };
        keys.map(|key| self.text(key))
    }

    /// The title of a game.
    pub(crate) fn title_of(&self, game: &GameView) -> String {
        self.text_or(&format!("game.{}", game.name), &game.title)
    }

    /// The title of a position, which begins with that of its game.
    pub(crate) fn title(&self, state: &StateView) -> String {
        match self.game(&state.game).map(|game| (game, state.title.strip_prefix(&game.title))) {
            Some((game, Some(board))) => self.title_of(game) + board,
            _ => state.title.clone(),
        }
    }

    /// The things that margins count: one, and several.
    pub(crate) fn unit(&self, spec: &str) -> [String; 2] {
        let unit = self.game(spec).map(|game| [game.unit.one, game.unit.many]);
        unit.unwrap_or_default().map(|name| self.text_or(&format!("unit.{name}"), name))
    }

    /// A player by its name; empty for a person.
    pub(crate) fn player(&self, name: &str) -> String {
        match name.strip_prefix("level-") {
            _ if name.is_empty() => self.text("player.human"),
            Some(level) => self.say("player.level", &[("n", &level)]),
            None => name.to_owned(),
        }
    }

    /// The result of a finished game.
    pub(crate) fn result(&self, state: &StateView) -> String {
        let Some(result) = &state.result else { return String::new() };
        let Some(game) = self.game(&state.game) else { return result.text.clone() };
        let to_spare = game.unit.to_spare;
        let points = state.points.map(|[first, second]| match result.winner {
            Some(1) => format!(" ({second}-{first})"),
            _ => format!(" ({first}-{second})"),
        });
        let points = points.unwrap_or_default();
        let Some(winner) = result.winner else { return self.text("result.draw") + &points };
        let side = &self.sides(&state.game)[usize::from(winner)];
        let n = result.margin.unsigned_abs() - u16::from(to_spare);
        let [one, many] = self.unit(&state.game);
        let things = if n == 1 { &one } else { &many };
        match (to_spare, n) {
            (false, _) => self.say("result.by", &[("side", side), ("n", &n), ("things", things)]) + &points,
            (true, 0) => self.say("result.with-the-last", &[("side", side), ("thing", &one)]),
            (true, _) => self.say("result.to-spare", &[("side", side), ("n", &n), ("things", things)]),
        }
    }

    /// A refusal, by its code.
    pub(crate) fn refusal(&self, refusal: &Refusal) -> String {
        let key = format!("error.{}", refusal.code());
        if !self.language.has(&key) {
            return refusal.error.clone();
        }
        self.say(&key, &[("detail", &refusal.error)])
    }

    /// Why a reviewed move loses something, without the better line, which is shown beside it.
    pub(crate) fn reasons(&self, sides: &[String; 2], mv: &ReviewedMove) -> Vec<String> {
        let reasons = mv.reasons.iter().filter(|reason| mv.loses() && reason.kind != "better-line");
        reasons.map(|reason| self.reason(sides, mv, reason)).collect()
    }

    fn reason(&self, sides: &[String; 2], mv: &ReviewedMove, reason: &ReasonView) -> String {
        let key = format!("reason.{}", reason.kind);
        if !self.language.has(&key) {
            return reason.kind.replace('-', " ");
        }
        let gains = usize::from(reason.side != "first");
        let line = reason.line.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" ");
        let general: [(&str, &dyn Display); 5] = [
            ("move", &mv.mv),
            ("better", &mv.best),
            ("side", &sides[gains]),
            ("other", &sides[1 - gains]),
            ("line", &line),
        ];
        let names = reason.names.iter().map(|(name, text)| (name.as_str(), text as &dyn Display));
        let numbers = reason.numbers.iter().map(|(name, number)| (name.as_str(), number as &dyn Display));
        let params: Vec<_> = general.into_iter().chain(names).chain(numbers).collect();
        self.say(&key, &params)
    }

    /// A proof that bounds the winner, in words.
    pub(crate) fn proven(&self, proof: Option<Proof>, ends_in: Option<u16>) -> Option<Proven> {
        let Proof { lower, upper } = proof?;
        let is_exact = lower == upper;
        let margin = if is_exact { signed(lower.into(), 0) } else { String::new() };
        let in_moves = |key: &str, plain: &str| match ends_in {
            Some(n) => self.say(key, &[("n", &n)]),
            None => self.say(plain, &[("margin", &margin)]).trim_end().to_owned(),
        };
        let (outcome, sign, text) = match (lower, upper) {
            (0, 0) => (Outcome::Drawn, "=", self.text("proof.draw")),
            (1.., _) => (Outcome::Won, "\u{2713}", in_moves("proof.win-in", "proof.win")),
            (_, ..0) => (Outcome::Lost, "\u{2717}", in_moves("proof.loss-in", "proof.loss")),
            (0, _) => (Outcome::Bounded, "\u{2265}", self.text("proof.no-loss")),
            (_, 0) => (Outcome::Bounded, "\u{2264}", self.text("proof.no-win")),
            _ => return None,
        };
        Some(Proven { outcome, sign, text })
    }
}

/// A signed number, with a typographic minus sign.
pub(crate) fn signed(n: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", n.abs());
    match text.parse() {
        Ok(0.0) => text,
        _ => format!("{}{text}", if n < 0.0 { "\u{2212}" } else { "+" }),
    }
}

/// A margin: whole if it is exact.
pub(crate) fn margin(n: f64) -> String {
    signed(n, usize::from(n.fract() != 0.0))
}

/// A number in at most four characters: `1.2k`, `35M`.
pub(crate) fn short(n: f64) -> String {
    for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if n >= unit * 0.9995 {
            let digits = usize::from(n < unit * 9.95);
            return format!("{:.digits$}{letter}", n / unit).replace(".0", "");
        }
    }
    format!("{n:.0}")
}

/// Expected score in percent.
pub(crate) fn percent(value: f64) -> f64 {
    50.0 * (value + 1.0)
}

/// The expected margin of a move, or the upper bound of it.
pub(crate) fn margin_of(mv: &MoveView) -> Option<f64> {
    mv.margin.or(mv.at_most.and_then(|bound| bound.margin))
}

/// The expected result of a move, or the upper bound of it.
pub(crate) fn value_of(mv: &MoveView) -> Option<f64> {
    mv.value.or(mv.at_most.map(|bound| bound.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (n, text) in
            [(0.0, "0"), (999.0, "999"), (1000.0, "1k"), (1234.0, "1.2k"), (35e6, "35M"), (999_900.0, "1M")]
        {
            assert_eq!(short(n), text, "{n}");
        }
        assert_eq!([signed(-0.04, 1), signed(2.0, 0), signed(-3.25, 1)], ["0.0", "+2", "\u{2212}3.2"]);
    }
}
