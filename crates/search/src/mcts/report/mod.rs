//! The report of a search: the final move, the moves in order, the principal variations; and the most visited nodes for
//! pictures.

mod explore;
mod outcome;
mod symmetric_moves;
mod view;

pub(crate) use explore::explored;
pub(crate) use outcome::{Totals, principal_variation, report, report_of};
pub(crate) use view::{FinalMoveSelector, TreeView};
