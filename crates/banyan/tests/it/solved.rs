//! Whole games solved from the start, against brute force and against published values.

use banyan::catalog::Means;
use banyan::catalog::view::Solved;
use banyan::connect_four::ConnectFour;
use banyan::reversi::Reversi;
use banyan::{Limits, Notation, Silent};
use banyan_testkit::{Exact, listed, rounds};

use crate::{Board, start};

fn solve(game: &str) -> Solved {
    start(game).solve(Means { table_mib: 64, threads: 1 }, &Limits::default(), &mut Silent)
}

/// Checks the value of the start and of every first move by a full search.
fn check_by_brute_force<G: Notation>(options: &str) {
    let Board { game, .. } = Board::<G>::new(options);
    let solved = solve(&game.spec());
    let (start, mut exact) = (game.start(), Exact::new(&game));
    let mover = game.to_move(&start);
    assert_eq!(solved.margin, Some(exact.value(&start)), "{options}");
    assert_eq!(solved.moves.len(), listed(&game, &start).len(), "{options}");
    for found in &solved.moves {
        let mv = game.parse_move(&start, &found.mv).expect("a legal move");
        assert_eq!(found.margin, Some(exact.after(&start, mv).seen_by(mover)), "{options}: {}", found.mv);
    }
}

#[test]
fn small_boards_of_connect_four_have_the_values_of_brute_force() {
    let boards = ["4x4", "5x4,hole=b2,hole=d4", "4x5", "5x4"];
    rounds(&boards[..2], &boards).iter().for_each(|board| check_by_brute_force::<ConnectFour<u64>>(board));
}

#[test]
fn reversi_on_16_squares_has_its_published_values_by_both_ways_of_counting() {
    check_by_brute_force::<Reversi<u64>>("4x4");
    for (game, value) in [("reversi:4x4", -10), ("reversi:4x4,count=discs", -8)] {
        assert_eq!(solve(game).margin, Some(value), "{game}");
    }
}

/// Values and numbers of best moves as found by retrograde analysis of all positions (1x2 to 3x3), and agreed on by
/// several authors; `None` where only the value is known.
#[test]
fn dots_and_boxes_has_its_known_values() {
    for (size, value, n_best) in [
        ("1x5", -1, Some(16)),
        ("1x6", 0, Some(1)),
        ("2x2", 2, Some(8)),
        ("2x3", -2, Some(17)),
        ("2x4", 2, None),
        ("3x3", -3, Some(24)),
    ] {
        let solved = solve(&format!("dots-and-boxes:{size}"));
        assert_eq!(solved.margin, Some(value), "{size}");
        assert!(n_best.is_none_or(|n_best| n_best == solved.best.len()), "{size}: {:?}", solved.best);
    }
}
