//! The games that the example prints can be replayed.

#[path = "../../examples/random_games.rs"]
#[expect(dead_code, reason = "its command line is not called here")]
mod example;

use crate::start;

fn games(seed: u64, specs: &[&str]) -> String {
    let mut text = Vec::new();
    example::write_games(20, seed, specs, &mut text).unwrap_or_else(|err| panic!("{err}"));
    String::from_utf8(text).expect("text")
}

#[test]
fn every_game_can_be_replayed() {
    let specs = ["connect-four:6x7", "reversi:4x4", "dots-and-boxes:2x3"];
    let text = games(7, &specs);
    let blocks: Vec<&str> = text.split("game ").skip(1).collect();
    assert_eq!(blocks.len(), specs.len());
    for (spec, block) in specs.into_iter().zip(blocks) {
        let lines: Vec<&str> = block.lines().collect();
        assert_eq!((lines[0], lines.len()), (spec, 21));
        for line in &lines[1..] {
            let (plies, margin) = line.split_once("= ").expect("a margin");
            let mut session = start(spec);
            for ply in plies.split_whitespace() {
                let [mover, mv, legal]: [&str; 3] = ply.split(':').collect::<Vec<_>>().try_into().expect("three parts");
                assert_eq!(mover, session.to_move().index().to_string(), "{line}");
                assert_eq!(legal.split('|').collect::<Vec<_>>(), session.legal_moves(), "{line}");
                session.play(mv).expect("one of the legal moves");
            }
            assert_eq!(session.result().map(|margin| margin.0.to_string()).as_deref(), Some(margin), "{line}");
        }
    }
}

#[test]
fn games_are_determined_by_the_seed() {
    let all = games(7, &["reversi", "dots-and-boxes"]);
    assert_eq!(all, games(7, &["reversi", "dots-and-boxes"]));
    assert_ne!(all, games(8, &["reversi", "dots-and-boxes"]));
    let (first, _) = all.split_once("game dots").expect("two games");
    assert_eq!(first, games(7, &["reversi"]), "a game does not depend on the games before it");
}

#[test]
fn a_game_that_is_not_built_in_is_refused() {
    let mut text = Vec::new();
    let err = example::write_games(1, 1, &["chess"], &mut text).expect_err("no such game");
    assert!(err.to_string().starts_with("unknown game \"chess\""), "{err}");
}
