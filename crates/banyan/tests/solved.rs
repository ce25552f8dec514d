//! Whole games solved from the start, against brute force and against published values.

#[path = "../../search/tests/mcts/exact.rs"]
mod exact;

use banyan_core::{Bounds, Limits, Margin, MoveList, Notation, Silent, Situation, Solution, Solver};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use banyan_search::ExactSolver;
use exact::Exact;

fn solve<G: Notation>(options: &str) -> (G, Solution<G::Move>) {
    let game = G::from_options(options).expect("a board of the game");
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let solution = ExactSolver::new(64).solve(&at, &Limits::default(), &mut Silent);
    (game, solution)
}

/// Holds the value of the start and of every first move against a search of all positions.
fn check_by_brute_force<G: Notation>(options: &str) {
    let (game, solution) = solve::<G>(options);
    let mut exact = Exact::new(&game);
    assert_eq!(solution.bounds, Bounds::exact(exact.margin(&game.start())), "{options}");
    let mut moves = MoveList::new();
    game.moves(&game.start(), &mut moves);
    assert_eq!(solution.moves.len(), moves.len(), "{options}");
    for &(mv, bounds) in &solution.moves {
        assert_eq!(bounds, Bounds::exact(exact.after(&game.start(), mv)), "{options}: {mv:?}");
    }
}

#[test]
fn small_boards_of_connect_four_have_the_values_of_brute_force() {
    check_by_brute_force::<ConnectFour<u64>>("4x4");
    check_by_brute_force::<ConnectFour<u64>>("4x5");
    check_by_brute_force::<ConnectFour<u64>>("5x4");
    check_by_brute_force::<ConnectFour<u64>>("5x4,hole=b2,hole=d4");
}

#[test]
fn reversi_on_16_squares_has_its_published_values_both_ways_of_counting() {
    check_by_brute_force::<Reversi<u64>>("4x4");
    for (options, margin) in [("4x4", -10), ("4x4,count=discs", -8)] {
        let (_, solution) = solve::<Reversi<u64>>(options);
        assert_eq!(solution.bounds, Bounds::exact(Margin(margin)), "{options}");
    }
}

/// Values and numbers of best moves as found by retrograde analysis of all positions (1x2 to 3x3), and agreed on by
/// several authors; `None` where only the value is known.
#[test]
fn dots_and_boxes_has_its_known_values() {
    for (options, margin, best) in [
        ("1x5", -1, Some(16)),
        ("1x6", 0, Some(1)),
        ("2x2", 2, Some(8)),
        ("2x3", -2, Some(17)),
        ("2x4", 2, None),
        ("3x3", -3, Some(24)),
    ] {
        let (game, solution) = solve::<DotsAndBoxes<u64>>(options);
        assert_eq!(solution.bounds, Bounds::exact(Margin(margin)), "{options}");
        let found = solution.best(banyan_core::Side::First).len();
        assert!(best.is_none_or(|best| best == found), "{options}: {found} best moves of {}", game.spec());
    }
}
