//! The book of Connect Four that is part of the program: published values, and the solver without it.

use banyan::catalog::{Goal, KeptProver, Means, Opening, Session, SolverBook};
use banyan::{ErasedState, Game, Limits, Rng, Silent};
use banyan_testkit::rounds;

use crate::{player, start};

const MEANS: Means = Means { table_mib: 64, threads: 1 };

/// The result of best play, seen by the side to move.
fn winner(session: &Session) -> i16 {
    let solved = session.prove(Goal::Winner, MEANS, &Limits::default(), &mut Silent);
    solved.proof().outcome().expect("it is proven")
}

/// Values of the first moves by James D. Allen and Victor Allis (1988): the middle wins, its neighbours draw, the others lose.
#[test]
fn the_first_moves_have_their_published_values() {
    let mut session = start("connect-four");
    assert!(session.solver_book().is_some());
    for (column, value) in [(1, -1), (2, -1), (3, 0), (4, 1), (5, 0), (6, -1), (7, -1)] {
        session.play(&column.to_string()).expect("a legal move");
        assert_eq!(-winner(&session), value, "{column}");
        session.undo();
    }
}

/// John Tromp's data set of 1995 (Connect-4 in the UCI repository) has the positions after eight moves in which no side can win at once:
/// 44,473 are won by the first player, 6,449 drawn and 16,635 lost.
#[test]
fn its_values_have_the_published_counts() {
    let session = start("connect-four");
    let (game, book) = (session.rules(), session.solver_book().expect("a book"));
    let children = |state: &ErasedState| {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let after = |mv: u16| {
            let mut after = state.clone();
            game.play(&mut after, mv);
            (mv, after)
        };
        moves.into_iter().map(after).collect::<Vec<_>>()
    };
    let mut counts = [0; 3];
    for (state, value) in book.positions().zip(book.values()) {
        // A cell where the other side could win now is one where it wins after a move in another column.
        let is_quiet = children(state).iter().all(|(mv, after)| {
            let replies = || children(after).into_iter().filter(|(reply, _)| reply != mv);
            game.result(after).is_none() && replies().all(|(_, then)| game.result(&then).is_none())
        });
        if is_quiet {
            counts[(value.lower.0.signum() + 1) as usize] += 1;
        }
    }
    assert_eq!(counts, [16_635, 6_449, 44_473]);
}

#[test]
fn positions_of_the_book_have_the_winner_that_the_solver_finds_alone() {
    let (mut rng, numbers) = (Rng::new(8), (0..400).collect::<Vec<u32>>());
    for number in rounds(&numbers[..6], &numbers) {
        let mut session = start("connect-four");
        for _ in 0..8 {
            let moves = session.legal_moves();
            session.play(&moves[rng.below(moves.len() as u32) as usize]).expect("a legal move");
        }
        if session.result().is_some() {
            continue;
        }
        let from_book = session.solver_book().expect("it has this position").bounds(session.position_key());
        let known = from_book.expect("bounds").seen_by(session.to_move());
        session.set_solver_book(SolverBook::Off);
        assert!(session.solver_book().is_none());
        assert_eq!(known.0.signum(), known.1.signum());
        assert_eq!(winner(&session), known.0.signum(), "{number}: {}", session.position());
    }
}

/// A prover is kept where it fits: the same game, means and book.
#[test]
fn a_kept_prover_changes_neither_values_nor_work() {
    let catalog = banyan::builtin();
    let games = ["connect-four", "connect-four:5x5", "reversi:4x4"];
    let games = games.map(|game| catalog.game(game).expect(game));
    let (mut kept, mut n_kept) = (KeptProver::default(), 0);
    let narrow = Means { table_mib: 16, threads: 1 };
    // The first two have the same book.
    for (game, moves, has_book, means) in [
        (0, "4 4 4 4 4 2 2 3", true, MEANS),
        (0, "4 4 4 4 4 2 2 1", true, MEANS),
        (0, "4 4 4 4 4 2 2 3", false, MEANS),
        (0, "4 4 4 4 4 2 2 3 3 2 2 2 5", false, MEANS),
        (0, "4 4 4 4 4 2 2 3 3 2 2 2 6", false, MEANS),
        (0, "4 4 4 4 4 2 2 3 3 2 2 2 6", false, narrow),
        (1, "", true, MEANS),
        (1, "3 3 3 1 1 1 1 1 2 2 2 2 2 3 3", true, MEANS),
        (2, "", true, MEANS),
        (2, "a2", true, MEANS),
    ] {
        let mut session = games[game].open(Opening::Start).expect("a start");
        session.play_all(moves).expect("legal moves");
        if !has_book {
            session.set_solver_book(SolverBook::Off);
        }
        let solved = session.prove_keeping(&mut kept, Goal::Value, means, &Limits::default(), &mut Silent);
        let alone = session.prove(Goal::Value, means, &Limits::default(), &mut Silent);
        assert_eq!((solved.proof(), solved.nodes), (alone.proof(), alone.nodes), "{game} {moves}");
        assert_eq!((&solved.book, solved.book.is_some()), (&alone.book, game == 0 && has_book));
        // Its table has the size that it took for an earlier position.
        n_kept += u32::from(solved.memory_bytes > alone.memory_bytes);
    }
    assert!(n_kept > 0);
}

#[test]
fn best_plays_from_the_book_on_the_usual_board_only() {
    let in_game = |game: &str, text: &str| start(game).in_game(&player(text)).expect("a player").to_string();
    for game in ["connect-four", "connect-four:6x7"] {
        assert_eq!(in_game(game, "best"), "mcgs:book=built-in");
        assert_eq!(in_game(game, "best:threads=2"), "mcgs:threads=2,book=built-in");
        assert_eq!(in_game(game, "best:book=off"), "mcgs");
        assert_eq!(in_game(game, "mcgs"), "mcgs");
        assert_eq!(in_game(game, "best:second-best=0.5"), "mcgs:second-best=0.5");
    }
    for level in 1..=10 {
        let text = in_game("connect-four", &format!("level-{level}"));
        assert!(!text.contains("book"), "{text}");
    }
    assert_eq!(in_game("connect-four:9x9", "best"), "mcgs");
    assert_eq!(in_game("connect-four:hole=d3", "best"), "mcgs");
    let refused =
        start("connect-four:9x9").seat(&player("uct:book=built-in"), 1).expect_err("there is none").to_string();
    assert!(refused.contains("book=built-in in connect-four:9x9: expected a game with a built-in book"), "{refused}");
    let mut session = start("connect-four");
    let seat = session.seat(&player("random:book=built-in"), 1).expect("a seat");
    let analysis = session.choose(seat, &Limits::playouts(1), &mut Silent).expect("a move");
    assert_eq!((analysis.best.as_deref(), analysis.book, analysis.moves.len()), (Some("4"), false, 7));
    assert_eq!((analysis.value, analysis.moves[0].value), (1.0, Some(1.0)));
    let seat = session.seat(&player("best"), 1).expect("a seat");
    let analysis = session.choose(seat, &Limits::playouts(20), &mut Silent).expect("a move");
    assert_eq!((analysis.best.as_deref(), analysis.book, analysis.playouts), (Some("4"), true, 20));
}
