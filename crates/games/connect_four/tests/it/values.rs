//! Connect Four: exact values, forced moves, bounds.

use std::collections::HashMap;

use crate::plain::Plain;
use crate::policy::completes;
use banyan_connect_four::{ConnectFour, ConnectFourKnowledge, Grid, State};
use banyan_core::{Bounds, Game, Knowledge, Margin, Notation, Rng, Side};
use banyan_testkit::{Exact, rounds};

pub(crate) fn game(spec: &str) -> ConnectFour<u64> {
    ConnectFour::from_options(spec).expect("a valid board for one word")
}

pub(crate) fn after<B: Grid>(game: &ConnectFour<B>, moves: &str) -> State<B> {
    let mut state = game.start();
    for mv in game.parse_moves(&state, moves).unwrap_or_else(|err| panic!("{err}")) {
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn values_of_small_boards_are_those_of_the_plain_array() {
    let mut n = 0;
    for line in include_str!("../values.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[spec, moves, margin] = fields.as_slice() else { panic!("{line:?} has not 3 fields") };
        let margin: i16 = margin.parse().expect("a margin");
        let game = game(spec);
        assert_eq!(Exact::new(&game).value(&after(&game, moves)), margin, "{line}");
        let mut plain = Plain::new(spec);
        moves.split(' ').filter(|mv| !mv.is_empty()).for_each(|mv| plain.play(mv.parse::<usize>().unwrap() - 1));
        assert_eq!(plain.value(&mut HashMap::new()), margin, "{line} on the plain array");
        n += 1;
    }
    assert!(n >= 20, "{n} positions");
}

/// The expected forced moves and margin, by trying every move and every reply.
fn expected_forced_moves(plain: &Plain) -> (Vec<usize>, Option<i16>) {
    let legal = plain.legal();
    let wins =
        |at: &Plain| -> Vec<usize> { at.legal().into_iter().filter(|&c| at.after(c).winner.is_some()).collect() };
    let winning = wins(plain);
    if let Some(&first) = winning.first() {
        return (winning, plain.after(first).margin());
    }
    let passed = Plain { turn: 1 - plain.turn, ..plain.clone() };
    let blocks = wins(&passed);
    let safe: Vec<usize> = legal.iter().copied().filter(|&c| wins(&plain.after(c)).is_empty()).collect();
    let lost = legal.iter().flat_map(|&c| {
        let next = plain.after(c);
        wins(&next).into_iter().map(move |reply| next.after(reply).margin().expect("a win"))
    });
    let lost = if safe.is_empty() { lost.last() } else { None };
    let kept = match blocks.len() {
        0 if !safe.is_empty() => safe,
        1 => blocks,
        _ => legal,
    };
    // Two own winning cells above the landing cell, whichever stone lies on it.
    let stacked = |&&c: &&usize| (1..3).all(|skipped| completes(plain, c, skipped, plain.turn));
    let in_three: Vec<usize> = kept.iter().filter(stacked).copied().collect();
    if lost.is_none() && !in_three.is_empty() {
        let points = 1 + (plain.free() as i16 - 3) / 2;
        return (in_three, Some(if plain.turn == 0 { points } else { -points }));
    }
    (kept, lost)
}

#[test]
fn one_ply_moves_win_block_and_hand_over_no_win_on_top() {
    let mut rng = Rng::new(5);
    // Numbers of positions with a win, a block, a cell to avoid, and nothing but such cells.
    let mut met = [0; 4];
    // On the narrow board there is often no other cell.
    for board in ["6x7,hole=c3", "9x4"].into_iter().cycle().take(2000) {
        let game = ConnectFour::<u64>::from_options(board).expect("a valid board");
        let (mut state, mut plain) = (game.start(), Plain::new(board));
        while game.result(&state).is_none() {
            let legal = plain.legal();
            let wins = |at: &Plain| -> Vec<usize> {
                at.legal().into_iter().filter(|&c| at.after(c).winner.is_some()).collect()
            };
            let blocks = wins(&Plain { turn: 1 - plain.turn, ..plain.clone() });
            let safe: Vec<usize> = legal.iter().copied().filter(|&c| !wins(&plain.after(c)).contains(&c)).collect();
            let (expected, sort) = match wins(&plain) {
                winning if !winning.is_empty() => (winning, 0),
                _ if !blocks.is_empty() => (blocks, 1),
                _ if safe.is_empty() => (legal.clone(), 3),
                _ => (safe, 2),
            };
            met[sort] += usize::from(sort != 2 || expected.len() < legal.len());
            let mut kept = Vec::new();
            ConnectFourKnowledge.one_ply_moves(&game, &state, &mut kept);
            assert_eq!(
                kept.into_iter().map(usize::from).collect::<Vec<_>>(),
                expected,
                "{}",
                game.print_position(&state)
            );
            let column = legal[rng.below(legal.len() as u32) as usize];
            game.play(&mut state, column as u8);
            plain = plain.after(column);
        }
    }
    assert!(met.iter().all(|&n| n > 10), "{met:?}");
}

#[test]
fn forced_moves_win_block_and_hand_over_no_win() {
    fn check<B: Grid>(spec: &str) {
        let game = ConnectFour::<B>::from_options(spec).expect("a valid board");
        let mut rng = Rng::new(3);
        // Numbers of wins, forced blocks, cells to avoid, losses, and wins in three, all of which must occur.
        let mut met = [0; 5];
        for _ in 0..rounds(300, 600) {
            let (mut state, mut plain) = (game.start(), Plain::new(spec));
            while game.result(&state).is_none() {
                let (expected, margin) = expected_forced_moves(&plain);
                let mut kept = Vec::new();
                let bounds = ConnectFourKnowledge.forced_moves(&game, &state, &mut kept);
                let kept: Vec<usize> = kept.into_iter().map(usize::from).collect();
                assert_eq!(kept, expected, "{spec} {}", game.print_position(&state));
                assert_eq!(bounds, margin.map(|m| Bounds::exact(Margin(m))), "{spec} {}", game.print_position(&state));
                let winning = plain.legal().into_iter().any(|c| plain.after(c).winner.is_some());
                let lost = bounds.is_some_and(|bounds| bounds.lower.winner() != Some(game.to_move(&state)));
                let sort = match (bounds, kept.len()) {
                    (Some(_), _) if winning => 0,
                    (Some(_), _) if lost => 3,
                    (Some(_), _) => 4,
                    (None, 1) => 1,
                    (None, n) if n < plain.legal().len() => 2,
                    (None, _) => 5,
                };
                if let Some(n) = met.get_mut(sort) {
                    *n += 1;
                }
                let legal = plain.legal();
                let column = legal[rng.below(legal.len() as u32) as usize];
                game.play(&mut state, column as u8);
                plain.play(column);
            }
        }
        assert!(met.iter().all(|&n| n > 0), "{spec}: {met:?}");
    }
    check::<u64>("6x7");
    check::<u64>("6x7,hole=b2,hole=b3,hole=b4,hole=d1,hole=d6,hole=g4,hole=g6");
    check::<u64>("5x6,hole=a1,hole=a2,hole=f5,hole=c3,hole=d3");
    check::<u128>("10x11,hole=d3");
    check::<[u64; 3]>("12x12,hole=f3,hole=g2,hole=a12,hole=l1");
    check::<[u64; 4]>("15x16,hole=h2,hole=p15,hole=a1");
}

#[test]
fn a_cell_under_an_enemy_win_is_avoided() {
    // x threatens c3; with a hole on c2 the cell below it is c1.
    let game = game("6x7,hole=c2");
    let state = game.parse_position("7/7/7/xx1x3/oo-o3/xo1oxx1 o").unwrap_or_else(|err| panic!("{err}"));
    let mut kept = Vec::new();
    assert_eq!(ConnectFourKnowledge.forced_moves(&game, &state, &mut kept), None);
    assert_eq!(kept, [0, 1, 3, 4, 5, 6]);
}

#[test]
fn bounds_tighten_as_the_board_fills() {
    let game = game("6x7");
    // The first side needs 7 stones on the board to win, the second 8.
    assert_eq!(game.margin_range(), Bounds::new(Margin(-18), Margin(18)));
    assert_eq!(game.bounds(&after(&game, "44444")), Bounds::new(Margin(-18), Margin(18)));
    let state = after(&game, "1212121");
    assert_eq!(game.bounds(&state), Bounds::exact(Margin(18)));
    assert_eq!(game.result(&state).and_then(Margin::winner), Some(Side::First));
}
