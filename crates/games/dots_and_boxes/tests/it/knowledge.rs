//! Evaluation and move ordering, against exact values of small boards and on positions with an obvious favourite; and
//! the laws.

use banyan_bits::Bits;
use banyan_core::{FINE, Game, Knowledge, Notation, Rng};
use banyan_dots_and_boxes::{DotsAndBoxesKnowledge, TacticalPlayouts, UniformMoves};
use banyan_laws as laws;
use banyan_testkit::{Exact, has_distinct_history_indices, order_agreement, ordered, random_game};

use crate::game;

#[test]
fn the_laws_of_knowledge_and_evaluators_hold() {
    fn check<B: Bits>(size: &str) {
        let game = game::<B>(size);
        let checks = [
            laws::check_knowledge(&game, &mut DotsAndBoxesKnowledge::default(), 10, 5),
            laws::check_uniform_policy(&game, &mut UniformMoves, 3, 5),
            laws::check_evaluator(&game, &mut TacticalPlayouts, 3, 5),
        ];
        checks.into_iter().for_each(|check| check.unwrap_or_else(|broken| panic!("{size}: {broken}")));
    }
    for size in ["1x1", "1x2", "2x2", "3x2", "3x3", "5x5", "1x21", "7x7", "9x9"] {
        with_word!(size, check());
    }
    check::<[u64; 3]>("2x3");
}

#[test]
fn the_evaluation_orders_positions_better_than_the_static_margin() {
    for (size, from_ply, expected) in [("2x3", 0, 0.88), ("3x3", 12, 0.93)] {
        let [eval, margin] = order_agreement(&game::<u64>(size), &mut DotsAndBoxesKnowledge::default(), from_ply);
        assert!(eval > expected && eval > margin + 0.2, "{size}: {eval:.3}, static margin {margin:.3}");
    }
}

#[test]
fn boxes_on_offer_and_chains_are_evaluated_exactly() {
    let game = game::<u64>("3x5");
    let eval = |text: &str| {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        DotsAndBoxesKnowledge::default().static_eval(&game, &state)
    };
    // Four boxes on offer at both ends and a loop of ten: the mover hands the four back and gets the ten.
    let tail_and_loop = "11111/11111/01110/11111/100011/100001/100001";
    assert_eq!(eval(&format!("{tail_and_loop} x")), 6 * FINE);
    assert_eq!(eval(&format!("{tail_and_loop} o")), -6 * FINE);
    assert_eq!(eval(&format!("{tail_and_loop} o 1-0")), -5 * FINE);
}

#[test]
fn endings_are_evaluated_within_half_a_box() {
    let game = game::<u64>("3x3");
    let (mut rng, mut exact) = (Rng::new(12), Exact::new(&game));
    let (mut missed, mut missed_by_margin, mut n) = (0.0, 0.0, 0.0);
    for _ in 0..200 {
        for state in random_game(&game, &mut rng).into_iter().filter(|state| (14..24).contains(&game.ply(state))) {
            let margin = i32::from(exact.margin(&state).0);
            let eval = DotsAndBoxesKnowledge::default().static_eval(&game, &state);
            missed += f64::from((eval - margin * FINE).abs()) / f64::from(FINE);
            missed_by_margin +=
                f64::from((i32::from(DotsAndBoxesKnowledge::default().static_margin(&game, &state).0) - margin).abs());
            n += 1.0;
        }
    }
    let (missed, missed_by_margin) = (missed / n, missed_by_margin / n);
    assert!(missed < 0.5 && missed_by_margin > 2.0, "{missed:.2} boxes, by the static margin {missed_by_margin:.2}");
}

#[test]
fn the_best_ordered_move_comes_first() {
    let game = game::<u64>("2x2");
    let order = |text: &str| {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        ordered(&game, &DotsAndBoxesKnowledge::default(), &state)
    };
    //   +-+-+
    //   |   |      v0,1 closes nothing; h1,0 and h1,1 neither; the box below left has one edge left
    //   + + +
    //   |
    //   +-+ +
    assert_eq!(order("11/00/10/101/110 x")[0], "h1,0");
    assert_eq!(order("10/00/00/000/000 x")[..4], ["h1,0", "h1,1", "v0,1", "v1,1"], "safe edges, the middle first");
}

#[test]
fn moves_have_distinct_history_indices() {
    let game = game::<[u64; 3]>("9x9");
    assert!(has_distinct_history_indices(&game, &DotsAndBoxesKnowledge::default()));
}
