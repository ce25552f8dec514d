//! The C strategy ABI of Tsinghua's courses for Connect Four: two functions that a library exports.
//!
//! ```c
//! struct Point { int x, y; };                 // row from the top, column from the left, both from 0
//! struct Point *getPoint(const int M, const int N, const int *top, const int *board,
//!                        const int lastX, const int lastY, const int noX, const int noY);
//! void clearPoint(struct Point *p);           // frees a Point in the library that allocated it
//! ```
//!
//! [`Library`] loads such a library, [`serve`] is the host that serves it over UGI, and [`Client`] is the client of that
//! host. [`Guest`] is the reverse: Banyan as such a library. The arguments are those of [`saiblo`](crate::saiblo).

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

/// A cell in the ABI: row from the top and column from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Point {
    /// The row.
    pub x: c_int,
    /// The column.
    pub y: c_int,
}

/// No cell in the ABI.
pub const NOWHERE: Point = Point { x: -1, y: -1 };

/// The board in the ABI's form.
///
/// # Errors
/// Another game, or more than one hole.
fn board(at: &GameState) -> Result<Start, TextError> {
    let spec = at.spec();
    if spec.split(':').next() != Some("connect-four") {
        return Err(TextError::new(
            spec,
            "expected connect-four, the only game of strategy libraries",
            "use connect-four",
        ));
    }
    at.picture().and_then(|picture| Start::of(&picture)).ok_or_else(|| {
        let expected = "expected at most one hole for a strategy library";
        TextError::new(spec, expected, "use a board with at most one hole")
    })
}
