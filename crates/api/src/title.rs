//! Display names of games.

use banyan_catalog::{Catalog, Session};

/// Words in lower case within a name.
const SMALL: [&str; 3] = ["and", "of", "the"];

/// `Dots and Boxes` for `dots-and-boxes`.
pub(crate) fn in_words(name: &str) -> String {
    let word = |(i, word): (usize, &str)| {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if i == 0 || !SMALL.contains(&word) => first.to_uppercase().chain(letters).collect(),
            _ => word.to_owned(),
        }
    };
    name.split('-').enumerate().map(word).collect::<Vec<String>>().join(" ")
}

/// The display name of the game, with its board unless it is the default one.
pub(crate) fn title(catalog: &Catalog, session: &Session) -> String {
    let spec = session.spec();
    let (name, options) = spec.split_once(':').unwrap_or((&spec, ""));
    let known = catalog.families().iter().find(|family| family.name == name || family.aliases.contains(&name));
    let words = in_words(known.map_or(name, |family| family.name));
    if options.is_empty() { words } else { format!("{words} {}", options.replace(',', ", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(in_words("dots-and-boxes"), "Dots and Boxes");
        assert_eq!(in_words("connect-four"), "Connect Four");
        assert_eq!(in_words("reversi"), "Reversi");
    }
}
