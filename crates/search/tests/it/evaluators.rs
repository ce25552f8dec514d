//! Searches with evaluators from outside.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use banyan_core::{
    Bounds, Evaluator, Explored, Fault, Game, Leaves, Limits, MoveList, Plain, Player, Priors, Report, Rng, Silent,
    Situation, TextError, mix,
};
use banyan_search::{Config, Kit, Mcts};

use crate::{choose, config};
use banyan_testkit::Exact;
use banyan_testkit::mesh::{Mesh, Spot};
use banyan_testkit::toy::Toy;

/// An evaluator on one thread that calls a function, and gives priors or not.
struct Calls<F> {
    gives_priors: Priors,
    f: F,
}

impl<F: FnMut(&Mesh, &mut Leaves<'_, Mesh>) + Send> Evaluator<Mesh> for Calls<F> {
    fn gives_priors(&self) -> Priors {
        self.gives_priors
    }

    fn evaluate(&mut self, game: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        (self.f)(game, leaves);
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Mesh>> {
        unreachable!("thread {thread} of one")
    }
}

/// A search with an evaluator that gives values only.
fn valued_by(settings: Config, f: impl FnMut(&Mesh, &mut Leaves<'_, Mesh>) + Send + 'static) -> Mcts<Mesh> {
    Mcts::with_evaluator(settings, Box::new(Calls { gives_priors: Priors::None, f }), &Plain).expect("one thread")
}

/// A search with an evaluator that gives values and priors.
fn with_priors(settings: Config, f: impl FnMut(&Mesh, &mut Leaves<'_, Mesh>) + Send + 'static) -> Mcts<Mesh> {
    Mcts::with_evaluator(settings, Box::new(Calls { gives_priors: Priors::WithValues, f }), &Plain).expect("one thread")
}

/// Writes a number to every value.
fn fill(leaves: &mut Leaves<'_, Mesh>, value: impl Fn(&Spot) -> f32) {
    for (i, state) in leaves.states().iter().enumerate() {
        leaves.set_value(i, value(state));
    }
}

/// A hash-based value of a position, between 0 and 1.
fn hashed_value(game: &Mesh, spot: &Spot) -> f32 {
    (game.key(spot) >> 40) as f32 / (1u64 << 24) as f32
}

fn explored(player: &Mcts<Mesh>, game: &Mesh) -> Explored<u8> {
    let start = game.start();
    let at = Situation { game, start: &start, played: &[], state: &start };
    player.explored(&at, 200).expect("the position was just searched")
}

/// The value of a move in a report.
fn value_of(report: &Report<u8>, mv: u8) -> f64 {
    report.moves.iter().find(|stat| stat.mv == mv).expect("a move of the report").value
}

/// Checks the leaves of a batch.
fn check_leaves(game: &Mesh, leaves: &mut Leaves<'_, Mesh>, policy: bool) {
    let states = leaves.states();
    assert!(states.iter().all(|state| game.result(state).is_none()), "a finished game needs no evaluation");
    let different: HashSet<&Spot> = states.iter().collect();
    assert_eq!(different.len(), states.len(), "a leaf is twice in a batch");
    for (i, state) in states.iter().enumerate() {
        let mut moves = MoveList::new();
        game.moves(state, &mut moves);
        assert_eq!(leaves.moves(i), if policy { &moves[..] } else { &[] });
        assert_eq!(leaves.priors_mut(i).len(), leaves.moves(i).len());
    }
}

#[test]
fn batches_hold_different_unfinished_leaves() {
    for (structure, batch, proof) in
        [("tree", 1, "off"), ("tree", 8, "off"), ("tree", 64, "bounds"), ("graph", 8, "off"), ("graph", 64, "bounds")]
    {
        for policy in [false, true] {
            let sizes = Arc::new(Mutex::new(Vec::new()));
            let log = Arc::clone(&sizes);
            let judge = move |game: &Mesh, leaves: &mut Leaves<'_, Mesh>| {
                check_leaves(game, leaves, policy);
                fill(leaves, |state| hashed_value(game, state));
                log.lock().expect("no panic").push(leaves.states().len());
            };
            let size = batch.to_string();
            let settings = config(&[("structure", structure), ("batch", &size), ("proof", proof), ("forced", "never")]);
            let mut player = if policy { with_priors(settings, judge) } else { valued_by(settings, judge) };
            let report = choose(&mut player, &Mesh::new(3, 400, false), &[], Limits::playouts(5000));
            assert_eq!(report.playouts, 5000);
            let sizes = sizes.lock().expect("no panic");
            assert!(sizes.iter().all(|&size| (1..=batch).contains(&size)));
            // With priors the root is evaluated first; finished positions need no evaluator.
            let leaves = sizes.iter().sum::<usize>() - usize::from(policy);
            assert!((4000..=5000).contains(&leaves), "{leaves} leaves of 5000");
            // A leaf that is reached again flushes its batch early; how early depends on the game.
            let mean = leaves as f64 / sizes.len() as f64;
            assert!(batch == 1 || mean > 2.0, "{mean} leaves in a batch of {batch}, {structure}, {policy}");
        }
    }
}

#[test]
fn values_count_as_given() {
    for (reward, structure, batch) in
        [("win", "tree", "1"), ("wdl", "graph", "1"), ("margin", "tree", "8"), ("margin", "graph", "8")]
    {
        for seed in 0..20 {
            let game = Mesh::new(seed, 20, false);
            let settings = config(&[("reward", reward), ("structure", structure), ("batch", batch), ("proof", "off")]);
            let said = |game: &Mesh, state: &Spot, reward: &str| match reward {
                "win" => hashed_value(game, state),
                "wdl" => 2.0 * hashed_value(game, state) - 1.0,
                _ => f32::from(state.score) + 2.0 * hashed_value(game, state),
            };
            let mut player = valued_by(settings, move |game, leaves| fill(leaves, |state| said(game, state, reward)));
            // Every move of the start is tried once.
            let report = choose(&mut player, &game, &[], Limits::playouts(4));
            let own = |value: f32| f64::from(value) * f64::from(game.to_move(&game.start()).sign());
            for mv in 0..4 {
                let mut state = game.start();
                game.play(&mut state, mv);
                let said = said(&game, &state, reward);
                let expected = match reward {
                    "win" => own(2.0 * said - 1.0),
                    "wdl" => own(said),
                    _ => own(said) / f64::from(game.margin_range().upper.0),
                };
                let got = value_of(&report, mv);
                assert!(
                    (got - expected).abs() < 1e-5,
                    "{mv} has the value {got}, not {expected}: {reward} with seed {seed}"
                );
            }
        }
    }
}

#[test]
fn leaves_without_an_answer_count_as_draws() {
    let mut player = valued_by(config(&[("reward", "wdl"), ("proof", "off")]), |_, _| ());
    let report = choose(&mut player, &Mesh::new(3, 100, false), &[], Limits::playouts(100));
    assert!(report.moves.iter().all(|stat| stat.value == 0.0), "{report:?}");
}

#[test]
fn bounds_of_an_evaluator_prune_branches() {
    for structure in ["tree", "graph"] {
        for (seed, policy) in (0..40).map(|seed| (seed, seed % 2 == 1)) {
            let game = Mesh::new(seed, 60, false);
            let knows = |game: &Mesh, leaves: &mut Leaves<'_, Mesh>| {
                let mut exact = Exact::new(game);
                for (i, state) in leaves.states().iter().enumerate() {
                    // The value is meaningless: the bounds correct it.
                    leaves.set_value(i, 1000.0);
                    leaves.set_bounds(i, Bounds::exact(exact.margin(state)));
                }
            };
            let settings = config(&[("structure", structure), ("reward", "margin"), ("batch", "8")]);
            let mut player = if policy { with_priors(settings, knows) } else { valued_by(settings, knows) };
            let report = choose(&mut player, &game, &[], Limits::playouts(1000));
            let mut exact = Exact::new(&game);
            let best = exact.margin(&game.start());
            assert_eq!(report.proof, Some(Bounds::exact(best)), "seed {seed}");
            assert_eq!(exact.after(&game.start(), report.best), best, "seed {seed}");
            assert!(report.playouts <= 8, "{} playouts for four moves", report.playouts);
        }
    }
}

#[test]
fn priors_are_normalised_and_direct_the_search() {
    let raw = |mv: u8| [6.0, 0.0, 3.0, 1.0][usize::from(mv)];
    for structure in ["tree", "graph"] {
        for batch in ["1", "8"] {
            let game = Mesh::new(8, 400, false);
            let settings = config(&[
                ("select", "puct"),
                ("structure", structure),
                ("batch", batch),
                ("proof", "off"),
                ("c", "2"),
                ("fpu", "0"),
            ]);
            let mut player = with_priors(settings, move |_, leaves| {
                for i in 0..leaves.states().len() {
                    leaves.set_value(i, 0.5);
                    let moves = leaves.moves(i);
                    leaves.priors_mut(i).iter_mut().zip(moves).for_each(|(prior, &mv)| *prior = raw(mv));
                }
            });
            let report = choose(&mut player, &game, &[], Limits::playouts(1000));
            for node in &explored(&player, &game).nodes {
                let all: f64 = node.edges.iter().map(|edge| f64::from(raw(edge.mv))).sum();
                for edge in &node.edges {
                    let prior = edge.prior.expect("an evaluator gave some");
                    assert!((prior - f64::from(raw(edge.mv)) / all).abs() < 1e-6, "{node:?}");
                }
            }
            // Where every value is the same, visits follow the priors.
            let root = &explored(&player, &game).nodes[0];
            for edge in &root.edges {
                let (share, prior) = (edge.visits as f64 / 1000.0, f64::from(raw(edge.mv)) / 10.0);
                assert!((share - prior).abs() < 0.1, "{share} of the visits at a prior of {prior}: {root:?}");
            }
            assert_eq!(report.moves.len(), 4);
        }
    }
}

#[test]
fn moves_without_a_prior_are_found_when_all_other_moves_are_proven_worse() {
    for seed in 0..60 {
        let game = Mesh::new(seed, 7, false);
        let settings = config(&[("select", "puct"), ("reward", "margin"), ("c", "2"), ("fpu", "0")]);
        let mut player = with_priors(settings, move |game, leaves| {
            fill(leaves, |state| f32::from(state.score));
            for i in 0..leaves.states().len() {
                let state = leaves.states()[i];
                let mut exact = Exact::new(game);
                let best = exact.margin(&state);
                let moves = leaves.moves(i);
                // All priors on bad moves, if there are any.
                let bad: Vec<bool> = moves.iter().map(|&mv| exact.after(&state, mv) != best).collect();
                leaves.priors_mut(i).iter_mut().zip(&bad).for_each(|(prior, &bad)| *prior = f32::from(bad));
            }
        });
        let report = choose(&mut player, &game, &[], Limits::playouts(5000));
        let mut exact = Exact::new(&game);
        let best = exact.margin(&game.start());
        assert_eq!(report.proof, Some(Bounds::exact(best)), "seed {seed}");
        assert_eq!(exact.after(&game.start(), report.best), best, "seed {seed}");
    }
}

#[test]
fn invalid_answers_of_an_evaluator_are_harmless() {
    const NONSENSE: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, f32::MAX];
    for select in ["ucb1", "ucb1-tuned", "puct"] {
        for fpu in ["off", "0"] {
            for seed in 0..30 {
                let game = Mesh::new(seed, 7, false);
                let settings = config(&[("select", select), ("fpu", fpu), ("batch", "4"), ("reward", "margin")]);
                let mut player = with_priors(settings, move |game, leaves| {
                    for i in 0..leaves.states().len() {
                        let drawn = game.key(&leaves.states()[i]) as usize;
                        leaves.set_value(i, NONSENSE[drawn % 3]);
                        let mut at = drawn;
                        for prior in leaves.priors_mut(i) {
                            *prior = NONSENSE[at % NONSENSE.len()];
                            at /= 3;
                        }
                    }
                });
                let report = choose(&mut player, &game, &[], Limits::playouts(3000));
                assert!(report.value.abs() <= 1.0 && report.moves.iter().all(|stat| stat.value.abs() <= 1.0));
                assert_eq!(report.proof, Some(Bounds::exact(Exact::new(&game).margin(&game.start()))), "seed {seed}");
                for node in &explored(&player, &game).nodes {
                    let sum: f64 = node.edges.iter().map(|edge| edge.prior.expect("a prior")).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "priors add up to {sum} with seed {seed}: {node:?}");
                }
            }
        }
    }
}

#[test]
fn a_panic_in_an_evaluator_ends_one_search_only() {
    for policy in [false, true] {
        for at_call in [1, 2, 30] {
            let game = Mesh::new(5, 400, false);
            let start = game.start();
            let at = Situation { game: &game, start: &start, played: &[], state: &start };
            let mut calls = 0;
            let breaks = move |game: &Mesh, leaves: &mut Leaves<'_, Mesh>| {
                calls += 1;
                assert!(calls != at_call, "no answer to call {at_call}");
                fill(leaves, |state| hashed_value(game, state));
            };
            let settings = config(&[("batch", "8"), ("proof", "off")]);
            let mut player = if policy { with_priors(settings, breaks) } else { valued_by(settings, breaks) };
            let fault = player.choose(&at, &Limits::playouts(2000), &mut Silent).expect_err("a panic");
            let Fault::Panicked(text) = &fault else { panic!("{fault}") };
            assert_eq!(text, &format!("no answer to call {at_call}"));
            let report = choose(&mut player, &game, &[], Limits::playouts(2000));
            let visits = report.moves.iter().map(|stat| stat.visits).sum::<u64>();
            assert!(visits == 2000 && report.playouts == 2000, "playouts of the failed search were counted");
        }
    }
}

/// An evaluator that each thread has a fork of.
struct Forked {
    thread: u32,
    gives_priors: Priors,
    /// The thread of every call, and `None` for every new game.
    log: Arc<Mutex<Vec<Option<u32>>>>,
    /// The threads that were notified of a search.
    begun: Arc<Mutex<BTreeSet<u32>>>,
    /// Positions whose bonus, of 0, was requested.
    bonuses: Arc<AtomicU32>,
}

impl Forked {
    fn alone(gives_priors: Priors) -> Forked {
        Forked { thread: 0, gives_priors, log: Arc::default(), begun: Arc::default(), bonuses: Arc::default() }
    }

    fn write(&self, entry: Option<u32>) {
        self.log.lock().expect("no panic").push(entry);
    }
}

impl Evaluator<Mesh> for Forked {
    fn evaluate(&mut self, game: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        self.write(Some(self.thread));
        fill(leaves, |state| hashed_value(game, state));
    }

    fn gives_priors(&self) -> Priors {
        self.gives_priors
    }

    fn begin_search(&mut self, game: &Mesh, root: &Spot) {
        assert_eq!(*root, game.start());
        self.begun.lock().expect("no panic").insert(self.thread);
    }

    fn has_bonus(&self) -> bool {
        true
    }

    fn bonus(&self, _game: &Mesh, _spot: &Spot) -> f32 {
        self.bonuses.fetch_add(1, Ordering::Relaxed);
        0.0
    }

    fn new_game(&mut self) {
        self.write(None);
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Mesh>> {
        assert_eq!(self.thread, 0, "forks come from the first");
        let (log, begun, bonuses) = (Arc::clone(&self.log), Arc::clone(&self.begun), Arc::clone(&self.bonuses));
        Box::new(Forked { thread, gives_priors: self.gives_priors, log, begun, bonuses })
    }
}

#[test]
fn an_evaluator_is_notified_of_a_new_game() {
    let evaluator = Forked::alone(Priors::None);
    let log = Arc::clone(&evaluator.log);
    let mut player = Mcts::with_evaluator(Config::default(), Box::new(evaluator), &Plain).expect("one thread");
    log.lock().expect("no panic").clear();
    player.new_game(7);
    player.new_game(11);
    assert_eq!(*log.lock().expect("no panic"), [None, None]);
}

#[test]
fn every_thread_that_needs_one_has_its_own_evaluator() {
    for (parallel, gives_priors) in
        [("tree", Priors::None), ("root", Priors::None), ("root", Priors::WithValues), ("mutex", Priors::None)]
    {
        let settings = config(&[("threads", "3"), ("parallel", parallel), ("proof", "off")]);
        let evaluator = Forked::alone(gives_priors);
        let (log, begun) = (Arc::clone(&evaluator.log), Arc::clone(&evaluator.begun));
        let mut player = Mcts::with_evaluator(settings, Box::new(evaluator), &Plain).expect("threads with their own");
        let report = choose(&mut player, &Mesh::new(3, 400, false), &[], Limits::playouts(30_000));
        assert!(report.playouts >= 30_000, "{parallel}: {} playouts", report.playouts);
        let called: BTreeSet<u32> = log.lock().expect("no panic").iter().copied().flatten().collect();
        assert_eq!(called.len(), 3, "{parallel}, priors {gives_priors:?}: {called:?}");
        let begun = begun.lock().expect("no panic");
        assert!(called.is_subset(&begun), "{parallel}, priors {gives_priors:?}: {called:?} of {begun:?} know the root");
    }
}

/// The rules of the mesh and one evaluator.
#[derive(Clone)]
struct Named(Priors);

impl Kit<Mesh> for Named {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }

    fn evaluator(&self, name: &str, _config: &Config) -> Result<Option<Box<dyn Evaluator<Mesh>>>, TextError> {
        Ok((name == "forked").then(|| Box::new(Forked::alone(self.0)) as Box<dyn Evaluator<Mesh>>))
    }
}

#[test]
fn priors_are_refused_where_threads_or_other_settings_cannot_use_them() {
    for (extra, gives_priors, part) in [
        (("parallel", "tree"), Priors::WithValues, "add parallel=root"),
        (("parallel", "mutex"), Priors::WithValues, "add parallel=root"),
        (("forced", "always"), Priors::WithValues, "try forced=expansion"),
        (("forced", "one-ply-always"), Priors::WithValues, "try forced=expansion"),
        (("leaf-search-depth", "2"), Priors::WithValues, "leave leaf-search-depth out"),
        (("exact-leaves", "2"), Priors::WithValues, "leave exact-leaves out"),
    ] {
        let threads = if extra.0 == "parallel" { "2" } else { "1" };
        let settings = config(&[("threads", threads), ("select", "puct"), ("fpu", "0"), ("eval", "forked"), extra]);
        let by_kit = Mcts::with_kit(settings.clone(), &Named(gives_priors)).err();
        let directly = Mcts::with_evaluator(settings, Box::new(Forked::alone(gives_priors)), &Plain).err();
        for error in [by_kit, directly] {
            let error = error.unwrap_or_else(|| panic!("accepted {extra:?} with {gives_priors:?}")).to_string();
            assert!(error.contains(extra.0) || error.contains("threads=2"), "{error}");
            assert!(error.contains(part), "{error}");
        }
    }
}

#[test]
fn priors_of_an_evaluator_on_request_are_requested() {
    let requests = Arc::new(Mutex::new(0));
    let settings = config(&[("select", "puct"), ("fpu", "0"), ("forced", "never")]);
    let evaluator = Box::new(OnRequest(Arc::clone(&requests)));
    let mut player = Mcts::with_evaluator(settings, evaluator, &Plain).expect("one thread");
    choose(&mut player, &Mesh::new(3, 400, false), &[], Limits::playouts(300));
    assert!(*requests.lock().expect("no panic") > 10);
}

/// Gives no values and counts requests for priors.
struct OnRequest(Arc<Mutex<u32>>);

impl Evaluator<Mesh> for OnRequest {
    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn evaluate(&mut self, _game: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        fill(leaves, |_| 0.5);
    }

    fn priors(&mut self, _game: &Mesh, _spot: &Spot, moves: &[u8], out: &mut Vec<f32>) {
        *self.0.lock().expect("no panic") += 1;
        out.extend(moves.iter().map(|_| 1.0));
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        Box::new(OnRequest(Arc::clone(&self.0)))
    }
}

#[test]
fn every_wrapper_forwards_a_new_game_the_begin_of_a_search_and_bonuses() {
    for wrapped in [
        &[("pad", "1")][..],
        &[("forced", "always")],
        &[("forced", "one-ply-always")],
        &[("leaf-search-depth", "1"), ("leaf-search-below", "1")],
        &[("exact-leaves", "1")],
        &[("pad", "1"), ("forced", "always"), ("leaf-search-depth", "1"), ("exact-leaves", "1")],
    ] {
        let evaluator = Forked::alone(Priors::None);
        let (log, begun) = (Arc::clone(&evaluator.log), Arc::clone(&evaluator.begun));
        let bonuses = Arc::clone(&evaluator.bonuses);
        let mut player = Mcts::with_evaluator(config(wrapped), Box::new(evaluator), &Plain).expect("one thread");
        log.lock().expect("no panic").clear();
        player.new_game(7);
        assert_eq!(*log.lock().expect("no panic"), [None], "{wrapped:?}");
        choose(&mut player, &Mesh::new(3, 40, false), &[], Limits::playouts(1));
        assert_eq!(*begun.lock().expect("no panic"), BTreeSet::from([0]), "{wrapped:?}");
        assert_eq!(bonuses.load(Ordering::Relaxed), 1, "one leaf, {wrapped:?}");
    }
}

#[test]
fn another_board_begins_with_an_empty_tree() {
    for settings in [
        &[("leaf-search-depth", "8"), ("proof", "off"), ("forced", "never")][..],
        &[("leaf-search-depth", "8"), ("proof", "off"), ("forced", "never"), ("pad", "1")],
        &[("exact-leaves", "8"), ("proof", "off"), ("forced", "never")],
        &[("root-bias-depth", "8"), ("leaf-search-depth", "8"), ("proof", "off"), ("forced", "never")],
    ] {
        let mut afresh = Mcts::new(config(settings)).expect("settings without conflicts");
        let mut used = Mcts::new(config(settings)).expect("settings without conflicts");
        let expected = value_on(&mut afresh, last_ply(-1));
        assert_eq!(
            (value_on(&mut used, last_ply(1)), value_on(&mut used, last_ply(-1))),
            (1.0, expected),
            "{settings:?}"
        );
        assert_eq!(expected, -1.0);
    }
}

/// Six plies of three moves without effect; the result depends on the game and not on the key.
fn last_ply(margin: i16) -> Toy {
    // The value is the margin, then a byte for the sum of the moves.
    Toy {
        plies: 6,
        start: u64::from(margin as u16) << 8,
        n_moves: |_| 3,
        after: |value, mv| value + u64::from(mv),
        key: |ply, value| mix(u64::from(ply) << 8 | value & 0xff),
        margin: |value| (value >> 8) as i16,
        ..Toy::PLAIN
    }
}

fn value_on(player: &mut Mcts<Toy>, game: Toy) -> f64 {
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    player.choose(&at, &Limits::playouts(3), &mut Silent).expect("a move").value
}
