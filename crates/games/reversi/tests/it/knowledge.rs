//! Evaluation and move ordering, against exact values of small boards and on positions with an obvious favourite; and
//! the laws.

use banyan_bits::Bits;
use banyan_core::{FINE, Knowledge, Notation};
use banyan_laws as laws;
use banyan_reversi::{PolicyPriors, Reversi, ReversiKnowledge, TacticalPlayouts, UniformMoves};
use banyan_testkit::{has_distinct_history_indices, order_agreement, ordered};

#[test]
fn the_laws_of_knowledge_and_evaluators_hold() {
    fn check<B: Bits>(options: &str) {
        let game = Reversi::<B>::from_options(options).expect("a board");
        let checks = [
            laws::check_knowledge(&game, &mut ReversiKnowledge::default(), 10, 1),
            laws::check_knowledge(&game, &mut ReversiKnowledge::without_patterns(), 10, 1),
            laws::check_uniform_policy(&game, &mut UniformMoves, 3, 1),
            laws::check_evaluator(&game, &mut TacticalPlayouts::default(), 3, 1),
            laws::check_evaluator(&game, &mut PolicyPriors::default(), 10, 1),
        ];
        checks.into_iter().for_each(|check| check.unwrap_or_else(|broken| panic!("{options}: {broken}")));
    }
    for options in ["4x4", "4x4,count=discs", "4x6", "6x6", "8x8", "8x8,count=discs"] {
        check::<u64>(options);
    }
    for options in ["4x4", "10x10", "4x10", "10x8,count=discs"] {
        check::<u128>(options);
    }
}

#[test]
fn the_evaluation_orders_positions_better_than_the_static_margin() {
    for options in ["4x4", "4x4,count=discs"] {
        let game = Reversi::<u64>::from_options(options).expect("a board");
        let [eval, margin] = order_agreement(&game, &mut ReversiKnowledge::default(), 0);
        assert!(eval > 0.72 && eval > margin + 0.2, "{options}: {eval:.3}, static margin {margin:.3}");
    }
}

#[test]
fn corners_are_good_and_neighbours_of_empty_corners_bad() {
    let game = Reversi::<u64>::from_options("").expect("a board");
    for knowledge in [ReversiKnowledge::default(), ReversiKnowledge::without_patterns()] {
        let eval = |text: &str| {
            let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
            knowledge.clone().static_eval(&game, &state)
        };
        let corner = eval("xxo5/8/8/3ox3/3xo3/8/8/8 o");
        let diagonal = eval("8/1x6/2o5/3ox3/3xo3/8/8/8 o");
        assert!(corner > diagonal + 5 * FINE, "{corner} {diagonal}");
        // The opposite with all colours swapped.
        assert_eq!(eval("oox5/8/8/3xo3/3ox3/8/8/8 x"), -corner);
    }
}

#[test]
fn the_best_ordered_move_comes_first() {
    let game = Reversi::<u64>::from_options("").expect("a board");
    let state = game.parse_position("1ox5/1o6/2x5/3ox3/3xo3/8/8/8 x").expect("a position");
    let order = ordered(&game, &ReversiKnowledge::default(), &state);
    assert_eq!(order[0], "a1", "{order:?}");
}

#[test]
fn moves_have_distinct_history_indices() {
    let game = Reversi::<u128>::from_options("10x10").expect("a board");
    assert!(has_distinct_history_indices(&game, &ReversiKnowledge::default()));
}
