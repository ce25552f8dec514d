//! The search on several threads: who works (`crew`), and what each scheme has them do: `root`, `mutex` and `leaf`, of
//! which the last two share how a leaf is taken out of a search and put back (`one_leaf`) and when it ends (`overseer`).

use std::sync::{Mutex, MutexGuard, PoisonError};

mod crew;
pub(super) mod leaf;
pub(super) mod mutex;
mod one_leaf;
mod overseer;
pub(super) mod root;
pub(super) mod shared;
/// What is in a cell. Nobody goes on after a panic, so what it left is never looked at.
fn lock<'a, T>(cell: &'a Mutex<T>) -> MutexGuard<'a, T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}
