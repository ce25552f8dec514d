//! The way back up: every node on the path gets the value that follows from its children now.
//!
//! Values are recomputed, never added to: for shared nodes that is what makes the graph sound (KataGo, GraphSearch), and
//! single precision stays exact enough for any number of visits. Closed children, whose outcome is proven or cannot
//! matter, count no more; what is proven of the node bounds its value instead.

use banyan_core::{Game, Side};

use super::bounds::Packed;
use super::choices::{ExpansionWidth, StartValue};
use super::company::Company;
use super::graph::{Edge, NodeId, Tally};
use super::search::{News, Search, Step, Worth};
use super::select::{exploration, weighted_sum};
use super::task::{Rules, Task};

/// A position as its parent sees it.
#[derive(Clone, Copy)]
struct Child {
    mean: f32,
    square: f32,
    /// Narrower than they were, perhaps.
    bounds: Option<Packed>,
}

impl Child {
    #[inline(always)]
    fn tally(self, visits: u32) -> Tally {
        Tally { visits, mean: self.mean, square: self.square }
    }
}

impl<G: Game> Search<G> {
    /// The value of the leaf at the end of the path, which stands for one playout.
    #[inline(always)]
    pub(super) fn news_of_leaf(&self, worth: Worth) -> News {
        let step = self.path[self.path.len() - 1];
        let tally = self.graph.tally(step.edge).with(worth.value + f32::from(step.gain));
        News { tally, bounds: worth.bounds, made: 1 }
    }

    /// The node at the end of the path turned out to be settled.
    #[inline(always)]
    pub(super) fn news_of_settled(&self, rules: &Rules, node: NodeId) -> News {
        let step = self.path[self.path.len() - 1];
        let bounds = self.graph.bounds(node);
        let mean = bounds.clamp(0.0, rules.reward);
        let child = Child { mean, square: mean * mean, bounds: Some(bounds) };
        let visits = self.graph.tally(step.edge).visits;
        News { tally: child.tally(visits).after(step.gain), bounds: Some(bounds), made: 0 }
    }

    /// All children of the node at the end of the path have just been tried, with a playout each. So many visits of the
    /// path have been `counted` before.
    #[inline(always)]
    pub(super) fn news_of_children(
        &mut self,
        task: &Task<'_, G>,
        node: NodeId,
        state: &G::State,
        counted: u32,
    ) -> News {
        let step = self.path[self.path.len() - 1];
        let playouts = self.graph.len(node) as u32;
        let made = if task.config.expand == ExpansionWidth::Scout { 1 } else { playouts } - counted;
        // The backup counts one for each visit.
        self.playouts += u64::from(playouts - made);
        let visits = self.graph.tally(step.edge).visits + made;
        let child = self.begun(task, node, state, visits);
        News { tally: child.tally(visits).after(step.gain), bounds: child.bounds, made }
    }

    /// The node at the end of the path was valued once more, its visit being counted already.
    pub(super) fn news_of_node(&mut self, rules: &Rules, node: NodeId, mover: Side, worth: Worth) -> News {
        let step = self.path[self.path.len() - 1];
        self.graph.set_own(node, self.graph.own(node).with(worth.value));
        let old = self.graph.bounds(node);
        let new = worth.bounds.map_or(old, |bounds| old.and(bounds));
        if new != old {
            self.graph.narrow(node, new, new.settles(rules.reward));
            self.draw_conclusions(rules, node, mover);
        }
        let shared_visits = if rules.shared { self.graph.shared_visits(node).0 } else { 0 };
        let child = self.mean_of_edges(rules, node, shared_visits);
        self.graph.touch(node);
        let visits = self.graph.tally(step.edge).visits;
        News { tally: child.tally(visits).after(step.gain), bounds: child.bounds, made: 0 }
    }

    /// Writes what was found below the last edge of the path, and recomputes every node above.
    #[inline(always)]
    pub(super) fn back_up(&mut self, task: &Task<'_, G>, company: &mut impl Company<G>, news: News) {
        let rules = task.rules;
        let News { mut tally, mut bounds, made } = news;
        for depth in (0..self.path.len()).rev() {
            let step = self.path[depth];
            if bounds.is_some() {
                company.recall_bounds(self, step.edge, true);
            }
            let child = self.update(&rules, step, tally, bounds, made);
            company.wrote(self, &rules, step);
            if depth == 0 {
                break;
            }
            let above = self.path[depth - 1];
            let visits = self.graph.tally(above.edge).visits + made;
            tally = child.tally(visits).after(above.gain);
            bounds = child.bounds;
        }
        self.playouts += u64::from(made);
        self.root_visits += made;
    }

    /// Writes one edge and recomputes its node.
    #[inline(always)]
    fn update(&mut self, rules: &Rules, step: Step, tally: Tally, bounds: Option<Packed>, made: u32) -> Child {
        let edge = step.edge;
        let node = edge.node;
        self.graph.set_tally(edge, tally);
        let mut n = tally.visits as f32;
        let Step { mut weight, mut sum, .. } = step;
        let learned = bounds.is_some_and(|bounds| self.learn(rules, step, bounds.shifted(step.gain)));
        let closed = rules.proves() && self.graph.is_closed(edge);
        if learned || closed {
            // Other edges may have closed; and where most of the weight goes, what is left of a difference is rounding.
            (weight, sum) = self.beside_slowly(edge);
        }
        if closed {
            n = 0.0;
        }
        weight += n;
        let seen = if weight > 0.0 { (sum + n * tally.mean) / weight } else { tally.mean };
        let child = self.conclude(rules, node, seen, step.visits + made);
        self.graph.touch(node);
        child
    }

    /// A node's value within what is proven of it, its edges' mean being `seen`; its head remembers what it keeps of that.
    #[inline(always)]
    fn conclude(&mut self, rules: &Rules, node: NodeId, seen: f32, visits: u32) -> Child {
        let narrowed = rules.proves() && self.graph.is_narrowed(node);
        let bounds = narrowed.then(|| self.graph.bounds(node));
        let mean = bounds.map_or(seen, |bounds| bounds.clamp(seen, rules.reward));
        let square = if self.graph.keeps().squares { self.mean_square(node) } else { 0.0 };
        if rules.shared {
            self.note_visits(rules, node, visits);
        }
        if self.graph.keeps().squares {
            self.graph.set_value(node, seen, square);
        }
        Child { mean, square, bounds }
    }

    /// A node's mean square, from its own evaluations and its open children.
    fn mean_square(&self, node: NodeId) -> f32 {
        let own = self.graph.own(node);
        let (mut n, mut sum) = (own.visits as f32, own.visits as f32 * own.square);
        for edge in self.graph.edges(node).filter(|&edge| !self.graph.is_closed(edge)) {
            let tally = self.graph.tally(edge);
            n += tally.visits as f32;
            sum += tally.visits as f32 * tally.square;
        }
        if n > 0.0 { sum / n } else { 0.0 }
    }

    /// Takes in what was proven below an edge: the edge's bounds, and what follows for its node. Whether it was news.
    fn learn(&mut self, rules: &Rules, step: Step, bounds: Packed) -> bool {
        let old = self.graph.edge_bounds(step.edge);
        let new = old.and(bounds);
        // Whoever passes a closed edge found nothing open: what two threads proved at once may not be concluded yet.
        if new != old || self.graph.is_closed(step.edge) {
            self.graph.set_edge_bounds(step.edge, new);
            self.draw_conclusions(rules, step.edge.node, step.mover);
            return true;
        }
        if new.is_no_better_than(self.graph.bounds(step.edge.node), step.mover, rules.reward) {
            self.graph.close(step.edge);
        }
        false
    }

    /// Narrows a node's bounds as far as its children's allow, and closes children that need no more search: their
    /// reward is certain, or cannot be better than what is assured by another.
    pub(super) fn draw_conclusions(&mut self, rules: &Rules, node: NodeId, mover: Side) {
        let of_children = self.graph.edges(node).map(|edge| self.graph.edge_bounds(edge));
        let best = of_children.reduce(|a, b| a.best_of(b, mover)).expect("a node has children");
        let old = self.graph.bounds(node);
        let new = old.and(best);
        let settled = new.settles(rules.reward);
        if new != old || settled && !self.graph.is_settled(node) {
            self.graph.narrow(node, new, settled);
        }
        let tried = self.graph.children(node).1;
        for edge in self.graph.edges(node).take(tried) {
            if self.graph.edge_bounds(edge).is_no_better_than(new, mover, rules.reward) {
                self.graph.close(edge);
            }
        }
    }

    /// The value of a node all of whose children have just been tried.
    #[inline(always)]
    fn begun(&mut self, task: &Task<'_, G>, node: NodeId, state: &G::State, visits: u32) -> Child {
        let mut own = self.graph.own(node);
        let scouts = task.config.expand == ExpansionWidth::Scout;
        if scouts || task.config.start == StartValue::Children {
            let len = self.graph.len(node) as f32;
            let tallies = || self.graph.edges(node).map(|edge| self.graph.tally(edge));
            let mut mean = tallies().map(|tally| tally.mean).sum::<f32>() / len;
            let mut square = tallies().map(|tally| tally.square).sum::<f32>() / len;
            if task.config.appraisal > 0.0 {
                let raised = mean + task.config.appraisal * task.rules.appraised(task.game, state);
                let raised = self.graph.bounds(node).clamp(raised, task.rules.reward);
                // The spread stays what it is.
                square += raised * raised - mean * mean;
                mean = raised;
            }
            // What is known of a node made again after it was recycled is worth more than one playout a child.
            if own.visits <= task.config.after {
                own = Tally { visits: own.visits, mean, square };
            }
            if scouts {
                own = Tally { visits: 1, mean, square }.and(own);
            }
            self.graph.set_own(node, own);
        }
        self.mean_of_edges(&task.rules, node, visits)
    }

    /// A node's value as follows from all its edges and its own evaluations.
    fn mean_of_edges(&mut self, rules: &Rules, node: NodeId, visits: u32) -> Child {
        let (len, tried) = self.graph.children(node);
        let own = self.graph.own(node);
        let (weight, sum) = weighted_sum(self.graph.visits(node, len), self.graph.means(node, len), tried);
        let n = own.visits as f32;
        let seen = (sum + n * own.mean) / (weight + n);
        self.conclude(rules, node, seen, visits)
    }

    /// Notes the visits of a shared node.
    #[inline(always)]
    pub(super) fn note_visits(&mut self, rules: &Rules, node: NodeId, visits: u32) {
        self.graph.set_shared_visits(node, visits, exploration(rules.factor, visits.max(1)));
    }

    /// Looks again at what came not through the path's edges: other descents may have changed it.
    #[inline(always)]
    pub(super) fn refresh_path(&mut self) {
        for i in 0..self.path.len() {
            let edge = self.path[i].edge;
            (self.path[i].weight, self.path[i].sum) = self.beside(edge);
            if self.graph.keeps().shared {
                self.path[i].visits = self.graph.shared_visits(edge.node).0;
            }
        }
    }

    /// What counts at an edge's node but came not through the edge: the number of rewards, and their sum.
    #[inline(always)]
    fn beside(&self, edge: Edge) -> (f32, f32) {
        let graph = &self.graph;
        let (len, tried) = graph.children(edge.node);
        let (visits, means) = (graph.visits(edge.node, len), graph.means(edge.node, len));
        let (weight, sum) = weighted_sum(visits, means, tried);
        let (own, through) = (graph.own(edge.node), graph.tally(edge));
        let n = if graph.is_closed(edge) { 0.0 } else { through.visits as f32 };
        (own.visits as f32 + weight - n, own.visits as f32 * own.mean + sum - n * through.mean)
    }

    /// The same, where it is seldom asked for.
    #[cold]
    fn beside_slowly(&self, edge: Edge) -> (f32, f32) {
        let graph = &self.graph;
        let own = graph.own(edge.node);
        let others = graph.edges(edge.node).filter(|&other| other != edge && !graph.is_closed(other));
        let tallies = others.map(|other| graph.tally(other)).chain([own]);
        tallies.fold((0.0, 0.0), |(weight, sum), tally| {
            let n = tally.visits as f32;
            (weight + n, sum + n * tally.mean)
        })
    }

    /// A node's value as follows from its edges now, for those who look from outside.
    pub(super) fn mean_now(&self, rules: &Rules, node: NodeId) -> f32 {
        let own = self.graph.own(node);
        let open = self.graph.edges(node).filter(|&edge| !self.graph.is_closed(edge));
        let tallies = open.map(|edge| self.graph.tally(edge)).chain([own]);
        let (n, sum) = tallies.fold((0.0, 0.0), |(n, sum), tally| {
            let visits = f64::from(tally.visits);
            (n + visits, sum + visits * f64::from(tally.mean))
        });
        let mean = if n > 0.0 { (sum / n) as f32 } else { 0.0 };
        if rules.proves() { self.graph.bounds(node).clamp(mean, rules.reward) } else { mean }
    }
}
