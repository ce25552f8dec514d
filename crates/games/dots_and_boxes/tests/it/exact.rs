//! Values under best play: small boards against a full table, and published positions if the data are available.

use std::collections::HashMap;

use banyan_bits::Bits;
use banyan_core::{Game, Knowledge, Notation, Rng, Side};
use banyan_dots_and_boxes::{DotsAndBoxes, DotsAndBoxesKnowledge, State};
use banyan_testkit::is_deep;

use crate::{game, listed, plain};

/// Negamax with a table by key: points of the side to move from here on.
fn future<B: Bits>(game: &DotsAndBoxes<B>, state: &State<B>, known: &mut HashMap<u64, i16>) -> i16 {
    if game.result(state).is_some() {
        return 0;
    }
    if let Some(&value) = known.get(&game.key(state)) {
        return value;
    }
    let values = values_of_moves(game, state, known);
    let best = values.iter().map(|&(_, value)| value).max().expect("a move is left");
    known.insert(game.key(state), best);
    best
}

pub(crate) fn values_of_moves<B: Bits>(
    game: &DotsAndBoxes<B>,
    state: &State<B>,
    known: &mut HashMap<u64, i16>,
) -> Vec<(u8, i16)> {
    let mover = game.to_move(state);
    let value = |mv| {
        let mut next = *state;
        game.play(&mut next, mv);
        let gained = (game.score(&next) - game.score(state)).seen_by(mover);
        let rest = future(game, &next, known);
        (mv, gained + if game.to_move(&next) == mover { rest } else { -rest })
    };
    listed(game, state).into_iter().map(value).collect()
}

/// The position with these edges drawn, the first player to move and no score.
pub(crate) fn position<B: Bits>(game: &DotsAndBoxes<B>, drawn: u64) -> State<B> {
    let edges: String = (0..game.max_plies()).map(|edge| if drawn >> edge & 1 == 1 { '1' } else { '0' }).collect();
    game.parse_position(&format!("{edges} x")).expect("edges and a side")
}

#[test]
fn small_boards_have_their_known_values() {
    // Field notes, section 3: retrograde tables and alpha-beta, by other programs.
    for (size, expected) in [
        ("1x1", -1),
        ("1x2", 0),
        ("2x1", 0),
        ("1x3", -1),
        ("1x4", 0),
        ("1x5", -1),
        ("2x2", 2),
        ("2x3", -2),
        ("3x2", -2),
    ] {
        let game = game::<u64>(size);
        assert_eq!(future(&game, &game.start(), &mut HashMap::new()), expected, "{size}");
        let (rows, columns) = (game.shape().rows() as usize, game.shape().columns() as usize);
        assert_eq!(i16::from(plain::values(rows, columns)[0]), expected, "{size} by the plain table");
    }
}

#[test]
fn only_the_known_first_moves_keep_the_value() {
    let check = |size: &str, expected: &str| {
        let game = game::<u64>(size);
        let values = values_of_moves(&game, &game.start(), &mut HashMap::new());
        let best = values.iter().map(|&(_, value)| value).max();
        let kept = values.iter().filter(|&&(_, value)| Some(value) == best);
        let kept: Vec<String> = kept.map(|&(mv, _)| game.print_move(&game.start(), mv)).collect();
        assert_eq!(kept.join(" "), expected, "{size}");
    };
    check("1x2", "v0,1");
    check("1x4", "v0,2");
    check("2x2", "h0,0 h0,1 h2,0 h2,1 v0,0 v0,2 v1,0 v1,2");
}

#[test]
fn every_position_of_small_boards_has_the_value_of_the_plain_table() {
    for (size, rows, columns) in [("1x3", 1, 3), ("2x2", 2, 2)] {
        let game = game::<u64>(size);
        let mut known = HashMap::new();
        for (drawn, value) in plain::values(rows, columns).into_iter().enumerate() {
            let found = future(&game, &position(&game, drawn as u64), &mut known);
            assert_eq!(found, i16::from(value), "{size} with edges {drawn:#b} drawn");
        }
    }
}

#[test]
fn positions_with_the_same_solver_key_have_the_same_value_for_the_mover() {
    for (size, rows, columns, merged) in [("1x4", 1, 4, 8), ("2x2", 2, 2, 16), ("2x3", 2, 3, 7)] {
        let (game, values) = (game::<u64>(size), plain::values(rows, columns));
        let mut values_by_key = HashMap::new();
        for (drawn, &value) in values.iter().enumerate() {
            let state = position(&game, drawn as u64);
            let known =
                *values_by_key.entry(DotsAndBoxesKnowledge::default().solver_key(&game, &state)).or_insert(value);
            assert_eq!(known, value, "{size} with edges {drawn:#b} drawn");
        }
        assert!(
            values_by_key.len() * merged < values.len(),
            "{size}: {} keys for {} positions",
            values_by_key.len(),
            values.len()
        );
    }
}

/// Checks the undominated moves of the position with these edges drawn against the table of all values.
fn check_kept(game: &DotsAndBoxes<u64>, values: &[i8], drawn: u64) {
    let state = position(game, drawn);
    let mut kept = Vec::new();
    assert_eq!(DotsAndBoxesKnowledge::default().undominated(game, &state, &mut kept), None);
    let value_of = |&mv: &u8| {
        let mut next = state;
        game.play(&mut next, mv);
        let rest = i16::from(values[game.drawn(&next) as usize]);
        game.score(&next).0 + if game.to_move(&next) == Side::First { rest } else { -rest }
    };
    let best = kept.iter().map(value_of).max();
    assert_eq!(best, Some(i16::from(values[drawn as usize])), "{} keeps {kept:?}", game.print_position(&state));
    assert!(kept.windows(2).all(|pair| pair[0] != pair[1]), "{kept:?}");
}

#[test]
fn an_exact_search_needs_the_undominated_moves_only() {
    let deep = is_deep();
    for (size, rows, columns) in [("1x4", 1, 4), ("2x2", 2, 2), ("2x3", 2, 3), ("3x3", 3, 3)] {
        if (rows, columns) == (3, 3) && !deep {
            continue;
        }
        let (game, values) = (game::<u64>(size), plain::values(rows, columns));
        (0..values.len() as u64 - 1).for_each(|drawn| check_kept(&game, &values, drawn));
    }
}

#[test]
fn an_exact_search_needs_the_undominated_moves_only_late_on_large_boards() {
    let mut rng = Rng::new(4);
    for size in ["3x4", "4x4", "5x5"] {
        let game = game::<u64>(size);
        for _ in 0..400 {
            let mut undrawn = 0u64;
            while undrawn.count_ones() < 11 {
                undrawn |= 1 << rng.below(u32::from(game.max_plies()));
            }
            let state = position(&game, ((1 << game.max_plies()) - 1) ^ undrawn);
            let values = values_of_moves(&game, &state, &mut HashMap::new());
            let mut kept = Vec::new();
            DotsAndBoxesKnowledge::default().undominated(&game, &state, &mut kept);
            let best = values.iter().map(|&(_, value)| value).max();
            let best_kept = values.iter().filter(|(mv, _)| kept.contains(mv)).map(|&(_, value)| value).max();
            assert_eq!(best_kept, best, "{size} {} keeps {kept:?} of {values:?}", game.print_position(&state));
        }
    }
}

#[test]
fn a_tail_of_four_may_be_handed_back() {
    // Four boxes on offer at both ends, and a loop of ten. Taking the four means opening the loop, 4 - 10; the edge in
    // the middle gives them away, and the opponent opens the loop, 10 - 4.
    //   +-+-+-+-+-+
    //   |       |*|
    //   +-+-+-+-+-+
    //   |         |
    //   + +-+-+-+ +
    //   |         |
    //   +-+-+-+-+-+
    let game = game::<u64>("3x5");
    let text = "11111/11111/01110/11111/100011/100001/100001 x";
    let state = game.parse_position(text).unwrap_or_else(|err| panic!("{err}"));
    let mut kept = Vec::new();
    DotsAndBoxesKnowledge::default().undominated(&game, &state, &mut kept);
    let kept: Vec<String> = kept.into_iter().map(|mv| game.print_move(&state, mv)).collect();
    assert_eq!(kept, ["v0,1", "v0,2"]);
    let values = values_of_moves(&game, &state, &mut HashMap::new());
    let best = values.into_iter().max_by_key(|&(_, value)| value);
    assert_eq!(best, Some((game.parse_move(&state, "v0,2").expect("an edge"), 6)));
}
