//! The settings of an alpha-beta search: one row for each.

use super::horizon::HorizonEval;
use super::lines::Lines;
use crate::options::{Locking, Range, Reuse, Schedule, conflict, with_published_alpha_beta_rows, words};

/// The search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with one window for all moves (Knuth and Moore 1975), in negamax form.
    Negamax,
    /// Principal variation search: moves after the first are only tested by a null window (Marsland and Campbell 1982;
    /// Reinefeld 1983, NegaScout).
    Pvs,
    /// MTD(f): null windows only, converging on the value from a first estimate (Plaat et al. 1996).
    Mtdf,
}

words! {
    /// The move ordering.
    Ordering {
        /// In the game's order.
        Listed = "listed",
        /// By the game's static ordering score.
        Static = "static",
        /// By the table's move, killer moves and history, then by the static score.
        History = "history",
    }
}

words! {
    /// Positions at which moves are restricted to the [forced ones](banyan_core::Knowledge::forced_moves).
    Forced {
        /// Never: every legal move is searched.
        Never = "never",
        /// At every position.
        Always = "always",
    }
}

with_published_alpha_beta_rows! {
    /// The settings of an alpha-beta search; all fields but the algorithm are rows of [`ALPHA_BETA_TUNABLES`].
    struct AlphaBetaConfig {
        /// The search algorithm.
        algorithm: Algorithm,
    }

    /// Every setting of the alpha-beta family.
    const ALPHA_BETA_TUNABLES;

    depth: Option<u32> = "depth" {
        default: "off",
        range: Range::WholeOrOff { min: 1, max: 1000, step: 1 },
        help: "greatest depth of the search in plies; off: as deep as the budget allows",
    }
    eval: HorizonEval = "eval" {
        default: "static",
        help: "value of a position at the horizon: static, the static evaluation; FILE, the same with the weights of that file (banyan train); margin, the margin if the game stopped there; hash, a hash, to measure the search by itself",
    }
    table_mib: Option<u32> = "table-mib" {
        default: "256",
        neutral: "64",
        range: Range::WholeOrOff { min: 1, max: 65_536, step: 64 },
        help: "MiB that the transposition table may grow to; off: no table",
    }
    symmetry: Option<u32> = "symmetry" {
        default: "off",
        range: Range::WholeOrOff { min: 1, max: 1000, step: 1 },
        help: "symmetric positions share a table entry from this remaining depth in plies on; off: never (equal moves may then stand for one another at the horizon)",
        source: "Zhang and Meng 2020",
    }
    ordering: Ordering = "order" {
        default: "history",
        neutral: "listed",
        help: "move ordering: listed, as the game lists them; static, by the game's ordering score; history, table move, killer moves and history first",
        source: "Schaeffer 1989",
    }
    window: Option<f32> = "window" {
        default: "2",
        neutral: "off",
        range: Range::RealOrOff { min: 0.125, max: 1000.0, step: 0.5 },
        help: "aspiration window: points on either side of the previous depth's value; off: full window",
    }
    forced: Forced = "forced" {
        default: "always",
        neutral: "never",
        help: "one-ply tactics (win, block, avoid) restrict the moves searched: never, always",
    }
    // Tuned by matches at equal time, November 2026: better than 1.5, not shown to differ from 0.5 and 1.
    prob_cut: Option<f32> = "probcut" {
        default: "0.7",
        neutral: "off",
        range: Range::RealOrOff { min: 0.1, max: 100.0, step: 0.1 },
        help: "ProbCut: a position is left where a shallower search exceeds the null window by so many standard deviations of its error; needs a game that knows these; off: never",
        source: "Buro 1997",
    }
    reuse: Reuse = "reuse" {
        default: "keep",
        neutral: "none",
        help: "transposition table between moves: none, start empty; keep",
    }
    lines: Lines = "lines" {
        default: "1",
        range: Range::WholeOrAll { min: 1, max: 255, step: 1 },
        help: "number of moves with a value instead of an upper bound, the best ones first, or all",
    }
    threads: u32 = "threads" {
        default: "1",
        range: Range::Whole { min: 1, max: 256, step: 1 },
        help: "threads that search together with one table; with more than one a search does not repeat exactly",
        source: "Lazy SMP",
        conflicts: [|config| conflict(
            config.threads > 1 && config.table_mib.is_none(),
            format!("threads={},table-mib=off", config.threads),
            "a table with it, through which threads share their results", "try table-mib=256 or threads=1",
        )],
    }
}

impl AlphaBetaConfig {
    /// This algorithm with every setting at its default.
    pub fn new(algorithm: Algorithm) -> AlphaBetaConfig {
        AlphaBetaConfig::at_defaults(algorithm)
    }

    /// The greatest depth at a phase of the game.
    pub(super) fn depth_at(&self, phase: f32) -> u32 {
        let scheduled = self.depth_schedule.is_set().then(|| self.depth_schedule.at(phase).round() as u32);
        self.depth.unwrap_or(u32::MAX).min(scheduled.unwrap_or(u32::MAX))
    }

    /// The number of threads; 1 without a table to share.
    pub(super) fn n_threads(&self) -> u32 {
        if self.check().is_ok() { self.threads } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_accepts_and_returns_its_default_and_every_word() {
        for row in ALPHA_BETA_TUNABLES {
            let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
            assert_eq!(config.get(row.name).as_deref(), Some(row.default), "{}", row.name);
            for value in row.range.samples() {
                config.set(row.name, &value).unwrap_or_else(|err| panic!("{}: {err}", row.name));
                assert_eq!(config.get(row.name), Some(value));
            }
        }
    }

    #[test]
    fn threads_need_a_table() {
        let mut config = AlphaBetaConfig { threads: 4, ..AlphaBetaConfig::new(Algorithm::Pvs) };
        assert_eq!((config.check(), config.n_threads()), (Ok(()), 4));
        config.table_mib = None;
        let err = config.check().expect_err("nothing to share").to_string();
        assert!(err.starts_with("threads=4,table-mib=off: ") && config.n_threads() == 1, "{err}");
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
        for (name, value) in
            [("depth", "0"), ("table-mib", "0"), ("window", "nan"), ("threads", "0"), ("eval", "best"), ("c", "1")]
        {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, AlphaBetaConfig::new(Algorithm::Pvs));
    }
}
