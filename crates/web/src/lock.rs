//! Locks that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of a lock; what a panic left is as good as any, for every value is replaced as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
