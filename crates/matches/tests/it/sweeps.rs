//! Sweeps whose configuration or games no sweep could have written.

use banyan_catalog::pairs::GameLine;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_matches::exports::{Details, Outcome, export_for};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::{StageGames, SweepResult, finer, with_values};
use banyan_matches::{MatchConfig, MatchFormat, Quantity, SweepConfig, Varied};

use crate::fixture::{config, pair};

fn row(values: &[f64]) -> Varied {
    Varied { name: "c".to_owned(), log: false, whole: false, values: values.to_vec(), default: None }
}

fn sweep(players: &[&str], vary: Vec<Varied>) -> MatchConfig {
    let sweep = SweepConfig { quantity: Quantity::Score, refine: false, vary };
    MatchConfig { format: MatchFormat::Sweep, sweep: Some(sweep), ..config(players) }
}

fn exported(name: &str, config: &MatchConfig, lines: &[GameLine], repetitions: usize) -> String {
    let (none, details) = (Catalog::empty(), Details { repetitions, ..Details::default() });
    let outcome = Outcome::of(&none, Kind::Sweep, &[StageGames { config, lines }], details);
    export_for(name).expect("a form")(&outcome.expect("a result"))
}

fn picture(config: &MatchConfig, lines: &[GameLine], repetitions: usize) -> String {
    exported("sweep.svg", config, lines, repetitions)
}

#[test]
fn a_row_of_a_sweep_ends_with_the_values_of_its_settings() {
    let other = Varied { name: "fpu".to_owned(), ..row(&[0.1, 0.2]) };
    let config = sweep(&["anna", "bert", "cleo", "dora", "emil"], vec![row(&[0.5, 0.6]), other]);
    let lines: Vec<GameLine> = (0..4).flat_map(|n| pair(n, [0, 1 + n as usize], "+-")).collect();
    let csv = exported("sweep.csv", &config, &lines, 0);
    let ends: Vec<String> =
        csv.lines().map(|line| line.rsplitn(3, ',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(ends, ["fpu c", "0.1 0.5", "0.2 0.5", "0.1 0.6", "0.2 0.6"]);
    assert!(csv.lines().nth(2).is_some_and(|line| line.starts_with("anna,cleo,1,")), "{csv}");
}

fn result(config: &MatchConfig, lines: &[GameLine]) -> Result<SweepResult, String> {
    SweepResult::of(&[StageGames { config, lines }], false, 0).map_err(|err| err.to_string())
}

#[test]
fn a_sweep_of_nothing_is_an_error() {
    let known = Players::presets();
    let made = with_values(&known, None, ["uct", "uct"], &[], &Budget::playouts(9));
    assert_eq!(
        made.map(drop).expect_err("no setting").to_string(),
        "a sweep of no setting: expected one setting with its values, or two; try c=0.2..2/10"
    );
    assert!(SweepResult::of(&[], false, 0).is_err());
    for (players, vary) in [
        (&[][..], vec![row(&[0.1])]),
        (&["anna"], vec![]),
        (&["anna"], vec![row(&[])]),
        (&["anna", "bert"], vec![row(&[0.1, 0.2])]),
        (&["anna", "bert", "cleo"], vec![row(&[0.1, 0.1])]),
        (&["anna", "bert"], vec![row(&[f64::NAN])]),
    ] {
        let config = sweep(players, vary);
        assert!(result(&config, &[]).is_err(), "{config:?}");
        let plan = config.sweep.as_ref().expect("a sweep");
        assert!(finer(&known, &config, plan, &[0.1]).is_err(), "{config:?}");
    }
}

#[test]
fn a_picture_of_too_few_values_has_no_points() {
    let picture = |config: &MatchConfig, lines: &[GameLine]| picture(config, lines, 0);
    let one = sweep(&["anna", "bert"], vec![row(&[0.5])]);
    let lines = pair(0, [0, 1], "+-");
    assert!(!picture(&one, &lines).contains("class=\"point\""));
    let three = sweep(&["anna", "bert", "cleo"], vec![row(&[0.5, 0.6])]);
    assert!(picture(&three, &lines).contains("class=\"point\""));
    let other = Varied { name: "fpu".to_owned(), ..row(&[0.1, 0.2]) };
    let line = sweep(&["anna", "bert", "cleo"], vec![row(&[0.5]), other]);
    assert!(picture(&line, &lines).ends_with("</svg>\n"));
    // Two values that differ in their last digit leave no room for round numbers.
    let close = sweep(&["anna", "bert", "cleo"], vec![row(&[1e300, 1.0_f64.mul_add(1e300, 1e285)])]);
    assert!(picture(&close, &lines).ends_with("</svg>\n"));
}

#[test]
fn a_picture_has_a_line_through_the_means_of_each_repetition() {
    let config = sweep(&["anna", "bert", "cleo"], vec![row(&[0.5, 0.6])]);
    // Two values, three rounds of each, and other results in each round.
    let results = ["++", "--", "+-", "--", "++", "-+"];
    let lines: Vec<GameLine> = (0..6).flat_map(|n| pair(n, [0, 1 + n as usize % 2], results[n as usize])).collect();
    let drawn = |n: usize| {
        let picture = picture(&config, &lines, n);
        let lines = picture.lines().filter(|line| line.contains("class=\"repetition\""));
        lines.map(|line| line.split('"').nth(3).expect("points").split(' ').count()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(0), Vec::<usize>::new());
    assert_eq!(drawn(3), [2, 2, 2]);
}

#[test]
fn the_number_of_a_pair_may_be_any() {
    let config = sweep(&["anna", "bert", "cleo"], vec![row(&[0.5, 0.6])]);
    let lines: Vec<GameLine> = [0, 1, u64::MAX / 2].into_iter().flat_map(|n| pair(n % 1000, [0, 1], "+-")).collect();
    let mut far = lines.clone();
    far[4].pair = u64::MAX;
    far[5].pair = u64::MAX;
    assert_eq!(result(&config, &far).expect("a result").pairs, 3);
}
