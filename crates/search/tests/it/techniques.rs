//! Techniques of the literature, each on a game where its effect can be counted.

use std::cell::Cell;
use std::time::Duration;

use banyan_core::{Evaluator, Leaves, Limits, Margin, MoveStat, Plain, Priors, Rng, TextErrorKind, Timer};
use banyan_search::{Config, Mcts};
use banyan_testkit::toy::Toy;

use crate::{choose, timeless};

fn player(settings: &str) -> Mcts<Toy> {
    Mcts::new(settings.parse().expect("valid settings")).expect("settings without conflicts")
}

/// Eighteen first moves, of which the last wins by 9 points, the first loses by 9 and those between win or lose by less; the second
/// player has one reply.
const FAN: Toy = Toy {
    plies: 2,
    n_moves: |ply| if ply == 0 { 19 } else { 1 },
    after: |value, mv| value + u64::from(mv),
    margin: |value| value as i16 - 9,
    range: [-9, 9],
    ..Toy::PLAIN
};

/// A time that advances when it is read.
fn counted() -> Duration {
    thread_local!(static READINGS: Cell<u32> = const { Cell::new(0) });
    READINGS.set(READINGS.get() + 1);
    Duration::from_micros(100) * READINGS.get()
}

/// A search of the fan by `playouts` playouts: its moves, the best first.
fn fan(settings: &str, playouts: u64) -> Vec<MoveStat<u16>> {
    choose(&mut player(settings), &FAN, &[], Limits::playouts(playouts)).moves
}

#[test]
fn widening_opens_children_by_the_visits_of_the_root() {
    for structure in ["tree", "graph"] {
        let opened = |playouts| {
            let settings = format!("widening=3,proof=off,forced=never,structure={structure}");
            fan(&settings, playouts).iter().filter(|stat| stat.visits > 0).count()
        };
        // Further ones with the playout after 50, 65, 85, 110 ... visits.
        let found = [2, 3, 50, 51, 65, 66, 85, 86, 110, 111].map(opened);
        assert_eq!(found, [2, 3, 3, 4, 4, 5, 5, 6, 6, 7], "{structure}");
    }
    // The order is the heuristic's.
    let moves = fan("widening=3,proof=off,forced=never,order=listed", 40);
    assert!(moves.iter().all(|stat| (stat.visits > 0) == (stat.mv < 3)), "{moves:?}");
}

#[test]
fn widening_leaves_no_solved_root_without_its_best_move() {
    // One child at first, which is proven lost: the next ones are opened at once, up to the win.
    let report = choose(&mut player("widening=1,forced=never,order=listed"), &FAN, &[], Limits::playouts(10_000));
    let proof = report.proof.expect("solved");
    assert!(report.best > 9 && proof.lower > Margin(0), "{report:?}");
    let settings = "widening=1,forced=never,order=listed,reward=margin,c=4";
    let report = choose(&mut player(settings), &FAN, &[], Limits::playouts(10_000));
    let margin = report.proof.expect("solved");
    assert!(report.best == 18 && margin.lower == Margin(9) && margin.is_exact(), "{report:?}");
}

#[test]
fn a_gumbel_root_spends_its_budget_by_sequential_halving() {
    for settings in ["", ",batch=8", ",structure=tree,select=puct", ",structure=tree,select=ucb1-tuned"] {
        // Two phases of 32 playouts: 4 moves of 8 visits, then 2 of 16.
        let settings = format!("root=gumbel,root-moves=4,proof=off,forced=never{settings}");
        let moves = fan(&settings, 64);
        let mut visits: Vec<u64> = moves.iter().map(|stat| stat.visits).collect();
        visits.sort_by(|a, b| b.cmp(a));
        assert_eq!(visits[..5], [24, 24, 8, 8, 0], "{settings}");
        assert_eq!(moves[0].visits, 24);
    }
    // All moves are considered: the noise cannot outweigh 60 visits, so the move wins.
    let moves = fan("root=gumbel,root-moves=19,proof=off,forced=never", 4000);
    assert!(moves[0].mv > 9, "{moves:?}");
    assert_eq!(moves.iter().map(|stat| stat.visits).sum::<u64>(), 4000);
    // The same game again: all randomness follows from the seed.
    assert_eq!(fan("root=gumbel,proof=off", 500), fan("root=gumbel,proof=off", 500));
}

#[test]
fn a_gumbel_root_keeps_to_time_and_proofs() {
    // Every reading of the clock is a tenth of a millisecond later.
    let limits =
        Limits { time: Some(Duration::from_millis(100)), timer: Timer::new("counted", counted), ..Limits::default() };
    let report = choose(&mut player("root=gumbel,root-moves=19,proof=off,forced=never"), &FAN, &[], limits);
    let visits: Vec<u64> = report.moves.iter().map(|stat| stat.visits).collect();
    // Nineteen moves, then ten, five, three and two.
    assert!([2, 3, 5, 10].iter().all(|&n| visits[n - 1] > visits[n] + 5), "{report:?}");
    assert!(report.best > 9, "{report:?}");
    let report = choose(&mut player("root=gumbel,root-moves=2"), &FAN, &[], Limits::playouts(1000));
    assert!(report.proof.is_some_and(|bounds| bounds.lower > Margin(0)) && report.best > 9, "{report:?}");
}

#[test]
fn a_score_bonus_makes_the_largest_win_the_best_move() {
    for reward in ["win", "wdl"] {
        let settings = format!("score-bonus=0.5,reward={reward},forced=never,order=listed");
        let report = choose(&mut player(&settings), &FAN, &[], Limits::playouts(10_000));
        let proof = report.proof.expect("solved");
        assert!(report.best == 18 && proof.is_exact() && proof.lower == Margin(9), "{report:?}");
        assert_eq!(report.value, 1.0);
        // Without it a proof of the winner ends the search.
        let settings = format!("reward={reward},forced=never,order=listed");
        let report = choose(&mut player(&settings), &FAN, &[], Limits::playouts(10_000));
        assert!(report.playouts < 100 && report.best > 9, "{report:?}");
        // A proof of the winner alone does not decide the reward.
        let settings = format!("score-bonus=0.5,reward={reward},proof=win,forced=never");
        let report = choose(&mut player(&settings), &FAN, &[], Limits::playouts(2000));
        assert!(report.playouts == 2000 && report.best == 18, "{report:?}");
    }
}

#[test]
fn kl_ucb_finds_the_win_and_virtual_losses_keep_the_count() {
    let moves = fan("select=kl-ucb,c=0.5,proof=off,forced=never", 2000);
    assert!(moves[0].mv > 9 && moves.iter().all(|stat| stat.visits > 0), "{moves:?}");
    let moves = fan("pending=loss,batch=16,proof=off,forced=never", 2000);
    assert_eq!(moves.iter().map(|stat| stat.visits).sum::<u64>(), 2000);
    // The means are those of the rewards: no loss is left in them.
    assert!(moves.iter().all(|stat| stat.value
        == if stat.mv > 9 {
            1.0
        } else if stat.mv == 9 {
            0.0
        } else {
            -1.0
        }));
}

#[test]
fn techniques_that_are_off_change_nothing() {
    let off = "pending=unobserved,widening=0,root=tree,root-moves=16,score-bonus=0";
    for settings in ["", "batch=8", "select=puct,fpu=0", "reward=wdl,proof=off"] {
        let report = |more: &str| {
            timeless(choose(&mut player(&format!("{settings},{more}")), &FAN, &[], Limits::playouts(3000)))
        };
        assert_eq!(report(off), report(""), "{settings}");
    }
}

#[test]
fn techniques_that_exclude_each_other_are_refused_in_one_line() {
    for (settings, expected) in [
        ("pending=loss", "pending=loss: expected batch=2 or more"),
        ("pending=loss,threads=2", "pending=loss: expected batch=2 or more"),
        ("pending=loss,threads=2,batch=4", "pending=loss: expected batch=2 or more"),
        ("amaf=rave,order=central", "amaf=rave,order=central: expected order=random"),
        ("amaf=rave,horizon=3", "amaf=rave,horizon=3: expected no horizon"),
        ("order=static,threads=2", "order=static,threads=2: expected a graph for each thread"),
        ("widening=3,expand=all", "widening=3: expected expand=one"),
        ("root=gumbel,threads=2", "root=gumbel,threads=2: expected one thread"),
        ("root=gumbel,root-bias-depth=2", "root=gumbel,root-bias-depth=2: expected root-bias-depth=0"),
        ("root=gumbel,lazy-expansion=0.5", "root=gumbel,lazy-expansion=0.5: expected lazy-expansion=0"),
        ("root=gumbel,top=3", "root=gumbel,top=3: expected top=0"),
        ("root=gumbel,early=always", "root=gumbel,early=always: expected early=clock or never"),
        ("score-bonus=0.5,reward=margin", "score-bonus=0.5,reward=margin: expected reward=win or wdl"),
    ] {
        let err = settings.parse::<Config>().expect_err(settings);
        assert!(err.to_string().starts_with(expected) && !err.to_string().contains('\n'), "{err}");
        assert_eq!(err.kind, TextErrorKind::Conflict, "{settings}");
    }
    for settings in ["pending=loss,threads=2,parallel=mutex", "pending=loss,batch=4", "root=gumbel,batch=8"] {
        settings.parse::<Config>().unwrap_or_else(|err| panic!("{settings}: {err}"));
    }
}

#[test]
fn what_cannot_be_learnt_is_refused_in_one_line() {
    for (settings, expected) in [
        ("amaf=rave,eval=static", "amaf=rave,eval=static: expected leaves that report the moves of their playouts"),
        ("amaf=rave,playout-plies=4", "amaf=rave,playout-plies=4: expected leaves that report"),
        ("amaf=rave,leaf-search-depth=2", "amaf=rave,leaf-search-depth=2: expected leaves that report"),
        ("eval=mast,leaf-search-depth=2", "eval=mast,leaf-search-depth=2: expected playouts to the end at every leaf"),
        ("eval=last-good-reply,horizon=3", "eval=last-good-reply,horizon=3: expected playouts to the end"),
        ("eval=mast,playout-plies=4", "eval=mast,playout-plies=4: expected playouts to the end"),
        ("eval=mast,threads=2", "eval=mast,threads=2: expected a graph for each thread"),
        ("horizon=3,horizon-eval=mast", "horizon-eval=mast: expected an evaluator that does not learn"),
    ] {
        let refused = Mcts::<Toy>::new(settings.parse().expect("valid settings")).err();
        let err = refused.unwrap_or_else(|| panic!("{settings} is accepted"));
        assert!(err.to_string().starts_with(expected) && !err.to_string().contains('\n'), "{settings}: {err}");
        assert_eq!(err.kind, TextErrorKind::Conflict, "{settings}");
    }
    for settings in ["amaf=rave,leaf-search-depth=2,leaf-search-below=1", "eval=mast,threads=2,parallel=root"] {
        Mcts::<Toy>::new(settings.parse().expect("valid settings")).unwrap_or_else(|err| panic!("{settings}: {err}"));
    }
}

/// An evaluator that reports its playouts, of no moves, and gives priors with the values.
struct PriorsAndPlayouts;

impl Evaluator<Toy> for PriorsAndPlayouts {
    fn evaluate(&mut self, _game: &Toy, _leaves: &mut Leaves<'_, Toy>, _rng: &mut Rng) {}

    fn records_moves(&self) -> bool {
        true
    }

    fn gives_priors(&self) -> Priors {
        Priors::WithValues
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Toy>> {
        Box::new(PriorsAndPlayouts)
    }
}

#[test]
fn nothing_is_learnt_beside_priors_that_come_with_values() {
    let made = |settings: &str| {
        let config = settings.parse().expect("valid settings");
        Mcts::<Toy>::with_evaluator(config, Box::new(PriorsAndPlayouts), &Plain)
    };
    made("select=puct,expand-at=1").expect("an evaluator with priors");
    let err = made("select=puct,expand-at=1,amaf=rave").err().expect("refused").to_string();
    assert!(err.starts_with("amaf=rave: expected an evaluator that gives no priors with the values"), "{err}");
}
