//! The exact solver: values by null windows.

use std::panic::resume_unwind;
use std::sync::RwLock;
use std::thread::scope;
use std::time::Duration;

use banyan_core::{Game, Knowledge, Limits, Plain, Report, SearchObserver, Situation, Solution, Solver, sort_by_order};

use super::context::Context;
use super::coordination::{Coordination, HELP_FROM, NoMonitor, StopOnPanic, ThreadMonitor};
use super::memory::Memory;
use super::params::{Params, TO_THE_END};
use super::root::{Root, RootMove};
use super::score::Window;
use super::search::Search;
use super::search_monitor::SearchMonitor;
use super::stop_condition::StopCondition;
use super::transposition_table::TranspositionTable;

/// Solves any game small enough: null-window searches to the end with a transposition table.
pub struct ExactSolver<G: Game, K = Plain> {
    table_mib: u32,
    threads: u32,
    memory: Memory<G, K>,
}

impl<G: Game> ExactSolver<G> {
    /// A solver whose table grows to at most so many MiB, at least 1.
    pub fn new(table_mib: u32) -> ExactSolver<G> {
        ExactSolver::with_knowledge(table_mib, Plain)
    }
}

impl<G: Game, K: Knowledge<G> + Clone> ExactSolver<G, K> {
    /// The same with game knowledge.
    pub fn with_knowledge(table_mib: u32, knowledge: K) -> ExactSolver<G, K> {
        ExactSolver { table_mib: table_mib.max(1), threads: 1, memory: Memory::new(knowledge) }
    }

    /// The same on so many threads, at least 1. With more than one the number of positions visited varies, and a limit
    /// on it is exceeded by some hundred positions per thread.
    pub fn with_threads(self, threads: u32) -> ExactSolver<G, K> {
        ExactSolver { threads: threads.max(1), ..self }
    }
}

impl<G: Game, K: Knowledge<G> + Clone> Solver<G> for ExactSolver<G, K> {
    fn solve(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Solution<G::Move> {
        let params = Params::exact(at.game);
        // Another board may have the same keys, so no entries are kept.
        let table = RwLock::new(TranspositionTable::new(params.layout(at.game), self.table_mib));
        self.memory.begin();
        let coordination = Coordination::new(self.threads, limits);
        let context = Context { game: at.game, state: at.state, params, table: Some(&table), coordination };
        let root = Root::new(at.game, &self.memory.knowledge, at.state, params);
        let plies_left = at.game.max_plies().saturating_sub(at.game.ply(at.state));
        let mut monitor = SearchMonitor::start(limits, plies_left, observer, Report::bare(root.best(), Duration::ZERO));
        let root = prove(&context, root, &mut self.memory, &mut monitor);
        let side = at.game.to_move(at.state);
        let mut moves: Vec<_> = root.moves.iter().map(|mv| (mv.child.mv, root.bounds(mv.lower, mv.upper))).collect();
        sort_by_order(&mut moves, |(_, a), (_, b)| a.seen_by(side) > b.seen_by(side));
        Solution {
            bounds: root.bounds(root.lower, root.upper),
            moves,
            nodes: context.coordination.counts().0,
            elapsed: monitor.elapsed(),
            memory_bytes: context.bytes(),
        }
    }
}

/// Proves values of the root on all threads, until solved or stopped.
fn prove<'a, G: Game, K: Knowledge<G> + Clone>(
    context: &'a Context<'_, G>,
    root: Root<'a, G>,
    memory: &mut Memory<G, K>,
    monitor: &mut SearchMonitor<'_, G::Move>,
) -> Root<'a, G> {
    let coordination = &context.coordination;
    let mut main = Proof { context, root, memory, monitor: ThreadMonitor::new(coordination, monitor), nodes: 0 };
    if coordination.n_threads() == 1 {
        main.run();
        return main.root;
    }
    scope(|scope| {
        let _stop_on_panic = StopOnPanic(coordination);
        main.monitor.pause_at = HELP_FROM;
        let mut helpers = Vec::new();
        if main.run().is_none() {
            for number in 1..coordination.n_threads() {
                let root = main.root.for_helper(number, coordination.n_threads());
                let knowledge = main.memory.knowledge.clone();
                helpers.push(scope.spawn(move || help(context, root, knowledge)));
            }
            main.monitor.pause_at = u64::MAX;
            main.run();
            coordination.stop();
        }
        let mut root = main.root;
        for helper in helpers {
            root.merge(&helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        root.reconcile_bounds();
        root
    })
}

/// The loop of a helper: the same, until the first thread is done.
fn help<'a, G: Game, K: Knowledge<G>>(context: &'a Context<'_, G>, root: Root<'a, G>, knowledge: K) -> Root<'a, G> {
    let coordination = &context.coordination;
    let _stop_on_panic = StopOnPanic(coordination);
    let mut memory = Memory::new(knowledge);
    let mut proof = Proof {
        context,
        root,
        memory: &mut memory,
        monitor: ThreadMonitor::new(coordination, NoMonitor(coordination)),
        nodes: 0,
    };
    if proof.run().is_some() {
        coordination.stop();
    }
    proof.root
}

/// Receives the proven bounds.
trait ProofObserver<G: Game>: StopCondition {
    fn note(&mut self, root: &Root<'_, G>);
}

impl<G: Game> ProofObserver<G> for &mut SearchMonitor<'_, G::Move> {
    fn note(&mut self, root: &Root<'_, G>) {
        self.report.best = root.best();
        self.report.proof = Some(root.bounds(root.lower, root.upper));
    }
}

impl<G: Game> ProofObserver<G> for NoMonitor<'_> {
    fn note(&mut self, _root: &Root<'_, G>) {}
}

/// A position being solved by one thread. Proven bounds are kept in the root when it is stopped, and the next run
/// continues from there.
struct Proof<'t, 'm, G: Game, K, O> {
    context: &'t Context<'t, G>,
    root: Root<'t, G>,
    memory: &'m mut Memory<G, K>,
    monitor: ThreadMonitor<'t, O>,
    /// Positions visited by this thread.
    nodes: u64,
}

impl<G: Game, K: Knowledge<G>, O: ProofObserver<G>> Proof<'_, '_, G, K, O> {
    /// `None` if it was stopped.
    fn run(&mut self) -> Option<()> {
        self.value()?;
        self.best_moves()?;
        self.remaining_moves()
    }

    /// Finds the value of the root.
    fn value(&mut self) -> Option<()> {
        self.root.reconcile_bounds();
        while self.root.lower < self.root.upper {
            let alpha = between(self.root.lower, self.root.upper);
            self.search(|root, search| root.search(search, TO_THE_END, Window::null(alpha)).map(|_| ()))?;
            self.root.reconcile_bounds();
        }
        Some(())
    }

    /// Finds the moves that reach the value of the root.
    fn best_moves(&mut self) -> Option<()> {
        let value = self.root.lower;
        for i in 0..self.root.moves.len() {
            if self.root.moves[i].lower < value && self.root.moves[i].upper >= value {
                self.test(i, value - 1)?;
            }
        }
        Some(())
    }

    /// Finds the value of every move.
    fn remaining_moves(&mut self) -> Option<()> {
        for i in 0..self.root.moves.len() {
            while let RootMove { lower, upper, .. } = self.root.moves[i]
                && lower < upper
            {
                self.test(i, between(lower, upper))?;
            }
        }
        Some(())
    }

    fn test(&mut self, i: usize, alpha: i32) -> Option<()> {
        self.search(|root, search| root.test(search, i, alpha).map(|_| ()))
    }

    fn search(&mut self, run: impl FnOnce(&mut Root<'_, G>, &mut Search<'_, G, K>) -> Option<()>) -> Option<()> {
        let mut search = Search::new(self.memory, self.context, &mut self.monitor);
        search.nodes = self.nodes;
        let result = run(&mut self.root, &mut search);
        self.nodes = search.nodes;
        drop(search);
        self.monitor.add_counts(self.nodes, 0);
        self.monitor.inner.note(&self.root);
        result
    }
}

/// The bound to test next, at least `lower` and less than `upper`: near 0 first, for the winner is the cheapest to
/// prove (Pascal Pons, Solving Connect Four, part 8).
pub(crate) fn between(lower: i32, upper: i32) -> i32 {
    let middle = lower + (upper - lower) / 2;
    match middle {
        ..=-1 if lower / 2 < middle => lower / 2,
        1.. if upper / 2 > middle => upper / 2,
        _ => middle,
    }
    .clamp(lower, upper - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_interval_is_split_and_the_winner_is_tested_first() {
        for lower in -40..40 {
            for upper in lower + 1..=40 {
                let alpha = between(lower, upper);
                assert!(lower <= alpha && alpha < upper, "{lower} .. {upper}: {alpha}");
            }
        }
        assert_eq!(between(-18, 18), 0);
        assert_eq!(between(1, 18), 9);
    }
}
