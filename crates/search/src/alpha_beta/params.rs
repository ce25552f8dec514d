//! Search parameters that follow from the settings, the game and the kind of search.

use banyan_core::{FINE, Game, Knowledge};

use super::config::{Algorithm, AlphaBetaConfig, Forced, Ordering};
use super::horizon::HorizonEval;
use super::lines::Lines;
use super::transposition_table::Layout;
use crate::options::Locking;

/// Remaining depth from which the entries of all children are probed before they are searched. Guess, untuned.
pub(super) const PROBE_CHILDREN_FROM: u32 = 3;
/// Low bits of a child's key that identify it among its siblings: a collision costs move order, not the result.
const HINT_BITS: u32 = 8;
/// Low bits of a child's key in exact searches, where the key needs more bits.
const EXACT_HINT_BITS: u32 = 5;

/// The depth of a search to the end of the game from this ply on: equal for a position in all searches.
pub(super) fn to_the_end(ply: u16) -> u32 {
    u32::MAX / 2 - u32::from(ply)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Params {
    /// Score of one point.
    pub(super) unit: i32,
    /// Whether there is no horizon.
    pub(super) exact: bool,
    /// Whether only the forced moves are searched.
    pub(super) forced: bool,
    /// The moves of the root with a value instead of a bound.
    pub(super) lines: Lines,
    /// Whether a move is searched with a null window first, except the first one.
    pub(super) null_window_first: bool,
    pub(super) ordering: Ordering,
    /// The value of a position at the horizon.
    pub(super) eval: HorizonEval,
    /// Largest error of that value, in units of 1 / [`FINE`] of a point.
    pub(super) eval_noise: i32,
    /// Least duration of an evaluation, in microseconds.
    pub(super) pad: u32,
    /// Whether one lock guards every update of the table.
    pub(super) locks_updates: bool,
    /// Standard deviations of ProbCut.
    pub(super) prob_cut: Option<f32>,
    /// Remaining depth from which symmetric positions share an entry.
    pub(super) symmetry_from: u32,
}

impl Params {
    /// The parameters of a search with a horizon.
    pub(super) fn with_horizon<G: Game>(game: &G, config: &AlphaBetaConfig) -> Params {
        let symmetric = game.symmetries() > 1;
        Params {
            unit: FINE,
            exact: false,
            forced: config.forced == Forced::Always,
            lines: config.lines,
            null_window_first: config.algorithm != Algorithm::Negamax,
            ordering: config.ordering,
            eval: config.eval,
            eval_noise: (config.eval_noise * FINE as f32) as i32,
            pad: config.pad,
            locks_updates: config.lock == Locking::Updates && config.n_threads() > 1,
            prob_cut: config.prob_cut.filter(|_| config.eval == HorizonEval::Static),
            symmetry_from: config.symmetry.filter(|_| symmetric).unwrap_or(u32::MAX),
        }
    }

    /// The parameters of a search to the end.
    pub(super) fn exact<G: Game>(game: &G) -> Params {
        Params {
            unit: 1,
            exact: true,
            forced: true,
            lines: Lines::Best(1),
            null_window_first: true,
            ordering: Ordering::History,
            eval: HorizonEval::Static,
            eval_noise: 0,
            pad: 0,
            locks_updates: false,
            prob_cut: None,
            symmetry_from: if game.symmetries() > 1 { 0 } else { u32::MAX },
        }
    }

    /// The layout of the table's entries for this game.
    pub(super) fn layout<G: Game>(&self, game: &G) -> Layout {
        let range = game.margin_range();
        let width = i32::from(range.upper.0) - i32::from(range.lower.0);
        let hint_bits = if self.exact { EXACT_HINT_BITS } else { HINT_BITS };
        Layout::new(width.max(1) * self.unit, game.max_plies().into(), hint_bits)
    }

    /// The key of a position's entry at this remaining depth.
    #[inline(always)]
    pub(super) fn key<G: Game>(&self, game: &G, knowledge: &impl Knowledge<G>, state: &G::State, depth: u32) -> u64 {
        if depth >= self.symmetry_from { knowledge.solver_key(game, state) } else { game.key(state) }
    }
}
