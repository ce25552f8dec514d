//! Exact values by null windows.

use std::time::Duration;

use banyan_core::{Game, Limits, Report, Situation, Solution, Solver, Watch};

use super::guess::Guess;
use super::memory::Memory;
use super::root::{Root, RootMove};
use super::rules::{Rules, TO_THE_END};
use super::search::{Search, Window};
use super::table::Table;
use super::warden::Warden;

/// Solves any game small enough: a search to the end with a table, asked for one bound after another.
pub struct ExactSolver<G: Game> {
    table_mib: u32,
    memory: Memory<G, Guess>,
}

impl<G: Game> ExactSolver<G> {
    /// A solver whose table may grow to so many MiB, at least 1.
    pub fn new(table_mib: u32) -> ExactSolver<G> {
        ExactSolver { table_mib: table_mib.max(1), memory: Memory::new(Guess::Own, None) }
    }
}

impl<G: Game> Solver<G> for ExactSolver<G> {
    fn solve(&mut self, at: &Situation<'_, G>, limits: &Limits, watch: &mut dyn Watch<G::Move>) -> Solution<G::Move> {
        let rules = Rules::exact(at.game);
        // Another board may have the same keys, so nothing is kept from the last position.
        self.memory.table = Some(Table::new(rules.layout(at.game), self.table_mib));
        self.memory.begin();
        let mut root = Root::new(at.game, at.state, rules);
        let plies_left = at.game.max_plies().saturating_sub(at.game.ply(at.state));
        let mut warden = Warden::start(limits, plies_left, watch, Report::bare(root.best(), Duration::ZERO));
        let mut task = Task { nodes: 0, memory: &mut self.memory, warden: &mut warden };
        // Nothing is lost when it is stopped: what was proven until then stays noted in the root.
        let _ = task.value(&mut root).and_then(|()| task.best_moves(&mut root)).and_then(|()| task.others(&mut root));
        let nodes = task.nodes;
        let side = at.game.to_move(at.state);
        let mut moves: Vec<_> = root.moves.iter().map(|mv| (mv.child.mv, root.bounds(mv.lower, mv.upper))).collect();
        moves.sort_by_key(|&(_, bounds)| std::cmp::Reverse(bounds.seen_by(side)));
        Solution {
            bounds: root.bounds(root.lower, root.upper),
            moves,
            nodes,
            elapsed: warden.elapsed(),
            memory_bytes: self.memory.bytes(),
        }
    }
}

/// A position being solved.
struct Task<'t, 'w, G: Game> {
    nodes: u64,
    memory: &'t mut Memory<G, Guess>,
    warden: &'t mut Warden<'w, G::Move>,
}

impl<G: Game> Task<'_, '_, G> {
    /// Finds the value of the root. `None` if it was stopped.
    fn value(&mut self, root: &mut Root<'_, G>) -> Option<()> {
        root.agree();
        while root.lower < root.upper {
            let alpha = between(root.lower, root.upper);
            self.search(root, |root, search| root.search(search, TO_THE_END, Window::null(alpha)).map(|_| ()))?;
            root.agree();
        }
        Some(())
    }

    /// Finds out which moves reach the value of the root.
    fn best_moves(&mut self, root: &mut Root<'_, G>) -> Option<()> {
        let value = root.lower;
        for i in 0..root.moves.len() {
            if root.moves[i].lower < value && root.moves[i].upper >= value {
                self.test(root, i, value - 1)?;
            }
        }
        Some(())
    }

    /// Finds the value of every move.
    fn others(&mut self, root: &mut Root<'_, G>) -> Option<()> {
        for i in 0..root.moves.len() {
            while let RootMove { lower, upper, .. } = root.moves[i]
                && lower < upper
            {
                self.test(root, i, between(lower, upper))?;
            }
        }
        Some(())
    }

    fn test(&mut self, root: &mut Root<'_, G>, i: usize, alpha: i32) -> Option<()> {
        self.search(root, |root, search| root.test(search, i, alpha).map(|_| ()))
    }

    fn search(
        &mut self,
        root: &mut Root<'_, G>,
        ask: impl FnOnce(&mut Root<'_, G>, &mut Search<'_, G, Guess>) -> Option<()>,
    ) -> Option<()> {
        let (game, state) = (root.game, root.state);
        let mut search = self.memory.search(game, state, root.rules, self.warden);
        search.nodes = self.nodes;
        let answer = ask(root, &mut search);
        self.nodes = search.nodes;
        self.warden.report.best = root.best();
        self.warden.report.proof = Some(root.bounds(root.lower, root.upper));
        answer
    }
}

/// The bound to ask for next, at least `lower` and less than `upper`: near 0 first, for who wins is the cheapest
/// question (Pascal Pons, Solving Connect Four, part 8).
fn between(lower: i32, upper: i32) -> i32 {
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
    fn every_interval_is_cut_and_who_wins_is_asked_first() {
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
