//! A position and its moves while their values are being proven.

use std::cmp::Reverse;

use banyan_core::{Bounds, Game, Margin, MoveList, Poll, Prover, Side};

use super::windows::{Nearby, between, stepping};

/// Positions of the first attempt to prove that some move reaches the value, and the factor of the next one. Guess, untuned.
const FIRST_ATTEMPT: u64 = 64;
const NEXT_ATTEMPT: u64 = 4;
/// The part of what is left of the limits in which a guess is refined, so that a proof can begin. Tuned by 60 endgames: with 1, twice as
/// many had no bound after two million positions each (section 8 of the endgames in `bench/results/2026-11-30-intel-xeon`).
const TO_REFINE: f64 = 0.5;

/// Proven bounds of a position and of its moves.
pub(super) struct Position<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) mover: Side,
    pub(super) bounds: Bounds,
    pub(super) moves: Vec<ProvenMove<G>>,
}

/// A move, the position after it and the bounds of its final margin.
pub(super) struct ProvenMove<G: Game> {
    pub(super) mv: G::Move,
    pub(super) state: G::State,
    pub(super) bounds: Bounds,
}

/// Parts of a position's value that are to be proven; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// Win, draw or loss, and a move that reaches it.
    Winner,
    /// The margin, and a move that reaches it.
    Value,
    /// The margin, and every move that reaches it.
    BestMoves,
    /// The margin of every move.
    Everything,
}

/// Method of a proof.
#[derive(Clone, Copy)]
pub(super) enum Way<'a> {
    /// The position as a whole, and then the moves that the goal requires.
    Whole(Goal),
    /// The outcome alone, move by move; the indices of the moves in their order.
    ByMoves(&'a [usize]),
}

/// Decides when a proof is stopped, and receives the bounds proven.
pub(super) trait ProofMonitor<G: Game> {
    /// Called after `nodes` positions: returns the number of positions at which to check again, or `None` to stop.
    fn next_check(&mut self, nodes: u64) -> Option<u64>;

    /// The number of positions of all threads at which it will stop.
    fn most_nodes(&self) -> u64 {
        u64::MAX
    }

    /// The part of its limits that is used after `nodes` positions; 0 if it has none.
    fn used(&self, _nodes: u64) -> f64 {
        0.0
    }

    /// Called when the bounds have changed.
    fn note(&mut self, position: &Position<'_, G>);
}

/// A better guess of the value of a position within its bounds, from this one, by a search in a part of what is left of the limits.
fn refined<G: Game>(
    prover: &mut dyn Prover<G>,
    game: &G,
    state: &G::State,
    (guess, known): (i16, Bounds),
    monitor: &mut dyn ProofMonitor<G>,
) -> i16 {
    let before = monitor.used(prover.nodes());
    let most = before + TO_REFINE * (1.0 - before);
    let poll: Poll<'_> = &mut |nodes| monitor.next_check(nodes).filter(|_| monitor.used(nodes) < most);
    prover.refine(game, state, guess, known, poll)
}

impl<'a, G: Game> Position<'a, G> {
    /// A position that is not over.
    pub(super) fn new(game: &'a G, state: &'a G::State) -> Position<'a, G> {
        let mut list = MoveList::new();
        game.moves(state, &mut list);
        let child = |mv: G::Move| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            let bounds = game.result(&next).map_or_else(|| game.bounds(&next), Bounds::exact);
            ProvenMove { mv, state: next, bounds }
        };
        let moves = list.iter().copied().map(child).collect();
        Position { game, state, mover: game.to_move(state), bounds: game.bounds(state), moves }
    }

    /// Proves in this `way` with one prover. `None` if stopped; proven bounds are kept.
    pub(super) fn prove_alone(
        &mut self,
        prover: &mut dyn Prover<G>,
        way: Way<'_>,
        thread: usize,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let goal = match way {
            Way::Whole(goal) => goal,
            Way::ByMoves(order) => {
                let rotated: Vec<usize> = (0..order.len()).map(|i| order[(i + thread) % order.len()]).collect();
                return self.prove_by_moves(prover, &rotated, monitor);
            }
        };
        // Which moves are tried first differs by thread, so that threads seldom prove the same move at the same time.
        let n = self.moves.len();
        let order: Vec<usize> = (0..n).map(|i| (i + first_move(thread, n)) % n).collect();
        self.value(prover, goal, &order, monitor)?;
        let (lower, upper) = self.bounds.seen_by(self.mover);
        // The least margin with the result that is proven.
        let wanted = if goal == Goal::Winner && lower != upper && lower >= 1 { 1 } else { lower };
        if matches!(goal, Goal::Winner | Goal::Value) {
            return self.find_reaching(wanted, &order, prover, monitor);
        }
        for &i in &order {
            if self.moves[i].seen_by(self.mover).0 < wanted && self.moves[i].seen_by(self.mover).1 >= wanted {
                self.test(i, wanted, prover, monitor)?;
            }
        }
        if goal == Goal::Everything {
            self.value_of_moves(prover, thread, monitor)?;
        }
        Some(())
    }

    /// Proves the value of every move. With guesses of the prover the moves that seem best come first, so that a proof that is stopped
    /// knows the values that matter.
    fn value_of_moves(
        &mut self,
        prover: &mut dyn Prover<G>,
        thread: usize,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let mut guessed: Vec<(usize, Option<i16>)> =
            (0..self.moves.len()).map(|i| (i, self.guess(i, prover))).collect();
        guessed.sort_by_key(|&(_, guess)| Reverse(guess));
        guessed.rotate_left(first_move(thread, self.moves.len()));
        for (i, guess) in guessed {
            let mut nearby = guess.map(|guess| Nearby::new(self.refined(i, guess, prover, monitor)));
            while !self.moves[i].bounds.is_exact() {
                let (lower, upper) = self.moves[i].seen_by(self.mover);
                let points = match nearby.as_mut() {
                    Some(nearby) => nearby.next(lower, upper),
                    None => prover.window(lower, upper).unwrap_or_else(|| between(lower, upper)),
                };
                self.test(i, points, prover, monitor)?;
            }
        }
        Some(())
    }

    /// The prover's guess of the value of a move for the side to move, if that is not proven.
    fn guess(&self, i: usize, prover: &mut dyn Prover<G>) -> Option<i16> {
        let mv = &self.moves[i];
        let guess = if mv.bounds.is_exact() { None } else { prover.guess(self.game, &mv.state) }?;
        Some(self.sign_after(mv) * guess)
    }

    /// A better guess of the value of a move, from this one.
    fn refined(&self, i: usize, guess: i16, prover: &mut dyn Prover<G>, monitor: &mut dyn ProofMonitor<G>) -> i16 {
        let mv = &self.moves[i];
        let sign = self.sign_after(mv);
        sign * refined(prover, self.game, &mv.state, (sign * guess, self.bounds_after(mv)), monitor)
    }

    /// 1 if the side to move is it after this move too, and -1 otherwise.
    fn sign_after(&self, mv: &ProvenMove<G>) -> i16 {
        if self.game.to_move(&mv.state) == self.mover { 1 } else { -1 }
    }

    /// The indices of all moves: those listed come first, in that order.
    pub(super) fn order_of(&self, listed: impl Iterator<Item = G::Move>) -> Vec<usize> {
        let mut order: Vec<usize> =
            listed.filter_map(|mv| self.moves.iter().position(|proven| proven.mv == mv)).collect();
        order.extend((0..self.moves.len()).filter(|i| !order.contains(i)).collect::<Vec<_>>());
        order
    }

    /// Proves the outcome move by move in this order. If it is stopped, the moves refuted so far are known, unlike in a proof of the whole
    /// position. `None` if stopped.
    fn prove_by_moves(
        &mut self,
        prover: &mut dyn Prover<G>,
        order: &[usize],
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        while self.outcome().is_none() {
            let (lower, upper) = self.bounds.seen_by(self.mover);
            let points = between(lower, upper);
            for &i in order {
                let (lower, upper) = self.moves[i].seen_by(self.mover);
                if lower < points && upper >= points {
                    self.test(i, points, prover, monitor)?;
                }
                if self.moves[i].seen_by(self.mover).0 >= points {
                    break;
                }
            }
            self.bounds = self.bounds.and(self.bounds_of_best_move());
            monitor.note(self);
        }
        self.find_reaching(self.outcome().expect("it is proven"), order, prover, monitor)
    }

    /// The bounds of the position that follow from those of its moves.
    fn bounds_of_best_move(&self) -> Bounds {
        let seen = self.moves.iter().map(|mv| mv.seen_by(self.mover));
        let (lower, upper) = seen.fold((i16::MIN, i16::MIN), |(a, b), (lower, upper)| (a.max(lower), b.max(upper)));
        Bounds::won_by(self.mover, lower, upper)
    }

    /// Proves the value, or only its sign, and for each lower bound on the way a move that reaches it: if the proof is stopped, that move
    /// is known, unless it was just being searched for.
    fn value(
        &mut self,
        prover: &mut dyn Prover<G>,
        goal: Goal,
        order: &[usize],
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let guess = match goal {
            Goal::Winner => None,
            _ if self.bounds.is_exact() => None,
            _ => prover
                .guess(self.game, self.state)
                .map(|guess| refined(prover, self.game, self.state, (guess, self.bounds), monitor)),
        };
        let mut nearby = guess.map(Nearby::new);
        loop {
            let (lower, upper) = self.bounds.seen_by(self.mover);
            if lower == upper || goal == Goal::Winner && (lower >= 1 || upper <= -1) {
                return Some(());
            }
            let points = match nearby.as_mut() {
                Some(nearby) => nearby.next(lower, upper),
                None if goal == Goal::Winner => between(lower, upper),
                None => prover.window(lower, upper).unwrap_or_else(|| stepping(lower, upper)),
            };
            let proven = prover.reaches(self.game, self.state, points, &mut |nodes| monitor.next_check(nodes))?;
            self.bounds = self.bounds.and(proven);
            monitor.note(self);
            let reached = self.bounds.seen_by(self.mover).0;
            let wanted = if goal == Goal::Winner { reached.min(1) } else { reached };
            let may_reach = |mv: &ProvenMove<G>| mv.seen_by(self.mover).1 >= wanted;
            if wanted > lower && self.moves.iter().any(may_reach) {
                self.find_reaching(wanted, order, prover, monitor)?;
            }
        }
    }

    /// Finds a move that reaches `points` for the side to move. The prover's table has the proof of such a move, so that short attempts at
    /// all moves find it sooner than complete proofs move by move.
    fn find_reaching(
        &mut self,
        points: i16,
        order: &[usize],
        prover: &mut dyn Prover<G>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let reaches = |mv: &ProvenMove<G>| mv.seen_by(self.mover).0 >= points;
        if self.moves.iter().any(reaches) {
            return Some(());
        }
        let mut most = FIRST_ATTEMPT;
        loop {
            let may_reach = |mv: &ProvenMove<G>| mv.seen_by(self.mover).1 >= points;
            // No move is left only if the table has confused two positions.
            if !self.moves.iter().any(may_reach) {
                return None;
            }
            for &i in order {
                let (lower, upper) = self.moves[i].seen_by(self.mover);
                if lower < points && upper >= points {
                    self.attempt(i, points, most, prover, monitor)?;
                }
                if self.moves[i].seen_by(self.mover).0 >= points {
                    return Some(());
                }
            }
            most = most.saturating_mul(NEXT_ATTEMPT);
        }
    }

    /// Determines whether a move reaches `points` for the side to move.
    fn test(
        &mut self,
        i: usize,
        points: i16,
        prover: &mut dyn Prover<G>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        self.attempt(i, points, u64::MAX, prover, monitor)
    }

    /// Determines whether a move reaches `points` for the side to move, if about `most` positions are enough.
    fn attempt(
        &mut self,
        i: usize,
        points: i16,
        most: u64,
        prover: &mut dyn Prover<G>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<()> {
        let mv = &mut self.moves[i];
        // The other side reaches 1 - points exactly if this one does not reach points.
        let points = if self.game.to_move(&mv.state) == self.mover { points } else { 1 - points };
        let last = prover.nodes().saturating_add(most);
        let mut gave_up = false;
        let proven = prover.reaches(self.game, &mv.state, points, &mut |nodes| {
            gave_up = nodes >= last;
            if gave_up { None } else { monitor.next_check(nodes).map(|next| next.min(last)) }
        });
        match proven {
            Some(proven) => mv.bounds = mv.bounds.and(proven),
            None if gave_up => return Some(()),
            None => return None,
        }
        monitor.note(self);
        Some(())
    }

    /// The number of moves that reach `points` for the side to move; `None` if stopped, or once it exceeds `most`.
    pub(super) fn count_reaching(
        &mut self,
        points: i16,
        most: usize,
        prover: &mut dyn Prover<G>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Option<usize> {
        let mut n = 0;
        for i in 0..self.moves.len() {
            let (lower, upper) = self.moves[i].seen_by(self.mover);
            if lower < points && upper >= points {
                self.test(i, points, prover, monitor)?;
            }
            n += usize::from(self.moves[i].seen_by(self.mover).0 >= points);
            if n > most {
                return None;
            }
        }
        Some(n)
    }

    /// The least margin with the proven outcome for the side to move: 1 for a win, 0 for a draw, `i16::MIN` for a loss; `None` while the
    /// outcome is open.
    pub(super) fn outcome(&self) -> Option<i16> {
        match self.bounds.seen_by(self.mover) {
            (1.., _) => Some(1),
            (0, 0) => Some(0),
            (_, ..=-1) => Some(i16::MIN),
            _ => None,
        }
    }

    /// Whether the value is known.
    pub(super) fn is_solved(&self) -> bool {
        self.bounds.is_exact()
    }

    /// The move with the best bounds: the largest lower bound, then the largest upper bound, the first of equals.
    pub(super) fn best_proven(&self) -> Option<&ProvenMove<G>> {
        let better = |one: &ProvenMove<G>, other: &ProvenMove<G>| one.seen_by(self.mover) > other.seen_by(self.mover);
        self.moves.iter().reduce(|best, mv| if better(mv, best) { mv } else { best })
    }

    /// Proven bounds of the position; `None` if they do not exceed those that follow from the rules alone.
    pub(super) fn proof(&self) -> Option<Bounds> {
        known(self.bounds, self.game.bounds(self.state))
    }

    /// Proven bounds of the position after a move; `None` if they do not exceed those that follow from the rules alone.
    pub(super) fn proof_after(&self, mv: &ProvenMove<G>) -> Option<Bounds> {
        known(self.bounds_after(mv), self.game.bounds(&mv.state))
    }

    /// The bounds of a move, limited by the upper bound of the position: no move gains more than the best one.
    pub(super) fn bounds_after(&self, mv: &ProvenMove<G>) -> Bounds {
        let (position, bounds) = (self.bounds, mv.bounds);
        match self.mover {
            Side::First => Bounds::new(bounds.lower, bounds.upper.min(position.upper)),
            Side::Second => Bounds::new(bounds.lower.max(position.lower), bounds.upper),
        }
    }

    /// Moves that are not proven to be worse than another one.
    pub(super) fn undominated(&self) -> impl Iterator<Item = &ProvenMove<G>> {
        let best = self.moves.iter().map(|mv| mv.seen_by(self.mover).0).max().unwrap_or(i16::MIN);
        self.moves.iter().filter(move |mv| mv.seen_by(self.mover).1 >= best)
    }

    /// The position after a move; `None` if the move is not legal.
    pub(super) fn after(&self, mv: G::Move) -> Option<&G::State> {
        self.moves.iter().find(|proven| proven.mv == mv).map(|proven| &proven.state)
    }
}

impl<G: Game> ProvenMove<G> {
    /// The bounds for `side`.
    pub(super) fn seen_by(&self, side: Side) -> (i16, i16) {
        self.bounds.seen_by(side)
    }
}

/// The place in the list of `n` moves from which a thread proves them.
fn first_move(thread: usize, n: usize) -> usize {
    thread * (n / 3 + 1) % n
}

/// The bounds, if they differ from those of the rules, or decide the result.
fn known(bounds: Bounds, of_rules: Bounds) -> Option<Bounds> {
    (bounds != of_rules || bounds.is_exact() || bounds.lower > Margin(0) || bounds.upper < Margin(0)).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use banyan_core::Rng;
    use banyan_testkit::web::{Hashed, Place, Web};

    use super::*;
    use crate::alpha_beta::AlphaBetaProver;

    /// Stops, if at all, as soon as the outcome is proven.
    struct Stopper {
        stops: bool,
        stopped: bool,
    }

    impl ProofMonitor<Web> for Stopper {
        fn next_check(&mut self, nodes: u64) -> Option<u64> {
            (!self.stopped).then_some(nodes + 1)
        }

        fn note(&mut self, position: &Position<'_, Web>) {
            self.stopped = self.stops && position.outcome().is_some();
        }
    }

    #[test]
    fn proofs_of_single_moves_find_one_that_keeps_the_outcome_even_if_that_was_known_before() {
        let mut rng = Rng::new(40);
        let mut known = 0;
        for i in 0..200 {
            let mut game = Web::new(40 + rng.below(25), &mut rng);
            game.apart = true;
            let start = game.start();
            let mut position = Position::new(&game, &start);
            let mut provers: Vec<Box<dyn Prover<Web>>> =
                vec![Box::new(AlphaBetaProver::new(1, Hashed { salt: rng.next_u64(), most: 400 }))];
            if i % 2 == 0 {
                let mut stopper = Stopper { stops: true, stopped: false };
                let done = position.prove(&mut provers, Way::Whole(Goal::Winner), &mut stopper);
                known += u32::from(done.is_none() && position.outcome().is_some());
            }
            let order = position.order_of(position.moves.iter().rev().map(|mv| mv.mv));
            let mut never = Stopper { stops: false, stopped: false };
            position.prove(&mut provers, Way::ByMoves(&order), &mut never).expect("nothing stops it");
            let seen = |value: Margin| value.seen_by(position.mover).signum();
            let best = position.best_proven().expect("there are moves");
            assert_eq!(seen(game.value(&best.state)), seen(game.value(&start)), "web {i}");
        }
        assert!(known > 5, "{known} outcomes were known before");
    }

    /// Guesses the value of each position, and refines a guess for as long as it may, up to `most` positions.
    struct Guessing {
        prover: AlphaBetaProver<Web, Hashed>,
        /// Positions visited to refine.
        refining: Arc<AtomicU64>,
        most: u64,
    }

    impl Guessing {
        fn boxed(hashed: Hashed, refining: &Arc<AtomicU64>, most: u64) -> Box<dyn Prover<Web>> {
            Box::new(Guessing { prover: AlphaBetaProver::new(1, hashed), refining: Arc::clone(refining), most })
        }
    }

    impl Prover<Web> for Guessing {
        fn reaches(&mut self, game: &Web, state: &Place, points: i16, poll: Poll<'_>) -> Option<Bounds> {
            let refining = self.refining.load(Relaxed);
            self.prover.reaches(game, state, points, &mut |nodes| Some(poll(nodes + refining)? - refining))
        }

        fn refine(&mut self, _game: &Web, _state: &Place, guess: i16, _known: Bounds, poll: Poll<'_>) -> i16 {
            for _ in 0..self.most {
                if poll(self.nodes()).is_none() {
                    break;
                }
                self.refining.fetch_add(1, Relaxed);
            }
            guess
        }

        fn guess(&mut self, game: &Web, state: &Place) -> Option<i16> {
            Some(game.value(state).seen_by(game.to_move(state)))
        }

        fn nodes(&self) -> u64 {
            self.prover.nodes() + self.refining.load(Relaxed)
        }

        fn forget(&mut self) {
            self.prover.forget();
        }

        fn fork(&self, thread: u32) -> Box<dyn Prover<Web>> {
            self.prover.fork(thread)
        }

        fn memory_bytes(&self) -> u64 {
            self.prover.memory_bytes()
        }
    }

    /// Stops as soon as the moves with the two largest values, which are at least `least`, are proven.
    struct UntilProven {
        least: i16,
        stopped: bool,
        others_open: bool,
    }

    impl ProofMonitor<Web> for UntilProven {
        fn next_check(&mut self, nodes: u64) -> Option<u64> {
            (!self.stopped).then_some(nodes + 1)
        }

        fn note(&mut self, position: &Position<'_, Web>) {
            let open: Vec<i16> = position
                .moves
                .iter()
                .filter(|mv| !mv.bounds.is_exact())
                .map(|mv| position.game.value(&mv.state).seen_by(position.mover))
                .collect();
            self.stopped = open.iter().all(|&value| value < self.least);
            self.others_open = !open.is_empty();
        }
    }

    #[test]
    fn the_moves_that_seem_best_are_valued_first() {
        let mut rng = Rng::new(59);
        let (mut n, mut others_open) = (0, 0);
        while n < 100 {
            let game = Web::new(40 + rng.below(25), &mut rng);
            let start = game.start();
            let mut position = Position::new(&game, &start);
            let mut values: Vec<i16> =
                position.moves.iter().map(|mv| game.value(&mv.state).seen_by(position.mover)).collect();
            values.sort_by_key(|&value| Reverse(value));
            values.dedup();
            if values.len() < 3 {
                continue;
            }
            n += 1;
            let hashed = Hashed { salt: rng.next_u64(), most: 400 };
            let mut provers: Vec<Box<dyn Prover<Web>>> = vec![Guessing::boxed(hashed, &Arc::default(), 0)];
            let mut monitor = UntilProven { least: values[1], stopped: false, others_open: false };
            position.prove(&mut provers, Way::Whole(Goal::Everything), &mut monitor);
            others_open += u32::from(monitor.others_open);
        }
        // In the order of the list the others would be open half as often.
        assert!(others_open > 85, "{others_open} of {n} proofs leave the others open");
    }

    /// A limit on positions.
    struct Limited(u64);

    impl ProofMonitor<Web> for Limited {
        fn next_check(&mut self, nodes: u64) -> Option<u64> {
            (nodes < self.0).then_some(nodes + 1)
        }

        fn used(&self, nodes: u64) -> f64 {
            nodes as f64 / self.0 as f64
        }

        fn note(&mut self, _position: &Position<'_, Web>) {}
    }

    #[test]
    fn a_guess_is_refined_in_half_of_the_limits_so_that_something_is_proven() {
        let mut rng = Rng::new(63);
        for most in [1000, 4000] {
            let game = Web::new(60, &mut rng);
            let start = game.start();
            let mut position = Position::new(&game, &start);
            let refining = Arc::default();
            let mut provers = vec![Guessing::boxed(Hashed { salt: rng.next_u64(), most: 400 }, &refining, u64::MAX)];
            position.prove(&mut provers, Way::Whole(Goal::Value), &mut Limited(most));
            assert_eq!(refining.load(Relaxed), most / 2);
            assert!(position.proof().is_some());
        }
    }
}
