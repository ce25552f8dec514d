//! An ensemble: several players choose a move each, and the move chosen most often is played.

use banyan_core::{
    Bounds, Clock, Fault, Flow, Game, Limits, Margin, MoveStat, Player, Report, Rng, SearchObserver, Situation,
    sort_by_order,
};

/// Lets several players vote on the move. They search one after the other, each with an equal share of the budget, and
/// have one vote each. Ties go to the move with the highest mean value over the members, then to the one whose first
/// vote came first.
///
/// The report gives votes as visits, and values as the mean over the members that report values. The authors of
/// a published engine found such an ensemble weaker than its best member.
pub struct Vote<G: Game> {
    members: Vec<Box<dyn Player<G>>>,
}

impl<G: Game> Vote<G> {
    /// An ensemble of these players, which vote in this order.
    ///
    /// # Panics
    /// If `members` is empty.
    pub fn new(members: Vec<Box<dyn Player<G>>>) -> Vote<G> {
        assert!(!members.is_empty(), "an ensemble needs a member");
        Vote { members }
    }
}

impl<G: Game> Player<G> for Vote<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let started = limits.timer.now();
        let share = share(limits, self.members.len() as u32);
        let mut forwarding = ForwardingObserver { observer, stop_requested: false };
        let mut reports: Vec<Report<G::Move>> = Vec::with_capacity(self.members.len());
        for member in &mut self.members {
            // A member that has not begun when the search is stopped has no vote; the first always has one.
            if !reports.is_empty() && forwarding.stopped() {
                break;
            }
            reports.push(member.choose(at, &share, &mut forwarding)?);
        }
        Ok(Report { elapsed: limits.timer.since(started), ..count(&reports) })
    }

    fn new_game(&mut self, seed: u64) {
        let mut rng = Rng::new(seed);
        self.members.iter_mut().for_each(|member| member.new_game(rng.next_u64()));
    }

    fn prepare(&mut self, at: &Situation<'_, G>, observer: &mut dyn SearchObserver<G::Move>) -> Result<(), Fault> {
        self.members.iter_mut().try_for_each(|member| member.prepare(at, observer))
    }

    fn game_over(&mut self, result: Margin) {
        self.members.iter_mut().for_each(|member| member.game_over(result));
    }
}

/// The budget of each of `n` players: together at most `limits`, and each at least one playout and one node, without
/// which no player can choose.
fn share(limits: &Limits, n: u32) -> Limits {
    let part = |count: u64| (count / u64::from(n)).max(1);
    // A player divides its remaining clock time over its moves, so a share of the clock is a share of the move's time.
    let clock = |clock: Clock| Clock { own: clock.own / n, other: clock.other / n, increment: clock.increment / n };
    Limits {
        time: limits.time.map(|time| time / n),
        clock: limits.clock.map(clock),
        playouts: limits.playouts.map(part),
        nodes: limits.nodes.map(part),
        // Only the best move of each is counted.
        lines: None,
        ..*limits
    }
}

/// Forwards the progress of a member and records a request to stop.
struct ForwardingObserver<'a, M> {
    observer: &'a mut dyn SearchObserver<M>,
    stop_requested: bool,
}

impl<M> SearchObserver<M> for ForwardingObserver<'_, M> {
    fn stopped(&mut self) -> bool {
        self.stop_requested = self.stop_requested || self.observer.stopped();
        self.stop_requested
    }

    fn progress(&mut self, report: &Report<M>) -> Flow {
        let flow = self.observer.progress(report);
        self.stop_requested |= flow == Flow::Stop;
        flow
    }
}

/// The report of the vote, except for the elapsed time.
fn count<M: Copy + Eq>(reports: &[Report<M>]) -> Report<M> {
    let mut moves: Vec<MoveStat<M>> = considered(reports).into_iter().map(|mv| statistics(mv, reports)).collect();
    // A stable sort keeps equals in the order of the members.
    sort_by_order(&mut moves, |a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)).is_lt());
    let first = moves.first().expect("every member has chosen a move");
    Report {
        best: first.mv,
        value: first.value,
        margin: None,
        proof: reports.iter().filter_map(|report| report.proof).reduce(Bounds::and),
        pv: first.pv.clone(),
        playouts: reports.iter().map(|report| report.playouts).sum(),
        depth: None,
        nodes: reports.iter().map(|report| report.nodes).sum(),
        reused: reports.iter().map(|report| report.reused).sum::<f64>() / reports.len() as f64,
        memory_bytes: reports.iter().map(|report| report.memory_bytes).sum(),
        elapsed: reports.iter().map(|report| report.elapsed).sum(),
        from_book: reports.iter().all(|report| report.from_book),
        moves,
    }
}

/// Every move chosen by a member, in the order of the members, then every other move of their reports.
fn considered<M: Copy + Eq>(reports: &[Report<M>]) -> Vec<M> {
    let chosen = reports.iter().map(|report| report.best);
    let others = reports.iter().flat_map(|report| report.moves.iter().map(|stat| stat.mv));
    let mut moves = Vec::new();
    for mv in chosen.chain(others) {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    moves
}

/// The statistics of `mv` over all members. Its principal variation is that of the first member that chose it, else of
/// the first that has one.
fn statistics<M: Copy + Eq>(mv: M, reports: &[Report<M>]) -> MoveStat<M> {
    let stats = || reports.iter().filter_map(|report| report.moves.iter().find(|stat| stat.mv == mv));
    let n_judges = reports.iter().filter(|report| !report.moves.is_empty()).count();
    let voters = || reports.iter().filter(|report| report.best == mv);
    let pvs = voters().map(|report| &report.pv).chain(stats().map(|stat| &stat.pv));
    MoveStat {
        mv,
        visits: voters().count() as u64,
        // A move missing from a report counts as 0: one divisor for all moves keeps their order.
        value: stats().map(|stat| stat.value).sum::<f64>() / n_judges.max(1) as f64,
        margin: None,
        is_bound: false,
        proof: stats().filter_map(|stat| stat.proof).reduce(Bounds::and),
        pv: pvs.into_iter().next().cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use banyan_core::Silent;

    use super::*;

    /// One move out of four ends the game.
    struct Once;

    impl Game for Once {
        type State = u8;
        type Move = u8;

        fn start(&self) -> u8 {
            0
        }

        fn to_move(&self, _: &u8) -> banyan_core::Side {
            banyan_core::Side::First
        }

        fn result(&self, state: &u8) -> Option<Margin> {
            (*state > 0).then_some(Margin(i16::from(*state)))
        }

        fn moves(&self, _: &u8, out: &mut Vec<u8>) {
            out.extend(1..=4);
        }

        fn play(&self, state: &mut u8, mv: u8) {
            *state = mv;
        }

        fn ply(&self, state: &u8) -> u16 {
            u16::from(*state > 0)
        }

        fn max_plies(&self) -> u16 {
            1
        }

        fn key(&self, state: &u8) -> u64 {
            u64::from(*state)
        }

        fn margin_range(&self) -> Bounds {
            Bounds::new(Margin(1), Margin(4))
        }
    }

    type Calls = Arc<Mutex<Vec<(Limits, u64)>>>;

    /// Chooses `best`, values the moves as listed, and records the limits and seed of each call.
    struct Scripted {
        best: u8,
        values: Vec<(u8, f64)>,
        proof: Option<Bounds>,
        seed: u64,
        calls: Calls,
    }

    impl Player<Once> for Scripted {
        fn choose(
            &mut self,
            _: &Situation<'_, Once>,
            limits: &Limits,
            observer: &mut dyn SearchObserver<u8>,
        ) -> Result<Report<u8>, Fault> {
            self.calls.lock().expect("one thread").push((*limits, self.seed));
            let stat = |&(mv, value): &(u8, f64)| MoveStat {
                mv,
                visits: 9,
                value,
                margin: None,
                is_bound: false,
                proof: self.proof,
                pv: vec![mv],
            };
            let moves = self.values.iter().map(stat).collect();
            let report = Report { moves, playouts: 10, nodes: 3, ..Report::bare(self.best, Duration::ZERO) };
            observer.progress(&report);
            Ok(report)
        }

        fn new_game(&mut self, seed: u64) {
            self.seed = seed;
        }
    }

    /// The choice and the move values of each member.
    type Script<'a> = &'a [(u8, &'a [(u8, f64)])];

    fn vote(script: Script<'_>, calls: &Calls) -> Vote<Once> {
        let member = |&(best, values): &(u8, &[(u8, f64)])| {
            let calls = Arc::clone(calls);
            Box::new(Scripted { best, values: values.to_vec(), proof: None, seed: 0, calls }) as Box<dyn Player<Once>>
        };
        Vote::new(script.iter().map(member).collect())
    }

    fn choose_move(player: &mut Vote<Once>, limits: &Limits, observer: &mut dyn SearchObserver<u8>) -> Report<u8> {
        let at = Situation { game: &Once, start: &0, played: &[], state: &0 };
        player.choose(&at, limits, observer).expect("scripted players choose")
    }

    fn outcome(script: Script<'_>) -> Report<u8> {
        choose_move(&mut vote(script, &Calls::default()), &Limits::default(), &mut Silent)
    }

    #[test]
    fn most_votes_win_regardless_of_values() {
        let report = outcome(&[(1, &[(1, 0.9), (2, 0.1)]), (2, &[(2, 0.2), (1, 0.0)]), (2, &[(2, 0.0)])]);
        let votes: Vec<(u8, u64)> = report.moves.iter().map(|stat| (stat.mv, stat.visits)).collect();
        assert_eq!((report.best, votes), (2, vec![(2, 2), (1, 1)]));
        assert!((report.value - 0.1).abs() < 1e-12 && (report.moves[1].value - 0.3).abs() < 1e-12, "{report:?}");
        assert_eq!((report.playouts, report.nodes, report.pv), (30, 9, vec![2]));
    }

    #[test]
    fn ties_go_to_the_higher_value_then_to_the_first_vote() {
        assert_eq!(outcome(&[(1, &[(1, 0.2), (2, 0.1)]), (2, &[(2, 0.4), (1, 0.1)])]).best, 2);
        assert_eq!(outcome(&[(4, &[]), (1, &[(1, -0.5), (2, 0.1)]), (2, &[(2, -0.5), (1, 0.1)])]).best, 4);
        assert_eq!(outcome(&[(3, &[]), (2, &[]), (1, &[])]).best, 3);
        // A move without a vote is never played, whatever its value.
        assert_eq!(outcome(&[(1, &[(1, -1.0), (3, 1.0)]), (2, &[(2, -0.9), (3, 1.0)])]).best, 2);
    }

    #[test]
    fn a_member_without_values_does_not_change_the_mean() {
        let report = outcome(&[(1, &[]), (1, &[(1, 0.6), (2, 0.5)])]);
        assert_eq!((report.best, report.value, report.moves.len()), (1, 0.6, 2));
    }

    #[test]
    fn every_member_gets_an_equal_share() {
        let (calls, ms) = (Calls::default(), Duration::from_millis);
        let clock = Some(Clock { own: ms(900), other: ms(300), increment: ms(30) });
        let limits = Limits { playouts: Some(100), nodes: Some(2), depth: Some(5), clock, ..Limits::time(ms(60)) };
        choose_move(&mut vote(&[(1, &[]), (2, &[]), (3, &[])], &calls), &limits, &mut Silent);
        let clock = Some(Clock { own: ms(300), other: ms(100), increment: ms(10) });
        let share = Limits { playouts: Some(33), nodes: Some(1), depth: Some(5), clock, ..Limits::time(ms(20)) };
        assert_eq!(*calls.lock().expect("one thread"), [(share, 0); 3]);
        assert_eq!(super::share(&Limits::default(), 3), Limits::default());
    }

    #[test]
    fn each_member_has_its_own_seed_derived_from_the_given_one() {
        let seeds = |seed: u64| {
            let calls = Calls::default();
            let mut player = vote(&[(1, &[]), (1, &[])], &calls);
            player.new_game(seed);
            choose_move(&mut player, &Limits::default(), &mut Silent);
            let calls = calls.lock().expect("one thread");
            [calls[0].1, calls[1].1]
        };
        assert_eq!(seeds(1), seeds(1));
        assert!(seeds(1)[0] != seeds(1)[1] && seeds(1) != seeds(2));
    }

    /// Stops at the report of this number.
    struct Stopper(u32);

    impl SearchObserver<u8> for Stopper {
        fn progress(&mut self, _: &Report<u8>) -> Flow {
            self.0 -= 1;
            if self.0 == 0 { Flow::Stop } else { Flow::Continue }
        }
    }

    #[test]
    fn a_member_that_has_not_begun_when_stopped_has_no_vote() {
        for stop_at in [1, 2] {
            let calls = Calls::default();
            let report = choose_move(
                &mut vote(&[(1, &[]), (2, &[]), (2, &[])], &calls),
                &Limits::default(),
                &mut Stopper(stop_at),
            );
            assert_eq!(calls.lock().expect("one thread").len() as u32, stop_at);
            assert_eq!(report.best, 1);
        }
    }

    #[test]
    fn proven_bounds_are_intersected() {
        let member = |best: u8, lower: i16, upper: i16| {
            let proof = Some(Bounds::new(Margin(lower), Margin(upper)));
            let calls = Calls::default();
            Box::new(Scripted { best, values: vec![(best, 0.0)], proof, seed: 0, calls }) as Box<dyn Player<Once>>
        };
        let report =
            choose_move(&mut Vote::new(vec![member(2, 1, 3), member(2, 2, 4)]), &Limits::default(), &mut Silent);
        assert_eq!(report.moves[0].proof, Some(Bounds::new(Margin(2), Margin(3))));
    }
}
