//! Banyan against itself over every protocol: two processes play whole games, and a session checks the rules.

use std::ops::ControlFlow;
use std::time::Duration;

use banyan_catalog::{ExternalEngine, Opening, RunningEngine, Session};
use banyan_core::{Clock, Limits};
use banyan_protocols::process::Launch;
use banyan_protocols::{CheckEvent, Engine, Protocol, check_engine};

use crate::{ended, game};

fn engine(protocol: &str, speaks: &str, spec: &str, options: &[(&str, &str)]) -> Engine {
    let protocol = Protocol::named(protocol).expect(protocol);
    Engine {
        name: speaks.to_owned(),
        launch: Launch {
            program: crate::program("server"),
            arguments: vec![speaks.to_owned(), spec.to_owned()],
            folder: None,
            framing: protocol.framing,
        },
        protocol,
        options: options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
        startup: Duration::from_secs(20),
        move_time: Duration::from_secs(20),
    }
}

/// Plays a game from `opening` to its end and returns its moves.
fn play(players: &mut [Box<dyn RunningEngine>; 2], spec: &str, opening: Opening<'_>, limits: &Limits) -> Vec<String> {
    let mut session: Session = game(spec).open(opening).expect("an opening");
    for player in players.iter_mut() {
        player.new_game(1);
        player.prepare(&session, &mut || false).expect("a supported game");
    }
    while session.result().is_none() {
        let player = &mut players[session.to_move().index()];
        let answer = player.choose(&session, limits, &mut || false);
        let answer = answer.unwrap_or_else(|fault| panic!("after {:?}: {fault}", session.history()));
        session.play(&answer.best).unwrap_or_else(|err| panic!("after {:?}: {err}", session.history()));
    }
    let result = session.result().expect("the game is over");
    players.iter_mut().for_each(|player| player.game_over(result));
    session.history()
}

/// Plays two games from the start, which are equal move by move, and one from each opening.
fn check(protocol: &str, speaks: &str, spec: &str, options: &[(&str, &str)], openings: &[Opening<'_>]) {
    let engine = engine(protocol, speaks, spec, options);
    let start = game(spec).open(Opening::Start).expect("its start");
    engine.check(&start, &Limits::default()).expect("an engine that plays it");
    let mut players = [engine.open(), engine.open()];
    let limits = Limits::default();
    let games = [(); 2].map(|()| play(&mut players, spec, Opening::Start, &limits));
    assert_eq!(games[0], games[1], "a new game is played like the first");
    let clock = Clock { own: Duration::from_secs(100), other: Duration::from_secs(90), increment: Duration::ZERO };
    for &opening in openings {
        play(&mut players, spec, opening, &Limits { clock: Some(clock), ..Limits::default() });
        play(&mut players, spec, opening, &Limits::time(Duration::from_secs(1)));
    }
    let mut steps = Vec::new();
    let is_sound = check_engine(&engine, &game(spec), None, &mut |event: &CheckEvent| {
        steps.extend(ended(event));
        ControlFlow::Continue(())
    });
    assert_eq!(is_sound, Ok(true), "{steps:?}");
}

#[test]
fn gtp_plays_whole_games() {
    check("gtp", "gtp", "reversi", &[("komi", "0")], &[Opening::Moves("f5d6c3")]);
}

#[test]
fn gtp_plays_on_other_boards_with_passes() {
    check("gtp", "gtp", "reversi:4x4", &[], &[]);
    check("gtp", "gtp", "reversi:10x10", &[], &[]);
}

#[cfg(unix)]
#[test]
fn gtp_engines_that_know_no_passes_play_whole_games() {
    // Like GRhino, it rejects passes of the other side, and passes when it has no other move.
    let script = r#"while read -r line; do case $line in play*pass) echo unknown ;; *) echo "$line" ;; esac; done | "$0" gtp "$1""#;
    let spec = "reversi:4x4";
    let mut engine = engine("gtp", "gtp", spec, &[]);
    let server = engine.launch.program.to_str().expect("a path in UTF-8").to_owned();
    engine.launch.program = "sh".into();
    engine.launch.arguments = vec!["-c".to_owned(), script.to_owned(), server, spec.to_owned()];
    let mut players = [engine.open(), engine.open()];
    let mut passes = 0;
    for opening in ["a2a3", "a2c1", "a2a1", "b1a1", "b1a3", "b1c1", "c4b4", "c4d2", "d3d2"] {
        let moves = play(&mut players, spec, Opening::Moves(opening), &Limits::default());
        passes += moves.iter().filter(|&mv| mv == "pass").count();
    }
    assert!(passes >= 3, "{passes} passes");
}

#[test]
fn nboard_plays_whole_games() {
    let position = Opening::Position("8/8/8/2xxx3/3xo3/8/8/8 o");
    check("nboard", "nboard", "reversi", &[("depth", "4")], &[Opening::Moves("f5d6c3"), position]);
    check("nboard", "nboard", "reversi:4x4", &[], &[]);
}

#[test]
fn sau_plays_whole_games() {
    check("sau", "sau", "dots-and-boxes", &[], &[]);
    check("sau", "sau", "dots-and-boxes:2x3", &[], &[]);
}

#[test]
fn saiblo_plays_whole_games() {
    for spec in
        ["connect-four:9x12,hole=a1", "connect-four:12x9,hole=d12", "connect-four:10x11,hole=f5", "connect-four"]
    {
        check("saiblo", "saiblo", spec, &[], &[Opening::Moves("4 4 3")]);
    }
}

#[test]
fn an_engine_that_cannot_be_told_a_time_may_take_its_own() {
    let mut engine = engine("saiblo", "saiblo", "connect-four", &[]);
    engine.launch.arguments.push("1500".to_owned());
    let mut steps = Vec::new();
    let is_sound = check_engine(&engine, &game("connect-four"), None, &mut |event: &CheckEvent| {
        steps.extend(ended(event));
        ControlFlow::Continue(())
    });
    assert_eq!(is_sound, Ok(true), "{steps:?}");
}

#[test]
fn botzone_plays_whole_games() {
    let opening = [Opening::Moves("f5d6c3")];
    check("botzone", "botzone-kept", "reversi", &[("keep-running", "true")], &opening);
    check("botzone", "botzone", "reversi", &[], &opening);
}

#[test]
fn what_a_protocol_cannot_say_is_refused_before_the_first_move() {
    let begun = |protocol: &str, spec: &str, opening: Opening<'_>| {
        let session = game(spec).open(opening).expect("an opening");
        let mut player = engine(protocol, protocol, spec, &[]).open();
        player.prepare(&session, &mut || false).expect_err("an error").to_string()
    };
    let position = Opening::Position("8/8/8/2xxx3/3xo3/8/8/8 o");
    for (found, part) in [
        (begun("gtp", "reversi", position), "does not support positions"),
        (begun("gtp", "reversi:6x8", Opening::Start), "the board of reversi:6x8"),
        (begun("botzone", "reversi", position), "does not support positions"),
        (begun("saiblo", "connect-four:6x7,hole=a1,hole=g1", Opening::Start), "at most one hole"),
        (begun("sau", "dots-and-boxes", Opening::Moves("h0,0")), "--openings none"),
    ] {
        assert!(found.contains(part) && !found.contains('\n'), "{found}");
    }
}

#[test]
fn sau_takes_no_moves_back() {
    let session = game("dots-and-boxes").open(Opening::Start).expect("its start");
    let mut player = engine("sau", "sau", "dots-and-boxes", &[]).open();
    player.prepare(&session, &mut || false).expect("it plays");
    player.choose(&session, &Limits::default(), &mut || false).expect("a move");
    let fault = player.choose(&session, &Limits::default(), &mut || false).expect_err("it played already");
    assert!(fault.to_string().contains("does not support taking moves back"), "{fault}");
}
