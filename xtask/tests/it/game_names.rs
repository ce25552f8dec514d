//! The searches know no game, so neither their code nor its documentation names one.

use std::fs;
use std::path::Path;

use crate::rings::sources;

/// The text in lower case, with one space in place of each run of other characters.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_searches_name_no_game() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let games = fs::read_dir(crates.join("games")).expect("the games").map(|game| game.expect("a game").file_name());
    let games: Vec<String> = games.map(|game| words(game.to_str().expect("text"))).collect();
    assert!(games.contains(&"dots and boxes".to_owned()), "{games:?}");
    let sources = sources(&crates.join("search/src"));
    assert!(sources.len() > 50, "the searches are elsewhere");
    for path in sources {
        let text = words(&fs::read_to_string(&path).expect("a source"));
        let named = games.iter().find(|game| text.contains(game.as_str()));
        assert_eq!(named, None, "{} names a game", path.display());
    }
}
