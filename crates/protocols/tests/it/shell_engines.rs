//! Small engines as shell scripts: the messages that the clients send and accept.
#![cfg(unix)]

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use banyan_catalog::{ExternalEngine, Opening, Session};
use banyan_core::{Clock, Fault, Limits};
use banyan_protocols::process::Launch;
use banyan_protocols::{CheckEvent, Engine, Protocol, check_engine};

use crate::{ended, game};

/// An engine that runs this shell script with `arguments` as `$0` and the following.
fn engine(protocol: &str, script: &str, arguments: &[&str]) -> Engine {
    let protocol = Protocol::named(protocol).expect(protocol);
    Engine {
        name: "shell-engine".to_owned(),
        launch: Launch {
            program: PathBuf::from("sh"),
            arguments: ["-c", script].iter().chain(arguments).map(|&word| word.to_owned()).collect(),
            folder: None,
            framing: protocol.framing,
        },
        protocol,
        options: Vec::new(),
        startup: Duration::from_secs(20),
        move_time: Duration::from_secs(20),
    }
}

fn start(spec: &str) -> Session {
    game(spec).open(Opening::Start).expect("its start")
}

/// Records the commands it receives, and plays F5.
const GTP: &str = r#"
    while read -r command; do
        echo "$command" >> "$1"
        case $command in
            protocol_version) echo "= 2" ;;
            name) echo "= $0" ;;
            genmove*) echo "= F5" ;;
            *) echo "=" ;;
        esac
        echo
    done"#;

/// The time commands sent to an engine of this name, in consecutive games with these limits.
fn time_commands(name: &str, games: &[Limits]) -> Vec<String> {
    let file = std::env::temp_dir().join(format!("banyan-received-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    let mut player = engine("gtp", GTP, &[name, file.to_str().expect("text")]).open();
    for limits in games {
        player.new_game(1);
        player.prepare(&start("reversi"), &mut || false).expect("it plays");
        let answer = player.choose(&start("reversi"), limits, &mut || false).expect("a move");
        assert_eq!(answer.best, "f5");
    }
    drop(player);
    let all = fs::read_to_string(&file).expect("the recorded commands");
    fs::remove_file(&file).expect("the file is ours");
    all.lines().filter(|line| line.starts_with("time_")).map(str::to_owned).collect()
}

fn clock(own: Duration, other: Duration) -> Limits {
    Limits { clock: Some(Clock { own, other, increment: Duration::ZERO }), ..Limits::default() }
}

/// Edax reads byo-yomi time for no stones as a game without time, and fractions only in `time_left`.
#[test]
fn gtp_engines_are_told_times_as_they_understand_them() {
    let [short, second, long] = [900, 1500, 61_200].map(Duration::from_millis);
    let endless = Limits::playouts(5);
    for (name, games, expected) in [
        ("Edax", vec![endless], &[][..]),
        ("Other", vec![endless], &[]),
        ("Edax", vec![Limits::time(second), endless], &["time_settings 1 0 1"]),
        ("Other", vec![Limits::time(second), endless], &["time_settings 0 1 1", "time_settings 0 1 0"]),
        ("Banyan", vec![Limits::time(short)], &["time_settings 0 0.900 1"]),
        (
            "Edax",
            vec![clock(short, short)],
            &["time_settings 1 0 0", "time_left black 0.900 0", "time_left white 0.900 0"],
        ),
        ("Other", vec![clock(short, long)], &["time_settings 61 0 0", "time_left black 1 0", "time_left white 61 0"]),
    ] {
        assert_eq!(time_commands(name, &games), expected, "{name} {games:?}");
    }
}

#[test]
fn times_that_a_gtp_engine_cannot_be_told_are_refused_before_the_first_game() {
    let check = |name: &str, limits: &Limits| {
        engine("gtp", GTP, &[name, "/dev/null"])
            .check(&start("reversi"), limits)
            .map(drop)
            .map_err(|err| err.to_string())
    };
    let short = Duration::from_millis(200);
    for name in ["Edax", "Other"] {
        let err = check(name, &Limits::time(short)).expect_err("an error");
        assert!(
            err.starts_with(
                "engine shell-engine: its protocol expresses times in whole seconds, but the limit is 200ms"
            ),
            "{err}"
        );
        assert!(err.contains("use at least 1s per move") && !err.contains('\n'), "{err}");
    }
    for (name, limits) in [
        ("Banyan", Limits::time(short)),
        ("Other", Limits::time(Duration::from_secs(1))),
        ("Other", clock(short, short)),
        ("Other", Limits::playouts(5)),
    ] {
        assert_eq!(check(name, &limits), Ok(()), "{name} {limits:?}");
    }
}

/// Like [`GTP`], without the time commands: `$0` selects how a client can detect that.
const UNTIMED: &str = r#"
    unknown() { echo "? unknown command"; }
    while read -r command argument; do
        case $command in
            protocol_version) echo "= 2" ;;
            name) echo "= Small" ;;
            list_commands)
                case $0 in lists) printf '= clear_board\nplay\ngenmove\nset_level\n' ;; *) unknown ;; esac ;;
            known_command) case $0 in knows) echo "= false" ;; *) unknown ;; esac ;;
            time_*) unknown ;;
            boardsize) case $0 in lists) unknown ;; *) echo "=" ;; esac ;;
            genmove) echo "= F5" ;;
            *) echo "=" ;;
        esac
        echo
    done"#;

#[test]
fn gtp_engines_without_times_are_timed_without_being_told() {
    let second = Duration::from_secs(1);
    for how in ["lists", "knows", "rejects"] {
        let engine = engine("gtp", UNTIMED, &[how]);
        let is_found_out = how != "rejects";
        let short = engine.check(&start("reversi"), &Limits::time(second / 5)).map(drop);
        assert_eq!(short.is_ok(), is_found_out, "{how}: {short:?}");
        let mut player = engine.open();
        player.prepare(&start("reversi"), &mut || false).expect("it plays");
        for limits in [Limits::time(second), clock(second, second), Limits::playouts(5), Limits::time(2 * second)] {
            let answer = player.choose(&start("reversi"), &limits, &mut || false);
            assert_eq!(answer.map(|answer| answer.best).as_deref(), Ok("f5"), "{how} {limits:?}");
        }
        let mut steps = Vec::new();
        let _ = check_engine(&engine, &game("reversi"), None, &mut |event: &CheckEvent| {
            steps.extend(ended(event));
            ControlFlow::Continue(())
        });
        assert_eq!(steps[1].what == "has no time_settings", is_found_out, "{how}: {steps:?}");
        let moves = steps.iter().find(|step| step.what.starts_with("moves"));
        assert!(moves.is_some_and(|step| step.found.is_ok()), "{how}: {steps:?}");
    }
}

fn refusal(engine: &Engine, spec: &str) -> String {
    engine.check(&start(spec), &Limits::default()).map(drop).expect_err("an error").to_string()
}

#[test]
fn commands_that_a_gtp_engine_lacks_are_named_before_the_first_game() {
    let lists = || engine("gtp", UNTIMED, &["lists"]);
    let with = |name: &str| Engine { options: vec![(name.to_owned(), "5".to_owned())], ..lists() };
    assert_eq!(with("set_level").check(&start("reversi"), &Limits::default()).map(drop), Ok(()));
    let err = refusal(&with("set_levle"), "reversi");
    assert!(err.starts_with("engine shell-engine: option set_levle: expected a command that"), "{err}");
    assert!(err.contains("(did you mean set_level?)"), "{err}");
    // Without `boardsize` only the default board is available.
    let err = refusal(&lists(), "reversi:6x6");
    assert!(err.contains("it has no boardsize, so it plays only 8x8"), "{err}");
    let script = UNTIMED.replace("clear_board\\nplay\\ngenmove", "play\\ngenmove");
    assert_ne!(script, UNTIMED);
    let err = refusal(&engine("gtp", &script, &["lists"]), "reversi");
    assert!(err.starts_with("engine shell-engine: no command clear_board: expected an engine with"), "{err}");
}

/// A UGI engine that separates words by white space of all kinds, and notes the options that it receives.
const SPACED: &str = r#"
    while read -r command rest; do
        case $command in
            ugi) printf '\t id\tname x\noption \tname  Hash  Size\ttype\tspin default 1 min 1 max 64\n\tugiok \r\n' ;;
            isready) printf ' readyok\t\r\n' ;;
            setoption) echo "$rest" >> "$0" ;;
            go) printf 'info\tnodes\t 5  pv\tf5\r\n\tbestmove\tf5 \t\r\n' ;;
            quit) exit ;;
        esac
    done"#;

#[test]
fn words_are_separated_by_any_white_space() {
    let gtp = GTP.replace("\"= F5\"", "\"=\tF5\t\"").replace("\"= 2\"", "\"\t=\t2 \"");
    let nboard = NBOARD.replace("\"=== F5\"", "\"\t===\tF5  1.5\t0.2\"").replace("pong ", "pong\t ");
    let saiblo = r"read -r board; printf '\000\000\000\006 5\t\t3\r'; sleep 5";
    let sau = r#"while read -r w n; do case $w in name*) printf 'name\ta\n' ;; new) printf ' move\t1 \tAED\r\n' ;; esac; done"#;
    let botzone = r#"read -r r; printf '\t{ "response" :\t{"y":4,"x":5} }\r\n'"#;
    for (protocol, script, spec, expected) in [
        ("ugi", SPACED, "reversi", "f5"),
        ("gtp", &gtp, "reversi", "f5"),
        ("nboard", &nboard, "reversi", "f5"),
        ("saiblo", saiblo, "connect-four:6x7", "d1"),
        ("sau", sau, "dots-and-boxes", "h4,3"),
        ("botzone", botzone, "reversi", "f5"),
    ] {
        let mut player = engine(protocol, script, &["/dev/null", "/dev/null"]).open();
        player.prepare(&start(spec), &mut || false).unwrap_or_else(|fault| panic!("{protocol}: {fault}"));
        let answer = player.choose(&start(spec), &Limits::default(), &mut || false);
        assert_eq!(answer.map(|answer| answer.best).as_deref(), Ok(expected), "{protocol}");
    }
}

#[test]
fn options_that_a_ugi_engine_does_not_announce_are_not_sent() {
    let file = std::env::temp_dir().join(format!("banyan-options-{}", std::process::id()));
    let with = |name: &str, value: &str| Engine {
        options: vec![(name.to_owned(), value.to_owned())],
        ..engine("ugi", SPACED, &[file.to_str().expect("text")])
    };
    for (name, value, expected) in [
        ("Hsah", "3", "engine shell-engine: option Hsah: expected one of \"Hash Size\"; correct or remove it"),
        ("Hash Size", "65", "engine shell-engine: option Hash Size = \"65\": expected a whole number from 1 to 64; "),
    ] {
        let err = refusal(&with(name, value), "reversi");
        assert!(err.starts_with(expected), "{err}");
        assert!(!file.exists(), "{name} was sent");
    }
    assert_eq!(with("hash size", "64").check(&start("reversi"), &Limits::default()).map(drop), Ok(()));
    assert_eq!(fs::read_to_string(&file).expect("what was sent"), "name Hash Size value 64\n");
    fs::remove_file(&file).expect("the file is ours");
}

#[test]
fn openings_that_a_protocol_cannot_say_are_refused_before_the_first_game() {
    let check = |protocol: &str, spec: &str, opening: Opening<'_>| {
        let at = game(spec).open(opening).expect("an opening");
        engine(protocol, "exit 7", &[]).check(&at, &Limits::default()).map(drop).expect_err("an error").to_string()
    };
    let position = Opening::Position("8/8/8/2xxx3/3xo3/8/8/8 o");
    for (err, parts) in [
        (check("sau", "dots-and-boxes", Opening::Moves("h0,0")), ["does not support openings", "--openings none"]),
        (check("gtp", "reversi", position), ["does not support positions", "or with moves"]),
        (check("botzone", "reversi", position), ["does not support positions", "or with moves"]),
        // This protocol supports it, but the engine exits.
        (check("nboard", "reversi", position), ["exited with code 7", "engines check shell-engine"]),
    ] {
        assert!(err.starts_with("engine shell-engine: ") && !err.contains('\n'), "{err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{err}");
    }
}

#[test]
fn one_shot_programs_need_no_line_end_and_may_say_more() {
    let script = r#"read -r request; printf '{"response":{"x":5,"y":4},"debug":{"depth":7}}'"#;
    let mut player = engine("botzone", script, &[]).open();
    player.prepare(&start("reversi"), &mut || false).expect("it plays");
    for _ in 0..2 {
        let answer = player.choose(&start("reversi"), &Limits::default(), &mut || false);
        assert_eq!(answer.expect("a move").best, "f5");
    }
}

/// Plays F5, but searches without end at the second `go`, until a ping, without sending a move. Writes to stderr on quit.
const NBOARD: &str = r#"
    while read -r command number; do
        case $command in
            ping) echo "pong $number" ;;
            go) n=$((n + 1)); [ $n = 2 ] || echo "=== F5" ;;
            quit) printf 'a \033[2Jword\n' >&2; exit ;;
        esac
    done"#;

#[test]
fn an_engine_may_stop_for_a_ping_without_a_move() {
    // A client that still waits for the move takes a second. A busy machine may delay one attempt, but not all.
    let tries = (0..5).map(|_| {
        let mut player = engine("nboard", NBOARD, &[]).open();
        player.prepare(&start("reversi"), &mut || false).expect("it plays");
        player.choose(&start("reversi"), &Limits::default(), &mut || false).expect("a move");
        let asked = Instant::now();
        let answer = player.choose(&start("reversi"), &Limits::default(), &mut || true);
        assert!(matches!(answer, Err(Fault::Late(_))), "{answer:?}");
        asked.elapsed()
    });
    let quickest = tries.min().expect("five tries");
    assert!(quickest < Duration::from_millis(900), "the quickest of five took {quickest:?}");
}

#[test]
fn engines_are_walked_through_nboard() {
    let mut steps = Vec::new();
    let engine = engine("nboard", NBOARD, &[]);
    let is_sound = check_engine(&engine, &game("reversi"), None, &mut |event: &CheckEvent| {
        steps.extend(ended(event));
        ControlFlow::Continue(())
    });
    assert_eq!(is_sound, Ok(false), "{steps:?}");
    let found = |what: &str| &steps.iter().find(|step| step.what.contains(what)).expect(what).found;
    assert!(found("stops a search on request").is_ok(), "{steps:?}");
    assert!(found("plays both sides").as_ref().is_err_and(|why| why.contains("illegal move")), "{steps:?}");
    // Escape sequences do not reach the terminal, and stderr written at the end is reported.
    assert_eq!(found("stderr").as_deref(), Ok("\"a \\u{1b}[2Jword\""));
}

#[test]
fn a_check_ends_early_for_an_engine_of_another_protocol() {
    // It ignores unknown commands, and so is silent.
    let engine = Engine { protocol: Protocol::named("ugi").expect("a protocol"), ..engine("nboard", NBOARD, &[]) };
    let mut events = Vec::new();
    let begun = Instant::now();
    let is_sound = check_engine(&engine, &game("reversi"), None, &mut |event: &CheckEvent| {
        events.push(event.clone());
        ControlFlow::Continue(())
    });
    assert_eq!(is_sound, Ok(false), "{events:?}");
    assert!(begun.elapsed() < engine.startup / 2, "{events:?}");
    let first = CheckEvent::Begins { what: "starts and speaks ugi".into(), limit: "at most 20s".into() };
    assert_eq!(events[0], first);
    let steps: Vec<_> = events.iter().filter_map(ended).collect();
    let why = steps[0].found.as_ref().expect_err("another protocol");
    assert!(why.contains("in nboard: write protocol = \"nboard\""), "{why}");
}
