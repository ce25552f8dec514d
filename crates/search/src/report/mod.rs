//! What a search answers: the final move, the moves in order, the principal variation; and the top of its graph for pictures.

mod explore;
mod outcome;
mod view;

pub(crate) use explore::explored;
pub(crate) use outcome::{Totals, principal_variation, report, report_of};
pub(crate) use view::{FinalMoveSelector, TreeView};
