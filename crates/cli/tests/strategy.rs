//! Strategy libraries in C, compiled here: played by their path, judged, and kept from doing harm.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/strategy");

/// A fresh folder to run in.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder to run in");
    path
}

/// Compiles a library of ours into a folder.
fn compile(folder: &Path, source: &str, name: &str, definitions: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1"]).args(definitions).arg("-o").arg(&library);
    let output = cc.arg(format!("{SOURCES}/{source}")).output().expect("cc, the C compiler of the system");
    assert!(output.status.success(), "{}", text(&output.stderr));
    library
}

/// A library that commits a sin at its so-manyth move.
fn sinner(folder: &Path, sin: &str, at: u32) {
    compile(folder, "sinner.c", &format!("{sin}.so"), &[&format!("-DSIN=\"{sin}\""), &format!("-DAT={at}")]);
}

fn banyan(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan"));
    command.args(line.split(' ')).current_dir(folder).env_remove("BANYAN_ENGINES").output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// How every game of a match ended.
fn endings(folder: &Path, line: &str) -> Vec<serde_json::Value> {
    let output = banyan(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    let lines = text(&output.stdout);
    let events = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let games: Vec<_> = events.filter(|event| event["event"] == "game_end").collect();
    assert!(!games.is_empty(), "{line}: {lines}");
    games
}

#[test]
fn a_library_plays_by_its_path_and_by_its_name() {
    let folder = folder("strategy-plays");
    compile(&folder, "decent.c", "decent.so", &[]);
    fs::write(folder.join("engines.toml"), "[named]\nlibrary = \"decent.so\"\n").expect("a file");
    for (game, player) in
        [("connect-four", "decent.so"), ("connect-four:6x5,hole=c2", "./decent.so"), ("connect-four:5x6", "named")]
    {
        let line = format!("match {game} {player} random --pairs 4 --budget playouts=10 --json --out {player}-match");
        let games = endings(&folder, &line.replace("./decent.so-", "again-"));
        assert!(games.iter().all(|game| game["ending"] == "finished"), "{games:?}");
        assert_eq!(games.len(), 8);
    }
    let drawn = "match connect-four:5-6x5-6,holes=1 decent.so uct --pairs 2 --budget playouts=50 --json --out drawn";
    assert!(endings(&folder, drawn).iter().all(|game| game["ending"] == "finished"));
    let checked = banyan(&folder, "engines check named --game connect-four:6x7,hole=a1");
    let steps = text(&checked.stdout);
    assert!(checked.status.success() && steps.lines().count() == 6, "{steps}");
    let resumed = banyan(&folder, "match --resume drawn --pairs 3 --quiet");
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
}

#[test]
fn what_a_library_does_wrong_loses_its_game_and_is_named() {
    let folder = folder("strategy-sins");
    for (sin, ending, reason) in [
        ("crashes", "crashed", "was ended by signal 11 (memory that is not its own)"),
        ("aborts", "crashed", "was ended by signal 6 (abort)"),
        ("exits", "crashed", "the library called exit: its host ended with exit code 0"),
        ("hangs", "late", "no bestmove within 400.0ms"),
        ("answers-null", "illegal", "getPoint answered a null pointer"),
        ("answers-anything", "illegal", "getPoint answered x = -5, y = 1048576: y is a column from 0 to 4"),
        ("answers-the-row-above", "illegal", "the stone of column 0 lands on x = "),
        ("answers-no-pointer", "crashed", "was ended by signal 11"),
    ] {
        for at in [1, 2] {
            sinner(&folder, sin, at);
            fs::write(folder.join("engines.toml"), format!("[sinner]\nlibrary = \"{sin}.so\"\nmove = \"400ms\"\n"))
                .expect("a file");
            let out = format!("{sin}-{at}");
            let line = format!("match connect-four:4x5 sinner greedy --pairs 1 --budget playouts=9 --json --out {out}");
            let games = endings(&folder, &line);
            assert_eq!(games.len(), 2);
            for game in games {
                let fault = game["fault"].as_str().unwrap_or_default();
                assert!(game["ending"] == ending && fault.contains(reason), "{sin} at {at}: {game}");
            }
        }
    }
    for harmless in ["prints", "prints-and-waits", "prints-when-loaded", "reads", "writes", "leaks"] {
        sinner(&folder, harmless, 1);
        let line = format!(
            "match connect-four:4x5 {harmless}.so greedy --pairs 1 --budget playouts=9 --json --out {harmless}"
        );
        let games = endings(&folder, &line);
        assert!(games.iter().all(|game| game["ending"] == "finished"), "{harmless}: {games:?}");
    }
}

#[test]
fn what_cannot_play_is_refused_in_one_line_before_the_first_game() {
    let folder = folder("strategy-refused");
    compile(&folder, "decent.c", "decent.so", &[]);
    compile(&folder, "sinner.c", "half.so", &["-DSIN=\"\"", "-DAT=0", "-DNO_CLEAR"]);
    sinner(&folder, "exits-when-loaded", 0);
    fs::write(folder.join("text.so"), "no library").expect("a file");
    let (two, reversi) = ("connect-four:6x7,hole=a1,hole=b1", "reversi");
    for (game, library, parts) in [
        (two, "decent.so", &["engine decent.so: does not play", "know one hole at most", "choose a game"][..]),
        ("connect-four:6-7x7,holes=2", "decent.so", &["engine decent.so: does not play", "know one hole at most"]),
        (reversi, "decent.so", &["engine decent.so: ", "no words for reversi", "let it play connect-four"]),
        ("connect-four", "gone.so", &["engine gone.so: ", "gone.so: there is no such file", "name a library"]),
        ("connect-four", "text.so", &["engine text.so: ", "it cannot be loaded: ", "name a library"]),
        ("connect-four", "half.so", &["engine half.so: ", "it has no function clearPoint", "name a library"]),
        ("connect-four", "exits-when-loaded.so", &["the library called exit: its host ended with exit code 3"]),
        ("connect-four", "decent.so:c=1", &["an engine and has nothing to set"]),
        ("connect-four", "decent", &["unknown player \"decent\""]),
    ] {
        let output = banyan(&folder, &format!("match {game} {library} random --budget playouts=9"));
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.lines().count() == 1, "{library}: {errors}");
        for part in parts {
            assert!(errors.contains(part), "{part} in {errors}");
        }
        assert!(!folder.join("banyan-matches").exists(), "{library} has begun a match");
    }
    let alone = banyan(&folder, "strategy-host half.so");
    assert_eq!(alone.status.code(), Some(2));
    assert!(text(&alone.stderr).starts_with("error: strategy library half.so: it has no function clearPoint"));
}

/// `UPDATE=1` writes the transcript anew.
#[test]
fn the_host_answers_as_written_down() {
    let folder = folder("strategy-host");
    compile(&folder, "decent.c", "decent.so", &[]);
    let file = format!("{SOURCES}/host.txt");
    let expected = fs::read_to_string(&file).expect("a transcript");
    let mut found = String::new();
    for line in expected.lines().filter(|line| line.starts_with(['#', '<'])) {
        found += &format!("{line}\n");
    }
    let said: String =
        found.lines().filter_map(|line| line.strip_prefix("< ")).map(|line| format!("{line}\n")).collect();
    let mut host = Command::new(env!("CARGO_BIN_EXE_banyan"));
    host.args(["strategy-host", "decent.so"]).current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut host = host.spawn().expect("the command starts");
    host.stdin.take().expect("a pipe").write_all(said.as_bytes()).expect("it listens");
    let output = host.wait_with_output().expect("the command ends");
    assert!(output.status.success());
    text(&output.stdout).lines().for_each(|line| found += &format!("  {line}\n"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &found).expect("the transcript can be written");
    }
    assert!(found == expected, "{found}");
}

#[cfg(target_os = "linux")]
mod long {
    use std::time::Duration;

    use banyan_catalog::{Catalog, Foreign, Opening};
    use banyan_core::{Limits, Margin};
    use banyan_protocols::process::{Framing, Launch};
    use banyan_protocols::{Engine, Protocol};

    use super::*;

    /// Open files, children, and KiB in memory.
    fn held() -> (usize, usize, u64) {
        let files = fs::read_dir("/proc/self/fd").expect("our files").count();
        let status = fs::read_to_string("/proc/self/status").expect("our status");
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("our memory");
        let memory = memory.trim().trim_end_matches(" kB").parse().expect("a number");
        let me = std::process::id();
        let children = fs::read_dir(format!("/proc/{me}/task")).expect("our threads").flatten();
        let children = children.map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default());
        (files, children.map(|list| list.split_whitespace().count()).sum(), memory)
    }

    /// A library that leaks a mebibyte and a file with every move takes nothing from us, nor from its next game.
    #[test]
    fn a_hundred_games_in_a_row_cost_no_memory_and_no_files() {
        let folder = folder("strategy-long");
        sinner(&folder, "leaks", 0);
        let engine = Engine {
            name: "leaks".into(),
            launch: Launch {
                program: env!("CARGO_BIN_EXE_banyan").into(),
                arguments: vec!["strategy-host".into(), folder.join("leaks.so").display().to_string()],
                folder: None,
                framing: Framing::Lines,
            },
            protocol: Protocol::named("strategy").expect("a protocol"),
            options: Vec::new(),
            startup: Duration::from_secs(10),
            move_time: Duration::from_secs(10),
        };
        let game = Catalog::builtin().game("connect-four:4x4,hole=b1").expect("a game");
        let mut player = engine.open();
        let mut before = None;
        for n in 0..100 {
            let mut session = game.open(Opening::Start).expect("its start");
            player.new_game(n);
            player.prepare(&*session, &mut || false).expect("it plays");
            while session.result().is_none() {
                let answer = player.choose(&*session, &Limits::playouts(1), &mut || false).expect("a move");
                session.play(&answer.best).expect("a legal one");
            }
            player.game_over(session.result().unwrap_or(Margin::DRAW));
            if n == 9 {
                // Threads that listened to the process before need a moment to end.
                before = Some(settled(None));
            }
        }
        let (before, after) = (before.expect("ten games"), settled(before));
        assert_eq!((before.0, before.1), (after.0, after.1), "files and children");
        assert!(after.2 < before.2 + 4096, "{} KiB became {} KiB", before.2, after.2);
    }

    fn settled(before: Option<(usize, usize, u64)>) -> (usize, usize, u64) {
        for _ in 0..500 {
            if before.is_some_and(|before| held().0 <= before.0 && held().1 <= before.1) {
                break;
            }
            std::thread::sleep(Duration::from_millis(if before.is_some() { 5 } else { 1 }));
        }
        held()
    }
}
