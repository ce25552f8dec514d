//! Engines rejected before a game, interruptions, and the overhead of a move over a pipe.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_catalog::{ExternalEngine, Opening, Players, Session};
use banyan_core::threads::with_at_most;
use banyan_core::{Fault, Limits};
use banyan_matches::Entrant;
use banyan_protocols::process::{Framing, Launch, Process};
use banyan_protocols::{Engine, Protocol};

use crate::{catalog, program};

fn engine(program: &str, arguments: &[&str]) -> Engine {
    Engine {
        name: "mine".into(),
        launch: Launch {
            program: PathBuf::from(program),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            folder: None,
            framing: Framing::Lines,
        },
        protocol: Protocol::named("ugi").expect("a protocol"),
        options: Vec::new(),
        startup: Duration::from_secs(20),
        move_time: Duration::from_secs(20),
    }
}

fn misbehaving(mode: &str) -> Engine {
    engine(program("misbehaving").to_str().expect("a path in UTF-8"), &[mode])
}

fn error_of(engine: &Engine, game: &str) -> String {
    let game = catalog().game(game).expect("a game");
    let start = game.open(Opening::Start).expect("its start");
    engine.check(&start, &Limits::default()).map(drop).expect_err("an error").to_string()
}

#[test]
fn what_cannot_play_is_refused_in_one_line_that_names_it_and_the_remedy() {
    let here = env!("CARGO_MANIFEST_DIR");
    #[cfg(unix)]
    let file = format!("{here}/Cargo.toml");
    for (engine, parts) in [
        (engine("/no/such/engine", &[]), &["file not found", "fix `command`"][..]),
        (engine("no-such-engine-anywhere", &[]), &["not found in PATH", "fix `command`"]),
        (engine(here, &[]), &["is a folder", "fix `command`"]),
        #[cfg(unix)]
        (engine(&file, &[]), &["not executable", "chmod +x"]),
        (misbehaving("exits-at-once"), &["exited with code 3", "no weights here", "engines check mine"]),
        (misbehaving("leaves-a-child-at-once"), &["exited with code 4", "engines check mine"]),
        (
            Engine { startup: Duration::from_millis(800), ..misbehaving("hangs-at-once") },
            &["no ugiok within 800.0ms", "check that it speaks ugi"],
        ),
        (misbehaving("speaks-gtp"), &["sent \"? unknown command ugi\", expected ugiok", "check that it speaks ugi"]),
        (
            misbehaving("supports-one-board"),
            &["does not play connect-four:6x7,hole=d3", "too much for me", "choose a game"],
        ),
    ] {
        let err = error_of(&engine, "connect-four:6x7,hole=d3");
        assert!(err.starts_with("engine mine: ") && !err.contains('\n'), "{err}");
        for part in parts {
            assert!(err.contains(part), "{part} in {err}");
        }
    }
    let game = catalog().game("connect-four").expect("a game");
    let start = game.open(Opening::Start).expect("its start");
    assert_eq!(misbehaving("supports-one-board").check(&start, &Limits::default()).map(drop), Ok(()));
    // Error lines are ignored if the engine does not support the extension `errors`.
    assert_eq!(misbehaving("prints-errors").check(&start, &Limits::default()).map(drop), Ok(()));
}

#[test]
fn engines_have_names_of_their_own() {
    let mut players = Players::presets();
    let named = |name: &str| Arc::new(Engine { name: name.into(), ..misbehaving("none") });
    assert_eq!(players.add(named("mine")), Ok(()));
    for taken in ["mine", "uct", "human", "", "a@b", "a:b", "a+b", "a b"] {
        assert!(players.add(named(taken)).is_err(), "{taken}");
    }
    assert_eq!(players.player("mine").expect("an engine").to_string(), "mine");
    assert_eq!(players.player("vote:mine+uct").expect("a vote").to_string(), "vote:mine+uct");
    assert!(players.player("mine:c=1").expect_err("settings").to_string().contains("engines.toml"));
    assert!(players.player("mien").expect_err("a slip").to_string().contains("did you mean mine?"));
    assert!("mine".parse::<banyan_catalog::PlayerSpec>().is_err());
}

#[test]
fn an_engine_that_was_changed_is_another() {
    let mine = misbehaving("none");
    let options = vec![("Hash".to_owned(), "2".to_owned())];
    let entrant = |engine: &Engine| {
        let mut players = Players::presets();
        players.add(Arc::new(engine.clone())).expect("a name of its own");
        let entrants = Entrant::list(&players, &["vote:mine+uct"], &"playouts=9".parse().expect("a budget"));
        (entrants.expect("a vote").remove(0), players)
    };
    let (known, players) = entrant(&mine);
    assert!(known.parse(&players).is_ok());
    let protocol = Protocol::named("gtp").expect("a protocol");
    for other in [Engine { options, ..mine.clone() }, misbehaving("hangs"), Engine { protocol, ..mine.clone() }] {
        let (entrant, players) = entrant(&other);
        assert_ne!(entrant, known);
        let err = known.parse(&players).expect_err("another engine").to_string();
        assert!(err.starts_with("a different engine vote:mine+uct") && err.contains("restore engines.toml"), "{err}");
    }
}

fn board() -> Session {
    catalog().game("connect-four:4x5").expect("a game").open(Opening::Start).expect("its start")
}

#[test]
fn who_interrupts_waits_for_no_engine() {
    for (mode, answers) in [("obeys-stop", true), ("hangs", false)] {
        let mut player = misbehaving(mode).open();
        player.new_game(1);
        player.prepare(&board(), &mut || false).expect("it plays");
        let asked = Instant::now();
        let answer = player.choose(&board(), &Limits::default(), &mut || asked.elapsed() > Duration::from_millis(50));
        assert!(asked.elapsed() < Duration::from_secs(15), "{mode} took {:?}", asked.elapsed());
        match answer {
            Ok(answer) => assert!(answers && answer.best == "1", "{answer:?}"),
            Err(fault) => assert!(!answers && matches!(fault, Fault::Late(_)), "{fault}"),
        }
    }
}

/// The overhead of a move, since the engine itself needs almost no time, must be under a millisecond. Other tests run
/// in parallel, so the fastest of many moves counts.
#[test]
fn a_move_over_a_pipe_costs_less_than_a_millisecond() {
    let mut player = misbehaving("none").open();
    player.new_game(1);
    let board = board();
    player.prepare(&board, &mut || false).expect("it plays");
    let quickest = (0..300).map(|_| {
        let asked = Instant::now();
        player.choose(&board, &Limits::playouts(1), &mut || false).expect("a move");
        asked.elapsed()
    });
    let quickest = quickest.min().expect("300 moves");
    assert!(quickest < Duration::from_millis(1), "the quickest of 300 moves took {quickest:?}");
}

#[cfg(unix)]
#[test]
fn a_process_without_its_threads_is_nobodys_fault() {
    let launch = engine("sh", &["-c", "exec cat"]).launch;
    // One thread writes to it, two read from it, and perhaps one starts all programs.
    let refused = (0..).map(|allowed| with_at_most(allowed, || Process::start(&launch))).take_while(Result::is_err);
    let faults: Vec<_> = refused.filter_map(Result::err).collect();
    assert!((3..=4).contains(&faults.len()), "{faults:?}");
    assert!(faults.iter().all(|fault| matches!(fault, Fault::NoResources(_))), "{faults:?}");
    let gone = engine("./gone", &[]).launch;
    assert!(matches!(Process::start(&gone), Err(Fault::Crashed(_))));
}

#[test]
fn limits_that_a_protocol_cannot_express_are_refused() {
    for (protocol, budget, refused) in [
        ("ugi", "playouts=9+nodes=9+depth=9", ""),
        ("gtp", "1s", ""),
        (
            "gtp",
            "1s+playouts=9",
            "budget 1s+playouts=9: expected no playouts, which the protocol of mine cannot express",
        ),
        ("sau", "nodes=9", "budget nodes=9: expected no nodes"),
        ("nboard", "depth=9", ""),
        ("nboard", "depth=9+nodes=9", "expected no nodes"),
        ("gtp", "1s+depth=9", "expected no depth, which mine does not support"),
    ] {
        let mut players = Players::presets();
        let protocol = Protocol::named(protocol).expect("a protocol");
        players.add(Arc::new(Engine { protocol, ..misbehaving("none") })).expect("a name of its own");
        let common = "playouts=9".parse().expect("a budget");
        let own = Entrant::list(&players, &[format!("mine@{budget}"), "uct".to_owned()], &common);
        let error = own.map_or_else(|err| err.to_string(), |_| String::new());
        assert!(
            error.is_empty() == refused.is_empty() && error.contains(refused),
            "{} {budget}: {error}",
            protocol.name
        );
        // A common budget applies to all players: limits that one cannot express apply to the others.
        assert!(Entrant::list(&players, &["mine", "uct"], &common).is_ok());
    }
}
