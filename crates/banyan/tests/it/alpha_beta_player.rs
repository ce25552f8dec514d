//! The alpha-beta players within their limits, and the solver when it is stopped.

use std::cell::Cell;
use std::time::Duration;

use banyan::catalog::view::{Analysis, Proof};
use banyan::catalog::{AnalysisObserver, Means, Session};
use banyan::reversi::Reversi;
use banyan::{Clock, Game, Limits, Notation, Rng, Silent, Timer};

use crate::{ALPHA_BETA, Board, best, choose, depth, nodes, random_position, seat, start};

/// Checks what holds for every analysis.
fn check(session: &Session, analysis: &Analysis) {
    assert!(session.legal_moves().iter().any(|mv| mv == best(analysis)), "{analysis:#?}");
    assert!((-1.0..=1.0).contains(&analysis.value), "{analysis:#?}");
    assert_eq!((&*analysis.pv[0], &*analysis.moves[0].mv), (best(analysis), best(analysis)));
    for mv in &analysis.moves {
        assert_eq!(mv.pv[0], mv.mv);
        let mut line = session.fork();
        for mv in &mv.pv {
            line.play(mv).unwrap_or_else(|err| panic!("{err} in {analysis:#?}"));
        }
    }
}

/// Plays a game with a new player on both sides, checking every analysis; returns the moves and the positions visited.
fn play_through(game: &str, player: &str, limit: u64) -> Vec<(String, u64)> {
    let mut session = start(game);
    let seat = seat(&mut session, player);
    let mut searched = Vec::new();
    while session.result().is_none() {
        let analysis = session.choose(seat, &nodes(limit), &mut Silent).expect("no fault");
        check(&session, &analysis);
        // The moves of the last position may be evaluated before the limit is checked.
        assert!(analysis.nodes <= limit + 100, "{} positions for a limit of {limit}", analysis.nodes);
        session.play(best(&analysis)).expect("a legal move");
        searched.push((best(&analysis).to_owned(), analysis.nodes));
    }
    searched
}

#[test]
fn whole_games_are_played_within_a_limit_on_positions_and_repeat() {
    for game in ["connect-four:5x6,hole=b2", "reversi:6x6", "dots-and-boxes:2x3"] {
        for player in ALPHA_BETA {
            for limit in [1, 300, 3000] {
                assert_eq!(play_through(game, player, limit), play_through(game, player, limit), "{player} in {game}");
            }
        }
    }
}

#[test]
fn a_depth_limit_is_kept_and_deeper_searches_cost_more() {
    for player in ALPHA_BETA {
        let cost = |plies| {
            let analysis = choose(&mut start("connect-four:6x7"), player, &depth(plies));
            assert!(analysis.pv.len() <= plies as usize, "{:?}", analysis.pv);
            analysis.nodes
        };
        assert!(cost(1) >= 7 && cost(1) < 20 && cost(4) > cost(2) && cost(8) > 2 * cost(5), "{player}");
        let own_depth = choose(&mut start("connect-four:6x7"), &format!("{player}:depth=4"), &Limits::default());
        assert_eq!(own_depth.nodes, cost(4), "{player}");
    }
}

/// A depth that is cut short has bounds of some moves only, so those of the depth before are reported.
#[test]
fn bounds_belong_to_the_depth_reported() {
    let mut n_cut_short = 0;
    for player in ALPHA_BETA {
        for game in ["connect-four:6x7", "reversi:6x6", "dots-and-boxes:3x3"] {
            for limit in (1..20).map(|i| 700 * i) {
                let stopped = choose(&mut start(game), player, &nodes(limit));
                let reached = stopped.depth.expect("alpha-beta has a depth");
                let finished = choose(&mut start(game), player, &depth(reached));
                assert_eq!(finished.depth, Some(reached));
                n_cut_short += u32::from(stopped.nodes > finished.nodes);
                for mv in &stopped.moves[1..] {
                    let same = finished.moves.iter().find(|same| same.mv == mv.mv).expect("the same moves");
                    let is_same = (mv.value, mv.margin, mv.at_most) == (same.value, same.margin, same.at_most)
                        || mv.proof != same.proof;
                    assert!(is_same, "{game}, {player}, {limit} nodes, depth {reached}: {mv:?} and {same:?}");
                }
            }
        }
    }
    assert!(n_cut_short > 100, "{n_cut_short}");
}

#[test]
fn the_expected_margin_is_in_points() {
    for player in ALPHA_BETA {
        let expected = choose(&mut start("reversi:6x6"), player, &depth(4));
        let margin = expected.margin.expect("a margin");
        assert!(margin.abs() < 36.0 && (margin > 0.0) == (expected.value > 0.0), "{expected:#?}");
        assert_eq!(expected.moves[0].margin, Some(margin));
        let bounds = expected.moves[1..].iter().map(|mv| mv.at_most.expect("a bound").margin.expect("points"));
        assert!(bounds.clone().all(|bound| bound <= margin), "{expected:#?}");
        let proven = choose(&mut start("dots-and-boxes:1x2"), player, &depth(20));
        let proof = proven.proof.expect("a proof");
        assert_eq!((proof.lower, proven.margin), (proof.upper, Some(proof.upper.into())), "{proven:#?}");
    }
    for player in ["uct", "greedy", "random", "vote:pvs+greedy"] {
        let analysis = choose(&mut start("reversi:6x6"), player, &Limits::playouts(50));
        assert_eq!((analysis.margin, analysis.depth), (None, None), "{player}");
    }
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that advances by a hundredth of a millisecond at every reading.
const TICKING: Timer = Timer::new("ticking", || {
    READINGS.set(READINGS.get() + 1);
    Duration::from_micros(10 * READINGS.get())
});

#[test]
fn a_time_limit_is_kept() {
    for player in ALPHA_BETA {
        let limits = Limits { timer: TICKING, ..Limits::time(Duration::from_millis(20)) };
        let analysis = choose(&mut start("reversi:8x8"), player, &limits);
        assert!((20.0..21.0).contains(&analysis.elapsed_ms), "{player}: {} ms", analysis.elapsed_ms);
        let clock = Clock { own: Duration::from_secs(3), other: Duration::ZERO, increment: Duration::ZERO };
        let limits = Limits { timer: TICKING, clock: Some(clock), ..Limits::default() };
        let analysis = choose(&mut start("reversi:8x8"), player, &limits);
        assert!(analysis.elapsed_ms < 1000.0, "{player}: {} ms", analysis.elapsed_ms);
    }
}

#[test]
fn a_search_that_will_soon_reach_the_end_takes_more_of_its_clock() {
    let mut session = start("reversi:6x6");
    for _ in 0..10 {
        let mv = session.legal_moves()[0].clone();
        session.play(&mv).expect("a legal move");
    }
    let seat = seat(&mut session, "pvs:reuse=none");
    let clock = Clock { own: Duration::from_millis(120), other: Duration::ZERO, increment: Duration::ZERO };
    let on_clock = Limits { timer: TICKING, clock: Some(clock), ..Limits::default() };
    let mut elapsed = |limits: &Limits| session.choose(seat, limits, &mut Silent).expect("it answers").elapsed_ms;
    elapsed(&depth(4));
    let far = elapsed(&on_clock);
    elapsed(&depth(14));
    let near = elapsed(&on_clock);
    assert!(near > 1.5 * far, "{near} ms after a search of depth 14 with 22 plies left, {far} ms after one of depth 4");
}

/// Stops at this poll.
struct StopsAfter(u32);

impl AnalysisObserver for StopsAfter {
    fn stopped(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn a_stopped_search_plays_the_best_move_so_far() {
    for player in ALPHA_BETA {
        let choose = |stops| {
            let mut session = start("connect-four:6x7");
            // Three stones on the edge must be blocked; the blocking move is searched last.
            session.play_all("7 4 7 3 7").expect("legal moves");
            let seat = seat(&mut session, &format!("{player}:forced=never,eval=margin,order=listed"));
            let analysis = session.choose(seat, &Limits::default(), &mut StopsAfter(stops)).expect("it answers");
            check(&session, &analysis);
            best(&analysis).to_owned()
        };
        assert_eq!(choose(1), "1", "{player} has not searched the block yet");
        assert!((4..60).all(|stops| choose(stops) == "7"), "{player}");
    }
}

#[test]
fn a_proof_ends_the_search_and_is_reported() {
    for player in ALPHA_BETA {
        let analysis = choose(&mut start("dots-and-boxes:2x2"), player, &Limits::default());
        // The first side wins by two boxes (a full table of all positions).
        assert_eq!(analysis.proof, Some(Proof { lower: 2, upper: 2 }), "{player}");
        assert_eq!(analysis.value, 1.0, "{player}");
    }
}

const ALONE: Means = Means { table_mib: 16, threads: 1 };

/// Bounds that a stopped solver gives must hold, and get no wider with more positions.
fn check_stopped(game: &str, value: i16) {
    let mut width = i32::from(u16::MAX);
    let mut is_complete = false;
    for limit in [1, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let solved = start(game).solve(ALONE, &nodes(limit), &mut Silent);
        let (lower, upper) = (solved.lower, solved.upper);
        assert!(lower <= value && value <= upper, "{game}: {lower} .. {upper} after {limit}");
        let found = i32::from(upper) - i32::from(lower);
        assert!(found <= width, "{game}: {lower} .. {upper} after {limit}");
        width = found;
        is_complete = solved.is_complete();
        assert!(!is_complete || width == 0, "{game}: {solved:#?}");
        assert!(width == 0 || solved.best.is_empty() && solved.margin.is_none(), "{game}: {solved:#?}");
    }
    assert!(is_complete, "{game}");
}

#[test]
fn a_solver_that_is_stopped_gives_bounds_that_hold() {
    check_stopped("dots-and-boxes:2x3", -2);
    check_stopped("connect-four:4x4", 0);
    check_stopped("reversi:4x4", -10);
    check_stopped("reversi:4x4,count=discs", -8);
}

/// A random position near the end has the same value for a player without limits and for the solver.
#[test]
fn late_in_the_game_players_and_solver_agree() {
    let board = Board::<Reversi<u64>>::new("6x6");
    let mut rng = Rng::new(11);
    let mut compared = 0;
    for _ in 0..30 {
        let state = random_position(&board.game, 24, &mut rng);
        if board.game.ply(&state) < 24 {
            continue;
        }
        let solved = board.open(&state).solve(ALONE, &Limits::default(), &mut Silent);
        for player in ALPHA_BETA {
            let analysis = choose(&mut board.open(&state), player, &Limits::default());
            let shown = || format!("{player} in {}: {solved:#?}", board.game.print_position(&state));
            assert_eq!(analysis.proof, Some(solved.proof()), "{}", shown());
            assert!(solved.best.iter().any(|mv| mv == best(&analysis)), "{}", shown());
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}
