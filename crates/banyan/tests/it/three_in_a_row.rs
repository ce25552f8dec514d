//! The example of a user-defined game: it runs, satisfies the laws, and its searches find the moves.

#[path = "../../examples/three_in_a_row.rs"]
mod example;

use banyan::{Config, Game, Limits, MatchConditions, Mcts, Notation, Player, Random, laws, perft, play_match};
use example::ThreeInARow;

#[test]
fn the_example_runs() {
    example::main().expect("no error");
}

#[test]
fn the_game_satisfies_every_law() {
    for seed in [1, 1000, 2000] {
        laws::check(&ThreeInARow, 40, seed).unwrap_or_else(|err| panic!("{err}"));
    }
}

#[test]
fn perft_gives_the_known_count() {
    // 255168 games in all, 46080 of 9 moves and won, 81792 of 9 moves and drawn: sums over 5 .. 9 moves.
    assert_eq!(perft(&ThreeInARow, &ThreeInARow.start(), 9), 46_080 + 81_792);
}

fn uct() -> Mcts<ThreeInARow> {
    Mcts::new(Config::default()).expect("consistent settings")
}

#[test]
fn the_search_wins_at_once_or_blocks() {
    for (position, expected) in [("xx./oo./...", "c3"), ("x../.x./oo.", "c1"), ("x../oo./..x", "c2")] {
        let board = ThreeInARow.parse_position(position).expect("a position of the test");
        let report = uct().analyse(&ThreeInARow, &board, &Limits::playouts(5000));
        let best = report.expect("a search always moves").best;
        assert_eq!(ThreeInARow.print_move(&board, best), expected, "{position}");
    }
}

#[test]
fn the_search_seldom_loses_to_a_random_mover() {
    let conditions = MatchConditions { opening_plies: 0, ..MatchConditions::new(50, Limits::playouts(1000)) };
    let counts = play_match(&ThreeInARow, [&mut uct(), &mut Random::new(7)], &conditions).expect("no fault");
    let moving_second = counts.by_side[1];
    assert!(moving_second.wins >= 35 && moving_second.losses <= 2, "{moving_second:?}");
}

#[test]
fn broken_text_is_refused() {
    for text in ["", "xx", "xx./.../...", "x../.o./....", "x../.o./..", "x.. .o. ...", "o../.../...", "é../.../..."] {
        assert!(ThreeInARow.parse_position(text).is_err(), "{text:?} is read");
    }
}
