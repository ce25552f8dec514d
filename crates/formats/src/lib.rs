//! Recorded games and positions of every form, read and written, and the messages of game protocols as types.
//!
//! [`Reading`] reads games and positions of all [forms](FORMS), which [`Form::write`] writes, [`ScoredFile`] positions with exact scores. Each protocol has a codec
//! (messages as types) and a reader of its transcripts. Nothing here opens a file or a stream: readers take text or
//! bytes.

mod board_text;
pub mod botzone;
pub mod ccgc;
mod forms;
mod found_game;
mod game_file;
pub mod gtp;
mod link;
mod move_text;
pub mod nboard;
mod obf;
mod openspiel;
mod records;
pub mod saiblo;
pub mod sau;
mod scan;
mod score;
mod scored_file;
mod scored_moves;
mod shown;
mod transcript;
pub mod ugi;
mod utf8;
mod words;
mod written;
pub mod wthor;

pub use forms::{FORMS, Form};
pub use game_file::{GameFile, Reading, Recorded};
pub use records::{FileBounds, is_record};
pub use scored_file::ScoredFile;
pub use transcript::Transcript;
pub use words::{half_width, half_width_text, split_word, strip_words};
pub use written::{drawing_title, drawing_without_moves};

/// The built-in games, for tests.
#[cfg(test)]
fn builtin() -> banyan_catalog::Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    banyan_catalog::Catalog::of(families).expect("presets that are players")
}
