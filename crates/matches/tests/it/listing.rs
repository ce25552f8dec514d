//! Lists of the games of a record: by player, result and opening.

use std::fs;

use banyan_catalog::pairs::{EndingKind, GameLine, SideName};
use banyan_matches::exports::{Details, Outcome, Sheet, export_for, game_sheet};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;
use banyan_matches::{Drops, GameFilter, GameResult, MatchConfig, kept_drops};
use banyan_review::Language;

use crate::catalog;
use crate::fixture::{config, fault, pair};

/// anna wins both games against bert, loses both against cleo, the second by a fault; bert and cleo draw.
fn lines() -> Vec<GameLine> {
    let mut lines = [pair(0, [0, 1], "+-"), pair(1, [0, 2], "-+"), pair(2, [1, 2], "==")].concat();
    lines[3] = fault(lines[3].clone(), SideName::Second, EndingKind::Illegal);
    // Another record of the first game does not count.
    lines.push(lines[0].clone());
    lines
}

#[track_caller]
fn check(player: Option<&str>, result: Option<&str>, opening: Option<&str>, expected: &[&str]) {
    let lines = lines();
    let result = result.map(|text| text.parse::<GameResult>().expect("a result"));
    let filter = GameFilter { player: player.map(str::to_owned), result, opening: opening.map(str::to_owned) };
    let found = filter.select(&lines).expect("players of the record");
    let names: Vec<String> = found.iter().map(|line| format!("{}.{}", line.pair, line.game)).collect();
    assert_eq!(names, expected, "{filter:?}");
}

#[test]
fn games_are_selected_by_player_result_and_opening() {
    check(None, None, None, &["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]);
    // Without a player the results are those of the first player of the match.
    check(None, Some("won"), None, &["0.0", "0.1"]);
    check(None, Some("LOST"), None, &["1.0", "1.1"]);
    check(None, Some("fault"), None, &["1.1"]);
    check(None, Some("drawn"), None, &[]);
    check(Some("bert"), Some("lost"), None, &["0.0", "0.1"]);
    check(Some("cleo"), Some("drawn"), None, &["2.0", "2.1"]);
    check(Some("cleo"), Some("fault"), None, &[]);
    // A part of a name; of several names.
    check(Some("nn"), None, None, &["0.0", "0.1", "1.0", "1.1"]);
    check(Some("e"), Some("won"), None, &["1.0", "1.1"]);
    check(None, None, Some("1 2"), &["1.0", "1.1"]);
    check(None, None, Some(" 1  2 1 2 3 "), &["1.0", "1.1"]);
    check(None, None, Some("1 2 1 2 3 4"), &[]);
}

#[test]
fn unknown_players_and_results_are_errors_with_the_known_ones() {
    let player = |name: &str| {
        GameFilter { player: Some(name.to_owned()), ..GameFilter::default() }.select(&lines()).map(|games| games.len())
    };
    let err = player("berd").expect_err("no such player").to_string();
    assert!(
        err.starts_with("player \"berd\": expected one of anna, bert, cleo (did you mean bert?); name a player"),
        "{err}"
    );
    assert!(player("").is_err());
    let err = "loss".parse::<GameResult>().expect_err("no result").to_string();
    assert!(err.starts_with("result \"loss\": expected won, drawn, lost or fault"), "{err}");
}

#[test]
fn lists_show_the_decisive_moves_that_reviews_kept() {
    let lines = lines();
    let folder = tempfile(&lines);
    let drops = kept_drops(&folder, &lines);
    assert_eq!(drops.len(), 1, "the damaged review, and the one of another game, are left out");
    let sheet = game_sheet(&catalog(), &lines.iter().take(4).collect::<Vec<_>>(), &drops, Language::En);
    let row = |i: usize| sheet.rows[i].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
    let lost = "4. 2 ?? -50 % (proven); better 3";
    assert_eq!(
        row(2),
        [
            "1.0",
            "anna",
            "cleo",
            "0-1",
            "+3",
            "blunder (??)",
            "5",
            lost,
            "1 2",
            "2 does not block c3, where X completes four"
        ]
    );
    assert_eq!(row(3)[5], "illegal move");
    // Without reviews there is no column for them.
    let plain = game_sheet(&catalog(), &lines.iter().collect::<Vec<_>>(), &Drops::new(), Language::En);
    assert_eq!(plain.columns.len() + 2, sheet.columns.len());
    let lost = lost_by_first(&config(&["anna", "bert", "cleo"]), &lines, &drops).expect("lost games");
    assert_eq!((lost.title.as_str(), lost.rows.len()), ("Games lost by anna", 2));
    let many: Vec<GameLine> = (0..12).flat_map(|n| pair(n, [0, 1], "-+")).collect();
    let two = config(&["anna", "bert"]);
    let lost = lost_by_first(&two, &many, &drops).expect("lost games");
    assert_eq!((lost.title.as_str(), lost.rows.len()), ("Games lost by anna, 10 of 24", 10));
    assert!(lost_by_first(&two, &pair(0, [0, 1], "+-"), &drops).is_none());
}

/// The lost games of a report, as its Markdown has them too.
fn lost_by_first(config: &MatchConfig, lines: &[GameLine], drops: &Drops) -> Option<Sheet> {
    let details = Details { drops: drops.clone(), ..Details::default() };
    let catalog = catalog();
    let outcome = Outcome::of(&catalog, Kind::Match, &[StageGames { config, lines }], details).expect("a result");
    let lost = outcome.report().lost.clone();
    if let Some(lost) = &lost {
        let text = export_for("report.md").expect("a form")(&outcome);
        assert!(text.contains(&format!("\n## {}\n", lost.title)), "{text}");
    }
    lost
}

/// A folder with a review of game 1.0, one of a game that was replaced, and a damaged one.
fn tempfile(lines: &[GameLine]) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("banyan-listing-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let drop = r#"{"ply":4,"move":"2","best":"3","loss":50.0,"unit":"percent","exact":true,"mark":"??","reason":{"kind":"win-not-blocked","side":"first","names":{"cell":"c3"}}}"#;
    let line = |game: &GameLine, moves: &str| {
        let GameLine { pair, game, opening_plies, .. } = game;
        format!(
            r#"{{"v":1,"version":"0","reviewer":"best","budget":"1s","pair":{pair},"game":{game},"spec":"connect-four","opening_plies":{opening_plies},"moves":"{moves}","drop":{drop}}}"#
        )
    };
    let text = [line(&lines[2], &lines[2].moves), line(&lines[1], "7 7"), "{\"v\":1,".to_owned()].join("\n");
    fs::write(folder.join("reviews.jsonl"), text + "\n").expect("a file");
    folder
}
