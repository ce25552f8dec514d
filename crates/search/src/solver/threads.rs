//! Proofs of one position by several threads with a table in common.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::scope;

use banyan_core::threads::spawn_scoped;
use banyan_core::{Game, Prover};

use super::position::{Position, ProofMonitor, ProvenMove, Way};

/// Positions between two checks of the clock, and of the other threads.
pub(super) const CHECK_EVERY: u64 = 256;

impl<'a, G: Game> Position<'a, G> {
    /// Proves in this `way` with all `provers`, a thread for each, or with the first ones if the system refuses threads. `None` if stopped;
    /// proven bounds are kept.
    pub(super) fn prove(
        &mut self,
        provers: &mut [Box<dyn Prover<G>>],
        way: Way<'_>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let (first, others) = provers.split_first_mut().expect("there is a prover");
        if others.is_empty() {
            return self.prove_alone(&mut **first, way, 0, monitor);
        }
        let shared = Shared::new(first.nodes(), monitor.most_nodes());
        scope(|scope| {
            let helpers: Vec<_> = (1..)
                .zip(others)
                .map_while(|(thread, prover)| {
                    let mut own = self.copied();
                    let mut helper = Helper { shared: &shared, counted: prover.nodes() };
                    spawn_scoped(scope, move || {
                        let _stop = StopOnDrop(helper.shared);
                        let done = own.prove_alone(&mut **prover, way, thread, &mut helper).is_some();
                        (own, done)
                    })
                })
                .collect();
            let mut all = WithHelpers { monitor, shared: &shared };
            let mut done = {
                let _stop = StopOnDrop(&shared);
                self.prove_alone(&mut **first, way, 0, &mut all).is_some()
            };
            for helper in helpers {
                let (other, was_done) = helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                self.merge(&other);
                done |= was_done;
            }
            done.then_some(())
        })
    }

    /// A copy for another thread.
    fn copied(&self) -> Position<'a, G> {
        let Position { game, state, mover, bounds, .. } = *self;
        let moves = self.moves.iter().map(|mv| ProvenMove { state: mv.state.clone(), ..*mv }).collect();
        Position { game, state, mover, bounds, moves }
    }

    /// Adds the bounds proven by another thread.
    fn merge(&mut self, other: &Position<'_, G>) {
        self.bounds = self.bounds.and(other.bounds);
        for (mv, proven) in self.moves.iter_mut().zip(&other.moves) {
            mv.bounds = mv.bounds.and(proven.bounds);
        }
    }
}

/// What the threads of a proof tell each other.
struct Shared {
    /// Whether one of them is done.
    stopped: AtomicBool,
    /// Positions of the first thread.
    first: AtomicU64,
    /// Positions of all further ones.
    further: AtomicU64,
    /// The positions at which all together stop.
    most_nodes: u64,
    /// The bits of the part of the limits that is used, which only the first thread knows.
    used: AtomicU64,
}

impl Shared {
    /// Before the first thread, whose prover has counted `nodes`, begins.
    fn new(nodes: u64, most_nodes: u64) -> Shared {
        let (first, further, used) = (AtomicU64::new(nodes), AtomicU64::new(0), AtomicU64::new(0.0_f64.to_bits()));
        Shared { stopped: AtomicBool::new(false), first, further, most_nodes, used }
    }
}

/// Stops the other threads when this one is done or panics.
struct StopOnDrop<'a>(&'a Shared);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Relaxed);
    }
}

/// A further thread, which counts its positions and stops with the others.
struct Helper<'a> {
    shared: &'a Shared,
    counted: u64,
}

impl<G: Game> ProofMonitor<G> for Helper<'_> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        let Shared { stopped, first, further, most_nodes, .. } = self.shared;
        further.fetch_add(nodes - self.counted, Relaxed);
        self.counted = nodes;
        let left = most_nodes.saturating_sub(first.load(Relaxed) + further.load(Relaxed));
        (left > 0 && !stopped.load(Relaxed)).then_some(nodes + left.min(CHECK_EVERY))
    }

    fn used(&self, _nodes: u64) -> f64 {
        f64::from_bits(self.shared.used.load(Relaxed))
    }

    fn note(&mut self, _position: &Position<'_, G>) {}
}

/// The first thread, whose monitor counts the positions of all.
struct WithHelpers<'a, 'm, G: Game> {
    monitor: &'m mut dyn ProofMonitor<G>,
    shared: &'a Shared,
}

impl<G: Game> ProofMonitor<G> for WithHelpers<'_, '_, G> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        if self.shared.stopped.load(Relaxed) {
            return None;
        }
        self.shared.first.store(nodes, Relaxed);
        self.shared.used.store(ProofMonitor::<G>::used(self, nodes).to_bits(), Relaxed);
        let others = self.shared.further.load(Relaxed);
        let next = self.monitor.next_check(nodes + others)?;
        Some(nodes + next.saturating_sub(nodes + others).clamp(1, CHECK_EVERY))
    }

    fn used(&self, nodes: u64) -> f64 {
        self.monitor.used(nodes + self.shared.further.load(Relaxed))
    }

    fn note(&mut self, position: &Position<'_, G>) {
        self.monitor.note(position);
    }
}

#[cfg(test)]
mod tests {
    use banyan_testkit::web::Web;

    use super::*;

    /// Knows the limit, as the monitor of the first thread does.
    struct Limited(u64);

    impl ProofMonitor<Web> for Limited {
        fn next_check(&mut self, nodes: u64) -> Option<u64> {
            (nodes < self.0).then_some(nodes + 1)
        }

        fn used(&self, nodes: u64) -> f64 {
            nodes as f64 / self.0 as f64
        }

        fn note(&mut self, _position: &Position<'_, Web>) {}
    }

    #[test]
    fn helpers_know_what_is_used_of_the_limits_of_all() {
        let shared = Shared::new(0, u64::MAX);
        let mut all = WithHelpers { monitor: &mut Limited(4000), shared: &shared };
        let mut helper = Helper { shared: &shared, counted: 0 };
        let used = |helper: &Helper<'_>| ProofMonitor::<Web>::used(helper, 0);
        assert_eq!(used(&helper), 0.0);
        assert_eq!(all.next_check(1000), Some(1001));
        assert_eq!(used(&helper), 0.25);
        // What helpers count is told to them when the first thread has seen it.
        assert_eq!(ProofMonitor::<Web>::next_check(&mut helper, 500), Some(500 + CHECK_EVERY));
        assert_eq!(used(&helper), 0.25);
        assert_eq!(all.next_check(1500), Some(1501));
        assert_eq!(used(&helper), 0.5);
        assert_eq!(all.next_check(3500), None);
    }
}
