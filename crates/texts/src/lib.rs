//! The texts that people read, by key: `play`, reviews and their reasons, reports, and the page.
//!
//! A language is a table of keys and texts in two files: `LANGUAGE.json`, which the page loads too, and `command.LANGUAGE.json`, which it does
//! not need. A parameter stands in a text as its name in braces. A text with `|` has two forms, for one `n` and for other numbers.
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
    let read = |json| serde_json::from_str::<Table>(json).expect("a table is an object of texts");
    let mut table = read(language.json());
    table.extend(read(language.command_json()));
    table
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

    /// The language of a tag or of the name of a locale, such as `zh`, `zh-CN` or `zh_CN.UTF-8`; `None` if it has no table.
    pub fn of_tag(tag: &str) -> Option<Language> {
        let language = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        Language::ALL.into_iter().find(|known| known.tag().eq_ignore_ascii_case(language))
    }

    /// The texts that the page shows, as one JSON object.
    fn json(self) -> &'static str {
        match self {
            Language::En => include_str!("en.json"),
            Language::Zh => include_str!("zh.json"),
        }
    }

    /// The texts that only programs show.
    fn command_json(self) -> &'static str {
        match self {
            Language::En => include_str!("command.en.json"),
            Language::Zh => include_str!("command.zh.json"),
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

    /// A word that is data of a game, which has it in English: the text of `key`, if the table has one, or else the English word.
    pub fn of_data(self, key: &str, english: &str) -> String {
        self.table().get(key).cloned().unwrap_or_else(|| english.to_owned())
    }

    /// The name of a side of a game: `black`, `X`.
    pub fn side(self, english: &str) -> String {
        match self {
            Language::En => english.to_owned(),
            _ => self.of_data(&format!("side.{}", english.to_ascii_lowercase()), english),
        }
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

    #[test]
    fn a_language_is_found_by_tags_and_locales() {
        for (tag, language) in [
            ("zh", Some(Language::Zh)),
            ("zh-CN", Some(Language::Zh)),
            ("zh_TW.UTF-8", Some(Language::Zh)),
            ("EN", Some(Language::En)),
            ("C", None),
            ("zhx", None),
            ("", None),
        ] {
            assert_eq!(Language::of_tag(tag), language, "{tag}");
        }
    }

    #[test]
    fn words_of_games_are_translated_if_the_table_has_them() {
        assert_eq!([Language::En, Language::Zh].map(|language| language.side("black")), ["black", "黑方"]);
        assert_eq!([Language::En, Language::Zh].map(|language| language.side("vertical")), ["vertical", "vertical"]);
        assert_eq!(Language::Zh.of_data("game.reversi", "reversi"), "黑白棋");
    }

    #[test]
    fn no_key_is_in_both_files() {
        for language in Language::ALL {
            let keys = |json: &str| json.lines().filter(|line| line.starts_with('"')).count();
            let both = keys(language.json()) + keys(language.command_json());
            assert_eq!(both, language.table().len(), "{}", language.tag());
        }
    }

    /// Beginnings of the keys of words that are data of the games in English: titles, rules, units and names of sides.
    const OF_DATA: [&str; 5] = ["game.", "rules.", "unit.", "side.", "about."];

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
