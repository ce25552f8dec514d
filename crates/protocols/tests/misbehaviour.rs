//! Engines that do everything wrong: each loses its game with the reason recorded, the match goes on, and nothing is left
//! behind. One test, because it counts the files and processes of the whole program.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_arena::Brake;
use banyan_catalog::matches::{
    ClockKind, EndingKind, Entrant, GameLine, MadeBy, Match, MatchConfig, MatchFolder, MatchFormat, MatchWatch,
    Standing,
};
use banyan_catalog::view::VERSION;
use banyan_catalog::{Catalog, Players};
use banyan_protocols::process::{Framing, Launch};
use banyan_protocols::{Engine, Protocol};

struct Nobody;

impl MatchWatch for Nobody {
    fn game(&mut self, _line: &GameLine) {}
    fn pair(&mut self, _standing: &Standing) {}
}

fn sinner(sin: &str, at: u32) -> Engine {
    Engine {
        name: "sinner".into(),
        launch: Launch {
            program: PathBuf::from(env!("CARGO_BIN_EXE_banyan-sinner")),
            arguments: vec![sin.to_owned(), at.to_string()],
            folder: None,
            framing: Framing::Lines,
        },
        protocol: Protocol::named("ugi").expect("a protocol"),
        options: Vec::new(),
        startup: Duration::from_secs(5),
        move_time: Duration::from_millis(400),
    }
}

/// The games of a short match of the sinner against `random`.
fn play(sin: &str, at: u32, budget: &str) -> Vec<GameLine> {
    let mut players = Players::presets();
    players.add(Arc::new(sinner(sin, at))).expect("a name of its own");
    let budget = budget.parse().expect("a budget");
    let config = MatchConfig {
        v: VERSION,
        game: "connect-four:4x5".into(),
        format: MatchFormat::RoundRobin,
        pairs: 1,
        openings: "none".into(),
        openings_digest: None,
        seed: 1,
        clock: ClockKind::Wall,
        margin_ms: 100,
        shard: None,
        sprt: None,
        players: Entrant::list(&players, &["sinner", "random"], &budget).expect("players"),
        made_by: MadeBy::default(),
    };
    let path = std::env::temp_dir().join(format!("banyan-sinner-{}-{sin}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    let game = Match::new(&Catalog::builtin(), &players, &config, None).unwrap_or_else(|err| panic!("{sin}: {err}"));
    let mut folder = MatchFolder::create(&path, config, None).expect("a folder");
    let played = game.play(&mut folder, Vec::new(), 1, &Brake::new(), &mut Nobody).expect("a match");
    assert!(!played.unfinished, "{sin}");
    fs::remove_dir_all(&path).expect("the folder is ours");
    played.lines
}

fn check(sin: &str, budget: &str, kind: EndingKind, reason: &str) {
    // At the first move, and in the midst of a game.
    for at in [1, 2] {
        let lines = play(sin, at, budget);
        assert_eq!(lines.len(), 2);
        // After an illegal move the engine is still there, and sins once; else a new one sins again.
        let sinful = if kind == EndingKind::Illegal { &lines[..1] } else { &lines[..] };
        assert!(lines[sinful.len()..].iter().all(|line| line.ending == EndingKind::Finished), "{sin}: {lines:?}");
        for line in sinful {
            let seat = line.fault_by.map(|side| line.seats[side as usize]);
            let found = (line.ending, seat);
            assert_eq!(found, (kind, Some(0)), "{sin} at {at}: {:?}", line.fault);
            let fault = line.fault.as_deref().expect("a reason");
            assert!(fault.contains(reason) && !fault.contains('\n'), "{sin}: {fault}");
        }
    }
}

fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").expect("our files").count()
}

/// Processes that we started, or that those started, and that go on.
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

/// Threads that read from what has ended need a moment to notice.
fn settle(files: usize) {
    let until = Instant::now() + Duration::from_secs(5);
    while (open_files() > files || !processes().is_empty()) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!((open_files(), processes()), (files, Vec::<String>::new()));
}

#[test]
fn every_sin_loses_the_game_and_leaves_nothing_behind() {
    use EndingKind::{Crashed, Illegal, Late, Nonsense};
    let files = open_files();
    assert_eq!(processes(), Vec::<String>::new());
    let playouts = "playouts=10";
    for (sin, budget, kind, reason) in [
        ("exits", playouts, Crashed, "ended with exit code 3; last on its stderr: \"out of luck\""),
        ("aborts", playouts, Crashed, "was ended by signal 6"),
        ("hangs", playouts, Late, "no bestmove within 400.0ms"),
        ("hangs", "20ms", Late, "no bestmove within 220.0ms"),
        ("hangs", "50ms/game", Late, "no bestmove within"),
        ("is-late", "20ms", Late, "no bestmove within 220.0ms"),
        ("is-late", "nodes=10", Late, "no bestmove within 400.0ms"),
        ("babbles", playouts, Late, "no bestmove within 400.0ms"),
        ("stops-in-a-line", playouts, Late, "no bestmove within 400.0ms"),
        ("floods", "5s", Nonsense, "said more than 16 MiB"),
        ("never-ends-its-line", playouts, Nonsense, "a message of more than 1 MiB"),
        ("says-half-a-line", playouts, Crashed, "in the middle of the line \"bestmove"),
        ("closes-stdout", playouts, Crashed, "closed its stdout but goes on running"),
        ("plays-illegally", playouts, Illegal, "\"99\" where 1 2 3 4 5 are legal"),
        ("refuses", playouts, Nonsense, "refused: \"too tired\""),
        ("plays-nothing", playouts, Illegal, "\"\" where"),
        ("says-bytes", playouts, Illegal, "where 1 2 3 4 5 are legal"),
        ("leaves-a-child", playouts, Crashed, "was ended by signal 6"),
        ("leaves-a-session", playouts, Crashed, "was ended by signal 6"),
    ] {
        check(sin, budget, kind, reason);
        settle(files);
    }
    for harmless in ["none", "keeps-a-child", "keeps-a-session", "never-quits"] {
        let lines = play(harmless, 1, playouts);
        assert!(lines.iter().all(|line| line.ending == EndingKind::Finished), "{harmless}: {lines:?}");
        settle(files);
    }
}
