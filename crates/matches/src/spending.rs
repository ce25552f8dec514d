//! Resources used by a player, and its faults.

use std::collections::BTreeMap;

use banyan_catalog::pairs::{EndingKind, GameLine, SideName};
use banyan_catalog::strength::round;
use banyan_core::Side;
use serde::{Deserialize, Serialize};

/// Resources of one player, as means per move unless stated otherwise, and its faults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Moves made.
    pub moves: u64,
    /// Playouts per move; `None` without moves, as with all means.
    pub playouts: Option<f64>,
    /// Nodes per move.
    pub nodes: Option<f64>,
    /// Milliseconds per move.
    pub time_ms: Option<f64>,
    /// Share of the earlier search that was reused, 0 .. 1.
    pub reused: Option<f64>,
    /// The most bytes that its search held after a move; `None` if no game reports it.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// Games lost by a fault, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Moves that exceeded their time by more than a millisecond without losing: within the time margin, or with a CPU time that kept
    /// the limit.
    pub overruns: u64,
    /// The largest overrun.
    pub worst_overrun_ms: f64,
}

impl Spending {
    /// Games lost by a fault of any kind.
    pub fn n_faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// `2 late, 1 panicked`; empty without faults.
    pub fn faults_text(&self) -> String {
        let kinds: Vec<String> = self.faults.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        kinds.join(", ")
    }
}

/// Overruns below this are ignored: a search reads its clock about every millisecond.
const NOTABLE_OVERRUN_US: u64 = 1000;

/// Adds up a [`Spending`].
#[derive(Clone, Debug, Default)]
pub(super) struct Spent {
    moves: u64,
    playouts: f64,
    nodes: f64,
    time_us: f64,
    reused: f64,
    memory_bytes: Option<u64>,
    overruns: u64,
    worst_overrun_us: u64,
    faults: BTreeMap<String, u64>,
}

impl Spent {
    /// Adds the resources that the player of `side` used in `game`.
    pub fn add(&mut self, game: &GameLine, side: Side) {
        for move_idx in (0..game.n_moves()).filter(|&move_idx| game.mover(move_idx) == side) {
            let count = |list: &[u64]| list.get(move_idx).copied().unwrap_or(0);
            self.moves += 1;
            self.playouts += count(&game.playouts) as f64;
            self.nodes += count(&game.nodes) as f64;
            self.time_us += count(&game.time_us) as f64;
            self.reused += game.reused.get(move_idx).copied().unwrap_or(0.0);
            let overrun = count(&game.overrun_us);
            self.overruns += u64::from(overrun > NOTABLE_OVERRUN_US);
            self.worst_overrun_us = self.worst_overrun_us.max(overrun);
        }
        self.memory_bytes = self.memory_bytes.max(game.peak_memory(side));
        if game.ending != EndingKind::Finished && game.fault_by == Some(SideName::from(side)) {
            *self.faults.entry(fault_name(game.ending).to_owned()).or_default() += 1;
        }
    }

    /// Thinking time in seconds.
    pub fn seconds(&self) -> f64 {
        self.time_us / 1e6
    }

    /// Playouts per second, or nodes of a search without playouts; `None` if no time was measured.
    pub fn per_second(&self) -> Option<f64> {
        let done = if self.playouts > 0.0 { self.playouts } else { self.nodes };
        (done > 0.0 && self.time_us > 0.0).then(|| done / self.seconds())
    }

    pub fn spending(self) -> Spending {
        let mean = |sum: f64, digits| (self.moves > 0).then(|| round(sum / self.moves as f64, digits)).flatten();
        Spending {
            moves: self.moves,
            playouts: mean(self.playouts, 1),
            nodes: mean(self.nodes, 1),
            time_ms: mean(self.time_us / 1000.0, 4),
            reused: mean(self.reused, 4),
            memory_bytes: self.memory_bytes,
            faults: self.faults,
            overruns: self.overruns,
            worst_overrun_ms: self.worst_overrun_us as f64 / 1000.0,
        }
    }
}

/// The name of a kind of fault in [`Spending::faults`].
pub(super) fn fault_name(ending: EndingKind) -> &'static str {
    match ending {
        EndingKind::Finished => "finished",
        EndingKind::Illegal => "illegal",
        EndingKind::Nonsense => "nonsense",
        EndingKind::Late => "late",
        EndingKind::Panicked => "panicked",
        EndingKind::Crashed => "crashed",
        EndingKind::Resigned => "resigned",
    }
}
