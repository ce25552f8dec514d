//! Invariants of every node after any search.

use std::collections::HashMap;

use banyan_core::{Evaluator, Game, Knowledge, Limits, Margin, Player, Side, Silent, Situation, mix};

use banyan_testkit::mesh::{Mesh, MeshKnowledge, MeshNodeEvaluator, MeshPriors, Spot};
use banyan_testkit::rounds;
use banyan_testkit::toy::Toy;

use crate::kit::Kit;
use crate::mcts::Mcts;
use crate::mcts::simulate::Context;
use crate::mcts::tree::{Below, Column, Edge, Graph, NodeId, Packed, Params, Tree};
use crate::options::{Config, ExpansionWidth, Parallel, Reward};

/// The kit of a mesh.
#[derive(Clone)]
struct MeshKit;

impl Kit<Mesh> for MeshKit {
    type Knowledge = MeshKnowledge;

    fn knowledge(&self) -> MeshKnowledge {
        MeshKnowledge
    }

    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<Mesh>>> {
        Some(Box::new(MeshNodeEvaluator))
    }

    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<Mesh>>> {
        Some(Box::new(MeshPriors))
    }
}

/// Settings that change how searches write to the graph.
const KINDS: [&[(&str, &str)]; 68] = [
    &[],
    &[("batch", "16")],
    &[("reward", "margin"), ("c", "4")],
    &[("reward", "margin"), ("c", "4"), ("batch", "16"), ("eval", "tactical")],
    &[("proof", "off")],
    &[("proof", "off"), ("batch", "16"), ("expand-at", "1")],
    &[("proof", "win"), ("expand", "all"), ("reward", "wdl")],
    &[("select", "ucb1-tuned"), ("batch", "4"), ("forced", "never")],
    &[("select", "puct"), ("expand", "all"), ("batch", "16"), ("expand-at", "1"), ("reward", "margin"), ("c", "4")],
    &[("scale", "spread"), ("forced", "always"), ("fpu", "-0.5"), ("c", "1")],
    &[("lazy-expansion", "0.5"), ("lazy-mode", "resample"), ("proof", "off"), ("fpu", "0")],
    &[
        ("lazy-expansion", "0.5"),
        ("lazy-mode", "resample"),
        ("fpu", "0"),
        ("batch", "16"),
        ("leaf-search-depth", "1"),
        ("reward", "margin"),
    ],
    &[("lazy-expansion", "0.3"), ("forced", "never"), ("lazy-mode", "resample"), ("scale", "spread"), ("batch", "4")],
    &[
        ("lazy-expansion", "0.5"),
        ("root-bias-depth", "3"),
        ("leaf-search-depth", "2"),
        ("expand-at", "1"),
        ("batch", "8"),
    ],
    &[("opponent-model", "pvs"), ("proof", "off"), ("reuse", "none"), ("eval", "static"), ("expand", "all")],
    &[
        ("select", "puct"),
        ("expand", "eval-children"),
        ("expand-at", "1"),
        ("unvisited", "blend"),
        ("reward", "win+margin"),
        ("fpu", "0"),
    ],
    &[("select", "puct"), ("expand", "eval-children"), ("batch", "16"), ("order", "central"), ("fpu", "0")],
    &[
        ("select", "puct"),
        ("expand", "eval-children"),
        ("eval", "tactical"),
        ("batch", "8"),
        ("fpu", "0"),
        ("expand-at", "1"),
    ],
    &[
        ("select", "puct"),
        ("priors", "game"),
        ("expand", "eval-children"),
        ("batch", "8"),
        ("fpu", "0"),
        ("expand-at", "1"),
    ],
    &[("select", "puct"), ("priors", "game"), ("fpu", "0"), ("batch", "4")],
    &[("select", "puct"), ("priors", "game"), ("threads", "3"), ("parallel", "mutex"), ("fpu", "0.5")],
    &[
        ("expand", "all"),
        ("node-init", "children"),
        ("eval", "tactical"),
        ("batch", "4"),
        ("reward", "margin"),
        ("c", "4"),
    ],
    &[
        ("select", "puct"),
        ("expand", "eval-children"),
        ("batch", "8"),
        ("fpu", "0"),
        ("expand-at", "1"),
        ("node-eval", "1"),
    ],
    &[("expand", "all"), ("node-init", "children"), ("node-eval", "4"), ("reward", "margin"), ("c", "4")],
    &[("threads", "2"), ("parallel", "root")],
    &[("threads", "3"), ("parallel", "mutex")],
    &[
        ("threads", "3"),
        ("parallel", "mutex"),
        ("eval", "tactical"),
        ("lazy-expansion", "0.5"),
        ("lazy-mode", "resample"),
        ("reward", "margin"),
        ("c", "4"),
    ],
    &[("threads", "3"), ("parallel", "root"), ("reward", "margin"), ("c", "4"), ("batch", "16")],
    &[("threads", "3"), ("parallel", "tree")],
    &[
        ("threads", "3"),
        ("parallel", "tree"),
        ("eval", "tactical"),
        ("reward", "margin"),
        ("c", "4"),
        ("expand-at", "1"),
    ],
    &[
        ("threads", "3"),
        ("parallel", "tree"),
        ("batch", "8"),
        ("order", "random"),
        ("proof", "win"),
        ("lazy-expansion", "0.5"),
    ],
    &[("threads", "2"), ("parallel", "tree"), ("horizon", "6"), ("batch", "8"), ("reward", "margin"), ("c", "4")],
    &[
        ("threads", "2"),
        ("parallel", "tree"),
        ("select", "puct"),
        ("fpu", "0"),
        ("proof", "off"),
        ("unvisited", "blend"),
    ],
    &[("threads", "3"), ("parallel", "tree"), ("select", "puct"), ("priors", "game"), ("fpu", "0"), ("batch", "4")],
    &[("threads", "3"), ("parallel", "tree"), ("select", "ucb1-tuned"), ("forced", "never")],
    &[("select", "ucb1-tuned"), ("proof", "off")],
    &[("select", "kl-ucb"), ("proof", "off"), ("c", "0.5")],
    &[("select", "kl-ucb"), ("reward", "margin"), ("c", "4"), ("fpu", "0")],
    &[("select", "kl-ucb"), ("threads", "3"), ("parallel", "tree"), ("batch", "4")],
    &[("pending", "loss"), ("batch", "16"), ("reward", "margin"), ("c", "4")],
    &[("pending", "loss"), ("batch", "8"), ("expand", "all"), ("select", "puct"), ("fpu", "0")],
    &[("pending", "loss"), ("threads", "3"), ("parallel", "mutex")],
    &[("widening", "1"), ("forced", "never")],
    &[("widening", "2"), ("select", "puct"), ("priors", "game"), ("fpu", "0"), ("batch", "4"), ("proof", "win")],
    &[("widening", "1"), ("threads", "3"), ("parallel", "tree"), ("lazy-expansion", "0.5"), ("order", "central")],
    &[("root", "gumbel"), ("root-moves", "2"), ("forced", "never")],
    &[("root", "gumbel"), ("batch", "8"), ("select", "puct"), ("priors", "game"), ("fpu", "0"), ("proof", "off")],
    &[("root", "gumbel"), ("expand", "all"), ("reward", "margin"), ("c", "4"), ("pending", "loss"), ("batch", "4")],
    &[("score-bonus", "0.5"), ("reward", "wdl"), ("forced", "always")],
    &[("score-bonus", "2"), ("batch", "8"), ("eval", "margin"), ("proof", "win")],
    &[("score-bonus", "1"), ("threads", "3"), ("parallel", "tree"), ("select", "kl-ucb"), ("c", "1")],
    &[("threads", "2"), ("parallel", "tree"), ("scale", "spread"), ("fpu", "-0.5"), ("c", "1"), ("proof", "off")],
    &[("amaf", "rave"), ("batch", "16"), ("eval", "tactical")],
    &[("amaf", "grave"), ("amaf-ref", "5"), ("reward", "win+margin"), ("eval", "mast"), ("expand-at", "1")],
    &[
        ("amaf", "alpha"),
        ("select", "puct"),
        ("priors", "game"),
        ("expand", "eval-children"),
        ("batch", "8"),
        ("fpu", "0"),
        ("eval", "last-good-reply-2"),
    ],
    &[("implicit", "0.3"), ("structure", "tree"), ("proof", "off"), ("reward", "margin"), ("c", "4")],
    &[("implicit", "0.5"), ("structure", "tree"), ("proof", "off"), ("expand", "all"), ("batch", "4")],
    &[
        ("implicit", "0.4"),
        ("structure", "tree"),
        ("proof", "off"),
        ("eval", "static"),
        ("select", "puct"),
        ("expand", "eval-children"),
    ],
    &[
        ("implicit", "0.4"),
        ("structure", "tree"),
        ("proof", "off"),
        ("eval", "static"),
        ("expand", "all"),
        ("reward", "margin"),
    ],
    &[
        ("implicit", "0.4"),
        ("structure", "tree"),
        ("proof", "off"),
        ("eval", "static"),
        ("expand", "all"),
        ("forced", "always"),
    ],
    &[("implicit", "0.2"), ("progressive-bias", "2"), ("threads", "2"), ("parallel", "root")],
    &[("order", "static"), ("progressive-bias", "1"), ("expand-at", "1"), ("fpu", "0.1")],
    &[("order", "static"), ("select", "puct"), ("expand", "eval-children"), ("reward", "margin"), ("c", "4")],
    &[("threads", "3"), ("parallel", "tree"), ("expand", "all"), ("reward", "wdl"), ("proof", "win")],
    &[
        ("threads", "2"),
        ("parallel", "tree"),
        ("expand", "all"),
        ("node-init", "children"),
        ("eval", "tactical"),
        ("batch", "4"),
        ("reward", "margin"),
        ("c", "4"),
    ],
    &[
        ("threads", "3"),
        ("parallel", "tree"),
        ("select", "puct"),
        ("priors", "game"),
        ("expand", "eval-children"),
        ("unvisited", "blend"),
        ("batch", "8"),
        ("fpu", "0"),
        ("expand-at", "1"),
        ("node-eval", "1"),
    ],
    &[
        ("threads", "2"),
        ("parallel", "tree"),
        ("select", "puct"),
        ("priors", "game"),
        ("expand", "eval-children"),
        ("proof", "off"),
        ("fpu", "0"),
        ("expand-at", "1"),
    ],
    &[
        ("threads", "3"),
        ("parallel", "tree"),
        ("select", "puct"),
        ("scale", "spread"),
        ("expand", "eval-children"),
        ("fpu", "0"),
        ("batch", "16"),
    ],
];

fn searched(game: &Mesh, settings: &[(&str, &str)], playouts: u64) -> Mcts<Mesh> {
    let mut config = Config::default();
    for (name, value) in settings {
        config.set(name, value).expect("a valid setting");
    }
    let mut player = Mcts::with_kit(config, &MeshKit).expect("settings without conflicts");
    player.new_game(playouts);
    search_on(&mut player, game, &[], playouts);
    player
}

fn search_on(player: &mut Mcts<Mesh>, game: &Mesh, played: &[u8], playouts: u64) {
    let start = game.start();
    let mut state = start;
    played.iter().for_each(|&mv| game.play(&mut state, mv));
    let at = Situation { game, start: &start, played, state: &state };
    player.choose(&at, &Limits::playouts(playouts), &mut Silent).expect("no fault");
}

/// A node reachable from the root, and a position of it.
struct Reached {
    node: NodeId,
    state: Spot,
    /// Edges that lead here from other reachable nodes, with the points their moves score.
    from: Vec<(Edge, i16)>,
}

/// A finished search, to be checked.
struct After<'a> {
    game: &'a Mesh,
    player: &'a Mcts<Mesh>,
    params: Params,
    what: String,
}

impl After<'_> {
    fn tree(&self) -> &Tree {
        &self.player.searchers[0].search.tree
    }

    fn graph(&self) -> &Graph {
        &self.tree().graph
    }

    /// The score from which values and bounds at `state` are counted.
    fn offset(&self, state: &Spot) -> i16 {
        Context { game: self.game, config: &self.player.config, state }.offset(&self.params, state)
    }

    /// Every reachable node, the root first.
    fn reached(&self, root_state: Spot) -> Vec<Reached> {
        let root = self.player.searchers[0].root_last_searched();
        let context = Context { game: self.game, config: &self.player.config, state: &root_state };
        let mut all = vec![Reached { node: root, state: root_state, from: Vec::new() }];
        let mut number = HashMap::from([(root.0, 0)]);
        let mut next = 0;
        while next < all.len() {
            let Reached { node, state, .. } = all[next];
            for edge in self.graph().edges(node) {
                let mut below = state;
                self.game.play(&mut below, self.graph().code(edge) as u8);
                let Some(child) = context.child(self.tree(), edge, &below) else { continue };
                let at = *number.entry(child.0).or_insert_with(|| {
                    all.push(Reached { node: child, state: below, from: Vec::new() });
                    all.len() - 1
                });
                let gain = self.offset(&below) - self.offset(&state);
                all[at].from.push((edge, gain));
            }
            next += 1;
        }
        all
    }

    /// The true margin, as bounds of a node would store it.
    fn truth(&self, state: &Spot) -> i16 {
        self.game.best(state) - self.offset(state)
    }

    fn check_node(&self, reached: &Reached) {
        let Reached { node, state, .. } = *reached;
        let (graph, params) = (self.graph(), self.params);
        let shown = || format!("{state:?} after {}", self.what);
        let (len, tried) = graph.children(node);
        assert!(tried <= len, "{tried} of {len} tried at {}", shown());
        if params.shared {
            assert_eq!(graph.key(node), params.key(self.game.key(&state), self.game.score(&state)), "{}", shown());
            assert_eq!(u64::from(graph.shared_visits(node).0), graph.total_visits(node), "visits at {}", shown());
        }
        let mover = self.game.to_move(&state);
        let bounds = graph.bounds(node);
        if params.proves() {
            let truth = self.truth(&state);
            assert!((bounds.lower()..=bounds.upper()).contains(&truth), "{bounds:?} without {truth} at {}", shown());
            let best = graph.edges(node).map(|edge| graph.edge_bounds(edge)).reduce(|a, b| a.best_of(b, mover));
            let best = best.expect("a node has edges");
            let concluded = Packed::new(best.lower().max(bounds.lower()), best.upper().min(bounds.upper()));
            assert_eq!(concluded, bounds, "bounds do not follow from {best:?} at {}", shown());
            assert_eq!(graph.is_solved(node), bounds.decides(params.reward), "{}", shown());
        }
        for edge in graph.edges(node) {
            self.check_edge(edge, &state, tried);
        }
        // Priors are known from the first selection on.
        let priors: Vec<f32> = graph.edges(node).filter_map(|edge| graph.prior(edge)).collect();
        let sum = priors.iter().sum::<f32>();
        assert!(priors.is_empty() || sum == 0.0 || (sum - 1.0).abs() < 1e-4, "{priors:?} at {}", shown());
    }

    fn check_edge(&self, edge: Edge, state: &Spot, tried: usize) {
        let (graph, params) = (self.graph(), self.params);
        let shown = || format!("edge {} of {state:?} after {}", edge.index, self.what);
        let (stats, below) = (graph.stats(edge), graph.below(edge));
        assert!(below != Below::Pending, "a pending leaf below {}", shown());
        let is_tried = (edge.index as usize) < tried;
        assert!(is_tried || stats.visits == 0 && below == Below::Leaf, "{stats:?} at untried {}", shown());
        let range = params.unknown(self.offset(state));
        let rewards = [range.lower(), range.upper()].map(|points| params.reward.of(Margin(points)));
        // Tolerance for rounding.
        assert!(
            (rewards[0] - 1e-4..=rewards[1] + 1e-4).contains(&stats.mean) || stats.visits == 0,
            "{stats:?} at {}",
            shown()
        );
        let largest = rewards[0].abs().max(rewards[1].abs());
        assert!((0.0..=largest * largest + 1e-3).contains(&stats.square), "{stats:?} at {}", shown());
        if graph.keeps().columns.has(Column::Square) && !params.proves() && params.reward.kind() == Reward::Win {
            // Rewards are 0, 1/2 and 1. Threads that share nodes write values from slightly older reads; edges with many
            // visits are recomputed at the end.
            let is_shared = self.player.config.parallel == Parallel::Tree && self.player.config.threads > 1;
            let slack = if is_shared { 0.1 } else { 1e-3 };
            let possible = stats.mean * stats.mean - slack..=stats.mean + slack;
            assert!(is_shared && stats.visits < 128 || possible.contains(&stats.square), "{stats:?} at {}", shown());
        }
        self.check_heuristics(edge, state);
        assert_eq!(graph.number(edge, Column::Losses).unwrap_or(0.0), 0.0, "a virtual loss at {}", shown());
        let pruned = graph.is_pruned(edge);
        if !params.proves() {
            assert!(!pruned, "{}", shown());
            return;
        }
        let (bounds, of_node) = (graph.edge_bounds(edge), graph.bounds(edge.node));
        let mut next = *state;
        self.game.play(&mut next, graph.code(edge) as u8);
        let truth = self.game.best(&next) - self.offset(state);
        assert!((bounds.lower()..=bounds.upper()).contains(&truth), "{bounds:?} without {truth} at {}", shown());
        let mover = self.game.to_move(state);
        assert!(!pruned || bounds.is_no_better_than(of_node, mover, params.reward), "wrongly pruned: {}", shown());
        let should_be_pruned = is_tried && !pruned && bounds.is_no_better_than(of_node, mover, params.reward);
        assert!(!should_be_pruned, "not pruned: {}", shown());
    }

    /// The static evaluation of an edge is that of the position below, and the implicit minimax value follows from those below.
    fn check_heuristics(&self, edge: Edge, state: &Spot) {
        let (graph, params) = (self.graph(), self.params);
        let shown = || format!("edge {} of {state:?} after {}", edge.index, self.what);
        let mut next = *state;
        self.game.play(&mut next, graph.code(edge) as u8);
        let reward = match self.game.result(&next) {
            Some(margin) => params.reward.of(margin),
            None => params.expected_reward(MeshKnowledge.static_eval(self.game, &next)),
        };
        let offset = self.offset(state);
        let expected = reward - if params.linear { f32::from(offset) } else { 0.0 };
        if let Some(heuristic) = graph.number(edge, Column::Heuristic) {
            assert_eq!(heuristic, expected, "{}", shown());
        }
        // In a graph the value of a node may have changed by another path, and in a full one it may have been recycled.
        let follows = !params.shared && !params.proves() && !graph.handles_age();
        let Some(minimax) = graph.number(edge, Column::Minimax).filter(|_| follows) else { return };
        let expected = match graph.below(edge) {
            Below::Node(node) => {
                let values = graph.edges(node).filter_map(|edge| graph.number(edge, Column::Minimax));
                let best = if self.game.to_move(&next) == Side::First { f32::max } else { f32::min };
                values.reduce(best).expect("a node has edges") + f32::from(self.offset(&next) - offset)
            }
            _ => expected,
        };
        assert_eq!(minimax, expected, "{}", shown());
    }

    /// The value of a node recomputed from its edges.
    fn value(&self, node: NodeId) -> f64 {
        let graph = self.graph();
        let own = graph.own(node);
        let (mut n, mut sum) = (f64::from(own.visits), f64::from(own.visits) * f64::from(own.mean));
        for edge in graph.edges(node).filter(|&edge| !graph.is_pruned(edge)) {
            let stats = graph.stats(edge);
            n += f64::from(stats.visits);
            sum += f64::from(stats.visits) * f64::from(stats.mean);
        }
        let bounds = graph.bounds(node);
        let mean = if n > 0.0 { (sum / n) as f32 } else { bounds.clamp(0.0, self.params.reward) };
        f64::from(if self.params.proves() { bounds.clamp(mean, self.params.reward) } else { mean })
    }

    /// Walks over the arena: the counts are right, and nodes are found by their keys.
    fn check_arena(&self) {
        let graph = self.graph();
        let (mut slot, mut held, mut nodes, mut found) = (1, 0, 0, 0);
        while slot < graph.slots() {
            let (wide, is_node) = graph.block(slot);
            let id = NodeId(slot as u32);
            // Removed nodes have no key.
            if is_node && graph.key(id) != 0 {
                held += graph.children(id).1 as u64;
                nodes += 1;
                found += u32::from(graph.find(graph.key(id)) == Some(id));
            }
            slot += wide;
        }
        assert_eq!(slot, graph.slots(), "{}", self.what);
        assert_eq!(graph.held(), held + 1, "{}", self.what);
        if self.params.shared {
            // Threads that share nodes may make two of a position; the second is unused until it is recycled.
            let most_lost = if self.player.config.parallel == Parallel::Tree { nodes / 8 } else { nodes / 20 };
            assert!(nodes - found <= most_lost, "{found} nodes are found of {nodes} after {}", self.what);
        }
    }
}

/// The search parameters of a player.
fn params_of(player: &Mcts<Mesh>, game: &Mesh) -> Params {
    player.searchers[0].search.params(&Context { game, config: &player.config, state: &game.start() })
}

/// Checks all invariants; returns the number of reachable nodes.
fn check(player: &Mcts<Mesh>, game: &Mesh, state: Spot, what: &str) -> usize {
    let params = params_of(player, game);
    let after = After { game, player, params, what: what.to_owned() };
    let reached = after.reached(state);
    reached.iter().for_each(|reached| after.check_node(reached));
    after.check_arena();
    reached.len()
}

#[test]
fn every_node_agrees_with_its_edges() {
    for (kind, structure) in KINDS.iter().flat_map(|&kind| [(kind, "tree"), (kind, "graph")]) {
        let mut checked = 0;
        for (seed, hints) in [(1, false), (2, true), (3, false), (4, true)] {
            for playouts in [1, 10, 300, 5000] {
                let game = Mesh::new(seed, 40, hints);
                let settings = [kind, &[("structure", structure)]].concat();
                let player = searched(&game, &settings, playouts);
                let what = format!("{playouts} playouts with {settings:?}, seed {seed}");
                checked += check(&player, &game, game.start(), &what);
            }
        }
        assert!(checked > 100, "only {checked} nodes with {kind:?} in a {structure}");
    }
}

/// The move of `final=ucb` against the formula of each setting that changes the values of a selection, computed from the tree.
#[test]
fn the_largest_ucb_counts_what_selection_counts() {
    let common = [("structure", "tree"), ("proof", "off"), ("forced", "never"), ("final", "ucb"), ("reward", "win")];
    let kinds: [&[(&str, &str)]; 5] = [
        &[],
        &[("implicit", "0.8")],
        &[("progressive-bias", "30")],
        &[("implicit", "0.3"), ("progressive-bias", "3")],
        &[("scale", "spread"), ("c", "2")],
    ];
    for kind in kinds {
        let mut by_mean_alone = 0;
        for (seed, playouts) in (1..=20).flat_map(|seed| [60, 400].map(|playouts| (seed, playouts))) {
            let game = Mesh::wide(seed, 12, 40, false);
            let settings = [&common, kind].concat();
            let mut player = searched(&game, &settings, playouts);
            let report = player.analyse(&game, &game.start(), &Limits::playouts(playouts)).expect("no fault");
            let after = After { game: &game, player: &player, params: params_of(&player, &game), what: String::new() };
            let (graph, root, params) = (after.graph(), after.tree().root, &after.params);
            let side = game.to_move(&game.start());
            let (sign, worst) = (f64::from(side.sign()), f64::from(params.worst_reward(side, 0)));
            let number = |edge, column| graph.number(edge, column).map(f64::from);
            let c = match graph.value_if_kept(root) {
                Some((mean, square)) => 2.0 * f64::from(params.c) * f64::from((square - mean * mean).max(0.0).sqrt()),
                None => f64::from(params.c),
            };
            let total = graph.total_visits(root) as f64;
            let ucb = |edge: Edge, counts: bool| {
                let (n, mean) = (f64::from(graph.visits_of(edge)), f64::from(graph.mean_of(edge)));
                let mixed = number(edge, Column::Minimax).filter(|_| counts && params.implicit > 0.0);
                let mean = mixed.map_or(mean, |minimax| {
                    (1.0 - f64::from(params.implicit)) * mean + f64::from(params.implicit) * minimax
                });
                let bias = number(edge, Column::Heuristic).filter(|_| counts).map_or(0.0, |heuristic| {
                    f64::from(params.progressive_bias) * sign * (heuristic - worst) / (n + 1.0)
                });
                sign * mean + bias + c * (2.0 * total.ln() / n).sqrt()
            };
            let of_code =
                |code: u8| graph.edges(root).find(|&edge| graph.code(edge) == u16::from(code)).expect("an edge");
            let tried = || graph.edges(root).filter(|&edge| graph.visits_of(edge) > 0);
            let largest = |counts| tried().map(|edge| ucb(edge, counts)).fold(f64::NEG_INFINITY, f64::max);
            let played = of_code(report.best);
            assert!(ucb(played, true) > largest(true) - 1e-4, "seed {seed}, {kind:?}: {report:?}");
            by_mean_alone += u32::from(ucb(played, false) > largest(false) - 1e-4);
        }
        let all = kind.is_empty() || kind[0].0 == "scale";
        assert!(if all { by_mean_alone == 40 } else { by_mean_alone < 36 }, "{by_mean_alone} of 40 with {kind:?}");
    }
}

/// Priors are requested at the first selection in a node, by whichever thread is first.
#[test]
fn threads_publish_the_priors_that_they_request() {
    for structure in ["tree", "graph"] {
        let settings = [
            ("threads", "3"),
            ("parallel", "tree"),
            ("structure", structure),
            ("select", "puct"),
            ("priors", "game"),
            ("expand", "eval-children"),
            ("fpu", "0"),
            ("batch", "8"),
            ("expand-at", "1"),
        ];
        let (mut selected, mut known) = (0, 0);
        // A search ends when its root is solved, which in one of these games may be soon.
        for seed in 1..=4 {
            let game = Mesh::wide(seed, 40, 300, false);
            let player = searched(&game, &settings, 10_000);
            let after = After { game: &game, player: &player, params: params_of(&player, &game), what: String::new() };
            let graph = after.graph();
            for Reached { node, .. } in after.reached(game.start()) {
                let visited = |edge: &Edge| graph.visits_of(*edge) > 0;
                let evaluated_only = |edge: Edge| !visited(&edge) && !graph.is_pruned(edge);
                let (len, tried) = graph.children(node);
                let is_selected_in = tried == len
                    && graph.edges(node).any(|edge| visited(&edge))
                    && graph.edges(node).any(evaluated_only);
                if is_selected_in {
                    selected += 1;
                    known += u32::from(!graph.lacks_priors(node));
                }
            }
        }
        // The end of a search may try the children of a node one at a time, without a selection.
        assert!(selected > 40 && known * 20 >= selected * 19, "{known} of {selected} in a {structure}");
    }
}

#[test]
fn an_edge_has_the_value_of_a_child_with_one_parent() {
    let mut exact_shared = 0;
    for (kind, structure) in KINDS.iter().flat_map(|&kind| [(kind, "tree"), (kind, "graph")]) {
        let (mut checked, mut exact) = (0, 0);
        let is_shared = kind.contains(&("parallel", "tree"));
        for seed in 0..6 {
            let game = Mesh::wide(seed, 40, 300, seed % 2 == 0);
            let settings = [kind, &[("structure", structure)]].concat();
            let player = searched(&game, &settings, 4000);
            let params = params_of(&player, &game);
            let after = After { game: &game, player: &player, params, what: format!("{settings:?}, seed {seed}") };
            for reached in after.reached(game.start()) {
                let &[(edge, gain)] = &reached.from[..] else { continue };
                let graph = after.graph();
                let stats = graph.stats(edge);
                if stats.visits == 0 {
                    continue;
                }
                let value = after.value(reached.node) + f64::from(gain);
                // Threads that share nodes write values from slightly older reads; edges with many visits are
                // recomputed at the end.
                let is_exact = !is_shared || structure == "tree" && stats.visits >= 128;
                assert!(
                    !is_exact || (f64::from(stats.mean) - value).abs() < 1e-3,
                    "{stats:?} leads to {value} at {:?} after {}",
                    reached.state,
                    after.what
                );
                exact += u32::from(is_exact);
                if structure == "tree" {
                    let visits = after.graph().total_visits(reached.node);
                    let width =
                        if player.config.expand == ExpansionWidth::All { graph.len(reached.node) as u32 } else { 1 };
                    // A visit stays with the edge if another thread meanwhile made the leaf a node. With lazy
                    // expansion a thread may visit a leaf several times, each with the probability of that setting.
                    let times = if player.config.lazy_expansion > 0.0 { 8 } else { 1 };
                    let under_way = if is_shared { 3 * player.config.batch * width * times } else { 0 };
                    let beside = u64::from(stats.visits).checked_sub(visits);
                    let right = beside.is_some_and(|beside| beside <= u64::from(under_way));
                    assert!(right, "{stats:?} for {visits} visits: {:?} after {}", reached.state, after.what);
                }
                checked += 1;
            }
        }
        assert!(checked > 20, "only {checked} edges with {kind:?} in a {structure}");
        exact_shared += if is_shared { exact } else { 0 };
    }
    assert!(exact_shared > 40, "only {exact_shared} edges of shared nodes");
}

#[test]
fn invariants_hold_while_nodes_are_recycled_during_games() {
    for (kind, structure) in KINDS.iter().flat_map(|&kind| [(kind, "tree"), (kind, "graph")]) {
        let game = Mesh::wide(3, 60, 4000, true);
        // Node caches take a MiB for each thread, as do separate graphs.
        let threads: u32 = kind.iter().find(|row| row.0 == "threads").map_or(1, |row| row.1.parse().expect("a number"));
        let memory = match kind.iter().find(|row| row.0 == "parallel") {
            Some((_, "tree")) => 1 + threads,
            Some((_, "root")) => threads,
            _ => 1,
        };
        let memory = memory.to_string();
        let settings = [kind, &[("structure", structure), ("memory-mib", &memory), ("forced", "never")]].concat();
        let mut player = searched(&game, &settings, rounds(15_000, 20_000));
        let (mut state, mut played) = (game.start(), Vec::new());
        for ply in 0..rounds(2, 3) {
            check(&player, &game, state, &format!("{ply} plies with {settings:?}"));
            let graph = &player.searchers[0].search.tree.graph;
            assert!(graph.bytes() <= 1 << 20);
            let taken = graph.words.capacity() * 4 + graph.moves.capacity() * 2 + graph.table.bytes();
            assert!(taken <= (1 << 20) * 21 / 20, "{taken} bytes are taken with {settings:?}");
            let root = player.searchers[0].root_last_searched();
            let mv = graph.code(graph.edges(root).next().expect("a move")) as u8;
            played.push(mv);
            game.play(&mut state, mv);
            if game.result(&state).is_some() {
                break;
            }
            search_on(&mut player, &game, &played, 10_000);
        }
    }
}

/// One move first, then sixty at a time, each to a separate position.
const FUNNEL: Toy = Toy {
    plies: 20,
    start: 1,
    n_moves: |ply| if ply == 0 { 1 } else { 60 },
    after: |value, mv| mix(value + u64::from(mv)),
    key: |_, value| value,
    margin: |value| (value % 3) as i16 - 1,
    ..Toy::PLAIN
};

#[test]
fn full_memory_still_takes_nodes_much_wider_than_the_root() {
    let mut config = Config::default();
    for (name, value) in
        [("memory-mib", "3"), ("threads", "2"), ("parallel", "tree"), ("expand-at", "1"), ("proof", "off")]
    {
        config.set(name, value).expect("a valid setting");
    }
    let mut player = Mcts::new(config).expect("settings without conflicts");
    let (game, start) = (FUNNEL, FUNNEL.start());
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let mut search = || {
        player.choose(&at, &Limits::playouts(10_000), &mut Silent).expect("no fault");
        let graph = &player.searchers[0].search.tree.graph;
        (graph.made, graph.handles_age())
    };
    let (before, is_full) = search();
    assert!(is_full, "{before} nodes fit");
    let (after, _) = search();
    assert!(after > before + 1000, "of 10000 playouts {} made nodes", after - before);
}
