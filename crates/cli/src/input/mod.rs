//! What the subcommands read: arguments that several share, the file of external engines, recorded games, and files of
//! scored positions.

pub(crate) mod args;
pub(crate) mod engine_file;
pub(crate) mod game_terms;
pub(crate) mod language;
pub(crate) mod level;
pub(crate) mod replay;
pub(crate) mod scored_file;
