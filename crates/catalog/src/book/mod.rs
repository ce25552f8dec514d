//! Opening books: a text file of positions with their values and moves, from which every player can play.

mod error;
mod expansion;
mod opened;
mod plan;
mod player;
mod read;
mod setting;
mod show;
mod value;
mod view;

pub use error::BookError;
pub use expansion::{Child, children, go_to};
pub use opened::{Book, Found};
pub use plan::BookPlan;
pub(crate) use player::BookPlayer;
pub use read::{LINE_FORM, read_book};
pub(crate) use setting::BookSetting;
pub use value::BookValue;
pub use view::{BookMoveView, BookView};
