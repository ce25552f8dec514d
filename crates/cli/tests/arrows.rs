//! Reads every manifest of the workspace and fails on a dependency that points up or comes from outside where it must
//! not. A new arrow is a change of the design: edit ARCHITECTURE.md first, with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const CORE: &[&str] = &["banyan-core"];
const BELOW_CATALOG: &[&str] = &["banyan-core", "banyan-games", "banyan-search", "banyan-learn", "banyan-arena"];
const UP_TO_CATALOG: &[&str] =
    &["banyan-core", "banyan-games", "banyan-search", "banyan-learn", "banyan-arena", "banyan-catalog"];
const UP_TO_PROTOCOLS: &[&str] = &[
    "banyan-core",
    "banyan-games",
    "banyan-search",
    "banyan-learn",
    "banyan-arena",
    "banyan-catalog",
    "banyan-protocols",
];

/// Each crate of the design, whether it exists yet or not, and the crates of the workspace it may depend on, tests
/// included.
const ARROWS: [(&str, &[&str]); 11] = [
    ("banyan-core", &[]),
    ("banyan-games", CORE),
    ("banyan-search", CORE),
    ("banyan-learn", CORE),
    ("banyan-arena", CORE),
    ("banyan-catalog", BELOW_CATALOG),
    ("banyan-protocols", UP_TO_CATALOG),
    ("banyan-strategy", UP_TO_PROTOCOLS),
    ("banyan-cli", UP_TO_PROTOCOLS),
    ("banyan-web", UP_TO_PROTOCOLS),
    ("banyan", UP_TO_CATALOG),
];

/// The crates without which this test reads the wrong folder.
const FIRST: [&str; 6] = ["banyan-core", "banyan-games", "banyan-search", "banyan-catalog", "banyan-cli", "banyan"];

/// The crates that may depend on nothing outside the workspace, with their exceptions.
const CLOSED: [(&str, &[&str]); 3] =
    [("banyan-core", &["rand_xoshiro"]), ("banyan-games", &[]), ("banyan-search", &[])];

/// Crates for tests that even the closed crates may use: they never reach a user.
const FOR_TESTS: [&str; 2] = ["proptest", "loom"];

#[derive(Debug, PartialEq)]
struct Arrow {
    from: String,
    to: String,
    for_tests: bool,
}

/// The name in a manifest and its arrows, those for one platform included.
fn arrows(manifest: &str) -> (String, Vec<Arrow>) {
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let from = manifest["package"]["name"].as_str().expect("a name").to_owned();
    let platforms = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let tables = platforms.filter_map(toml::Value::as_table).chain([&manifest]);
    let mut arrows = Vec::new();
    for table in tables {
        for (section, for_tests) in [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            let Some(dependencies) = table.get(section).and_then(toml::Value::as_table) else { continue };
            for (name, value) in dependencies {
                let to = value.get("package").and_then(toml::Value::as_str).unwrap_or(name).to_owned();
                arrows.push(Arrow { from: from.clone(), to, for_tests });
            }
        }
    }
    (from, arrows)
}

fn is_ours(name: &str) -> bool {
    name == "banyan" || name.starts_with("banyan-")
}

/// Why the design does not have this arrow, if it does not.
fn objection(arrow: &Arrow) -> Option<String> {
    let Arrow { from, to, for_tests } = arrow;
    let allowed: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let Some(allowed) = allowed.get(from.as_str()) else {
        return Some(format!("{from} has no place in the order of crates: give it one"));
    };
    if is_ours(to) {
        return (!allowed.contains(&to.as_str())).then(|| format!("{from} -> {to} does not point down"));
    }
    let (_, exceptions) = CLOSED.into_iter().find(|(closed, _)| closed == from)?;
    let excepted = exceptions.contains(&to.as_str()) || (*for_tests && FOR_TESTS.contains(&to.as_str()));
    (!excepted).then(|| format!("{from} -> {to}: {from} depends on nothing outside the workspace"))
}

#[test]
fn every_arrow_of_the_workspace_points_down() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = Vec::new();
    for folder in fs::read_dir(crates).expect("the folder of crates") {
        let Ok(manifest) = fs::read_to_string(folder.expect("a folder").path().join("Cargo.toml")) else { continue };
        let (name, arrows) = arrows(&manifest);
        let objections: Vec<String> = arrows.iter().filter_map(objection).collect();
        assert!(objections.is_empty(), "{objections:#?}");
        seen.push(name);
    }
    for name in FIRST {
        assert!(seen.iter().any(|seen| seen == name), "the manifest of {name} was not read: {seen:?}");
    }
}

#[test]
fn arrows_that_point_up_or_out_are_found() {
    let manifest = r#"
        [package]
        name = "banyan-games"
        [dependencies]
        banyan-core.workspace = true
        search = { path = "../search", package = "banyan-search" }
        [target.'cfg(unix)'.dependencies]
        libc = "0.2"
        [dev-dependencies]
        banyan-catalog.workspace = true
        proptest = "1"
    "#;
    let found: Vec<String> = arrows(manifest).1.iter().filter_map(objection).collect();
    let mut expected = ["banyan-search", "libc", "banyan-catalog"];
    expected.sort_unstable();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for name in expected {
        assert!(found.iter().any(|objection| objection.contains(name)), "{name} in {found:?}");
    }
    let strange = Arrow { from: "banyan-new".into(), to: "serde".into(), for_tests: false };
    assert!(objection(&strange).is_some());
}
