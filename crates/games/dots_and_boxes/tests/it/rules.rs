//! Dots and Boxes against plain arrays, published counts and values, and the laws.

use banyan_bits::Bits;
use banyan_core::{Game, Margin, Notation, PlayoutPolicy, Rng, Side, perft, random_move};
use banyan_dots_and_boxes::{State, UniformMoves};
use banyan_laws as laws;

use crate::plain::Plain;
use crate::{game, listed};

#[test]
fn the_laws_hold_on_every_kind_of_board() {
    fn check<B: Bits>(size: &str) {
        if let Err(violation) = laws::check(&game::<B>(size), 20, 5) {
            panic!("{size} in {} bits: {violation}", B::WIDTH);
        }
    }
    for size in ["1x1", "1x2", "2x2", "3x2", "3x3", "5x5", "1x20", "1x21", "6x6", "7x7", "8x8", "9x9", "2x37"] {
        with_word!(size, check());
    }
    check::<u128>("3x3");
    check::<[u64; 3]>("2x3");
}

#[test]
fn perft_agrees_with_the_file() {
    fn check<B: Bits>(size: &str, depth: u32, count: u64) {
        let game = game::<B>(size);
        assert_eq!(perft(&game, &game.start(), depth), count, "{size} to depth {depth}");
    }
    let lines = include_str!("../perft.txt").lines().filter(|line| !line.starts_with('#'));
    let mut n_lines = 0;
    for line in lines {
        let words: Vec<&str> = line.split('|').map(str::trim).collect();
        let (depth, count) = (words[1].parse().expect("a depth"), words[2].parse().expect("a count"));
        with_word!(words[0], check(depth, count));
        n_lines += 1;
    }
    assert!(n_lines >= 10, "only {n_lines} lines of counts");
}

#[test]
fn random_games_agree_with_plain_arrays() {
    fn check<B: Bits>(size: &str, games: u64) {
        let game = game::<B>(size);
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            let mut plain = Plain::new(game.shape().rows() as usize, game.shape().columns() as usize);
            while game.result(&state).is_none() {
                let place = || format!("{size} seed {seed}: {}", game.print_position(&state));
                let moves = listed(&game, &state);
                let plain_moves: Vec<u8> = plain.legal().iter().map(|&line| line as u8).collect();
                assert_eq!(moves, plain_moves, "{}", place());
                assert_eq!(game.to_move(&state).index(), plain.mover, "{}", place());
                assert_eq!(game.score(&state), Margin(plain.margin()), "{}", place());
                let picture = game.picture(&state, None).expect("a board to draw");
                let owners: Vec<_> = picture.cells.iter().map(|cell| cell.owner.map(Side::index)).collect();
                assert_eq!(owners, plain.owners.concat(), "{}", place());
                let mv = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut state, mv);
                plain.play(usize::from(mv));
            }
            assert!(plain.legal().is_empty(), "{size} seed {seed} ended early");
            assert_eq!(game.result(&state), Some(Margin(plain.margin())), "{size} seed {seed}");
            assert_eq!(game.ply(&state), game.max_plies());
        }
    }
    for size in ["1x1", "1x4", "2x2", "3x5", "5x3", "5x5", "1x21", "7x7", "8x8", "9x9"] {
        with_word!(size, check(40));
    }
}

#[test]
fn all_words_play_identical_games() {
    type Trace = (Vec<u8>, Vec<String>, Vec<Margin>);
    fn trace<B: Bits>(size: &str, seed: u64) -> Trace {
        let game = game::<B>(size);
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        let (mut moves, mut positions, mut playouts) = Trace::default();
        while game.result(&state).is_none() {
            playouts.push(UniformMoves.play_out(&game, state, &mut rng, &mut Vec::new()));
            moves.push(random_move(&game, &state, &mut rng, &mut Vec::new()));
            game.play(&mut state, moves[moves.len() - 1]);
            positions.push(game.print_position(&state));
        }
        (moves, positions, playouts)
    }
    for (size, seed) in [("1x1", 1), ("2x3", 2), ("4x4", 3), ("5x5", 4), ("5x5", 5)] {
        let narrow = trace::<u64>(size, seed);
        assert_eq!(narrow, trace::<u128>(size, seed), "{size} seed {seed}");
        assert_eq!(narrow, trace::<[u64; 3]>(size, seed), "{size} seed {seed}");
    }
    assert_eq!(trace::<u128>("7x7", 6), trace::<[u64; 3]>("7x7", 6));
}

#[test]
fn playouts_are_distributed_like_all_orders_of_the_edges() {
    /// Plays every order of the remaining edges and counts the margins, from -2 to 2.
    fn count(plain: &Plain, counts: &mut [u64; 5]) {
        let moves = plain.legal();
        if moves.is_empty() {
            counts[(plain.margin() + 2) as usize] += 1;
        }
        for line in moves {
            let mut next = plain.clone();
            next.play(line);
            count(&next, counts);
        }
    }
    let mut counts = [0; 5];
    count(&Plain::new(1, 2), &mut counts);
    assert_eq!(counts.iter().sum::<u64>(), 5040, "all orders of seven edges");

    let game = game::<u64>("1x2");
    let mut rng = Rng::new(11);
    let n = 200_000;
    let mut seen = [0; 5];
    for _ in 0..n {
        let margin = UniformMoves.play_out(&game, game.start(), &mut rng, &mut Vec::new());
        seen[(margin.0 + 2) as usize] += 1;
    }
    for (margin, (&orders, &seen)) in (-2..).zip(counts.iter().zip(&seen)) {
        let share = orders as f64 / 5040.0;
        let expected = share * f64::from(n);
        // Five standard deviations of a binomial count.
        let tolerance = 5.0 * (expected * (1.0 - share)).sqrt();
        assert!((f64::from(seen) - expected).abs() <= tolerance, "margin {margin}: {seen} seen, {expected} expected");
    }
}

#[test]
fn states_stay_small() {
    assert_eq!(size_of::<State<u64>>(), 24);
    assert!(size_of::<State<u128>>() <= 48);
    assert!(size_of::<State<[u64; 3]>>() <= 56);
}

#[test]
fn central_edges_are_more_central() {
    let game = game::<u64>("5x5");
    let central = |text: &str| game.centrality(game.parse_move(&game.start(), text).expect("an edge"));
    assert!(central("h2,2") > central("h2,1") && central("h2,1") > central("h1,1"));
    assert_eq!(central("h2,2"), central("v2,3"));
    assert_eq!(central("h0,0"), 1);
    assert_eq!(game.centrality(0), central("v4,5"));
}
