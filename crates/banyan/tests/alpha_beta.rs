//! The alpha-beta family against a plain negamax, on positions of the three games.

use banyan_core::Solver;
use banyan_core::{Bounds, FINE, Game, Heuristic, Limits, Margin, MoveList, Notation, Rng, Side, Silent, Situation};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, ExactSolver, Guess};

fn game<G: Notation>(options: &str) -> G {
    G::from_options(options).expect("a board of the game")
}

fn within(points: i32, bounds: Bounds) -> i32 {
    points.clamp(i32::from(bounds.lower.0) * FINE, i32::from(bounds.upper.0) * FINE)
}

/// The value for the first side of a search `depth` plies deep; guesses and values stay within what is provable.
fn plain<G: Game>(game: &G, state: &G::State, depth: u32, tactics: bool) -> i32 {
    if let Some(margin) = game.result(state) {
        return i32::from(margin.0) * FINE;
    }
    let bounds = game.bounds(state);
    if depth == 0 {
        return within(Guess::Blind.points(game, state), bounds);
    }
    let mut moves = MoveList::new();
    let proven = if tactics {
        game.dominating(state, &mut moves)
    } else {
        game.moves(state, &mut moves);
        None
    };
    let values = moves.into_iter().map(|mv| {
        let mut next = *state;
        game.play(&mut next, mv);
        plain(game, &next, depth - 1, tactics)
    });
    let best = if game.to_move(state) == Side::First { values.max() } else { values.min() };
    let best = within(best.expect("a position that is not over has a move"), bounds);
    proven.map_or(best, |proven| within(best, proven))
}

/// A position after some random moves; `None` if the game is over by then.
fn some_position<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Option<G::State> {
    let mut state = game.start();
    for _ in 0..plies {
        let mut moves = MoveList::new();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        if game.result(&state).is_some() {
            return None;
        }
    }
    Some(state)
}

/// The settings to be tried, by their text.
fn configs() -> Vec<(AlphaBetaConfig, &'static str)> {
    let settings = [
        "",
        "table=off",
        "table=off,order=listed,forced=never",
        "order=given,window=off",
        "forced=never,symmetry=1",
        "symmetry=2,window=0.125",
        "forced=never,table=1",
    ];
    let read = |algorithm, text: &'static str| {
        let mut config = AlphaBetaConfig::new(algorithm);
        for (name, value) in text.split(',').filter_map(|setting| setting.split_once('=')) {
            config.set(name, value).expect(text);
        }
        (config, text)
    };
    let algorithms = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf];
    algorithms.into_iter().flat_map(|algorithm| settings.map(|text| read(algorithm, text))).collect()
}

/// `mirrored` says whether what dominates in a position dominates in its images too, so that they may share entries.
fn check_depths<G: Game>(game: &G, positions: u32, deepest: u32, mirrored: bool) {
    let mut rng = Rng::new(5);
    for i in 0..positions {
        let plies = i * u32::from(game.max_plies()) / positions;
        let Some(state) = some_position(game, plies, &mut rng) else { continue };
        let expected: Vec<[i32; 2]> =
            (1..=deepest).map(|depth| [false, true].map(|tactics| plain(game, &state, depth, tactics))).collect();
        let near_the_end = game.max_plies() - game.ply(&state) <= 8;
        let exact = [false, true].map(|tactics| near_the_end.then(|| plain(game, &state, 8, tactics)));
        let fit = |config: &AlphaBetaConfig| mirrored || !config.forced || config.symmetry.is_none();
        for (config, text) in configs().into_iter().filter(|(config, _)| fit(config)) {
            let mut search = AlphaBeta::with_heuristic(config.clone(), Guess::Blind);
            // Depth after depth with what the table kept, the last one twice.
            for depth in (1..=deepest).chain([deepest]) {
                let found = search.foresee(game, &state, depth);
                let expected = expected[depth as usize - 1][usize::from(config.forced)];
                let shown = format!("{:?} {text}, depth {depth}: {state:?}", config.algorithm);
                assert_eq!(found.points, expected, "{shown}");
                if let Some(exact) = exact[usize::from(config.forced)] {
                    let points = |margin: Margin| i32::from(margin.0) * FINE;
                    let proven = points(found.bounds.lower)..=points(found.bounds.upper);
                    assert!(proven.contains(&exact), "{proven:?} for {exact}: {shown}");
                }
                let mut next = state;
                game.play(&mut next, found.best);
                let reached = plain(game, &next, depth - 1, config.forced);
                let settled = game.dominating(&state, &mut MoveList::new()).is_some();
                assert!(reached == expected || config.forced && settled, "{shown}: {:?}", found.best);
            }
        }
    }
}

#[test]
fn every_variant_gives_the_value_of_a_plain_negamax() {
    check_depths(&game::<ConnectFour<u64>>("4x5"), 60, 5, true);
    check_depths(&game::<ConnectFour<u64>>("6x7"), 60, 4, true);
    check_depths(&game::<Reversi<u64>>("4x4"), 60, 5, true);
    check_depths(&game::<Reversi<u64>>("6x6"), 60, 4, true);
    check_depths(&game::<DotsAndBoxes<u64>>("2x2"), 60, 5, false);
    check_depths(&game::<DotsAndBoxes<u64>>("3x3"), 60, 3, false);
}

fn check_solved<G: Game>(game: &G, positions: u32, plies_left: u32) {
    let mut rng = Rng::new(7);
    let mut solver = ExactSolver::new(16);
    for _ in 0..positions {
        let plies = u32::from(game.max_plies()).saturating_sub(plies_left);
        let Some(state) = some_position(game, plies, &mut rng) else { continue };
        let at = Situation { game, start: &state, played: &[], state: &state };
        let solution = solver.solve(&at, &Limits::default(), &mut Silent);
        let exact = |state: &G::State| plain(game, state, 64, false) / FINE;
        let value = exact(&state);
        assert_eq!([solution.bounds.lower.0, solution.bounds.upper.0], [value as i16; 2], "{state:?}");
        let mut moves = MoveList::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.len(), solution.moves.len(), "{state:?}");
        for &(mv, bounds) in &solution.moves {
            let mut next = state;
            game.play(&mut next, mv);
            assert_eq!([bounds.lower.0, bounds.upper.0], [exact(&next) as i16; 2], "{mv:?} in {state:?}");
        }
        let best = moves.into_iter().filter(|&mv| {
            let mut next = state;
            game.play(&mut next, mv);
            exact(&next) == value
        });
        let found = solution.best(game.to_move(&state));
        assert!(best.clone().all(|mv| found.contains(&mv)) && best.count() == found.len(), "{state:?}: {found:?}");
        assert!(solution.is_complete(game.to_move(&state)));
    }
}

#[test]
fn solved_positions_have_the_values_of_a_plain_negamax() {
    check_solved(&game::<ConnectFour<u64>>("4x4"), 30, 9);
    check_solved(&game::<ConnectFour<u64>>("5x5,hole=c2"), 30, 9);
    check_solved(&game::<Reversi<u64>>("4x4"), 30, 16);
    check_solved(&game::<DotsAndBoxes<u64>>("2x2"), 20, 8);
    check_solved(&game::<DotsAndBoxes<u64>>("3x3"), 30, 8);
}
