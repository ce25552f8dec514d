//! The rows of ablations of built-in players, and results of games made up by hand.

use banyan_catalog::pairs::GameLine;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_matches::ablation::{AblationResult, AskedRows, RowVerdict, SwitchedOff, variants};
use banyan_matches::exports::{Details, Outcome, export_for};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;
use banyan_matches::{AblationConfig, AblationRow, MatchConfig, MatchFormat};
use banyan_texts::Language;

use crate::catalog;
use crate::fixture::{config, pair};

fn off() -> AskedRows {
    AskedRows { off: Some(SwitchedOff::All), on: Vec::new() }
}

fn on(rows: &[&str]) -> AskedRows {
    AskedRows { off: None, on: rows.iter().map(|row| row.parse().expect(row)).collect() }
}

fn plan(game: &str, player: &str, asked: &AskedRows) -> Result<AblationConfig, String> {
    let budgets = [Budget::playouts(50), "10ms".parse().expect("a budget")];
    let made = variants((&catalog(), &Players::presets()), (game, player), asked, &budgets);
    let (players, plan) = made.map_err(|err| err.to_string())?;
    assert_eq!(players.len(), 2 * (plan.rows.len() + 1));
    assert_eq!(plan.check(players.len()), Ok(()));
    Ok(plan)
}

fn names(plan: &AblationConfig) -> Vec<&str> {
    plan.rows.iter().map(|row| row.settings.as_str()).collect()
}

#[test]
fn every_setting_that_is_not_neutral_is_switched_off_or_stays_with_a_reason() {
    let plan = plan("connect-four", "mcgs", &off()).expect("a plan");
    for setting in [
        "structure=tree",
        "priors=uniform",
        "c=0.3",
        "fpu=off",
        "unvisited=own",
        "reward=win",
        "eval=uniform",
        "proof=off",
    ] {
        assert!(names(&plan).contains(&setting), "{setting} in {plan:?}");
    }
    let row = plan.rows.iter().find(|row| row.settings == "eval=uniform").expect("a row");
    assert_eq!((row.name.as_str(), row.instead_of.as_str()), ("eval=uniform", "eval=threat"));
    // Each of these needs another one, or is what the search may use.
    for (setting, reason) in [
        ("select=puct", "select=puct with it"),
        ("expand=eval-children", "with it"),
        ("memory-mib=1024", "not a feature"),
    ] {
        let kept = plan.kept.iter().find(|kept| kept.setting == setting).unwrap_or_else(|| panic!("{plan:?}"));
        assert!(kept.reason.contains(reason) && kept.in_words(Language::En) == kept.reason, "{kept:?}");
        assert_ne!(kept.in_words(Language::Zh), kept.reason);
    }
    // What is listed is what is not played.
    let played = names(&plan);
    assert!(plan.kept.iter().all(|kept| {
        let name = kept.setting.split('=').next().expect("a name");
        played.iter().all(|row| row.split('=').next() != Some(name))
    }));
}

#[test]
fn best_and_alpha_beta_are_switched_as_well() {
    let best = plan("reversi", "best", &off()).expect("a plan");
    assert!(!best.rows.is_empty(), "{best:?}");
    let pvs = plan("reversi", "pvs", &off()).expect("a plan");
    assert!(names(&pvs).contains(&"probcut=off") && names(&pvs).contains(&"window=off"), "{pvs:?}");
    assert!(pvs.kept.iter().any(|kept| kept.setting == "table-mib=256"), "{pvs:?}");
}

#[test]
fn candidates_change_what_they_name_and_nothing_else() {
    let found = plan("connect-four", "uct:c=0.5", &on(&["PUCT: select=puct,fpu=0.2", "c=1"])).expect("a plan");
    let rows: Vec<[&str; 3]> = found.rows.iter().map(|row| [&*row.name, &*row.settings, &*row.instead_of]).collect();
    assert_eq!(rows, [["PUCT", "select=puct,fpu=0.2", "select=ucb1,fpu=off"], ["c=1", "c=1", "c=0.5"]]);
    for (game, player, rows, part) in [
        ("connect-four", "uct", &["d=1"][..], "d: expected a setting of uct"),
        ("connect-four", "uct", &["c=0.3"], "c=0.3: expected another value than that of uct"),
        ("connect-four", "uct", &["c=1", "x: c=1"], "row \"x\": expected each variant once, and \"c=1\" is the same"),
        // One value in two spellings.
        ("connect-four", "uct", &["c=0.30"], "c=0.30: expected another value than that of uct"),
        (
            "connect-four",
            "uct",
            &["c=1", "c=1.0"],
            "row \"c=1.0\": expected each variant once, and \"c=1\" is the same",
        ),
        ("connect-four", "uct", &["c=1,fpu=0.2", "fpu=0.20,c=1.0"], "expected each variant once"),
        ("connect-four", "uct", &["x: c=1", "x: c=2"], "expected another name for each row"),
        ("connect-four", "uct", &["priors=game"], "priors=game: expected select=puct with it"),
        ("connect-four", "uct", &["c=-1"], "c=-1: expected 0 .. 1000"),
        ("reversi", "uct", &["eval=threat"], "expected an evaluator of this game"),
        // The general preset that the game falls back to would change more.
        ("connect-four", "mcgs", &["select=ucb1"], "priors=game: expected select=puct with it"),
        ("connect-four", "random", &["c=1"], "player random: expected a player with settings to switch"),
        ("connect-four", "uct@10ms", &["c=1"], "write uct --budget 10ms"),
        ("connect-four", "level-3", &["c=1"], "which has its own"),
        ("connect-four", "uct", &[], "nothing to switch in uct"),
    ] {
        let err = plan(game, player, &on(rows)).expect_err(part);
        assert!(err.contains(part) && !err.contains('\n'), "{rows:?}: {err}");
    }
    let named = |name: &str| AskedRows { off: Some(SwitchedOff::Named(vec![name.to_owned()])), on: Vec::new() };
    assert_eq!(names(&plan("connect-four", "mcgs", &named("proof")).expect("a plan")), ["proof=off"]);
    for (name, part) in
        [("prof", "did you mean proof?"), ("select", "expected select=puct with it"), ("tie", "expected another value")]
    {
        let err = plan("connect-four", "mcgs", &named(name)).expect_err(name);
        assert!(err.starts_with(&format!("--off={name}: ")) && err.contains(part), "{err}");
    }
}

/// Two rows at two budgets, each of which is `anna`, `bert`, `cleo` of a separate group.
fn ablation() -> MatchConfig {
    let row = |name: &str| AblationRow {
        name: name.to_owned(),
        settings: format!("{name}=1"),
        instead_of: format!("{name}=0"),
        note: None,
        paper: None,
    };
    let plan = AblationConfig {
        player: "anna".to_owned(),
        budgets: vec!["playouts=100".to_owned(), "10ms".to_owned()],
        rows: vec![row("a"), row("b")],
        kept: Vec::new(),
    };
    let config = config(&["anna", "bert", "cleo", "anna2", "bert2", "cleo2"]);
    MatchConfig { format: MatchFormat::Ablation, pairs: 8, ablation: Some(plan), ..config }
}

/// Eight rounds: row a wins every pair at the first budget, and all else is even, but one pair that row b wins at the second.
fn lines() -> Vec<GameLine> {
    let config = ablation();
    let schedule = config.schedule().expect("a schedule");
    let mut lines = Vec::new();
    for plan in (0..32).map(|index| schedule.plan(index)) {
        let results = match plan.pairing {
            [0, 1] => "-+",
            [3, 5] if plan.round == 0 => "-+",
            _ if plan.round % 2 == 0 => "++",
            _ => "--",
        };
        lines.extend(pair(plan.index, plan.pairing, results));
    }
    lines
}

#[test]
fn rows_meet_the_player_of_their_budget_and_are_judged_together() {
    let (config, lines) = (ablation(), lines());
    let result = AblationResult::of(&config, &lines).expect("a result");
    assert_eq!((result.pairs, result.of, result.comparisons), (32, 32, 4));
    let row =
        |i: usize| (&*result.rows[i].variant.name, &*result.rows[i].budget, result.rows[i].wdl, result.rows[i].verdict);
    assert_eq!(row(0), ("a", "playouts=100", [16, 0, 0], RowVerdict::Better));
    assert_eq!(row(1), ("b", "playouts=100", [8, 0, 8], RowVerdict::Undecided));
    assert_eq!(row(2), ("b", "10ms", [9, 0, 7], RowVerdict::Undecided));
    assert_eq!(row(3), ("a", "10ms", [8, 0, 8], RowVerdict::Undecided));
    // Eight of eight pairs in either direction: 2 * 2^-8, and that times four.
    assert_eq!((result.rows[0].p, result.rows[0].p_holm), (0.007_813, 0.031_25));
    assert_eq!(result.conclusion, "better than anna: a at playouts=100; not told apart: 3 of 4");
}

#[test]
fn few_pairs_give_no_verdict_and_show_no_difference() {
    let (config, mut lines) = (ablation(), lines());
    // Row a wins each of its pairs, but the first one by a win and a draw: Student's distribution would call it better after four.
    let schedule = config.schedule().expect("a schedule");
    let first = (0..4).map(|index| schedule.plan(index)).find(|plan| plan.pairing == [0, 1]).expect("a pair of row a");
    lines.retain(|line| line.pair != first.index);
    lines.extend(pair(first.index, first.pairing, "-="));
    let few = |n: u64| {
        let config = MatchConfig { pairs: n, ..config.clone() };
        let lines: Vec<GameLine> = lines.iter().filter(|line| line.pair < 4 * n).cloned().collect();
        AblationResult::of(&config, &lines).expect("a result")
    };
    let rows = few(4).rows;
    assert!(rows[0].p_holm < 0.05 && rows[0].variant.name == "a" && rows[0].wdl == [7, 1, 0], "{:?}", rows[0]);
    assert!(rows.iter().all(|row| row.verdict == RowVerdict::Undecided), "{rows:?}");
    assert_eq!(few(5).rows[0].verdict, RowVerdict::Better);
    let detectable = few(4).detectable.expect("two pairs");
    assert_eq!((detectable.of_all, detectable.alone), (None, None));
    let words = "no difference can be shown with so few pairs: 4 of a row";
    assert_eq!(detectable.in_words(4, Language::En), words);
    assert_eq!(few(1).detectable, None);
    // Two rows have no spread at all: eight pairs show a large difference only.
    let detectable = few(8).detectable.expect("two pairs");
    assert!(detectable.alone.is_some_and(|elo| elo > 150.0) && detectable.of_all > detectable.alone, "{detectable:?}");
}

#[test]
fn an_interval_of_all_is_wider_than_its_own_and_every_form_is_written() {
    let (config, lines) = (ablation(), lines());
    let result = AblationResult::of(&config, &lines).expect("a result");
    let b = &result.rows[2];
    assert!(b.elo_of_all[0] < b.elo[0] && b.elo_of_all[2] > b.elo[2] && b.elo_of_all[1] == b.elo[1], "{b:?}");
    let none = Catalog::empty();
    let stages = [StageGames { config: &config, lines: &lines }];
    let outcome = Outcome::of(&none, Kind::Ablation, &stages, Details::default()).expect("a result");
    let written = |name: &str| export_for(name).expect("a form")(&outcome);
    let csv = written("a.csv");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(
        csv.lines().nth(1).is_some_and(|line| line.starts_with("a,a=1,a=0,playouts=100,8,16,0,0,0,0,0,0,8,")),
        "{csv}"
    );
    let picture = written("a.svg");
    assert_eq!(picture.matches("class=\"barall\"").count(), 4, "{picture}");
    assert!(picture.contains("class=\"zero\"") && picture.contains("budget 10ms"), "{picture}");
    for name in ["a.md", "a.html", "a.table.csv"] {
        assert!(written(name).contains("10ms"), "{name}");
    }
    assert!(AblationResult::of(&MatchConfig { ablation: None, ..config }, &lines).is_err());
}
