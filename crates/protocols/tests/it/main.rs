//! The servers as seen by a client over a pipe, and engines as used by matches.

mod dialogue;
mod engines;
mod golden;
mod matches;
#[cfg(target_os = "linux")]
mod misbehaviour;
mod noise;
mod parsers;
mod shell_engines;
mod stopping;

use std::path::PathBuf;
use std::sync::LazyLock;

use banyan_catalog::{AnyGame, Catalog};
use banyan_protocols::{CheckEvent, Setup, Step};

/// The built-in games.
fn catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
        let families = [
            banyan_connect_four_engine::family(),
            banyan_reversi_engine::family(),
            banyan_dots_and_boxes_engine::family(),
        ];
        Catalog::of(families).expect("presets that are players")
    });
    &CATALOG
}

/// A game by its name.
fn game(spec: &str) -> AnyGame {
    catalog().game(spec).expect(spec)
}

/// The step that has ended, if one has.
fn ended(event: &CheckEvent) -> Option<Step> {
    match event {
        CheckEvent::Begins { .. } => None,
        CheckEvent::Ended(step) => Some(step.clone()),
    }
}

/// A player with a budget and seed 1.
fn setup(player: &str, budget: &str) -> Setup {
    Setup::new(player.parse().expect(player), budget.parse().expect(budget), 1).expect(budget)
}

/// The path of a program of `examples`, which is built with the tests.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in deps");
    let path = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is not built", path.display());
    path
}
