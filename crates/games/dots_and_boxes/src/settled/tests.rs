use std::collections::HashMap;

use banyan_core::{Game, Notation, Prover, Rng};

use super::*;
use crate::{DotsAndBoxes, ExactEndings, Shape};

/// Draws random safe edges while there are any.
fn settled<B: Bits>(game: &DotsAndBoxes<B>, rng: &mut Rng) -> B {
    let mut undrawn = game.undrawn(&game.start());
    loop {
        let safe = game.grid.safe(&game.grid.degrees(undrawn), undrawn);
        if safe.is_empty() {
            return undrawn;
        }
        undrawn = undrawn.and_not(rng.single_member(safe));
    }
}

/// Compares with the solver; returns the number of positions, and of those with a junction.
fn check<B: Bits>(size: &str, n: u32) -> [u32; 2] {
    let game = DotsAndBoxes::<B>::new(Shape::parse(size).expect("a size"));
    let mut rng = Rng::new(3);
    // One table for all positions, as in a search.
    let mut values = SettledValues::new(u32::MAX);
    let mut with_junctions = 0;
    for _ in 0..n {
        let undrawn = settled(&game, &mut rng);
        let degrees = game.grid.degrees(undrawn);
        let mut state = game.start();
        for edge in game.undrawn(&state).and_not(undrawn).ones() {
            game.play(&mut state, edge as u8);
        }
        let value =
            game.score(&state).seen_by(game.to_move(&state)) + values.value(&game.grid, &degrees, undrawn) as i16;
        let mut solver = ExactEndings::new(1 << 16);
        let mut lower = |points| {
            let bounds = solver.reaches(&game, &state, points, &mut |_| Some(u64::MAX)).expect("not stopped");
            bounds.seen_by(game.to_move(&state)).0
        };
        assert!(lower(value) >= value && lower(value + 2) < value + 2, "{value}: {}", game.print_position(&state));
        with_junctions += u32::from(!degrees.more.is_empty());
    }
    [n, with_junctions]
}

/// The value of one junction, with these tails to the border and circles that begin and end there, beside isolated chains
/// and loops, by trying every move.
fn plain(sizes: &[Vec<u8>; 4], known: &mut HashMap<[Vec<u8>; 4], i32>) -> i32 {
    if let Some(&value) = known.get(sizes) {
        return value;
    }
    let mut best = if sizes.iter().all(Vec::is_empty) { 0 } else { -INFINITE };
    for list in 0..4 {
        for i in 0..sizes[list].len() {
            let mut rest = sizes.clone();
            let n = rest[list].remove(i);
            let back = BACK[kind(n.into(), list == LOOPS)];
            let mut taken = i32::from(n);
            let tails: u8 = rest[TAILS].iter().sum();
            match (list, rest[TAILS].len() + 2 * rest[CIRCLES].len()) {
                (TAILS, 2) if rest[TAILS].is_empty() => {
                    let circle = rest[CIRCLES].remove(0);
                    rest[LOOPS].push(circle + 1);
                }
                (TAILS | CIRCLES, 2) if rest[CIRCLES].is_empty() => {
                    rest[TAILS].clear();
                    rest[CHAINS].push(tails + 1);
                }
                (CIRCLES, 2) => {
                    let circle = rest[CIRCLES].remove(0);
                    rest[LOOPS].push(circle + 1);
                }
                (CIRCLES, 1) => {
                    rest[TAILS].clear();
                    taken += i32::from(tails + 1);
                }
                _ => {}
            }
            rest.iter_mut().for_each(|list| list.sort_unstable());
            let value = plain(&rest, known);
            best = best.max(if back == 0 { -(taken + value) } else { back - taken - (value + back).abs() });
        }
    }
    known.insert(sizes.clone(), best);
    best
}

const TAILS: usize = 0;
const CIRCLES: usize = 1;
const CHAINS: usize = 2;
const LOOPS: usize = 3;

#[test]
fn one_junction_has_the_value_of_trying_every_move() {
    let mut known = HashMap::new();
    let mut rng = Rng::new(8);
    let mut draw = |n: u32, least: u32, step: u32, most: u32| {
        let mut list: Vec<u8> = (0..n).map(|_| (least + step * rng.below(most)) as u8).collect();
        list.sort_unstable();
        list
    };
    // Three or four edges of the junction, alone and beside others; the last is wider than the small tables.
    for [tails, circles, chains, loops] in
        [[3, 0, 0, 0], [1, 1, 0, 0], [3, 0, 4, 1], [1, 1, 4, 1], [4, 0, 3, 1], [2, 1, 3, 1], [0, 2, 3, 1], [3, 0, 7, 3]]
    {
        for _ in 0..30 {
            let wide = chains == 7;
            let sizes = [
                draw(tails, 1, 1, 5),
                draw(circles, 3, 2, 3),
                draw(chains, if wide { 3 } else { 1 }, 1, if wide { 2 } else { 5 }),
                draw(loops, 4, 2, 2),
            ];
            let mut values = SettledValues::<u64>::new(u32::MAX);
            for (list, &n_boxes) in sizes.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |n| (i, n))) {
                let ends = [[0, BORDER], [0, 0], [BORDER; 2], [BORDER; 2]][list];
                // One edge for each chain, by which the table distinguishes positions.
                let edges = 1 << values.arms.len();
                values.arms.push(Arm { edges, n_boxes, is_loop: list == LOOPS, ends });
            }
            values.arms.sort_unstable_by_key(|arm| (arm.is_isolated(), arm.n_boxes));
            let n_attached = (tails + circles) as usize;
            let top = values.arms.len();
            let (attached, isolated) = (Places { begin: 0, end: n_attached }, Places { begin: n_attached, end: top });
            let undrawn = (1 << top) - 1;
            let ending = Ending { undrawn, attached, isolated, top, n_junctions: 1 };
            assert_eq!(values.search(ending, -INFINITE, INFINITE), plain(&sizes, &mut known), "{sizes:?}");
            let by_sizes = values.value_with_junction(attached, isolated);
            assert_eq!(by_sizes.is_some(), tails + 2 * circles == 3, "{sizes:?}");
        }
    }
}

#[test]
fn estimates_do_not_depend_on_what_was_valued_before() {
    let game = DotsAndBoxes::<u128>::new(Shape::parse("7x7").expect("a size"));
    let mut rng = Rng::new(4);
    let (mut exact, mut estimates) = (SettledValues::new(u32::MAX), SettledValues::new(2));
    let [mut n_exact, mut n_estimates, mut n_wrong] = [0; 3];
    for _ in 0..300 {
        let undrawn = settled(&game, &mut rng);
        let degrees = game.grid.degrees(undrawn);
        let estimate = estimates.value(&game.grid, &degrees, undrawn);
        assert_eq!(estimate, SettledValues::new(2).value(&game.grid, &degrees, undrawn), "{undrawn:x}");
        assert!(estimate.unsigned_abs() <= degrees.open().count(), "{estimate}: {undrawn:x}");
        match degrees.more.count() {
            0..=2 => {
                assert_eq!(estimate, exact.value(&game.grid, &degrees, undrawn), "{undrawn:x}");
                n_exact += 1;
            }
            3..=4 => {
                n_wrong += u32::from(estimate != exact.value(&game.grid, &degrees, undrawn));
                n_estimates += 1;
            }
            _ => {}
        }
    }
    assert!(n_exact > 10 && n_estimates > 10 && 2 * n_wrong < n_estimates, "{n_exact}, {n_wrong} of {n_estimates}");
}

#[test]
fn values_are_those_of_the_solver() {
    for (size, [n, with_junctions]) in [
        ("3x3", check::<u64>("3x3", 1000)),
        ("5x5", check::<u64>("5x5", 1000)),
        ("2x7", check::<u128>("2x7", 500)),
        ("6x6", check::<u128>("6x6", 200)),
    ] {
        assert!(4 * with_junctions > n, "{size}: {with_junctions} of {n} with junctions");
    }
}
