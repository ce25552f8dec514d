//! Players as they are in a game: presets of the game, and settings that it does not take.

use banyan_catalog::view::Analysis;
use banyan_catalog::{Opening, PlayerSpec};
use banyan_core::{Limits, Silent};

use crate::catalog;

/// The analysis of an empty board by `player`.
fn opinion(player: &str) -> Analysis {
    let game = catalog().game("connect-four").expect("a game");
    let mut session = game.open(Opening::Start).expect("the start");
    let seat = session.seat(&player.parse::<PlayerSpec>().expect(player), 5).expect(player);
    let analysis = session.choose(seat, &Limits::playouts(500), &mut Silent).expect("a move");
    Analysis { elapsed_ms: 0.0, cpu_ms: 0.0, ..analysis }
}

#[test]
fn the_usual_player_takes_what_is_strong_in_its_game() {
    let usual = opinion("mcgs");
    assert_eq!(usual, opinion("mcgs:proof=bounds"));
    // Which settings are compatible depends on those that the game gives it.
    assert_eq!(usual, opinion("mcgs:priors=game"));
    assert_eq!(usual, opinion("mcgs:node-eval=0.4"));
    let strong = "select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,expand=eval-children,expand-at=1,eval=threat,batch=8,parallel=root,node-eval=0.4";
    assert_eq!(usual, opinion(&format!("graph:{strong}")));
    assert_ne!(usual, opinion("mcgs:c=0.5"));
    assert_ne!(usual, opinion("graph"));
}

#[test]
fn settings_that_do_not_go_together_are_refused_wherever_they_are() {
    let game = catalog().game("connect-four").expect("a game");
    for player in [
        "mcgs:near-tie=0.1",
        "vote:mcgs:near-tie=0.1+random",
        "uct:reuse=none,opponent-model=mcgs:near-tie=0.1",
        "best:near-tie=0.1",
    ] {
        let spec: PlayerSpec = player.parse().expect("a player of some game");
        let book = if player == "best:near-tie=0.1" { ",book=built-in" } else { "" };
        let named = &format!("player mcgs:near-tie=0.1{book}: near-tie=0.1: expected square-weights with it");
        let err = game.check_player(&spec).expect_err(player).to_string();
        assert!(err.contains(named) && !err.contains('\n'), "{player}: {err}");
        if player != "best:near-tie=0.1" {
            let err = game.check_settings(&spec).expect_err(player).to_string();
            assert!(err.contains(named), "{player}: {err}");
        }
    }
    let safe: PlayerSpec = "mcgs:eval=safe".parse().expect("a player of some game");
    assert!(game.check_player(&safe).is_err() && game.check_settings(&safe).is_ok(), "another game may have it");
}

#[test]
fn settings_that_the_game_does_not_take_are_refused_by_name() {
    for (game, player, part) in [
        ("connect-four", "mcgs:threat-rules=win+bloc", "playout rule \"bloc\""),
        ("connect-four", "uct:eval=threat,playout-plies=3", "add eval=tactical"),
        ("reversi", "uct:eval=threat", "eval=threat: expected an evaluator of this game; try one of uniform"),
        ("dots-and-boxes:2x2", "mcgs:priors=game,select=puct", "leave priors out"),
        ("dots-and-boxes:2x2", "mcgs:priors=game", "add select=puct"),
        ("connect-four", "mcgs:expand=one,node-eval=1", "node-eval=1: expected expand=eval-children"),
    ] {
        let game = catalog().game(game).expect("a game");
        let player: PlayerSpec = player.parse().expect("a player of some game");
        let err = game.check_player(&player).expect_err(part).to_string();
        assert!(err.contains(part) && err.starts_with(&format!("player {player}: ")) && !err.contains('\n'), "{err}");
    }
}
