//! Searches with the game's priors.

use banyan_core::{Evaluator, Game, Limits, Report};
use banyan_search::Config;

use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::{Mesh, MeshPriors};

/// PUCT with a weight so large that visits follow the priors.
fn exploring(more: &[(&str, &str)]) -> Config {
    config(&[&[("select", "puct"), ("c", "1000"), ("fpu", "0"), ("proof", "off"), ("forced", "never")], more].concat())
}

/// The root's moves: shares of visits, and priors.
fn visits_and_priors(game: &Mesh, settings: Config, n: u64) -> Vec<(f64, f64)> {
    let report = choose(&mut mcts(settings), game, &[], Limits::playouts(n));
    let total: u64 = report.moves.iter().map(|stat| stat.visits).sum();
    let moves: Vec<u8> = report.moves.iter().map(|stat| stat.mv).collect();
    let mut priors = Vec::new();
    MeshPriors.priors(game, &game.start(), &moves, &mut priors);
    let shares = report.moves.iter().map(|stat| stat.visits as f64 / total as f64);
    shares.zip(priors).map(|(share, prior)| (share, f64::from(prior))).collect()
}

#[test]
fn visits_follow_the_priors() {
    for (more, n) in [
        (&[][..], 2_000),
        (&[("batch", "16")], 2_000),
        (&[("structure", "tree"), ("expand", "all"), ("expand-at", "1")], 8_000),
        (&[("expand", "eval-children"), ("expand-at", "1"), ("unvisited", "blend")], 8_000),
        (&[("expand", "eval-children"), ("expand-at", "1"), ("batch", "8")], 8_000),
    ] {
        for seed in 0..10 {
            let game = Mesh::wide(seed, 12, 1000, false);
            for policy in ["game", "uniform"] {
                let settings = exploring(&[more, &[("priors", policy)]].concat());
                let found = visits_and_priors(&game, settings, n);
                let even = 1.0 / found.len() as f64;
                for &(share, prior) in &found {
                    let expected = if policy == "game" { prior } else { even };
                    assert!((share - expected).abs() < 0.02, "{more:?} {seed} {policy}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn the_moves_of_the_root_are_tried_by_their_priors() {
    let usual = [("select", "puct"), ("priors", "game"), ("proof", "off"), ("forced", "never")];
    for more in [
        &[][..],
        &[("expand", "all")],
        &[("expand", "eval-children")],
        &[("expand", "eval-children"), ("batch", "4")],
        &[("expand", "eval-children"), ("threads", "2"), ("parallel", "root")],
    ] {
        let mut n_untried = 0;
        for (seed, n) in (0..10).flat_map(|seed| [1, 2, 3].map(|n| (seed, n))) {
            let game = Mesh::wide(seed, 12, 1000, false);
            let found = visits_and_priors(&game, config(&[&usual[..], more].concat()), n);
            let (tried, others): (Vec<_>, Vec<_>) = found.iter().partition(|(share, _)| *share > 0.0);
            let least = tried.iter().map(|(_, prior)| *prior).fold(1.0, f64::min);
            assert!(
                !tried.is_empty() && others.iter().all(|(_, prior)| *prior <= least),
                "{more:?} {seed} {n}: {found:?}"
            );
            n_untried += others.len();
        }
        assert!(n_untried > 20, "{more:?}: {n_untried}");
    }
}

#[test]
fn games_without_priors_are_searched_uniformly() {
    let game = Chain { tokens: 40, extra_turn_at: Some(11) };
    // Priors replace the random order.
    let usual = [("select", "puct"), ("fpu", "0"), ("order", "listed")];
    for more in [&[][..], &[("expand", "eval-children"), ("expand-at", "1"), ("batch", "8")]] {
        let report = |policy| {
            let settings = config(&[&usual[..], &[("priors", policy)], more].concat());
            let report = choose(&mut mcts(settings), &game, &[], Limits::playouts(3_000));
            Report { memory_bytes: 0, ..timeless(report) }
        };
        assert_eq!(report("uniform"), report("game"), "{more:?}");
    }
}
