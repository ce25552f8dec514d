//! The servers as a program on the other end of the pipe meets them.

mod dialogue;
mod golden;
mod matches;
mod noise;
mod stopping;
mod strangers;

use banyan_catalog::{AnyGame, Catalog};
use banyan_protocols::Setup;

/// A game by its name.
fn game(spec: &str) -> Box<dyn AnyGame> {
    Catalog::builtin().game(spec).expect(spec)
}

/// A player with a budget and seed 1.
fn setup(player: &str, budget: &str) -> Setup {
    Setup::new(player.parse().expect(player), budget.parse().expect(budget), 1).expect(budget)
}
