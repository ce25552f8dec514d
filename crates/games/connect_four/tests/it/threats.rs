//! Connect Four: the threat map against a plain one, cell by cell.

use crate::plain::{Plain, Stone};
use banyan_connect_four::{ConnectFour, ConnectFourKnowledge, Grid, Place, Shape};
use banyan_core::{Bounds, Game, Knowledge, Margin, Notation, Rng, random_move};

/// Whether a stone of `side` on the free cell would be part of four in a line.
fn completes(plain: &Plain, cell: Place, side: u8) -> bool {
    let (column, row) = (cell.column as i32, cell.row as i32);
    let is_own = |i: i32, dx: i32, dy: i32| {
        let (x, y) = (column + i * dx, row + i * dy);
        let stone = usize::try_from(x).ok().and_then(|x| plain.board.get(x)?.get(usize::try_from(y).ok()?));
        i == 0 || stone == Some(&Stone::Of(side))
    };
    let four_from = |from: i32, (dx, dy): (i32, i32)| (from..from + 4).all(|i| is_own(i, dx, dy));
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|line| (-3..=0).any(|from| four_from(from, line)))
}

/// A board of random size that needs a word of `B`, with up to four in ten cells holes.
fn random_board<B: Grid>(rng: &mut Rng) -> String {
    loop {
        let (rows, columns) = (4 + rng.below(12), 4 + rng.below(13));
        let bits = (rows + 1) * columns;
        if bits > B::WIDTH || bits + 64 <= B::WIDTH {
            continue;
        }
        let (mut spec, percent) = (format!("{rows}x{columns}"), rng.below(40));
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            if rng.below(100) < percent {
                spec += &format!(",hole={}", Place { column, row }.name());
            }
        }
        if Shape::parse(&spec).is_ok() {
            return spec;
        }
    }
}

/// Compares every position of a random game; returns how many there were.
fn check_game<B: Grid>(rng: &mut Rng) -> u32 {
    let spec = random_board::<B>(rng);
    let game = ConnectFour::<B>::from_options(&spec).expect("a valid board for this word");
    let (mut state, mut plain, mut n_positions) = (game.start(), Plain::new(&spec), 0);
    while game.result(&state).is_none() {
        let threats = game.threats(&state);
        let mut landing = [B::EMPTY; 3];
        let [mut own, mut other] = [B::EMPTY; 2];
        for column in 0..game.shape().columns() {
            let free = (0..).zip(&plain.board[column as usize]).filter(|&(_, &stone)| stone == Stone::None);
            for (i, (row, _)) in free.enumerate() {
                let cell = Place { column, row };
                let bit = B::single(game.shape().bit(cell));
                if let Some(landing) = landing.get_mut(i) {
                    *landing = landing.or(bit);
                }
                own = if completes(&plain, cell, plain.turn) { own.or(bit) } else { own };
                other = if completes(&plain, cell, 1 - plain.turn) { other.or(bit) } else { other };
            }
        }
        let place = game.print_position(&state);
        assert_eq!(threats.landing, landing, "{spec} {place}");
        assert_eq!((threats.own, threats.other), (own, other), "{spec} {place}");
        let mv = random_move(&game, &state, rng, &mut Vec::new());
        game.play(&mut state, mv);
        plain.play(mv.into());
        n_positions += 1;
    }
    n_positions
}

#[test]
fn the_threat_map_agrees_with_a_plain_one() {
    fn check<B: Grid>(seed: u64) {
        let mut rng = Rng::new(seed);
        let n_positions: u32 = (0..200).map(|_| check_game::<B>(&mut rng)).sum();
        assert!(n_positions > 2000, "{n_positions}");
    }
    check::<u64>(1);
    check::<u128>(2);
    check::<[u64; 3]>(3);
    check::<[u64; 4]>(4);
}

#[test]
fn two_threats_above_one_another_win_in_three() {
    fn check(options: &str, text: &str, points: i16) {
        let game = ConnectFour::<u64>::from_options(options).expect("a board of one word");
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
        let mut moves = Vec::new();
        let known = ConnectFourKnowledge.forced_moves(&game, &state, &mut moves);
        let expected = Some(Bounds::exact(Margin::won_by(game.to_move(&state), points)));
        assert_eq!((moves, known), (vec![3], expected), "{text}");
    }
    //   o o o . . . .
    //   x x x . . . .
    //   x x x . . . o      x plays d1, o has to take d2, x wins on d3 with the 17th of 42 stones
    //   o x o . . . o
    check("6x7", "7/7/ooo4/xxx4/xxx3o/oxo3o x", 13);
    //   o o o . . . .
    //   x x x . . . .
    //   x x x . . . .      past the hole on d2, with the 19th of 41
    //   o o o - . . .
    //   o x x . . . o
    check("6x7,hole=d2", "7/ooo4/xxx4/xxx4/ooo-3/oxx3o x", 12);
}
