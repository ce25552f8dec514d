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
        let (stopped, nodes) = (AtomicBool::new(false), [AtomicU64::new(first.nodes()), AtomicU64::new(0)]);
        let most_nodes = monitor.most_nodes();
        scope(|scope| {
            let helpers: Vec<_> = (1..)
                .zip(others)
                .map_while(|(thread, prover)| {
                    let mut own = self.copied();
                    let mut helper = Helper { stopped: &stopped, nodes: &nodes, most_nodes, counted: prover.nodes() };
                    spawn_scoped(scope, move || {
                        let _stop = StopOnDrop(helper.stopped);
                        let done = own.prove_alone(&mut **prover, way, thread, &mut helper).is_some();
                        (own, done)
                    })
                })
                .collect();
            let mut all = WithHelpers { monitor, stopped: &stopped, nodes: &nodes };
            let mut done = {
                let _stop = StopOnDrop(&stopped);
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

/// Stops the other threads when this one is done or panics.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A further thread, which counts its positions and stops with the others.
struct Helper<'a> {
    stopped: &'a AtomicBool,
    /// Positions of the first thread, and of all further ones.
    nodes: &'a [AtomicU64; 2],
    most_nodes: u64,
    counted: u64,
}

impl<G: Game> ProofMonitor<G> for Helper<'_> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        let [first, further] = self.nodes;
        further.fetch_add(nodes - self.counted, Relaxed);
        self.counted = nodes;
        let left = self.most_nodes.saturating_sub(first.load(Relaxed) + further.load(Relaxed));
        (left > 0 && !self.stopped.load(Relaxed)).then_some(nodes + left.min(CHECK_EVERY))
    }

    fn note(&mut self, _position: &Position<'_, G>) {}
}

/// The first thread, whose monitor counts the positions of all.
struct WithHelpers<'a, 'm, G: Game> {
    monitor: &'m mut dyn ProofMonitor<G>,
    stopped: &'a AtomicBool,
    nodes: &'a [AtomicU64; 2],
}

impl<G: Game> ProofMonitor<G> for WithHelpers<'_, '_, G> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        if self.stopped.load(Relaxed) {
            return None;
        }
        let [first, further] = self.nodes;
        first.store(nodes, Relaxed);
        let others = further.load(Relaxed);
        let next = self.monitor.next_check(nodes + others)?;
        Some(nodes + next.saturating_sub(nodes + others).clamp(1, CHECK_EVERY))
    }

    fn used(&self, nodes: u64) -> f64 {
        self.monitor.used(nodes + self.nodes[1].load(Relaxed))
    }

    fn note(&mut self, position: &Position<'_, G>) {
        self.monitor.note(position);
    }
}
