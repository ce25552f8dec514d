//! The priors of Connect Four, against the moves of searches without priors.

use banyan::connect_four::{ConnectFour, ConnectFourKnowledge, PolicyPriors};
use banyan::{Evaluator, Game, Knowledge, Limits, MoveList, Notation, Rng, Silent};

use crate::{Board, FITTED_BOARDS, best, is_proven, player};

const GAMES: u64 = 12;

/// The priors of the moves that a search plays are on average at least 1.5 times the uniform ones.
#[test]
fn priors_predict_the_moves_of_a_search() {
    let (mut by_priors, mut uniform, mut n) = (0.0, 0.0, 0);
    for number in 0..GAMES {
        let board = Board::<ConnectFour<[u64; 3]>>::new(FITTED_BOARDS[number as usize % FITTED_BOARDS.len()]);
        let game = &board.game;
        let mut state = game.start();
        let mut session = board.open(&state);
        let seat = session.seat(&player("mcgs:priors=uniform"), number).expect("a player of the game");
        let mut rng = Rng::new(number);
        while game.result(&state).is_none() {
            let analysis = session.choose(seat, &Limits::playouts(3_000), &mut Silent).expect("no fault");
            let chosen = game.parse_move(&state, best(&analysis)).expect("a legal move");
            let mut moves = MoveList::new();
            ConnectFourKnowledge.forced_moves(game, &state, &mut moves);
            if !is_proven(&analysis) && moves.len() > 1 {
                let mut priors = Vec::new();
                PolicyPriors.priors(game, &state, &moves, &mut priors);
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
    assert!(n > 200, "{n} positions");
    assert!(by_priors > 1.5 * uniform, "{} with priors, {} without", by_priors / f64::from(n), uniform / f64::from(n));
}
