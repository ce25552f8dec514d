//! What decides who plays what in a match, and the file `match.toml` that keeps it.

use serde::{Deserialize, Serialize};

/// A match as it was asked for, everything resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// [`VERSION`](crate::view::VERSION).
    pub v: u32,
    /// The game, or a range from which every round draws its board: `connect-four:9-12x9-12,holes=1`.
    pub game: String,
    /// Who meets whom.
    pub format: MatchFormat,
    /// Pairs of games per pairing; with a sequential test the most that are played.
    pub pairs: u64,
    /// Openings: `none`, `random:plies=6`, `balanced:plies=6`, `file:PATH`.
    pub openings: String,
    /// Tells the contents of a file of openings from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_digest: Option<String>,
    /// What everything random is drawn from.
    pub seed: u64,
    /// What time is counted in.
    pub clock: ClockKind,
    /// Milliseconds by which a player may overrun its time and still not lose.
    pub margin_ms: u64,
    /// This machine's part, `1/4`; the whole match if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The sequential test that ends the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtBounds>,
    /// The players, in the order of their numbers.
    pub players: Vec<Entrant>,
    /// What made it; never compared.
    #[serde(default)]
    pub made_by: MadeBy,
}

/// A player and what it may spend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What it is called in this match; no two are called the same.
    pub name: String,
    /// The player as text: `uct:c=0.5`.
    pub player: String,
    /// Its budget as text: `playouts=1000`.
    pub budget: String,
}

/// A test of `elo0` against `elo1`, in normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtBounds {
    /// The weaker hypothesis.
    pub elo0: f64,
    /// The stronger hypothesis.
    pub elo1: f64,
    /// Chance to accept the stronger where the weaker holds.
    pub alpha: f64,
    /// Chance to accept the weaker where the stronger holds.
    pub beta: f64,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchFormat {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// Wall time.
    #[default]
    Wall,
    /// CPU time of the player's thread.
    Cpu,
}

/// The program and machine that played; what a reader of results wants to know, and no part of who plays what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBy {
    /// Version of Banyan.
    #[serde(default)]
    pub version: String,
    /// System and processor: `linux x86_64`.
    #[serde(default)]
    pub system: String,
    /// Processor cores that could be used.
    #[serde(default)]
    pub cores: usize,
}
