use std::collections::{BTreeMap, BTreeSet};

use banyan_core::{Game, Rng, Side};

use super::*;
use crate::{Place, Shape, Word};

/// The code of a cell for a side, by plain code: 0 out of reach, 1 free, 2 next, 3 own stone.
fn code<B: Grid>(game: &ConnectFour<B>, state: &State<B>, side: Side, (column, row): (i32, i32)) -> usize {
    let shape = game.shape();
    if !(0..shape.columns() as i32).contains(&column) || !(0..shape.rows() as i32).contains(&row) {
        return 0;
    }
    let place = Place { column: column as u32, row: row as u32 };
    match game.owner(state, place) {
        _ if shape.is_hole(place) => 0,
        Some(owner) => {
            if owner == side {
                3
            } else {
                0
            }
        }
        None if game.landing_place(state, place.column) == Some(place) => 2,
        None => 1,
    }
}

/// The codes of the cells in both directions up to the first that is out of reach.
fn ways(code: impl Fn((i32, i32)) -> usize, cell: (i32, i32), step: (i32, i32)) -> [Vec<usize>; 2] {
    [-1, 1].map(|sign| {
        let codes = (1..4).map(|k| code((cell.0 + sign * k * step.0, cell.1 + sign * k * step.1)));
        codes.take_while(|&code| code != 0).collect()
    })
}

/// The meaning of each row number, to check that both are in one-to-one correspondence.
#[derive(Default)]
struct Meanings {
    by_number: BTreeMap<u16, Meaning>,
    by_meaning: BTreeMap<Meaning, u16>,
}

/// A table, and the codes in both directions.
type Meaning = (usize, [Vec<usize>; 2]);

impl Meanings {
    fn check(&mut self, number: u16, table: usize, mut ways: [Vec<usize>; 2], at: &str) {
        if table > 1 {
            ways.sort();
        }
        let meaning = (table, ways);
        assert_eq!(self.by_number.entry(number).or_insert(meaning.clone()), &meaning, "{number} at {at}");
        assert_eq!(self.by_meaning.entry(meaning).or_insert(number), &number, "at {at}");
    }
}

fn check<B: Grid>(shape: Shape, rng: &mut Rng, meanings: &mut Meanings) {
    let game = ConnectFour::<B>::new(shape);
    let mut state = game.start();
    while game.result(&state).is_none() {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut found = Vec::new();
        PriorFeatures.append(&game, &state, &moves, &mut found);
        let is_empty = |&place: &Place| !game.shape().is_hole(place) && game.owner(&state, place).is_none();
        let empty_in = |column| game.shape().places().filter(|place| place.column == column).filter(is_empty).count();
        let empty: usize = (0..game.shape().columns()).map(empty_in).sum();
        let stones = usize::from(state.ply);
        for (&mv, found) in moves.iter().zip(found.chunks_exact(FEATURES)) {
            let found: Vec<u16> = found.iter().map(|&number| number as u16).collect();
            let landing = game.landing_place(&state, mv.into()).expect("a legal move");
            let (column, row) = (landing.column as i32, landing.row as i32);
            let free = |row: i32| code(&game, &state, Side::First, (column, row)) == 1;
            let above = (row + 1..game.shape().rows() as i32).find(|&row| free(row));
            let mut numbers = found.iter().copied();
            for (cell, table, steps) in [
                (Some(row), 0, &[(0, 1)][..]),
                (Some(row), 2, &[(1, -1), (1, 1)]),
                (Some(row), 4, &[(1, 0)]),
                (above, 6, &[(1, -1), (1, 1)]),
                (above, 8, &[(1, 0)]),
            ] {
                for &step in steps {
                    for (i, side) in [game.to_move(&state), !game.to_move(&state)].into_iter().enumerate() {
                        let number = numbers.next().expect("seventeen of them");
                        let Some(row) = cell else {
                            assert_eq!(usize::from(number), NOTHING_ABOVE);
                            continue;
                        };
                        assert!(usize::from(number) < REST);
                        let seen = |place| code(&game, &state, side, place);
                        let at = format!("move {mv} of {state:?}");
                        meanings.check(number, table + i, ways(seen, (column, row), step), &at);
                    }
                }
            }
            let edge = landing.column.min(game.shape().columns() - 1 - landing.column) as usize;
            assert_eq!(usize::from(found[14]), REST + 3 * edge + (4 * stones / (stones + empty)).min(2));
            let here = empty_in(landing.column);
            let long = usize::from(here > 4);
            assert_eq!(usize::from(found[15]), BY_FREE + 4 * (here % 2) + 2 * (empty % 2) + long, "{here} {empty}");
            assert!((BY_HEIGHT..NOTHING_ABOVE).contains(&usize::from(found[16])));
            assert_eq!(usize::from(found[16]) - BY_HEIGHT, landing.row as usize);
        }
        game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
    }
}

#[test]
fn features_agree_with_plain_code() {
    let (mut rng, mut meanings) = (Rng::new(1), Meanings::default());
    for options in ["6x7", "9x9,hole=a1", "10x12,hole=h4", "12x12,hole=g6", "12x12,hole=l12", "15x16", "5x16,hole=p5"] {
        let shape = Shape::parse(options).expect(options);
        for _ in 0..10 {
            match shape.word() {
                Word::One => check::<u64>(shape.clone(), &mut rng, &mut meanings),
                Word::Two => check::<u128>(shape.clone(), &mut rng, &mut meanings),
                Word::Three => check::<[u64; 3]>(shape.clone(), &mut rng, &mut meanings),
                Word::Four => check::<[u64; 4]>(shape.clone(), &mut rng, &mut meanings),
            }
        }
    }
}

/// Every row number belongs to one table, side and pair of directions.
#[test]
fn patterns_fill_their_tables() {
    assert_eq!(BEHIND.iter().collect::<BTreeSet<_>>().len(), WAYS);
    for planes in 0..64 {
        let turned = |three: usize| three << 2 & 4 | three & 2 | three >> 2;
        assert_eq!(BEFORE[turned(planes & 7) | turned(planes >> 3) << 3], BEHIND[planes], "{planes}");
    }
    let mut numbers = BTreeSet::new();
    for table in [COLUMN, DIAGONAL, ROW, DIAGONAL_ABOVE, ROW_ABOVE] {
        for (side, (a, b)) in (0..2).flat_map(|side| (0..WAYS * WAYS).map(move |i| (side, (i / WAYS, i % WAYS)))) {
            let number = pattern(table, side, [a, b]);
            assert_eq!(number == pattern(table, side, [b, a]), table != COLUMN || a == b, "{table} {side} {a} {b}");
            if table == COLUMN || a <= b {
                assert!(numbers.insert(number), "{table} {side} {a} {b}");
            }
        }
    }
    assert!(numbers.into_iter().eq(0..REST));
}
