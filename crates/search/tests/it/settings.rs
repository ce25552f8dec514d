//! Properties of every setting.

use std::time::{Duration, Instant};

use banyan_core::{Evaluator, Game, Limits, Plain, Player, TextError, Uniform};
use banyan_search::{
    Config, EarlyStop, ExpansionWidth, Kit, Mcts, ModelPlayer, Parallel, Proof, RootBiasAt, Selection, leaf_evaluator,
    playouts,
};

use crate::kits::{WithKit, mcts};
use crate::{choose, config, every_choice, timeless};
use banyan_testkit::Exact;
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::Mesh;
use banyan_testkit::rounds;

/// A search with these settings and seed, at the beginning of a game.
fn seeded<G: WithKit>(settings: &Config, seed: u64) -> Mcts<G> {
    let mut player = mcts(settings.clone());
    player.new_game(seed);
    player
}

/// Whether the same search gives the same report: with several threads it depends on their timing.
fn repeats(settings: &Config) -> bool {
    !matches!(settings.parallel, Parallel::Tree | Parallel::Mutex)
}

#[test]
fn every_configuration_finds_the_winning_move() {
    let game = Chain { tokens: rounds(10, 15), extra_turn_at: Some(7) };
    for settings in every_choice() {
        // Nothing is found below a horizon. Without exploration, or with a low first-play urgency, few moves are tried.
        let urgent = settings.fpu.is_none_or(|urgency| urgency <= -0.5);
        if settings.horizon > 0 || settings.c == 0.0 || !urgent {
            continue;
        }
        // A node that opens a wrong child first may not get the visits at which it opens the next.
        if settings.widening > 0 {
            continue;
        }
        // An opponent model searches only one reply.
        if settings.opponent_model != ModelPlayer::Off {
            continue;
        }
        // The first child may be a losing one, and so may the last move that has a bonus.
        if settings.selection == Selection::First || settings.root_bias_at != RootBiasAt::Root {
            continue;
        }
        let mut player = mcts(settings.clone());
        let mut state = game.start();
        let mut played = Vec::new();
        while game.result(&state).is_none() {
            let report = choose(&mut player, &game, &played, Limits::playouts(20_000));
            let mut exact = Exact::new(&game);
            let (before, after) = (exact.margin(&state), exact.after(&state, report.best));
            assert_eq!(before, after, "{settings:?} plays {} in {state:?}", report.best);
            game.play(&mut state, report.best);
            played.push(report.best);
        }
    }
}

#[test]
fn visits_and_nodes_add_up() {
    let game = Chain { tokens: 30, extra_turn_at: Some(11) };
    for settings in every_choice().into_iter().filter(|settings| settings.early != EarlyStop::Always) {
        let report = choose(&mut mcts(settings.clone()), &game, &[], Limits::playouts(5000));
        let decided = report.proof.is_some_and(|bounds| bounds.is_exact());
        // The playouts of an opponent model count, but are no visits.
        if settings.opponent_model == ModelPlayer::Uct {
            continue;
        }
        assert!(report.playouts == 5000 || decided && report.playouts < 5000, "{settings:?}");
        assert!(!decided || settings.proof != Proof::Off);
        let visits = report.moves.iter().map(|stat| stat.visits).sum::<u64>();
        // With eval-children up to three playouts are one visit here.
        let least = if settings.expand == ExpansionWidth::EvalChildren { report.playouts / 3 } else { report.playouts };
        assert!((least..=report.playouts).contains(&visits), "{visits} of {} with {settings:?}", report.playouts);
        assert!(report.nodes > 10 && report.nodes <= 5001, "{} nodes with {settings:?}", report.nodes);
        assert_eq!((report.moves[0].mv, report.moves[0].value), (report.best, report.value));
        assert_eq!(report.moves[0].pv, report.pv);
        assert!(report.moves.iter().all(|stat| stat.value.abs() <= 1.0 && stat.pv[0] == stat.mv));
    }
}

#[test]
fn principal_variations_are_legal() {
    for seed in 0..8 {
        let game = Mesh::new(seed, 12, true);
        for settings in every_choice() {
            let report = choose(&mut mcts(settings.clone()), &game, &[], Limits::playouts(300));
            for stat in &report.moves {
                let mut state = game.start();
                for &mv in &stat.pv {
                    let mut moves = Vec::new();
                    game.moves(&state, &mut moves);
                    assert!(game.result(&state).is_none() && moves.contains(&mv), "{:?} with {settings:?}", stat.pv);
                    game.play(&mut state, mv);
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_report_and_another_seed_another() {
    let game = Mesh::new(7, 40, false);
    for settings in every_choice().into_iter().filter(repeats) {
        let run = |seed| {
            let mut player = seeded(&settings, seed);
            let first = choose(&mut player, &game, &[], Limits::playouts(1000));
            let second = choose(&mut player, &game, &[first.best], Limits::playouts(1000));
            [first, second].map(timeless)
        };
        assert_eq!(run(1), run(1), "{settings:?}");
        // The static margin is deterministic, but ties and the order of untried children are still random.
        assert_ne!(run(1), run(2), "{settings:?}");
    }
}

#[test]
fn a_new_game_clears_the_tree() {
    let game = Mesh::new(3, 30, true);
    for settings in every_choice().into_iter().filter(repeats) {
        let mut fresh = seeded(&settings, 5);
        let mut used = seeded(&settings, 1);
        choose(&mut used, &game, &[], Limits::playouts(700));
        used.new_game(5);
        let [fresh, used] = [&mut fresh, &mut used].map(|player| choose(player, &game, &[], Limits::playouts(700)));
        assert_eq!(timeless(fresh), timeless(used), "{settings:?}");
    }
}

#[test]
fn a_search_continues_from_the_tree_of_the_last_one() {
    let game = Mesh::new(9, 30, false);
    for settings in every_choice()
        .into_iter()
        .filter(|settings| settings.proof == Proof::Off && settings.early != EarlyStop::Always)
    {
        let mut player = seeded(&settings, 2);
        choose(&mut player, &game, &[], Limits::playouts(400));
        let report = choose(&mut player, &game, &[], Limits::playouts(300));
        let (visits, kept) = (report.moves.iter().map(|stat| stat.visits).sum::<u64>(), settings.get("reuse"));
        let expected = if kept.as_deref() == Some("keep") { (700, 1.0) } else { (300, 0.0) };
        // With eval-children several playouts are one visit.
        let partial =
            settings.expand == ExpansionWidth::EvalChildren && (expected.0 / 8..=expected.0).contains(&visits);
        assert!(partial || visits == expected.0, "{visits} visits with {settings:?}");
        assert_eq!(report.reused, expected.1, "{settings:?}");
    }
}

#[test]
fn one_legal_move_is_searched_like_any_other_position() {
    let game = Chain { tokens: 1, extra_turn_at: None };
    for settings in every_choice() {
        let report = choose(&mut mcts(settings.clone()), &game, &[], Limits::playouts(100));
        assert_eq!((report.best, report.value), (1, 1.0), "{settings:?}");
        if settings.early != EarlyStop::Always {
            assert_eq!(report.playouts, if settings.proof == Proof::Off { 100 } else { 0 }, "{settings:?}");
        }
    }
}

#[test]
fn a_budget_of_one_playout_gives_a_move() {
    let game = Chain { tokens: 20, extra_turn_at: None };
    for settings in every_choice() {
        assert_eq!(choose(&mut mcts(settings), &game, &[], Limits::playouts(1)).playouts, 1);
    }
}

#[test]
fn invalid_settings_are_refused_in_one_line() {
    for (name, value, parts) in [
        ("c", "nan", ["c=nan", "0 .. 1000"]),
        ("c", "-0.1", ["c=-0.1", "0 .. 1000"]),
        ("c", "", ["c=", "0 .. 1000"]),
        ("batch", "1025", ["batch=1025", "1 .. 1024"]),
        ("batch", "0", ["batch=0", "1 .. 1024"]),
        ("memory-mib", "0", ["memory-mib=0", "1 .. 65536"]),
        ("memory-mib", "65537", ["memory-mib=65537", "1 .. 65536"]),
        ("memory-mib", "-1", ["memory-mib=-1", "1 .. 65536"]),
        ("schedule", "0:0.5/0.5:0.2", ["schedule=0:0.5/0.5:0.2", "from phase 0 to 1"]),
        ("schedule", "0:nan/1:0.2", ["schedule=0:nan/1:0.2", "PHASE:C"]),
        ("fpu", "nan", ["fpu=nan", "off, -1000 .. 1000"]),
        ("fpu", "on", ["fpu=on", "off, -1000 .. 1000"]),
        ("structure", "Graph", ["structure=Graph", "tree, graph"]),
        ("proof", "all", ["proof=all", "off, win, bounds"]),
        ("opponent-model", "human", ["opponent-model=human", "off, greedy, uct, pvs"]),
        ("opponent-model-budget", "0", ["opponent-model-budget=0", "1 .. 20"]),
        ("root-bias-depth", "21", ["root-bias-depth=21", "0 .. 20"]),
        ("root-bias-until", "1.1", ["root-bias-until=1.1", "0 .. 1"]),
        ("lazy-expansion", "1", ["lazy-expansion=1", "0 .. 0.95"]),
        ("leaf-search-depth", "-1", ["leaf-search-depth=-1", "0 .. 20"]),
        ("pad", "10001", ["pad=10001", "0 .. 10000"]),
        ("proofs", "off", ["parameter \"proofs\"", "proof "]),
    ] {
        let mut settings = Config::default();
        let refusal = settings.set(name, value).expect_err(value).to_string();
        assert!(parts.iter().all(|part| refusal.contains(part)) && !refusal.contains('\n'), "{refusal}");
        assert_eq!(settings, Config::default(), "{name}={value} is refused and changes something");
    }
    for (settings, missing) in [
        (vec![("node-init", "children")], ("expand", "all")),
        (vec![("priors", "game")], ("select", "puct")),
        (vec![("node-eval", "0.5"), ("select", "puct")], ("expand", "eval-children")),
        (vec![("opponent-model", "greedy"), ("reuse", "none")], ("proof", "off")),
        (vec![("opponent-model", "uct"), ("proof", "off")], ("reuse", "none")),
    ] {
        let refusal = config(&settings).check().expect_err("these exclude each other").to_string();
        let parts = [format!("{}={}", settings[0].0, settings[0].1), format!("add {}={}", missing.0, missing.1)];
        assert!(parts.iter().all(|part| refusal.contains(part)) && !refusal.contains('\n'), "{refusal}");
        config(&[settings, vec![missing]].concat()).check().expect("no conflict");
    }
}

/// A kit with an evaluator named `threat`.
#[derive(Clone)]
struct ThreatKit;

impl Kit<Chain> for ThreatKit {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[("threat", "a playout of uniformly random moves")]
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<Chain>>>, TextError> {
        Ok((name == "threat").then(|| playouts(Uniform, Plain, config)))
    }
}

#[test]
fn missing_evaluators_and_unused_rules_are_refused_in_one_line() {
    let refusal = |settings: &[(&str, &str)], has_threat: bool| {
        let config = config(settings);
        let made = if has_threat { leaf_evaluator(&config, &ThreatKit) } else { leaf_evaluator(&config, &Plain) };
        made.err().map(|err| err.to_string())
    };
    let (win, all, none) = (("threat-rules", "win"), ("threat-rules", "all"), ("threat-rules", "none"));
    for (settings, has_threat, parts) in [
        (&[("eval", "threat")][..], true, None),
        (&[("eval", "threat"), win], true, None),
        (&[("eval", "static"), all], false, None),
        (
            &[("eval", "tactical"), win],
            true,
            Some(["eval=tactical,threat-rules=win: ", "; add eval=threat, or leave threat-rules out"]),
        ),
        (&[("eval", "uniform"), none], false, Some(["eval=uniform,threat-rules=none: ", "; leave threat-rules out"])),
        (&[("eval", "threat"), win], false, Some(["eval=threat: ", "; try one of uniform, tactical"])),
        (&[("eval", "thread")], true, Some(["eval=thread: ", "margin, static, threat"])),
    ] {
        let found = refusal(settings, has_threat);
        match (&found, parts) {
            (None, None) => {}
            (Some(text), Some([start, end])) => {
                assert!(text.starts_with(start) && text.contains(end) && !text.contains('\n'), "{text}");
            }
            _ => panic!("{settings:?} in a game with threats {has_threat}: {found:?}"),
        }
    }
}

#[test]
fn a_padded_evaluation_takes_longer_with_the_same_result() {
    let game = Mesh::new(3, 200, false);
    let usual = [("eval", "uniform"), ("batch", "1"), ("expand", "one")];
    let ways = [usual, [("eval", "tactical"), ("batch", "4"), ("expand", "all")]];
    for settings in ways {
        let search = |pad| {
            let settings = config(&[&settings[..], &[("proof", "off"), ("pad", pad)]].concat());
            let begun = Instant::now();
            let report = choose(&mut mcts(settings), &game, &[], Limits::playouts(20));
            assert_eq!(report.playouts, 20);
            (timeless(report), begun.elapsed())
        };
        let (padded, took) = search("500");
        assert!(took >= 20 * Duration::from_micros(500), "{settings:?}: {took:?}");
        assert_eq!(padded, search("0").0, "{settings:?}");
    }
}
