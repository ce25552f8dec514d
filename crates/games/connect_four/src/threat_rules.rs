//! The rules of `threat` playouts.

use std::fmt;
use std::str::FromStr;

use banyan_core::TextError;

/// The rules by which a `threat` playout chooses moves: any set of the five. Each can only narrow the choice or end the
/// line early; without rules moves are uniformly random.
///
/// Written `all`, `none`, or names joined by `+`: `win+block`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreatRules(u8);

impl ThreatRules {
    /// No rule: uniformly random moves.
    pub const NONE: ThreatRules = ThreatRules(0);
    /// Win at once.
    pub const WIN: ThreatRules = ThreatRules(1);
    /// Block: play where the other side would win at once. Two such cells, or a block that hands over a win, lose.
    pub const BLOCK: ThreatRules = ThreatRules(2);
    /// Never hand over a win; if every move does, the game is lost.
    pub const SAFE: ThreatRules = ThreatRules(4);
    /// Count two own winning cells right above one another as a win in three plies.
    pub const STACK: ThreatRules = ThreatRules(8);
    /// Avoid moves that use up an own threat, as long as there are others.
    pub const SAVE: ThreatRules = ThreatRules(16);
    /// Every rule; the default.
    pub const ALL: ThreatRules = ThreatRules(31);

    const NAMED: [(&str, ThreatRules); 5] = [
        ("win", ThreatRules::WIN),
        ("block", ThreatRules::BLOCK),
        ("safe", ThreatRules::SAFE),
        ("stack", ThreatRules::STACK),
        ("save", ThreatRules::SAVE),
    ];

    /// Whether all of `rules` are in this set.
    #[inline(always)]
    pub const fn has(self, rules: ThreatRules) -> bool {
        self.0 & rules.0 == rules.0
    }

    /// The rules of either set.
    #[inline]
    pub const fn with(self, rules: ThreatRules) -> ThreatRules {
        ThreatRules(self.0 | rules.0)
    }

    /// The rules of this set that are not in `rules`.
    #[inline]
    pub const fn without(self, rules: ThreatRules) -> ThreatRules {
        ThreatRules(self.0 & !rules.0)
    }

    /// Every set of rules.
    pub fn every() -> impl Iterator<Item = ThreatRules> {
        (0..=ThreatRules::ALL.0).map(ThreatRules)
    }
}

impl Default for ThreatRules {
    fn default() -> ThreatRules {
        ThreatRules::ALL
    }
}

impl fmt::Display for ThreatRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == ThreatRules::ALL {
            return f.write_str("all");
        }
        let names = ThreatRules::NAMED.iter().filter(|&&(_, rule)| self.has(rule)).map(|&(name, _)| name);
        let text = names.collect::<Vec<_>>().join("+");
        f.write_str(if text.is_empty() { "none" } else { &text })
    }
}

impl FromStr for ThreatRules {
    type Err = TextError;

    fn from_str(text: &str) -> Result<ThreatRules, TextError> {
        let named = |name: &str| {
            let rule = ThreatRules::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, rule)| rule);
            rule.ok_or_else(|| {
                let expected = "expected all, none, or some of win, block, safe, stack, save";
                TextError::new(format!("playout rule {name:?}"), expected, "join names by +, as in win+block")
            })
        };
        match text {
            "all" => Ok(ThreatRules::ALL),
            "none" => Ok(ThreatRules::NONE),
            _ => text.split('+').try_fold(ThreatRules::NONE, |rules, name| Ok(rules.with(named(name)?))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_and_parse() {
        assert_eq!(ThreatRules::every().count(), 32);
        for rules in ThreatRules::every() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        let check = |text: &str, rules: ThreatRules| assert_eq!(text.parse(), Ok(rules), "{text}");
        check("all", ThreatRules::default());
        check("none", ThreatRules::NONE);
        check("save+win", ThreatRules::WIN.with(ThreatRules::SAVE));
        check("win+block+safe+stack+save", ThreatRules::ALL);
        assert_eq!(ThreatRules::ALL.without(ThreatRules::SAVE).to_string(), "win+block+safe+stack");
    }

    #[test]
    fn an_unknown_rule_is_refused_by_name() {
        for (text, name) in [("win+bloc", "\"bloc\""), ("", "\"\""), ("all+win", "\"all\""), ("win+", "\"\"")] {
            let error = text.parse::<ThreatRules>().expect_err(text).to_string();
            let rest = "expected all, none, or some of win, block, safe, stack, save; join names by +, as in win+block";
            assert_eq!(error, format!("playout rule {name}: {rest}"));
        }
    }
}
