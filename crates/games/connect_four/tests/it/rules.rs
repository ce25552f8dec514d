//! Connect Four against a plain array, published counts, and the laws of all games.

use std::collections::{BTreeSet, HashMap};

use crate::plain::{Plain, Stone};
use banyan_connect_four::{ConnectFour, Grid, Place, State, UniformMoves};
use banyan_core::{Game, Notation, PlayoutPolicy, Rng, Symmetry, perft};
use banyan_laws as laws;
use banyan_testkit::is_deep;

/// Runs generic code with the word that the board `$spec` needs.
macro_rules! with_word {
    ($spec:expr, $check:ident($($arg:expr),*)) => {
        match banyan_connect_four::Shape::parse($spec).expect("a valid board").word() {
            banyan_connect_four::Word::One => $check::<u64>($spec $(, $arg)*),
            banyan_connect_four::Word::Two => $check::<u128>($spec $(, $arg)*),
            banyan_connect_four::Word::Three => $check::<[u64; 3]>($spec $(, $arg)*),
            banyan_connect_four::Word::Four => $check::<[u64; 4]>($spec $(, $arg)*),
        }
    };
}

pub(crate) use with_word;

/// Every word width, the limits of the range of sizes, and holes at the bottom, in the middle, on top and above one
/// another.
pub(crate) const BOARDS: [&str; 16] = [
    "4x4",
    "6x7",
    "7x8",
    "15x4",
    "4x12",
    "6x7,hole=d3",
    "5x6,hole=a1,hole=a2,hole=f5,hole=c3,hole=d3",
    "6x7,hole=b2,hole=b3,hole=b4,hole=b5,hole=d1,hole=d6,hole=g4,hole=g6",
    "9x9,hole=e5",
    "10x11,hole=d3",
    "12x12,hole=f6,hole=g7,hole=a12,hole=l1",
    "15x12",
    "13x13,hole=b1,hole=b2,hole=m13",
    "15x16,hole=h8,hole=p15,hole=a1",
    "15x16",
    "4x4,hole=a1,hole=a2,hole=a3,hole=a4,hole=d4",
];

fn game<B: Grid>(spec: &str) -> ConnectFour<B> {
    ConnectFour::from_options(spec).expect("a valid board for this word")
}

#[test]
fn the_laws_hold_on_every_board() {
    fn check<B: Grid>(spec: &str) {
        laws::check(&game::<B>(spec), 10, 1).unwrap_or_else(|broken| panic!("{spec}: {broken}"));
    }
    for spec in BOARDS {
        with_word!(spec, check());
    }
}

fn assert_same<B: Grid>(game: &ConnectFour<B>, state: &State<B>, plain: &Plain) {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let expected: Vec<u8> = plain.legal().into_iter().map(|column| column as u8).collect();
    let board = game.print_position(state);
    assert_eq!(moves, expected, "{board}");
    assert_eq!(game.to_move(state).index(), usize::from(plain.turn), "{board}");
    assert_eq!(game.result(state).map(|margin| margin.0), plain.margin(), "{board}");
    for place in game.shape().places() {
        let stone = plain.board[place.column as usize][place.row as usize];
        let owner = game.owner(state, place).map_or(Stone::None, |side| Stone::Of(side.index() as u8));
        let hole = game.shape().is_hole(place);
        assert_eq!(stone, if hole { Stone::Hole } else { owner }, "{} of {board}", place.name());
    }
}

#[test]
fn random_games_agree_with_a_plain_array() {
    fn check<B: Grid>(spec: &str) {
        let game = game::<B>(spec);
        let mut rng = Rng::new(11);
        for _ in 0..100 {
            let (mut state, mut plain) = (game.start(), Plain::new(spec));
            assert_same(&game, &state, &plain);
            while game.result(&state).is_none() {
                let legal = plain.legal();
                let column = legal[rng.below(legal.len() as u32) as usize];
                game.play(&mut state, column as u8);
                plain.play(column);
                assert_same(&game, &state, &plain);
            }
        }
    }
    for spec in BOARDS {
        with_word!(spec, check());
    }
}

/// Counts of more leaves are checked only by `./test --deep`.
const USUAL_LEAVES: u64 = 40_000_000;
/// Most leaves for which the plain array is checked too.
const PLAIN_LEAVES: u64 = 150_000;

#[test]
fn perft_gives_the_counts_of_the_data_file() {
    fn check<B: Grid>(spec: &str, moves: &str, depth: u32, count: u64) {
        let game = game::<B>(spec);
        let (mut state, mut plain) = (game.start(), Plain::new(spec));
        for mv in game.parse_moves(&state, moves).expect("legal moves") {
            game.play(&mut state, mv);
            plain.play(usize::from(mv));
        }
        assert_eq!(perft(&game, &state, depth), count, "{spec} after {moves:?} to depth {depth}");
        if count <= PLAIN_LEAVES {
            assert_eq!(plain.perft(depth), count, "{spec} after {moves:?} to depth {depth} on the plain array");
        }
    }
    let deep = is_deep();
    let mut boards = BTreeSet::new();
    for line in include_str!("../perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[spec, moves, depth, count, _source] = fields.as_slice() else { panic!("{line:?} has not 5 fields") };
        let (depth, count) = (depth.parse().expect("a depth"), count.parse().expect("a count"));
        boards.insert(spec);
        if deep || count <= USUAL_LEAVES {
            with_word!(spec, check(moves, depth, count));
        }
    }
    assert!(boards.len() >= 20, "{boards:?}");
}

#[test]
fn every_word_width_plays_the_same_games() {
    fn margins<B: Grid>(spec: &str) -> Vec<i16> {
        let (game, mut rng) = (game::<B>(spec), Rng::new(5));
        (0..500).map(|_| UniformMoves.play_out(&game, game.start(), &mut rng, &mut Vec::new()).0).collect()
    }
    for spec in ["6x7", "5x6,hole=a1,hole=a2,hole=f5,hole=c3"] {
        let narrow = margins::<u64>(spec);
        assert!(narrow.iter().any(|&margin| margin > 0) && narrow.iter().any(|&margin| margin < 0), "{spec}");
        assert_eq!(margins::<u128>(spec), narrow, "{spec}");
        assert_eq!(margins::<[u64; 2]>(spec), narrow, "{spec}");
        assert_eq!(margins::<[u64; 3]>(spec), narrow, "{spec}");
        assert_eq!(margins::<[u64; 4]>(spec), narrow, "{spec}");
    }
}

#[test]
fn all_positions_of_a_small_board_have_distinct_keys() {
    fn visit(game: &ConnectFour<u64>, state: &State<u64>, seen: &mut HashMap<u64, State<u64>>) {
        if let Some(known) = seen.insert(game.key(state), *state) {
            assert_eq!(known, *state, "two positions have one key");
            return;
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for mv in moves {
            let mut next = *state;
            game.play(&mut next, mv);
            visit(game, &next, seen);
        }
    }
    // 161029 is the count of legal 4x4 positions that John Tromp publishes.
    for (spec, expected) in [("4x4", Some(161_029)), ("4x4,hole=a1,hole=b2,hole=c4", None)] {
        let game = game::<u64>(spec);
        let mut seen = HashMap::new();
        visit(&game, &game.start(), &mut seen);
        assert!(expected.is_none_or(|n: usize| n == seen.len()), "{spec}: {} positions", seen.len());
    }
}

#[test]
fn the_mirror_needs_symmetric_holes() {
    assert_eq!(game::<u64>("6x7").symmetries(), 2);
    assert_eq!(game::<u64>("6x7,hole=d3").symmetries(), 2);
    assert_eq!(game::<u64>("6x7,hole=c3,hole=e3").symmetries(), 2);
    assert_eq!(game::<u64>("6x7,hole=c3,hole=e4").symmetries(), 1);
    let game = game::<u64>("6x7");
    let mirrored = game.transform(&game.parse_position("7/7/7/7/o6/xx3ox o").unwrap(), Symmetry(1));
    assert_eq!(game.print_position(&mirrored), "7/7/7/7/6o/xo3xx o");
    assert_eq!(game.transform_move(1, Symmetry(1)), 5);
}

#[test]
fn a_stone_falls_past_holes_to_the_lowest_free_cell() {
    let game = game::<u64>("6x7,hole=d1,hole=d3,hole=d4,hole=d6");
    let mut state = game.start();
    for row in [1, 4] {
        assert_eq!(game.landing_place(&state, 3), Some(Place { column: 3, row }));
        game.play(&mut state, 3);
    }
    assert_eq!(game.landing_place(&state, 3), None);
    assert_eq!(game.landing_place(&state, 7), None);
}

#[test]
fn a_hole_breaks_a_line_and_five_win() {
    let with_hole = game::<u64>("6x7,hole=c1");
    let state = with_hole.parse_position("7/7/7/7/oo1o3/xx-xxo1 x").unwrap();
    assert_eq!(with_hole.result(&state), None);
    let whole = game::<u64>("6x7");
    let mut state = whole.parse_position("7/7/7/7/oo1oo2/xx1xx2 x").unwrap();
    whole.play(&mut state, 2);
    // 9 stones leave 33 cells: 1 + 16.
    assert_eq!(whole.result(&state).map(|margin| margin.0), Some(17));
}

#[test]
fn central_columns_are_more_central() {
    let centrality = |spec: &str| -> Vec<u8> {
        let game = game::<u64>(spec);
        (0..game.shape().columns() as u8).map(|mv| game.centrality(mv)).collect()
    };
    assert_eq!(centrality("6x7"), [0, 2, 4, 6, 4, 2, 0]);
    assert_eq!(centrality("4x4"), [0, 2, 2, 0]);
}

#[test]
fn states_stay_small() {
    assert_eq!(size_of::<State<u64>>(), 24);
    assert_eq!(size_of::<State<u128>>(), 48);
    assert_eq!(size_of::<State<[u64; 3]>>(), 56);
    assert_eq!(size_of::<State<[u64; 4]>>(), 72);
}
