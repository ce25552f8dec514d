//! Reads the sources of every crate and fails if modules import each other in a ring.
//!
//! A path is followed to the module that defines its last name, through all `use` declarations of the modules on its way: `crate::Budget`
//! of lib.rs's `pub use budget::Budget` is an import of `budget`. In every folder, its files and subfolders are compared; in the
//! uppermost also with what lib.rs or main.rs itself defines. Tests are not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path as File, PathBuf};
use std::slice;

use crate::manifests_of_workspace;
use crate::source::{Path, Source, Used};

/// What the root of a crate itself defines, among its modules.
const ROOT: &str = "lib.rs";

/// The modules of a crate by their paths; that of the root is empty.
struct Crate(BTreeMap<Path, Source>);

/// For every folder of modules the imports of its members from each other.
type Imports = BTreeMap<Path, BTreeMap<String, BTreeSet<String>>>;

impl Crate {
    /// Reads the texts of a crate by their files below `src`.
    fn read(texts: &BTreeMap<String, String>) -> Crate {
        let root = if texts.contains_key("lib.rs") { "lib.rs" } else { "main.rs" };
        let module_of = |file: &str| -> Path {
            let parts = file.trim_end_matches(".rs").split('/').map(str::to_owned);
            let mut parts: Path = parts.collect();
            parts.pop_if(|last| last == "mod");
            if file == root { Path::new() } else { parts }
        };
        let is_read = |file: &str| file == root || file != "main.rs";
        let modules = texts.iter().filter(|(file, _)| is_read(file));
        let mut modules: BTreeMap<Path, Source> =
            modules.map(|(file, text)| (module_of(file), Source::read(text))).collect();
        let tests: Vec<Path> = modules
            .iter()
            .flat_map(|(module, source)| {
                source.test_modules.iter().map(|name| [&module[..], slice::from_ref(name)].concat())
            })
            .collect();
        modules.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Crate(modules)
    }

    /// The path from the root of the crate; `None` for a path into another crate.
    fn absolute(&self, module: &[String], Used { within, path }: &Used) -> Option<Path> {
        let mut base = [module, within].concat();
        let n_supers = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "super" => base.truncate(base.len().checked_sub(n_supers)?),
            "self" => return Some([&base[..], &path[1..]].concat()),
            first if self.0.contains_key(&[&base[..], &[first.to_owned()]].concat()) => {}
            _ => return None,
        }
        Some([&base[..], &path[n_supers..]].concat())
    }

    /// The module that is imported by an absolute path: the one that defines what the path names, or else the one that has it from a macro
    /// or another crate.
    fn imported(&self, path: &[String]) -> Option<Path> {
        let named = || Some(self.split(path)?.0.to_vec()).filter(|module| !module.is_empty());
        self.definer(path, 10).or_else(named)
    }

    /// The module that a path goes through last, and the rest of the path.
    fn split<'p>(&self, path: &'p [String]) -> Option<(&'p [String], &'p [String])> {
        let n = (0..=path.len()).rev().find(|&n| self.0.contains_key(&path[..n]))?;
        Some(path.split_at(n))
    }

    /// The module that defines what an absolute path names; `None` if it is not found in this crate within `n_steps` modules.
    fn definer(&self, path: &[String], n_steps: usize) -> Option<Path> {
        let n_steps = n_steps.checked_sub(1)?;
        let (module, rest) = self.split(path)?;
        let Some(name) = rest.first() else { return Some(module.to_vec()) };
        let source = &self.0[module];
        if source.defined.contains(name) {
            return Some(module.to_vec());
        }
        source.imports.iter().filter(|import| import.name == *name || import.name == "*").find_map(|import| {
            let mut target = self.absolute(module, &import.used)?;
            if import.name == "*" {
                target.pop();
                target.push(name.clone());
            }
            target.extend_from_slice(&rest[1..]);
            self.definer(&target, n_steps)
        })
    }

    /// All imports of the modules of this crate from each other.
    fn imports(&self) -> Imports {
        let mut found = Imports::new();
        for (module, source) in &self.0 {
            let imports = source.imports.iter().filter(|import| !(module.is_empty() && import.is_reexport));
            let paths = imports.map(|import| &import.used).chain(&source.paths);
            let mut absolute: Vec<Path> = paths.filter_map(|used| self.absolute(module, used)).collect();
            if module.is_empty() {
                // What the root itself uses of its re-exports.
                let used = source.imports.iter().filter(|import| source.names.contains(&import.name));
                absolute.extend(used.filter_map(|import| self.absolute(module, &import.used)));
            }
            for path in absolute {
                let Some(to) = self.imported(&path) else { continue };
                let n = module.iter().zip(&to).take_while(|(one, other)| one == other).count();
                let name = |path: &Path| path.get(n).map_or(ROOT, String::as_str).to_owned();
                // A module that uses its own parts, or is used by them, is not their neighbour.
                if n == 0 && *module != to || n < module.len() && n < to.len() {
                    found.entry(module[..n].to_vec()).or_default().entry(name(module)).or_default().insert(name(&to));
                }
            }
        }
        found
    }

    /// For every folder of modules the imports that are part of a ring: `players/known -> tables`.
    fn rings(&self) -> Vec<String> {
        let folders = self.imports();
        let rings = folders.iter().flat_map(|(folder, imports)| {
            let ring = ring(imports);
            let within = imports.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
            let in_ring = within.filter(|(from, to)| ring.contains(from) && ring.contains(to));
            let named = |(from, to): (&String, &String)| {
                format!("{} -> {to}", [&folder[..], slice::from_ref(from)].concat().join("/"))
            };
            in_ring.map(named).collect::<Vec<_>>()
        });
        rings.collect()
    }
}

/// The modules that can be left and reached again.
fn ring(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
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

/// All sources below a folder.
pub(crate) fn sources(folder: &File) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn rings_of(texts: &[(&str, &str)]) -> Vec<String> {
    Crate::read(&texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()).rings()
}

#[test]
fn a_ring_is_found_and_comments_and_tests_are_not_read() {
    let ringed = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::{Thing, Other};\n"),
        ("a.rs", "use crate::b::Part;\npub struct Thing;"),
        ("b/mod.rs", "pub struct Part;\nfn f(_: crate::Thing) {}\n"),
        ("c.rs", "use crate::{a, b};\n"),
    ];
    assert_eq!(rings_of(&ringed), ["a -> b", "b -> a"]);
    let straight = [
        ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod checks;\npub use a::Thing;\n"),
        ("a.rs", "// see crate::b\npub struct Thing;\n#[cfg(test)]\nmod tests {\n    use crate::b::Part;\n}\n"),
        ("b.rs", "use crate::a::Thing;\npub struct Part;"),
        ("checks.rs", "use crate::{a, b};"),
    ];
    assert_eq!(rings_of(&straight), [""; 0]);
}

#[test]
fn rings_through_re_exports_within_the_crate_and_through_parents_are_found() {
    let a = ("a.rs", "use super::b::Part;\npub struct Thing;");
    for (lib, b) in [
        ("pub(crate) use a::Thing;", "use crate::Thing;"),
        ("use a::Thing;", "fn f(_: super::Thing) {}"),
        ("pub use c::*;", "use crate::Thing as Other;"),
        ("pub use c::Named;", "use crate::Named;"),
        ("mod a;", "use crate::a::*;"),
        ("mod a;", "use crate::a::made_by_a_macro;"),
    ] {
        let b = format!("pub struct Part;\n{b}");
        let c = ("c.rs", "pub use crate::a::{Thing, Thing as Named};");
        assert_eq!(rings_of(&[("lib.rs", lib), a, ("b.rs", &b), c]), ["a -> b", "b -> a"], "{lib}");
    }
}

#[test]
fn rings_through_definitions_of_the_root_are_found() {
    let (a, own) = (("a.rs", "use crate::Own;\npub fn f(_: Own) {}\npub struct Thing;"), "pub struct Own;");
    for (root, expected) in [
        ("pub use a::Thing;", &[][..]),
        ("pub use a::Thing;\nfn g(_: Thing) {}", &["a -> lib.rs", "lib.rs -> a"]),
        ("use a::Thing;", &["a -> lib.rs", "lib.rs -> a"]),
        ("fn g() { a::f(Own) }", &["a -> lib.rs", "lib.rs -> a"]),
        ("#[cfg(test)]\nfn g() { a::f(Own) }", &[]),
    ] {
        assert_eq!(rings_of(&[("lib.rs", &format!("{own}\n{root}")), a]), expected, "{root}");
        assert_eq!(rings_of(&[("main.rs", &format!("{own}\n{root}")), a]), expected, "{root}");
    }
}

#[test]
fn rings_within_folders_are_found() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b;\nmod c;\nmod d;\npub use b::B;\npub struct A;"),
        ("a/b.rs", "use super::c::C;\npub struct B;"),
        ("a/c/mod.rs", "mod e;\npub struct C;"),
        ("a/c/e.rs", "fn f(_: crate::a::B, _: super::super::A) {}"),
        ("a/d.rs", "use super::{A, B};"),
    ];
    assert_eq!(rings_of(&files), ["a/b -> c", "a/c -> b"]);
}

#[test]
fn no_modules_of_a_crate_import_each_other_in_a_ring() {
    let root = File::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders: Vec<String> = manifests_of_workspace().into_keys().collect();
    for needed in ["crates/core", "crates/games/reversi", "crates/cli", "bench/peers"] {
        assert!(folders.iter().any(|folder| folder == needed), "{needed} was not read: {folders:?}");
    }
    let mut found = Vec::new();
    let mut n_imports = 0;
    for folder in folders {
        let source = root.join(&folder).join("src");
        let read = |path: PathBuf| {
            let below = path.strip_prefix(&source).expect("below it").to_string_lossy().replace('\\', "/");
            (below, fs::read_to_string(&path).expect("a source").replace("\r\n", "\n"))
        };
        let read = Crate::read(&sources(&source).into_iter().map(read).collect());
        n_imports += read.imports().values().flat_map(BTreeMap::values).map(BTreeSet::len).sum::<usize>();
        found.extend(read.rings().iter().map(|ring| format!("{folder}: {ring}")));
    }
    assert!(n_imports > 1000, "the paths of the sources are not read: {n_imports} imports");
    assert!(found.is_empty(), "{found:#?}");
}
