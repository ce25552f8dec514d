//! Misbehaving engines: each loses its game with the reason recorded, the match continues, and no process or file remains.
//! One test, because it counts the files and processes of the whole program.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_arena::StopSignal;
use banyan_catalog::Players;
use banyan_catalog::pairs::{EndingKind, GameLine};
use banyan_matches::{Entrant, MadeBy, Match, MatchConfig, MatchFolder, MatchWatch, Standing};
use banyan_protocols::process::{Framing, Launch};
use banyan_protocols::{Engine, Protocol};

use crate::{catalog, program};

struct Nobody;

impl MatchWatch for Nobody {
    fn game(&mut self, _line: &GameLine) {}
    fn pair(&mut self, _standing: &Standing) {}
}

fn misbehaving(mode: &str, at: u32) -> Engine {
    Engine {
        name: "misbehaving".into(),
        launch: Launch {
            program: program("misbehaving"),
            arguments: vec![mode.to_owned(), at.to_string()],
            folder: None,
            framing: Framing::Lines,
        },
        protocol: Protocol::named("ugi").expect("a protocol"),
        options: Vec::new(),
        startup: Duration::from_secs(20),
        move_time: Duration::from_secs(20),
    }
}

/// Time limits of an engine: short if it should be late, else long enough for a busy machine.
fn hurried(engine: Engine, kind: EndingKind) -> Engine {
    match kind {
        EndingKind::Late => Engine { move_time: Duration::from_millis(400), ..engine },
        _ => engine,
    }
}

/// An engine of another protocol, implemented by a shell script.
fn script(protocol: &str, script: &str) -> Engine {
    let protocol = Protocol::named(protocol).expect(protocol);
    let launch = Launch {
        program: PathBuf::from("sh"),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        folder: None,
        framing: protocol.framing,
    };
    Engine { launch, protocol, ..misbehaving("none", 1) }
}

/// The games of a short match of the misbehaving engine against `random`.
fn play(mode: &str, at: u32, budget: &str, kind: EndingKind) -> Vec<GameLine> {
    play_as(hurried(misbehaving(mode, at), kind), mode, "connect-four:4x5", budget)
}

fn play_as(misbehaving: Engine, mode: &str, game: &str, budget: &str) -> Vec<GameLine> {
    let mut players = Players::presets();
    players.add(Arc::new(misbehaving)).expect("a name of its own");
    let budget = budget.parse().expect("a budget");
    let config = MatchConfig {
        pairs: 1,
        made_by: MadeBy::default(),
        ..MatchConfig::of(game, "none", Entrant::list(&players, &["misbehaving", "random"], &budget).expect("players"))
    };
    let path = std::env::temp_dir().join(format!("banyan-misbehaving-{}-{mode}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    let game = Match::new(catalog(), &players, &config, None).unwrap_or_else(|err| panic!("{mode}: {err}"));
    let mut folder = MatchFolder::create(&path, config, None).expect("a folder");
    let played = game.play(&mut folder, Vec::new(), 1, &StopSignal::new(), &mut Nobody).expect("a match");
    assert!(!played.unfinished, "{mode}");
    fs::remove_dir_all(&path).expect("the folder is ours");
    played.lines
}

fn check(mode: &str, budget: &str, kind: EndingKind, reason: &str) {
    // At the first move, and in the middle of a game.
    for at in [1, 2] {
        let lines = play(mode, at, budget, kind);
        assert_eq!(lines.len(), 2);
        // After an illegal move the engine keeps running and misbehaves only once; after other faults a new process
        // misbehaves again.
        let faulty = if kind == EndingKind::Illegal { &lines[..1] } else { &lines[..] };
        assert!(lines[faulty.len()..].iter().all(|line| line.ending == EndingKind::Finished), "{mode}: {lines:?}");
        for line in faulty {
            let seat = line.fault_by.map(|side| line.seats[side as usize]);
            let found = (line.ending, seat);
            assert_eq!(found, (kind, Some(0)), "{mode} at {at}: {:?}", line.fault);
            let fault = line.fault.as_deref().expect("a reason");
            assert!(fault.contains(reason) && !fault.contains('\n'), "{mode}: {fault}");
        }
    }
}

/// A game lost over another protocol, for either side of the engine.
fn check_script(protocol: &str, mode: &str, kind: EndingKind, reason: &str) {
    let game = Protocol::named(protocol).and_then(|protocol| protocol.games).expect("games")[0];
    let lines = play_as(hurried(script(protocol, mode), kind), protocol, game, "playouts=10");
    assert_eq!(lines.len(), 2);
    for line in lines {
        let seat = line.fault_by.map(|side| line.seats[side as usize]);
        assert_eq!((line.ending, seat), (kind, Some(0)), "{protocol} {mode}: {:?}", line.fault);
        let fault = line.fault.as_deref().expect("a reason");
        assert!(fault.contains(reason) && !fault.contains('\n'), "{protocol} {mode}: {fault}");
    }
}

fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").expect("our files").count()
}

/// Descendants of this process that are still running.
fn processes() -> Vec<String> {
    let me = std::process::id().to_string();
    let sleeper = format!("98765.{me}\0");
    let numbers = fs::read_dir("/proc").expect("processes").flatten();
    let numbers = numbers.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()));
    let is_ours = |path: &PathBuf| {
        // After the name in brackets: state, parent.
        let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
        let rest = stat.rsplit(')').next().unwrap_or_default().to_owned();
        let mut words = rest.split_whitespace();
        let (state, parent) = (words.next().unwrap_or("X").to_owned(), words.next().unwrap_or_default().to_owned());
        let line = fs::read_to_string(path.join("cmdline")).unwrap_or_default();
        parent == me || state != "Z" && state != "X" && line.ends_with(&sleeper)
    };
    numbers.map(|entry| entry.path()).filter(is_ours).map(|path| path.display().to_string()).collect()
}

/// Reader threads need a moment to notice that a process has exited.
fn settle(files: usize) {
    let until = Instant::now() + Duration::from_secs(5);
    while (open_files() > files || !processes().is_empty()) && Instant::now() < until {
        std::thread::yield_now();
    }
    assert_eq!((open_files(), processes()), (files, Vec::<String>::new()));
}

/// Whether no other test runs in this process: cargo-nextest starts a process for each. With `cargo test` this runs the test again in a
/// separate process and is false.
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "BANYAN_TEST_ALONE";
    if ["NEXTEST", ALONE].into_iter().any(|name| std::env::var_os(name).is_some()) {
        return true;
    }
    let this = std::env::current_exe().expect("this program");
    let status = Command::new(this).args([test, "--exact", "--nocapture"]).env(ALONE, "1").status();
    assert!(status.expect("this program runs").success(), "{test}: see above");
    false
}

#[test]
fn every_fault_loses_the_game_and_leaves_nothing_behind() {
    if !is_alone("misbehaviour::every_fault_loses_the_game_and_leaves_nothing_behind") {
        return;
    }
    use EndingKind::{Crashed, Illegal, Late, Nonsense};
    let files = open_files();
    assert_eq!(processes(), Vec::<String>::new());
    let playouts = "playouts=10";
    for (mode, budget, kind, reason) in [
        ("exits", playouts, Crashed, "exited with code 3; last line on stderr: \"out of luck\""),
        ("aborts", playouts, Crashed, "was killed by signal 6"),
        ("hangs", playouts, Late, "no bestmove within 400.0ms"),
        ("hangs", "20ms", Late, "no bestmove within 220.0ms"),
        ("hangs", "50ms/game", Late, "no bestmove within"),
        ("is-late", "20ms", Late, "no bestmove within 220.0ms"),
        ("is-late", "nodes=10", Late, "no bestmove within 400.0ms"),
        ("writes-slowly", playouts, Late, "no bestmove within 400.0ms"),
        ("hangs-in-a-line", playouts, Late, "no bestmove within 400.0ms"),
        ("floods", "5s", Nonsense, "wrote more than 16 MiB"),
        ("never-ends-its-line", playouts, Nonsense, "sent a message of more than 1 MiB"),
        ("sends-half-a-line", playouts, Crashed, "in the middle of the line \"bestmove"),
        ("closes-stdout", playouts, Crashed, "closed its stdout but is still running"),
        ("plays-illegally", playouts, Illegal, "\"99\", expected one of 1 2 3 4 5"),
        ("rejects", playouts, Nonsense, "rejected: \"too tired\""),
        ("plays-nothing", playouts, Illegal, "\"\", expected"),
        ("sends-bytes", playouts, Illegal, "expected one of 1 2 3 4 5"),
        ("leaves-a-child", playouts, Crashed, "was killed by signal 6"),
        ("leaves-a-session", playouts, Crashed, "was killed by signal 6"),
    ] {
        check(mode, budget, kind, reason);
        settle(files);
    }
    let gtp = |mode: &str| {
        let answers = r#"protocol_version) echo "= 2" ;; genmove*)"#;
        format!(r#"while read -r line; do case $line in {answers} {mode} ;; *) echo "=" ;; esac; echo; done"#)
    };
    let nboard = |mode: &str| {
        format!(r#"while read -r word n; do case $word in ping) echo "pong $n" ;; go) {mode} ;; esac; done"#)
    };
    let sau = |mode: &str| {
        format!(r#"while read -r word n; do case $word in name*) echo "name a" ;; new) {mode} ;; esac; done"#)
    };
    for (protocol, mode, kind, reason) in [
        ("saiblo", r"read -r board; printf '\000\000\000\0073 4'", Crashed, "in the middle of the line \"3 4\""),
        ("saiblo", r"printf '\000\000'", Crashed, "in the middle of the line"),
        ("saiblo", r"printf '\000\000\000\1003 4'; exec sleep 98765.$PPID", Late, "no framed move within 400.0ms"),
        (
            "saiblo",
            r"printf '\000\000\000\0013 4'; exec sleep 98765.$PPID",
            Nonsense,
            "sent \"3\", expected a row and a column",
        ),
        (
            "saiblo",
            "echo 3 4; exec sleep 98765.$PPID",
            Nonsense,
            "sent a message of more than 1 MiB, expected framed move",
        ),
        ("saiblo", r"printf '\000\000\000\0049 99'; exec sleep 98765.$PPID", Illegal, "off the board"),
        ("botzone", "read -r request; exec sleep 98765.$PPID", Late, "no response within 400.0ms"),
        ("botzone", "exit 3", Crashed, "exited with code 3"),
        ("botzone", "printf '{\"response\":'", Nonsense, "expected a response"),
        ("botzone", "echo '{\"response\":{\"x\":9,\"y\":0}}'; exec sleep 98765.$PPID", Illegal, "x 9, y 0"),
        ("gtp", &gtp("exit 3"), Crashed, "exited with code 3"),
        ("gtp", &gtp("exec sleep 98765.$PPID"), Late, "no reply to genmove"),
        ("gtp", &gtp("echo '? cannot'"), Nonsense, "rejected genmove"),
        ("gtp", &gtp("printf '= F'; exit"), Crashed, "in the middle of the line \"= F\""),
        ("gtp", &gtp("echo '= A1'"), Illegal, "\"a1\", expected"),
        ("nboard", &nboard("exec sleep 98765.$PPID"), Late, "no === within 400.0ms"),
        ("nboard", &nboard("echo '=== ?'"), Nonsense, "expected === and a move"),
        ("nboard", &nboard("printf '=== '; exit"), Crashed, "in the middle of the line"),
        ("sau", &sau("exec sleep 98765.$PPID"), Late, "no move within 400.0ms"),
        ("sau", &sau("echo 'move 2 AAB'"), Nonsense, ""),
        ("sau", &sau("printf 'move 1 A'; exit"), Crashed, "in the middle of the line"),
    ] {
        check_script(protocol, mode, kind, reason);
        settle(files);
    }
    for harmless in ["none", "keeps-a-child", "keeps-a-session", "never-quits"] {
        let lines = play(harmless, 1, playouts, EndingKind::Finished);
        assert!(lines.iter().all(|line| line.ending == EndingKind::Finished), "{harmless}: {lines:?}");
        settle(files);
    }
}
