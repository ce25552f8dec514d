//! The texts that people read, by key: `play`, reviews and their reasons, and the page, which loads the same file.
//!
//! A language is a table `LANGUAGE.json` of keys and texts. A parameter stands in a text as its name in braces. A text with `|` has two forms, for
//! one `n` and for other numbers.
//!
//! ```
//! use banyan_texts::Language;
//!
//! assert_eq!(Language::En.say("limit.time", &[("n", &1)]), "1 second");
//! assert_eq!(Language::En.say("limit.time", &[("n", &5)]), "5 seconds");
//! ```

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

/// A language that has a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese, in simplified characters.
    Zh,
}

type Table = HashMap<String, String>;

static EN: LazyLock<Table> = LazyLock::new(|| read(Language::En));
static ZH: LazyLock<Table> = LazyLock::new(|| read(Language::Zh));

fn read(language: Language) -> Table {
    serde_json::from_str(language.json()).expect("a table is an object of texts")
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::En, Language::Zh];

    /// Its tag by BCP 47, as in `<html lang>`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Zh => "zh",
        }
    }

    /// Its table as one JSON object.
    pub fn json(self) -> &'static str {
        match self {
            Language::En => include_str!("en.json"),
            Language::Zh => include_str!("zh.json"),
        }
    }

    fn table(self) -> &'static Table {
        match self {
            Language::En => &EN,
            Language::Zh => &ZH,
        }
    }

    /// Whether the table has `key`: for keys made of data, such as the kind of a reason.
    pub fn has(self, key: &str) -> bool {
        self.table().contains_key(key)
    }

    /// The text of `key` with its parameters; `n` also selects one of two forms.
    ///
    /// # Panics
    /// The table lacks `key`. The checks of the workspace find every key that is written in the code.
    pub fn say(self, key: &str, params: &[(&str, &dyn Display)]) -> String {
        let text = self.table().get(key).unwrap_or_else(|| panic!("{}.json has no text {key:?}", self.tag()));
        let number = params.iter().find(|(name, _)| *name == "n").map(|(_, n)| n.to_string());
        let form = match (text.split_once('|'), number.as_deref()) {
            (Some((one, _)), Some("1")) => one,
            (Some((_, several)), Some(_)) => several,
            _ => text,
        };
        filled(form, params)
    }
}

/// Replaces each `{name}` by its parameter; a parameter is not searched for further names.
fn filled(text: &str, params: &[(&str, &dyn Display)]) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        let param = params.iter().find(|(known, _)| *known == name);
        debug_assert!(param.is_some(), "{text:?} needs the parameter {name:?}");
        out += &param.map(|(_, value)| value.to_string()).unwrap_or_default();
        out += rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_filled_in_once() {
        let filled = filled("{a} and {b}{a}.", &[("a", &"{b}"), ("b", &3)]);
        assert_eq!(filled, "{b} and 3{b}.");
    }

    /// Beginnings of the keys of words that are data of the games in English: titles, rules and units.
    const OF_DATA: [&str; 3] = ["game.", "rules.", "unit."];

    #[test]
    fn every_language_has_the_keys_and_parameters_of_english() {
        let params = |text: &str| {
            let mut names: Vec<_> =
                text.split('{').skip(1).map(|part| part.split('}').next().map(str::to_owned)).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        for language in Language::ALL {
            let table = language.table();
            let mut more = table.keys().filter(|key| !EN.contains_key(*key));
            let of_data = |key: &&String| OF_DATA.iter().any(|prefix| key.starts_with(prefix));
            assert_eq!(more.find(|key| !of_data(key)), None, "{}", language.tag());
            for (key, text) in EN.iter() {
                let other = table.get(key).unwrap_or_else(|| panic!("{}.json has no {key}", language.tag()));
                assert_eq!(params(other), params(text), "{}: {key}", language.tag());
            }
        }
    }
}
