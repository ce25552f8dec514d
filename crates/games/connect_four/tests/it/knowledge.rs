//! Evaluation and move ordering, against exact values of small boards and on positions with an obvious favourite; and
//! the laws.

use banyan_connect_four::{
    ConnectFour, ConnectFourKnowledge, Grid, NodeEvaluator, PolicyPriors, ThreatPlayouts, ThreatRules, UniformMoves,
};
use banyan_core::{FINE, Game, Knowledge, Notation};
use banyan_laws as laws;
use banyan_testkit::{has_distinct_history_indices, order_agreement, ordered};

use crate::rules::{BOARDS, with_word};

fn eval(game: &ConnectFour<u64>, text: &str) -> i32 {
    let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
    ConnectFourKnowledge.static_eval(game, &state)
}

fn usual() -> ConnectFour<u64> {
    ConnectFour::from_options("").expect("a board")
}

#[test]
fn the_laws_of_knowledge_and_evaluators_hold_on_every_board() {
    fn check<B: Grid>(spec: &str) {
        let game = ConnectFour::<B>::from_options(spec).expect("a board for this word");
        let by_some_rules = ThreatRules::WIN.with(ThreatRules::BLOCK);
        let checks = [
            laws::check_knowledge(&game, &mut ConnectFourKnowledge, 10, 1),
            laws::check_uniform_policy(&game, &mut UniformMoves, 3, 1),
            laws::check_evaluator(&game, &mut ThreatPlayouts::default(), 3, 1),
            laws::check_evaluator(&game, &mut ThreatPlayouts::new(by_some_rules), 3, 1),
            laws::check_evaluator(&game, &mut NodeEvaluator, 10, 1),
            laws::check_evaluator(&game, &mut PolicyPriors, 10, 1),
        ];
        checks.into_iter().for_each(|check| check.unwrap_or_else(|broken| panic!("{spec}: {broken}")));
    }
    for spec in BOARDS {
        with_word!(spec, check());
    }
}

#[test]
fn the_evaluation_orders_positions_better_than_the_static_margin() {
    for (options, from_ply) in [("4x5", 6), ("5x4,hole=b3", 5)] {
        let game = ConnectFour::<u64>::from_options(options).expect("a board");
        let [eval, margin] = order_agreement(&game, &mut ConnectFourKnowledge, from_ply);
        assert!(eval > 0.8 && eval > margin + 0.3, "{options}: {eval:.3}, static margin {margin:.3}");
    }
}

#[test]
fn threats_in_rows_of_the_right_parity_have_the_highest_value() {
    let game = usual();
    //   3  . x x x . . .
    //   2  . x o x . o .      x gets a3 or e3 when no other cell is left
    //   1  . o x o . o .
    let odd = eval(&game, "7/7/7/1xxx3/1xox1o1/1oxo1o1 o");
    //   3  . . x x . . .
    //   2  . o o o . . .      o gets a2 or e2
    //   1  . x o x . . .
    let even = eval(&game, "7/7/7/2xx3/1ooo3/1xox3 x");
    assert!(odd > 20 && even < -20, "{odd} {even}");
    assert!(odd < FINE && even > -FINE, "an evaluation is always below a point: {odd} {even}");
    // A board of 41 cells reverses the parity.
    let game = ConnectFour::<u64>::from_options("6x7,hole=g6").expect("a board");
    let turned = eval(&game, "6-/7/7/1xxx3/1xox1o1/1oxo1o1 o");
    assert!(turned < odd - 10, "{turned} {odd}");
}

#[test]
fn a_threat_to_win_at_once_is_evaluated_as_near_certain() {
    let game = usual();
    let to_win = eval(&game, "7/7/7/7/ooo4/xxx4 x");
    let two_to_block = eval(&game, "7/7/7/7/2oo3/2xxx2 o");
    assert_eq!((to_win, two_to_block), (FINE - 1, FINE - 1));
}

#[test]
fn the_best_ordered_move_comes_first() {
    let game = usual();
    let order = |text: &str| {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        ordered(&game, &ConnectFourKnowledge, &state)
    };
    assert_eq!(order("7/7/7/7/ooo4/xxx4 x")[..2], ["4", "3"], "the win, then the centre");
    assert_eq!(order("7/7/7/7/7/xxxooo1 x")[..2], ["7", "4"], "the block, then the centre");
    assert_eq!(order(&game.print_position(&game.start()))[0], "4");
}

#[test]
fn moves_have_distinct_history_indices() {
    let game = ConnectFour::<[u64; 4]>::from_options("15x16").expect("a board");
    assert!(has_distinct_history_indices(&game, &ConnectFourKnowledge));
}
