//! The levels of the built-in games: complete, ordered, and unmoved by changes elsewhere.

use std::time::Duration;

use banyan::Limits;
use banyan::catalog::{ALPHA_BETA_TUNABLES, Family, LEVELS, Level, TUNABLES};

use crate::{best, choose, player, start};

fn families() -> Vec<Family> {
    banyan::builtin().families().to_vec()
}

fn value<'a>(level: &'a Level, name: &str) -> Option<&'a str> {
    let (_, settings) = level.player.split_once(':').expect("settings");
    settings.split(',').find_map(|setting| setting.strip_prefix(name)?.strip_prefix('='))
}

#[test]
fn every_game_has_ten_levels_with_every_setting_and_a_budget_of_their_own() {
    for family in families() {
        assert_eq!(family.tables.levels.len(), 10, "{}", family.name);
        for level in family.tables.levels {
            // A game's preset would change with the preset.
            let rows = match level.player.split(':').next() {
                Some("graph") => TUNABLES,
                Some("pvs") => ALPHA_BETA_TUNABLES,
                other => panic!("{other:?} of {} is neither graph nor pvs", family.name),
            };
            for row in rows {
                let found = value(level, row.name);
                // Those of published systems alone stay off.
                let is_right =
                    if row.experimental { found.is_none_or(|found| found == row.default) } else { found.is_some() };
                assert!(is_right, "{}: {} is {found:?} in {}", family.name, row.name, level.player);
            }
            assert!(value(level, "playouts").or(value(level, "nodes")).is_some(), "{}", level.player);
            assert_eq!(value(level, "threads"), Some("1"), "{}", level.player);
        }
    }
}

#[test]
fn levels_rise_and_err_less() {
    for family in families() {
        let share = |level: &Level| value(level, "second-best").map_or(0.0, |share| share.parse().expect("a number"));
        for pair in family.tables.levels.windows(2) {
            assert!(pair[0].elo < pair[1].elo, "{}: {} and {}", family.name, pair[0].elo, pair[1].elo);
        }
        let last = family.tables.levels.last().expect("ten levels");
        assert!(share(last) < share(&family.tables.levels[0]), "{}", family.name);
    }
}

#[test]
fn words_name_three_levels_of_reversi() {
    for family in families() {
        let numbers: Vec<usize> = LEVELS[10..].iter().filter_map(|name| Some(family.tables.level(name)?.0)).collect();
        assert_eq!(numbers.len(), if family.name == "reversi" { 3 } else { 0 }, "{}", family.name);
        assert!(numbers.is_sorted(), "{numbers:?}");
    }
}

/// A level ignores every limit of a move, its time too, and repeats its moves with the same seed.
#[test]
fn a_level_searches_within_its_own_budget() {
    for (game, level) in [("connect-four", "level-2"), ("reversi", "beginner"), ("dots-and-boxes", "level-3")] {
        let nodes = Limits { nodes: Some(7), ..Limits::default() };
        let [one, others @ ..] = [Limits::playouts(3), nodes, Limits::time(Duration::from_nanos(1))]
            .map(|limits| choose(&mut start(game), level, &limits));
        for other in others {
            assert_eq!((best(&one), one.playouts), (best(&other), other.playouts), "{game}");
        }
        let (_, found) = families()
            .into_iter()
            .find(|family| family.name == game)
            .and_then(|family| family.tables.level(level))
            .expect(level);
        assert_eq!(Some(one.playouts.to_string().as_str()), value(found, "playouts"), "{game}");
    }
}

#[test]
fn a_level_that_a_game_does_not_have_is_refused() {
    let mut session = start("connect-four");
    let err = session.seat(&player("advanced"), 1).map(|_| ()).expect_err("a level of Reversi").to_string();
    assert!(err.contains("player advanced: expected level-1 .. level-10"), "{err}");
}

/// `experiments/ratings/run` writes rating.json; its numbers are copied into the tables.
#[test]
fn ratings_are_those_of_the_recorded_games() {
    for family in families() {
        let path = format!("{}/../../experiments/ratings/{}/rating.json", env!("CARGO_MANIFEST_DIR"), family.name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|err| panic!("{path}: {err}"));
        for (level, name) in family.tables.levels.iter().zip(LEVELS) {
            // The first rating after the name is the player's own: `"rating":[low,mid,high]`.
            let of_player =
                text.split(&format!("\"name\":\"{name}\",")).nth(1).unwrap_or_else(|| panic!("{name} in {path}"));
            let span = of_player.split("\"rating\":[").nth(1).expect("a rating");
            let mid: f64 = span.split(',').nth(1).and_then(|mid| mid.parse().ok()).expect("three numbers");
            assert_eq!(level.elo, mid.round() as i32, "{name} of {}", family.name);
        }
    }
}
