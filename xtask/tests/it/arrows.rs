//! Reads every manifest of the workspace and fails on a forbidden dependency: one on a higher crate, or on an outside
//! package where none is allowed. A new arrow is a change of the design: edit ARCHITECTURE.md first, with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::manifests_of_workspace;

/// A room of the design, with those it may depend on. Rooms of the design that do not exist yet are included.
struct Room {
    /// The folder of its crate, or with `/*` of its crates, one for each game.
    folder: &'static str,
    below: &'static [&'static str],
    /// Additional rooms that only its tests may depend on.
    for_tests: &'static [&'static str],
    /// The outside packages that it may depend on; `None` for any.
    outside: Option<&'static [&'static str]>,
}

impl Room {
    const fn open(folder: &'static str, below: &'static [&'static str], for_tests: &'static [&'static str]) -> Room {
        Room { folder, below, for_tests, outside: None }
    }

    const fn closed(
        folder: &'static str,
        below: &'static [&'static str],
        for_tests: &'static [&'static str],
        outside: &'static [&'static str],
    ) -> Room {
        Room { folder, below, for_tests, outside: Some(outside) }
    }
}

const BITS: &str = "crates/bits";
const CORE: &str = "crates/core";
const LAWS: &str = "crates/laws";
const EXACT: &str = "crates/exact";
const GAMES: &str = "crates/games/*";
const SEARCH: &str = "crates/search";
const INFERENCE: &str = "crates/learn/inference";
const FIT: &str = "crates/learn/fit";
const ARENA: &str = "crates/arena";
const CATALOG: &str = "crates/catalog";
const ENGINES: &str = "crates/engines/*";
const REVIEW: &str = "crates/review";
const MATCHES: &str = "crates/matches";
const TRAINING: &str = "crates/training";
const FORMATS: &str = "crates/formats";
const PROTOCOLS: &str = "crates/protocols";
const API: &str = "crates/api";
const WEB: &str = "crates/web";
const TUI: &str = "crates/tui";
const TEXTS: &str = "crates/texts";
const TESTKIT: &str = "crates/testkit";

/// Dependencies of rooms that name no game.
const GAMELESS: &[&str] = &[BITS, CORE, INFERENCE, SEARCH, ARENA, CATALOG, TEXTS];
/// Dependencies of rooms with all games.
const ALL: &[&str] = &[
    BITS, CORE, INFERENCE, GAMES, SEARCH, ARENA, CATALOG, REVIEW, MATCHES, TRAINING, ENGINES, FORMATS, PROTOCOLS, API,
    WEB, TUI, TEXTS,
];
/// The library exports what users' games need, and the engines. It has no reports, protocols and servers.
const LIBRARY: &[&str] = &[BITS, CORE, LAWS, INFERENCE, EXACT, GAMES, SEARCH, ARENA, CATALOG, ENGINES];

const ROOMS: &[Room] = &[
    // Its tests draw random words.
    Room::closed(BITS, &[], &[CORE], &[]),
    // Browsers have other clocks.
    Room::closed(CORE, &[BITS], &[TESTKIT], &["rand_xoshiro", "web-time"]),
    Room::closed(LAWS, &[CORE], &[TESTKIT], &[]),
    Room::closed(EXACT, &[BITS, CORE], &[TESTKIT], &[]),
    Room::closed(INFERENCE, &[CORE], &[TESTKIT], &[]),
    Room::closed(GAMES, &[BITS, CORE, INFERENCE, EXACT], &[LAWS, TESTKIT], &[]),
    Room::closed(SEARCH, &[BITS, CORE], &[LAWS, TESTKIT], &[]),
    Room::closed(TESTKIT, &[CORE], &[], &[]),
    Room::open(FIT, &[CORE, INFERENCE], &[TESTKIT]),
    Room::open(ARENA, &[CORE], &[TESTKIT]),
    // Their tests play games by name.
    Room::open(CATALOG, &[CORE, INFERENCE, SEARCH, ARENA], &[TESTKIT, GAMES, ENGINES]),
    Room::open(ENGINES, &[BITS, CORE, INFERENCE, GAMES, SEARCH, ARENA, CATALOG], &[TESTKIT]),
    // Only what is above the engines has texts, so that an edit of a text recompiles no search.
    Room::open(TEXTS, &[], &[]),
    Room::open(REVIEW, GAMELESS, &[TESTKIT, GAMES, ENGINES]),
    Room::open(MATCHES, &[CORE, SEARCH, ARENA, CATALOG, TEXTS, REVIEW], &[TESTKIT, GAMES, ENGINES]),
    Room::open(TRAINING, &[CORE, INFERENCE, FIT, ARENA, CATALOG, REVIEW], &[TESTKIT, GAMES, ENGINES]),
    Room::open(FORMATS, &[CORE, CATALOG], &[TESTKIT, GAMES, ENGINES]),
    // Their tests play matches against engines that misbehave.
    Room::open(PROTOCOLS, &[CORE, CATALOG, FORMATS], &[TESTKIT, GAMES, ENGINES, ARENA, MATCHES]),
    // No matches, engines and servers: it answers in a browser too.
    Room::open(API, &[CORE, CATALOG, REVIEW, FORMATS], &[TESTKIT, GAMES, ENGINES, TEXTS]),
    Room::open(WEB, &[CORE, ARENA, CATALOG, TEXTS, MATCHES, PROTOCOLS, API], &[TESTKIT, GAMES, ENGINES]),
    Room::open(TUI, &[CORE, CATALOG, TEXTS, REVIEW, MATCHES, PROTOCOLS, API], &[TESTKIT, GAMES, ENGINES]),
    Room::open("crates/wasm", &[CORE, CATALOG, API, ENGINES], &[TESTKIT]),
    // Its example uses the library as users do.
    Room::open("crates/cli", ALL, &[TESTKIT, "crates/banyan"]),
    Room::open("crates/strategy", ALL, &[TESTKIT]),
    // The Python package.
    Room::open("python", ALL, &[TESTKIT]),
    Room::open("crates/banyan", LIBRARY, &[TESTKIT]),
    Room::open("bench/peers", ALL, &[TESTKIT]),
    // Tests that read files only.
    Room::open("xtask", &[], &[]),
];

/// Packages for tests that every room may use: they are not part of any product.
const FOR_TESTS: [&str; 2] = ["proptest", "loom"];

/// The room of a crate by its folder, and the part of the folder that is named after a game, if any.
fn room_of(folder: &str) -> Option<(&'static Room, Option<&str>)> {
    ROOMS.iter().find_map(|room| match room.folder.strip_suffix('*') {
        Some(start) => folder.strip_prefix(start).filter(|game| !game.contains('/')).map(|game| (room, Some(game))),
        None => (folder == room.folder).then_some((room, None)),
    })
}

#[derive(Debug, PartialEq)]
struct Arrow {
    to: String,
    for_tests: bool,
}

/// The name in a manifest and its arrows, including those for one platform.
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
                arrows.push(Arrow { to, for_tests });
            }
        }
    }
    (from, arrows)
}

/// Violations of the design in the manifests of a workspace: `manifests` are the texts by folder.
fn objections(manifests: &BTreeMap<String, String>) -> Vec<String> {
    let read: BTreeMap<&str, (String, Vec<Arrow>)> =
        manifests.iter().map(|(folder, manifest)| (folder.as_str(), arrows(manifest))).collect();
    let folders: BTreeMap<&str, &str> = read.iter().map(|(folder, (name, _))| (name.as_str(), *folder)).collect();
    let objections = read.iter().flat_map(|(folder, (from, arrows))| match room_of(folder) {
        None => vec![format!("{from} in {folder} has no place in the order of crates: give it one")],
        Some((room, game)) => {
            let objection = |arrow: &Arrow| {
                let why = match folders.get(arrow.to.as_str()) {
                    Some(to) => objection_within(room, game, to, arrow.for_tests),
                    None => objection_outside(room, arrow),
                };
                why.map(|why| format!("{from} -> {}: {why}", arrow.to))
            };
            arrows.iter().filter_map(objection).collect()
        }
    });
    objections.collect()
}

/// The reason why a crate may not depend on the one in the folder `to` of the same workspace.
fn objection_within(room: &Room, game: Option<&str>, to: &str, for_tests: bool) -> Option<String> {
    let Some((below, other)) = room_of(to) else { return Some("it has no place in the order of crates".to_owned()) };
    if !(room.below.contains(&below.folder) || for_tests && room.for_tests.contains(&below.folder)) {
        return Some(format!("{} does not stand on {}", room.folder, below.folder));
    }
    let is_stranger = game.is_some() && other.is_some() && game != other;
    is_stranger.then(|| "an edit in one game must not reach another".to_owned())
}

/// The reason why a room may not depend on this outside package.
fn objection_outside(room: &Room, arrow: &Arrow) -> Option<String> {
    let to = arrow.to.as_str();
    let is_allowed =
        room.outside.is_none_or(|outside| outside.contains(&to)) || arrow.for_tests && FOR_TESTS.contains(&to);
    (!is_allowed).then(|| format!("{} depends on nothing outside the workspace", room.folder))
}

#[test]
fn every_arrow_of_the_workspace_points_down() {
    let manifests = manifests_of_workspace();
    for folder in [BITS, CORE, "crates/games/reversi", SEARCH, CATALOG, "crates/engines/reversi", "crates/cli"] {
        assert!(manifests.contains_key(folder), "{folder} was not read: {:?}", manifests.keys());
    }
    let found = objections(&manifests);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn arrows_that_point_up_or_out_are_found() {
    let manifest = |name: &str, dependencies: &str, for_tests: &str| {
        let lines = |names: &str| names.split_whitespace().map(|name| format!("{name} = \"1\"\n")).collect::<String>();
        format!(
            "[package]\nname = \"{name}\"\n[dependencies]\n{}[dev-dependencies]\n{}",
            lines(dependencies),
            lines(for_tests)
        )
    };
    // Each crate with its dependencies, normal and in tests, and the forbidden ones among them.
    let crates = [
        ("crates/bits", "bits", "", "core", ""),
        ("crates/core", "core", "bits rand_xoshiro rand search", "testkit proptest serde", "rand search serde"),
        ("crates/laws", "laws", "core", "search", "search"),
        ("crates/learn/inference", "inference", "core exact fit", "", "exact fit"),
        ("crates/learn/fit", "fit", "core inference serde", "", ""),
        ("crates/exact", "exact", "bits core go search", "", "go search"),
        (
            "crates/games/go",
            "go",
            "core inference exact laws fit",
            "laws testkit loom hex catalog serde",
            "laws fit hex catalog serde",
        ),
        ("crates/games/hex", "hex", "core", "", ""),
        ("crates/search", "search", "core exact arena", "testkit go", "exact arena go"),
        ("crates/arena", "arena", "core serde search", "go", "search go"),
        ("crates/testkit", "testkit", "core", "search", "search"),
        ("crates/catalog", "catalog", "core search arena serde go", "go-engine go testkit", "go"),
        ("crates/engines/go", "go-engine", "catalog go hex testkit hex-engine", "", "hex testkit hex-engine"),
        ("crates/engines/hex", "hex-engine", "catalog hex", "protocols", "protocols"),
        ("crates/review", "review", "catalog fit go matches", "go-engine training", "fit go matches training"),
        ("crates/matches", "matches", "catalog review fit training", "go-engine web", "fit training web"),
        ("crates/training", "training", "catalog review fit matches go-engine", "go-engine", "matches go-engine"),
        ("crates/formats", "formats", "catalog review protocols", "go-engine matches", "review protocols matches"),
        (
            "crates/protocols",
            "protocols",
            "catalog formats go hex-engine",
            "go-engine arena matches cli",
            "go hex-engine cli",
        ),
        ("crates/api", "api", "catalog review formats matches protocols", "go-engine texts", "matches protocols"),
        ("crates/web", "web", "api protocols matches training go", "go-engine", "training go"),
        ("crates/wasm", "wasm", "core api go-engine review web", "", "review web"),
        ("crates/cli", "cli", "go-engine protocols catalog", "peers", "peers"),
        ("crates/strategy", "strategy", "go-engine protocols cli", "", "cli"),
        ("crates/banyan", "banyan", "go-engine review protocols web", "peers", "review protocols web peers"),
        ("python", "python", "catalog protocols cli", "", "cli"),
        ("bench/peers", "peers", "go search", "", ""),
        ("xtask", "xtask", "core", "toml cli", "core cli"),
        ("crates/new", "new", "core", "", "new"),
        ("crates/games/go/more", "more", "core", "", "more"),
    ];
    let manifests =
        crates.map(|(folder, name, uses, tests_use, _)| (folder.to_owned(), manifest(name, uses, tests_use)));
    let mut found = objections(&manifests.into());
    for (_, from, _, _, wrong) in crates {
        for to in wrong.split_whitespace() {
            let start = if from == to { format!("{from} in ") } else { format!("{from} -> {to}: ") };
            let at = found.iter().position(|objection| objection.starts_with(&start));
            found.remove(at.unwrap_or_else(|| panic!("{start} in {found:#?}")));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn arrows_are_read_under_whatever_name_they_stand() {
    let manifest = r#"
        [package]
        name = "one"
        [dependencies]
        two.workspace = true
        alias = { path = "../search", package = "three" }
        [build-dependencies]
        four = "1"
        [target.'cfg(unix)'.dependencies]
        five = "1"
        [target.'cfg(unix)'.dev-dependencies]
        six = "1"
    "#;
    let (from, mut found) = arrows(manifest);
    found.sort_by(|one, other| one.to.cmp(&other.to));
    let found: Vec<(&str, bool)> = found.iter().map(|arrow| (arrow.to.as_str(), arrow.for_tests)).collect();
    assert_eq!(from, "one");
    assert_eq!(found, [("five", false), ("four", false), ("six", true), ("three", false), ("two", false)]);
}

#[test]
fn engines_are_optimised() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest of the workspace");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let manifests = manifests_of_workspace();
    for profile in ["release", "test"] {
        let level_of = |folder: &str| {
            let (name, _) = arrows(&manifests[folder]);
            manifest["profile"][profile]["package"].get(&name)?.get("opt-level")?.as_integer()
        };
        for folder in manifests.keys() {
            if room_of(folder).is_some_and(|(room, _)| room.folder == ENGINES) {
                assert_ne!(level_of(folder), Some(0), "{folder} in profile.{profile}");
            }
        }
    }
}
