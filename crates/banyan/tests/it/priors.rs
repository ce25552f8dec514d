//! Fitted priors, against the moves of searches without priors.

use banyan::{Evaluator, Knowledge, Limits, MoveList, Notation, Rng, Silent};
use banyan::{connect_four, reversi};

use crate::{Board, FITTED_BOARDS, best, is_proven, player};

const GAMES: u64 = 12;

/// The mean prior of the moves that a search without priors plays, uniform priors' mean, and the number of positions.
fn predicted<G: Notation>(
    board: impl Fn(u64) -> Board<G>,
    knowledge: &dyn Knowledge<G>,
    policy: &mut dyn Evaluator<G>,
) -> (f64, f64, u32) {
    let (mut by_priors, mut uniform, mut n) = (0.0, 0.0, 0);
    for number in 0..GAMES {
        let board = board(number);
        let game = &board.game;
        let mut state = game.start();
        let mut session = board.open(&state);
        let seat = session.seat(&player("mcgs:priors=uniform"), number).expect("a player of the game");
        let mut rng = Rng::new(number);
        while game.result(&state).is_none() {
            let analysis = session.choose(seat, &Limits::playouts(3_000), &mut Silent).expect("no fault");
            let chosen = game.parse_move(&state, best(&analysis)).expect("a legal move");
            let mut moves = MoveList::new();
            knowledge.forced_moves(game, &state, &mut moves);
            if !is_proven(&analysis) && moves.len() > 1 {
                let mut priors = Vec::new();
                policy.priors(game, &state, &moves, &mut priors);
                let i = moves.iter().position(|&mv| mv == chosen).expect("one of the forced moves");
                by_priors += f64::from(priors[i]);
                uniform += 1.0 / moves.len() as f64;
                n += 1;
            }
            let mv = if rng.below(4) == 0 { moves[rng.below(moves.len() as u32) as usize] } else { chosen };
            session.play(&game.print_move(&state, mv)).expect("a legal move");
            game.play(&mut state, mv);
        }
    }
    (by_priors / f64::from(n), uniform / f64::from(n), n)
}

#[test]
fn priors_of_connect_four_predict_the_moves_of_a_search() {
    let board = |number: u64| {
        Board::<connect_four::ConnectFour<[u64; 3]>>::new(FITTED_BOARDS[number as usize % FITTED_BOARDS.len()])
    };
    let knowledge = connect_four::ConnectFourKnowledge;
    let (by_priors, uniform, n) = predicted(board, &knowledge, &mut connect_four::PolicyPriors);
    assert!(n > 200, "{n} positions");
    assert!(by_priors > 1.5 * uniform, "{by_priors} with priors, {uniform} without");
}

#[test]
fn priors_of_reversi_predict_the_moves_of_a_search() {
    let board = |_| Board::<reversi::Reversi<u64>>::new("8x8");
    let knowledge = reversi::ReversiKnowledge::default();
    let (by_priors, uniform, n) = predicted(board, &knowledge, &mut reversi::PolicyPriors::default());
    assert!(n > 400, "{n} positions");
    assert!(by_priors > 1.8 * uniform, "{by_priors} with priors, {uniform} without");
}
