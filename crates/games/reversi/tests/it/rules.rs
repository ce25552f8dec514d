//! The rules of Reversi against published counts, solved boards, a plain array and the laws of all games.

use crate::plain::{PlainReversi, text};
use banyan_bits::Bits;
use banyan_core::{Bounds, Game, Knowledge, Margin, Notation, PlayoutPolicy, Rng, Side, Symmetry, published_perft};
use banyan_laws as laws;
use banyan_reversi::{Place, Reversi, ReversiKnowledge, Shape, State, UniformMoves};
use banyan_testkit::{Exact, after, is_deep, listed};

fn reversi<B: Bits>(options: &str) -> Reversi<B> {
    Reversi::from_options(options).expect("the options of a test are right")
}

/// Largest count of the perft file that is checked but by `./test --deep`.
const QUICK: u64 = 3_100_000;

#[test]
fn perft_equals_the_counts_of_the_file() {
    let most = if is_deep() { u64::MAX } else { QUICK };
    let mut n_checked = 0;
    for line in include_str!("../perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [spec, depth, count, _source] = fields[..] else { panic!("four fields in {line:?}") };
        let (depth, count) = (depth.parse().expect("a depth"), count.parse::<u64>().expect("a count"));
        if count > most {
            continue;
        }
        let found = match reversi::<u128>(spec).shape().word_bits() {
            64 => perft_from_start::<u64>(spec, depth),
            _ => perft_from_start::<u128>(spec, depth),
        };
        assert_eq!(found, count, "{line}");
        n_checked += 1;
    }
    assert!(n_checked >= 40, "only {n_checked} counts were checked");
}

fn perft_from_start<B: Bits>(options: &str, depth: u32) -> u64 {
    let game = reversi::<B>(options);
    published_perft(&game, &game.start(), depth, 1)
}

#[test]
fn perft_equals_the_plain_array() {
    for (rows, columns, depth) in [(4, 4, 12), (6, 6, 6), (8, 8, 5), (10, 10, 5), (4, 10, 5), (10, 6, 5), (6, 4, 7)] {
        let options = format!("{rows}x{columns}");
        for depth in 1..=depth {
            let count = PlainReversi::new(rows, columns).perft(depth);
            assert_eq!(perft_from_start::<u128>(&options, depth), count, "{options} {depth}");
            if rows.max(columns) <= 8 {
                assert_eq!(perft_from_start::<u64>(&options, depth), count, "{options} {depth}");
            }
        }
    }
}

/// Games that are over after fewer than `depth` moves.
fn games_over_before(game: &Reversi<u64>, state: &State<u64>, depth: u32) -> u64 {
    if depth == 0 || game.result(state).is_some() {
        return u64::from(depth > 0);
    }
    listed(game, state).into_iter().map(|mv| games_over_before(game, &after(game, state, mv), depth - 1)).sum()
}

/// Published tables count a game that is over once, whatever the depth; `published_perft` adds one more pass, so that
/// games over before that pass are missing.
#[test]
fn perft_and_the_games_over_before_add_up_to_the_published_leaves() {
    let deep = is_deep();
    let small = [(8, 9116), (9, 20044), (10, 36540), (11, 50704)];
    let usual = [(9, 3_005_288), (10, 24_571_284), (11, 212_258_800)];
    for (options, leaves) in [("4x4", &small[..]), ("", &usual[..if deep { 3 } else { 1 }])] {
        let game = reversi::<u64>(options);
        for &(depth, count) in leaves {
            let over = games_over_before(&game, &game.start(), depth - 1);
            assert_eq!(published_perft(&game, &game.start(), depth, 1) + over, count, "{} {depth}", game.spec());
        }
    }
}

fn play_beside_the_plain_array<B: Bits>(options: &str, games: u64) {
    let game = reversi::<B>(options);
    let (rows, columns) = (game.shape().rows() as i32, game.shape().columns() as i32);
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let (mut state, mut plain) = (game.start(), PlainReversi::new(rows, columns));
        loop {
            let context = format!("{} seed {seed} {}", game.spec(), game.print_position(&state));
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let names: Vec<String> = moves.iter().map(|&mv| game.print_move(&state, mv)).collect();
            let plain_moves = plain.moves();
            assert_eq!(names, plain_moves.iter().map(|&mv| text(mv)).collect::<Vec<_>>(), "{context}");
            let (black, white, empty) = plain.counts();
            assert_eq!(
                i32::from(ReversiKnowledge::default().static_margin(&game, &state).0),
                black - white,
                "{context}"
            );
            assert_eq!(game.result(&state).is_some(), moves.is_empty(), "{context}");
            if let Some(margin) = game.result(&state) {
                let discs = black - white;
                let winner_takes = discs + discs.signum() * empty;
                let expected = if options.ends_with("count=discs") { discs } else { winner_takes };
                assert_eq!(i32::from(margin.0), expected, "{context}");
                break;
            }
            assert_eq!(i32::from(game.to_move(&state).sign()), plain.mover, "{context}");
            let i = rng.below(moves.len() as u32) as usize;
            game.play(&mut state, moves[i]);
            plain.play(plain_moves[i]);
        }
    }
}

#[test]
fn random_games_agree_with_the_plain_array() {
    play_beside_the_plain_array::<u64>("", 60);
    play_beside_the_plain_array::<u64>("8x8,count=discs", 60);
    play_beside_the_plain_array::<u64>("4x4", 200);
    play_beside_the_plain_array::<u64>("6x6", 100);
    play_beside_the_plain_array::<u64>("4x8,count=discs", 100);
    play_beside_the_plain_array::<u128>("10x10", 40);
    play_beside_the_plain_array::<u128>("10x4", 100);
    play_beside_the_plain_array::<u128>("", 40);
    play_beside_the_plain_array::<[u64; 2]>("10x10,count=discs", 40);
    play_beside_the_plain_array::<[u64; 3]>("10x10", 40);
    play_beside_the_plain_array::<[u64; 4]>("6x10", 40);
}

#[test]
fn every_size_and_word_obeys_the_laws() {
    fn obeys<B: Bits>(options: &str) {
        laws::check(&reversi::<B>(options), 12, 20).unwrap_or_else(|violation| panic!("{options}: {violation}"));
    }
    obeys::<u64>("");
    obeys::<u64>("8x8,count=discs");
    obeys::<u64>("4x4");
    obeys::<u64>("6x6,count=discs");
    obeys::<u64>("6x8");
    obeys::<u128>("10x10");
    obeys::<u128>("10x10,count=discs");
    obeys::<u128>("4x10");
    obeys::<u128>("");
    obeys::<[u64; 3]>("8x8");
}

#[test]
fn every_word_gives_the_same_playouts() {
    fn playouts<B: Bits>(options: &str) -> Vec<Margin> {
        let game = reversi::<B>(options);
        let mut rng = Rng::new(11);
        (0..200).map(|_| UniformMoves.play_out(&game, game.start(), &mut rng, &mut Vec::new())).collect()
    }
    assert_eq!(playouts::<u64>("8x8"), playouts::<u128>("8x8"));
    assert_eq!(playouts::<u64>("8x8"), playouts::<[u64; 3]>("8x8"));
    assert_eq!(playouts::<u64>("8x8"), playouts::<[u64; 4]>("8x8"));
    assert_eq!(playouts::<u128>("10x10"), playouts::<[u64; 3]>("10x10"));
}

#[test]
fn the_smallest_board_is_lost_for_black_by_3_to_11() {
    // 3 to 11 leaves two squares empty, which go to white where the winner gets them.
    for (options, value) in [("4x4", -10), ("4x4,count=discs", -8)] {
        let game = reversi::<u64>(options);
        assert_eq!(Exact::new(&game).value(&game.start()), value, "{options}");
    }
}

#[test]
fn a_state_is_small() {
    assert_eq!(size_of::<State<u64>>(), 32);
    assert_eq!(size_of::<State<u128>>(), 64);
    assert_eq!(size_of::<Place>(), 1);
}

#[test]
fn empty_squares_go_to_the_winner_unless_only_discs_count() {
    // Neither side can place: black has 5, white none.
    let wiped_out = "4/1xx1/1xx1/1x2 x";
    for (options, margin) in [("4x4", 16), ("4x4,count=discs", 5)] {
        let game = reversi::<u64>(options);
        let state = game.parse_position(wiped_out).expect("a position");
        assert_eq!(game.result(&state), Some(Margin(margin)));
        assert_eq!(game.bounds(&state), Bounds::exact(Margin(margin)));
        assert_eq!(ReversiKnowledge::default().static_margin(&game, &state), Margin(5));
    }
}

#[test]
fn a_side_that_cannot_place_must_pass_if_the_other_can() {
    let game = reversi::<u64>("4x4");
    // From a1 black turns nothing, white turns b1.
    let mut state = game.parse_position("1xoo/xxxx/xxxx/xxxx x").expect("a position");
    let names = |state: &State<u64>| {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().map(|mv| game.print_move(state, mv)).collect::<Vec<_>>()
    };
    assert_eq!(names(&state), ["pass"]);
    game.play(&mut state, Place::PASS);
    assert_eq!(game.print_position(&state), "1xoo/xxxx/xxxx/xxxx o 12", "the pass is the twelfth move");
    assert_eq!(names(&state), ["a1"]);
    let mv = game.parse_move(&state, "a1").expect("a legal move");
    game.play(&mut state, mv);
    assert_eq!(game.print_position(&state), "oooo/xxxx/xxxx/xxxx x 13");
    assert_eq!((names(&state), game.result(&state)), (Vec::new(), Some(Margin(8))));
}

#[test]
fn the_centre_is_central_and_corners_are_not() {
    let game = reversi::<u64>("");
    let at = |name: &str, text: &str| {
        let state = game.parse_position(text).expect("a position");
        game.centrality(game.parse_move(&state, name).expect("a legal move"))
    };
    let near = at("f5", "8/8/8/3ox3/3xo3/8/8/8 x");
    let corner = at("a1", "1ox5/8/8/3ox3/3xo3/8/8/8 x");
    assert!(near > corner, "{near} {corner}");
}

#[test]
fn a_square_board_has_eight_symmetries_and_an_oblong_one_four() {
    assert_eq!(reversi::<u64>("8x8").symmetries(), 8);
    assert_eq!(reversi::<u64>("6x8").symmetries(), 4);
    let game = reversi::<u64>("");
    let texts = (0..8).map(|i| game.print_position(&game.transform(&game.start(), Symmetry(i))));
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts, ["8/8/8/3ox3/3xo3/8/8/8 x", "8/8/8/3xo3/3ox3/8/8/8 x"]);
}

#[test]
fn the_picture_shows_discs_the_last_move_and_where_one_may_play() {
    let game = reversi::<u64>("6x6");
    let mut state = game.start();
    let mv = game.parse_move(&state, "c2").expect("a legal move");
    game.play(&mut state, mv);
    let picture = game.picture(&state, Some(mv)).expect("Reversi has a board");
    let mut drawn = String::new();
    for row in picture.cells.chunks(picture.columns) {
        for cell in row {
            drawn.push(match (cell.owner, cell.legal, cell.last) {
                (Some(Side::First), _, true) => 'X',
                (Some(Side::First), _, false) => 'x',
                (Some(Side::Second), ..) => 'o',
                (None, true, _) => '+',
                (None, false, _) => '.',
            });
        }
        drawn.push('\n');
    }
    assert_eq!(drawn, "......\n.+X+..\n..xx..\n.+xo..\n......\n......\n");
    assert_eq!(picture.column_labels.concat(), "abcdef");
    assert_eq!(picture.row_labels.concat(), "123456");
}

#[test]
fn a_board_too_large_for_the_word_is_refused() {
    let refused = Reversi::<u64>::from_options("10x10").expect_err("100 squares do not fit 64 bits");
    assert_eq!(
        refused.to_string(),
        "a 10x10 board: expected a board that fits a word of 64 bits; choose a word of 128 bits"
    );
    assert!(Shape::parse("10x10").is_ok());
}
