//! A judge in C loads the library as a course's judge does: a new thread for every call, several games, both sides at
//! once.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Compiles a C source of this repository.
fn compile(source: &str, name: &str, options: &[&str]) -> PathBuf {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut cc = Command::new("cc");
    let output = cc.args(["-O1", "-o"]).arg(&made).arg(Path::new(HERE).join(source)).args(options).output();
    let output = output.expect("cc, the C compiler of the system");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    made
}

/// The library built together with this test, in its folder or the one above.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let name = format!("{}banyan_strategy{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let mut places = test.ancestors().skip(1).take(2).map(|folder| folder.join(&name));
    places.find(|path| path.exists()).expect("the library was built for this test")
}

fn judge(name: &str, libraries: [&Path; 2], board: &str, games: u32, budget: &str) -> Output {
    let judge = compile("tests/judge.c", name, &["-ldl", "-lpthread"]);
    let mut command = Command::new(judge);
    command.args(libraries).args(board.split(' ')).arg(games.to_string()).env("BANYAN_STRATEGY_BUDGET", budget);
    command.output().expect("the judge runs")
}

/// Parses the results of the games, and the maxima of threads, KiB and milliseconds. Anything else on stdout is an
/// error.
fn read(output: &Output) -> (Vec<String>, [u64; 3]) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{:?} {text} {}", output.status, String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let last = lines.pop().expect("a last line");
    let counts: Vec<u64> =
        last.split(", ").map(|part| part.split(' ').nth(1).and_then(|n| n.parse().ok()).expect(&last)).collect();
    assert!(lines.iter().all(|line| ["A", "B", "draw"].contains(&line.as_str())), "{text}");
    (lines, counts.try_into().expect("three numbers"))
}

#[test]
fn it_wins_against_a_simple_library() {
    let decent = compile("../cli/tests/strategy/decent.c", "decent.so", &["-shared", "-fPIC"]);
    for (i, board) in ["6 7 -1 -1", "9 10 0 4", "10 9 9 4", "9 9 4 4"].iter().enumerate() {
        let output = judge(&format!("judge-{i}"), [&library(), &decent], board, 2, "playouts=2000");
        let (games, [threads, _, _]) = read(&output);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        // The judge's own thread and the one that calls.
        assert_eq!(threads, 2, "{board}");
        assert!(games.iter().all(|winner| winner == "A"), "{board}: {games:?}");
    }
}

#[test]
fn both_sides_of_several_games_fit_in_one_process() {
    let library = library();
    let output = judge("judge-self", [&library, &library], "9 12 3 4", 4, "playouts=3000");
    let (games, [threads, kib, _]) = read(&output);
    assert_eq!((games.len(), threads), (4, 2));
    assert!(kib < 1_000_000, "{kib} KiB");
}

#[test]
fn a_time_budget_is_kept_and_an_invalid_one_is_reported() {
    let library = library();
    let (_, [_, _, slowest]) = read(&judge("judge-time", [&library, &library], "6 7 -1 -1", 1, "30ms"));
    // Without the budget a move takes 2.7 s; a busy test machine may delay one, but not for so long.
    assert!(slowest < 2000, "{slowest} ms");
    // Boards that Banyan does not support get legal moves too, without a search.
    let output = judge("judge-small", [&library, &library], "3 3 -1 -1", 2, "soon");
    let (games, [_, _, slowest]) = read(&output);
    assert!(games == ["draw", "draw"] && slowest < 2000, "{games:?} {slowest}");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.lines().count() == 1 && complaint.contains("BANYAN_STRATEGY_BUDGET"), "{complaint}");
}
