//! The features against plain code, and their symmetries.

use std::collections::BTreeMap;

use banyan_core::{Game, Knowledge, MoveList, Notation, Rng, Side, Symmetry};

use super::*;

fn game() -> Reversi<u64> {
    Reversi::from_options("").expect("a board")
}

/// Positions of random games with their moves.
fn positions(n_games: u32, mut check: impl FnMut(&State<u64>, &[Place])) {
    let (game, mut rng, mut moves) = (game(), Rng::new(4), MoveList::new());
    for _ in 0..n_games {
        let mut state = game.start();
        while game.result(&state).is_none() {
            moves.clear();
            game.moves(&state, &mut moves);
            check(&state, &moves);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

fn features(state: &State<u64>, moves: &[Place]) -> Vec<[u32; FEATURES]> {
    let mut found = Vec::new();
    PriorFeatures::of(&game()).expect("8x8").append(&game(), state, moves, &mut found);
    let (found, rest) = found.as_chunks();
    assert!(rest.is_empty() && found.len() == moves.len());
    found.to_vec()
}

/// The letters on the squares of a line, the own discs as `x`.
fn contents(state: &State<u64>, (row, column): (i32, i32), (down, right): (i32, i32)) -> (usize, String) {
    let (mut text, mut place, mut length) = (String::new(), 0, 0);
    for step in -7..8 {
        let (row, column) = (row + step * down, column + step * right);
        if !(0..8).contains(&row) || !(0..8).contains(&column) {
            continue;
        }
        if step == 0 {
            place = length;
        }
        let bit = 1u64 << (8 * row + column);
        text.push(match (state.own & bit != 0, state.other & bit != 0) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        });
        length += 1;
    }
    (place, text)
}

/// A line as it counts: its distance from the edge and what is on it, from either end.
fn meaning(state: &State<u64>, (row, column): (i32, i32), (down, right): (i32, i32)) -> (i32, usize, String) {
    let (place, text) = contents(state, (row, column), (down, right));
    let reversed: String = text.chars().rev().collect();
    let ways = [(place, text.clone()), (text.len() - 1 - place, reversed)];
    let off = match (down, right) {
        (0, 1) => row.min(7 - row),
        (1, 0) => column.min(7 - column),
        _ if text.len() < 3 => return (0, 0, String::new()),
        _ => 10,
    };
    let [(place, text)] = [ways.into_iter().min().expect("two")];
    (off, place, text)
}

#[test]
fn every_row_of_a_line_has_one_meaning() {
    let (mut by_row, mut by_meaning, mut n) = (BTreeMap::new(), BTreeMap::new(), 0);
    positions(60, |state, moves| {
        if moves == [Place::PASS] {
            return;
        }
        for (mv, rows) in moves.iter().zip(features(state, moves)) {
            let at = (i32::from(mv.0) / 8, i32::from(mv.0) % 8);
            for (way, row) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().zip(rows) {
                let meaning = meaning(state, at, way);
                assert_eq!(by_row.entry(row).or_insert(meaning.clone()), &meaning, "{row} of {mv:?} in {state:?}");
                assert_eq!(by_meaning.entry(meaning).or_insert(row), &row, "{mv:?} in {state:?}");
                assert!((row as usize) < SQUARE);
                n += 1;
            }
        }
    });
    assert!(n > 50_000 && by_row.len() > 5_000, "{n} lines, {} rows", by_row.len());
}

#[test]
fn other_features_are_those_of_plain_code() {
    let game = game();
    positions(20, |state, moves| {
        if moves == [Place::PASS] {
            return;
        }
        let after = |mv: Place| {
            let mut after = *state;
            game.play(&mut after, mv);
            after
        };
        let count = |own, other| game.placements(own, other).count() as usize;
        let value = |mv: Place| {
            let after = after(mv);
            let by_eval = ReversiKnowledge::default().static_eval(&game, &after);
            let points = game.result(&after).map_or(by_eval, |margin| i32::from(margin.0) * FINE);
            points as f32 / FINE as f32 * f32::from(state.to_move.sign())
        };
        let best = moves.iter().map(|&mv| value(mv)).fold(f32::MIN, f32::max);
        let empty = !(state.own | state.other);
        let placed = 60 - empty.count() as usize;
        let phase = placed / 15;
        for (&mv, rows) in moves.iter().zip(features(state, moves)) {
            let after = after(mv);
            let (row, column) = (u32::from(mv.0) / 8, u32::from(mv.0) % 8);
            let neighbours = |square: u32| {
                let near =
                    move |&other: &u32| (square / 8).abs_diff(other / 8) < 2 && (square % 8).abs_diff(other % 8) < 2;
                (0..64).filter(near)
            };
            let is_free = |square: u32| (after.own | after.other) >> square & 1 == 0;
            let is_frontier =
                |&square: &u32| is_free(square) && neighbours(square).any(|near| after.other >> near & 1 == 1);
            let frontier = (0..64).filter(is_frontier).count();
            let in_quarter =
                |&square: &u32| empty >> square & 1 == 1 && square / 8 / 4 == row / 4 && square % 8 / 4 == column / 4;
            let turned = after.other.count() as usize - state.own.count() as usize - 1;
            let loss = best - value(mv);
            let range = LOSSES.iter().filter(|&&end| end < (4.0 * loss) as i32).count();
            let expected = [
                SQUARE + usize::from(CLASS[usize::from(mv.0)]) * 16 + placed / 4,
                REPLIES + phase * 32 + count(after.own, after.other),
                MOVES + phase * 32 + count(after.other, after.own),
                EVAL + phase * LOSSES.len() + range,
                TURNED + phase * 16 + turned.min(15),
                PARITY + phase * 4 + 2 * ((0..64).filter(in_quarter).count() % 2) + empty.count() as usize % 2,
                FRONTIER + phase * 32 + frontier.min(31),
            ];
            assert_eq!(rows[4..], expected.map(|row| row as u32), "{mv:?} in {state:?}, {loss} lost");
        }
    });
}

#[test]
fn a_move_that_ends_the_game_has_its_final_margin() {
    for (options, margin) in [("", 64), ("count=discs", 7)] {
        let game = Reversi::<u64>::from_options(options).expect("a board");
        let state = game.parse_position("xo6/8/8/3xx3/3xx3/8/8/8 x").expect("a position");
        let mut moves = MoveList::new();
        game.moves(&state, &mut moves);
        let view = FeatureView::at(&game, PatternWeights::fitted(), &state, &moves).expect("moves");
        assert_eq!((moves.len(), view.after[0].value), (1, FINE * margin), "{options}");
    }
}

#[test]
fn images_and_swapped_colours_have_the_same_features() {
    let game = game();
    let sorted = |mut rows: [u32; FEATURES]| {
        // A reflection exchanges rows with columns and both diagonals.
        rows[..4].sort_unstable();
        rows
    };
    positions(10, |state, moves| {
        let expected: Vec<_> = features(state, moves).into_iter().map(sorted).collect();
        for symmetry in (0..8).map(Symmetry) {
            let image = game.transform(state, symmetry);
            let moves: Vec<Place> = moves.iter().map(|&mv| game.transform_move(mv, symmetry)).collect();
            let found: Vec<_> = features(&image, &moves).into_iter().map(sorted).collect();
            assert_eq!(found, expected, "{state:?}, image {symmetry:?}");
        }
        let to_move = if state.to_move == Side::First { Side::Second } else { Side::First };
        let found = features(&State { to_move, ..*state }, moves);
        assert_eq!(found.into_iter().map(sorted).collect::<Vec<_>>(), expected);
    });
}

#[test]
fn only_boards_with_learned_weights_have_priors() {
    let of = |game: &Reversi<u64>, knowledge: ReversiKnowledge| {
        let (state, mut moves, mut priors) = (game.start(), MoveList::new(), Vec::new());
        game.moves(&state, &mut moves);
        PolicyPriors::new(knowledge).priors(game, &state, &moves, &mut priors);
        assert!(priors.is_empty() || priors.len() == moves.len());
        priors
    };
    assert_eq!(of(&game(), ReversiKnowledge::default()), [0.25; 4], "the four moves of the start are alike");
    assert!(of(&game(), ReversiKnowledge::without_patterns()).is_empty());
    let small = Reversi::from_options("6x6").expect("a board");
    assert!(of(&small, ReversiKnowledge::default()).is_empty());
    assert!(PriorFeatures::of(&small).is_none());
}

#[test]
fn the_embedded_weights_are_those_that_were_trained() {
    // The numbers of experiments/reversi-priors belong to the weights of this digest, a5b6327ebd055d2f, which were fitted with the
    // evaluation by the patterns that are embedded.
    let bytes = WEIGHTS.bytes();
    assert_eq!((bytes.len(), WeightFile::digest_of(bytes)), (WEIGHTS.n_bytes, WEIGHTS.digest));
}
