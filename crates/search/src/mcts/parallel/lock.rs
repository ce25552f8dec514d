//! Mutexes that ignore poisoning.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. A panic ends the search, so poisoned data is never used.
pub(crate) fn lock<'a, T>(cell: &'a Mutex<T>) -> MutexGuard<'a, T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}
