//! The alpha-beta players within their limits, and the solver when it is stopped.

use std::cell::Cell;
use std::time::Duration;

use banyan_core::{Bounds, Flow, Game, Limits, MoveList, Notation, Player, Report, Rng, Silent, Situation};
use banyan_core::{Clock, Solver, Timer, Watch};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, ExactSolver, Guess, Ordering};

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf];

fn game<G: Notation>(options: &str) -> G {
    G::from_options(options).expect("a board of the game")
}

fn player<G: Game>(algorithm: Algorithm) -> AlphaBeta<G> {
    AlphaBeta::new(AlphaBetaConfig::new(algorithm))
}

fn choose<G: Game>(player: &mut impl Player<G>, game: &G, state: &G::State, limits: &Limits) -> Report<G::Move> {
    let at = Situation { game, start: state, played: &[], state };
    player.choose(&at, limits, &mut Silent).expect("it does not fail")
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = MoveList::new();
    game.moves(state, &mut moves);
    moves
}

/// What every report owes its reader.
fn check<G: Game>(game: &G, state: &G::State, report: &Report<G::Move>) {
    assert!(legal(game, state).contains(&report.best));
    assert!((-1.0..=1.0).contains(&report.value), "{}", report.value);
    assert_eq!(report.pv[0], report.best);
    assert_eq!(report.moves[0].mv, report.best);
    for stat in &report.moves {
        let mut next = *state;
        for &mv in &stat.pv {
            assert!(legal(game, &next).contains(&mv), "{:?}", stat.pv);
            game.play(&mut next, mv);
        }
        assert_eq!(stat.pv[0], stat.mv);
    }
}

/// Plays a game with this player on both sides, checking every report.
fn play_through<G: Game>(game: &G, player: &mut AlphaBeta<G>, limits: &Limits) -> Vec<(G::Move, u64)> {
    let start = game.start();
    let (mut state, mut played, mut told) = (start, Vec::new(), Vec::new());
    while game.result(&state).is_none() {
        let at = Situation { game, start: &start, played: &played, state: &state };
        let report = player.choose(&at, limits, &mut Silent).expect("it does not fail");
        check(game, &state, &report);
        if let Some(limit) = limits.nodes {
            // The last position looked at may have its moves guessed before anyone asks.
            assert!(report.nodes <= limit + 100, "{} positions for a limit of {limit}", report.nodes);
        }
        told.push((report.best, report.nodes));
        game.play(&mut state, report.best);
        played.push(report.best);
    }
    told
}

fn check_games<G: Game>(game: &G) {
    for algorithm in ALGORITHMS {
        for nodes in [1, 300, 3000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut first = player(algorithm);
            let once = play_through(game, &mut first, &limits);
            first.new_game(1);
            assert_eq!(once, play_through(game, &mut first, &limits), "a new game is played like the first");
        }
    }
}

#[test]
fn whole_games_are_played_within_a_limit_on_positions_and_repeat() {
    check_games(&game::<ConnectFour<u64>>("5x6,hole=b2"));
    check_games(&game::<Reversi<u64>>("6x6"));
    check_games(&game::<DotsAndBoxes<u64>>("2x3"));
}

#[test]
fn a_depth_is_kept_to_and_more_of_it_costs_more() {
    let game = game::<ConnectFour<u64>>("6x7");
    for algorithm in ALGORITHMS {
        let nodes = |depth| {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let report = choose(&mut player(algorithm), &game, &game.start(), &limits);
            assert!(report.pv.len() <= depth as usize, "{:?}", report.pv);
            report.nodes
        };
        assert!(nodes(1) >= 7 && nodes(1) < 20 && nodes(4) > nodes(2) && nodes(8) > 2 * nodes(5));
        let mut config = AlphaBetaConfig::new(algorithm);
        config.depth = Some(4);
        let report = choose(&mut AlphaBeta::new(config), &game, &game.start(), &Limits::default());
        assert_eq!(report.nodes, nodes(4));
    }
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that shows a hundredth of a millisecond more whenever it is read.
const TICKING: Timer = Timer::new("ticking", || {
    READINGS.set(READINGS.get() + 1);
    Duration::from_micros(10 * READINGS.get())
});

#[test]
fn time_is_kept_to() {
    let game = game::<Reversi<u64>>("8x8");
    for algorithm in ALGORITHMS {
        let limits = Limits { timer: TICKING, ..Limits::time(Duration::from_millis(20)) };
        let report = choose(&mut player(algorithm), &game, &game.start(), &limits);
        assert!(
            report.elapsed >= Duration::from_millis(20) && report.elapsed < Duration::from_millis(21),
            "{report:?}"
        );
        let clock = Clock { own: Duration::from_secs(3), other: Duration::ZERO, increment: Duration::ZERO };
        let limits = Limits { timer: TICKING, clock: Some(clock), ..Limits::default() };
        let report = choose(&mut player(algorithm), &game, &game.start(), &limits);
        assert!(report.elapsed < Duration::from_millis(1000), "{:?}", report.elapsed);
    }
}

/// Stops at the so-manieth question.
struct StopsAfter(u32);

impl<M> Watch<M> for StopsAfter {
    fn stopped(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }

    fn progress(&mut self, _report: &Report<M>) -> Flow {
        Flow::Continue
    }
}

#[test]
fn whenever_it_is_stopped_the_best_move_so_far_is_played() {
    let game = game::<ConnectFour<u64>>("6x7");
    // Three stones on the edge are to be blocked, which is tried last.
    let moves = game.parse_moves(&game.start(), "7 4 7 3 7").expect("moves");
    let state = moves.into_iter().fold(game.start(), |mut state, mv| {
        game.play(&mut state, mv);
        state
    });
    let at = Situation { game: &game, start: &state, played: &[], state: &state };
    for algorithm in ALGORITHMS {
        let ordering = Ordering::Listed;
        let config =
            AlphaBetaConfig { forced: false, guess: Guess::Standing, ordering, ..AlphaBetaConfig::new(algorithm) };
        let choose = |stops| {
            let report = AlphaBeta::new(config.clone()).choose(&at, &Limits::default(), &mut StopsAfter(stops));
            let report = report.expect("it answers");
            check(&game, &state, &report);
            game.print_move(&state, report.best)
        };
        assert_eq!(choose(1), "1", "{algorithm:?} cannot know yet");
        assert!((4..60).all(|stops| choose(stops) == "7"), "{algorithm:?}");
    }
}

#[test]
fn what_is_proven_ends_the_search_and_is_said() {
    let game = game::<DotsAndBoxes<u64>>("2x2");
    for algorithm in ALGORITHMS {
        let report = choose(&mut player(algorithm), &game, &game.start(), &Limits::default());
        // The first side wins by two boxes (a full table of all positions).
        assert_eq!(report.proof.map(|proof| (proof.lower.0, proof.upper.0)), Some((2, 2)));
        assert_eq!(report.value, 1.0);
    }
}

/// Bounds that a stopped solver gives must hold, and get no wider with time.
fn check_stopped<G: Game>(game: &G, expected: i16) {
    let start = game.start();
    let at = Situation { game, start: &start, played: &[], state: &start };
    let mut width = i16::MAX;
    let mut solved = false;
    for nodes in [1, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let solution = ExactSolver::new(16).solve(&at, &limits, &mut Silent);
        let Bounds { lower, upper } = solution.bounds;
        assert!(lower.0 <= expected && expected <= upper.0, "{lower} .. {upper} after {nodes}");
        assert!(upper.0 - lower.0 <= width, "{lower} .. {upper} after {nodes}");
        width = upper.0 - lower.0;
        let mover = game.to_move(&start);
        solved = solution.is_complete(mover);
        assert!(!solved || width == 0);
        assert!(width == 0 || solution.best(mover).is_empty());
    }
    assert!(solved);
}

#[test]
fn a_solver_that_is_stopped_gives_bounds_that_hold() {
    check_stopped(&game::<DotsAndBoxes<u64>>("2x3"), -2);
    check_stopped(&game::<ConnectFour<u64>>("4x4"), 0);
    check_stopped(&game::<Reversi<u64>>("4x4"), -10);
    check_stopped(&game::<Reversi<u64>>("4x4,count=discs"), -8);
}

/// A random position near the end is worth the same to `pvs` without limits and to the solver.
#[test]
fn late_in_the_game_players_and_solver_agree() {
    let game = game::<Reversi<u64>>("6x6");
    let mut rng = Rng::new(11);
    let mut compared = 0;
    for _ in 0..30 {
        let mut state = game.start();
        while game.result(&state).is_none() && game.ply(&state) < 24 {
            let moves = legal(&game, &state);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        if game.result(&state).is_some() {
            continue;
        }
        let at = Situation { game: &game, start: &state, played: &[], state: &state };
        let solution = ExactSolver::new(16).solve(&at, &Limits::default(), &mut Silent);
        for algorithm in ALGORITHMS {
            let report = choose(&mut player(algorithm), &game, &state, &Limits::default());
            assert_eq!(report.proof, Some(solution.bounds), "{algorithm:?} {state:?}");
            assert!(solution.best(game.to_move(&state)).contains(&report.best), "{algorithm:?} {state:?}");
        }
        compared += 1;
    }
    assert!(compared > 20);
}
