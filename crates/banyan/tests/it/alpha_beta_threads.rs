//! The alpha-beta family and the solver on several threads, on positions of the three games.

use banyan::catalog::Means;
use banyan::catalog::view::{Analysis, Proof, Solved};
use banyan::connect_four::ConnectFour;
use banyan::dots_and_boxes::DotsAndBoxes;
use banyan::reversi::Reversi;
use banyan::{Limits, Notation, Rng, Silent};
use banyan_testkit::rounds;

use crate::{ALPHA_BETA, Board, best, choose, depth, random_position};

const SEVERAL: [u32; 3] = [2, 4, 8];

/// The result -1, 0 or 1, if it is proven.
fn outcome(analysis: &Analysis) -> Option<f64> {
    let decided = analysis.proof.filter(|proof| proof.lower.signum() == proof.upper.signum());
    decided.map(|proof| f64::from(proof.lower.signum()))
}

/// Whether two searches of one position found the same value. If only one of them has proven the result, its value is
/// that result and the other's is an expected result of the same sign.
fn have_the_same_value(one: &Analysis, other: &Analysis) -> bool {
    match (outcome(one), outcome(other)) {
        (None, Some(outcome)) => one.value * outcome > 0.0 || one.value == outcome,
        (Some(outcome), None) => other.value * outcome > 0.0 || other.value == outcome,
        _ => one.value == other.value,
    }
}

/// The proven bounds of the margin, or the range of all margins.
fn proof(analysis: &Analysis) -> Proof {
    analysis.proof.unwrap_or(Proof { lower: i16::MIN, upper: i16::MAX })
}

/// Every position has a unique ply in these games, so no table entry is deeper than the current depth, and the value at
/// a depth does not depend on which thread searched which part.
fn check_depth<G: Notation>(options: &str, positions: u32, most_plies: u32, plies: u32) {
    let board = Board::<G>::new(options);
    let mut rng = Rng::new(31);
    let mut n_long = 0;
    for i in 0..positions {
        let state = random_position(&board.game, most_plies * i / positions, &mut rng);
        let search = |player: &str| choose(&mut board.open(&state), player, &depth(plies));
        for algorithm in ALPHA_BETA {
            let alone = search(&format!("{algorithm}:eval=hash"));
            for threads in SEVERAL {
                let together = search(&format!("{algorithm}:eval=hash,threads={threads}"));
                let shown = || format!("{algorithm} on {threads} threads: {together:#?}\nalone: {alone:#?}");
                assert!(have_the_same_value(&together, &alone), "{}", shown());
                let (proven, alone) = (proof(&together), proof(&alone));
                assert!(proven.lower <= alone.upper && proven.upper >= alone.lower, "{}", shown());
                n_long += u32::from(together.nodes > 8_000);
            }
        }
    }
    assert!(n_long > 2 * positions, "{n_long}: too few searches are long enough for helpers");
}

#[test]
fn with_any_number_of_threads_a_depth_has_the_same_value() {
    check_depth::<ConnectFour<u64>>("6x7", rounds(5, 10), 20, 9);
    check_depth::<Reversi<u64>>("8x8", rounds(3, 6), 30, 6);
    check_depth::<DotsAndBoxes<u64>>("3x3", rounds(3, 6), 6, 7);
}

/// Every move with its proven bounds, and the best moves, both sorted.
fn values(solved: &Solved) -> (Vec<(&str, Proof)>, Vec<&str>) {
    let mut moves: Vec<(&str, Proof)> = solved.moves.iter().map(|mv| (&*mv.mv, mv.proof())).collect();
    moves.sort_by_key(|&(mv, _)| mv);
    let mut best: Vec<&str> = solved.best.iter().map(String::as_str).collect();
    best.sort_unstable();
    (moves, best)
}

fn check_solved<G: Notation>(options: &str, positions: u32, plies: u32) {
    let board = Board::<G>::new(options);
    let mut rng = Rng::new(32);
    let mut n_long = 0;
    for _ in 0..positions {
        let state = random_position(&board.game, plies, &mut rng);
        let solve = |means| board.open(&state).solve(means, &Limits::default(), &mut Silent);
        let alone = solve(Means { table_mib: 16, threads: 1 });
        // With 1 MiB entries are replaced all the time; with 16 the table grows repeatedly.
        for (threads, table_mib) in SEVERAL.into_iter().flat_map(|threads| [(threads, 1), (threads, 16)]) {
            let together = solve(Means { table_mib, threads });
            let shown = || format!("{threads} threads, {table_mib} MiB: {together:#?}\nalone: {alone:#?}");
            assert_eq!(together.proof(), alone.proof(), "{}", shown());
            assert_eq!(values(&together), values(&alone), "{}", shown());
            n_long += u32::from(together.nodes > 8_000);
        }
    }
    assert!(n_long > 3 * positions, "{n_long}: too few searches are long enough for helpers");
}

#[test]
fn with_any_number_of_threads_every_move_has_the_same_value() {
    check_solved::<ConnectFour<u64>>("5x5", rounds(3, 5), 4);
    check_solved::<Reversi<u64>>("6x6", rounds(3, 5), 18);
    check_solved::<DotsAndBoxes<u64>>("3x4", rounds(3, 5), 5);
}

#[test]
fn with_any_number_of_threads_players_prove_the_value_of_the_solver() {
    let board = Board::<Reversi<u64>>::new("6x6");
    let mut rng = Rng::new(33);
    for _ in 0..8 {
        let state = random_position(&board.game, 22, &mut rng);
        let means = Means { table_mib: 16, threads: 1 };
        let solved = board.open(&state).solve(means, &Limits::default(), &mut Silent);
        for algorithm in ALPHA_BETA {
            for threads in SEVERAL {
                let player = format!("{algorithm}:threads={threads}");
                let analysis = choose(&mut board.open(&state), &player, &Limits::default());
                let shown = || format!("{player}: {analysis:#?}\n{solved:#?}");
                assert_eq!(analysis.proof, Some(solved.proof()), "{}", shown());
                assert!(solved.best.iter().any(|mv| mv == best(&analysis)), "{}", shown());
            }
        }
    }
}
