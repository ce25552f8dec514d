//! The node evaluator of Connect Four, against the results of games of searches that do not use it.

use banyan::connect_four::{ConnectFour, ConnectFourKnowledge, NodeEvaluator};
use banyan::{Evaluator, Game, Knowledge, Leaves, Limits, Notation, Rng, Silent};
use banyan_core::{Answer, Value};
use banyan_testkit::listed;

use crate::{Board, FITTED_BOARDS, best, is_proven, player};

const GAMES: u64 = 60;

type Rules = ConnectFour<[u64; 3]>;

/// The node evaluation in units of the static evaluation, seen by the first side.
fn node_points(game: &Rules, state: &<Rules as Game>::State) -> i32 {
    let mut answers = [Answer::default()];
    NodeEvaluator.evaluate(game, &mut Leaves::new(&[*state], &[0], &mut answers), &mut Rng::new(0));
    let Value::Points(points) = answers[0].value else { panic!("{answers:?} is not an expected margin") };
    points
}

/// Predicting 0.5 for every result has a cross-entropy of ln 2 = 0.693. The fitted weights have 0.606 in games that
/// they were not fitted to.
#[test]
fn the_node_evaluator_predicts_the_results_of_games() {
    let (mut by_node_eval, mut by_static_eval, mut n) = (0.0, 0.0, 0);
    for number in 0..GAMES {
        let board = Board::<Rules>::new(FITTED_BOARDS[number as usize % FITTED_BOARDS.len()]);
        let game = &board.game;
        let (mut state, mut seen) = (game.start(), Vec::new());
        let mut session = board.open(&state);
        let seat = session.seat(&player("mcgs:node-eval=0"), number).expect("a player of the game");
        let mut rng = Rng::new(number);
        while game.result(&state).is_none() {
            let mv = if game.ply(&state) < 4 {
                let moves = listed(game, &state);
                moves[rng.below(moves.len() as u32) as usize]
            } else {
                let analysis = session.choose(seat, &Limits::playouts(500), &mut Silent).expect("no fault");
                if !is_proven(&analysis) {
                    seen.push(state);
                }
                game.parse_move(&state, best(&analysis)).expect("a legal move")
            };
            session.play(&game.print_move(&state, mv)).expect("a legal move");
            game.play(&mut state, mv);
        }
        let margin = game.result(&state).expect("the game is over");
        let result = margin.winner().map_or(0.0, |winner| f64::from(winner.sign()));
        let scale = f64::from(ConnectFourKnowledge.eval_scale(game));
        let loss = |points: i32| {
            let expected = (f64::from(points) / scale).tanh();
            -((1.0 + result) / 2.0 * ((1.0 + expected) / 2.0).ln()
                + (1.0 - result) / 2.0 * ((1.0 - expected) / 2.0).ln())
        };
        for at in &seen {
            by_node_eval += loss(node_points(game, at));
            by_static_eval += loss(ConnectFourKnowledge.static_eval(game, at));
            n += 1;
        }
    }
    let (by_node_eval, by_static_eval) = (by_node_eval / f64::from(n), by_static_eval / f64::from(n));
    assert!(n > 1500, "{n} positions");
    assert!(
        by_node_eval < 0.65 && by_node_eval < by_static_eval,
        "{by_node_eval} by the node evaluation, {by_static_eval} by the static evaluation"
    );
}
