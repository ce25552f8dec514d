//! Strategy libraries in C, compiled by the test: named by their path, judged, and isolated.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{banyan, folder, output_in, text};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/strategy");

/// Compiles one of our libraries into a folder.
fn compile(folder: &Path, source: &str, name: &str, definitions: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1"]).args(definitions).arg("-o").arg(&library);
    let output = cc.arg(format!("{SOURCES}/{source}")).output().expect("cc, the C compiler of the system");
    assert!(output.status.success(), "{}", text(&output.stderr));
    library
}

/// A library that commits the fault `mode` at its move number `at`.
fn misbehaving(folder: &Path, mode: &str, at: u32) {
    compile(folder, "misbehaving.c", &format!("{mode}.so"), &[&format!("-DMODE=\"{mode}\""), &format!("-DAT={at}")]);
}

/// The ending of every game of a match.
fn endings(folder: &Path, line: &str) -> Vec<serde_json::Value> {
    let output = output_in(folder, line);
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
    let checked = output_in(&folder, "engines check named --game connect-four:6x7,hole=a1");
    let steps = text(&checked.stdout);
    assert!(checked.status.success() && steps.lines().count() == 6, "{steps}");
    let analysed = text(&output_in(&folder, "analyse connect-four:5x5 --player decent.so").stdout);
    assert!(analysed.contains("done: no value") && !analysed.contains("50.00 % to win"), "{analysed}");
    let misplaced = text(&output_in(&folder, "match decent.so --level 1").stderr);
    assert!(misplaced.contains("decent.so: expected a game first, and this is a player"), "{misplaced}");
    let resumed = output_in(&folder, "match --resume drawn --pairs 3 --quiet");
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
}

#[test]
fn what_a_library_does_wrong_loses_its_game_and_is_named() {
    let folder = folder("strategy-misbehaves");
    for (mode, ending, reason) in [
        ("crashes", "crashed", "was killed by signal 11 (segmentation fault)"),
        ("aborts", "crashed", "was killed by signal 6 (abort)"),
        ("exits", "crashed", "the library called exit: the host exited with code 0"),
        ("hangs", "late", "no bestmove within 400.0ms"),
        ("answers-null", "illegal", "getPoint returned a null pointer"),
        ("answers-anything", "illegal", "getPoint returned x = -5, y = 1048576: expected a column y from 0 to 4"),
        ("answers-the-row-above", "illegal", "the stone of column 0 lands on x = "),
        ("answers-no-pointer", "crashed", "was killed by signal 11"),
    ] {
        for at in [1, 2] {
            misbehaving(&folder, mode, at);
            fs::write(
                folder.join("engines.toml"),
                format!("[misbehaving]\nlibrary = \"{mode}.so\"\nmove = \"400ms\"\n"),
            )
            .expect("a file");
            let out = format!("{mode}-{at}");
            let line =
                format!("match connect-four:4x5 misbehaving greedy --pairs 1 --budget playouts=9 --json --out {out}");
            let games = endings(&folder, &line);
            assert_eq!(games.len(), 2);
            for game in games {
                let fault = game["fault"].as_str().unwrap_or_default();
                assert!(game["ending"] == ending && fault.contains(reason), "{mode} at {at}: {game}");
            }
        }
    }
    for harmless in ["prints", "prints-and-waits", "prints-when-loaded", "reads", "writes", "leaks"] {
        misbehaving(&folder, harmless, 1);
        let line = format!(
            "match connect-four:4x5 {harmless}.so greedy --pairs 1 --budget playouts=9 --json --out {harmless}"
        );
        let games = endings(&folder, &line);
        assert!(games.iter().all(|game| game["ending"] == "finished"), "{harmless}: {games:?}");
    }
}

#[test]
fn unusable_libraries_are_errors_of_one_line_before_the_first_game() {
    let folder = folder("strategy-errors");
    compile(&folder, "decent.c", "decent.so", &[]);
    compile(&folder, "misbehaving.c", "half.so", &["-DMODE=\"\"", "-DAT=0", "-DNO_CLEAR"]);
    misbehaving(&folder, "exits-when-loaded", 0);
    fs::write(folder.join("text.so"), "no library").expect("a file");
    let (two, reversi) = ("connect-four:6x7,hole=a1,hole=b1", "reversi");
    for (game, library, parts) in [
        (two, "decent.so", &["engine decent.so: does not play", "expected at most one hole", "choose a game"][..]),
        ("connect-four:6-7x7,holes=2", "decent.so", &["engine decent.so: does not play", "expected at most one hole"]),
        (reversi, "decent.so", &["engine decent.so: ", "does not support reversi", "play connect-four"]),
        ("connect-four", "gone.so", &["engine gone.so: ", "error: engine gone.so: file not found; check the path"]),
        (
            "connect-four",
            "text.so",
            &["error: engine text.so: expected a library that can be loaded: ", "; build it as a shared library"],
        ),
        (
            "connect-four",
            "half.so",
            &["error: engine half.so: expected getPoint and clearPoint, but clearPoint is not exported; declare it"],
        ),
        ("connect-four", "exits-when-loaded.so", &["the library called exit: the host exited with code 3"]),
        ("connect-four", "decent.so:c=1", &["an external engine"]),
        ("connect-four", "decent", &["unknown player \"decent\""]),
    ] {
        let output = output_in(&folder, &format!("match {game} {library} random --budget playouts=9"));
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.lines().count() == 1, "{library}: {errors}");
        for part in parts {
            assert!(errors.contains(part), "{part} in {errors}");
        }
        assert!(!folder.join("banyan-matches").exists(), "{library} has started a match");
    }
    // As in a match, a path names a library.
    let check = output_in(&folder, "engines check decent.so --game connect-four:5x5");
    assert_eq!(check.status.code(), Some(0), "{}", text(&check.stdout));
    let check = text(&output_in(&folder, "engines check half.so").stdout);
    let failed = check.lines().find(|line| line.starts_with("FAILED")).expect("a failure");
    assert_eq!(check.matches("clearPoint is not exported").count(), 1, "{check}");
    assert!(failed.contains("expected getPoint and clearPoint") && !failed.contains("crashed"), "{check}");
    let alone = output_in(&folder, "strategy-host half.so");
    assert_eq!(alone.status.code(), Some(2));
    assert!(text(&alone.stderr).starts_with("error: strategy library half.so: expected getPoint and clearPoint"));
}

/// `UPDATE=1` regenerates the transcript.
#[test]
fn the_host_answers_as_in_the_transcript() {
    let folder = folder("strategy-host");
    compile(&folder, "decent.c", "decent.so", &[]);
    let file = format!("{SOURCES}/host.txt");
    let expected = fs::read_to_string(&file).expect("a transcript");
    let mut found = String::new();
    for line in expected.lines().filter(|line| line.starts_with(['#', '<'])) {
        found += &format!("{line}\n");
    }
    let commands: String =
        found.lines().filter_map(|line| line.strip_prefix("< ")).map(|line| format!("{line}\n")).collect();
    let mut host = banyan(&["strategy-host", "decent.so"]);
    host.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut host = host.spawn().expect("the command starts");
    host.stdin.take().expect("a pipe").write_all(commands.as_bytes()).expect("it listens");
    let output = host.wait_with_output().expect("the command ends");
    assert!(output.status.success());
    text(&output.stdout).lines().for_each(|line| found += &format!("  {line}\n"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &found).expect("the transcript can be written");
    }
    assert!(found == expected, "{found}");
}

/// Open files, child processes, and memory in KiB of a process; `None` when it has ended.
#[cfg(target_os = "linux")]
fn held(process: u32) -> Option<[u64; 3]> {
    let proc = Path::new("/proc").join(process.to_string());
    let files = fs::read_dir(proc.join("fd")).ok()?.count() as u64;
    let status = fs::read_to_string(proc.join("status")).ok()?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory = memory.trim().trim_end_matches(" kB").parse().expect("a number");
    let threads = fs::read_dir(proc.join("task")).ok()?.flatten();
    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    Some([files, children.map(|list| list.split_whitespace().count() as u64).sum(), memory])
}

/// A library that leaks a mebibyte and a file with every move affects neither the command nor its next game.
#[cfg(target_os = "linux")]
#[test]
fn a_hundred_games_in_a_row_cost_no_memory_and_no_files() {
    let folder = folder("strategy-long");
    misbehaving(&folder, "leaks", 0);
    let line =
        "match connect-four:4x4,hole=b1 leaks.so random --pairs 50 --budget playouts=1 --jobs 1 --json --out long";
    let args: Vec<&str> = line.split(' ').collect();
    let mut games = banyan(&args);
    games.current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut games = games.spawn().expect("the command starts");
    let lines = BufReader::new(games.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let ended = lines.filter(|line| line.contains("\"game_end\""));
    let held: Vec<Option<[u64; 3]>> = ended
        .map(|line| {
            assert!(line.contains("\"finished\""), "{line}");
            held(games.id())
        })
        .collect();
    assert!(games.wait().expect("it ends").success());
    assert_eq!(held.len(), 100);
    // A game that has just begun has some resources; the minimum of many samples is the state between games.
    let least = |held: &[Option<[u64; 3]>]| {
        let held = held.iter().flatten();
        [0, 1, 2].map(|what| held.clone().map(|held| held[what]).min().expect("it is still running"))
    };
    let (before, after) = (least(&held[10..30]), least(&held[70..90]));
    // A leak of a file, a process or 100 KiB per game would amount to 60 of them.
    for (what, slack) in [5, 5, 4096].into_iter().enumerate() {
        assert!(after[what] <= before[what] + slack, "{before:?} became {after:?}");
    }
}
