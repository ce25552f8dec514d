//! Reviews of games by a strong player, the accuracy of players on positions with exact scores, and drawings of the top of a search.

pub mod accuracy;
mod curve;
mod decisive;
pub mod drawing;
mod game_accuracy;
mod judge;
mod page;
mod reasons;
mod reviewer;
mod view;
mod words;

pub use banyan_texts::Language;
pub use curve::curve_picture;
pub use page::{REPORT_STYLE, page};
pub use reasons::{reason_in_words, reasons_in_words, side_names};
pub use reviewer::{ReviewError, ReviewPlan, Reviewer};
pub use view::{Mark, ReasonView, Review, ReviewUnit, ReviewedMove, ReviewedSide, Valuation};
pub use words::{loss_in_words, value_in_words};
