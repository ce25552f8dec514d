//! The atomics that shared nodes are made of. Under the model checker (`tests/loom`) others stand in their place.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
