//! Every text is either refused in one clear line or leads to a position that can be played and searched: nothing panics.

use banyan_catalog::{Opening, PlayerSpec, Session};
use banyan_core::{Limits, Silent, TextError};
use banyan_testkit::rounds;
use proptest::prelude::*;

use crate::catalog;

const GAMES: [&str; 5] = ["connect-four", "connect-four:4x5,hole=b2", "reversi", "reversi:4x4", "dots-and-boxes:2x3"];

fn is_clear(err: &TextError) -> bool {
    let text = err.to_string();
    !text.contains('\n') && !text.ends_with('.') && text.len() < 500
}

/// Searches and plays a little from the position that the text led to.
fn use_it(mut session: Session) {
    let seat = session.seat(&PlayerSpec::default(), 1).expect("a player of the game");
    for _ in 0..3 {
        assert_eq!(session.result().is_some(), session.legal_moves().is_empty(), "{}", session.position());
        if session.result().is_some() {
            return;
        }
        session.picture().expect("the built-in games have boards");
        let analysis = session.choose(seat, &Limits::playouts(50), &mut Silent).expect("a move");
        session.play(&analysis.best.expect("a move")).expect("the chosen move is legal");
    }
    let again = catalog().game(&session.spec()).expect("a game").open(Opening::Position(&session.position()));
    assert_eq!(again.map(|again| again.position()), Ok(session.position()));
}

fn try_it(game: &str, opening: Opening<'_>) {
    match catalog().game(game).and_then(|game| game.open(opening)) {
        Ok(session) => use_it(session),
        Err(err) => assert!(is_clear(&err), "{err}"),
    }
}

/// A row in which every blank is a 1, with their runs counted: `x111` becomes `x3`.
fn count_blanks(row: &str) -> String {
    (2..=row.len()).rev().fold(row.to_owned(), |row, run| row.replace(&"1".repeat(run), &run.to_string()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(400, 2000)))]

    #[test]
    fn any_options(name in 0..3usize, options in "([0-9]{1,3}x[0-9]{1,3})?(,?(hole=[a-q][0-9]{1,2}|count=[a-z]{0,5}|[ -~é]))*") {
        let name = ["connect-four", "reversi", "dots-and-boxes"][name];
        try_it(&format!("{name}:{options}"), Opening::Start);
    }

    #[test]
    fn any_moves(game in 0..GAMES.len(), moves in "([1-9]|[a-h][1-8]|[hv][0-4],[0-4]|pass|[0-9]{1,3}|[ ,é@-])*") {
        try_it(GAMES[game], Opening::Moves(&moves));
    }

    #[test]
    fn any_position(game in 0..GAMES.len(), position in "([xo1-9.-]{1,5}/){0,7}[xo1-9.-]{0,5}( [xo*])?( [0-9]-[0-9])?") {
        try_it(GAMES[game], Opening::Position(&position));
    }

    /// Stones in the right numbers that lie as they would have fallen, so that only the lines can be wrong.
    #[test]
    fn heaps_of_stones(
        heights in proptest::collection::vec(0..=6usize, 7),
        order in Just((0..42usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let stones: Vec<usize> = order.into_iter().filter(|cell| cell / 7 < heights[cell % 7]).collect();
        let mut board = [["1"; 7]; 6];
        for (i, cell) in stones.iter().enumerate() {
            board[5 - cell / 7][cell % 7] = ["x", "o"][i % 2];
        }
        let position = format!("{} {}", board.map(|row| count_blanks(&row.concat())).join("/"), ["x", "o"][stones.len() % 2]);
        try_it("connect-four", Opening::Position(&position));
    }

    #[test]
    fn boards_full_of_discs(discs in proptest::collection::vec(0..3usize, 36), mover in 0..2usize, small in any::<bool>()) {
        let size = if small { 4 } else { 6 };
        let text = |row: &[usize]| count_blanks(&row.iter().map(|&disc| ["x", "o", "1"][disc]).collect::<String>());
        let rows: Vec<String> = discs[..size * size].chunks(size).map(text).collect();
        let position = format!("{} {}", rows.join("/"), ["x", "o"][mover]);
        try_it(&format!("reversi:{size}x{size}"), Opening::Position(&position));
    }

    #[test]
    fn edges_of_the_right_number(bits in proptest::collection::vec(any::<bool>(), 17), mover in 0..2usize, score in 0..8u8) {
        let mut bits = bits.iter().map(|&drawn| if drawn { '1' } else { '0' });
        let rows: Vec<String> = [3, 3, 3, 4, 4].iter().map(|&n| bits.by_ref().take(n).collect()).collect();
        let position = format!("{} {} {score}-0", rows.join("/"), ["x", "o"][mover]);
        try_it("dots-and-boxes:2x3", Opening::Position(&position));
        try_it("dots-and-boxes:2x3", Opening::Position(position.rsplit_once(' ').expect("a score").0));
    }
}
