//! The subcommands: each parses, calls the library and prints. What is played in a folder is in `matches`, what serves a
//! protocol in `servers`.

pub(crate) mod accuracy;
pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod calc;
pub(crate) mod completions;
pub(crate) mod engines;
mod game_list;
pub(crate) mod games;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod servers;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod train;
pub(crate) mod tui;
