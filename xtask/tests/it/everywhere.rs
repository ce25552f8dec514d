//! Functions that differ between systems, or are missing on some, are used in one place each.

use std::fs;
use std::path::Path;

use crate::rings::sources;
use crate::source::Source;

/// The folders whose code also runs in a browser.
const IN_BROWSERS: [&str; 14] = [
    "bits",
    "core",
    "exact",
    "games",
    "learn/inference",
    "search",
    "arena",
    "catalog",
    "engines",
    "formats",
    "texts",
    "review",
    "api",
    "wasm",
];

/// Those of them whose numbers must be the same on every system.
const EXACT: [&str; 8] = ["bits", "core", "exact", "games", "learn/inference", "search", "engines", "review"];

/// Methods of floating-point numbers whose results the standard library leaves to the system.
const INEXACT: [&str; 26] = [
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
];

/// Calls `visit` with the path and the text of every source file of these folders of crates; files of tests are left out.
fn for_each_file(folders: &[&str], mut visit: impl FnMut(&str, &str)) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut n_files = 0;
    for path in folders.iter().flat_map(|folder| sources(&crates.join(folder))) {
        let name = path.strip_prefix(&crates).expect("a file of it").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).expect("a source file");
        if name.contains("/src/") && !name.ends_with("tests.rs") {
            visit(&name, &text);
            n_files += 1;
        }
    }
    assert!(n_files > 100, "{n_files} files");
}

/// The part of a file above its tests.
fn program(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod").next().unwrap_or_default()
}

/// A path to a clock of the standard library.
fn clock(text: &str) -> Option<String> {
    let source = Source::read(text);
    let used = source.imports.iter().map(|import| &import.used).chain(&source.paths);
    let is_clock = |path: &&Vec<String>| {
        path.starts_with(&["std".to_owned(), "time".to_owned()])
            && !matches!(path.get(2).map(String::as_str), Some("Duration"))
    };
    used.map(|used| &used.path).find(is_clock).map(|path| path.join("::"))
}

/// A call of a method whose result depends on the system.
fn inexact_call(text: &str) -> Option<String> {
    let lines = program(text).lines().filter(|line| !line.trim_start().starts_with("//"));
    let call = |line: &str| {
        let calls =
            INEXACT.iter().flat_map(|name| [format!(".{name}("), format!("f32::{name}"), format!("f64::{name}")]);
        let is_whole = |at: usize, call: &str| {
            !line[at + call.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
                || call.ends_with('(')
        };
        calls.into_iter().find(|call| line.match_indices(call.as_str()).any(|(at, call)| is_whole(at, call)))
    };
    lines.into_iter().find_map(call)
}

#[test]
fn clocks_are_read_by_the_types_of_the_core() {
    for_each_file(&IN_BROWSERS, |name, text| {
        let found = clock(text).filter(|_| name != "core/src/clock.rs");
        assert_eq!(found, None, "crates/{name}: use banyan_core::clock");
    });
}

#[test]
fn functions_that_differ_between_systems_are_made_of_sums_and_products() {
    for_each_file(&EXACT, |name, text| {
        assert_eq!(inexact_call(text), None, "crates/{name}: use exp or tanh of banyan_core, or add one beside them");
    });
}

#[test]
fn clocks_and_functions_are_found_in_every_form() {
    for (text, expected) in [
        ("use std::time::Duration;", None),
        ("use std::time::{Duration, Instant};", Some("std::time::Instant")),
        ("use std::time;\nfn f() { time::Instant::now(); }", Some("std::time")),
        ("fn f() { std::time::SystemTime::now(); }", Some("std::time::SystemTime::now")),
        ("use std::time::*;", Some("std::time::*")),
        ("use banyan_core::clock::Instant; // not std::time::Instant", None),
        ("#[cfg(test)]\nmod tests {\n    use std::time::Instant;\n}", None),
    ] {
        assert_eq!(clock(text).as_deref(), expected, "{text}");
    }
    for (text, expected) in [
        ("let y = x.exp();", Some(".exp(")),
        ("xs.map(f64::ln)", Some("f64::ln")),
        ("let y = exp(x) + x.expect(\"it\") + x.sqrt();", None),
        ("f64::logarithm", None),
        ("// x.tanh()\nlet y = tanh(x);\n#[cfg(test)]\nmod tests {\n    1f64.tanh();\n}", None),
    ] {
        assert_eq!(inexact_call(text).as_deref(), expected, "{text}");
    }
}
