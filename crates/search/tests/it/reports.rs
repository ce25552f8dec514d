//! Settings of published reports and studies: values at a horizon, errors of evaluations, square weights, the first child, named
//! opponent models.

use banyan_core::{FINE, Game, Knowledge, Limits, Player, Report};
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, Config, Mcts, Random};
use banyan_testkit::mesh::{Mesh, MeshKnowledge};

use crate::kits::mcts;
use crate::{choose, config, timeless};

/// The report of a search from the start of a game.
fn report(game: &Mesh, settings: &[(&str, &str)], playouts: u64) -> Report<u8> {
    let mut player = mcts(config(settings));
    player.new_game(1);
    timeless(choose(&mut player, game, &[], Limits::playouts(playouts)))
}

fn weights(of: impl Fn(usize) -> i32) -> String {
    (0..64).map(|code| of(code).to_string()).collect::<Vec<_>>().join("/")
}

#[test]
fn positions_at_the_horizon_have_their_own_value() {
    let base = [("structure", "tree"), ("proof", "off"), ("reward", "margin"), ("c", "5"), ("expand-at", "1")];
    let with = |game: &Mesh, more: &[(&str, &str)]| report(game, &[&base, more].concat(), 400);
    for seed in 0..10 {
        let game = Mesh::new(seed, 40, false);
        for expand in ["one", "all"] {
            // With a horizon of one ply every leaf is there, and the other evaluator is never called.
            let own = with(&game, &[("horizon", "1"), ("horizon-eval", "static"), ("expand", expand)]);
            let all = with(&game, &[("horizon", "1"), ("eval", "static"), ("expand", expand)]);
            let sign = f64::from(game.to_move(&game.start()).sign());
            for stat in &own.moves {
                let mut spot = game.start();
                game.play(&mut spot, stat.mv);
                let points = f64::from(MeshKnowledge.static_eval(&game, &spot)) / f64::from(FINE);
                let value = points / f64::from(game.margin_range().upper.0) * sign;
                assert!((stat.value - value).abs() < 1e-4, "{stat:?} for {value}, seed {seed}");
            }
            assert_eq!(own.moves.len(), all.moves.len());
            // Above the horizon leaves are played out.
            let [deep, none] = ["static", "same"]
                .map(|eval| with(&game, &[("horizon", "3"), ("horizon-eval", eval), ("expand", expand)]));
            assert_ne!(deep, none, "seed {seed}");
        }
    }
    let mutex = [("threads", "2"), ("parallel", "mutex"), ("horizon", "1"), ("horizon-eval", "static")];
    let game = Mesh::new(1, 40, false);
    let two: Vec<f64> = with(&game, &mutex).moves.iter().map(|stat| stat.value).collect();
    let one: Vec<f64> = with(&game, &mutex[2..]).moves.iter().map(|stat| stat.value).collect();
    let total = |values: &[f64]| values.iter().sum::<f64>();
    assert!((total(&two) - total(&one)).abs() < 1e-4, "{two:?} for {one:?}");
}

#[test]
fn evaluations_are_wrong_by_so_much_at_most_and_by_the_same_in_both_searches() {
    let (mut differ, mut largest) = (0, 0.0f64);
    for seed in 0..20 {
        let game = Mesh::new(seed, 40, false);
        let values = |noise: &str| -> Vec<(u8, f64)> {
            let settings =
                [("eval", "static"), ("eval-noise", noise), ("horizon", "1"), ("reward", "margin"), ("proof", "off")];
            let mut values: Vec<_> =
                report(&game, &settings, 20).moves.iter().map(|stat| (stat.mv, stat.value)).collect();
            values.sort_by_key(|&(mv, _)| mv);
            values
        };
        let scale = f64::from(game.margin_range().upper.0);
        for (exact, wrong) in values("0").iter().zip(values("2")) {
            let error = (exact.1 - wrong.1).abs() * scale;
            differ += u32::from(error > 0.01);
            largest = largest.max(error);
        }
        // Alpha-beta of depth 1 has the same errors, so that it takes the move that is best with them.
        let settings = AlphaBetaConfig { eval_noise: 2.0, ..AlphaBetaConfig::new(Algorithm::Pvs) };
        let mut player = AlphaBeta::with_knowledge(settings, MeshKnowledge);
        let best = player.search_to_depth(&game, &game.start(), 1).best;
        let noisy = values("2");
        let value = |mv: u8| noisy.iter().find(|known| known.0 == mv).expect("a move").1;
        let most = noisy.iter().map(|known| known.1).fold(f64::MIN, f64::max);
        assert!((value(best) - most).abs() < 1e-4, "{best} of {noisy:?}, seed {seed}");
    }
    assert!(differ > 40 && (1.0..=2.01).contains(&largest), "{differ} values differ, by up to {largest} points");
}

#[test]
fn the_heaviest_of_nearly_equal_moves_is_played() {
    for seed in 0..10 {
        let game = Mesh::new(seed, 60, false);
        let base = [("structure", "tree"), ("proof", "off"), ("final", "max")];
        let play = |more: &[(&str, &str)]| report(&game, &[&base, more].concat(), 500);
        let usual = play(&[]);
        for heavy in 0..4 {
            let weights = weights(|code| if code == heavy { 40 } else { 1 });
            let taken = play(&[("square-weights", &weights), ("take-weight", "40")]).best;
            let near = play(&[("square-weights", &weights), ("near-tie", "1")]).best;
            let far = play(&[("square-weights", &weights), ("near-tie", "0.000001")]).best;
            assert_eq!((usize::from(taken), usize::from(near)), (heavy, heavy), "seed {seed}");
            assert_eq!(far, usual.best, "seed {seed}");
            // No move is as heavy as that.
            assert_eq!(play(&[("square-weights", &weights), ("take-weight", "41")]).best, usual.best);
        }
    }
}

#[test]
fn the_best_mean_of_the_moves_with_a_quarter_of_the_most_visits_is_played() {
    let (mut not_max, mut not_robust) = (0, 0);
    for seed in 0..600 {
        // Without exploration a move that has always won has all visits, until it loses once.
        let game = Mesh::new(seed / 6, 60, false);
        let settings = [("structure", "tree"), ("proof", "off"), ("c", "0")];
        let play = |rule: &str| report(&game, &[&settings[..], &[("final", rule)]].concat(), 9 + seed % 6);
        let moves = play("max-quarter").moves;
        let most = moves.iter().map(|stat| stat.visits).max().expect("a move");
        let visited = moves.iter().filter(|stat| stat.visits * 4 >= most);
        let best = visited.map(|stat| stat.value).fold(f64::MIN, f64::max);
        let chosen = moves.iter().find(|stat| stat.mv == play("max-quarter").best).expect("a move");
        assert!(chosen.value == best && chosen.visits * 4 >= most, "seed {seed}: {moves:?}");
        not_max += u32::from(play("max").best != chosen.mv);
        not_robust += u32::from(play("robust").best != chosen.mv);
    }
    assert!(not_max > 0 && not_robust > 0, "{not_max} and {not_robust} of 600 moves differ from those of other rules");
}

#[test]
fn near_ties_are_ties_of_what_the_final_move_is_chosen_by() {
    let (mut by_mean, mut by_ucb) = (0, 0);
    for seed in 0..40 {
        let game = Mesh::new(seed, 60, false);
        let base = [("structure", "tree"), ("proof", "off"), ("final", "ucb"), ("c", "1")];
        let usual = report(&game, &base, 60);
        let total: u64 = usual.moves.iter().map(|stat| stat.visits).sum();
        let mean = |mv: u8| (usual.moves.iter().find(|stat| stat.mv == mv).expect("a move").value + 1.0) / 2.0;
        let ucb = |mv: u8| {
            let visits = usual.moves.iter().find(|stat| stat.mv == mv).expect("a move").visits;
            mean(mv) + (2.0 * (total as f64).ln() / visits as f64).sqrt()
        };
        for heavy in (0..4).filter(|&mv| mv != usual.best) {
            let weights = weights(|code| if code == usize::from(heavy) { 40 } else { 1 });
            let (behind, behind_in_mean) = (ucb(usual.best) - ucb(heavy), mean(usual.best) - mean(heavy));
            // Just reaches it by the one, and not by the other.
            let near = (behind + 0.01).clamp(0.0, 1.0).to_string();
            let chosen = report(&game, &[&base[..], &[("square-weights", &weights), ("near-tie", &near)]].concat(), 60);
            assert_eq!(chosen.best, heavy, "seed {seed}: {behind} behind");
            by_ucb += u32::from(behind + 0.02 < behind_in_mean);
            if behind > 0.02 {
                let far = (behind - 0.01).to_string();
                let chosen =
                    report(&game, &[&base[..], &[("square-weights", &weights), ("near-tie", &far)]].concat(), 60);
                assert_ne!(chosen.best, heavy, "seed {seed}: {behind} behind");
                by_mean += u32::from(behind > behind_in_mean + 0.02);
            }
        }
    }
    assert!(by_ucb > 5 && by_mean > 5, "{by_ucb} are near by UCB alone, {by_mean} by the mean alone");
}

#[test]
fn the_first_child_is_selected_whatever_its_value() {
    let settings =
        [("select", "first"), ("order", "listed"), ("proof", "off"), ("structure", "tree"), ("forced", "never")];
    let report = report(&Mesh::new(3, 60, false), &settings, 300);
    let mut visits: Vec<(u8, u64)> = report.moves.iter().map(|stat| (stat.mv, stat.visits)).collect();
    visits.sort_unstable();
    assert_eq!(visits, [(0, 297), (1, 1), (2, 1), (3, 1)]);
}

#[test]
fn a_bonus_at_leaves_enters_the_means_of_the_preferred_move() {
    let base = [
        ("structure", "tree"),
        ("proof", "off"),
        ("root-bias-depth", "3"),
        ("root-bias-until", "1"),
        ("expand-at", "1"),
        ("eval", "static"),
    ];
    let mut raised = 0;
    for (seed, at) in (0..10).flat_map(|seed| [(seed, "child"), (seed, "leaves")]) {
        let game = Mesh::new(seed, 60, false);
        let with = |bonus: &str| report(&game, &[&base[..], &[("root-bias-at", at), ("root-bias", bonus)]].concat(), 4);
        let (none, some) = (with("0"), with("1000"));
        let value = |report: &Report<u8>, mv: u8| report.moves.iter().find(|stat| stat.mv == mv).expect("a move").value;
        // Each move has one leaf; the preferred one alone has the bonus, which the report caps. Sums of 1000 are less exact.
        let changed = (0..4).filter(|&mv| (value(&some, mv) - value(&none, mv)).abs() > 1e-3).count();
        assert_eq!(changed, 1, "seed {seed}");
        raised += (0..4).filter(|&mv| value(&some, mv) > value(&none, mv) + 1e-3).count();
    }
    assert_eq!(raised, 20);
}

#[test]
fn a_bonus_at_the_child_ends_with_its_first_visits_and_by_the_phase_of_the_leaf() {
    let game = Mesh::new(4, 60, false);
    let search = |at: &str, until: &str, playouts| {
        let base = [("structure", "tree"), ("proof", "off"), ("root-bias-depth", "3"), ("root-bias", "1000")];
        let more = [("root-bias-at", at), ("root-bias-until", until), ("expand-at", "1"), ("c", "100")];
        report(&game, &[&base[..], &more].concat(), playouts)
    };
    let best = |report: &Report<u8>| report.moves.iter().map(|stat| stat.visits).max().expect("a move");
    // 1000 once: the mean falls with every visit. At leaves the same move below gets it again and again.
    assert!(best(&search("child", "1", 400)) < best(&search("leaves", "1", 400)));
    // The root is in the phase, its children are not.
    let after_start = "0.001";
    assert_eq!(search("child", after_start, 400).moves, search("child", "0", 400).moves);
    assert_ne!(search("root", after_start, 400).moves, search("root", "0", 400).moves);
}

#[test]
fn a_given_model_predicts_replies_and_its_playouts_count() {
    let settings = config(&[("opponent-model", "player"), ("proof", "off"), ("reuse", "none"), ("structure", "tree")]);
    let search = || Mcts::new(settings.clone()).expect("compatible settings");
    let game = Mesh::new(2, 40, false);
    let run = |mut player: Mcts<Mesh>| {
        player.new_game(1);
        let report = timeless(choose(&mut player, &game, &[], Limits::playouts(2000)));
        let visits: u64 = report.moves.iter().map(|stat| stat.visits).sum();
        (report.playouts, visits)
    };
    // One of the root's moves may leave the turn to the same side.
    let model = || Box::new(Mcts::<Mesh>::new(Config::uct()).expect("plain UCT"));
    let (playouts, visits) = run(search().with_opponent_model(model(), Limits::playouts(100)));
    let predicted = (playouts - visits) / 100;
    assert!((1..=4).contains(&predicted) && (2000..2100).contains(&playouts), "{playouts} playouts, {visits} visits");
    assert_eq!(run(search().with_opponent_model(Box::new(Random::new(1)), Limits::default())), (2000, 2000));
    assert_eq!(run(search()), (2000, 2000), "without a model every reply is searched");
}

#[test]
fn the_depth_follows_the_phase_of_the_game() {
    let game = Mesh::new(3, 60, false);
    let mut settings = AlphaBetaConfig::new(Algorithm::Pvs);
    settings.set("depth-schedule", "0:2/0.5:2/1:7").expect("a row");
    let depth = |settings: &AlphaBetaConfig, played: usize| {
        let mut player = AlphaBeta::with_knowledge(settings.clone(), MeshKnowledge);
        choose(&mut player, &game, &vec![0; played], Limits::default()).depth
    };
    let phase = |played: usize| {
        let mut spot = game.start();
        (0..played).for_each(|_| game.play(&mut spot, 0));
        game.phase(&spot)
    };
    for played in [0, 10, 40, 45] {
        let expected = if phase(played) < 0.5 { 2.0 } else { 2.0 + (phase(played) - 0.5) * 10.0 };
        assert_eq!(depth(&settings, played), Some(expected.round() as u32), "after {played} moves");
    }
    settings.set("depth", "1").expect("a row");
    assert_eq!(depth(&settings, 45), Some(1), "the lower one counts");
    let err = settings.set("depth-schedule", "0:2").expect_err("not to the end").to_string();
    assert!(err.starts_with("depth-schedule=0:2: ") && err.contains("try depth-schedule="), "{err}");
}

#[test]
fn padded_evaluations_take_their_time() {
    let game = Mesh::new(3, 60, false);
    let mut settings = AlphaBetaConfig::new(Algorithm::Pvs);
    settings.set("pad", "200").expect("a row");
    let mut player = AlphaBeta::with_knowledge(settings, MeshKnowledge);
    let report = choose(&mut player, &game, &[], Limits { depth: Some(2), ..Limits::default() });
    // A lower limit, which no load of the machine can break.
    assert!(report.playouts > 3 && report.elapsed.as_micros() >= u128::from(report.playouts) * 200, "{report:?}");
}
