//! The atomics of shared nodes. The model checker (`tests/loom`) replaces them.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
