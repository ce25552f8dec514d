//! The exact solver against plain search: on small boards, on endgames of boards of every word with and without holes, and near the end of
//! every board of 6x7 with a single hole.

use std::collections::HashMap;
use std::sync::Arc;

use banyan_connect_four::{ConnectFour, ConnectFourKnowledge, ExactValues, Grid, Place, Shape, State};
use banyan_core::{Bounds, Game, Knowledge, Notation, Prover, Rng, erase_prover};
use banyan_testkit::{Exact, after, listed, proven, rounds};

/// A position with `free` free cells, after random moves that do not win.
fn ending<B: Grid>(game: &ConnectFour<B>, free: u16, rng: &mut Rng) -> State<B> {
    loop {
        let mut state = game.start();
        while game.plies_left(&state) > free {
            let quiet = |&mv: &u8| game.result(&after(game, &state, mv)).is_none();
            let moves: Vec<u8> = listed(game, &state).iter().copied().filter(quiet).collect();
            if moves.is_empty() {
                break;
            }
            state = after(game, &state, moves[rng.below(moves.len() as u32) as usize]);
        }
        if game.plies_left(&state) == free {
            return state;
        }
    }
}

fn agrees_with_plain_search<B: Grid>(options: &str, most_free: u32, n: usize) {
    let game = ConnectFour::<B>::from_options(options).expect("a board");
    let (mut rng, mut prover) = (Rng::new(63), ExactValues::new(1 << 20));
    for _ in 0..n {
        let state = ending(&game, 1 + rng.below(most_free) as u16, &mut rng);
        let expected = Exact::new(&game).value(&state);
        let from = [-1, 0, 1, 2][rng.below(4) as usize];
        assert_eq!(proven(&game, &state, &mut prover, from), expected, "{options} {}", game.print_position(&state));
    }
}

#[test]
fn values_are_those_of_plain_search_on_boards_of_every_word() {
    agrees_with_plain_search::<u64>("", 14, 400);
    agrees_with_plain_search::<u64>("7x5", 13, 300);
    agrees_with_plain_search::<u64>("4x4,hole=b2", 15, 300);
    agrees_with_plain_search::<u64>("5x6,hole=a1,hole=a2,hole=f5,hole=c3,hole=d3", 14, 300);
    agrees_with_plain_search::<u64>("6x7,hole=b2,hole=b3,hole=b4,hole=d1,hole=d6,hole=g4,hole=g6", 13, 300);
    // On large boards most random games are won long before the end.
    let corner = |rows: u32, columns: u32, hole: &str| {
        let is_hole = |c: u32, r: u32| c + 6 < columns || r + 6 < rows;
        let cells = (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r))).filter(|&(c, r)| is_hole(c, r));
        let holes = cells.map(|(c, r)| format!(",hole={}", Place { column: c, row: r }.name()));
        format!("{rows}x{columns}{},hole={hole}", holes.collect::<String>())
    };
    agrees_with_plain_search::<u128>(&corner(10, 11, "h7"), 12, 100);
    agrees_with_plain_search::<[u64; 3]>(&corner(12, 12, "j9"), 12, 100);
    agrees_with_plain_search::<[u64; 4]>(&corner(15, 16, "p12"), 12, 100);
}

#[test]
fn values_near_the_end_of_every_board_with_one_hole_are_those_of_plain_search() {
    let mut n = 0;
    for place in Shape::default().places().filter(|place| place.column < 4) {
        let options = format!("6x7,hole={}", place.name());
        let game = ConnectFour::<u64>::from_options(&options).expect("a board");
        let (mut rng, mut prover) = (Rng::new(u64::from(Shape::default().bit(place))), ExactValues::new(1 << 20));
        for _ in 0..20 {
            let state = ending(&game, 10 + rng.below(3) as u16, &mut rng);
            let expected = Exact::new(&game).value(&state);
            assert_eq!(proven(&game, &state, &mut prover, 0), expected, "{options} {}", game.print_position(&state));
            n += 1;
        }
    }
    assert_eq!(n, 24 * 20, "24 holes are not mirror images of one another");
}

#[test]
fn strategies_of_either_side_give_bounds_that_hold() {
    // Positions with a lower and with an upper bound, and those where such a bound is the winner's.
    let (mut met, mut rng) = ([0; 4], Rng::new(64));
    for options in ["", "7x5", "6x7,hole=d2", "5x6,hole=a1,hole=a2,hole=f5,hole=c3,hole=d3"] {
        let game = ConnectFour::<u64>::from_options(options).expect("a board");
        for _ in 0..rounds(300, 3000) {
            let state = ending(&game, 4 + rng.below(10) as u16, &mut rng);
            let (mut forced, mut moves) = (Vec::new(), Vec::new());
            if ConnectFourKnowledge.forced_moves(&game, &state, &mut forced).is_some() {
                continue;
            }
            let Some(bounds) = ConnectFourKnowledge.undominated(&game, &state, &mut moves) else { continue };
            let value = Exact::new(&game).value(&state);
            let mover = game.to_move(&state);
            let (least, most) = bounds.seen_by(mover);
            assert!((least..=most).contains(&value), "{options} {}: {value}", game.print_position(&state));
            assert_eq!(moves, forced);
            let (lowest, highest) = game.bounds(&state).seen_by(mover);
            let kinds = [least > lowest, most < highest, least > 0, most < 0];
            met.iter_mut().zip(kinds).for_each(|(n, is_met)| *n += u32::from(is_met));
        }
    }
    assert!(met.iter().all(|&n| n > 5), "{met:?}");
}

/// The margin for the side to move by plain alpha-beta with a table, in the order of the columns from the middle.
fn alpha_beta(
    game: &ConnectFour<u64>,
    state: &State<u64>,
    mut alpha: i16,
    beta: i16,
    known: &mut HashMap<u64, [i16; 2]>,
) -> i16 {
    if let Some(margin) = game.result(state) {
        return margin.seen_by(game.to_move(state));
    }
    let [lower, upper] = known.get(&game.key(state)).copied().unwrap_or([-99, 99]);
    if lower >= beta || lower == upper {
        return lower;
    }
    if upper <= alpha {
        return upper;
    }
    let (begin, mut best) = (alpha, -99);
    let mut moves = listed(game, state);
    moves.sort_by_key(|&mv| std::cmp::Reverse(game.centrality(mv)));
    for &mv in &moves {
        best = best.max(-alpha_beta(game, &after(game, state, mv), -beta, -alpha, known));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    let bounds = match best {
        _ if best >= beta => [best, upper],
        _ if best <= begin => [lower, best],
        _ => [best, best],
    };
    known.insert(game.key(state), bounds);
    best
}

#[test]
fn values_twenty_plies_before_the_end_are_those_of_plain_alpha_beta() {
    let mut rng = Rng::new(20);
    let places: Vec<Place> = Shape::default().places().collect();
    for _ in 0..rounds(4, 20) {
        let place = places[rng.below(places.len() as u32) as usize];
        let game = ConnectFour::<u64>::from_options(&format!("6x7,hole={}", place.name())).expect("a board");
        let state = ending(&game, 20, &mut rng);
        let expected = alpha_beta(&game, &state, -99, 99, &mut HashMap::new());
        let text = format!("{} {}", game.options(), game.print_position(&state));
        assert_eq!(proven(&game, &state, &mut ExactValues::new(1 << 22), 1), expected, "{text}");
    }
}

#[test]
fn whole_small_boards_have_their_known_values() {
    // Outcomes by other programs, columns from 4 on (field notes): draws at 4x4 and 4x5, and so on; a win of the second side at 4x6.
    for (options, outcome) in [("4x4", 0), ("4x5", 0), ("4x6", -1), ("5x4", 0), ("5x5", 0), ("6x4", 0), ("6x5", 0)] {
        let game = ConnectFour::<u64>::from_options(options).expect("a board");
        let value = proven(&game, &game.start(), &mut ExactValues::new(1 << 24), 0);
        assert_eq!(value.signum(), outcome, "{options}: {value}");
    }
}

#[test]
fn a_proof_by_forks_and_one_that_was_stopped_have_the_same_value() {
    let game = ConnectFour::<u64>::from_options("").expect("the usual board");
    // The first position of a set of gamesolver, with its score.
    let (state, value) = (crate::values::after(&game, "32751571231557"), -3);
    let prover = ExactValues::new(1 << 22);
    let mut fork = Prover::<ConnectFour<u64>>::fork(&prover, 1);
    assert_eq!(proven(&game, &state, &mut *fork, 0), value);
    let mut prover = ExactValues::new(1 << 22);
    let mut stops = 0;
    let bounds = loop {
        let prover: &mut dyn Prover<ConnectFour<u64>> = &mut prover;
        let before = prover.nodes();
        let mut poll = |nodes: u64| (nodes < before + 2_000).then_some(before + 2_000);
        match prover.reaches(&game, &state, value, &mut poll) {
            Some(bounds) => break bounds,
            None => stops += 1,
        }
        assert!(stops < 10_000, "what was proven is lost");
    };
    assert!(bounds.seen_by(game.to_move(&state)).0 >= value && stops > 2, "{bounds:?} after {stops} stops");
    let prover: &mut dyn Prover<ConnectFour<u64>> = &mut prover;
    assert!(prover.memory_bytes() > 0);
    prover.forget();
    assert_eq!(prover.reaches(&game, &state, value, &mut |_| None), None);
}

#[test]
fn the_table_of_one_board_is_not_taken_for_that_of_another() {
    let mut prover = ExactValues::new(1 << 20);
    let games =
        ["6x7", "6x7,hole=d3", "5x7"].map(|options| ConnectFour::<u64>::from_options(options).expect("a board"));
    let mut rng = Rng::new(11);
    for _ in 0..10 {
        for game in &games {
            let state = ending(game, 12, &mut rng);
            assert_eq!(proven(game, &state, &mut prover, 0), Exact::new(game).value(&state));
        }
    }
}

#[test]
fn without_the_type_of_its_game_the_prover_tests_the_same_windows() {
    let game = Arc::new(ConnectFour::<u64>::from_options("").expect("the usual board"));
    let prover = ExactValues::<u64>::new(1 << 10);
    let erased = erase_prover(Arc::clone(&game), Box::new(ExactValues::<u64>::new(1 << 10)));
    for (lower, upper) in [(-18, 18), (1, 18), (-18, 0), (-5, 3)] {
        let window = Prover::<ConnectFour<u64>>::window(&prover, lower, upper);
        assert!(window.is_some() && erased.window(lower, upper) == window, "{lower} {upper}");
    }
}

#[test]
fn a_win_at_once_and_a_loss_at_once_are_exact() {
    let game = ConnectFour::<u64>::from_options("").expect("the usual board");
    let mut prover = ExactValues::<u64>::new(1 << 10);
    for (moves, value) in [("121212", 18), ("33445", -18)] {
        let state = crate::values::after(&game, moves);
        let bounds = prover.reaches(&game, &state, 0, &mut |_| Some(u64::MAX)).expect("nothing stops it");
        assert_eq!(bounds.seen_by(game.to_move(&state)), (value, value), "{moves}: {bounds:?}");
        assert!(bounds.lower == bounds.upper && bounds != Bounds::exact(banyan_core::Margin::DRAW));
    }
}

#[test]
fn a_strategy_in_words_holds_to_the_end_of_the_game() {
    let mut rng = Rng::new(4);
    let mut n = [0; 3];
    for options in ["6x7", "6x7,hole=d3", "5x6", "6x6,hole=a1,hole=f6"] {
        let game = ConnectFour::<u64>::from_options(options).expect("a board");
        let mut prover = ExactValues::new(1 << 22);
        for _ in 0..150 {
            let state = ending(&game, 6 + rng.below(12) as u16, &mut rng);
            let structure = game.structure(&state).expect("it is not over");
            let Some(fact) = structure.facts.iter().find(|fact| fact.name == "follow-up") else { continue };
            let least = fact.number.expect("a margin");
            let value = proven(&game, &state, &mut prover, 0) * game.to_move(&state).sign();
            let (value, text) = (i32::from(value), format!("{options} {}: {}", game.print_position(&state), fact.text));
            match least {
                0 => assert!(fact.text.contains("does not lose"), "{text}"),
                _ => assert!(fact.text.contains("wins"), "{text}"),
            }
            let loser_is_second = fact.text.starts_with('X');
            assert!(if loser_is_second { value >= least } else { value <= least }, "{value} {least} {text}");
            n[(least.signum() + 1) as usize] += 1;
        }
    }
    assert!(n.iter().all(|&n| n > 10), "{n:?}");
}

#[test]
fn threats_that_decide_give_the_value_and_name_their_cells() {
    let mut rng = Rng::new(7);
    let mut n = [0; 4];
    for options in ["6x7", "6x7,hole=d3", "5x6", "6x6,hole=a1,hole=f6"] {
        let game = ConnectFour::<u64>::from_options(options).expect("a board");
        let mut prover = ExactValues::new(1 << 22);
        for _ in 0..300 {
            let state = ending(&game, 2 + rng.below(12) as u16, &mut rng);
            let value = i32::from(proven(&game, &state, &mut prover, 0));
            let free = i32::from(game.plies_left(&state));
            let structure = game.structure(&state).expect("it is not over");
            let fact = structure.facts.iter().find(|fact| fact.name == "threats-decide");
            let found = fact.and_then(|fact| fact.number).map(|number| number * i32::from(game.to_move(&state).sign()));
            let at_once = [1 + (free - 1) / 2, -1 - (free - 2) / 2];
            let expected = at_once.contains(&value).then_some(value);
            let text = fact.map_or("", |fact| fact.text.as_str());
            assert_eq!(found, expected, "{options} {}: {text}", game.print_position(&state));
            let starts = ["completes four at once", "can answer only one of", "must answer", "must play under"];
            let kind = starts.iter().position(|start| text.get(2..).is_some_and(|text| text.starts_with(start)));
            assert_eq!(kind.is_some(), found.is_some(), "{text}");
            n[kind.unwrap_or(0)] += usize::from(kind.is_some());
        }
    }
    assert!(n.iter().all(|&n| n > 5), "{n:?}");
}

#[test]
fn threats_that_decide_are_named_with_their_rows() {
    let game = ConnectFour::<u64>::from_options("").expect("the usual board");
    let check = |moves: &str, expected: &str| {
        let state = crate::values::after(&game, moves);
        let structure = game.structure(&state).expect("it is not over");
        let fact = structure.facts.iter().find(|fact| fact.name == "threats-decide");
        assert_eq!(fact.map_or("", |fact| &fact.text), expected, "{moves}");
    };
    check("6146", "");
    check("61465", "O can answer only one of c1 (odd row) and g1 (odd row), and X completes four on the other");
    check("121212", "X completes four at once on a4 (even row)");
}
