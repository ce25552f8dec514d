//! The levels of the built-in games: complete, ordered, and unmoved by changes elsewhere.

use std::time::Duration;

use banyan::Limits;
use banyan::catalog::{ALPHA_BETA_TUNABLES, Family, LEVELS, Level, PlayerSpec, TUNABLES};

use crate::{best, choose, player, start};

fn families() -> Vec<Family> {
    banyan::builtin().families().to_vec()
}

fn value(level: &Level, name: &str) -> Option<String> {
    let text = level.text();
    let (_, settings) = text.split_once(':').expect("settings");
    settings.split(',').find_map(|setting| Some(setting.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
}

#[test]
fn every_game_has_ten_levels_with_a_budget_of_their_own() {
    for family in families() {
        assert_eq!(family.tables.levels.len(), 10, "{}", family.name);
        for level in family.tables.levels {
            // A game's preset would change with the preset.
            let is_fixed = level.player.starts_with("graph:") || level.player.starts_with("pvs:");
            assert!(is_fixed, "{} of {}", level.player, family.name);
            assert!(value(level, "playouts").or(value(level, "nodes")).is_some(), "{}", level.player);
            assert_eq!(value(level, "threads").as_deref(), Some("1"), "{}", level.player);
        }
    }
}

/// `levels.txt` has every setting of every level as they were rated. A setting made since then is at its neutral value, which
/// changes nothing.
#[test]
fn no_level_differs_from_the_one_that_was_rated() {
    let rated = include_str!("levels.txt");
    assert_eq!(rated.lines().count(), families().iter().map(|family| family.tables.levels.len()).sum::<usize>());
    for family in families() {
        for (level, name) in family.tables.levels.iter().zip(LEVELS) {
            let start = format!("{} {name} ", family.name);
            let expected = rated.lines().find_map(|line| line.strip_prefix(&start));
            let (expected, found) = (expected.expect("a line for each level"), level.text());
            let (player, settings) = expected.split_once(':').expect("settings");
            let mut others: Vec<&str> = found.strip_prefix(player).expect(player)[1..].split(',').collect();
            for setting in settings.split(',') {
                let at = others.iter().position(|other| *other == setting);
                others.remove(at.unwrap_or_else(|| panic!("{name} of {} has not {setting}: {found}", family.name)));
            }
            let rows = if player == "pvs" { ALPHA_BETA_TUNABLES } else { TUNABLES };
            let is_neutral = |other: &&str| rows.iter().any(|row| **other == format!("{}={}", row.name, row.neutral));
            assert!(others.iter().all(is_neutral), "{name} of {}: {others:?}", family.name);
            let rated: PlayerSpec = expected.parse().expect("a player");
            assert_eq!(found.parse::<PlayerSpec>().expect("a player"), rated, "{name} of {}", family.name);
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
        assert_eq!(Some(one.playouts.to_string()), value(found, "playouts"), "{game}");
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
