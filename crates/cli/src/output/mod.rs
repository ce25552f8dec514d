//! What the subcommands write: the streams, tables, boards, progress, and files.

pub(crate) mod board;
pub(crate) mod game_words;
pub(crate) mod message;
pub(crate) mod move_names;
pub(crate) mod output_file;
pub(crate) mod results;
pub(crate) mod search_progress;
pub(crate) mod structure;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod tree_file;
pub(crate) mod work;
pub(crate) mod wrap;
