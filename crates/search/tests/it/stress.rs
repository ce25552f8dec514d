//! Stress test of the lock-free graph: what 1, 2, 4 and 8 threads prove of hundreds of positions.

use banyan_core::{Game, Limits, Margin, Player, Report, Rng, Situation};
use banyan_search::{Config, ExpansionWidth, Mcts, Proof};

use crate::agreement::{Position, can_be_decided, check, check_next, is_decided, random_position};
use crate::kits::mcts;
use crate::{choose, config};
use banyan_testkit::mesh::Mesh;
use banyan_testkit::{Exact, rounds};

const THREADS: [u32; 4] = [1, 2, 4, 8];

/// Searches end as soon as the position is decided; how many simulations the threads spend on positions that another one has just
/// solved depends on how busy the machine is.
const ENOUGH: u64 = 2_000_000;

/// Tree and graph, leaf by leaf and in batches, with proofs of the winner and of the margin: `[8]`, each with a reward;
/// and four that evaluate all children of a new node at once.
fn kinds() -> Vec<Config> {
    let mut kinds = Vec::new();
    for (i, structure) in ["tree", "graph", "tree", "graph"].into_iter().enumerate() {
        for (proof, reward) in [("win", ["win", "wdl"][i / 2]), ("bounds", ["margin", "win"][i / 2])] {
            let batch = ["1", "8"][i / 2];
            let mut kind = config(&[("structure", structure), ("proof", proof), ("reward", reward), ("batch", batch)]);
            if reward == "margin" {
                kind.set("c", "4").expect("in range");
            }
            kinds.push(kind);
        }
    }
    for (structure, batch, expand) in
        [("graph", "1", "all"), ("tree", "8", "all"), ("tree", "1", "eval-children"), ("graph", "8", "eval-children")]
    {
        let settings =
            [("structure", structure), ("batch", batch), ("expand", expand), ("select", "puct"), ("priors", "game")];
        kinds.push(config(&[&settings[..], &[("fpu", "0"), ("reward", "wdl"), ("expand-at", "1")]].concat()));
    }
    kinds
}

fn with(kind: &Config, settings: &[(&str, &str)], threads: u32) -> Config {
    let mut kind = kind.clone();
    for (name, value) in [("parallel", "tree"), ("threads", &threads.to_string())].iter().chain(settings) {
        kind.set(name, value).expect("in range");
    }
    kind.check().expect("settings without conflicts");
    kind
}

/// Checks that two reports agree in their proofs.
fn agree(a: &Report<u8>, b: &Report<u8>, proof: Proof, shown: &str) {
    let (Some(one), Some(other)) = (a.proof, b.proof) else { panic!("no proof by {shown}") };
    if proof == Proof::Win {
        assert_eq!(one, other, "{shown}");
    }
    assert_eq!(one.lower.winner(), other.lower.winner(), "{shown}");
    assert!((a.value - b.value).abs() < 1e-6, "{} and {} by {shown}", a.value, b.value);
}

#[test]
fn many_threads_prove_what_one_thread_proves() {
    let mut rng = Rng::new(70);
    let mut decided = 0;
    let n_rounds = rounds(20, 60);
    for round in 0..n_rounds {
        for (i, kind) in kinds().iter().enumerate() {
            let game = Mesh::new(rng.next_u64(), 9 + (round % 3) as u16, round % 4 == 0);
            let position = random_position(&game, rng.below(4), &mut rng);
            let mut exact = Exact::new(&game);
            let mut first = None;
            for threads in THREADS {
                let kind = with(kind, &[], threads);
                let shown = format!("{threads} threads of {kind:?} in round {round} of {i}");
                let (report, is_decided) = check((&game, &position), (&kind, round), ENOUGH, &mut exact);
                assert!(is_decided == can_be_decided(&kind), "not decided by {shown}");
                decided += u32::from(is_decided);
                agree(first.get_or_insert_with(|| report.clone()), &report, kind.proof, &shown);
            }
        }
    }
    assert_eq!(u64::from(decided), n_rounds * 12 * 4);
}

#[test]
fn every_playout_is_counted_at_the_root() {
    for (i, kind) in kinds().iter().enumerate() {
        let game = Mesh::wide(i as u64, 200, 500, i % 2 == 0);
        for threads in THREADS {
            let mut player = mcts(with(kind, &[], threads));
            for playouts in [1, 7, 100, 20_011] {
                let before = root_visits(&player, &game);
                let report = choose(&mut player, &game, &[], Limits::playouts(playouts));
                let visits: u64 = report.moves.iter().map(|stat| stat.visits).sum();
                let what = format!("{threads} threads of {kind:?}");
                assert_eq!(visits, root_visits(&player, &game), "{what}");
                // All values of children are one visit together.
                let made = visits - before;
                let is_one = kind.expand == ExpansionWidth::EvalChildren;
                assert!(made == report.playouts || is_one && made < report.playouts, "{made} visits by {what}");
                let proof = report.proof.unwrap_or(game.margin_range());
                assert!(proof.contains(Margin(game.best(&game.start()))), "{proof:?} by {what}");
                assert!(report.playouts == playouts || is_decided(kind, proof), "{report:?} by {what}");
            }
        }
    }
}

/// Visits of the root at the start of the game.
fn root_visits(player: &Mcts<Mesh>, game: &Mesh) -> u64 {
    let start = game.start();
    let at = Situation { game, start: &start, played: &[], state: &start };
    let explored = player.explored(&at, 1);
    explored.map_or(0, |explored| explored.nodes[0].edges.iter().map(|edge| edge.visits).sum())
}

#[test]
fn many_threads_keep_within_a_small_memory() {
    for (i, kind) in kinds().iter().enumerate() {
        let game = Mesh::wide(i as u64, 200, 2000, false);
        for &threads in rounds(&THREADS[i % THREADS.len()..][..1], &THREADS) {
            let mib = threads + 1;
            // Rewards of many values are not proven soon, and short playouts leave time for many nodes.
            let memory = mib.to_string();
            let settings = [
                ("memory-mib", memory.as_str()),
                ("reward", "margin"),
                ("c", "20"),
                ("expand-at", "1"),
                ("playout-plies", "2"),
            ];
            let kind = with(kind, &settings, threads);
            let mut player = mcts(kind.clone());
            for searches in 1..=2 {
                let report = choose(&mut player, &game, &[], Limits::playouts(20_000));
                let what = format!("{searches} searches of {kind:?}");
                assert_eq!(report.playouts, 20_000, "{what}");
                let (bytes, most) = (report.memory_bytes, u64::from(mib) << 20);
                // The caches need not be full.
                assert!(bytes <= most && bytes > 800_000, "{bytes} of {most} bytes after {what}");
                assert!(report.proof.is_none_or(|bounds| bounds.contains(Margin(game.best(&game.start())))), "{what}");
            }
        }
    }
}

#[test]
fn proofs_hold_when_threads_recycle_most_nodes() {
    let mut rng = Rng::new(71);
    for (i, kind) in kinds().iter().enumerate() {
        for threads in THREADS {
            let game = Mesh::wide(rng.next_u64(), 40, 4000, threads % 3 == 1);
            let position = random_position(&game, 25, &mut rng);
            let memory = (threads + 1).to_string();
            let kind = with(kind, &[("memory-mib", &memory), ("expand-at", "1")], threads);
            check((&game, &position), (&kind, i as u64), 50_000, &mut Exact::new(&game));
        }
    }
}

#[test]
fn threads_reuse_the_tree_from_move_to_move() {
    let mut rng = Rng::new(72);
    for threads in THREADS {
        let mut reused = 0.0f64;
        for (i, kind) in kinds().iter().enumerate() {
            let game = Mesh::new(rng.next_u64(), 40, i % 2 == 0);
            let mut exact = Exact::new(&game);
            let mut player = mcts(with(kind, &[], threads));
            let mut position = random_position(&game, 0, &mut rng);
            while game.result(&position.state).is_none() {
                let playouts = 100 + u64::from(rng.below(1500));
                let (report, _) = check_next(&mut player, (&game, &position), playouts, &mut exact);
                reused = reused.max(report.reused);
                // Random moves now and then make roots of nodes with few visits.
                let any = report.moves[rng.below(report.moves.len() as u32) as usize].mv;
                advance(&game, &mut position, if rng.below(3) == 0 { any } else { report.best });
            }
        }
        // A game that is solved early needs little.
        assert!(reused > 0.1, "{reused} was reused at most by {threads} threads");
    }
}

fn advance(game: &Mesh, position: &mut Position<Mesh>, mv: u8) {
    game.play(&mut position.state, mv);
    position.played.push(mv);
}
