//! Every package that Banyan is built from comes from crates.io under a permissive licence.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences that require of distributors of Banyan no more than to keep the notices.
const LICENCES: [&str; 7] = ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0"];

/// Additional licences of what is not distributed.
const PRIVATE_LICENCES: [&str; 1] = ["LGPL-3.0-only"];

/// The crate that is not distributed: it compares Banyan with other libraries.
const PRIVATE: &str = "banyan-bench-peers";

/// The only allowed source of packages. Cargo uses this name regardless of the server that it downloads from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Whether a licence, as an SPDX expression, can be satisfied by those allowed: `MIT OR (Apache-2.0 AND Unicode-3.0)`.
/// A slash is an old notation for OR.
fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    let licence = licence.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = licence.split_whitespace().peekable();
    let met = is_any_met(&mut words, allowed);
    met && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn is_any_met(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut met = are_all_met(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= are_all_met(words, allowed);
    }
    met
}

fn are_all_met(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut met = is_one_met(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= is_one_met(words, allowed);
    }
    met
}

fn is_one_met(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        let met = is_any_met(words, allowed);
        return words.next() == Some(")") && met;
    }
    // An exception only adds permissions.
    if words.next_if_eq(&"WITH").is_some() && words.next().is_none() {
        return false;
    }
    allowed.contains(&word)
}

/// Violations among the packages in an answer of `cargo metadata`.
fn objections(metadata: &Value) -> Vec<String> {
    let members: BTreeSet<&str> = list(&metadata["workspace_members"]).iter().map(string).collect();
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).iter().map(|package| (string(&package["id"]), package)).collect();
    let name = |id: &str| string(&packages[id]["name"]);
    let passed_on = reached(metadata, members.iter().copied().filter(|id| name(id) != PRIVATE));
    let mut objections = Vec::new();
    for (id, package) in &packages {
        let (name, version) = (string(&package["name"]), string(&package["version"]));
        let licence = package["license"].as_str().unwrap_or("none");
        let allowed = [&LICENCES[..], if passed_on.contains(id) { &[] } else { &PRIVATE_LICENCES }].concat();
        if !is_allowed(licence, &allowed) {
            objections.push(format!("{name} {version}: licence {licence}"));
        }
        let source = package["source"].as_str();
        if !(source == Some(SOURCE) || source.is_none() && members.contains(id)) {
            objections.push(format!("{name} {version}: from {}", source.unwrap_or("a folder outside the workspace")));
        }
    }
    objections
}

/// The packages that these are built from, including themselves.
fn reached<'a>(metadata: &'a Value, from: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let nodes = list(&metadata["resolve"]["nodes"]).iter();
    let below: BTreeMap<&str, &Value> = nodes.map(|node| (string(&node["id"]), &node["dependencies"])).collect();
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = from.collect();
    while let Some(id) = next.pop() {
        if reached.insert(id) {
            next.extend(list(below[id]).iter().map(string));
        }
    }
    reached
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn string(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Packages of a lock file with another source; those without a source belong to the workspace.
fn strange_sources(lock: &str, members: &[&str]) -> Vec<String> {
    let lock: toml::Table = lock.parse().expect("a lock file is TOML");
    let packages = lock["package"].as_array().expect("packages");
    let strange = packages.iter().filter_map(|package| {
        let (name, source) = (package["name"].as_str().expect("a name"), package.get("source"));
        let source = source.and_then(toml::Value::as_str);
        let is_usual = source == Some(SOURCE) || source.is_none() && members.contains(&name);
        (!is_usual).then(|| format!("{name}: from {}", source.unwrap_or("a folder outside the workspace")))
    });
    strange.collect()
}

/// The packages of this platform, as reported by Cargo without network access. Those of other platforms may be missing;
/// their sources are in the lock file.
fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").current_dir(ROOT).output().expect("the compiler runs");
    let about = String::from_utf8(rustc.stdout).expect("text");
    let platform = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", platform]);
    let output = cargo.current_dir(ROOT).output().expect("Cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors} (`cargo fetch` downloads what is not here)");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn every_package_may_be_used_and_comes_from_crates_io() {
    let metadata = metadata();
    let found = objections(&metadata);
    assert!(found.is_empty(), "{found:#?}");
    let packages = list(&metadata["packages"]);
    let names: Vec<&str> = packages.iter().map(|package| string(&package["name"])).collect();
    assert!(names.len() > 50 && ["banyan-cli", PRIVATE, "clap"].iter().all(|name| names.contains(name)), "{names:?}");
    let lock = fs::read_to_string(Path::new(ROOT).join("Cargo.lock")).expect("the lock file");
    let members: Vec<&str> =
        packages.iter().filter(|package| package["source"].is_null()).map(|package| string(&package["name"])).collect();
    let found = strange_sources(&lock, &members);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn licences_are_read_as_spdx_writes_them() {
    for (licence, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 OR MIT AND ISC", true),
        ("(GPL-3.0 OR MIT) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-3.0 WITH Classpath-exception-2.0", false),
        ("MIT WITH", false),
        ("(MIT", false),
        ("MIT GPL-3.0", false),
        ("none", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(licence, &LICENCES), expected, "{licence:?}");
    }
}

/// A workspace of our crates and the private crate, each of which uses one package with this licence and source.
fn workspace(ours: [&str; 2], private: [&str; 2]) -> Value {
    let package = |name: &str, licence: &str, source: Value| serde_json::json!({ "id": name, "name": name, "version": "1.0.0", "license": licence, "source": source });
    let node = |id: &str, uses: &[&str]| serde_json::json!({ "id": id, "dependencies": uses });
    let from = |source: &str| if source.is_empty() { Value::Null } else { source.into() };
    serde_json::json!({
        "workspace_members": ["ours", PRIVATE],
        "packages": [
            package("ours", "MIT", Value::Null),
            package(PRIVATE, "MIT", Value::Null),
            package("theirs", ours[0], from(ours[1])),
            package("measured", private[0], from(private[1])),
        ],
        "resolve": { "nodes": [
            node("ours", &["theirs"]),
            node(PRIVATE, &["measured", "ours"]),
            node("theirs", &[]),
            node("measured", &[]),
        ] },
    })
}

#[test]
fn packages_that_may_not_be_used_are_found() {
    let good = ["MIT", SOURCE];
    let git = "git+https://example.com/theirs?branch=main#0123";
    for (ours, private, expected) in [
        (good, good, None),
        (["GPL-3.0", SOURCE], good, Some("theirs 1.0.0: licence GPL-3.0".to_owned())),
        (good, ["GPL-3.0", SOURCE], Some("measured 1.0.0: licence GPL-3.0".to_owned())),
        (["LGPL-3.0-only", SOURCE], good, Some("theirs 1.0.0: licence LGPL-3.0-only".to_owned())),
        (good, ["LGPL-3.0-only", SOURCE], None),
        (["MIT", git], good, Some(format!("theirs 1.0.0: from {git}"))),
        (good, ["MIT", ""], Some("measured 1.0.0: from a folder outside the workspace".to_owned())),
    ] {
        assert_eq!(objections(&workspace(ours, private)), expected.into_iter().collect::<Vec<_>>());
    }
    let lock = |source: &str| format!("[[package]]\nname = \"ours\"\n[[package]]\nname = \"theirs\"\n{source}");
    for (source, strange) in [
        (format!("source = \"{SOURCE}\""), 0),
        (format!("source = \"{git}\""), 1),
        ("source = \"registry+https://example.com/index\"".to_owned(), 1),
        (String::new(), 1),
    ] {
        assert_eq!(strange_sources(&lock(&source), &["ours"]).len(), strange, "{source}");
    }
}
