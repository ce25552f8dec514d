//! Values and positions of a data set, if the environment variable BANYAN_DATA names its folder: part `positions` of `./test`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use banyan_bits::Bits;
use banyan_core::{Game, Notation};
use banyan_dots_and_boxes::{DotsAndBoxes, ExactEndings, State};

use crate::endings::{TABLE, margin, moves};
use crate::exact::position;
use crate::{game, listed};

/// The text of a file of the Dots and Boxes data set; if it is not available, prints that and returns `None`.
#[allow(clippy::print_stderr, reason = "a skipped check must be seen")]
fn data(file: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("BANYAN_DATA") else {
        eprintln!("skipped: {file} is not checked, since BANYAN_DATA names no folder with the data sets");
        return None;
    };
    let path = PathBuf::from(folder).join("dots").join(file);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display())))
}

fn mask(hex: &str) -> u64 {
    u64::from_str_radix(hex.trim_start_matches("0x"), 16).expect("a hexadecimal mask")
}

#[test]
fn the_book_problem_of_the_data_set_is_drawn_as_printed() {
    let Some(text) = data("problem-12-15.json") else { return };
    let after = |name: &str| text.split_once(&format!("\"{name}\":")).expect("the field is there").1;
    let quoted = |text: &str| text.split('"').nth(1).expect("a quoted text").to_owned();
    let game = game::<u64>("5x5");
    let state = position(&game, mask(&quoted(after("mask_hex"))));
    assert_eq!(game.ply(&state), 20);
    let list = after("ascii").split_once(']').expect("the list ends").0;
    let expected: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(drawing(&game, &state), expected);
    let best = game.parse_move(&state, &quoted(after("best_moves"))).expect("a legal move");
    assert!(after("best_bits").trim_start().trim_start_matches('[').trim_start().starts_with(&best.to_string()));
}

#[test]
fn solved_boards_of_the_data_set_agree() {
    let Some(text) = data("solved-values.csv") else { return };
    let mut solved = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let game = game::<u64>(&format!("{}x{}", fields[0], fields[1]));
        assert_eq!(game.max_plies().to_string(), fields[3], "{line}");
        if game.max_plies() <= 27 {
            let value = margin(&mut ExactEndings::new(TABLE), &game, &game.start());
            assert_eq!(value.to_string(), fields[2], "{line}");
            solved += 1;
        }
    }
    assert_eq!(solved, 13, "boards small enough to be solved here");
}

#[test]
fn positions_of_the_data_set_agree_in_value_and_best_moves() {
    let Some(text) = data("exact-5x5.csv") else { return };
    let game = game::<u64>("5x5");
    let mut prover = ExactEndings::new(TABLE);
    let mut solved = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let state = position(&game, mask(fields[3]));
        assert_eq!(listed(&game, &state).len().to_string(), fields[2], "{line}");
        let score = game.score(&state).seen_by(game.to_move(&state));
        let values = moves(&mut prover, &game, &state);
        let best = values.iter().map(|&(_, value)| value).max().expect("a move is left");
        assert_eq!((best - score).to_string(), fields[4], "{line}");
        let kept: Vec<String> = values.iter().filter(|mv| mv.1 == best).map(|(mv, _)| mv.to_string()).collect();
        assert_eq!(kept.join(" "), fields[5], "{line}");
        assert_eq!(margin(&mut prover, &game, &state), best, "{line}");
        solved += 1;
    }
    assert_eq!(solved, 100);
}

#[test]
fn the_book_problem_of_the_data_set_has_the_published_value_of_every_move() {
    let Some(text) = data("problem-12-15.json") else { return };
    let after = |name: &str| text.split_once(&format!("\"{name}\":")).expect("the field is there").1;
    let game = game::<u64>("5x5");
    let state = position(&game, mask(after("mask_hex").split('"').nth(1).expect("a quoted text")));
    let score = game.score(&state).seen_by(game.to_move(&state));
    let values = moves(&mut ExactEndings::new(TABLE), &game, &state);
    let listed = after("move_values").split_once('}').expect("the list ends").0;
    let expected: HashMap<String, i16> = listed
        .trim_start_matches([' ', '{', '\n'])
        .split(',')
        .collect::<Vec<_>>()
        .chunks(2)
        .map(|halves| halves.join(","))
        .map(|entry| {
            let (name, value) = entry.split_once(':').expect("a move and its value");
            (name.replace(['"', ' ', '\n'], ""), value.trim().parse().expect("a number"))
        })
        .collect();
    assert_eq!(values.len(), 40);
    for (mv, value) in values {
        let name = game.print_move(&state, mv);
        assert_eq!(Some(&(value - score)), expected.get(&name), "{name}");
    }
}

/// The picture's edges in the notation of Wilson.
fn drawing<B: Bits>(game: &DotsAndBoxes<B>, state: &State<B>) -> Vec<String> {
    let picture = game.picture(state, None).expect("a board to draw");
    let edges = picture.edges.expect("lines");
    let (horizontal, vertical) = edges.split_at((picture.rows + 1) * picture.columns);
    let mut lines = Vec::new();
    for row in 0..=picture.rows {
        let mut line = String::from("+");
        for edge in &horizontal[row * picture.columns..][..picture.columns] {
            write!(line, "{}+", if edge.drawn { '-' } else { ' ' }).expect("text can be written to");
        }
        lines.push(line);
        if row < picture.rows {
            let signs = vertical[row * (picture.columns + 1)..][..=picture.columns].iter();
            lines.push(signs.map(|edge| if edge.drawn { "|" } else { " " }).collect::<Vec<_>>().join(" "));
        }
    }
    lines
}
