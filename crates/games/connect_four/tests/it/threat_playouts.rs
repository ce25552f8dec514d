//! Connect Four: `threat` playouts against a plain reference, and the bounds that they prove against exact values.

use crate::plain::Plain;
use banyan_connect_four::{ConnectFour, ConnectFourKnowledge, Grid, State, ThreatRules};
use banyan_core::{Bounds, Game, Margin, Notation, Playout, Rng, random_move, tactical_playout};
use banyan_testkit::{Exact, random_game, rounds};

fn game<B: Grid>(spec: &str) -> ConnectFour<B> {
    ConnectFour::from_options(spec).expect("a valid board for this word")
}

/// A playout by the fast implementation.
fn fast<B: Grid>(game: &ConnectFour<B>, state: State<B>, rules: ThreatRules, rng: &mut Rng) -> Playout {
    game.threat_playout(state, rules, rng)
}

#[test]
fn threat_playouts_without_save_equal_tactical_playouts_draw_for_draw() {
    fn check<B: Grid>(spec: &str) {
        let game = game::<B>(spec);
        let without_save = ThreatRules::ALL.without(ThreatRules::SAVE);
        let mut rng = Rng::new(23);
        for _ in 0..40 {
            for state in random_game(&game, &mut rng) {
                let seed = rng.next_u64();
                let (mut slow_rng, mut fast_rng) = (Rng::new(seed), Rng::new(seed));
                let slow = tactical_playout(&game, &ConnectFourKnowledge, state, &mut slow_rng, &mut Vec::new());
                let fast = fast(&game, state, without_save, &mut fast_rng);
                let place = || format!("{spec} {} with seed {seed}", game.print_position(&state));
                assert_eq!(fast, slow, "{}", place());
                assert_eq!(fast_rng.next_u64(), slow_rng.next_u64(), "{}: different number of draws", place());
            }
        }
    }
    check::<u64>("4x4");
    check::<u64>("4x4,hole=a1,hole=a2,hole=a3,hole=a4,hole=d4");
    check::<u64>("6x7");
    check::<u64>("6x7,hole=b2,hole=b3,hole=b4,hole=b5,hole=d1,hole=d6,hole=g4,hole=g6");
    check::<u128>("9x9");
    check::<u128>("10x11,hole=d3");
    check::<[u64; 3]>("12x12,hole=f6,hole=g7,hole=a12,hole=l1");
    check::<[u64; 4]>("15x16,hole=h7,hole=h8,hole=h9,hole=p14,hole=p15,hole=a1,hole=a2");
    // A word wider than the board needs.
    check::<[u64; 4]>("6x7");
}

#[test]
fn every_set_of_rules_equals_a_plain_policy_draw_for_draw() {
    fn check<B: Grid>(spec: &str, n_games: u32) {
        let game = game::<B>(spec);
        let mut rng = Rng::new(31);
        for _ in 0..n_games {
            let (mut state, mut plain) = (game.start(), Plain::new(spec));
            while game.result(&state).is_none() {
                for rules in ThreatRules::every() {
                    let seed = rng.next_u64();
                    let (mut slow_rng, mut fast_rng) = (Rng::new(seed), Rng::new(seed));
                    let slow = crate::policy::playout(plain.clone(), rules, game.bounds(&state), &mut slow_rng);
                    let fast = fast(&game, state, rules, &mut fast_rng);
                    let place = || format!("{spec} {} by {rules} with seed {seed}", game.print_position(&state));
                    assert_eq!(fast, slow, "{}", place());
                    let recorded = game.record_threat_playout(state, rules, &mut Rng::new(seed), &mut Vec::new());
                    assert_eq!(recorded, slow, "{}", place());
                    assert_eq!(fast_rng.next_u64(), slow_rng.next_u64(), "{}: different number of draws", place());
                }
                let mv = random_move(&game, &state, &mut rng, &mut Vec::new());
                game.play(&mut state, mv);
                plain.play(mv.into());
            }
        }
    }
    check::<u64>("4x4", 6);
    check::<u64>("6x7", 3);
    check::<u64>("6x7,hole=b2,hole=b3,hole=d1,hole=d6,hole=g4", 3);
    check::<u128>("9x9,hole=e5,hole=c2,hole=c3,hole=c4,hole=h8,hole=h9", 1);
    check::<[u64; 3]>("12x12,hole=g6,hole=b2,hole=b3,hole=b4,hole=k11,hole=k12", 1);
    check::<[u64; 4]>("15x16,hole=h8,hole=p15,hole=a1", 1);
}

#[test]
fn bounds_proven_by_threat_playouts_contain_the_value_of_best_play() {
    // `from_ply`: only later positions are solved, to keep this short.
    for (spec, from_ply) in [("4x4", 0), ("4x5", 6), ("5x4,hole=b3", 5), ("4x6,hole=c1,hole=c2", 8)] {
        let game = game::<u64>(spec);
        let (mut rng, mut exact) = (Rng::new(5), Exact::new(&game));
        // Numbers of lower bounds, upper bounds and exact values beyond those of the rules.
        let mut proofs = [0; 3];
        for _ in 0..rounds(20, 60) {
            for state in random_game(&game, &mut rng).into_iter().filter(|state| game.ply(state) >= from_ply) {
                let value = exact.margin(&state);
                let bounds = game.bounds(&state);
                let all = std::iter::repeat_n(ThreatRules::ALL, 20);
                for rules in all.chain(ThreatRules::every()) {
                    let Playout { margin, proven } = fast(&game, state, rules, &mut rng);
                    let place = || format!("{spec} {} by {rules}", game.print_position(&state));
                    assert!(proven.contains(value), "{}: {proven:?} proven, but the value is {value}", place());
                    assert!(proven.contains(margin), "{}: {margin} with {proven:?}", place());
                    proofs[0] += u32::from(proven.lower > bounds.lower);
                    proofs[1] += u32::from(proven.upper < bounds.upper);
                    proofs[2] += u32::from(proven.is_exact() && !bounds.is_exact());
                }
            }
        }
        assert!(proofs.iter().all(|&n| n > rounds(30, 100)), "{spec}: {proofs:?}");
    }
}

#[test]
fn a_line_without_choice_for_the_loser_proves_the_win() {
    //   . . o o . . .
    //   . . x x . . .      x to move: b1 or e1 makes three with both ends open, and o has no choice from then on
    let game = game::<u64>("6x7");
    let state = game.parse_position("7/7/7/7/2oo3/2xx3 x").unwrap_or_else(|err| panic!("{err}"));
    let mut rng = Rng::new(1);
    let lines: Vec<Playout> = (0..700).map(|_| fast(&game, state, ThreatRules::ALL, &mut rng)).collect();
    let (winning, others): (Vec<Playout>, Vec<Playout>) =
        lines.into_iter().partition(|line| line.proven != game.margin_range());
    // The stone that wins is the seventh of 42.
    let win = Playout { margin: Margin(18), proven: Bounds::exact(Margin(18)) };
    assert!(winning.iter().all(|&line| line == win), "{winning:?}");
    assert!((100..300).contains(&winning.len()), "2 of 7 first moves, not {} of 700", winning.len());
    assert!(others.iter().any(|line| line.margin < Margin::DRAW));
}
