//! The exact solver against full tables, plain search and published values.

use std::collections::HashMap;

use banyan_bits::Bits;
use banyan_core::{Answer, Bounds, Evaluator, Game, Leaves, Margin, Notation, Prover, Rng, Side, Value};
use banyan_dots_and_boxes::{DotsAndBoxes, ExactEndings, SafePlayouts, State};
use banyan_testkit::is_deep;

use crate::exact::{position, values_of_moves};
use crate::{game, listed, plain};

/// A table of this size must hold the boards solved here.
pub(crate) const TABLE: u64 = 1 << 26;

/// The final margin under best play, seen by the side to move, by halving an interval.
pub(crate) fn margin<B: Bits>(
    prover: &mut dyn Prover<DotsAndBoxes<B>>,
    game: &DotsAndBoxes<B>,
    state: &State<B>,
) -> i16 {
    if let Some(margin) = game.result(state) {
        return margin.seen_by(game.to_move(state));
    }
    let mover = game.to_move(state);
    let (mut lower, mut upper) = game.bounds(state).seen_by(mover);
    while lower < upper {
        let points = lower + (upper - lower + 1) / 2;
        let bounds = prover.reaches(game, state, points, &mut |_| Some(u64::MAX)).expect("nothing stops it");
        let (proven_lower, proven_upper) = bounds.seen_by(mover);
        assert!(proven_lower >= points || proven_upper < points, "{bounds:?} leaves {points} open");
        (lower, upper) = (lower.max(proven_lower), upper.min(proven_upper));
    }
    assert_eq!(lower, upper);
    lower
}

/// The margin of each legal move, seen by the side to move.
pub(crate) fn moves<B: Bits>(
    prover: &mut dyn Prover<DotsAndBoxes<B>>,
    game: &DotsAndBoxes<B>,
    state: &State<B>,
) -> Vec<(u8, i16)> {
    let value = |mv: u8| {
        let mut next = *state;
        game.play(&mut next, mv);
        let value = margin(prover, game, &next);
        (mv, if game.to_move(&next) == game.to_move(state) { value } else { -value })
    };
    listed(game, state).into_iter().map(value).collect()
}

#[test]
fn every_position_of_small_boards_has_the_value_of_the_plain_table() {
    let deep = is_deep();
    for (size, rows, columns) in [("1x4", 1, 4), ("3x1", 3, 1), ("2x2", 2, 2), ("2x3", 2, 3), ("3x3", 3, 3)] {
        if (rows, columns) == (3, 3) && !deep {
            continue;
        }
        let game = game::<u64>(size);
        let values: Vec<_> = plain::values(rows, columns).into_iter().enumerate().collect();
        let agree = |values: &mut dyn Iterator<Item = &(usize, i8)>| {
            let mut prover = ExactEndings::new(TABLE);
            for &(drawn, value) in values {
                let found = margin(&mut prover, &game, &position(&game, drawn as u64));
                assert_eq!(found, i16::from(value), "{size} with edges {drawn:#b} drawn");
            }
        };
        // From the empty board on positions are looked up by all symmetries; without the first ones they are not; the third time both.
        agree(&mut values.iter());
        agree(&mut values.iter().filter(|(drawn, _)| drawn.count_ones() > 2));
        agree(&mut values.iter().rev());
    }
}

#[test]
fn what_is_proven_from_the_empty_board_is_found_again_further_on() {
    let game = game::<u64>("2x4");
    let mut prover = ExactEndings::new(TABLE);
    margin(&mut prover, &game, &game.start());
    let (mut again, mut anew) = (0, 0);
    for seed in 1..6 {
        let state = random_position(&game, 18, u32::MAX, &mut Rng::new(seed));
        let mut other = ExactEndings::new(TABLE);
        let before = prover.nodes();
        assert_eq!(margin(&mut prover, &game, &state), margin(&mut other, &game, &state));
        again += prover.nodes() - before;
        anew += Prover::<DotsAndBoxes<u64>>::nodes(&other);
    }
    assert!(again * 2 < anew, "{again} positions after {anew}");
}

/// A position with `left` undrawn edges, reached by random edges that put no box on offer while there are any, but for one of
/// `stray`.
fn random_position<B: Bits>(game: &DotsAndBoxes<B>, left: u16, stray: u32, rng: &mut Rng) -> State<B> {
    let mut state = game.start();
    while game.ply(&state) + left < game.max_plies() {
        let after = |state: &State<B>, mv: u8| {
            let mut next = *state;
            game.play(&mut next, mv);
            next
        };
        let captures = |state: &State<B>| {
            listed(game, state).into_iter().any(|mv| game.score(&after(state, mv)) != game.score(state))
        };
        let all = listed(game, &state);
        let safe: Vec<u8> = all.iter().copied().filter(|&mv| !captures(&after(&state, mv))).collect();
        let from = if safe.is_empty() || rng.below(stray) == 0 { all } else { safe };
        game.play(&mut state, from[rng.below(from.len() as u32) as usize]);
    }
    state
}

fn late_positions_have_the_values_of_plain_search<B: Bits>(size: &str, n: u32) {
    let game = game::<B>(size);
    let mut prover = ExactEndings::new(1 << 20);
    let mut rng = Rng::new(7);
    for _ in 0..n {
        let left = 8 + rng.below(9) as u16;
        let state = random_position(&game, left, 8, &mut rng);
        let score = game.score(&state).seen_by(game.to_move(&state));
        let expected: Vec<(u8, i16)> = values_of_moves(&game, &state, &mut HashMap::new())
            .into_iter()
            .map(|(mv, value)| (mv, score + value))
            .collect();
        assert_eq!(moves(&mut prover, &game, &state), expected, "{size} {}", game.print_position(&state));
    }
}

#[test]
fn late_positions_of_large_boards_have_the_values_of_plain_search() {
    late_positions_have_the_values_of_plain_search::<u64>("5x5", 60);
    late_positions_have_the_values_of_plain_search::<u64>("2x9", 40);
    late_positions_have_the_values_of_plain_search::<u128>("6x7", 20);
    late_positions_have_the_values_of_plain_search::<[u64; 3]>("9x9", 10);
    late_positions_have_the_values_of_plain_search::<[u64; 3]>("5x5", 10);
}

#[test]
fn boards_have_their_published_values() {
    // Field notes, section 3: retrograde tables and other solvers; 2x6 and 3x4 are the largest solved here.
    for (size, expected) in [
        ("1x1", -1),
        ("1x2", 0),
        ("1x3", -1),
        ("1x5", -1),
        ("1x7", -1),
        ("1x9", -1),
        ("1x4", 0),
        ("1x6", 0),
        ("1x8", 0),
        ("1x10", 0),
        ("2x2", 2),
        ("2x3", -2),
        ("2x4", 2),
        ("2x5", -2),
        ("2x6", 2),
        ("3x3", -3),
        ("3x4", 0),
    ] {
        let game = game::<u64>(size);
        let mut prover = ExactEndings::new(TABLE);
        assert_eq!(margin(&mut prover, &game, &game.start()), expected, "{size}");
    }
    let wide = game::<[u64; 3]>("2x4");
    assert_eq!(margin(&mut ExactEndings::new(TABLE), &wide, &wide.start()), 2, "in three words");
    let wide = game::<u128>("3x2");
    assert_eq!(margin(&mut ExactEndings::new(TABLE), &wide, &wide.start()), -2, "in two words");
}

#[test]
fn a_stopped_proof_gives_no_bounds_and_the_next_one_goes_on() {
    let game = game::<u64>("5x5");
    let mut prover = ExactEndings::new(TABLE);
    let state = random_position(&game, 38, u32::MAX, &mut Rng::new(3));
    assert_eq!(prover.reaches(&game, &state, 1, &mut |_| None), None);
    let mut calls = 0;
    let stopped = prover.reaches(&game, &state, 1, &mut |nodes| {
        calls += 1;
        (nodes < 500).then_some(nodes + 100)
    });
    assert_eq!((stopped, calls), (None, 6));
    let expected = margin(&mut ExactEndings::new(TABLE), &game, &state);
    let mut fork = prover.fork(1);
    assert!((1 << 20..=TABLE).contains(&fork.memory_bytes()), "{}", fork.memory_bytes());
    assert_eq!(margin(&mut *fork, &game, &state), expected, "the other order finds the same value");
    assert_eq!(margin(&mut prover, &game, &state), expected);
    let before = prover.nodes();
    let known = prover.reaches(&game, &state, expected, &mut |_| Some(u64::MAX));
    let nodes_again = prover.nodes() - before;
    let (lower, _) = known.expect("nothing stops it").seen_by(game.to_move(&state));
    assert!(lower >= expected && nodes_again < 10, "{known:?} after {nodes_again} positions: what is proven is kept");
}

#[test]
fn another_board_is_not_mistaken_for_the_last_one() {
    let mut prover = ExactEndings::new(1 << 16);
    for size in ["2x3", "3x2", "2x2", "3x3", "2x3"] {
        let game = game::<u64>(size);
        let expected = if size == "2x2" {
            2
        } else if size == "3x3" {
            -3
        } else {
            -2
        };
        assert_eq!(margin(&mut prover, &game, &game.start()), expected, "{size}");
    }
    // Nor by a copy that has searched none yet.
    for (first, second) in [("2x3", "3x2"), ("3x2", "2x3"), ("2x4", "4x2"), ("3x3", "2x4"), ("2x4", "3x3")] {
        let (first, second) = (game::<u64>(first), game::<u64>(second));
        let mut prover = ExactEndings::new(TABLE);
        let mut fork = prover.fork(1);
        let mut rng = Rng::new(5);
        for _ in 0..30 {
            margin(&mut prover, &first, &random_position(&first, 14, 8, &mut rng));
        }
        for _ in 0..30 {
            let state = random_position(&second, 14, 8, &mut rng);
            let expected = margin(&mut ExactEndings::new(1 << 16), &second, &state);
            assert_eq!(margin(&mut *fork, &second, &state), expected, "{}", second.print_position(&state));
        }
    }
    prover.forget();
    let bounds = prover.reaches(&game("1x1"), &game::<u64>("1x1").start(), 0, &mut |_| Some(1)).expect("not stopped");
    assert_eq!(bounds.seen_by(Side::First), (-1, -1));
    assert!(bounds.is_exact() && bounds != Bounds::exact(Margin(1)));
}

fn playout(playouts: &mut SafePlayouts<u64>, game: &DotsAndBoxes<u64>, state: &State<u64>, rng: &mut Rng) -> Margin {
    let mut answers = [Answer::default()];
    let mut leaves = Leaves::new(std::slice::from_ref(state), &[0], &mut answers);
    playouts.evaluate(game, &mut leaves, rng);
    let Value::Margin(margin) = answers[0].value else { panic!("{:?}", answers[0]) };
    margin
}

#[test]
fn safe_playouts_have_the_exact_value_where_no_edge_is_safe() {
    let (mut exact, mut joined, mut n) = (0, 0, 0);
    let mut rng = Rng::new(11);
    let mut playouts = SafePlayouts::new();
    for (size, most_left) in [("5x5", 30), ("3x4", 20), ("5x5", 30)] {
        let game = game::<u64>(size);
        for left in 8..most_left {
            for _ in 0..20 {
                let state = random_position(&game, left, u32::MAX, &mut rng);
                let found = playout(&mut playouts, &game, &state, &mut rng);
                let bounds = game.bounds(&state);
                assert!(bounds.contains(found), "{found} of {}", game.print_position(&state));
                let is_undrawn = |edge: u8| !drawn(&game, &state, edge);
                let undrawn_of = |number| game.shape().sides(number).into_iter().filter(|&edge| is_undrawn(edge));
                let is_open = |number: &u32| undrawn_of(*number).count() > 2;
                let n_boxes = game.shape().n_boxes();
                // Each undrawn edge is beside a box that it would put on offer or close.
                let is_settled = (0..game.shape().n_edges() as u8).filter(|&edge| is_undrawn(edge)).all(|edge| {
                    (0..n_boxes).filter(|number| !is_open(number)).any(|number| undrawn_of(number).any(|of| of == edge))
                });
                if is_settled {
                    let value = margin(&mut ExactEndings::new(1 << 20), &game, &state);
                    assert_eq!(found.seen_by(game.to_move(&state)), value, "{}", game.print_position(&state));
                    exact += 1;
                    joined += u32::from((0..n_boxes).any(|number| is_open(&number)));
                }
                n += 1;
            }
        }
    }
    assert!(joined > 50 && exact > joined && exact < n, "{joined} and {exact} of {n}");
}

#[test]
fn safe_playouts_do_not_mistake_another_board_for_the_last_one() {
    // Every move offers boxes where these edges are undrawn, and chains meet, on both boards.
    let undrawn = 0x2856_0fd0_u64;
    let mut playouts = SafePlayouts::new();
    for (size, expected) in [("3x4", -8), ("4x3", 7), ("3x4", -8)] {
        let game = game::<u64>(size);
        let mut state = game.start();
        (0..31).filter(|edge| undrawn >> edge & 1 == 0).for_each(|edge| game.play(&mut state, edge));
        let found = playout(&mut playouts, &game, &state, &mut Rng::new(7));
        let mover = game.to_move(&state);
        assert_eq!(found.seen_by(mover) - game.score(&state).seen_by(mover), expected, "{size}");
        assert_eq!(found.seen_by(mover), margin(&mut ExactEndings::new(1 << 20), &game, &state), "{size}");
    }
}

fn drawn(game: &DotsAndBoxes<u64>, state: &State<u64>, edge: u8) -> bool {
    game.drawn(state) >> edge & 1 == 1
}

#[test]
fn casual_moves_take_boxes_and_else_give_none_away_where_they_can() {
    let game = game::<u64>("2x2");
    let casual = |moves: &str| {
        let mut state = game.start();
        for word in moves.split_whitespace() {
            let mv = game.parse_move(&state, word).expect("a move");
            game.play(&mut state, mv);
        }
        let mut found = Vec::new();
        game.casual_moves(&state, &mut found);
        found.iter().map(|&mv| game.print_move(&state, mv)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(casual("").split(' ').count(), 12);
    // The upper left box has two edges: its others are not safe.
    assert_eq!(casual("h0,0 v0,0"), "h0,1 h1,1 h2,0 h2,1 v0,2 v1,0 v1,1 v1,2");
    assert_eq!(casual("h0,0 v0,0 h1,0"), "v0,1", "the box is on offer");
    // Every box has two edges: none is safe.
    assert_eq!(casual("h0,0 h0,1 h2,0 h2,1 v0,0 v0,2 v1,0 v1,2"), "h1,0 h1,1 v0,1 v1,1");
}
