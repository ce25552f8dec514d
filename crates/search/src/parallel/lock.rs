//! Cells that threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is in a cell. Nobody goes on after a panic, so what it left is never looked at.
pub(crate) fn lock<'a, T>(cell: &'a Mutex<T>) -> MutexGuard<'a, T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}
