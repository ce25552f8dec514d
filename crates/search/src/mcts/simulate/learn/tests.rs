//! Statistics that searches learn, compared with the second implementations of the test kit.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use banyan_core::{
    Evaluator, Game, LastMoves, Learner, Leaves, Limits, Plain, Player, Rng, Side, Silent, SimulatedMove, Situation,
};
use banyan_testkit::learned::{Means, Simulation, all_moves_as_first, move_averages};
use banyan_testkit::mesh::{Mesh, Spot};

use crate::mcts::Mcts;
use crate::mcts::evaluators::learning::{LearningPlayouts, MoveAverages};
use crate::options::Config;

/// Playouts that learn move averages and keep every simulation, and the averages after the last.
struct Recorder {
    playouts: LearningPlayouts<Mesh, MoveAverages, Plain>,
    kept: Arc<Mutex<(Vec<Simulation>, MoveAverages)>>,
}

impl Evaluator<Mesh> for Recorder {
    fn evaluate(&mut self, game: &Mesh, leaves: &mut Leaves<'_, Mesh>, rng: &mut Rng) {
        self.playouts.evaluate(game, leaves, rng);
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        unreachable!("one thread")
    }
}

impl Learner for Recorder {
    fn learn(&mut self, moves: &[SimulatedMove], result: f32) {
        self.playouts.learn(moves, result);
        let mut kept = self.kept.lock().expect("not poisoned");
        kept.0.push((moves.to_vec(), result));
        kept.1 = self.playouts.policy().clone();
    }
}

/// A search of a mesh from its start, the simulations that it made, and the averages that it learnt.
fn searched(mesh: &Mesh, settings: &str, playouts: u64) -> (Mcts<Mesh>, Vec<Simulation>, MoveAverages) {
    let averages = MoveAverages::new(0.3);
    let kept = Arc::new(Mutex::new((Vec::new(), averages.clone())));
    let recorder = Recorder { playouts: LearningPlayouts::new(averages, Plain), kept: kept.clone() };
    let config: Config = settings.parse().expect("settings");
    let mut player = Mcts::with_evaluator(config, Box::new(recorder), &Plain).expect("an evaluator that learns");
    let start = mesh.start();
    let at = Situation { game: mesh, start: &start, played: &[], state: &start };
    player.choose(&at, &Limits::playouts(playouts), &mut Silent).expect("no fault");
    let kept = kept.lock().expect("not poisoned").clone();
    (player, kept.0, kept.1)
}

/// The tree's statistics of the moves at its root.
fn at_root(player: &Mcts<Mesh>) -> Means {
    let tree = &player.searchers[0].search.tree;
    let amaf = tree.amaf.as_ref().expect("a table");
    let key = tree.graph.key(tree.root);
    let all = [Side::First, Side::Second].into_iter().zip(0..);
    let all = all.flat_map(|(side, i)| (0..64).map(move |identity| (side, i, identity)));
    let means = all.map(|(side, i, identity)| ((i, identity), amaf.of_node(tree.root, key, side, identity)));
    means.filter(|&(_, (n, _))| n > 0).collect()
}

#[test]
fn statistics_are_those_of_the_definitions_to_the_last_digit() {
    for (seed, settings) in [
        (1, "amaf=rave,structure=tree,proof=off,c=0.5"),
        (2, "amaf=grave,structure=tree,proof=off,batch=16"),
        (3, "amaf=alpha,select=puct,c=2,expand=eval-children,expand-at=1,proof=off,batch=8"),
        (4, "amaf=rave,expand=all,reward=win+margin,proof=off"),
    ] {
        let mesh = Mesh::new(seed, 14, false);
        let (player, simulations, averages) = searched(&mesh, settings, 800);
        assert!(simulations.len() >= 700, "{settings}: {} simulations", simulations.len());
        if !settings.contains("win+margin") {
            // The tree's rewards are the results.
            assert_eq!(at_root(&player), all_moves_as_first(&simulations, &[]), "{settings}");
        }
        for ((side, identity), expected) in move_averages(&simulations) {
            let side = [Side::First, Side::Second][side];
            assert_eq!(averages.average(side, identity), expected, "{settings}: {side:?} {identity}");
        }
    }
}

/// The visits and the sum of the results of the first side of the positions that simulations lead to.
type Tried = HashMap<Vec<(bool, u16)>, (u32, f64)>;

fn path_to(moves: &[SimulatedMove]) -> Vec<(bool, u16)> {
    moves.iter().map(|mv| (mv.side == Side::First, mv.identity)).collect()
}

#[test]
fn every_move_of_the_tree_has_the_best_value_by_the_definition() {
    for (settings, c, bias) in [
        ("amaf=rave,structure=tree,proof=off,forced=never,expand-at=1,c=0,amaf-bias=0.1", 0.0, 0.1),
        ("amaf=rave,structure=tree,proof=off,forced=never,expand-at=1,c=0.4,amaf-bias=0.5", 0.4, 0.5),
    ] {
        let mesh = Mesh::new(8, 10, false);
        let simulations = searched(&mesh, settings, 400).1;
        let (mut tried, mut nodes, mut chosen) = (Tried::new(), HashMap::new(), 0);
        for (k, (moves, result)) in simulations.iter().enumerate() {
            let (mut state, mut leaf) = (mesh.start(), moves.len());
            for depth in 0..moves.len() {
                let here = path_to(&moves[..depth]);
                let visits = tried.get(&here).map_or(0, |tried| tried.0);
                if depth > 0 && visits == 0 {
                    leaf = depth;
                    break;
                }
                let mut legal = Vec::new();
                mesh.moves(&state, &mut legal);
                // A node is made by the second simulation of the tree through its position, and learns from that one on.
                let made = if depth == 0 { 0 } else { *nodes.entry(here.clone()).or_insert(k) };
                let later = all_moves_as_first(&simulations[made..k], &moves[..depth]);
                let sign = f64::from(mesh.to_move(&state).sign());
                let bonus = |n: u32| c * (2.0 * f64::from(visits.max(1)).ln() / f64::from(n)).sqrt();
                // The value of a move for the side that plays it.
                let value = |identity: u16| {
                    let mv = SimulatedMove { side: moves[depth].side, identity };
                    let (n, sum) = tried.get(&[here.clone(), path_to(&[mv])].concat()).copied().unwrap_or_default();
                    let amaf = later.get(&(usize::from(mv.side == Side::Second), identity));
                    let (m, mean) = amaf.map_or((0.0, 0.0), |&(m, mean)| (f64::from(m), f64::from(mean)));
                    let count = f64::from(n);
                    match (n, m > 0.0) {
                        (0, false) => f64::INFINITY,
                        (0, true) => sign * mean + bonus(1),
                        _ => {
                            let own = sum / count;
                            let weight = if m > 0.0 { m / (m + count + bias * m * count) } else { 0.0 };
                            sign * (own + weight * (mean - own)) + bonus(n)
                        }
                    }
                };
                let best = legal.iter().map(|&mv| value(mv.into())).fold(f64::NEG_INFINITY, f64::max);
                let played = value(moves[depth].identity);
                assert!(played >= best - 1e-5, "{settings}, simulation {k}, ply {depth}: {played} of {best}");
                chosen += 1;
                mesh.play(&mut state, moves[depth].identity as u8);
            }
            for depth in 0..=leaf {
                let tried = tried.entry(path_to(&moves[..depth])).or_default();
                *tried = (tried.0 + 1, tried.1 + f64::from(*result));
            }
        }
        assert!(chosen > 1000, "{chosen} choices");
    }
}

#[derive(Clone, Copy, Default)]
struct Checked {
    /// Number of leaves with no, one and two moves before them.
    by_moves: [u32; 3],
    /// Leaves that were evaluated and not learnt from yet.
    left: usize,
}

/// Random playouts that check the moves before each leaf, once its whole simulation is known.
struct SeesLastMoves {
    playouts: LearningPlayouts<Mesh, MoveAverages, Plain>,
    mesh: Mesh,
    /// The evaluated leaves that were not learnt from yet, with the moves before them.
    seen: VecDeque<(Spot, LastMoves)>,
    checked: Arc<Mutex<Checked>>,
}

impl Evaluator<Mesh> for SeesLastMoves {
    fn evaluate(&mut self, game: &Mesh, leaves: &mut Leaves<'_, Mesh>, rng: &mut Rng) {
        assert!(leaves.has_last_moves());
        self.playouts.evaluate(game, leaves, rng);
        for i in 0..leaves.len() {
            self.seen.push_back((leaves.states()[i], leaves.last_moves(i)));
        }
        self.checked.lock().expect("not poisoned").left = self.seen.len();
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        unreachable!("one thread")
    }
}

impl Learner for SeesLastMoves {
    fn learn(&mut self, moves: &[SimulatedMove], _result: f32) {
        let Some(&(leaf, last_moves)) = self.seen.front() else { return };
        let mut state = self.mesh.start();
        let last_of_tree = moves.iter().position(|mv| {
            self.mesh.play(&mut state, mv.identity as u8);
            state == leaf
        });
        // The game may be over in the tree, without an evaluation.
        let Some(end) = last_of_tree else { return };
        self.seen.pop_front();
        let seen: Vec<_> = last_moves.iter().collect();
        assert_eq!(seen, moves[(end + 1).saturating_sub(2)..=end]);
        let mut checked = self.checked.lock().expect("not poisoned");
        checked.by_moves[seen.len()] += 1;
        checked.left = self.seen.len();
    }

    fn needs_last_moves(&self) -> bool {
        true
    }
}

#[test]
fn evaluators_that_need_them_get_the_moves_before_each_leaf() {
    for settings in [
        "proof=off",
        "proof=off,structure=graph,batch=16",
        "proof=off,expand=eval-children,expand-at=1,select=puct",
        "proof=off,expand=eval-children,expand-at=1,select=puct,batch=8,structure=graph",
    ] {
        let mesh = Mesh::new(5, 40, false);
        let checked = Arc::new(Mutex::new(Checked::default()));
        let playouts = LearningPlayouts::new(MoveAverages::new(1.0), Plain);
        let evaluator =
            SeesLastMoves { playouts, mesh: Mesh::new(5, 40, false), seen: VecDeque::new(), checked: checked.clone() };
        let config: Config = settings.parse().expect("settings");
        let mut player = Mcts::with_evaluator(config, Box::new(evaluator), &Plain).expect("an evaluator that learns");
        let start = mesh.start();
        let at = Situation { game: &mesh, start: &start, played: &[], state: &start };
        player.choose(&at, &Limits::playouts(500), &mut Silent).expect("no fault");
        let Checked { by_moves: [none, one, two], left } = *checked.lock().expect("not poisoned");
        assert_eq!(left, 0, "{settings}");
        assert!(none == 0 && one > 1 && one + two > 100, "{settings}: {one}, {two}");
    }
}
