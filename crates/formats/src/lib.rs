//! Recorded games and positions of every form, read and written, and the messages of game protocols as types.
//!
//! [`GameFile`] reads games of any format, [`ScoredFile`] positions with exact scores. Each protocol has a codec
//! (messages as types) and a reader of its transcripts. Nothing here opens a file or a stream: readers take text or
//! bytes.

pub mod botzone;
pub mod ccgc;
mod game_file;
pub mod gtp;
mod move_lines;
pub mod nboard;
mod obf;
mod openspiel;
mod records;
pub mod saiblo;
pub mod sau;
mod scored_file;
mod transcript;
pub mod ugi;
mod utf8;
mod words;
pub mod wthor;

pub use game_file::{GameFile, Recorded};
pub use records::{FileBounds, read_transcripts};
pub use scored_file::ScoredFile;
pub use transcript::Transcript;
pub use words::{split_word, strip_words};

/// The built-in games, for tests.
#[cfg(test)]
fn builtin() -> banyan_catalog::Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    banyan_catalog::Catalog::of(families).expect("presets that are players")
}
