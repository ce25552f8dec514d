//! The priors that Connect Four guesses, against what searches that know nothing of them find.

use banyan::connect_four::{ConnectFour, ConnectFourKnowledge, PolicyPriors};
use banyan::{Evaluator, Game, Knowledge, Limits, MoveList, Notation, Rng, Silent};

use crate::{Board, FITTED_BOARDS, best, is_proven, player};

const GAMES: u64 = 12;

/// The moves that a search plays get half as much again as from an even guess at least.
#[test]
fn priors_foretell_what_a_search_plays() {
    let (mut guessed, mut even, mut n) = (0.0, 0.0, 0);
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
                let i = moves.iter().position(|&mv| mv == chosen).expect("one of the moves worth a look");
                guessed += f64::from(priors[i]);
                even += 1.0 / moves.len() as f64;
                n += 1;
            }
            let mv = if rng.below(4) == 0 { moves[rng.below(moves.len() as u32) as usize] } else { chosen };
            session.play(&game.print_move(&state, mv)).expect("a legal move");
            game.play(&mut state, mv);
        }
    }
    assert!(n > 200, "{n} positions");
    assert!(guessed > 1.5 * even, "{} with priors, {} without", guessed / f64::from(n), even / f64::from(n));
}
