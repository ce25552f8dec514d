//! Proofs of the alpha-beta family and the solver are true, whatever the table has from earlier positions.

use banyan_core::{
    Bounds, FINE, Game, Limits, Margin, Plain, Player, Report, Rng, Side, Silent, Situation, Solver, mix,
};
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, AlphaBetaProver, ProvingSolver};
use banyan_testkit::rounds;
use banyan_testkit::toy::Toy;
use banyan_testkit::web::{Hashed, Place, Web};

const SETTINGS: [&str; 6] = [
    "table-mib=1",
    "table-mib=1,window=off",
    "table-mib=off",
    "table-mib=1,reuse=none",
    "table-mib=1,lines=all",
    "table-mib=off,lines=3",
];

fn player(algorithm: Algorithm, settings: &str, rng: &mut Rng) -> AlphaBeta<Web, Hashed> {
    let mut config = AlphaBetaConfig::new(algorithm);
    for (name, value) in settings.split(',').filter_map(|setting| setting.split_once('=')) {
        config.set(name, value).expect(settings);
    }
    let most = [64, 400, 2000, i32::MAX / 2][rng.below(4) as usize];
    AlphaBeta::with_knowledge(config, Hashed { salt: rng.next_u64(), most })
}

pub(crate) fn after(game: &Web, place: &Place, mv: u8) -> Place {
    let mut next = *place;
    game.play(&mut next, mv);
    next
}

pub(crate) fn check(game: &Web, place: &Place, report: &Report<u8>, shown: &str) {
    let truth = game.value(place);
    let mover = game.to_move(place);
    if let Some(proof) = report.proof {
        assert!(proof.contains(truth), "{proof:?} for {truth}: {shown}");
        if proof.is_exact() {
            assert_eq!(report.value, f64::from(truth.seen_by(mover).signum()), "{shown}");
            assert_eq!(game.value(&after(game, place, report.best)), truth, "proven, but not by its move: {shown}");
        }
    }
    for stat in &report.moves {
        let truth = game.value(&after(game, place, stat.mv));
        assert!(stat.proof.is_none_or(|proof| proof.contains(truth)), "{:?} for {truth}: {shown}", stat.proof);
        if stat.proof.is_some_and(Bounds::is_exact) {
            assert_eq!(stat.value, f64::from(truth.seen_by(mover).signum()), "{shown}");
        }
    }
}

/// Plays a game, half of whose moves are the player's and half random, and returns the number of proven positions.
fn play(game: &Web, player: &mut AlphaBeta<Web, Hashed>, rng: &mut Rng, shown: &str) -> u32 {
    player.new_game(0);
    let start = game.start();
    let (mut place, mut proven) = (start, 0);
    while game.result(&place).is_none() {
        let depth = 1 + rng.below(12);
        let limits = Limits { depth: Some(depth), nodes: Some(20_000), ..Limits::default() };
        let at = Situation { game, start: &start, played: &[], state: &place };
        let report = player.choose(&at, &limits, &mut Silent).expect("it does not fail");
        check(game, &place, &report, &format!("{shown}, depth {depth} at {place:?}"));
        proven += u32::from(report.proof.is_some_and(Bounds::is_exact));
        let others = &report.moves;
        let mv = if rng.below(2) == 0 { report.best } else { others[rng.below(others.len() as u32) as usize].mv };
        place = after(game, &place, mv);
    }
    proven
}

#[test]
fn proofs_are_true_and_the_move_played_attains_them() {
    let mut rng = Rng::new(12);
    let webs = rounds(300, 900);
    let mut proven = 0;
    for i in 0..webs {
        let mut game = Web::new(15 + rng.below(50), &mut rng);
        game.open = i % 8 == 0;
        for algorithm in [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf] {
            for settings in SETTINGS {
                let mut player = player(algorithm, settings, &mut rng);
                proven += play(&game, &mut player, &mut rng, &format!("web {i}, {algorithm:?} {settings}"));
            }
        }
    }
    assert!(proven > 400 * webs / 9, "{proven}");
}

/// The value of a move at a depth of at least two plies, by a search of the position after it.
fn value_of(game: &Web, player: &mut AlphaBeta<Web, Hashed>, place: &Place, mv: u8, depth: u32) -> f64 {
    let next = after(game, place, mv);
    let points = match game.result(&next) {
        Some(margin) => i32::from(margin.0) * FINE,
        None => player.search_to_depth(game, &next, depth - 1).points,
    };
    f64::from(points * i32::from(game.to_move(place).sign())) / f64::from(FINE)
}

#[test]
fn every_line_has_the_value_of_a_search_of_its_own() {
    let mut rng = Rng::new(21);
    let mut n_lines = 0;
    for _ in 0..rounds(60, 600) {
        let game = Web::new(15 + rng.below(50), &mut rng);
        let start = game.start();
        for algorithm in [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf] {
            let player_of = |lines: &str, seed: u64| {
                player(algorithm, &format!("table-mib=off,forced=never,probcut=off,lines={lines}"), &mut Rng::new(seed))
            };
            let seed = rng.next_u64();
            let (mut all, mut three, mut alone) = (player_of("all", seed), player_of("3", seed), player_of("1", seed));
            let mut place = start;
            while game.result(&place).is_none() {
                let depth = 2 + rng.below(4);
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let at = Situation { game: &game, start: &start, played: &[], state: &place };
                let report = all.choose(&at, &limits, &mut Silent).expect("it does not fail");
                let depth = report.depth.expect("a depth");
                for stat in &report.moves {
                    let proven = stat.proof.is_some_and(Bounds::is_exact);
                    let expected = Some(value_of(&game, &mut alone, &place, stat.mv, depth.max(2)));
                    assert!(
                        !stat.is_bound && (proven || depth < 2 || stat.margin == expected),
                        "{expected:?} for {stat:?}"
                    );
                }
                let values = |report: &Report<u8>| report.moves.iter().map(|stat| stat.margin).collect::<Vec<_>>();
                assert!(values(&report).is_sorted_by(|a, b| a >= b), "{report:?}");
                let some = three.choose(&at, &limits, &mut Silent).expect("it does not fail");
                let n = some.moves.len().min(3);
                assert_eq!(values(&some)[..n], values(&report)[..n], "{some:?} {report:?}");
                assert!(some.moves[..n].iter().all(|stat| !stat.is_bound));
                n_lines += report.moves.len();
                place = after(&game, &place, report.moves[rng.below(report.moves.len() as u32) as usize].mv);
            }
        }
    }
    assert!(n_lines > 1000, "{n_lines}");
}

#[test]
fn the_solver_finds_the_value_of_every_move() {
    let mut rng = Rng::new(13);
    let mut solver = ProvingSolver::new(Box::new(AlphaBetaProver::new(1, Plain)), 1);
    for _ in 0..60 {
        // One solver for all webs: positions of different ones have different keys, but the same start.
        let game = Web::new(15 + rng.below(50), &mut rng);
        let start = game.start();
        let mut place = start;
        while game.result(&place).is_none() {
            let at = Situation { game: &game, start: &start, played: &[], state: &place };
            let solution = solver.solve(&at, &Limits::default(), &mut Silent);
            assert_eq!(solution.bounds, Bounds::exact(game.value(&place)), "{place:?}");
            for &(mv, bounds) in &solution.moves {
                assert_eq!(bounds, Bounds::exact(game.value(&after(&game, &place, mv))), "{mv} at {place:?}");
            }
            place = after(&game, &place, solution.moves[rng.below(solution.moves.len() as u32) as usize].0);
        }
    }
}

/// A game of one move between margins near the limits of their type, which are the score afterwards.
const WIDE: Toy = Toy {
    start: 4,
    to_move: |_| Side::Second,
    n_moves: |_| 3,
    after: |_, mv| [i16::MAX, 7, -i16::MAX][usize::from(mv)] as u64,
    key: |ply, _| mix(ply.into()),
    margin: |value| value as i16,
    range: [-i16::MAX, i16::MAX],
    score: |value| value as i16,
    ..Toy::PLAIN
};

#[test]
fn margins_may_be_near_the_limits_of_their_type() {
    let start = WIDE.start();
    let at = Situation { game: &WIDE, start: &start, played: &[], state: &start };
    for algorithm in [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf] {
        let mut player = AlphaBeta::new(AlphaBetaConfig::new(algorithm));
        let report = player.choose(&at, &Limits::default(), &mut Silent).expect("it does not fail");
        assert_eq!((report.best, report.proof), (2, Some(Bounds::exact(Margin(-i16::MAX)))), "{algorithm:?}");
    }
    let solution =
        ProvingSolver::new(Box::new(AlphaBetaProver::new(1, Plain)), 1).solve(&at, &Limits::default(), &mut Silent);
    assert_eq!(solution.bounds, Bounds::exact(Margin(-i16::MAX)));
}
