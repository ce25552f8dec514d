//! A game's own playouts: random moves among those worth looking at, by which rules, and what such a line proves.

use std::fmt;
use std::str::FromStr;

use crate::{Bounds, Game, Margin, MoveList, Rng, Side, TextError};

/// By which rules a [`guided_playout`](Game::guided_playout) chooses among the moves: any set of the five. Each can only
/// narrow the choice or end the line early; without any of them moves are uniformly random.
///
/// Written `all`, `none`, or names joined by `+`: `win+block`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayoutRules(u8);

impl PlayoutRules {
    /// No rule: uniformly random moves.
    pub const NONE: PlayoutRules = PlayoutRules(0);
    /// Take a win at once.
    pub const WIN: PlayoutRules = PlayoutRules(1);
    /// Play where the other side would win at once; two such cells, or one after which it wins in spite of it, lose.
    pub const BLOCK: PlayoutRules = PlayoutRules(2);
    /// Never hand over a win; where every move does, the game is lost.
    pub const SAFE: PlayoutRules = PlayoutRules(4);
    /// See two own winning cells right above one another as a win in three plies.
    pub const STACK: PlayoutRules = PlayoutRules(8);
    /// Hold back moves that would use up an own threat, as long as there are others.
    pub const SAVE: PlayoutRules = PlayoutRules(16);
    /// Every rule; the default.
    pub const ALL: PlayoutRules = PlayoutRules(31);

    const NAMED: [(&str, PlayoutRules); 5] = [
        ("win", PlayoutRules::WIN),
        ("block", PlayoutRules::BLOCK),
        ("safe", PlayoutRules::SAFE),
        ("stack", PlayoutRules::STACK),
        ("save", PlayoutRules::SAVE),
    ];

    /// Whether all of `rules` are in this set.
    #[inline(always)]
    pub const fn has(self, rules: PlayoutRules) -> bool {
        self.0 & rules.0 == rules.0
    }

    /// The rules of either set.
    #[inline]
    pub const fn with(self, rules: PlayoutRules) -> PlayoutRules {
        PlayoutRules(self.0 | rules.0)
    }

    /// The rules of this set that are not in `rules`.
    #[inline]
    pub const fn without(self, rules: PlayoutRules) -> PlayoutRules {
        PlayoutRules(self.0 & !rules.0)
    }

    /// Every set of rules.
    pub fn every() -> impl Iterator<Item = PlayoutRules> {
        (0..=PlayoutRules::ALL.0).map(PlayoutRules)
    }
}

impl Default for PlayoutRules {
    fn default() -> PlayoutRules {
        PlayoutRules::ALL
    }
}

impl fmt::Display for PlayoutRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == PlayoutRules::ALL {
            return f.write_str("all");
        }
        let names = PlayoutRules::NAMED.iter().filter(|&&(_, rule)| self.has(rule)).map(|&(name, _)| name);
        let text = names.collect::<Vec<_>>().join("+");
        f.write_str(if text.is_empty() { "none" } else { &text })
    }
}

impl FromStr for PlayoutRules {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlayoutRules, TextError> {
        let named = |name: &str| {
            let rule = PlayoutRules::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, rule)| rule);
            rule.ok_or_else(|| {
                let expected = "all, none, or some of win, block, safe, stack, save";
                TextError::new(format!("playout rule {name:?}"), expected, "join names by +, as in win+block")
            })
        };
        match text {
            "all" => Ok(PlayoutRules::ALL),
            "none" => Ok(PlayoutRules::NONE),
            _ => text.split('+').try_fold(PlayoutRules::NONE, |rules, name| Ok(rules.with(named(name)?))),
        }
    }
}

/// How a guided playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guided {
    /// The final margin of the line; always within `proven`.
    pub margin: Margin,
    /// What the line proves about the final margin of the position it began at, under best play: never wider than the
    /// [`bounds`](Game::bounds) of that position.
    pub proven: Bounds,
}

impl Guided {
    /// A line that ended with `margin` and the bounds it proved. What is proven corrects the line: no play that could
    /// be forced leads out of the bounds.
    #[inline(always)]
    pub fn new(margin: Margin, proven: Bounds) -> Guided {
        Guided { margin: margin.max(proven.lower).min(proven.upper), proven }
    }
}

/// The default of [`guided_playout`](Game::guided_playout): random moves among those that `tactics` keeps, until the
/// game is over or its value known. One number is drawn per move, forced moves included.
///
/// Why the bounds hold: let `v(s)` be the final margin, seen by `First`, that best play from `s` reaches, and
/// `s, t, …` the positions of the line. Where `First` moves, `v` is the maximum over the moves, so `v(s) >= v(t)`
/// whichever was played; where `Second` moves, `v(s) <= v(t)`. Where `tactics` keeps a single move, it is a best one,
/// so `v(s) = v(t)`, whoever moves. As long as every move of `Second` was its only one, the line therefore starts with
/// `v(s) >= v(t) >= …`, and whatever bounds `v` from below at some position of it bounds `v(s)` from below; in the same
/// way from above, as long as every move of `First` was its only one. The argument goes move by move and asks only
/// whose each move is, so turns need not alternate; and `v` is the whole final margin, banked points included, so
/// nothing is added on the way.
#[inline(always)]
pub fn guided_by_tactics<G: Game + ?Sized>(
    game: &G,
    mut state: G::State,
    rng: &mut Rng,
    scratch: &mut MoveList<G::Move>,
) -> Guided {
    let mut proven = game.bounds(&state);
    // Whether every move so far was the only one of the side that could have spoilt the bound.
    let (mut lower_holds, mut upper_holds) = (true, true);
    let margin = loop {
        if proven.is_exact() {
            break proven.lower;
        }
        scratch.clear();
        let known = game.result(&state).map(Bounds::exact).or_else(|| game.tactics(&state, scratch));
        if let Some(known) = known {
            if lower_holds {
                proven.lower = proven.lower.max(known.lower);
            }
            if upper_holds {
                proven.upper = proven.upper.min(known.upper);
            }
            if known.is_exact() {
                break known.lower;
            }
        }
        if scratch.len() > 1 {
            match game.to_move(&state) {
                Side::First => upper_holds = false,
                Side::Second => lower_holds = false,
            }
        }
        game.play(&mut state, scratch[rng.below(scratch.len() as u32) as usize]);
    };
    Guided::new(margin, proven)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_back_as_they_are_written() {
        assert_eq!(PlayoutRules::every().count(), 32);
        for rules in PlayoutRules::every() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        let check = |text: &str, rules: PlayoutRules| assert_eq!(text.parse(), Ok(rules), "{text}");
        check("all", PlayoutRules::default());
        check("none", PlayoutRules::NONE);
        check("save+win", PlayoutRules::WIN.with(PlayoutRules::SAVE));
        check("win+block+safe+stack+save", PlayoutRules::ALL);
        assert_eq!(PlayoutRules::ALL.without(PlayoutRules::SAVE).to_string(), "win+block+safe+stack");
    }

    #[test]
    fn an_unknown_rule_is_named() {
        for (text, name) in [("win+bloc", "\"bloc\""), ("", "\"\""), ("all+win", "\"all\""), ("win+", "\"\"")] {
            let error = text.parse::<PlayoutRules>().expect_err(text).to_string();
            let rest = "all, none, or some of win, block, safe, stack, save; join names by +, as in win+block";
            assert_eq!(error, format!("playout rule {name}: {rest}"));
        }
    }
}
