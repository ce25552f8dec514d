//! Loom's atomics, with an order of all `SeqCst` accesses.
//!
//! Loom treats such an access as acquire and release, and puts only fences into one order. So each access gets a fence: in front
//! of it, then, in another run, behind it. Either way the accesses are in one order. But a weaker access among them
//! lacks its fence, and with all fences on one side no neighbour's fence replaces it: of a thread that writes, then
//! reads, a fence in front guards the read, one behind guards the write.

use std::cell::Cell;

use loom::model::Builder;
pub(super) use loom::sync::atomic::Ordering;
use loom::sync::atomic::fence;

/// Positions of fences relative to the accesses.
#[derive(Clone, Copy, PartialEq)]
enum Fences {
    Nowhere,
    Before,
    Behind,
}

thread_local! {
    /// Loom runs all threads of a model on the calling thread.
    static FENCES: Cell<Fences> = const { Cell::new(Fences::Nowhere) };
}

/// Tries a model that needs no order of all accesses.
pub(in crate::mcts::tree) fn explore(model: impl Fn() + Copy + Send + Sync + 'static) {
    try_with(Fences::Nowhere, model);
    explore_in_one_order(model);
}

/// Tries a model in which `SeqCst` accesses are in one order.
pub(in crate::mcts::tree) fn explore_in_one_order(model: impl Fn() + Copy + Send + Sync + 'static) {
    try_with(Fences::Before, model);
    try_with(Fences::Behind, model);
}

fn try_with(fences: Fences, model: impl Fn() + Send + Sync + 'static) {
    FENCES.set(fences);
    Builder::new().check(model);
}

fn ordered<T>(ordering: Ordering, access: impl FnOnce() -> T) -> T {
    let stands = |fences| ordering == Ordering::SeqCst && FENCES.get() == fences;
    if stands(Fences::Before) {
        fence(Ordering::SeqCst);
    }
    let outcome = access();
    if stands(Fences::Behind) {
        fence(Ordering::SeqCst);
    }
    outcome
}

macro_rules! atomic {
    ($name:ident of $number:ty) => {
        #[derive(Debug)]
        pub(in crate::mcts::tree) struct $name(loom::sync::atomic::$name);

        #[allow(dead_code, reason = "only one of them counts")]
        impl $name {
            #[track_caller]
            pub(in crate::mcts::tree) fn new(number: $number) -> $name {
                $name(loom::sync::atomic::$name::new(number))
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn load(&self, ordering: Ordering) -> $number {
                ordered(ordering, || self.0.load(ordering))
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn store(&self, number: $number, ordering: Ordering) {
                ordered(ordering, || self.0.store(number, ordering));
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn fetch_add(&self, number: $number, ordering: Ordering) -> $number {
                ordered(ordering, || self.0.fetch_add(number, ordering))
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn fetch_or(&self, bits: $number, ordering: Ordering) -> $number {
                ordered(ordering, || self.0.fetch_or(bits, ordering))
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn compare_exchange(
                &self,
                old: $number,
                new: $number,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$number, $number> {
                ordered(success, || self.0.compare_exchange(old, new, success, failure))
            }

            #[track_caller]
            pub(in crate::mcts::tree) fn compare_exchange_weak(
                &self,
                old: $number,
                new: $number,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$number, $number> {
                self.compare_exchange(old, new, success, failure)
            }
        }
    };
}

atomic!(AtomicU32 of u32);
atomic!(AtomicU64 of u64);
