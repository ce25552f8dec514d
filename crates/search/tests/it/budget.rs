//! Limits and early stops.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use banyan_core::{Limits, Player, Timer};
use banyan_search::EarlyStop;

use crate::agreement::is_decided;
use crate::kits::mcts;
use crate::{choose, config, every_choice, timeless};
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::Mesh;

#[test]
fn a_limit_on_nodes_is_respected() {
    let game = Chain { tokens: 60, extra_turn_at: None };
    for expand in ["one", "all"] {
        let limits = Limits { nodes: Some(777), playouts: Some(100_000), ..Limits::default() };
        let settings = config(&[("expand", expand), ("structure", "tree"), ("proof", "off")]);
        let report = choose(&mut mcts(settings), &game, &[], limits);
        // The root is not counted.
        assert!((776..=778).contains(&report.nodes), "{} nodes", report.nodes);
    }
}

/// A clock on which each reading is a millisecond later, so that every search is cut into the shortest stretches.
const SLOW: Timer = Timer::new("slow", || {
    static READINGS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(READINGS.fetch_add(1, Relaxed))
});
/// A clock that stands still.
const STILL: Timer = Timer::new("still", || Duration::ZERO);

#[test]
fn a_search_limited_by_counts_does_not_depend_on_the_clock() {
    let game = Mesh::new(1, 60, false);
    let several = [
        config(&[]),
        config(&[("expand", "all")]),
        config(&[("expand", "all"), ("batch", "8"), ("structure", "tree")]),
        config(&[("expand", "eval-children"), ("select", "puct"), ("proof", "off")]),
        config(&[("expand", "all"), ("batch", "8"), ("threads", "2"), ("parallel", "root")]),
    ];
    for (settings, most) in several.iter().flat_map(|settings| (20..60).map(move |most| (settings, most))) {
        for limits in [Limits { nodes: Some(most), ..Limits::default() }, Limits::playouts(2 * most)] {
            let search = |timer: Timer| {
                let mut player = mcts(settings.clone());
                player.new_game(1);
                timeless(choose(&mut player, &game, &[], Limits { timer, ..limits }))
            };
            assert_eq!(search(STILL), search(SLOW), "{limits:?} for {settings:?}");
        }
    }
}

#[test]
fn a_limit_on_playouts_is_never_exceeded() {
    let game = Mesh::new(1, 60, false);
    for settings in every_choice().into_iter().filter(|settings| settings.early != EarlyStop::Always) {
        let mut player = mcts(settings.clone());
        for most in [1, 2, 3, 7, 8, 9, 63, 64, 65, 100] {
            player.new_game(most);
            let report = choose(&mut player, &game, &[], Limits::playouts(most));
            let decided = report.proof.is_some_and(|bounds| is_decided(&settings, bounds));
            assert!(report.playouts == most || decided && report.playouts < most, "{most}: {report:?} of {settings:?}");
        }
    }
}

#[test]
fn a_move_that_cannot_be_overtaken_ends_the_search() {
    let game = Mesh::new(2, 60, false);
    for structure in ["tree", "graph"] {
        let [patient, hasty] = ["never", "always"].map(|early| {
            let settings = config(&[("structure", structure), ("proof", "off"), ("early", early)]);
            choose(&mut mcts(settings), &game, &[], Limits::playouts(20_000))
        });
        assert_eq!(patient.playouts, 20_000);
        assert!(hasty.playouts < 20_000, "a move with {:?} visits is never certain", hasty.moves[0].visits);
        assert_eq!(patient.best, hasty.best);
        let (first, second) = (hasty.moves[0].visits, hasty.moves[1].visits);
        assert!(first - second > 20_000 - hasty.playouts);
    }
}

#[test]
fn a_move_most_visited_for_long_enough_is_played() {
    let game = Mesh::new(2, 60, false);
    let settings = config(&[("proof", "off"), ("top", "1000")]);
    let report = choose(&mut mcts(settings), &game, &[], Limits::playouts(50_000));
    assert!((1000..10_000).contains(&report.playouts), "{} playouts", report.playouts);
}
