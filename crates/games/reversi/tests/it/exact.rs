//! The exact solver against plain search, on small boards and on random endgames.

use banyan_core::{Game, Notation, Prover, Rng};
use banyan_reversi::{ExactEndings, Reversi, ReversiKnowledge, State};
use banyan_testkit::{Exact, random_game};

type Prove<'a> = &'a mut dyn Prover<Reversi<u64>>;

/// The final margin for the side to move, from proofs of every margin near a first guess.
pub(crate) fn proven(game: &Reversi<u64>, state: &State<u64>, prover: Prove<'_>) -> i16 {
    let guess = prover.guess(game, state).expect("a guess");
    let guess = prover.refine(game, state, guess, game.bounds(state), &mut |_| Some(u64::MAX));
    banyan_testkit::proven(game, state, prover, guess)
}

/// Random positions with at most `most_empty` empty squares, among them some with passes and some early ends.
fn endgames(game: &Reversi<u64>, most_empty: u16, n: usize, rng: &mut Rng) -> Vec<State<u64>> {
    let mut found = Vec::new();
    while found.len() < n {
        let states = random_game(game, rng);
        let late =
            states.into_iter().filter(|state| game.plies_left(state) <= most_empty && game.result(state).is_none());
        found.extend(late.take(1 + rng.below(2) as usize));
    }
    found
}

#[test]
fn values_are_those_of_plain_search() {
    for (options, most_empty, n) in [
        ("4x4", 9, 60),
        ("4x4,count=discs", 9, 60),
        ("6x6", 8, 60),
        ("4x8,count=discs", 8, 40),
        ("6x8", 7, 40),
        ("", 8, 150),
        ("8x8,count=discs", 8, 60),
    ] {
        let game = Reversi::<u64>::from_options(options).expect("a board");
        let (mut rng, mut prover) = (Rng::new(26), ExactEndings::new(1 << 20, ReversiKnowledge::default()));
        for state in endgames(&game, most_empty, n, &mut rng) {
            let expected = Exact::new(&game).value(&state);
            let text = game.print_position(&state);
            assert_eq!(proven(&game, &state, &mut prover), expected, "{options} {text}");
        }
    }
}

#[test]
fn small_boards_have_their_known_values() {
    // Field notes: 4x4 by the plain search of another program, in both ways of counting.
    for (options, value) in [("4x4", -10), ("4x4,count=discs", -8)] {
        let game = Reversi::<u64>::from_options(options).expect("a board");
        assert_eq!(
            proven(&game, &game.start(), &mut ExactEndings::new(1 << 20, ReversiKnowledge::default())),
            value,
            "{options}"
        );
    }
}

#[test]
fn deeper_endgames_have_the_same_value_for_every_order_of_questions_and_for_forks() {
    let game = Reversi::<u64>::from_options("").expect("the usual board");
    let mut rng = Rng::new(7);
    for state in endgames(&game, 14, 12, &mut rng) {
        let mut prover = ExactEndings::new(1 << 20, ReversiKnowledge::default());
        let value = proven(&game, &state, &mut prover);
        let mut fork = Prover::<Reversi<u64>>::fork(&prover, 1);
        assert_eq!(proven(&game, &state, &mut *fork), value);
        let mut alone = Prover::<Reversi<u64>>::fork(&ExactEndings::new(1 << 20, ReversiKnowledge::default()), 3);
        for points in (-64..=64).rev() {
            let bounds = alone.reaches(&game, &state, points, &mut |_| Some(u64::MAX)).expect("nothing stops it");
            let (lower, upper) = bounds.seen_by(game.to_move(&state));
            assert_eq!((lower >= points, upper < points), (value >= points, value < points), "{points} of {value}");
        }
        // A value is the largest that a move reaches.
        let after = |mv| {
            let mut next = state;
            game.play(&mut next, mv);
            match game.result(&next) {
                Some(margin) => margin.seen_by(game.to_move(&state)),
                None => -proven(&game, &next, &mut prover),
            }
        };
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.into_iter().map(after).max(), Some(value));
    }
}

#[test]
fn a_stopped_proof_goes_on_where_it_was() {
    let game = Reversi::<u64>::from_options("").expect("the usual board");
    let state = endgames(&game, 16, 1, &mut Rng::new(3))[0];
    let mut prover = ExactEndings::new(1 << 24, ReversiKnowledge::default());
    let value = proven(&game, &state, &mut ExactEndings::new(1 << 24, ReversiKnowledge::default()));
    let mut stops = 0;
    let bounds = loop {
        let before = Prover::<Reversi<u64>>::nodes(&prover);
        let mut poll = |nodes: u64| (nodes < before + 2_000).then_some(before + 2_000);
        let prover: Prove<'_> = &mut prover;
        match prover.reaches(&game, &state, value, &mut poll) {
            Some(bounds) => break bounds,
            None => stops += 1,
        }
        assert!(stops < 10_000, "what was proven is lost");
    };
    assert!(bounds.seen_by(game.to_move(&state)).0 >= value && stops > 2, "{bounds:?} after {stops} stops");
    let prover: Prove<'_> = &mut prover;
    assert!(prover.memory_bytes() > 0);
    prover.forget();
    let mut never = |_: u64| None;
    assert_eq!(prover.reaches(&game, &state, value, &mut never), None);
}

#[test]
fn threads_that_search_together_find_the_values_of_one() {
    let game = Reversi::<u64>::from_options("").expect("the usual board");
    for state in endgames(&game, 17, 6, &mut Rng::new(11)) {
        let value = proven(&game, &state, &mut ExactEndings::new(1 << 24, ReversiKnowledge::default()));
        let prover = ExactEndings::new(1 << 20, ReversiKnowledge::default());
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let mut fork = Prover::<Reversi<u64>>::fork(&prover, thread);
                let (game, state) = (&game, &state);
                scope.spawn(move || assert_eq!(proven(game, state, &mut *fork), value));
            }
        });
    }
}

#[test]
fn the_table_of_one_board_is_not_taken_for_that_of_another() {
    let mut prover = ExactEndings::new(1 << 20, ReversiKnowledge::default());
    let games =
        ["8x8", "8x8,count=discs", "6x6"].map(|options| Reversi::<u64>::from_options(options).expect("a board"));
    let mut rng = Rng::new(11);
    for _ in 0..10 {
        for game in &games {
            for state in endgames(game, 8, 1, &mut rng) {
                assert_eq!(proven(game, &state, &mut prover), Exact::new(game).value(&state));
            }
        }
    }
}
