//! Reversi against collected positions and games, if the environment variable BANYAN_DATA names their folder: part `positions` of
//! `./test`.

use std::fs;
use std::path::{Path, PathBuf};

use banyan_core::{Game, Margin, Notation, published_perft};
use banyan_reversi::{ExactEndings, Place, Reversi, ReversiKnowledge, State};

use crate::exact::proven;

type Game8 = Reversi<u64>;

fn game() -> Game8 {
    Reversi::from_options("").expect("the usual board")
}

/// The folder with the reference data; without one, prints that the test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test must be visible")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("BANYAN_DATA");
    if folder.is_none() {
        eprintln!("skipped: BANYAN_DATA does not name the folder with the reference positions");
    }
    folder.map(|folder| PathBuf::from(folder).join("reversi"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

#[test]
fn the_drawn_game_ends_in_a_draw_after_sixty_plies() {
    let Some(data) = data() else { return };
    let game = game();
    let mut state = game.start();
    let moves = game.parse_moves(&state, &read(&data.join("drawn-game.txt"))).expect("a legal game");
    assert_eq!(moves.len(), 60);
    assert!(!moves.contains(&Place::PASS));
    moves.into_iter().for_each(|mv| game.play(&mut state, mv));
    assert_eq!(game.result(&state), Some(Margin::DRAW));
}

#[test]
fn perft_equals_the_table_of_the_collection() {
    let Some(data) = data() else { return };
    let game = game();
    let text = read(&data.join("perft.txt"));
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    for depth in 1..=8 {
        let row = rows.iter().find(|row| row[0] == depth.to_string()).expect("a row for the depth");
        assert_eq!(published_perft(&game, &game.start(), depth, 1).to_string(), row[2], "depth {depth}");
    }
}

/// A position with the exact score of some of its moves, for the side to move.
struct Scored {
    line: String,
    state: State<u64>,
    scores: Vec<(Place, i16)>,
}

fn scored_positions(data: &Path, file: &str) -> Vec<Scored> {
    let game = game();
    let text = read(&data.join(file));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let state = game.parse_position(line).unwrap_or_else(|err| panic!("{file} {line:?}: {err}"));
            let moves = line.split(';').skip(1).map(str::trim).filter(|field| !field.is_empty());
            let scores = moves.filter(|field| *field != "--:-127").map(|field| {
                let (mv, score) = field.split_once(':').expect("a move and its score");
                let mv = game.parse_move(&state, mv).unwrap_or_else(|err| panic!("{file} {line:?}: {err}"));
                (mv, score.parse().expect("a score"))
            });
            let scores = scores.collect();
            Scored { line: line.to_owned(), state, scores }
        })
        .collect()
}

const FFO: [&str; 4] = ["ffo/fforum-1-19.obf", "ffo/fforum-20-39.obf", "ffo/fforum-40-59.obf", "ffo/fforum-60-79.obf"];

#[test]
fn collected_positions_are_read_and_every_legal_move_is_scored() {
    let Some(data) = data() else { return };
    let game = game();
    let mut n_positions = 0;
    for file in FFO.into_iter().chain(["hard-20.obf", "hard-25-part.obf"]) {
        for Scored { line, state, scores } in scored_positions(&data, file) {
            assert_eq!(game.parse_position(&game.print_position(&state)), Ok(state), "{line}");
            let (mut legal, mut listed) = (Vec::new(), scores.iter().map(|&(mv, _)| mv).collect::<Vec<_>>());
            game.moves(&state, &mut legal);
            listed.sort();
            assert_eq!(listed, legal, "{file} {line}");
            n_positions += 1;
        }
    }
    assert_eq!(n_positions, 79 + 276 + 156);
}

#[test]
fn endgames_have_the_scores_of_the_collection() {
    let Some(data) = data() else { return };
    let game = game();
    let mut n_solved = 0;
    // FFO 1 to 39 take some seconds.
    for Scored { line, state, scores } in FFO.into_iter().take(2).flat_map(|file| scored_positions(&data, file)) {
        let n_empty = game.plies_left(&state);
        let best = scores.iter().map(|&(_, score)| score).max().expect("a scored move");
        assert_eq!(proven(&game, &state, &mut ExactEndings::new(1 << 28, ReversiKnowledge::default())), best, "{line}");
        // Every move too, if that is quick.
        for (mv, score) in scores.into_iter().filter(|_| n_empty <= 16) {
            let mut next = state;
            game.play(&mut next, mv);
            let margin = game.result(&next).map(|margin| margin.seen_by(game.to_move(&state)));
            let found = margin.unwrap_or_else(|| {
                let value = proven(&game, &next, &mut ExactEndings::new(1 << 24, ReversiKnowledge::default()));
                if game.to_move(&next) == game.to_move(&state) { value } else { -value }
            });
            assert_eq!(found, score, "{line} {mv:?}");
        }
        n_solved += 1;
    }
    assert_eq!(n_solved, 39);
}

#[test]
fn the_drawn_game_is_drawn_from_twenty_empty_squares_on() {
    let Some(data) = data() else { return };
    let game = game();
    let mut state = game.start();
    let moves = game.parse_moves(&state, &read(&data.join("drawn-game.txt"))).expect("a legal game");
    let mut prover = ExactEndings::new(1 << 28, ReversiKnowledge::default());
    let mut n_solved = 0;
    for mv in moves {
        if game.plies_left(&state) <= 20 {
            assert_eq!(proven(&game, &state, &mut prover), 0, "{} empty", game.plies_left(&state));
            n_solved += 1;
        }
        game.play(&mut state, mv);
    }
    assert_eq!(n_solved, 20);
}
