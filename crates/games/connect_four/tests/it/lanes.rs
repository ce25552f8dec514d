//! Connect Four: playouts in vector lanes against single ones, in distribution, and the bounds that they prove against
//! exact values.
//!
//! The comparison with single playouts was checked to fail with each of these faults: no `save`, no `stack`, no `safe`,
//! always the first of the moves left, 15 random bits instead of 16, a cell below a hole treated as harmless, one of
//! the line directions ignored, choices not recorded, or recorded choices kept for the next game of the lane; and with
//! the sides of the last games of the lanes exchanged, or pairs that prove nothing. Lanes that share their random
//! numbers fail the test of independence.

use std::collections::BTreeMap;

use banyan_connect_four::{ConnectFour, Grid, State, ThreatRules};
use banyan_core::{Bounds, Game, Margin, Notation, Playout, Rng};
use banyan_testkit::{Exact, random_game, rounds};

fn game<B: Grid>(spec: &str) -> ConnectFour<B> {
    ConnectFour::from_options(spec).expect("a valid board for this word")
}

/// Playouts from all states at once.
fn at_once<B: Grid>(game: &ConnectFour<B>, states: &[State<B>], seed: u64) -> Vec<Playout> {
    let mut out = vec![Playout::new(Margin(99), Bounds::exact(Margin(99))); states.len()];
    game.threat_playouts(states, ThreatRules::ALL, &mut Rng::new(seed), &mut out);
    out
}

/// Batch sizes for which pairs are faster than lanes, and for which the last games leave their lanes.
const FEW: [usize; 5] = [2, 3, 9, 12, 17];

/// Playouts from all states, few at once.
fn few_at_once<B: Grid>(game: &ConnectFour<B>, mut states: &[State<B>], seed: u64) -> Vec<Playout> {
    let mut out = Vec::new();
    for &n in FEW.iter().cycle() {
        if states.is_empty() {
            break;
        }
        let seed = seed ^ states.len() as u64;
        let (few, rest) = states.split_at(n.min(states.len()));
        out.extend(at_once(game, few, seed));
        states = rest;
    }
    out
}

/// Playouts from all states one by one.
fn one_by_one<B: Grid>(game: &ConnectFour<B>, states: &[State<B>], seed: u64) -> Vec<Playout> {
    let mut rng = Rng::new(seed);
    states.iter().map(|&state| game.threat_playout(state, ThreatRules::ALL, &mut rng)).collect()
}

/// Deviation of two samples of the same size from one common distribution, in standard deviations: chi-square made
/// normal (Wilson and Hilferty 1931). Outcomes rarer than 20 in both together count as one.
fn deviation<T: Ord>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> f64 {
    let mut counts = BTreeMap::<T, [f64; 2]>::new();
    a.for_each(|outcome| counts.entry(outcome).or_default()[0] += 1.0);
    b.for_each(|outcome| counts.entry(outcome).or_default()[1] += 1.0);
    let (common, rare): (Vec<[f64; 2]>, Vec<[f64; 2]>) = counts.into_values().partition(|[a, b]| a + b >= 20.0);
    let rest = rare.iter().fold([0.0, 0.0], |[a, b], [c, d]| [a + c, b + d]);
    let cells = common.into_iter().chain((rest != [0.0, 0.0]).then_some(rest));
    let parts: Vec<f64> = cells.map(|[a, b]| (a - b).powi(2) / (a + b)).collect();
    let freedom = (parts.len() - 1).max(1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((parts.iter().sum::<f64>() / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Playouts per position. By chance a correct comparison deviates by more than 4 once in about 30,000.
const PLAYOUTS: usize = 20_000;
const MOST: f64 = 4.0;

/// Compares playouts from one position.
fn agrees<B: Grid>(game: &ConnectFour<B>, state: State<B>, rng: &mut Rng) {
    let states = vec![state; PLAYOUTS];
    let many = at_once(game, &states, rng.next_u64());
    let few = few_at_once(game, &states, rng.next_u64());
    let single = one_by_one(game, &states, rng.next_u64());
    // The margin determines the winner and the length of the game.
    let proven = |threat: &Playout| (threat.margin, threat.proven.lower, threat.proven.upper);
    for (count, some) in [("many", many), ("few", few)] {
        let margin = deviation(some.iter().map(|g| g.margin), single.iter().map(|g| g.margin));
        let winner = deviation(some.iter().map(|g| g.margin.winner()), single.iter().map(|g| g.margin.winner()));
        let proof = deviation(some.iter().map(proven), single.iter().map(proven));
        let place = format!("{} {}, {count} at once", game.spec(), game.print_position(&state));
        assert!(margin.max(winner).max(proof) < MOST, "{place}: {margin:.2}, {winner:.2}, {proof:.2}");
    }
}

/// Compares from the start and from three positions of a random game.
fn random_line_agrees<B: Grid>(spec: &str, seed: u64) {
    let game = game::<B>(spec);
    let mut rng = Rng::new(seed);
    let line = random_game(&game, &mut rng);
    for i in [0, line.len() / 4, line.len() / 2, line.len() - 3] {
        agrees(&game, line[i], &mut rng);
    }
}

#[test]
fn lanes_are_distributed_as_single_playouts() {
    for seed in 0..rounds(1, 3) {
        random_line_agrees::<u64>("6x7", seed);
        random_line_agrees::<u64>("5x4,hole=b2,hole=b3", seed);
        random_line_agrees::<u128>("9x9,hole=e5", seed);
        random_line_agrees::<[u64; 3]>("12x12,hole=g6", seed);
        random_line_agrees::<[u64; 4]>("15x16,hole=h8,hole=c3,hole=n12", seed);
    }
}

#[test]
fn lanes_prove_as_often_as_single_playouts() {
    let game = game::<u64>("6x7");
    //   . . o o . . .
    //   . . x x . . .      b1 or e1 wins by force, other moves give o a choice
    let early = "7/7/7/7/2oo3/2xx3 x";
    //   . . . . . . x
    //   o . o o . . x
    //   o . x x . . x      o has to play g4, then e1 wins by force
    let forced = "7/7/7/6x/o1oo2x/o1xx2x o";
    for text in [early, forced] {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        agrees(&game, state, &mut Rng::new(9));
    }
}

#[test]
fn lanes_that_all_end_at_once_end_as_single_playouts() {
    //   . . o o . . .
    //   . x x x . o .      x wins at once, and o, after one more stone at f2, loses whatever it plays: sixteen games are over
    //                      after a step, and those that come after them are the last
    let game = game::<u64>("6x7");
    for (text, margin) in [("7/7/7/7/2oo3/1xxx1o1 x", 18), ("7/7/7/7/2oo1x1/1xxx1o1 o", 17)] {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        for n in [16, 17, 18, 19, 20] {
            let threat = at_once(&game, &vec![state; n], 3);
            let single = one_by_one(&game, &[state], 4)[0];
            assert_eq!(single.margin, Margin(margin), "{text}");
            assert!(threat.iter().all(|&g| g == single), "{text}: {n} of {threat:?}, not {single:?}");
        }
    }
}

#[test]
fn neighbouring_lanes_are_independent() {
    let game = game::<u64>("6x7");
    let states = [game.start(); 16];
    let batches: Vec<Vec<f64>> =
        (0..4000).map(|seed| at_once(&game, &states, seed).iter().map(|g| f64::from(g.margin.0)).collect()).collect();
    let n = batches.len() as f64;
    let mean = |of: &dyn Fn(&[f64]) -> f64| batches.iter().map(|batch| of(batch)).sum::<f64>() / n;
    for lane in 0..16 {
        for other in 0..lane {
            let (a, b) = (mean(&|x| x[lane]), mean(&|x| x[other]));
            let covariance = mean(&|x| (x[lane] - a) * (x[other] - b));
            let variances = mean(&|x| (x[lane] - a).powi(2)) * mean(&|x| (x[other] - b).powi(2));
            let correlation = covariance / variances.sqrt();
            // 4.5 standard deviations; there are 120 pairs.
            assert!(correlation.abs() < 4.5 / n.sqrt(), "lanes {lane} and {other}: {correlation}");
        }
    }
}

#[test]
fn bounds_proven_by_lanes_contain_the_value_of_best_play() {
    for (spec, from_ply) in [("4x4", 0), ("4x5", 6), ("5x4,hole=b3", 5), ("4x6,hole=c1,hole=c2", 8), ("5x5", 14)] {
        let game = game::<u64>(spec);
        let (mut rng, mut exact) = (Rng::new(5), Exact::new(&game));
        let mut n_proofs = 0;
        for _ in 0..rounds(4, 12) {
            let games = (0..10).flat_map(|_| random_game(&game, &mut rng));
            let states: Vec<State<u64>> = games.filter(|state| game.ply(state) >= from_ply).collect();
            let threat = at_once(&game, &states, rng.next_u64());
            for (state, Playout { margin, proven }) in states.iter().zip(threat) {
                let (value, bounds) = (exact.margin(state), game.bounds(state));
                let place = || format!("{spec} {}", game.print_position(state));
                assert!(proven.contains(value), "{}: {proven:?} proven, but the value is {value}", place());
                assert!(proven.contains(margin), "{}: {margin} with {proven:?}", place());
                assert!(bounds.lower <= proven.lower && proven.upper <= bounds.upper, "{}", place());
                n_proofs += u32::from(proven != bounds);
            }
        }
        assert!(n_proofs > rounds(100, 300), "{spec}: {n_proofs}");
    }
}

#[test]
fn every_state_gets_its_result_for_every_batch_size() {
    fn check<B: Grid>(spec: &str) {
        let game = game::<B>(spec);
        let mut rng = Rng::new(77);
        for n in [0, 1, 7, 8, 15, 16, 17, 40, 300] {
            let states: Vec<State<B>> =
                std::iter::repeat_with(|| random_game(&game, &mut rng)).flatten().take(n).collect();
            let seed = rng.next_u64();
            let here = at_once(&game, &states, seed);
            // Every state has got its result.
            for (state, threat) in states.iter().zip(here) {
                assert!(game.bounds(state).contains(threat.margin), "{spec} {}", game.print_position(state));
            }
        }
    }
    check::<u64>("6x7");
    check::<u64>("4x4,hole=a1,hole=a2,hole=a3,hole=a4,hole=d4");
    check::<u128>("10x11,hole=d3,hole=d4,hole=k9,hole=k10,hole=f1,hole=f2");
    check::<[u64; 3]>("12x12,hole=g6");
    check::<[u64; 4]>("15x16,hole=h8,hole=p15,hole=a1");
    // A word wider than the board needs.
    check::<[u64; 4]>("6x7");
}

#[test]
fn the_mean_result_on_a_large_board_agrees_with_another_implementation() {
    // 0.070 to 0.071 over a million playouts of another implementation of these rules; here 200,000, whose mean has a
    // standard deviation of 0.0022.
    let game = game::<[u64; 3]>("12x12,hole=g6");
    let threat = at_once(&game, &vec![game.start(); 200_000], 1);
    let mean = threat.iter().map(|g| f64::from(g.margin.0.signum())).sum::<f64>() / threat.len() as f64;
    assert!((mean - 0.0705).abs() < 0.007, "{mean}");
}
