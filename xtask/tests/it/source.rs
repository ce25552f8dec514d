//! Reads a source file as far as modules need it: which paths it uses, and what it defines. Tests, comments and texts are left out.

use std::collections::BTreeSet;

/// A path as it is written: `["crate", "budget", "Budget"]`.
pub(crate) type Path = Vec<String>;

/// A path of a `use` declaration or of an expression, with the inline modules that it is in.
#[derive(Debug, PartialEq)]
pub(crate) struct Used {
    pub(crate) within: Path,
    pub(crate) path: Path,
}

/// A leaf of a `use` declaration.
#[derive(Debug, PartialEq)]
pub(crate) struct Import {
    pub(crate) used: Used,
    /// The name that it has from then on; `*` for all names.
    pub(crate) name: String,
    pub(crate) is_reexport: bool,
}

/// What a file uses and defines.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) imports: Vec<Import>,
    /// Paths of several parts outside of `use` declarations.
    pub(crate) paths: Vec<Used>,
    /// Names outside of `use` declarations, unless they follow a point or `::`.
    pub(crate) names: BTreeSet<String>,
    /// Names of types, traits, functions, constants and macros defined at the top level.
    pub(crate) defined: BTreeSet<String>,
    /// Modules in files of their own that are compiled in tests only.
    pub(crate) test_modules: BTreeSet<String>,
}

impl Source {
    pub(crate) fn read(text: &str) -> Source {
        let mut reader = Reader { tokens: tokens(text), at: 0, blocks: Vec::new(), source: Source::default() };
        while reader.at < reader.tokens.len() {
            reader.step();
        }
        reader.source
    }
}

/// Words, numbers and signs; `::` is one token.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(length) = length_of_comment(rest).or_else(|| length_of_literal(rest)) {
            length
        } else {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let length = if word > 0 { word } else { 1 + usize::from(rest.starts_with("::")) };
            // Signs of other languages occur in comments and texts only.
            let length = if word > 0 { length } else { length.max(first.len_utf8()) };
            tokens.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tokens
}

fn length_of_comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of a text or character in quotes at the beginning.
fn length_of_literal(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| {
            rest.starts_with(['"', '\'']) || prefix.ends_with('r') && rest.trim_start_matches('#').starts_with('"')
        })
    })?;
    let rest = &text[prefix.len()..];
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let quote = rest[hashes..].chars().next()?;
    let content = &rest[hashes + 1..];
    let start = prefix.len() + hashes + 1;
    if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(content.find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    let mut is_escaped = false;
    let end = content.char_indices().find(|&(_, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    let end = end.map_or(content.len(), |(at, _)| at);
    // A lifetime has no second quote beside it.
    let is_lifetime = quote == '\'' && !content.starts_with('\\') && content[..end].chars().count() != 1;
    let name = content.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(content.len());
    Some(if is_lifetime { start + name } else { start + end + 1 }.min(text.len()))
}

struct Reader<'t> {
    tokens: Vec<&'t str>,
    at: usize,
    /// The open braces, each with the name of its inline module.
    blocks: Vec<Option<&'t str>>,
    source: Source,
}

impl<'t> Reader<'t> {
    fn token(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn within(&self) -> Path {
        self.blocks.iter().flatten().map(|&name| name.to_owned()).collect()
    }

    /// The inline modules, or nothing within a function or type.
    fn is_top_level(&self) -> bool {
        self.blocks.is_empty()
    }

    fn step(&mut self) {
        match self.token(0) {
            "#" => self.attribute(),
            "{" => self.open(None, 1),
            "}" => {
                self.blocks.pop();
                self.at += 1;
            }
            "mod" if self.token(2) == "{" => self.open(Some(self.token(1)), 3),
            "mod" if self.token(2) == ";" => self.at += 3,
            "use" if self.token(1) != "<" => {
                let is_reexport = self.at > 0 && ["pub", ")"].contains(&self.tokens[self.at - 1]);
                self.at += 1;
                let mut path = Vec::new();
                self.tree(&mut path, is_reexport);
            }
            "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "fn" if self.is_top_level() => {
                self.source.defined.insert(self.token(1).to_owned());
                self.at += 1;
            }
            "macro_rules" if self.is_top_level() => {
                self.source.defined.insert(self.token(2).to_owned());
                self.at += 3;
            }
            // `pub(in crate::budget)` imports nothing.
            "in" if self.at > 1 && self.tokens[self.at - 2] == "pub" => {
                self.at += 1;
                self.path();
            }
            word => {
                if self.at == 0 || !["::", "."].contains(&self.tokens[self.at - 1]) {
                    self.source.names.insert(word.to_owned());
                }
                let used = Used { within: self.within(), path: self.path() };
                if used.path.len() > 1 {
                    self.source.paths.push(used);
                }
            }
        }
    }

    fn open(&mut self, module: Option<&'t str>, n_tokens: usize) {
        self.blocks.push(module);
        self.at += n_tokens;
    }

    /// A path without its generic arguments.
    fn path(&mut self) -> Path {
        let mut path = vec![self.token(0).to_owned()];
        self.at += 1;
        while self.token(0) == "::" && self.token(1).starts_with(|c: char| c.is_alphabetic() || c == '_') {
            path.push(self.token(1).to_owned());
            self.at += 2;
        }
        path
    }

    /// The rest of a `use` declaration, or a part of it in braces.
    fn tree(&mut self, path: &mut Path, is_reexport: bool) {
        let length = path.len();
        loop {
            match self.token(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !["}", ""].contains(&self.token(0)) {
                        self.tree(path, is_reexport);
                        self.at += usize::from(self.token(0) == ",");
                    }
                    self.at += 1;
                }
                "as" => self.at += 2,
                ";" | "," | "}" | "" => break,
                word => {
                    path.push(word.to_owned());
                    self.at += 1;
                    if self.token(0) != "::" {
                        // `a::{self}` is `a`.
                        let named = if word == "self" { &path[..path.len() - 1] } else { &path[..] };
                        let name = named.last().map_or(word, String::as_str);
                        let name = if self.token(0) == "as" { self.token(1) } else { name }.to_owned();
                        let used = Used { within: self.within(), path: named.to_vec() };
                        self.source.imports.push(Import { used, name, is_reexport });
                    }
                }
            }
        }
        path.truncate(length);
    }

    /// Skips an attribute, and what is compiled in tests only.
    fn attribute(&mut self) {
        self.at += 1 + usize::from(self.token(1) == "!");
        let start = self.at;
        self.skip_brackets();
        let words = &self.tokens[start..self.at.min(self.tokens.len())];
        if words.get(1) == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not") {
            self.skip_item();
        }
    }

    /// Skips what is in brackets, beginning with them.
    fn skip_brackets(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.token(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
    }

    /// Skips an item: to its semicolon or the end of its block.
    fn skip_item(&mut self) {
        while self.token(0) == "#" {
            self.at += 1;
            self.skip_brackets();
        }
        if self.token(0) == "mod" && self.token(2) == ";" {
            self.source.test_modules.insert(self.token(1).to_owned());
        }
        let is_use = self.token(0) == "use";
        loop {
            match self.token(0) {
                "" => break,
                ";" => {
                    self.at += 1;
                    break;
                }
                "(" | "[" => self.skip_brackets(),
                "{" => {
                    self.skip_brackets();
                    if !is_use {
                        break;
                    }
                }
                _ => self.at += 1,
            }
        }
    }
}

fn path(text: &str) -> Path {
    text.split("::").map(str::to_owned).collect()
}

#[test]
fn imports_have_their_paths_and_names() {
    let source = Source::read("pub(crate) use a::{self, b::C, d as e};\nmod f {\n    use super::g::*;\n}\nuse h::I;\n");
    let found: Vec<_> = source
        .imports
        .iter()
        .map(|import| (import.used.within.join("::"), import.used.path.join("::"), &*import.name, import.is_reexport))
        .collect();
    let expected = [
        ("", "a", "a", true),
        ("", "a::b::C", "C", true),
        ("", "a::d", "e", true),
        ("f", "super::g::*", "*", false),
        ("", "h::I", "I", false),
    ];
    let expected =
        expected.map(|(within, path, name, is_reexport)| (within.to_owned(), path.to_owned(), name, is_reexport));
    assert_eq!(found, expected);
}

#[test]
fn paths_outside_of_tests_comments_and_texts_are_read() {
    let source = Source::read(
        r##"// crate::a
        /// crate::b
        #[cfg(test)]
        use crate::{c, d};
        #[cfg(test)]
        mod tests;
        #[cfg(not(test))]
        const E: char = '"';
        const F: (&str, &str, u8) = ("crate::f", r#"crate::"g""#, b'\'');
        pub(in crate::h) fn i<'a>(j: &'a crate::j::J<super::k::K>) -> u8 { self::l(j.crate_, p::q()) }
        #[cfg(test)]
        fn m() { crate::m() }
        macro_rules! n { () => { $crate::o() } }
        "##,
    );
    let found: Vec<&Path> = source.paths.iter().map(|used| &used.path).collect();
    let expected = ["crate::j::J", "super::k::K", "self::l", "p::q", "crate::o"].map(path);
    assert_eq!(found, expected.each_ref());
    assert!(source.imports.is_empty(), "{:?}", source.imports);
    assert_eq!(source.test_modules, ["tests".to_owned()].into());
    assert_eq!(source.defined, ["E", "F", "i", "n"].map(str::to_owned).into());
}
