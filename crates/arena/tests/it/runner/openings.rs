//! Openings, generated and checked, judged by players with known values.

use std::collections::BTreeSet;

use banyan_arena::{Flaw, Judge, Opening, OpeningBook, check_openings};
use banyan_core::{Fault, Game, Limits, Player, Report, SearchObserver, Situation, canonical_key, mix};

use super::games::{Heap, Noughts};

/// Values positions by `value_of`, and records the keys of the positions that it was given.
struct RecordingJudge<F> {
    value_of: F,
    evaluated: Vec<u64>,
}

impl<G: Game, F: Fn(&G, &G::State) -> Result<f64, Fault> + Send> Player<G> for RecordingJudge<F> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        assert_eq!(*limits, Limits::playouts(3));
        self.evaluated.push(canonical_key(at.game, at.state));
        let mut legal = Vec::new();
        at.game.moves(at.state, &mut legal);
        let value = (self.value_of)(at.game, at.state)?;
        Ok(Report { value, ..Report::bare(legal[0], Default::default()) })
    }

    fn new_game(&mut self, _seed: u64) {}
}

fn judge<G: Game>(player: &mut dyn Player<G>) -> Judge<'_, G> {
    Judge { player, limits: Limits::playouts(3), threshold: Judge::<G>::THRESHOLD }
}

/// A value from a hash, the same for symmetric positions: -1 … 1.
fn hash_value<G: Game>(game: &G, state: &G::State) -> Result<f64, Fault> {
    Ok((mix(canonical_key(game, state)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
}

fn book<G: Game>(game: &G, plies: u16, seed: u64, n: usize, player: &mut dyn Player<G>) -> Vec<Opening<G::Move>> {
    let (mut book, mut judge) = (OpeningBook::new(game.start(), plies, seed), judge(player));
    (0..n).map(|_| book.next(game, &mut judge).expect("no fault")).collect()
}

fn after<G: Game>(game: &G, moves: &[G::Move]) -> G::State {
    moves.iter().fold(game.start(), |mut state, &mv| {
        game.play(&mut state, mv);
        state
    })
}

#[test]
fn openings_are_balanced_unfinished_and_new() {
    let openings = book(&Noughts, 4, 1, 8, &mut RecordingJudge { value_of: hash_value, evaluated: Vec::new() });
    let mut keys = BTreeSet::new();
    for opening in &openings {
        let state = after(&Noughts, &opening.moves);
        assert_eq!(opening.moves.len(), 4);
        assert_eq!(Noughts.result(&state), None);
        assert!(opening.value.abs() <= 0.2 && hash_value(&Noughts, &state) == Ok(opening.value), "{opening:?}");
        assert!(keys.insert(canonical_key(&Noughts, &state)) && !opening.repeated, "{opening:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_openings_in_the_same_order() {
    let openings =
        |seed, n| book(&Noughts, 4, seed, n, &mut RecordingJudge { value_of: hash_value, evaluated: Vec::new() });
    let long = openings(1, 8);
    assert_eq!(openings(1, 5), long[..5]);
    assert_ne!(openings(2, 5), long[..5]);
}

#[test]
fn openings_get_longer_when_there_are_no_more_of_their_length() {
    // Up to symmetry there are three positions after one ply and twelve after two.
    let openings =
        book(&Noughts, 1, 1, 20, &mut RecordingJudge { value_of: |_: &_, _: &_| Ok(0.0), evaluated: Vec::new() });
    let plies: Vec<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
    let expected: Vec<usize> = [[1; 3].as_slice(), &[2; 12], &[3; 5]].concat();
    assert_eq!(plies, expected);
    assert!(openings.iter().all(|opening| !opening.repeated));
}

#[test]
fn a_position_is_judged_once() {
    let mut player = RecordingJudge { value_of: |_: &_, _: &_| Ok(0.9), evaluated: Vec::new() };
    let openings = book(&Noughts, 1, 1, 1, &mut player);
    assert_eq!((openings[0].value, openings[0].moves.len()), (0.9, 1), "an unbalanced opening if there is no other");
    let distinct: BTreeSet<u64> = player.evaluated.iter().copied().collect();
    assert_eq!(distinct.len(), player.evaluated.len());
    // Three in a row has 765 positions up to symmetry, 138 of them are over and one is empty; random play misses a few.
    assert!((500..=626).contains(&distinct.len()), "{}", distinct.len());
}

#[test]
fn there_is_always_a_next_opening() {
    let openings = book(&Noughts, 7, 1, 100, &mut RecordingJudge { value_of: hash_value, evaluated: Vec::new() });
    let repeated = openings.iter().position(|opening| opening.repeated).expect("there are fewer distinct openings");
    assert!(openings[..repeated].iter().all(|opening| opening.value.abs() <= 0.2));
    assert!(openings[repeated..].iter().all(|opening| opening.value.abs() <= 0.2 && opening.repeated));
    // Longer than any game: only the empty opening remains.
    let openings =
        book(&Heap { counters: 1 }, 30, 1, 2, &mut RecordingJudge { value_of: hash_value, evaluated: Vec::new() });
    assert!(openings.iter().all(|opening| opening.moves.is_empty()), "{openings:?}");
}

#[test]
fn openings_with_different_scores_are_distinct() {
    // Three counters left and First to move: with a point for Second, the same, and without.
    let openings = vec![vec![1, 3, 1], vec![2, 2, 1], vec![3, 2]];
    let mut player = RecordingJudge { value_of: |_: &_, _: &_| Ok(0.0), evaluated: Vec::new() };
    let game = Heap { counters: 8 };
    let flaws = check_openings(&game, &game.start(), &openings, 1, &mut judge(&mut player)).expect("no fault");
    assert_eq!(flaws, [None, Some(Flaw::Duplicate { of: 0 }), None]);
}

#[test]
fn flaws_of_given_openings_are_found() {
    let openings = vec![
        vec![4, 0],          // 0: centre and corner
        vec![4, 8],          // the same, turned
        vec![4, 1, 1],       // a cell that is taken
        vec![0, 3, 1, 4, 2], // a full row
        vec![0, 9],          // no cell
        vec![],              // 5: an empty opening is allowed
        vec![1],             // unbalanced by the judge
        vec![7],             // the same, turned
    ];
    let value_of = |_: &Noughts, board: &[u16; 2]| Ok(if *board == [0b10, 0] { -0.7 } else { 0.2 });
    let flaws = check_openings(
        &Noughts,
        &[0, 0],
        &openings,
        1,
        &mut judge(&mut RecordingJudge { value_of, evaluated: Vec::new() }),
    );
    let expected = [
        None,
        Some(Flaw::Duplicate { of: 0 }),
        Some(Flaw::Illegal { move_idx: 2 }),
        Some(Flaw::Over),
        Some(Flaw::Illegal { move_idx: 1 }),
        None,
        Some(Flaw::Unbalanced { value: -0.7 }),
        Some(Flaw::Duplicate { of: 6 }),
    ];
    assert_eq!(flaws.expect("no fault"), expected);
}

#[test]
fn a_fault_of_the_judge_is_returned() {
    let mut player =
        RecordingJudge { value_of: |_: &Noughts, _: &[u16; 2]| Err(Fault::Resigned), evaluated: Vec::new() };
    let found = OpeningBook::new([0, 0], 2, 1).next(&Noughts, &mut judge(&mut player));
    assert_eq!(found, Err(Fault::Resigned));
    let found = check_openings(&Noughts, &[0, 0], &[vec![0]], 1, &mut judge(&mut player));
    assert_eq!(found, Err(Fault::Resigned));
}
