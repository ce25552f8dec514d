//! Openings, generated and checked, judged by players whose opinion is known.

use std::collections::BTreeSet;

use banyan_arena::{Flaw, Judge, Opening, OpeningBook, check_openings};
use banyan_core::{Fault, Game, Limits, Player, Report, SearchObserver, Situation, canonical_key, mix};

use super::games::{Heap, Noughts};

/// Thinks of a position what `opinion` says, and notes what it was asked about.
struct Critic<F> {
    opinion: F,
    asked: Vec<u64>,
}

impl<G: Game, F: Fn(&G, &G::State) -> Result<f64, Fault> + Send> Player<G> for Critic<F> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        assert_eq!(*limits, Limits::playouts(3));
        self.asked.push(canonical_key(at.game, at.state));
        let mut legal = Vec::new();
        at.game.moves(at.state, &mut legal);
        let value = (self.opinion)(at.game, at.state)?;
        Ok(Report { value, ..Report::bare(legal[0], Default::default()) })
    }

    fn new_game(&mut self, _seed: u64) {}
}

fn judge<G: Game>(player: &mut dyn Player<G>) -> Judge<'_, G> {
    Judge { player, limits: Limits::playouts(3), threshold: Judge::<G>::THRESHOLD }
}

/// An opinion that means nothing but is the same for symmetric positions: -1 … 1.
fn whim<G: Game>(game: &G, state: &G::State) -> Result<f64, Fault> {
    Ok((mix(canonical_key(game, state)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
}

fn book<G: Game>(game: &G, plies: u16, seed: u64, n: usize, player: &mut dyn Player<G>) -> Vec<Opening<G::Move>> {
    let (mut book, mut judge) = (OpeningBook::new(game.start(), plies, seed), judge(player));
    (0..n).map(|_| book.next(game, &mut judge).expect("a judge without faults")).collect()
}

fn after<G: Game>(game: &G, moves: &[G::Move]) -> G::State {
    moves.iter().fold(game.start(), |mut state, &mv| {
        game.play(&mut state, mv);
        state
    })
}

#[test]
fn openings_are_balanced_unfinished_and_new() {
    let openings = book(&Noughts, 4, 1, 8, &mut Critic { opinion: whim, asked: Vec::new() });
    let mut keys = BTreeSet::new();
    for opening in &openings {
        let state = after(&Noughts, &opening.moves);
        assert_eq!(opening.moves.len(), 4);
        assert_eq!(Noughts.result(&state), None);
        assert!(opening.value.abs() <= 0.2 && whim(&Noughts, &state) == Ok(opening.value), "{opening:?}");
        assert!(keys.insert(canonical_key(&Noughts, &state)) && !opening.repeated, "{opening:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_openings_in_the_same_order() {
    let openings = |seed, n| book(&Noughts, 4, seed, n, &mut Critic { opinion: whim, asked: Vec::new() });
    let long = openings(1, 8);
    assert_eq!(openings(1, 5), long[..5]);
    assert_ne!(openings(2, 5), long[..5]);
}

#[test]
fn openings_get_longer_when_there_are_no_more_of_their_length() {
    // But for symmetries, there are three positions after one ply and twelve after two.
    let openings = book(&Noughts, 1, 1, 20, &mut Critic { opinion: |_: &_, _: &_| Ok(0.0), asked: Vec::new() });
    let plies: Vec<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
    let expected: Vec<usize> = [[1; 3].as_slice(), &[2; 12], &[3; 5]].concat();
    assert_eq!(plies, expected);
    assert!(openings.iter().all(|opening| !opening.repeated));
}

#[test]
fn a_position_is_judged_once() {
    let mut critic = Critic { opinion: |_: &_, _: &_| Ok(0.9), asked: Vec::new() };
    let openings = book(&Noughts, 1, 1, 1, &mut critic);
    assert_eq!((openings[0].value, openings[0].moves.len()), (0.9, 1), "better an unbalanced opening than none");
    let distinct: BTreeSet<u64> = critic.asked.iter().copied().collect();
    assert_eq!(distinct.len(), critic.asked.len());
    // Three in a row has 765 positions but for symmetries, 138 of them are over and one is empty; chance misses a few.
    assert!((500..=626).contains(&distinct.len()), "{}", distinct.len());
}

#[test]
fn the_supply_never_ends() {
    let openings = book(&Noughts, 7, 1, 100, &mut Critic { opinion: whim, asked: Vec::new() });
    let repeated = openings.iter().position(|opening| opening.repeated).expect("so many there are not");
    assert!(openings[..repeated].iter().all(|opening| opening.value.abs() <= 0.2));
    assert!(openings[repeated..].iter().all(|opening| opening.value.abs() <= 0.2 && opening.repeated));
    // Longer than any game: the start itself remains, in the end.
    let openings = book(&Heap { counters: 1 }, 30, 1, 2, &mut Critic { opinion: whim, asked: Vec::new() });
    assert!(openings.iter().all(|opening| opening.moves.is_empty()), "{openings:?}");
}

#[test]
fn points_won_on_the_way_make_another_opening() {
    // Three counters left and First to move: with a point for Second, the same, and without.
    let openings = vec![vec![1, 3, 1], vec![2, 2, 1], vec![3, 2]];
    let mut critic = Critic { opinion: |_: &_, _: &_| Ok(0.0), asked: Vec::new() };
    let game = Heap { counters: 8 };
    let flaws = check_openings(&game, &game.start(), &openings, &mut judge(&mut critic)).expect("no fault");
    assert_eq!(flaws, [None, Some(Flaw::Duplicate { of: 0 }), None]);
}

#[test]
fn flaws_of_given_openings_are_named() {
    let openings = vec![
        vec![4, 0],          // 0: centre and corner
        vec![4, 8],          // the same, turned
        vec![4, 1, 1],       // a cell that is taken
        vec![0, 3, 1, 4, 2], // a full row
        vec![0, 9],          // no cell
        vec![],              // 5: an empty opening is one
        vec![1],             // much better for one side, says the judge
        vec![7],             // the same, turned
    ];
    let opinion = |_: &Noughts, board: &[u16; 2]| Ok(if *board == [0b10, 0] { -0.7 } else { 0.2 });
    let flaws = check_openings(&Noughts, &[0, 0], &openings, &mut judge(&mut Critic { opinion, asked: Vec::new() }));
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
fn a_fault_of_the_judge_is_passed_on() {
    let mut critic = Critic { opinion: |_: &Noughts, _: &[u16; 2]| Err(Fault::Resigned), asked: Vec::new() };
    let found = OpeningBook::new([0, 0], 2, 1).next(&Noughts, &mut judge(&mut critic));
    assert_eq!(found, Err(Fault::Resigned));
    let found = check_openings(&Noughts, &[0, 0], &[vec![0]], &mut judge(&mut critic));
    assert_eq!(found, Err(Fault::Resigned));
}
