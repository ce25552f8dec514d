//! The C strategy ABI of Tsinghua's courses for Connect Four: two functions that a library exports.
//!
//! ```c
//! struct Point { int x, y; };                 // row from the top, column from the left, both from 0
//! struct Point *getPoint(const int M, const int N, const int *top, const int *board,
//!                        const int lastX, const int lastY, const int noX, const int noY);
//! void clearPoint(struct Point *p);           // whoever made a Point frees it
//! ```
//!
//! [`Library`] loads such a library, [`serve`] lets it speak UGI, and [`Client`] asks that host for moves; [`Guest`] is the
//! other way round, Banyan as such a library. The arguments mean what they mean on [`saiblo`](crate::saiblo).

mod client;
mod guest;
mod host;
mod library;

pub use client::Client;
pub use guest::{Guest, Question};
pub use host::serve;
pub use library::Library;

use std::ffi::c_int;

use banyan_catalog::GameState;
use banyan_core::TextError;

use crate::saiblo::Start;

/// A cell as a library writes it: row from the top and column from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Point {
    /// The row.
    pub x: c_int,
    /// The column.
    pub y: c_int,
}

/// How the ABI says that there is no cell.
pub const NOWHERE: Point = Point { x: -1, y: -1 };

/// The board as the ABI has it.
///
/// # Errors
/// Another game, or more holes than one, for which it has no words.
fn board(at: &dyn GameState) -> Result<Start, TextError> {
    let spec = at.spec();
    if spec.split(':').next() != Some("connect-four") {
        return Err(TextError::new(spec, "strategy libraries play connect-four", "choose connect-four"));
    }
    at.picture().and_then(|picture| Start::of(&picture)).ok_or_else(|| {
        let expected = "strategy libraries know one hole at most";
        TextError::new(spec, expected, "choose a board with one hole or none")
    })
}
