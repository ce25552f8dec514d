//! Books, from which every player can play: text files of positions, with values and moves that searches found, or with exact values.

mod built_in;
mod error;
mod exact;
mod exact_player;
mod exact_prover;
mod expansion;
mod opened;
mod plan;
mod player;
mod read;
mod setting;
mod show;
mod value;
mod view;

pub(crate) use built_in::BUILT_IN;
pub use built_in::BuiltInBook;
pub use error::BookError;
pub use exact::{ExactBook, ExactPlan, POSITIONS_PER_LINE};
pub(crate) use exact_player::ExactBookPlayer;
pub(crate) use exact_prover::BookProver;
pub use expansion::{Child, children, go_to};
pub use opened::{Book, Found};
pub use plan::BookPlan;
pub(crate) use player::BookPlayer;
pub use read::{LINE_FORM, read_book};
pub use setting::open_exact_book;
pub(crate) use setting::{BookSetting, OpenedBook};
pub use value::BookValue;
pub use view::{BookMoveView, BookView, ExactBookView};
