//! The presets of the built-in games: valid on every board, listed in the README, and their variants for explicit
//! settings.

use std::collections::BTreeSet;

use banyan::catalog::view::Analysis;
use banyan::catalog::{Family, GamePreset, PRESETS, PlayerSpec};
use banyan::{Limits, Silent};

use crate::{best, choose, player, start};

/// Boards of every word width that the games are compiled for, and unusual ones.
const BOARDS: [(&str, &[&str]); 3] = [
    ("connect-four", &["4x4", "6x7", "5x6,hole=b2", "10x11,hole=d3", "12x12,hole=a1", "15x16"]),
    ("reversi", &["4x4", "8x8", "8x8,count=discs", "10x10", "4x10"]),
    ("dots-and-boxes", &["1x1", "2x3", "5x5", "6x6", "9x9"]),
];

/// The specification of every board, with the family of its game.
fn boards() -> Vec<(Family, String)> {
    let catalog = banyan::builtin();
    let named = |family: &Family| BOARDS.into_iter().find(|(name, _)| *name == family.name);
    let of_family = |family: &Family| {
        let (name, sizes) = named(family).unwrap_or_else(|| panic!("no boards of {}", family.name));
        sizes.iter().map(|size| (*family, format!("{name}:{size}"))).collect::<Vec<_>>()
    };
    let boards: Vec<_> = catalog.families().iter().flat_map(of_family).collect();
    assert_eq!(catalog.families().len(), BOARDS.len());
    boards
}

/// Whether a player answers with a legal move on a board.
fn plays(board: &str, text: &str) -> bool {
    let mut session = start(board);
    let limits = Limits { playouts: Some(40), nodes: Some(400), ..Limits::default() };
    let analysis = choose(&mut session, text, &limits);
    session.legal_moves().iter().any(|mv| mv == best(&analysis))
}

#[test]
fn every_preset_of_a_game_is_a_distinct_player_on_every_board() {
    let mut checked = 0;
    for (family, board) in boards() {
        for preset in family.tables.presets {
            preset.check().unwrap_or_else(|err| panic!("{}: {err}", family.name));
            let usual = PRESETS.iter().find(|usual| usual.name == preset.name);
            assert!(usual.is_some_and(|usual| usual.suits_its_game), "{} is not the name of a preset", preset.name);
            if preset.variants.iter().any(|variant| variant.contains("square-weights")) && board != "reversi:8x8" {
                // Square weights are for one board; see `published`.
                continue;
            }
            assert!(plays(&board, preset.name), "{} on {board}", preset.name);
            let mut others = vec![player("graph").to_string()];
            for variant in preset.variants {
                assert!(plays(&board, variant), "{variant} on {board}");
                let text = player(variant).to_string();
                assert!(!others.contains(&text), "{variant} is not distinct");
                others.push(text);
                checked += 1;
            }
        }
    }
    assert!(checked >= 18, "{checked}: three variants on six boards of Connect Four");
}

#[test]
fn every_general_preset_plays_every_board() {
    for (_, board) in boards() {
        for preset in PRESETS.iter().filter(|preset| preset.name != "vote" && !preset.needs_its_game) {
            assert!(plays(&board, preset.name), "{} on {board}", preset.name);
        }
        assert!(plays(&board, "vote:uct+pvs"), "vote on {board}");
    }
}

#[test]
fn presets_are_those_that_the_readme_lists() {
    let readme = include_str!("../../../../README.md");
    let section = readme.split("\n## ").find(|section| section.starts_with("Players\n")).expect("a section on players");
    let first_cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let names: BTreeSet<&str> = first_cells
        .flat_map(|cell| cell.split("`, `").map(|name| name.split([':', '`']).next().expect("a piece")))
        .collect();
    let mut expected: BTreeSet<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    // A human at the terminal and the levels are players, but not presets.
    expected.extend(["human", "level-1"]);
    assert_eq!(names, expected);
}

/// The analysis of the empty board of Connect Four by `player`, without times.
fn analysis_by(player: &str) -> Analysis {
    let analysis = choose(&mut start("connect-four"), player, &Limits::playouts(500));
    Analysis { elapsed_ms: 0.0, cpu_ms: 0.0, ..analysis }
}

/// A variant with these settings on top, which replace those of the same names.
fn with(variant: &str, given: &str) -> String {
    let (name, settings) = variant.split_once(':').expect("a variant has settings");
    let name_of = |setting: &str| setting.split('=').next().map(str::to_owned);
    let is_kept = |setting: &&str| given.split(',').all(|given| name_of(given) != name_of(setting));
    let kept: Vec<&str> = settings.split(',').filter(is_kept).chain(given.split(',')).collect();
    format!("{name}:{}", kept.join(","))
}

fn mcgs_of_connect_four() -> &'static GamePreset {
    let catalog = banyan::builtin();
    let family = catalog.families().iter().find(|family| family.name == "connect-four").expect("a built-in game");
    family.tables.presets.iter().find(|preset| preset.name == "mcgs").expect("a preset")
}

#[test]
fn explicit_settings_choose_the_first_compatible_variant() {
    let variants = mcgs_of_connect_four().variants;
    for (given, number) in [
        ("memory-mib=64", 0),
        ("c=1.5", 0),
        ("threads=2", 0),
        // The node evaluation is added to the first playouts of all children, so it needs `expand=eval-children`.
        ("expand=one", 1),
        // Evaluating all children at once needs PUCT.
        ("select=ucb1", 2),
        ("parallel=root,threads=2", 0),
        // With one lock, one thread would evaluate all children.
        ("parallel=mutex,threads=2", 2),
    ] {
        for variant in &variants[..number] {
            assert!(with(variant, given).parse::<PlayerSpec>().is_err(), "{given} is compatible with {variant}");
        }
        let expected = with(variants[number], given);
        let set = format!("mcgs:{given}");
        if given.contains("threads") && !given.contains("root") {
            // A search by two threads on one graph is not deterministic.
            assert!(plays("connect-four", &expected) && plays("connect-four", &set));
        } else {
            assert_eq!(analysis_by(&set), analysis_by(&expected), "{given}");
        }
    }
}

#[test]
fn explicit_settings_take_effect() {
    let usual = analysis_by("mcgs");
    assert_eq!(usual, analysis_by(mcgs_of_connect_four().variants[0]));
    for given in ["c=1.5", "expand=one", "select=ucb1", "threads=2"] {
        assert_ne!(usual, analysis_by(&format!("mcgs:{given}")), "{given}");
    }
}

/// The winner's seat of a game of Dots and Boxes in which the players move with one thread and separate seeds.
fn winner(players: [&str; 2], seed: u64) -> Option<usize> {
    let mut session = start("dots-and-boxes");
    let seats = [0, 1].map(|i| session.seat(&player(players[i]), 2 * seed + i as u64).expect(players[i]));
    while session.result().is_none() {
        let to_move = session.to_move().index();
        let analysis = session.choose(seats[to_move], &Limits::default(), &mut Silent).expect(players[to_move]);
        session.play(best(&analysis)).expect("a legal move");
    }
    let margin = session.result().expect("the game is over").0;
    (margin != 0).then_some(usize::from(margin < 0))
}

/// With every legal move in the tree 1,200 playouts lost 185 of 200 games against 12 (`experiments/dots-and-boxes-mcgs`).
#[test]
fn a_longer_search_plays_dots_and_boxes_better() {
    let players = ["mcgs:playouts=600", "mcgs:playouts=12"];
    let won = (0..6).map(|seed| {
        let first = winner(players, seed) == Some(0);
        let second = winner([players[1], players[0]], seed) == Some(1);
        usize::from(first) + usize::from(second)
    });
    assert!(won.sum::<usize>() >= 8, "the longer search won fewer than eight of twelve games");
}
