//! Searches on small games whose exact values are known by exhaustive search.

mod agreement;
mod alpha_beta;
mod alpha_beta_mesh;
mod alpha_beta_threads;
mod budget;
mod evaluators;
mod kits;
mod memory;
mod node_evaluations;
mod playouts;
mod priors;
mod proofs;
mod proving;
mod published;
mod reports;
mod settings;
mod stress;
mod techniques;
mod threads;
mod watching;

use std::time::Duration;

use banyan_core::{Game, Limits, Player, Report, Silent, Situation};
use banyan_search::{Config, Range, TUNABLES};

/// The default settings with these changes.
fn config(settings: &[(&str, &str)]) -> Config {
    let mut config = Config::default();
    for (name, value) in settings {
        config.set(name, value).expect("a valid setting");
    }
    config
}

fn choose<G: Game>(player: &mut impl Player<G>, game: &G, played: &[G::Move], limits: Limits) -> Report<G::Move> {
    let start = game.start();
    let mut state = start.clone();
    for &mv in played {
        game.play(&mut state, mv);
    }
    let at = Situation { game, start: &start, played, state: &state };
    player.choose(&at, &limits, &mut Silent).expect("a built-in search does not fail")
}

/// A report without its elapsed time.
fn timeless<M>(report: Report<M>) -> Report<M> {
    Report { elapsed: Duration::ZERO, ..report }
}

/// The values to test of every setting, one at a time, each in a tree and in a graph, with proofs and without.
fn every_choice() -> Vec<Config> {
    let mut all = Vec::new();
    for row in TUNABLES {
        let values: Vec<&str> = match row.range {
            // The other kinds are tested in `threads`.
            Range::Choice(_) if row.name == "parallel" => vec!["mutex"],
            Range::Name(_) if row.name == "threat-rules" => vec!["all"],
            Range::Name(words) => words.iter().copied().filter(|&word| word != "threat").collect(),
            Range::Choice(words) => words.to_vec(),
            Range::WholeOrOff { .. } => vec!["off"],
            Range::WholeOrAll { .. } => vec!["1", "all"],
            Range::RealOrOff { .. } => vec!["off", "0", "-0.2", "-0.5"],
            Range::SquareWeights => vec!["off"],
            Range::Schedule => vec!["off", "0:1/1:0.2", "0:0.1/0.3:2/1:0"],
            Range::Real { .. } if row.name == "near-tie" => vec!["0"],
            Range::Real { .. } if row.name == "lazy-expansion" => vec!["0", "0.5", "0.9"],
            Range::Real { .. } if row.name == "mast-temperature" => vec!["0.1", "1"],
            Range::Real { .. } => vec!["0", "0.1", "1"],
            Range::Whole { min, step, .. } => match row.name {
                "expand-at" => vec!["1", "3"],
                "playout-plies" => vec!["0", "2"],
                "horizon" => vec!["0", "3"],
                "leaf-search-depth" => vec!["1", "2", "5"],
                "leaf-search-below" => vec!["1", "2"],
                "exact-leaves" => vec!["2", "5"],
                "pad" => vec!["1"],
                "opponent-model-budget" => vec!["1", "5"],
                "root-bias-depth" => vec!["1", "5"],
                "batch" => vec!["2", "8", "64", "1024"],
                "top" => vec!["0"],
                "memory-mib" => vec!["1"],
                "threads" => vec!["3"],
                "take-weight" => vec!["0"],
                "root-moves" => vec!["4", "16"],
                _ => vec![min.to_string().leak(), (min + step).to_string().leak()],
            },
        };
        for (value, structure, proof) in in_both(&values) {
            let mut settings = config(&[("structure", structure), ("proof", proof)]);
            for &(name, value) in companions(row.name, value) {
                settings.set(name, value).expect("a value of the table");
            }
            settings.set(row.name, value).expect("a value of the row");
            // Rewards in points have a wider range.
            match settings.get("reward").as_deref() {
                Some("margin") => settings.set("c", "1").expect("in range"),
                Some("50+margin") => settings.set("c", "30").expect("in range"),
                _ => {}
            }
            settings.check().expect("settings without conflicts");
            all.push(settings);
        }
    }
    all
}

/// Settings that a value needs to have an effect, or to be allowed.
fn companions(name: &str, value: &str) -> &'static [(&'static str, &'static str)] {
    match (name, value) {
        ("node-init", "children") => &[("expand", "all")],
        ("node-eval", "0.1" | "1") => &[("expand", "all"), ("node-init", "children")],
        ("priors", "game") => &[("select", "puct"), ("fpu", "0")],
        ("expand", "eval-children") => &[("select", "puct")],
        ("opponent-model", "greedy" | "uct" | "pvs" | "player") => &[("proof", "off"), ("reuse", "none")],
        ("opponent-model-budget", _) => &[("opponent-model", "pvs"), ("proof", "off"), ("reuse", "none")],
        ("horizon-eval", "margin" | "static") => &[("horizon", "3")],
        ("eval-noise", "0.1" | "1") => &[("eval", "static")],
        ("root-bias" | "root-bias-until" | "root-bias-at", _) => &[("root-bias-depth", "2")],
        ("lazy-mode", _) => &[("lazy-expansion", "0.3")],
        ("amaf-weight", _) => &[("amaf", "alpha")],
        ("amaf-bias", _) => &[("amaf", "rave")],
        ("amaf-ref", _) => &[("amaf", "grave")],
        ("mast-temperature", _) => &[("eval", "mast")],
        ("leaf-search-below", _) => &[("leaf-search-depth", "2"), ("expand-at", "3")],
        ("pending", "loss") => &[("batch", "8")],
        ("root-moves", _) => &[("root", "gumbel")],
        ("parallel", _) => &[("threads", "2")],
        _ => &[],
    }
}

fn in_both<'a>(values: &[&'a str]) -> Vec<(&'a str, &'static str, &'static str)> {
    let combine = |&value| {
        [("tree", "off"), ("tree", "bounds"), ("graph", "off"), ("graph", "bounds")].map(|(s, p)| (value, s, p))
    };
    values.iter().flat_map(combine).collect()
}
