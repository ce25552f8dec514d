//! Reads the sources of every crate and fails if modules import each other in a ring.
//!
//! A module is a top-level file or folder of `src`. An import is a path `crate::...` outside of comments and of the tests at the end of a file;
//! names that lib.rs re-exports count as imports of the module that has them. Names that lib.rs defines itself are not followed, and paths
//! `super::...` are not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Imports = BTreeMap<String, BTreeSet<String>>;

/// All sources below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The text without comments and without the tests at its end.
fn code(text: &str) -> String {
    // Modules of tests with a body end a file; those in files of their own are named among the others.
    let tests = text.match_indices("#[cfg(test)]\nmod ").find(|(at, _)| {
        let line = text[*at..].lines().nth(1).unwrap_or_default();
        line.ends_with('{')
    });
    let code = tests.map_or(text, |(at, _)| &text[..at]);
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// For each name that lib.rs re-exports the module that has it.
fn exported(lib: &str) -> BTreeMap<&str, &str> {
    let uses = lib.split("pub use ").skip(1).map(|rest| rest.split(';').next().unwrap_or_default());
    let names = uses.flat_map(|path| {
        let module = words(path).next().unwrap_or_default();
        words(path).skip(1).map(move |name| (name, module))
    });
    names.collect()
}

/// The imports of each module of a crate from others; `texts` has the sources by their path below `src`.
fn imports(texts: &BTreeMap<String, String>) -> Imports {
    let module_of = |path: &str| path.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    let modules: BTreeSet<String> = texts.keys().map(|path| module_of(path)).collect();
    let lib = texts.get("lib.rs").map(|text| code(text)).unwrap_or_default();
    let exported = exported(&lib);
    let mut imports = Imports::new();
    for (path, text) in texts {
        let module = module_of(path);
        let is_test = path.split('/').any(|part| part.trim_end_matches(".rs").ends_with("tests"));
        if ["lib", "main"].contains(&module.as_str()) || is_test {
            continue;
        }
        for rest in code(text).split("crate::").skip(1) {
            let first = |path: &str| words(path).next().unwrap_or_default().to_owned();
            let group = rest.strip_prefix('{').map(|rest| rest.split(';').next().unwrap_or_default());
            let heads: Vec<String> =
                group.map_or_else(|| vec![first(rest)], |group| words(group).map(str::to_owned).collect());
            for head in heads {
                let to =
                    if modules.contains(&head) { Some(head.as_str()) } else { exported.get(head.as_str()).copied() };
                if let Some(to) = to.filter(|&to| to != module) {
                    imports.entry(module.clone()).or_default().insert(to.to_owned());
                }
            }
        }
    }
    imports
}

/// The modules that can be left and reached again.
fn ring(imports: &Imports) -> Vec<String> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for to in imports.get(module).into_iter().flatten() {
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached.contains(from)
    };
    imports.keys().filter(|module| reached(module)).cloned().collect()
}

fn texts(of: &[(&str, &str)]) -> BTreeMap<String, String> {
    of.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_ring_is_found_and_comments_and_tests_are_not_read() {
    let ringed = texts(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::{Thing, Other};\n"),
        ("a.rs", "use crate::b::Part;\n"),
        ("b/mod.rs", "fn f(_: crate::Thing) {}\n"),
        ("c.rs", "use crate::{a, b};\n"),
    ]);
    assert_eq!(ring(&imports(&ringed)), ["a", "b"]);
    let straight = texts(&[
        ("lib.rs", "pub use a::Thing;\n"),
        ("a.rs", "// see crate::b\n#[cfg(test)]\nmod tests {\n    use crate::b::Part;\n}\n"),
        ("b.rs", "use crate::a::Thing;\n"),
    ]);
    assert_eq!(ring(&imports(&straight)), [""; 0]);
}

#[test]
fn no_modules_of_a_crate_import_each_other_in_a_ring() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates");
    let folders = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let all: Vec<PathBuf> =
        folders(crates).iter().flat_map(|folder| [vec![folder.clone()], folders(folder)].concat()).collect();
    let with_sources: Vec<_> = all.iter().filter(|folder| folder.join("src/lib.rs").exists()).collect();
    assert!(with_sources.len() > 10, "the crates are elsewhere: {}", crates.display());
    for folder in with_sources {
        let source = folder.join("src");
        let read = |path: PathBuf| {
            let below = path.strip_prefix(&source).expect("below it").to_string_lossy().replace('\\', "/");
            (below, fs::read_to_string(&path).expect("a source").replace("\r\n", "\n"))
        };
        let found = ring(&imports(&sources(&source).into_iter().map(read).collect()));
        assert!(found.is_empty(), "{}: {}", folder.display(), found.join(" "));
    }
}
