//! Guesses and orderings of the three games against exact values of small boards, and where a human can say who is
//! better.

mod exact;

use banyan_core::{FINE, Game, Margin, Notation, Rng};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use exact::{Exact, after, listed, random_game};

fn at<G: Notation>(game: &G, text: &str) -> G::State {
    game.parse_position(text).unwrap_or_else(|err| panic!("{err}"))
}

fn estimate<G: Notation>(game: &G, text: &str) -> i32 {
    game.estimate(&at(game, text))
}

/// How often of two positions with different exact margins the better one looks better, by the estimate and by the margin
/// as the board stands; looking the same counts half. All positions are of random games, from `from_ply` on.
fn order_agreement<G: Notation>(game: &G, from_ply: u16) -> [f64; 2] {
    let (mut rng, mut exact) = (Rng::new(3), Exact::new(game));
    let mut seen: Vec<(Margin, [i32; 2])> = Vec::new();
    for _ in 0..60 {
        for state in random_game(game, &mut rng) {
            if game.ply(&state) >= from_ply && game.result(&state).is_none() {
                let standing = i32::from(game.standing(&state).0);
                seen.push((exact.margin(&state), [game.estimate(&state), standing]));
            }
        }
    }
    let (mut right, mut pairs) = ([0.0; 2], 0.0);
    for (i, (margin, guesses)) in seen.iter().enumerate() {
        for (other, others) in seen[..i].iter().filter(|(other, _)| other != margin) {
            pairs += 1.0;
            for k in 0..2 {
                right[k] += match guesses[k].cmp(&others[k]) {
                    std::cmp::Ordering::Equal => 0.5,
                    order if order == margin.cmp(other) => 1.0,
                    _ => 0.0,
                };
            }
        }
    }
    right.map(|n| n / pairs)
}

#[test]
fn estimates_tell_better_from_worse_more_often_than_the_board_as_it_stands() {
    fn check<G: Notation>(options: &str, from_ply: u16, expected: f64, ahead: f64) {
        let game = G::from_options(options).expect("a board");
        let [estimate, standing] = order_agreement(&game, from_ply);
        let found = format!("{}: {estimate:.3}, as it stands {standing:.3}", game.spec());
        assert!(estimate > expected && estimate > standing + ahead, "{found}");
    }
    check::<ConnectFour<u64>>("4x5", 6, 0.8, 0.3);
    check::<ConnectFour<u64>>("5x4,hole=b3", 5, 0.8, 0.3);
    check::<Reversi<u64>>("4x4", 0, 0.72, 0.2);
    check::<Reversi<u64>>("4x4,count=discs", 0, 0.72, 0.2);
    check::<DotsAndBoxes<u64>>("2x3", 0, 0.88, 0.2);
    check::<DotsAndBoxes<u64>>("3x3", 12, 0.93, 0.2);
}

#[test]
fn threats_in_rows_of_the_right_parity_are_worth_most() {
    let game = ConnectFour::<u64>::from_options("").expect("a board");
    //   3  . x x x . . .
    //   2  . x o x . o .      x gets a3 or e3 once nothing else is left
    //   1  . o x o . o .
    let odd = estimate(&game, "7/7/7/1xxx3/1xox1o1/1oxo1o1 o");
    //   3  . . x x . . .
    //   2  . o o o . . .      o gets a2 or e2
    //   1  . x o x . . .
    let even = estimate(&game, "7/7/7/2xx3/1ooo3/1xox3 x");
    assert!(odd > 20 && even < -20, "{odd} {even}");
    assert!(odd < FINE && even > -FINE, "a guess is never worth a point: {odd} {even}");
    // A board of 41 cells turns the parity over.
    let game = ConnectFour::<u64>::from_options("6x7,hole=g6").expect("a board");
    let turned = estimate(&game, "6-/7/7/1xxx3/1xox1o1/1oxo1o1 o");
    assert!(turned < odd - 10, "{turned} {odd}");
}

#[test]
fn a_win_at_hand_is_all_but_certain() {
    let game = ConnectFour::<u64>::from_options("").expect("a board");
    let to_win = estimate(&game, "7/7/7/7/ooo4/xxx4 x");
    let two_to_block = estimate(&game, "7/7/7/7/2oo3/2xxx2 o");
    assert_eq!((to_win, two_to_block), (FINE - 1, FINE - 1));
}

#[test]
fn corners_count_and_the_squares_around_an_empty_one_do_not() {
    let game = Reversi::<u64>::from_options("").expect("a board");
    let corner = estimate(&game, "xxo5/8/8/3ox3/3xo3/8/8/8 o");
    let diagonal = estimate(&game, "8/1x6/2o5/3ox3/3xo3/8/8/8 o");
    assert!(corner > diagonal + 5 * FINE, "{corner} {diagonal}");
    // The same for the other side, the colours of everything swapped.
    let swapped = estimate(&game, "oox5/8/8/3xo3/3ox3/8/8/8 x");
    assert_eq!(swapped, -corner);
}

#[test]
fn boxes_on_offer_and_chains_are_counted_out() {
    let game = DotsAndBoxes::<u64>::from_options("3x5").expect("a board");
    // Four boxes on offer at both ends and a loop of ten: the mover hands the four over and gets the ten.
    let tail_and_loop = "11111/11111/01110/11111/100011/100001/100001";
    assert_eq!(estimate(&game, &format!("{tail_and_loop} x")), 6 * FINE);
    assert_eq!(estimate(&game, &format!("{tail_and_loop} o")), -6 * FINE);
    assert_eq!(estimate(&game, &format!("{tail_and_loop} o 1-0")), -5 * FINE);
}

#[test]
fn endings_of_dots_and_boxes_are_guessed_within_half_a_box() {
    let game = DotsAndBoxes::<u64>::from_options("3x3").expect("a board");
    let (mut rng, mut exact) = (Rng::new(12), Exact::new(&game));
    let (mut missed, mut missed_as_it_stands, mut n) = (0.0, 0.0, 0.0);
    for _ in 0..200 {
        for state in random_game(&game, &mut rng).into_iter().filter(|state| (14..24).contains(&game.ply(state))) {
            let margin = i32::from(exact.margin(&state).0);
            missed += f64::from((game.estimate(&state) - margin * FINE).abs()) / f64::from(FINE);
            missed_as_it_stands += f64::from((i32::from(game.standing(&state).0) - margin).abs());
            n += 1.0;
        }
    }
    let (missed, missed_as_it_stands) = (missed / n, missed_as_it_stands / n);
    assert!(missed < 0.5 && missed_as_it_stands > 2.0, "{missed:.2} boxes, as it stands {missed_as_it_stands:.2}");
}

/// The moves in the order of their promise, as text.
fn ordered<G: Notation>(game: &G, text: &str) -> Vec<String> {
    let state = at(game, text);
    let mut moves = listed(game, &state);
    moves.sort_by_key(|&mv| -game.promise(&state, mv, &after(game, &state, mv)));
    moves.into_iter().map(|mv| game.print_move(&state, mv)).collect()
}

#[test]
fn the_most_promising_move_comes_first() {
    let game = ConnectFour::<u64>::from_options("").expect("a board");
    assert_eq!(ordered(&game, "7/7/7/7/ooo4/xxx4 x")[..2], ["4", "3"], "the win, then the centre");
    assert_eq!(ordered(&game, "7/7/7/7/7/xxxooo1 x")[..2], ["7", "4"], "the block, then the centre");
    assert_eq!(ordered(&game, &game.print_position(&game.start()))[0], "4");

    let game = Reversi::<u64>::from_options("").expect("a board");
    let order = ordered(&game, "1ox5/1o6/2x5/3ox3/3xo3/8/8/8 x");
    assert_eq!(order[0], "a1", "{order:?}");

    let game = DotsAndBoxes::<u64>::from_options("2x2").expect("a board");
    //   +-+-+
    //   |   |      v0,1 closes nothing; h1,0 and h1,1 neither; the box below left has one edge left
    //   + + +
    //   |
    //   +-+ +
    let order = ordered(&game, "11/00/10/101/110 x");
    assert_eq!(order[0], "h1,0", "{order:?}");
    let order = ordered(&game, "10/00/00/000/000 x");
    assert_eq!(order[..4], ["h1,0", "h1,1", "v0,1", "v1,1"], "safe edges, those in the middle first");
}

#[test]
fn slots_tell_all_moves_apart() {
    fn check<G: Notation>(options: &str) {
        let game = G::from_options(options).expect("a board");
        for state in random_game(&game, &mut Rng::new(1)) {
            let mut slots: Vec<u8> = listed(&game, &state).into_iter().map(|mv| game.slot(mv)).collect();
            let n_moves = slots.len();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), n_moves, "{}", game.print_position(&state));
        }
    }
    check::<ConnectFour<[u64; 4]>>("15x16");
    check::<Reversi<u128>>("10x10");
    check::<DotsAndBoxes<[u64; 3]>>("9x9");
}
