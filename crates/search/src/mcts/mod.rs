//! Monte Carlo tree search: UCT, composed from the named choices of a [`Config`].

mod config;
mod outcome;
mod select;
mod simulate;
mod tree;

use std::time::{Duration, Instant};

use banyan_core::cpu::dispatch;
use banyan_core::{Fault, Flow, Game, Limits, Player, Report, Rng, Situation, Watch};

use crate::budget::Budget;
use simulate::{Search, Stretch, Task};
use tree::{NodeId, Tally};

pub use config::{Config, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Reuse, Reward, TieBreak};

/// A search ends, whatever its budget, when its root has so many visits: counts stay below 2^31, where scores are taken
/// from signed numbers. That is some 20 minutes of the fastest game; by then nothing changes any more.
const MOST_VISITS: u32 = (1 << 31) - (1 << 16);

/// Progress is reported this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Upper Confidence bounds applied to Trees (Kocsis and Szepesvari 2006), with one playout of uniformly random moves
/// per leaf.
pub struct Uct<G: Game> {
    config: Config,
    search: Search<G>,
    /// The position the tree belongs to; `None` before the first search.
    memory: Option<Remembered<G>>,
}

/// What the tree was grown from.
struct Remembered<G: Game> {
    root: NodeId,
    start: G::State,
    played: Vec<G::Move>,
}

impl<G: Game> Uct<G> {
    /// A search composed as `config` says, seeded with 0 until a game begins.
    pub fn new(config: Config) -> Uct<G> {
        let search = Search::new(config.memory_mib, Rng::new(0));
        Uct { config, search, memory: None }
    }

    /// What the search is composed from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The root for this position and the share of the old tree's visits that it keeps. A tree that cannot serve is
    /// dropped.
    fn root(&mut self, at: &Situation<'_, G>) -> (NodeId, f64) {
        if let Some((node, share)) = self.find_again(at) {
            return (node, share);
        }
        self.search.tree.clear();
        self.search.nodes = 1;
        let root = self.search.expand(at.game, &self.config, at.state, Tally::default());
        (root.expect("an empty tree has room for a root"), 0.0)
    }

    /// Drops what cannot be reached from `root` any more, in a few per cent of the time it took to grow. Returns the
    /// root's new handle, or the answer of the old tree if time runs out or the watch stops the search meanwhile.
    fn make_room(
        &mut self,
        at: &Situation<'_, G>,
        root: NodeId,
        reused: f64,
        budget: &Budget,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<NodeId, Box<Report<G::Move>>> {
        if self.search.tree.is_first(root) {
            return Ok(root);
        }
        let known = self.report(at, root, reused, budget.elapsed());
        let mut beat = Heartbeat::new();
        let kept = self
            .search
            .tree
            .keep_only(root, &mut || budget.is_late() || watch.stopped() || beat.tell(watch, || known.clone()));
        if let Some((root, tried)) = kept {
            self.search.nodes = 1 + tried;
            return Ok(root);
        }
        self.search.tree.clear();
        self.memory = None;
        Err(Box::new(known))
    }

    /// The node of this position in the tree of the last search, and its share of that tree's visits.
    fn find_again(&self, at: &Situation<'_, G>) -> Option<(NodeId, f64)> {
        let old = self.memory.as_ref().filter(|_| self.config.reuse == Reuse::Keep)?;
        let since = at.played.strip_prefix(old.played.as_slice()).filter(|_| *at.start == old.start)?;
        let tree = &self.search.tree;
        let mut node = old.root;
        for mv in since {
            let edge = tree.edges(node).find(|&edge| tree.mv(edge) == *mv)?;
            node = tree.child(edge)?;
        }
        let share = f64::from(tree.total(node).visits) / f64::from(tree.total(old.root).visits.max(1));
        Some((node, share))
    }
}

impl<G: Game> Player<G> for Uct<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let plies_left = at.game.max_plies().saturating_sub(at.game.ply(at.state));
        let mut budget = Budget::start(limits, plies_left);
        self.search.playouts = 0;
        let (root, reused) = self.root(at);
        let root = match self.make_room(at, root, reused, &budget, watch) {
            Ok(root) => root,
            Err(known) => return Ok(*known),
        };
        let kept = self.search.nodes;
        self.memory = Some(Remembered { root, start: *at.start, played: at.played.to_vec() });
        let mut beat = Heartbeat::new();
        // However small the budget, one playout is made, so that there is a best move.
        let mut stretch = 1;
        let room = u64::from(MOST_VISITS.saturating_sub(self.search.tree.total(root).visits));
        loop {
            let left = budget.playouts_left(self.search.playouts, self.search.nodes - kept);
            let most_playouts = left.min(room.saturating_sub(self.search.playouts)).max(1);
            dispatch(Stretch {
                search: &mut self.search,
                task: Task { game: at.game, config: &self.config, root, state: at.state },
                playouts: stretch,
                most_playouts,
            });
            let Some(next) = budget.next_stretch(self.search.playouts, self.search.nodes - kept) else { break };
            stretch = next.min(room.saturating_sub(self.search.playouts));
            if stretch == 0 {
                break;
            }
            if watch.stopped() || beat.tell(watch, || self.report(at, root, reused, budget.elapsed())) {
                break;
            }
        }
        Ok(self.report(at, root, reused, budget.elapsed()))
    }

    fn new_game(&mut self, seed: u64) {
        self.search.rng = Rng::new(seed);
        self.search.tree.clear();
        self.memory = None;
    }
}

/// Reports progress every so often.
struct Heartbeat {
    last: Instant,
}

impl Heartbeat {
    fn new() -> Heartbeat {
        Heartbeat { last: Instant::now() }
    }

    /// Tells `watch` how things stand if it is time to; whether it wants the search to stop.
    fn tell<M>(&mut self, watch: &mut dyn Watch<M>, report: impl FnOnce() -> Report<M>) -> bool {
        if self.last.elapsed() < PROGRESS_EVERY {
            return false;
        }
        self.last = Instant::now();
        watch.progress(&report()) == Flow::Stop
    }
}

#[cfg(test)]
#[path = "../../tests/chain/mod.rs"]
mod chain;

#[cfg(test)]
mod tests {
    use banyan_core::Silent;

    use super::chain::Chain;
    use super::*;

    #[test]
    fn a_search_ends_before_its_counts_outgrow_their_words() {
        let game = Chain { tokens: 20, extra_turn_at: None };
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let mut uct = Uct::new(Config::default());
        uct.choose(&at, &Limits::playouts(1000), &mut Silent).expect("no fault");
        let root = uct.memory.as_ref().expect("a search came before").root;
        let most = uct.search.tree.edges(root).max_by_key(|&edge| uct.search.tree.tally(edge).visits);
        let edge = most.expect("the root has children");
        let tally = uct.search.tree.tally(edge);
        uct.search.tree.set_tally(edge, Tally { visits: MOST_VISITS - 2000, ..tally });
        let report = uct.choose(&at, &Limits::playouts(1_000_000), &mut Silent).expect("no fault");
        assert!(report.playouts > 0 && report.playouts < 3000, "{} playouts", report.playouts);
        assert_eq!(report.moves.iter().map(|stat| stat.visits).sum::<u64>(), u64::from(MOST_VISITS));
        assert_eq!(uct.choose(&at, &Limits::playouts(1000), &mut Silent).expect("no fault").playouts, 1);
    }
}
