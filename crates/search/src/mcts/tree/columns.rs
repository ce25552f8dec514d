//! Optional statistics of edges, a number each: one row for each.
//!
//! Every edge has four words (`layout`). What only some settings read of an edge is a column: one more array of each
//! node, behind those four, which only the graphs of such searches have. Columns are addressed, copied to node caches,
//! merged and moved with their edges by their rows alone, and no other code names one that it does not read or write. A
//! column belongs to the node that has the edge, so it outlives the node below, which may be recycled and made again.

use super::layout::{self, FIXED};
use crate::options::{Config, ExpansionOrder, PendingVisits, Scale, Selection};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Mean square of the rewards.
    Square,
    /// Prior probability of the move; 0 at every edge of a node whose priors are not known yet.
    Prior,
    /// Static evaluation of the position below, as a reward from the node on.
    Heuristic,
    /// Minimax value of the static evaluations below, as a reward from the node on.
    Minimax,
    /// Pending visits that count as losses (`pending=loss`); 0 when no leaf is pending.
    Losses,
}

/// How what two threads wrote into their copies of a shared node becomes one value.
#[derive(Clone, Copy)]
pub(crate) enum Merge {
    /// Every thread sets the same value, once, and publishes it at once (`Access::learnt_priors`).
    Same,
    /// A sum: what each has added is added.
    Sum,
    /// A mean over the visits of the edge, between the least and the largest value for rewards in a range. (The mean of
    /// what two threads have added may lie beyond, since one may read visits and mean while the other writes them.)
    Mean(fn(rewards: [f32; 2]) -> [f32; 2]),
}

/// The row of a column.
struct Row {
    column: Column,
    /// Its value at a new edge.
    initial: f32,
    merge: Merge,
    /// Whether a search with these settings keeps it; `priors`: whether the search has priors.
    is_kept: fn(config: &Config, priors: bool) -> bool,
}

/// Every column.
const ROWS: [Row; 5] = [
    Row {
        column: Column::Square,
        initial: 0.0,
        merge: Merge::Mean(|[low, high]| [0.0, (low * low).max(high * high)]),
        is_kept: |config, _| config.selection == Selection::Ucb1Tuned || config.scale == Scale::Spread,
    },
    Row { column: Column::Prior, initial: 0.0, merge: Merge::Same, is_kept: |_, priors| priors },
    Row {
        column: Column::Heuristic,
        initial: 0.0,
        merge: Merge::Same,
        is_kept: |config, _| config.progressive_bias > 0.0 || config.order == ExpansionOrder::Static,
    },
    // Threads that share a graph do not keep it.
    Row { column: Column::Minimax, initial: 0.0, merge: Merge::Same, is_kept: |config, _| config.implicit > 0.0 },
    Row {
        column: Column::Losses,
        initial: 0.0,
        merge: Merge::Sum,
        is_kept: |config, _| config.pending_visits == PendingVisits::Loss,
    },
];

const _: () = {
    let mut i = 0;
    while i < ROWS.len() {
        assert!(ROWS[i].column as usize == i, "rows are in the order of the columns");
        i += 1;
    }
};

/// The columns that a graph has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// `[column]`: the index of its array among those of a node; 0 if the graph does not have it.
    arrays: [u8; ROWS.len()],
    len: u8,
    /// Whether visits change one of them.
    changes: bool,
}

impl Columns {
    /// The columns of a search with these settings, with priors or without.
    pub(crate) fn of(config: &Config, priors: bool) -> Columns {
        let mut columns = Columns::default();
        for row in ROWS.iter().filter(|row| (row.is_kept)(config, priors)) {
            columns.arrays[row.column as usize] = FIXED as u8 + columns.len;
            columns.len += 1;
            columns.changes |= !matches!(row.merge, Merge::Same);
        }
        columns
    }

    /// Their number.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.len.into()
    }

    /// Whether visits change one of them.
    #[inline(always)]
    pub(crate) fn change(self) -> bool {
        self.changes
    }

    /// Whether the graph has a column.
    #[inline(always)]
    pub(crate) fn has(self, column: Column) -> bool {
        self.arrays[column as usize] != 0
    }

    /// The array of a column, if the graph has it.
    #[inline(always)]
    pub(crate) fn array(self, column: Column) -> Option<usize> {
        self.has(column).then_some(self.arrays[column as usize].into())
    }

    /// Slots of a node with `len` children.
    #[inline(always)]
    pub(crate) fn slots_of(self, len: usize) -> usize {
        layout::slots_of(len, self.len())
    }

    /// The array of each column that the graph has and that does not begin with 0, and its first value.
    #[inline(always)]
    pub(crate) fn initial_numbers(self) -> impl Iterator<Item = (usize, f32)> {
        self.rows().map(|(row, array)| (array, row.initial)).filter(|&(_, initial)| initial != 0.0)
    }

    /// The array of each column that the graph has, and its rule.
    pub(crate) fn merges(self) -> impl Iterator<Item = (usize, Merge)> {
        self.rows().map(|(row, array)| (array, row.merge))
    }

    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = (&'static Row, usize)> {
        ROWS.iter().filter_map(move |row| Some((row, self.array(row.column)?)))
    }
}

/// What a graph stores, by the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keeps {
    /// Whether positions with the same key share a node.
    pub(crate) shared: bool,
    pub(crate) columns: Columns,
}
