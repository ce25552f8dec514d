//! Values of all moves, proven beside the search of a player.

use banyan_catalog::view::Analysis;
use banyan_catalog::{Means, Opening, PlayerSpec, Session};
use banyan_core::{Limits, Silent};

use crate::catalog;

const MEANS: Means = Means { table_mib: 16, threads: 1 };

fn opened(game: &str, moves: &str) -> Session {
    let mut session = catalog().game(game).expect("a game").open(Opening::Start).expect("a start");
    session.play_all(moves).expect("legal moves");
    session
}

fn analysed(session: &mut Session, player: &str, lines: Option<u32>) -> Analysis {
    let player: PlayerSpec = player.parse().expect("a player");
    let seat = session.seat(&player, 1).expect("a player of the game");
    let limits = Limits { lines, ..Limits::playouts(20_000) };
    session.analyse((seat, &player), &limits, &mut Silent).expect("a move")
}

#[test]
fn every_move_has_its_exact_value_where_the_solver_reaches() {
    for (game, moves, player) in [
        ("connect-four:5x5", "3 3 3 3 3 1 2 2", "best"),
        ("connect-four:5x5,hole=c3", "1 1 5 5 3 3 2", "uct"),
        ("connect-four:5x5,hole=c3", "1 1 5 5 3 3 2", "solver"),
        ("dots-and-boxes:2x3", "h0,0 v1,1 h2,2", "mcgs"),
        ("reversi:4x4", "a2 a1", "mcgs"),
        ("reversi:4x4", "a2 a1", "pvs"),
    ] {
        let mut session = opened(game, moves);
        let analysis = analysed(&mut session, player, Some(Limits::ALL_LINES));
        let solved = session.solve(MEANS, &Limits::default(), &mut Silent);
        assert_eq!(analysis.moves.len(), solved.moves.len(), "{game} {moves} {player}");
        for proven in &solved.moves {
            let mv = analysis.moves.iter().find(|mv| mv.mv == proven.mv).expect("every legal move");
            assert_eq!(mv.proof, Some(proven.proof()), "{game} {moves} {player}: {}", mv.mv);
            assert_eq!(mv.value, proven.proof().outcome().map(f64::from));
            assert!(mv.at_most.is_none() && mv.pv.first() == Some(&mv.mv));
            let counts = game.starts_with("connect-four") && proven.margin != Some(0);
            assert_eq!(mv.ends_in.is_some(), counts, "{game} {moves}: {}", mv.mv);
        }
        assert!(solved.best.contains(analysis.best.as_ref().expect("a move")), "{game} {moves} {player}");
        assert!(analysis.moves.iter().map(|mv| mv.proof.map(|proof| -proof.lower)).is_sorted());
        assert_eq!(analysis.moves[0].mv, *analysis.best.as_ref().expect("a move"));
    }
}

#[test]
fn the_end_is_counted_in_moves_of_the_winner() {
    // Both sides have three in a column: the first side wins with its next stone, and after another move the second side does.
    let mut session = opened("connect-four:6x7", "1 2 1 2 1 2");
    let analysis = analysed(&mut session, "best", Some(Limits::ALL_LINES));
    let found = |mv: &str| {
        let found = analysis.moves.iter().find(|stat| stat.mv == mv).expect("a legal move");
        (found.value, found.ends_in)
    };
    assert_eq!((analysis.best.as_deref(), analysis.ends_in), (Some("1"), Some(1)));
    assert_eq!([found("1"), found("4")], [(Some(1.0), Some(1)), (Some(-1.0), Some(1))]);
}

#[test]
fn a_search_for_the_best_move_only_is_left_as_it_is() {
    let mut session = opened("connect-four:5x5", "3 3 3 3 3 1 2 2");
    let player: PlayerSpec = "uct".parse().expect("a player");
    let seat = session.seat(&player, 1).expect("a player of the game");
    let chosen = session.choose(seat, &Limits::playouts(20_000), &mut Silent).expect("a move");
    let timeless = |analysis: Analysis| Analysis { elapsed_ms: 0.0, cpu_ms: 0.0, ..analysis };
    for lines in [None, Some(1)] {
        assert_eq!(timeless(analysed(&mut session, "uct", lines)), timeless(chosen.clone()));
    }
}
