//! Provers, the solver and the player that are built on them, against the known values of tangled games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use banyan_core::{
    Bounds, Fault, Flow, Game, Limits, MoveStat, Player, Poll, Prover, Report, Rng, SearchObserver, Silent, Situation,
    Solver,
};
use banyan_search::{AlphaBetaProver, Goal, Lost, ProvingSolver, SolverConfig, SolverPlayer};
use banyan_testkit::rounds;
use banyan_testkit::web::{Hashed, Place, Web};

use crate::alpha_beta::after;

/// A web in which no two paths lead to one key.
fn web(n_positions: u32, rng: &mut Rng) -> Web {
    let mut game = Web::new(n_positions, rng);
    game.apart = true;
    game
}

fn prover(rng: &mut Rng) -> Box<dyn Prover<Web>> {
    Box::new(AlphaBetaProver::new(1, Hashed { salt: rng.next_u64(), most: 400 }))
}

/// Prefers late moves in the list of legal ones, and counts its calls.
struct LastMove(u32);

impl Player<Web> for LastMove {
    fn choose(
        &mut self,
        at: &Situation<'_, Web>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u8>,
    ) -> Result<Report<u8>, Fault> {
        self.0 += 1;
        assert!(limits.nodes.is_none_or(|nodes| nodes > 0));
        let mut moves = Vec::new();
        at.game.moves(at.state, &mut moves);
        moves.reverse();
        let stat =
            |&mv: &u8| MoveStat { mv, visits: 1, value: 0.0, margin: None, is_bound: false, proof: None, pv: vec![mv] };
        let bare = Report::bare(*moves.first().expect("a move"), Duration::from_millis(1));
        let report = Report { nodes: 1, playouts: 2, ..bare };
        observer.progress(&report);
        Ok(Report { moves: moves.iter().map(stat).collect(), ..report })
    }

    fn new_game(&mut self, _seed: u64) {}
}

#[test]
fn bounds_proven_hold_and_decide_the_question() {
    let mut rng = Rng::new(31);
    for i in 0..40 {
        let game = web(30 + rng.below(20), &mut rng);
        let state = game.start();
        let mover = game.to_move(&state);
        let truth = game.value(&state).seen_by(mover);
        let mut prover = prover(&mut rng);
        for points in [truth, truth + 1, truth - 1, 0, 1] {
            let bounds =
                prover.reaches(&game, &state, points, &mut |nodes| Some(nodes + 50)).expect("nothing stops it");
            let (lower, upper) = bounds.seen_by(mover);
            assert!(lower <= truth && truth <= upper, "web {i}: {lower} .. {upper}, and {truth} is true");
            assert!(lower >= points || upper < points, "web {i}: {lower} .. {upper} leaves {points} open");
        }
        assert!(prover.nodes() > 0 && prover.memory_bytes() > 0);
    }
}

#[test]
fn on_any_number_of_threads_the_solver_finds_the_value_of_every_move() {
    let mut rng = Rng::new(32);
    for i in 0..30 {
        let game = web(45 + rng.below(15), &mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        for threads in [1, 2, 5] {
            let mut solver = ProvingSolver::new(prover(&mut rng), threads);
            let solution = solver.solve(&at, &Limits::default(), &mut Silent);
            assert_eq!(solution.bounds, Bounds::exact(game.value(&start)), "web {i} on {threads} threads");
            for &(mv, bounds) in &solution.moves {
                let truth = game.value(&after(&game, &start, mv));
                assert_eq!(bounds, Bounds::exact(truth), "web {i}, move {mv} on {threads} threads");
            }
        }
    }
}

#[test]
fn a_solver_proves_as_much_as_its_goal_and_less_costs_less() {
    let mut rng = Rng::new(36);
    let goals = [Goal::Winner, Goal::Value, Goal::BestMoves, Goal::Everything];
    let mut nodes = [0; 4];
    for i in 0..rounds(12, 30) {
        let game = web(45 + rng.below(15), &mut rng);
        let start = game.start();
        let (at, mover) = (Situation { game: &game, start: &start, played: &[], state: &start }, game.to_move(&start));
        let truth = game.value(&start).seen_by(mover);
        for threads in [1, 3] {
            for (goal, nodes) in goals.into_iter().zip(&mut nodes) {
                let mut solver = ProvingSolver::new(prover(&mut rng), threads).with_goal(goal);
                let solution = solver.solve(&at, &Limits::default(), &mut Silent);
                let (lower, upper) = solution.bounds.seen_by(mover);
                let best = solution.moves[0].1;
                let reached = match goal {
                    Goal::Winner => lower.signum() == truth.signum() || upper.signum() == truth.signum(),
                    Goal::Value => best == Bounds::exact(game.value(&start)),
                    Goal::BestMoves => solution.is_complete(mover) && best.is_exact(),
                    Goal::Everything => solution.moves.iter().all(|(_, bounds)| bounds.is_exact()),
                };
                assert!(reached && lower <= truth && truth <= upper, "web {i}, {goal:?} on {threads} threads");
                // With several threads the number depends on their timing.
                *nodes += if threads == 1 { solution.nodes } else { 0 };
            }
        }
    }
    assert!(nodes.is_sorted() && nodes[1] < nodes[3], "{nodes:?}");
}

#[test]
fn forks_still_share_what_is_proven_after_it_was_forgotten() {
    let mut rng = Rng::new(35);
    let game = web(60, &mut rng);
    let state = game.start();
    let mut first = prover(&mut rng);
    let mut fork = first.fork(1);
    first.reaches(&game, &state, 1, &mut |_| Some(u64::MAX)).expect("nothing stops it");
    first.forget();
    let mut alone = prover(&mut rng);
    let nodes_of = |prover: &mut Box<dyn Prover<Web>>| {
        let before = prover.nodes();
        prover.reaches(&game, &state, 1, &mut |_| Some(u64::MAX)).expect("nothing stops it");
        prover.nodes() - before
    };
    let (afresh, shared) = (nodes_of(&mut first), nodes_of(&mut fork));
    assert_eq!(afresh, nodes_of(&mut alone), "everything was forgotten");
    assert!(shared * 2 < afresh, "{shared} positions with what the other has proven, {afresh} without");
}

#[test]
fn a_limit_on_positions_ends_the_solver_with_bounds_that_hold() {
    let mut rng = Rng::new(33);
    let mut open = 0;
    for threads in [1, 3] {
        let game = web(70, &mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let limits = Limits { nodes: Some(700), ..Limits::default() };
        let solution = ProvingSolver::new(prover(&mut rng), threads).solve(&at, &limits, &mut Silent);
        assert!(solution.nodes < 700 + 600 * u64::from(threads), "{} on {threads} threads", solution.nodes);
        assert!(solution.bounds.contains(game.value(&start)));
        for &(mv, bounds) in &solution.moves {
            assert!(bounds.contains(game.value(&after(&game, &start, mv))), "move {mv}");
        }
        open += u32::from(!solution.is_complete(game.to_move(&start)));
    }
    assert!(open > 0, "nothing was left open");
}

#[test]
fn the_player_plays_a_best_move_where_it_can_prove_one_and_asks_the_other_player_before() {
    let mut rng = Rng::new(34);
    let mut proven = 0;
    for i in 0..40 {
        let game = web(30 + rng.below(20), &mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let choose = |config: SolverConfig, limits: Limits, rng: &mut Rng| {
            let mut player = SolverPlayer::new(config, Box::new(LastMove(0)), prover(rng));
            player.new_game(1);
            player.choose(&at, &limits, &mut Silent).expect("it does not fail")
        };
        let everywhere = SolverConfig { from: 1000, lost: Lost::Margin, ..SolverConfig::default() };
        let report = choose(everywhere.clone(), Limits::default(), &mut rng);
        let truth = game.value(&start);
        assert_eq!(game.value(&after(&game, &start, report.best)), truth, "web {i}");
        assert_eq!(report.proof, Some(Bounds::exact(truth)), "web {i}");
        assert_eq!((report.pv[0], report.moves[0].mv), (report.best, report.best));
        let mut end = start;
        for &mv in &report.pv {
            end = after(&game, &end, mv);
            assert_eq!(game.value(&end), truth, "web {i}: the variation {:?} keeps the value", report.pv);
        }
        let hard = choose(SolverConfig { lost: Lost::Replies, ..everywhere.clone() }, Limits::default(), &mut rng);
        check_hardest(&game, hard.best);
        // Too few positions for a proof: the other player searches, and its move is played unless it is refuted.
        let hasty = choose(everywhere, Limits { nodes: Some(40), ..Limits::default() }, &mut rng);
        proven += u32::from(hasty.proof.is_some());
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let never = choose(SolverConfig { from: 0, ..SolverConfig::default() }, Limits::default(), &mut rng);
        assert_eq!(Some(&never.best), moves.last());
        assert!(moves.contains(&hasty.best));
    }
    assert!(proven < 40, "40 positions always sufficed");
}

#[test]
fn whatever_the_limit_a_proven_outcome_is_kept_and_no_refuted_move_is_played() {
    let mut rng = Rng::new(39);
    let (mut kept, mut avoided, mut unproven, mut reached) = (0, 0, 0, 0);
    for i in 0..200 {
        let game = web(40 + rng.below(25), &mut rng);
        let start = game.start();
        let (at, mover) = (Situation { game: &game, start: &start, played: &[], state: &start }, game.to_move(&start));
        let value = |state: &Place| game.value(state).seen_by(mover);
        let mut legal = Vec::new();
        game.moves(&start, &mut legal);
        for threads in [1, 1, 1, 1, 1, 1, 3, 3] {
            let nodes = 20 + (u64::from(rng.below(600)) << (4 * rng.below(2)));
            let config = SolverConfig { from: 1000, threads, ..SolverConfig::default() };
            let mut player = SolverPlayer::new(config, Box::new(LastMove(0)), prover(&mut rng));
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = player.choose(&at, &limits, &mut Silent).expect("it does not fail");
            let played = value(&after(&game, &start, report.best));
            let name = format!("web {i}, {nodes} positions on {threads} threads");
            let says_something = |bounds: Bounds, place: &Place| {
                bounds != game.bounds(place)
                    || bounds.is_exact()
                    || bounds.seen_by(mover).0 > 0
                    || bounds.seen_by(mover).1 < 0
            };
            assert!(report.proof.is_none_or(|bounds| says_something(bounds, &start)), "{name}");
            for stat in &report.moves {
                let next = after(&game, &start, stat.mv);
                if let Some(bounds) = stat.proof {
                    assert!(bounds.contains(game.value(&next)) && says_something(bounds, &next), "{name}");
                }
                unproven += u32::from(stat.proof.is_none());
            }
            let proven = |mv: u8| {
                let stat = report.moves.iter().find(|stat| stat.mv == mv);
                stat.and_then(|stat| stat.proof).map_or((i16::MIN, i16::MAX), |bounds| bounds.seen_by(mover))
            };
            let most = proven(report.best).1;
            assert!(legal.iter().all(|&mv| proven(mv).0 <= most), "{name}: it is proven to be worse than another");
            assert!(most >= 0 || legal.iter().all(|&mv| proven(mv).1 < 0), "{name}: it loses, and another may not");
            if let Some(bounds) = report.proof {
                let (lower, upper) = bounds.seen_by(mover);
                let truth = value(&start);
                assert!((lower..=upper).contains(&truth), "{name}");
                assert_eq!(played.signum(), truth.signum(), "{name}: {lower} .. {upper} is proven");
                if lower == upper && legal.iter().any(|&mv| proven(mv).0 == truth) {
                    assert_eq!(played, truth, "{name}: a move with the proven margin is known");
                    reached += 1;
                }
                kept += u32::from(truth >= 0);
            } else {
                avoided += u32::from(Some(&report.best) != legal.last());
            }
        }
    }
    assert!(kept > 50 && avoided > 10, "{kept} wins and draws kept, {avoided} refuted moves avoided");
    assert!(unproven > 100 && reached > 50, "{unproven} moves without a proof, {reached} margins reached");
}

#[test]
fn of_several_moves_that_keep_a_draw_the_one_with_the_fewest_replies_is_played() {
    let mut rng = Rng::new(41);
    let mut n = 0;
    while n < 200 {
        let game = web(10 + rng.below(10), &mut rng);
        let start = game.start();
        let mut keeping = Vec::new();
        game.moves(&start, &mut keeping);
        keeping.retain(|&mv| game.value(&after(&game, &start, mv)).0 == 0);
        if game.value(&start).0 != 0 || keeping.len() < 2 {
            continue;
        }
        n += 1;
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let config = SolverConfig { from: 1000, ..SolverConfig::default() };
        let mut player = SolverPlayer::new(config, Box::new(LastMove(0)), prover(&mut rng));
        let report = player.choose(&at, &Limits::default(), &mut Silent).expect("it does not fail");
        check_hardest(&game, report.best);
    }
}

/// Checks that a move has the largest margin, and, unless that is a win, leaves the fewest replies that keep the outcome.
fn check_hardest(game: &Web, found: u8) {
    let start = game.start();
    let side = game.to_move(&start);
    let outcome = |place: &Place| game.value(place).seen_by(side).signum();
    assert_eq!(game.value(&after(game, &start, found)), game.value(&start));
    if outcome(&start) == 1 {
        return;
    }
    let replies = |mv: u8| {
        let next = after(game, &start, mv);
        let counts = game.result(&next).is_none() && game.to_move(&next) != side;
        let mut replies = Vec::new();
        game.moves(&next, &mut replies);
        counts.then(|| replies.iter().filter(|&&reply| outcome(&after(game, &next, reply)) == outcome(&start)).count())
    };
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    let keeping = moves.into_iter().filter(|&mv| game.value(&after(game, &start, mv)) == game.value(&start));
    if let Some(fewest) = keeping.filter_map(replies).min() {
        assert_eq!(replies(found), Some(fewest));
    }
}

/// Counts the positions that a prover visits.
struct Counted(Box<dyn Prover<Web>>, Arc<AtomicU64>);

impl Prover<Web> for Counted {
    fn reaches(&mut self, game: &Web, state: &Place, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        let before = self.0.nodes();
        let proven = self.0.reaches(game, state, points, poll);
        self.1.fetch_add(self.0.nodes() - before, Relaxed);
        proven
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<Web>> {
        self.0.fork(thread)
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }
}

#[test]
fn the_line_after_a_proof_costs_little_beside_it() {
    let mut rng = Rng::new(38);
    let (mut longest, mut dearest) = (0, 0);
    for _ in 0..rounds(70, 200) {
        let game = web(40 + rng.below(25), &mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let all = Arc::new(AtomicU64::new(0));
        let counted = Box::new(Counted(prover(&mut rng), Arc::clone(&all)));
        let config = SolverConfig { from: 1000, ..SolverConfig::default() };
        let mut player = SolverPlayer::new(config, Box::new(LastMove(0)), counted);
        let report = player.choose(&at, &Limits::default(), &mut Silent).expect("it does not fail");
        let beyond = all.load(Relaxed) - report.nodes;
        // Between two calls of the poll a prover visits some positions.
        assert!(beyond <= report.nodes / 10 + 500 + 50, "{beyond} after {}", report.nodes);
        (longest, dearest) = (longest.max(report.pv.len()), dearest.max(beyond));
    }
    assert!(longest > 5 && dearest > 100, "a line of {longest} moves, and {dearest} positions for one");
}

/// Guesses the value of each position, and stops where it would have to prove that the first one is not better.
struct WithoutUpperBound(Box<dyn Prover<Web>>);

impl Prover<Web> for WithoutUpperBound {
    fn reaches(&mut self, game: &Web, state: &Place, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        let is_too_hard = *state == game.start() && self.guess(game, state) < Some(points);
        if is_too_hard { None } else { self.0.reaches(game, state, points, poll) }
    }

    fn guess(&mut self, game: &Web, state: &Place) -> Option<i16> {
        Some(game.value(state).seen_by(game.to_move(state)))
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<Web>> {
        Box::new(WithoutUpperBound(self.0.fork(thread)))
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }
}

#[test]
fn a_proof_that_is_stopped_knows_a_move_for_the_margin_that_is_proven() {
    let mut rng = Rng::new(43);
    let (mut n, mut larger) = (0, 0);
    while n < 100 {
        let game = web(20 + rng.below(20), &mut rng);
        let start = game.start();
        let mover = game.to_move(&start);
        let truth = game.value(&start).seen_by(mover);
        if truth < 1 {
            continue;
        }
        n += 1;
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let config = SolverConfig { from: 1000, ..SolverConfig::default() };
        let mut player =
            SolverPlayer::new(config, Box::new(LastMove(0)), Box::new(WithoutUpperBound(prover(&mut rng))));
        let report = player.choose(&at, &Limits::default(), &mut Silent).expect("it does not fail");
        assert_eq!(game.value(&after(&game, &start, report.best)).seen_by(mover), truth, "game {n}");
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let wins_less = |&mv: &u8| (1..truth).contains(&game.value(&after(&game, &start, mv)).seen_by(mover));
        larger += u32::from(moves.iter().any(wins_less));
    }
    assert!(larger > 20, "{larger} positions with a smaller win");
}

/// Collects what is reported: positions, playouts and time.
struct Collected(Vec<(u64, u64, Duration)>);

impl SearchObserver<u8> for Collected {
    fn progress(&mut self, report: &Report<u8>) -> Flow {
        self.0.push((report.nodes, report.playouts, report.elapsed));
        Flow::Continue
    }
}

#[test]
fn reports_count_what_all_parts_of_the_search_have_spent() {
    let mut rng = Rng::new(44);
    let (mut asked, mut proven_later, mut all_parts) = (0, 0, 0);
    for i in 0..100 {
        let game = web(40 + rng.below(20), &mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let config = SolverConfig { from: 1000, lost: Lost::Replies, ..SolverConfig::default() };
        let all = Arc::new(AtomicU64::new(0));
        let counted = Box::new(Counted(prover(&mut rng), Arc::clone(&all)));
        let mut player = SolverPlayer::new(config, Box::new(LastMove(0)), counted);
        let limits = Limits { nodes: Some(400 + 10 * i), ..Limits::default() };
        let mut seen = Collected(Vec::new());
        let report = player.choose(&at, &limits, &mut seen).expect("it does not fail");
        let reported = seen.0.last().copied();
        seen.0.push((report.nodes, report.playouts, report.elapsed));
        for (one, next) in seen.0.iter().zip(&seen.0[1..]) {
            assert!(one.0 <= next.0 && one.1 <= next.1 && one.2 <= next.2, "web {i}: {:?}", seen.0);
        }
        // The other player visits one position. The line after an exact proof is not counted, and is a tenth of it and some more at
        // most.
        let is_exact = report.proof.is_some_and(|proof| proof.lower == proof.upper);
        let beyond = all.load(Relaxed) + u64::from(report.playouts > 0) - report.nodes;
        assert!(
            beyond <= if is_exact { report.nodes / 10 + 500 + 50 } else { 0 },
            "web {i}: {} of {all:?}",
            report.nodes
        );
        // Two fifths of four fifths of 400 positions or more come before the other player.
        asked += u32::from(reported.is_some_and(|(nodes, playouts, _)| nodes > 100 && playouts == 2));
        // It has a depth where the outcome is proven. If that is a loss, the search has all parts.
        let is_proven = report.depth.is_some();
        proven_later += u32::from(report.playouts == 2 && is_proven);
        all_parts += u32::from(report.playouts == 2 && is_proven && !is_exact && report.value < 0.0);
    }
    let counts = format!("asked {asked} times, proven after it {proven_later} times, all parts {all_parts} times");
    assert!(asked > 10 && proven_later > 3 && all_parts > 0, "{counts}");
}

#[test]
fn a_line_begins_with_a_move_that_reaches_the_value_or_there_is_none() {
    let mut rng = Rng::new(63);
    let mut n_lines = 0;
    for _ in 0..10 {
        let game = web(40 + rng.below(25), &mut rng);
        let start = game.start();
        let (at, mover) = (Situation { game: &game, start: &start, played: &[], state: &start }, game.to_move(&start));
        for most in (0..20).flat_map(|i| [1 << i, 3 << i]) {
            let mut solver = ProvingSolver::new(prover(&mut rng), 1).with_goal(Goal::Value).with_principal_variation();
            let limits = Limits { nodes: Some(most), ..Limits::default() };
            let solution = solver.solve(&at, &limits, &mut Silent);
            let (pv, best) = (&solution.pv, solution.best(mover));
            assert!(pv.first().is_none_or(|mv| best.contains(mv)), "{most} nodes: {pv:?} and {best:?}");
            n_lines += usize::from(!pv.is_empty());
        }
    }
    assert!(n_lines > 20, "{n_lines} lines");
}

#[test]
fn a_line_keeps_what_is_proven_to_the_end_of_the_game() {
    let mut rng = Rng::new(64);
    let mut without_margin = [0; 2];
    for i in 0..60 {
        let game = web(40 + rng.below(25), &mut rng);
        let start = game.start();
        let (at, mover) = (Situation { game: &game, start: &start, played: &[], state: &start }, game.to_move(&start));
        let truth = game.value(&start);
        for goal in [Goal::Winner, Goal::Value] {
            let mut solver = ProvingSolver::new(prover(&mut rng), 1).with_goal(goal).with_principal_variation();
            let solution = solver.solve(&at, &Limits::default(), &mut Silent);
            let end = solution.pv.iter().fold(start, |state, &mv| after(&game, &state, mv));
            let what = format!("web {i}, {goal:?}: {:?}", solution.pv);
            let result = game.result(&end).expect(&what);
            assert_eq!(result.winner(), truth.winner(), "{what}");
            if solution.bounds.lower == solution.bounds.upper {
                assert_eq!(result, truth, "{what}");
            } else {
                without_margin[usize::from(truth.seen_by(mover) > 0)] += 1;
            }
        }
    }
    assert!(without_margin.iter().all(|&n| n > 5), "{without_margin:?}");
}
