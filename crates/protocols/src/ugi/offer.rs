//! The options that an engine announces, and the values that they accept.

use banyan_catalog::did_you_mean;
use banyan_core::TextError;

use crate::process::quoted;
use banyan_formats::{split_word, strip_words};

/// An option by its line `option name NAME type TYPE default X min X max X var X var X`; a name and a value may have several
/// words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// Its name.
    pub(super) name: String,
    /// `check`, `spin`, `combo`, `button` or `string`; for another type every value is accepted.
    kind: String,
    min: Option<i128>,
    pub(super) max: Option<i128>,
    /// The choices of a combo.
    pub(super) choices: Vec<String>,
}

impl Offer {
    /// Reads a line; `None` if it is not an `option` line.
    pub(super) fn read(line: &str) -> Option<Offer> {
        let mut rest = strip_words(line, &["option"])?;
        let mut offer = Offer::default();
        let mut part = "";
        let mut words: Vec<&str> = Vec::new();
        loop {
            let (word, after) = split_word(rest);
            let is_key = match part {
                "" => word == "name",
                "name" => word == "type",
                _ => ["default", "min", "max", "var"].contains(&word),
            };
            if is_key || word.is_empty() {
                offer.set(part, &words.join(" "));
                words.clear();
                part = word;
            } else {
                words.push(word);
            }
            if word.is_empty() {
                return (!offer.name.is_empty()).then_some(offer);
            }
            rest = after;
        }
    }

    fn set(&mut self, part: &str, value: &str) {
        match part {
            "name" => self.name = value.to_owned(),
            "type" => self.kind = value.to_owned(),
            "min" => self.min = value.parse().ok(),
            "max" => self.max = value.parse().ok(),
            "var" => self.choices.push(value.to_owned()),
            _ => {}
        }
    }

    /// The expected values, if the option does not accept `value`.
    fn refusal(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" if !["true", "false"].contains(&value) => Some("expected true or false".to_owned()),
            "button" if !["", "true"].contains(&value) => Some("expected true, as it is a button".to_owned()),
            "spin" => {
                let in_range = |n: i128| self.min.is_none_or(|min| min <= n) && self.max.is_none_or(|max| n <= max);
                let range = match (self.min, self.max) {
                    (Some(min), Some(max)) => format!(" from {min} to {max}"),
                    (Some(min), None) => format!(" of at least {min}"),
                    (None, Some(max)) => format!(" of at most {max}"),
                    (None, None) => String::new(),
                };
                let is_taken = value.parse().is_ok_and(in_range);
                (!is_taken).then(|| format!("expected a whole number{range}"))
            }
            "combo" => {
                // The value of `Game` has the board after a colon, which Banyan's extension does not list.
                let value = if self.name == "Game" { value.split(':').next().unwrap_or_default() } else { value };
                let is_taken =
                    self.choices.is_empty() || self.choices.iter().any(|one| one.eq_ignore_ascii_case(value));
                let hint = || did_you_mean(value, self.choices.iter().map(String::as_str));
                (!is_taken).then(|| format!("expected one of {}{}", quoted(&self.choices.join(", ")), hint()))
            }
            _ => None,
        }
    }

    /// The command that sets it.
    fn command(&self, value: &str) -> String {
        match self.kind.as_str() {
            "button" => format!("setoption name {}", self.name),
            _ => format!("setoption name {} value {value}", self.name),
        }
    }
}

/// The commands that set these options of engines.toml.
///
/// # Errors
/// An option that the engine does not announce, or a value that it does not accept.
pub(super) fn commands(options: &[(String, String)], offers: &[Offer]) -> Result<Vec<String>, TextError> {
    let command = |(name, value): &(String, String)| {
        let offer = offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names = || offers.iter().map(|offer| offer.name.as_str());
            let known = match offers {
                [] => "none, as the engine announces no options".to_owned(),
                _ => {
                    let known = names().collect::<Vec<_>>().join(", ");
                    format!("one of {}{}", quoted(&known), did_you_mean(name, names()))
                }
            };
            TextError::new(
                format!("option {name}"),
                format!("expected {known}"),
                "correct or remove it in engines.toml",
            )
        })?;
        match offer.refusal(value) {
            None => Ok(offer.command(value)),
            Some(expected) => Err(TextError::new(
                format!("option {name} = {}", quoted(value)),
                expected,
                "correct it in engines.toml",
            )),
        }
    };
    options.iter().map(command).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers() -> Vec<Offer> {
        let lines = [
            "option name Hash type spin default 16 min 1 max 1024",
            "option\tname  Clear Hash\ttype button",
            "option name Ponder type check default false",
            "option name Style of Play type combo default Very Solid var Very Solid var Risky",
            "option name Book type string default <empty>",
            "option name Game type combo default reversi var reversi var connect-four",
            "option name Odd type spin default 0",
        ];
        lines.iter().map(|line| Offer::read(line).expect(line)).collect()
    }

    fn sent(name: &str, value: &str) -> Result<String, String> {
        let sent = commands(&[(name.to_owned(), value.to_owned())], &offers());
        sent.map(|mut sent| sent.remove(0)).map_err(|err| err.to_string())
    }

    #[test]
    fn values_that_are_announced_are_sent() {
        for (name, value, expected) in [
            ("hash", "1024", "setoption name Hash value 1024"),
            ("Clear Hash", "true", "setoption name Clear Hash"),
            ("Ponder", "false", "setoption name Ponder value false"),
            ("Style of Play", "very solid", "setoption name Style of Play value very solid"),
            ("Book", "", "setoption name Book value "),
            ("Game", "reversi:6x6", "setoption name Game value reversi:6x6"),
            ("Odd", "-7", "setoption name Odd value -7"),
        ] {
            assert_eq!(sent(name, value).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn others_are_refused_with_what_is_expected() {
        for (name, value, expected) in [
            ("Hsah", "1", "option Hsah: expected one of \"Hash, Clear Hash, "),
            ("Hsah", "1", " (did you mean Hash?); correct or remove it in engines.toml"),
            ("Hash", "0", "option Hash = \"0\": expected a whole number from 1 to 1024; correct it in engines.toml"),
            ("Hash", "1025", "from 1 to 1024"),
            ("Hash", "64.0", "expected a whole number"),
            ("Odd", "much", "expected a whole number; "),
            ("Ponder", "yes", "expected true or false"),
            ("Clear Hash", "false", "as it is a button"),
            ("Style of Play", "riskz", "expected one of \"Very Solid, Risky\" (did you mean Risky?)"),
            ("Game", "chess", "expected one of \"reversi, connect-four\""),
        ] {
            let err = sent(name, value).expect_err(name);
            assert!(err.contains(expected) && !err.contains('\n'), "{err}");
        }
        let err = commands(&[("Hash".to_owned(), "1".to_owned())], &[]).expect_err("no options").to_string();
        assert!(err.starts_with("option Hash: expected none, as the engine announces no options; "), "{err}");
    }

    #[test]
    fn what_is_no_option_is_passed_over() {
        for line in ["", "option", "option name", "option type spin", "id name option", "options name X"] {
            assert_eq!(Offer::read(line), None, "{line}");
        }
        assert_eq!(Offer::read("option name type type string").map(|offer| offer.name), None);
        let odd = Offer::read("option name Hash type spin min x max").expect("a name");
        assert_eq!((odd.min, odd.max, odd.kind.as_str()), (None, None, "spin"));
    }
}
