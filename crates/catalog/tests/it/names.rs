//! Names of games, players and openings: any letter case, every line of a table, and every position under its symmetries.

use std::collections::HashSet;

use banyan_catalog::{GameState, NamedOpening, Opening, OpeningNames, PlayerSpec};

use crate::catalog;

fn names(spec: &str) -> OpeningNames {
    catalog().game(spec).expect(spec).opening_names()
}

fn play(spec: &str, moves: &str) -> GameState {
    catalog().game(spec).expect(spec).begin(Opening::Moves(moves)).expect(moves)
}

/// The name of the opening of a game of Reversi.
fn name_of(moves: &str) -> Option<&'static str> {
    names("reversi").of_game(&play("reversi", moves)).map(NamedOpening::name)
}

#[test]
fn every_named_line_is_legal_and_every_name_is_of_one_position() {
    let catalog = catalog();
    for family in catalog.families() {
        let openings = catalog.game(family.name).expect("a game").opening_names().all();
        let positions: HashSet<u64> =
            openings.iter().map(|opening| play(family.name, opening.moves).position_key()).collect();
        assert_eq!(positions.len(), openings.len(), "{}: two names for one position", family.name);
        let all: Vec<String> = openings.iter().flat_map(|opening| opening.names).map(|n| n.to_lowercase()).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{}: two positions of one name", family.name);
        assert!(all.iter().all(|name| name.trim() == name && !name.is_empty()), "{all:?}");
    }
    assert_eq!(names("reversi").all().len(), 88);
}

#[test]
fn the_deepest_named_position_names_the_game() {
    for (moves, name) in [
        ("", None),
        ("f5", None),
        ("f5 d6", Some("Perpendicular")),
        // The same first moves as the other three squares have them.
        ("d3 c5", Some("Perpendicular")),
        ("c4 e3", Some("Perpendicular")),
        ("e6 f4", Some("Perpendicular")),
        ("f5 f6", Some("Diagonal")),
        ("d3 c3", Some("Diagonal")),
        ("f5 d6 c3 d3 c4", Some("Tiger")),
        // Left after the Tiger, which still names the game.
        ("f5 d6 c3 d3 c4 f4 c5 b3 d2", Some("Tiger")),
        ("c4 e3 f6 e6 f5 c5 c3", Some("Stephenson")),
        // Another order of moves to the same position.
        ("f5 d6 c4 d3 c3", Some("Tiger")),
        ("f5 d6 c4 d3", Some("Perpendicular")),
        ("f5 f6 e6 d6 f7", Some("Snake")),
    ] {
        assert_eq!(name_of(moves), name, "{moves}");
    }
}

#[test]
fn a_position_has_its_name_without_the_moves_before_it() {
    let game = catalog().game("reversi").expect("a game");
    let position = play("reversi", "f5 d6 c3 d3 c4").position();
    let mut session = game.open(Opening::Position(&position)).expect("a position");
    assert_eq!(session.named_opening().map(|opening| opening.name()), Some("Tiger"));
    session.play("f4").expect("a move");
    assert_eq!(session.named_opening().map(|opening| opening.name()), Some("Tiger"));
}

#[test]
fn names_belong_to_one_board() {
    for spec in ["reversi:6x6", "reversi:10x10", "connect-four", "dots-and-boxes"] {
        assert!(names(spec).all().is_empty(), "{spec}");
    }
    assert!(!names("reversi:count=discs").all().is_empty());
    assert_eq!(names("reversi:6x6").of_game(&play("reversi:6x6", "e4")), None);
}

#[test]
fn an_opening_is_found_by_any_of_its_names() {
    let reversi = names("reversi");
    for name in ["Heath", "heath", "TOBIDASHI"] {
        assert_eq!(reversi.find(name).expect(name).name(), "Heath");
    }
    for (spec, name, expected) in [
        (
            "reversi",
            "Tigr",
            "opening \"Tigr\": expected a named opening of reversi (did you mean Tiger?); `banyan openings names reversi` lists them",
        ),
        (
            "connect-four",
            "Tiger",
            "opening \"Tiger\": expected no name, since the openings of connect-four have none; give the moves instead",
        ),
        (
            "reversi:6x6",
            "Tiger",
            "opening \"Tiger\": expected no name, since the openings of reversi:6x6 have none; give the moves instead",
        ),
    ] {
        assert_eq!(names(spec).find(name).expect_err(name).to_string(), expected);
    }
}

#[test]
fn games_and_players_are_found_in_any_letter_case() {
    for (text, spec) in [("Reversi", "reversi"), ("OTHELLO", "reversi"), ("Connect-Four:4x5", "connect-four:4x5")] {
        assert_eq!(catalog().game(text).expect(text).spec(), spec);
        assert!(catalog().tables(text).is_some(), "{text}");
    }
    for (text, player) in [
        ("PVS", "pvs"),
        ("Best", "best"),
        ("Uct:c=0.5", "uct:c=0.5"),
        ("Level-3", "level-3"),
        ("BEGINNER", "beginner"),
        ("Vote:UCT+Pvs:depth=4+Mcgs", "vote:uct+pvs:depth=4+mcgs"),
        ("uct:reuse=none,opponent-model=PVS:depth=2", "uct:reuse=none,opponent-model=pvs:depth=2"),
    ] {
        let spec: PlayerSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), player);
    }
    let err = "Vote:VOTE:a+b".parse::<PlayerSpec>().expect_err("a vote of a vote").to_string();
    assert!(err.contains("expected a player other than vote"), "{err}");
}
