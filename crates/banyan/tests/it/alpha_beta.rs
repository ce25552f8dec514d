//! The alpha-beta family against a plain negamax, on positions of the three games.

use banyan::catalog::Means;
use banyan::catalog::view::Analysis;
use banyan::connect_four::{ConnectFour, ConnectFourKnowledge};
use banyan::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesKnowledge};
use banyan::reversi::{Reversi, ReversiKnowledge};
use banyan::{Bounds, Game, Knowledge, Limits, MoveList, Notation, Rng, Side, Silent, mix};
use banyan_core::FINE;
use banyan_testkit::{after, listed, rounds};

use crate::{ALPHA_BETA, Board, best, depth, random_position, seat};

/// Evaluations at the horizon.
const EVALS: [&str; 2] = ["hash", "static"];

/// Settings on top of an algorithm and an evaluation.
const SETTINGS: [&str; 7] = [
    "",
    ",table-mib=off",
    ",table-mib=off,order=listed,forced=never",
    ",order=static,window=off",
    ",forced=never,symmetry=1",
    ",symmetry=2,window=0.125",
    ",forced=never,table-mib=1",
];

/// A reference search without cutoffs, table or move ordering.
struct Reference<'a, G, K> {
    game: &'a G,
    knowledge: K,
}

impl<G: Game, K: Knowledge<G>> Reference<'_, G, K> {
    /// The evaluation at the horizon, seen by the first side; `hash` is up to three points to either side of the score.
    fn at_horizon(&mut self, state: &G::State, eval: &str) -> i32 {
        match eval {
            "static" => self.knowledge.static_eval(self.game, state),
            "hash" => {
                let most = 3 * FINE;
                let to_come = (mix(self.knowledge.solver_key(self.game, state)) % (2 * most as u64 + 1)) as i32 - most;
                i32::from(self.game.score(state).0) * FINE + to_come * i32::from(self.game.to_move(state).sign())
            }
            _ => panic!("eval={eval}"),
        }
    }

    /// The value for the first side of a search `depth` plies deep. Values are clamped to the bounds by the rules. With
    /// `forced` only undominated moves are tried.
    fn search(&mut self, state: &G::State, depth: u32, forced: bool, eval: &str) -> i32 {
        if let Some(margin) = self.game.result(state) {
            return i32::from(margin.0) * FINE;
        }
        let bounds = self.game.bounds(state);
        if depth == 0 {
            return within(self.at_horizon(state, eval), bounds);
        }
        let mut moves = MoveList::new();
        let mut proven = None;
        if forced {
            proven = self.knowledge.undominated(self.game, state, &mut moves);
        } else {
            self.game.moves(state, &mut moves);
        }
        let values = moves.into_iter().map(|mv| self.search(&after(self.game, state, mv), depth - 1, forced, eval));
        let values: Vec<i32> = values.collect();
        let best = if self.game.to_move(state) == Side::First { values.iter().max() } else { values.iter().min() };
        let best = within(*best.expect("a position that is not over has a move"), bounds);
        proven.map_or(best, |proven| within(best, proven))
    }

    /// The final margin under best play, seen by the first side.
    fn exact(&mut self, state: &G::State) -> i16 {
        (self.search(state, u32::MAX, false, "static") / FINE) as i16
    }
}

fn within(points: i32, bounds: Bounds) -> i32 {
    points.clamp(i32::from(bounds.lower.0) * FINE, i32::from(bounds.upper.0) * FINE)
}

/// Whether the value of an analysis corresponds to `points` for the side to move. Unless the result is proven, the
/// value is an expected result, whose tanh the search computes to 1e-4.
fn agrees(found: &Analysis, points: i32, scale: i32) -> bool {
    let Some(proof) = found.proof else { return is_expected(found, points, scale) };
    let (lower, upper) = (i32::from(proof.lower) * FINE, i32::from(proof.upper) * FINE);
    let is_right = if lower.signum() == upper.signum() {
        found.value == f64::from(lower.signum())
    } else {
        is_expected(found, points, scale)
    };
    (lower..=upper).contains(&points) && is_right
}

fn is_expected(found: &Analysis, points: i32, scale: i32) -> bool {
    (found.value - (f64::from(points) / f64::from(scale)).tanh()).abs() < 2e-4
}

/// `mirrored`: whether the undominated moves of symmetric positions are symmetric, so that these may share entries.
fn check_depths<G: Notation, K: Knowledge<G> + Clone>(options: &str, knowledge: K, deepest: u32, mirrored: bool) {
    let positions = rounds(20, 60);
    let board = Board::<G>::new(options);
    let game = &board.game;
    let mut reference = Reference { game, knowledge: knowledge.clone() };
    let scale = knowledge.eval_scale(game);
    let mut rng = Rng::new(5);
    for i in 0..positions {
        let state = random_position(game, i * u32::from(game.max_plies()) / positions, &mut rng);
        let sign = i32::from(game.to_move(&state).sign());
        let near_the_end = game.max_plies() - game.ply(&state) <= 8;
        let exact = near_the_end.then(|| reference.exact(&state) * sign as i16);
        let is_settled = knowledge.undominated(game, &state, &mut MoveList::new()).is_some();
        for eval in EVALS {
            let plain = [false, true].map(|forced| {
                (1..=deepest).map(|depth| reference.search(&state, depth, forced, eval)).collect::<Vec<i32>>()
            });
            for settings in SETTINGS {
                let forced = !settings.contains("forced=never");
                if forced && settings.contains("symmetry") && !mirrored {
                    continue;
                }
                for algorithm in ALPHA_BETA {
                    let player = format!("{algorithm}:eval={eval}{settings}");
                    let mut session = board.open(&state);
                    let seat = seat(&mut session, &player);
                    // Depth by depth with the same table, the last one twice.
                    for plies in (1..=deepest).chain([deepest]) {
                        let found = session.choose(seat, &depth(plies), &mut Silent).expect("no fault");
                        let expected = plain[usize::from(forced)][plies as usize - 1];
                        let shown = || format!("{player}, depth {plies}, expected {expected}: {found:#?}");
                        assert!(agrees(&found, expected * sign, scale), "{}", shown());
                        if let (Some(exact), Some(proof)) = (exact, found.proof) {
                            assert!((proof.lower..=proof.upper).contains(&exact), "{exact} is exact: {}", shown());
                        }
                        let mv = game.parse_move(&state, best(&found)).expect("a legal move");
                        let reached = reference.search(&after(game, &state, mv), plies - 1, forced, eval);
                        assert!(reached == expected || forced && is_settled, "{reached} reached: {}", shown());
                    }
                }
            }
        }
    }
}

#[test]
fn every_variant_gives_the_value_of_a_plain_negamax_in_connect_four() {
    check_depths::<ConnectFour<u64>, _>("4x5", ConnectFourKnowledge, 5, true);
    check_depths::<ConnectFour<u64>, _>("6x7", ConnectFourKnowledge, 4, true);
}

#[test]
fn every_variant_gives_the_value_of_a_plain_negamax_in_reversi() {
    check_depths::<Reversi<u64>, _>("4x4", ReversiKnowledge::default(), 5, true);
    check_depths::<Reversi<u64>, _>("6x6", ReversiKnowledge::default(), 4, true);
}

#[test]
fn every_variant_gives_the_value_of_a_plain_negamax_in_dots_and_boxes() {
    check_depths::<DotsAndBoxes<u64>, _>("2x2", DotsAndBoxesKnowledge::default(), 5, false);
    check_depths::<DotsAndBoxes<u64>, _>("3x3", DotsAndBoxesKnowledge::default(), 3, false);
}

fn check_solved<G: Notation, K: Knowledge<G>>(options: &str, knowledge: K, positions: u32, plies_left: u32) {
    let board = Board::<G>::new(options);
    let game = &board.game;
    let mut reference = Reference { game, knowledge };
    let mut rng = Rng::new(7);
    let mut n_solved = 0;
    for _ in 0..positions {
        let plies = u32::from(game.max_plies()).saturating_sub(plies_left);
        let state = random_position(game, plies, &mut rng);
        // Positions of games that ended earlier are too large for a search without a table.
        if u32::from(game.ply(&state)) < plies {
            continue;
        }
        n_solved += 1;
        let mover = game.to_move(&state);
        let means = Means { table_mib: 16, threads: 1 };
        let solved = board.open(&state).solve(means, &Limits::default(), &mut Silent);
        let value = reference.exact(&state) * mover.sign();
        assert!(solved.margin == Some(value) && solved.is_complete(), "{value} is the value: {solved:#?}");
        let (mut known, mut best) = (Vec::new(), Vec::new());
        for mv in listed(game, &state) {
            let (text, after) = (game.print_move(&state, mv), reference.exact(&after(game, &state, mv)) * mover.sign());
            if after == value {
                best.push(text.clone());
            }
            known.push((text, Some(after)));
        }
        let mut found: Vec<(String, Option<i16>)> = solved.moves.iter().map(|mv| (mv.mv.clone(), mv.margin)).collect();
        let mut found_best = solved.best.clone();
        known.sort();
        found.sort();
        best.sort();
        found_best.sort();
        assert_eq!((found, found_best), (known, best), "{solved:#?}");
    }
    assert!(3 * n_solved > positions, "only {n_solved} of {positions} games were long enough in {options}");
}

#[test]
fn solved_positions_have_the_values_of_a_plain_negamax() {
    check_solved::<ConnectFour<u64>, _>("4x4", ConnectFourKnowledge, 30, 9);
    check_solved::<ConnectFour<u64>, _>("5x5,hole=c2", ConnectFourKnowledge, 30, 9);
    check_solved::<Reversi<u64>, _>("4x4", ReversiKnowledge::default(), 30, 16);
    check_solved::<DotsAndBoxes<u64>, _>("2x2", DotsAndBoxesKnowledge::default(), 20, 8);
    check_solved::<DotsAndBoxes<u64>, _>("3x3", DotsAndBoxesKnowledge::default(), 30, 8);
}
