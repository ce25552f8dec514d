//! Reversi: tactical playouts against the same games move by move, and the bounds that they prove against exact values.

use std::collections::BTreeMap;

use banyan_bits::Bits;
use banyan_core::{Bounds, Game, Margin, Notation, Playout, Rng, Side};
use banyan_reversi::{Place, Reversi, State};
use banyan_testkit::{Exact, after, listed, random_game};

/// A playout by the fast implementation.
fn fast<B: Bits>(game: &Reversi<B>, state: State<B>, rng: &mut Rng) -> Playout {
    game.tactical_playout(state, rng)
}

/// A tactical playout from lists of moves, with the same random numbers.
fn played_out<B: Bits>(game: &Reversi<B>, state: State<B>, rng: &mut Rng) -> Playout {
    let mut at = state;
    let mut choices = Vec::new();
    while game.result(&at).is_none() {
        let moves = listed(game, &at);
        choices.push((game.to_move(&at), moves.len()));
        // Nothing is drawn for a pass.
        let i = if moves == [Place::PASS] { 0 } else { rng.below(moves.len() as u32) };
        at = after(game, &at, moves[i as usize]);
    }
    let margin = game.result(&at).expect("the loop ends with the game");
    let forced = |side| choices.iter().all(|&(mover, n_moves)| mover != side || n_moves == 1);
    let all = game.margin_range();
    let lower = if forced(Side::Second) { margin } else { all.lower };
    let upper = if forced(Side::First) { margin } else { all.upper };
    Playout { margin, proven: Bounds::new(lower, upper) }
}

#[test]
fn tactical_playouts_are_random_games_with_bounds_by_forced_moves() {
    fn check<B: Bits>(options: &str) {
        let game = Reversi::<B>::from_options(options).expect("a board");
        let mut rng = Rng::new(31);
        for _ in 0..20 {
            for state in random_game(&game, &mut rng) {
                let seed = rng.next_u64();
                let expected = played_out(&game, state, &mut Rng::new(seed));
                let found = fast(&game, state, &mut Rng::new(seed));
                assert_eq!(found, expected, "{options} {} with seed {seed}", game.print_position(&state));
                let recorded = game.record_tactical_playout(state, &mut Rng::new(seed), &mut Vec::new());
                assert_eq!(recorded, expected, "{options} {} with seed {seed}", game.print_position(&state));
            }
        }
    }
    check::<u64>("4x4");
    check::<u64>("6x4");
    check::<u64>("8x8");
    check::<u128>("10x10");
    check::<u128>("4x10");
}

#[test]
fn bounds_proven_by_tactical_playouts_contain_the_value_of_best_play() {
    let game = Reversi::<u64>::from_options("4x4").expect("a board");
    let (mut rng, mut exact) = (Rng::new(8), Exact::new(&game));
    // Numbers of lower bounds, upper bounds and exact values, of games that are not over.
    let mut proofs = [0; 3];
    for _ in 0..100 {
        for state in random_game(&game, &mut rng) {
            let value = exact.margin(&state);
            for _ in 0..20 {
                let Playout { margin, proven } = fast(&game, state, &mut rng);
                let place = || game.print_position(&state);
                assert!(proven.contains(value), "{}: {proven:?} proven, but the value is {value}", place());
                assert!(proven.contains(margin), "{}: {margin} with {proven:?}", place());
                if game.result(&state).is_none() {
                    proofs[0] += u32::from(proven.lower > game.margin_range().lower);
                    proofs[1] += u32::from(proven.upper < game.margin_range().upper);
                    proofs[2] += u32::from(proven.is_exact());
                }
            }
        }
    }
    assert!(proofs.iter().all(|&n| n > 100), "{proofs:?}");
}

/// The outcome of a playout: its margin and the bounds that it proves.
type Outcome = (Margin, Margin, Margin);

/// The probability of every outcome of a tactical playout, by trying all lines. `chose`: the sides that have had two
/// moves or more on the way to `state`.
fn outcomes<B: Bits>(game: &Reversi<B>, state: State<B>, chose: [bool; 2], share: f64) -> BTreeMap<Outcome, f64> {
    if let Some(margin) = game.result(&state) {
        let all = game.margin_range();
        let lower = if chose[Side::Second.index()] { all.lower } else { margin };
        let upper = if chose[Side::First.index()] { all.upper } else { margin };
        return BTreeMap::from([((margin, lower, upper), share)]);
    }
    let moves = listed(game, &state);
    let mut chose = chose;
    chose[game.to_move(&state).index()] |= moves.len() > 1;
    let mut all = BTreeMap::new();
    for &mv in &moves {
        for (outcome, p) in outcomes(game, after(game, &state, mv), chose, share / moves.len() as f64) {
            *all.entry(outcome).or_insert(0.0) += p;
        }
    }
    all
}

#[test]
fn playouts_of_a_batch_have_the_outcomes_of_all_lines_by_their_probabilities() {
    /// Playouts of each state.
    const N: usize = 4_000;
    fn check<B: Bits>(options: &str, seed: u64) {
        let game = Reversi::<B>::from_options(options).expect("a board");
        let mut rng = Rng::new(seed);
        // Positions near the end, finished games included: few enough lines to try them all, and some passes.
        let states: Vec<State<B>> =
            (0..6).flat_map(|_| random_game(&game, &mut rng).into_iter().rev().take(6)).collect();
        let mut order: Vec<usize> = (0..states.len()).flat_map(|i| [i; N]).collect();
        rng.shuffle(&mut order);
        let mut counts: Vec<BTreeMap<Outcome, f64>> = vec![BTreeMap::new(); states.len()];
        let mut sizes = [1, 3, 4, 5, 8, 9, 17, 64, 100].iter().cycle();
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(*sizes.next().expect("a cycle").min(&rest.len()));
            let batch_states: Vec<State<B>> = batch.iter().map(|&i| states[i]).collect();
            let mut out = vec![Playout::new(Margin(99), Bounds::exact(Margin(99))); batch.len()];
            game.tactical_playouts(&batch_states, &mut rng, &mut out);
            for (&i, found) in batch.iter().zip(&out) {
                *counts[i].entry((found.margin, found.proven.lower, found.proven.upper)).or_default() += 1.0;
            }
            rest = later;
        }
        let mut n_uncertain = 0;
        for (state, counts) in states.iter().zip(&counts) {
            let expected = outcomes(&game, *state, [false; 2], 1.0);
            let place = game.print_position(state);
            let unknown = counts.keys().find(|&outcome| !expected.contains_key(outcome));
            assert_eq!(unknown, None, "{options} {place}");
            let parts = expected.iter().map(|(outcome, p)| {
                let (n, expected) = (counts.get(outcome).copied().unwrap_or(0.0), p * N as f64);
                (n - expected).powi(2) / expected
            });
            let freedom = expected.len() as f64 - 1.0;
            let deviation = (parts.sum::<f64>() - freedom) / (2.0 * freedom.max(0.5)).sqrt();
            assert!(deviation < 7.0, "{options} {place}: {deviation:.1} standard deviations of chi-square");
            n_uncertain += usize::from(expected.len() > 1);
        }
        assert!(n_uncertain > 5, "{options}: only {n_uncertain} states have more than one outcome");
    }
    for seed in 0..3 {
        check::<u64>("4x4", seed);
        check::<u64>("4x8", seed);
        check::<u64>("8x8", seed);
    }
    check::<u128>("10x10", 4);
}

#[test]
fn the_phase_counts_discs_and_not_passes() {
    let game = Reversi::<u64>::from_options("8x8").expect("a board");
    let mut rng = Rng::new(2);
    let mut passes = 0;
    for _ in 0..50 {
        let states = random_game(&game, &mut rng);
        for (ply, state) in states.iter().enumerate() {
            let picture = game.picture(state, None).expect("a board to draw");
            let discs = picture.cells.iter().filter(|cell| cell.owner.is_some()).count();
            assert_eq!(game.phase(state), (discs - 4) as f32 / 60.0, "{}", game.print_position(state));
            passes += usize::from(discs - 4 < ply);
        }
    }
    assert!(passes > 0, "no game had a pass");
}
