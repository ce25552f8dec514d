//! The terminal twin of the page: boards, analysis, reviews and matches on a full screen, by the answers of `banyan-api`.
//!
//! The screen is drawn by one thread, which also reads the keys; searches run on another one, and a match
//! that is watched is read on a third. Every sentence is in the tables of `banyan-texts`.

mod action;
mod app;
mod canvas;
mod edit;
mod engine;
mod files;
mod form;
mod game;
mod hits;
mod keys;
mod look;
mod pointing;
mod screen;
mod session;
mod spec;
mod view;
mod watch;
mod words;

pub use look::{Colours, Look};
pub use screen::restore;
pub use session::{LeftGame, Settings, Start, TuiError, run};

#[doc(hidden)]
pub mod testing;
