//! The language of what people read: `--lang`, or else that of the environment.

use std::env;

use banyan_texts::Language;
use clap::{Args, ValueEnum};

/// The language of a command.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LanguageArg {
    /// Language of what people read; options, errors and JSON are English [default: zh if LC_ALL, LC_MESSAGES or LANG begins with it].
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    lang: Option<Lang>,
}

/// The value of `--lang`.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Lang {
    /// English.
    #[value(aliases = ["en-GB", "en-US"])]
    En,
    /// Chinese.
    #[value(aliases = ["zh-CN", "zh_CN"])]
    Zh,
}

impl LanguageArg {
    /// The language to use.
    pub(crate) fn language(self) -> Language {
        self.given().unwrap_or_else(|| of_environment(|name| env::var(name).ok()))
    }

    /// The option as text for a command that continues this one; empty if it was not given.
    pub(crate) fn as_option(self) -> String {
        self.given().map_or_else(String::new, |language| format!(" --lang {}", language.tag()))
    }

    fn given(self) -> Option<Language> {
        self.lang.map(|lang| match lang {
            Lang::En => Language::En,
            Lang::Zh => Language::Zh,
        })
    }
}

/// The language of the first of the variables that is set and not empty, as for any program of POSIX.
fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|locale| !locale.is_empty());
    locale.and_then(|locale| Language::of_tag(&locale)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let check = |set: &[(&str, &str)], expected| {
            let variable =
                |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(of_environment(variable), expected, "{set:?}");
        };
        check(&[], Language::En);
        check(&[("LANG", "zh_CN.UTF-8")], Language::Zh);
        check(&[("LANG", "de_DE.UTF-8")], Language::En);
        check(&[("LC_ALL", "C"), ("LANG", "zh_CN.UTF-8")], Language::En);
        check(&[("LC_ALL", ""), ("LC_MESSAGES", "zh_TW.UTF-8"), ("LANG", "en_US.UTF-8")], Language::Zh);
    }
}
