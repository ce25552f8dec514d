//! The evaluation against plain code, and its symmetries.

use banyan_bits::cpu::gather_bits;
use banyan_core::{Game, MoveList, Notation, Rng, Side, Symmetry};
use banyan_inference::Features;

use super::shapes::{FIRST, PATTERNS, rotations};
use super::*;
use crate::{Reversi, State};

fn random_weights(seed: u64) -> Vec<i16> {
    let mut rng = Rng::new(seed);
    (0..STAGES * STAGE_WEIGHTS).map(|_| rng.below(801) as i16 - 400).collect()
}

/// Positions of random games.
fn positions(game: &Reversi<u64>, n_games: u32, mut check: impl FnMut(&State<u64>)) {
    let (mut rng, mut moves) = (Rng::new(9), MoveList::new());
    for _ in 0..n_games {
        let mut state = game.start();
        while game.result(&state).is_none() {
            check(&state);
            moves.clear();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

/// The sum of the weights of the features, and no more.
fn sum_of_features(game: &Reversi<u64>, weights: &[i16], state: &State<u64>) -> i32 {
    let mut numbers = Vec::new();
    PatternFeatures::of(game).expect("8x8").append(game, state, &mut numbers);
    numbers.iter().map(|&number| i32::from(weights[number as usize])).sum()
}

#[test]
fn the_evaluation_is_the_sum_of_the_weights_of_the_features() {
    let game = Reversi::<u64>::from_options("").expect("a board");
    let plain = random_weights(3);
    let weights = PatternWeights::new(&plain).expect("as many as there are");
    positions(&game, 30, |state| {
        let expected = (sum_of_features(&game, &plain, state) / UNITS_PER_FINE).clamp(-MOST, MOST);
        assert_eq!(weights.eval(game.pattern_board(state)), expected, "{state:?}");
    });
}

#[test]
fn images_and_swapped_colours_have_the_same_features() {
    let game = Reversi::<u64>::from_options("").expect("a board");
    let of = |state: &State<u64>| {
        let mut numbers = Vec::new();
        PatternFeatures::of(&game).expect("8x8").append(&game, state, &mut numbers);
        numbers.sort_unstable();
        numbers
    };
    positions(&game, 10, |state| {
        let expected = of(state);
        for symmetry in 0..8 {
            assert_eq!(of(&game.transform(state, Symmetry(symmetry))), expected, "{state:?}, image {symmetry}");
        }
        let swapped =
            State { to_move: if state.to_move == Side::First { Side::Second } else { Side::First }, ..*state };
        assert_eq!(of(&swapped), expected);
    });
}

#[test]
fn contents_are_read_square_by_square() {
    // With one weight for a full own edge with both squares diagonal to the corners, reading the squares one by one.
    let game = Reversi::<u64>::from_options("").expect("a board");
    let edge = |squares: &str, letter: u8| {
        let mut board = [b'-'; 64];
        for square in squares.as_bytes().chunks(2) {
            board[usize::from((square[1] - b'1') * 8 + square[0] - b'a')] = letter;
        }
        for centre in [27, 28, 35, 36] {
            board[centre] = b'O';
        }
        let text = format!("{} X", String::from_utf8_lossy(&board));
        let state = game.parse_position(&text).expect("a position");
        let mut numbers = Vec::new();
        PatternFeatures::of(&game).expect("8x8").append(&game, &state, &mut numbers);
        numbers
    };
    // Of the groups on either side of the board, those that hold the squares differ from the others.
    let top = edge("a1b1c1d1e1f1g1h1b2g2", b'X');
    let left = edge("a1a2a3a4a5a6a7a8b2b7", b'X');
    let sorted = |mut numbers: Vec<u32>| {
        numbers.sort_unstable();
        numbers
    };
    assert_ne!(top, left, "another side of the board comes at another place");
    assert_eq!(sorted(top.clone()), sorted(left));
    assert_ne!(sorted(top), sorted(edge("a1b1c1d1e1f1g1h1b2g2", b'O')));
}

#[test]
fn weights_of_another_number_are_refused() {
    assert!(PatternWeights::new(&[]).is_none());
    assert!(PatternWeights::new(&random_weights(1)[1..]).is_none());
    assert!(PatternWeights::new(&[random_weights(1), random_weights(2)].concat()).is_none());
}

#[test]
fn the_embedded_weights_are_those_that_were_trained() {
    // The numbers of docs/training.md belong to the weights of this digest.
    let bytes = WEIGHTS.bytes();
    assert_eq!((bytes.len(), WeightFile::digest_of(bytes)), (WEIGHTS.n_bytes, WEIGHTS.digest));
}

#[test]
fn contents_by_rows_are_those_of_the_squares_of_each_image() {
    let mut rng = Rng::new(12);
    for _ in 0..200 {
        let (own, free) = (rng.next_u64(), rng.next_u64());
        let board = Board { own: own & free, other: !own & free, mobility: [0, 0] };
        let (mut found, mut counted) = (Vec::new(), 0);
        contents(board, |number| found.push(number));
        for pattern in &PATTERNS {
            for turns in 0..pattern.images {
                let [own, other] = [board.own, board.other].map(|discs| rotations(discs)[turns]);
                let [own, other] = [own, other].map(|discs| TERNARY[gather_bits(discs, pattern.squares) as usize]);
                assert_eq!(found[counted] - FIRST[counted], usize::from(own + 2 * other), "{board:?}");
                counted += 1;
            }
        }
        assert_eq!(counted, found.len());
    }
}
