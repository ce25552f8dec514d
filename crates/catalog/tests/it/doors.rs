//! What Python, the browser and the terminal stand on: games without their types, planes, searches in slices and evaluators from outside.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use banyan_catalog::{AnyGame, Opening, PlayerSpec, Session};
use banyan_core::{
    ErasedGame, ErasedState, Game, Limits, PlaneBatch, PlaneEvaluator, Planes, Player, Rng, Silent, Situation,
    Symmetry, Timer, canonical_key,
};
use banyan_search::{Config, Mcts};

use crate::catalog;

const SPECS: [&str; 8] = [
    "connect-four",
    "connect-four:12x12,hole=g6",
    "connect-four:4x5",
    "reversi",
    "reversi:6x6",
    "reversi:10x10",
    "dots-and-boxes",
    "dots-and-boxes:2x3",
];

fn game(spec: &str) -> AnyGame {
    catalog().game(spec).expect("a game")
}

fn player(text: &str) -> PlayerSpec {
    text.parse().expect("a player")
}

/// The positions of a random game before its end, with the moves that led there.
fn positions(game: &ErasedGame, seed: u64) -> Vec<(ErasedState, Vec<u16>)> {
    let (mut rng, mut state, mut played, mut found) = (Rng::new(seed), game.start(), Vec::new(), Vec::new());
    while game.result(&state).is_none() {
        found.push((state.clone(), played.clone()));
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        game.play(&mut state, mv);
        played.push(mv);
    }
    found
}

fn written(planes: &dyn Planes<ErasedGame>, game: &ErasedGame, state: &ErasedState) -> Vec<f32> {
    let mut out = vec![0.0; planes.shape().iter().product()];
    planes.write(game, state, &mut out);
    out
}

#[test]
fn a_position_is_copied_printed_and_mapped_without_its_type() {
    for spec in SPECS {
        let game = game(spec).rules().clone();
        for (state, played) in positions(&game, 1) {
            let before = state.clone();
            let mut after = state.clone();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.play(&mut after, moves[0]);
            assert!(after != state && before == state, "{spec}: a move leaves its copy alone");
            let text = game.print_position(&state);
            assert_eq!(game.parse_position(&text).as_ref().map(|state| game.print_position(state)), Ok(text));
            let words = game.print_moves(&game.start(), &played);
            assert_eq!(game.parse_moves(&game.start(), &words.join(" ")), Ok(played));
            for symmetry in (0..game.symmetries()).map(Symmetry) {
                let image = game.transform(&state, symmetry);
                assert_eq!(canonical_key(&game, &image), canonical_key(&game, &state), "{spec}: {symmetry:?}");
                let mut of_image = image.clone();
                game.play(&mut of_image, game.transform_move(moves[0], symmetry));
                assert_eq!(of_image, game.transform(&after, symmetry), "{spec}: {symmetry:?}");
            }
        }
    }
}

#[test]
fn planes_show_the_picture_and_name_every_move() {
    for spec in SPECS {
        let any = game(spec);
        let (game, planes) = (any.rules(), any.planes().expect("it has planes"));
        let [channels, rows, columns] = planes.shape();
        assert_eq!(planes.channels().len(), channels);
        for (state, played) in positions(game, 2) {
            let (out, mover) = (written(&*planes, game, &state), game.to_move(&state));
            let at = |channel: usize, row: usize, column: usize| out[(channel * rows + row) * columns + column];
            let picture = game.picture(&state, played.last().copied()).expect("it is drawn");
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let actions: BTreeSet<usize> = moves.iter().map(|&mv| planes.action(mv)).collect();
            assert!(
                actions.len() == moves.len() && actions.iter().all(|&action| action < planes.n_actions()),
                "{spec}"
            );
            for (i, cell) in picture.cells.iter().enumerate() {
                let (row, column) = (i / picture.columns, i % picture.columns);
                match &picture.edges {
                    None => {
                        let owners = [Some(mover), Some(!mover)].map(|side| f32::from(u8::from(cell.owner == side)));
                        assert_eq!(
                            [at(0, row, column), at(1, row, column)],
                            owners,
                            "{spec} {played:?} {row},{column}"
                        );
                    }
                    Some(_) => {
                        let is_closed = cell.owner.is_some();
                        assert_eq!(at(1, 2 * row + 1, 2 * column + 1) == 1.0, is_closed, "{spec} {played:?} box {i}");
                    }
                }
            }
            if let Some(edges) = &picture.edges {
                let n_drawn = edges.iter().filter(|edge| edge.drawn).count();
                assert_eq!(out[..rows * columns].iter().sum::<f32>() as usize, n_drawn);
                let free: Vec<usize> = (0..edges.len()).filter(|&edge| !edges[edge].drawn).collect();
                assert_eq!(actions.into_iter().collect::<Vec<usize>>(), free, "{spec}: the outputs are the edges");
                let lead = game.score(&state).seen_by(mover);
                assert!((at(2, 0, 0) * picture.cells.len() as f32 - f32::from(lead)).abs() < 1e-4);
            }
        }
    }
}

/// What the search reports of the moves, without times.
fn visits(session: &mut Session, seat: banyan_catalog::Seat, limits: &Limits) -> Vec<(String, u64)> {
    let analysis = session.choose(seat, limits, &mut Silent).expect("a move");
    analysis.moves.iter().map(|stat| (stat.mv.clone(), stat.visits)).collect()
}

#[test]
fn a_search_in_slices_continues_with_its_tree() {
    for (spec, name) in [("connect-four", "uct"), ("reversi:6x6", "mcgs"), ("dots-and-boxes", "mcgs")] {
        let mut at_once = game(spec).open(Opening::Start).expect("a session");
        let seat = at_once.seat(&player(name), 7).expect("a seat");
        let total: u64 = visits(&mut at_once, seat, &Limits::playouts(2000)).iter().map(|(_, n)| n).sum();

        let mut sliced = game(spec).open(Opening::Start).expect("a session");
        let seat = sliced.seat(&player(name), 7).expect("a seat");
        let mut last = 0;
        for slice in 1..=10 {
            let now: u64 = visits(&mut sliced, seat, &Limits::playouts(200)).iter().map(|(_, n)| n).sum();
            assert!(now > last, "{spec}: slice {slice} adds to {last} visits: {now}");
            last = now;
        }
        // A slice is rounded up to whole batches, and the first visit of a root may have no move.
        assert!(last.abs_diff(total) <= total / 10, "{spec}: {last} visits in slices, {total} at once");
    }
}

#[test]
fn every_move_has_its_line() {
    for (spec, name) in [("connect-four", "mcgs"), ("reversi", "mcgs"), ("dots-and-boxes", "mcgs")] {
        let mut session = game(spec).open(Opening::Start).expect("a session");
        let seat = session.seat(&player(name), 3).expect("a seat");
        let analysis = session.choose(seat, &Limits::playouts(3000), &mut Silent).expect("a move");
        let visited: Vec<_> = analysis.moves.iter().filter(|stat| stat.visits > 1).collect();
        assert!(visited.len() > 1, "{spec}");
        for stat in visited {
            assert_eq!(stat.pv.first(), Some(&stat.mv), "{spec}");
            session.fork().play_all(&stat.pv.join(" ")).expect("a line of legal moves");
        }
    }
}

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

/// A clock of this thread that goes on by a millisecond each time it is read.
fn counted_time() -> Duration {
    NOW.set(NOW.get() + 1);
    Duration::from_millis(NOW.get())
}

#[test]
fn a_search_goes_by_the_clock_that_it_is_given() {
    let timer = Timer::new("counted", counted_time);
    for spec in ["connect-four", "reversi", "dots-and-boxes:3x3"] {
        for name in ["uct", "pvs"] {
            let mut session = game(spec).open(Opening::Start).expect("a session");
            let seat = session.seat(&player(name), 1).expect("a seat");
            let limits = Limits { timer, ..Limits::time(Duration::from_millis(20)) };
            let analysis = session.choose(seat, &limits, &mut Silent).expect("a move");
            let took = analysis.elapsed_ms;
            assert!(
                (1.0..1000.0).contains(&took),
                "{spec}: {name} stops by a clock that only counts its readings: {took}"
            );
        }
    }
}

/// Values every position by 0 and prefers one output; counts batches and positions.
struct Prefers {
    action: usize,
    n_batches: Arc<AtomicUsize>,
    n_positions: Arc<AtomicUsize>,
}

impl PlaneEvaluator for Prefers {
    fn evaluate(&mut self, batch: &PlaneBatch<'_>, values: &mut [f32], priors: &mut [f32]) {
        let [n, channels, rows, columns] = batch.shape;
        assert!(batch.planes.len() == n * channels * rows * columns && priors.len() == n * batch.n_actions);
        assert!(values.iter().all(|&value| value == 0.0) && priors.iter().all(|&prior| prior == 1.0));
        for priors in priors.chunks_exact_mut(batch.n_actions) {
            priors[self.action] = 50.0;
        }
        self.n_batches.fetch_add(1, Ordering::Relaxed);
        self.n_positions.fetch_add(n, Ordering::Relaxed);
    }

    fn fork(&self, _thread: u32) -> Box<dyn PlaneEvaluator> {
        let [n_batches, n_positions] = [&self.n_batches, &self.n_positions].map(Arc::clone);
        Box::new(Prefers { action: self.action, n_batches, n_positions })
    }
}

#[test]
fn an_evaluator_from_outside_drives_the_search() {
    let search = player("graph:select=puct,c=2,reward=wdl,eval=uniform,batch=16,expand-at=1,forced=never");
    for spec in SPECS {
        let any = game(spec);
        let mut moves = Vec::new();
        any.rules().moves(&any.rules().start(), &mut moves);
        let liked = moves[moves.len() / 2];
        let action = any.planes().expect("it has planes").action(liked);
        let (n_batches, n_positions) = (Arc::default(), Arc::<AtomicUsize>::default());
        let outside = Prefers { action, n_batches: Arc::clone(&n_batches), n_positions: Arc::clone(&n_positions) };
        let mut session = any.open(Opening::Start).expect("a session");
        let seat = session.seat_with_evaluator(&search, Box::new(outside), 1).expect("a Monte Carlo search");
        let analysis = session.choose(seat, &Limits::playouts(400), &mut Silent).expect("a move");
        assert_eq!(analysis.best, Some(any.rules().print_move(&any.rules().start(), liked)), "{spec}");
        let (batches, positions) = (n_batches.load(Ordering::Relaxed), n_positions.load(Ordering::Relaxed));
        assert!(positions >= 100 && positions > 3 * batches, "{spec}: {positions} positions in {batches} batches");
    }
}

/// Knows how a game with one move left ends, and answers nonsense where it does not.
struct Nonsense;

impl PlaneEvaluator for Nonsense {
    fn evaluate(&mut self, _batch: &PlaneBatch<'_>, values: &mut [f32], priors: &mut [f32]) {
        values.fill(f32::NAN);
        priors.fill(f32::NEG_INFINITY);
    }

    fn fork(&self, _thread: u32) -> Box<dyn PlaneEvaluator> {
        Box::new(Nonsense)
    }
}

#[test]
fn nonsense_from_outside_counts_as_nothing() {
    let mut session = game("connect-four").open(Opening::Moves("4 4 3 3 5")).expect("a session");
    let search = player("graph:select=puct,c=2,reward=wdl,eval=uniform,forced=never,expand-at=1");
    let seat = session.seat_with_evaluator(&search, Box::new(Nonsense), 1).expect("a Monte Carlo search");
    let analysis = session.choose(seat, &Limits::playouts(5000), &mut Silent).expect("a move");
    assert!(
        analysis.value.is_finite() && analysis.moves.iter().all(|stat| stat.value.is_none_or(f64::is_finite)),
        "{analysis:?}"
    );
}

#[test]
fn what_takes_no_evaluator_from_outside_is_refused() {
    let mut session = game("reversi").open(Opening::Start).expect("a session");
    for (name, expected) in [
        ("pvs", "expected a Monte Carlo search"),
        ("best", "expected a Monte Carlo search"),
        ("random", "expected a Monte Carlo search"),
        ("solver", "expected a Monte Carlo search"),
        ("vote:uct+pvs", "expected a Monte Carlo search"),
        ("graph:reward=margin", "expected a result as the reward"),
        ("uct:reward=wdl", "expected select=puct"),
        ("graph:select=puct,reward=wdl,leaf-search-depth=2", "expected 0 for both"),
    ] {
        let refused = session.seat_with_evaluator(&player(name), Box::new(Nonsense), 1).map(|_| ());
        let err = refused.expect_err(name).to_string();
        assert!(err.contains(expected) && !err.contains('\n'), "{name}: {err}");
    }
}

#[test]
fn a_search_of_the_game_without_its_type_is_the_same_search() {
    for spec in ["connect-four:5x5", "reversi:6x6", "dots-and-boxes:2x2"] {
        let game = game(spec).rules().clone();
        let mut session = catalog().game(spec).and_then(|game| game.open(Opening::Start)).expect("a session");
        let seat = session.seat(&player("uct:eval=margin"), 5).expect("a seat");
        let compiled = visits(&mut session, seat, &Limits::playouts(300));
        let mut config = Config::uct();
        config.set("eval", "margin").expect("a setting");
        let mut search = Mcts::new(config).expect("a search");
        search.new_game(5);
        let start = game.start();
        let report =
            search.choose(&Situation::new(&game, &start), &Limits::playouts(300), &mut Silent).expect("a move");
        let erased: BTreeMap<String, u64> =
            report.moves.iter().map(|stat| (game.print_move(&start, stat.mv), stat.visits)).collect();
        assert_eq!(erased, compiled.into_iter().collect(), "{spec}");
    }
}
