//! Every text of the table is used, and every key in the code has a text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Beginnings of keys whose rest is data: the codes of refusals, the names of facts about the structure of a position.
const OF_DATA: &[&str] = &["error.", "fact."];

/// The files of `folder` with one of these endings, at any depth.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() && !entry.is_symlink() {
            files(&entry, endings, found);
        } else if endings.iter().any(|ending| entry.to_string_lossy().ends_with(ending)) {
            found.push(entry);
        }
    }
}

/// The keys of calls such as `.say("key"`, where `call` is the call up to the quotation mark.
fn keys_of<'s>(source: &'s str, call: &str) -> Vec<&'s str> {
    let quote = call.chars().last().expect("a call ends with its quotation mark");
    source.split(call).skip(1).filter_map(|rest| rest.split(quote).next()).collect()
}

#[test]
fn texts_and_keys_agree() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let table = |name: &str| -> BTreeMap<String, String> {
        let text = fs::read_to_string(crates.join("texts/src").join(name)).expect("a table");
        serde_json::from_str(&text).expect("an object of texts")
    };
    let of_page = table("en.json");
    let mut table = table("command.en.json");
    table.extend(of_page.clone());
    let mut sources = Vec::new();
    files(&crates, &[".rs", ".js", ".html"], &mut sources);
    let (mut quoted, mut missing) = (BTreeSet::new(), Vec::new());
    for path in sources.iter().filter(|path| !path.starts_with(crates.join("texts"))) {
        let source = fs::read_to_string(path).expect("a source");
        for call in [".say(\"", " t('", "(t('", "{t('"] {
            // The page loads one file only.
            let known = if call.starts_with('.') { &table } else { &of_page };
            missing
                .extend(keys_of(&source, call).into_iter().filter(|key| !known.contains_key(*key)).map(str::to_owned));
        }
        quoted.extend(source.split(['"', '\'', '`']).map(str::to_owned));
    }
    assert!(missing.is_empty(), "keys without a text: {missing:?}");
    let is_used = |key: &&String| {
        // The kind of a reason is a word of its game.
        let is_reason = key.strip_prefix("reason.").is_some_and(|kind| quoted.contains(kind));
        is_reason || quoted.contains(*key) || OF_DATA.iter().any(|start| key.starts_with(start))
    };
    let unused: Vec<&String> = table.keys().filter(|key| !is_used(key)).collect();
    assert!(unused.is_empty(), "texts that nothing shows: {unused:?}");
}

/// The words that people read in these files or folders are in the tables, in each language.
const WORDED: &[&str] = &[
    "cli/src/commands/play",
    "cli/src/commands/review.rs",
    "cli/src/commands/matches/ladder.rs",
    "cli/src/output/search_progress.rs",
    "matches/src/ladder",
    "matches/src/exports/ablation.rs",
    "matches/src/exports/configuration.rs",
    "matches/src/exports/course.rs",
    "matches/src/exports/games.rs",
    "matches/src/exports/html.rs",
    "matches/src/exports/ladder.rs",
    "matches/src/exports/match_report.rs",
    "matches/src/exports/rating.rs",
    "matches/src/exports/sweep.rs",
    "matches/src/exports/sweep_figure.rs",
    "matches/src/exports/tune.rs",
    "matches/src/exports/sheets.rs",
    "review/src/curve.rs",
    "review/src/page.rs",
    "review/src/reasons.rs",
    "review/src/words.rs",
];

/// Code before a literal that is an error or a warning, the help of an option, or not read by people.
const UNREAD: &[&str] = &[
    "TextError",
    "expected",
    "expect(",
    "remedy",
    "found",
    "warning",
    "bail!",
    "context(",
    "#[",
    "const EXAMPLES",
    "const POLICY",
    "const STYLE",
];

/// Beginnings of the parts of an error.
const OF_ERRORS: &[&str] = &["expected ", "try ", "type "];

/// The literals of a source, each with the code of its statement before it; without comments and the tests at its end.
fn literals(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let (mut found, mut code) = (Vec::new(), String::new());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\'' if rest.starts_with("'\"'") => 3,
            '"' => {
                let mut escaped = false;
                let closing = rest[1..].find(|c: char| {
                    let is_end = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    is_end
                });
                let closing = closing.expect("a literal ends");
                found.push((code.clone(), rest[1..=closing].to_owned()));
                closing + 2
            }
            ';' | '{' | '}' => {
                code.clear();
                1
            }
            other => {
                code.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    found
}

/// Whether a literal has two words one after another, apart from placeholders and elements of HTML.
fn has_words(literal: &str) -> bool {
    let mut text = literal.replace("\\n", " ");
    for (opening, closing) in [('<', '>'), ('{', '}')] {
        while let Some(from) = text.find(opening) {
            let to = text[from..].find(closing).map_or(text.len(), |to| from + to + 1);
            text.replace_range(from..to, ".");
        }
    }
    let words: Vec<&str> = text.split(' ').collect();
    // Words in capitals stand for what is typed.
    let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic) && word != word.to_uppercase();
    words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1].trim_end_matches(['.', ',', ';', ':'])))
}

#[test]
fn no_sentence_stands_outside_the_tables() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut sources = Vec::new();
    for place in WORDED {
        let path = crates.join(place);
        match path.is_dir() {
            true => files(&path, &[".rs"], &mut sources),
            false => sources.push(path),
        }
    }
    for path in sources {
        let source = fs::read_to_string(&path).expect("a source");
        let is_read = |(code, _): &&(String, String)| !UNREAD.iter().any(|word| code.contains(word));
        let spelled: Vec<String> = literals(&source)
            .iter()
            .filter(is_read)
            .filter(|(_, literal)| has_words(literal) && !OF_ERRORS.iter().any(|start| literal.starts_with(start)))
            .map(|(_, literal)| literal.clone())
            .collect();
        assert!(spelled.is_empty(), "{}: not in the tables: {spelled:#?}", path.display());
    }
}

#[test]
fn sentences_are_found() {
    let found = literals("let a = format!(\"{n} of them\"); // \"a comment\"\n let found = \"no file\";");
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], ("let a = format!(".to_owned(), "{n} of them".to_owned()));
    for (literal, expected) in [
        ("{n} of them", true),
        ("<p class=\\\"a b\\\">{}</p>", false),
        ("{}. {} {}", false),
        ("terminal.help", false),
        ("save FILE", false),
        ("You stand: {}", true),
    ] {
        assert_eq!(has_words(literal), expected, "{literal}");
    }
}

/// The literals of `source` that begin with `start`, up to their closing quotation mark.
fn literals_after<'s>(source: &'s str, start: &str) -> Vec<&'s str> {
    source.split(start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The literal without its placeholders.
fn without_placeholders(literal: &str) -> String {
    literal
        .split('{')
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) })
        .collect()
}

/// All output at the prompt is a text of the table or an error, whose form `messages.rs` checks.
#[test]
fn the_prompt_prints_texts_and_errors_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cli/src/commands/play");
    let (mut sources, mut n_checked) = (Vec::new(), 0);
    files(&folder, &[".rs"], &mut sources);
    for path in sources {
        let source = fs::read_to_string(&path).expect("a source");
        for start in ["terminal.out, \"", "terminal.err, \"", ".tell(&format!(\"", ".tell(\"", "println!(\""] {
            for literal in literals_after(&source, start) {
                n_checked += 1;
                let words = without_placeholders(&literal.replace("\\n", ""));
                assert!(
                    !words.contains(char::is_alphabetic),
                    "{}: {literal:?} is no text of the table",
                    path.display()
                );
            }
        }
    }
    assert!(n_checked > 5, "{n_checked}: lines are printed in another way");
}

#[test]
fn placeholders_are_no_words() {
    assert_eq!(without_placeholders("{spec}{rules}"), "");
    assert_eq!(without_placeholders("a {b} c"), "a  c");
}
