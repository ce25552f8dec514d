//! The alpha-beta family and the solver on several threads, on positions of the three games.

use banyan_core::{Game, Limits, MoveList, Notation, Player, Rng, Silent, Situation, Solution, Solver};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, ExactSolver, Guess};

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf];
const SEVERAL: [u32; 3] = [2, 4, 8];

fn game<G: Notation>(options: &str) -> G {
    G::from_options(options).expect("a board of the game")
}

/// A position after some random moves, before the end of the game.
fn some_position<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::State {
    let mut state = game.start();
    for _ in 0..plies {
        let mut moves = MoveList::new();
        game.moves(&state, &mut moves);
        let mut next = state;
        game.play(&mut next, moves[rng.below(moves.len() as u32) as usize]);
        if game.result(&next).is_some() {
            break;
        }
        state = next;
    }
    state
}

fn config(algorithm: Algorithm, threads: u32) -> AlphaBetaConfig {
    AlphaBetaConfig { threads, guess: Guess::Blind, ..AlphaBetaConfig::new(algorithm) }
}

/// Positions have one ply each in these games, so no entry is deeper than the last depth, and what a depth is worth
/// does not depend on who searched which part of it.
fn check_depth<G: Game>(game: &G, positions: u32, most_plies: u32, depth: u32) {
    let mut rng = Rng::new(31);
    let mut called = 0;
    for i in 0..positions {
        let state = some_position(game, most_plies * i / positions, &mut rng);
        for algorithm in ALGORITHMS {
            let alone = AlphaBeta::new(config(algorithm, 1)).foresee(game, &state, depth);
            for threads in SEVERAL {
                let together = AlphaBeta::new(config(algorithm, threads)).foresee(game, &state, depth);
                let shown = format!("{algorithm:?} on {threads} threads: {state:?}");
                assert_eq!(together.points, alone.points, "{shown}");
                assert!(together.bounds.lower <= alone.bounds.upper, "{shown}");
                assert!(together.bounds.upper >= alone.bounds.lower, "{shown}");
                called += u32::from(together.nodes > 8_000);
            }
        }
    }
    assert!(called > 2 * positions, "{called}: too few searches are long enough for helpers");
}

#[test]
fn with_any_number_of_threads_a_depth_is_worth_the_same() {
    check_depth(&game::<ConnectFour<u64>>("6x7"), 10, 20, 9);
    check_depth(&game::<Reversi<u64>>("8x8"), 6, 30, 6);
    check_depth(&game::<DotsAndBoxes<u64>>("3x3"), 6, 6, 7);
}

fn solve<G: Game>(game: &G, state: &G::State, threads: u32, table_mib: u32) -> Solution<G::Move> {
    let at = Situation { game, start: state, played: &[], state };
    ExactSolver::new(table_mib).with_threads(threads).solve(&at, &Limits::default(), &mut Silent)
}

/// Every move and what it is worth, in an order of their own.
fn values<M: Copy + std::fmt::Debug>(solution: &Solution<M>) -> Vec<String> {
    let mut lines: Vec<String> = solution.moves.iter().map(|line| format!("{line:?}")).collect();
    lines.sort();
    lines
}

fn check_solved<G: Game>(game: &G, positions: u32, plies: u32) {
    let mut rng = Rng::new(32);
    let mut called = 0;
    for _ in 0..positions {
        let state = some_position(game, plies, &mut rng);
        let alone = solve(game, &state, 1, 16);
        let best = |solution: &Solution<G::Move>| solution.best(game.to_move(&state)).len();
        // With 1 MiB entries make room for one another all the time; with 16 the table grows again and again.
        for (threads, table_mib) in SEVERAL.into_iter().flat_map(|threads| [(threads, 1), (threads, 16)]) {
            let together = solve(game, &state, threads, table_mib);
            let shown = format!("{threads} threads, {table_mib} MiB: {state:?}");
            assert_eq!((together.bounds, best(&together)), (alone.bounds, best(&alone)), "{shown}");
            assert_eq!(values(&together), values(&alone), "{shown}");
            called += u32::from(together.nodes > 8_000);
        }
    }
    assert!(called > 3 * positions, "{called}: too few searches are long enough for helpers");
}

#[test]
fn with_any_number_of_threads_every_move_has_the_same_value() {
    check_solved(&game::<ConnectFour<u64>>("5x5"), 8, 4);
    check_solved(&game::<Reversi<u64>>("6x6"), 8, 21);
    check_solved(&game::<DotsAndBoxes<u64>>("3x3"), 8, 6);
}

#[test]
fn with_any_number_of_threads_players_prove_what_the_solver_does() {
    let game = game::<Reversi<u64>>("6x6");
    let mut rng = Rng::new(33);
    for _ in 0..8 {
        let state = some_position(&game, 22, &mut rng);
        let solution = solve(&game, &state, 1, 16);
        let at = Situation { game: &game, start: &state, played: &[], state: &state };
        for algorithm in ALGORITHMS {
            for threads in SEVERAL {
                let config = AlphaBetaConfig { threads, ..AlphaBetaConfig::new(algorithm) };
                let report = AlphaBeta::new(config).choose(&at, &Limits::default(), &mut Silent).expect("no fault");
                let shown = format!("{algorithm:?} on {threads} threads: {state:?}");
                assert_eq!(report.proof, Some(solution.bounds), "{shown}");
                assert!(solution.best(game.to_move(&state)).contains(&report.best), "{shown}");
            }
        }
    }
}
