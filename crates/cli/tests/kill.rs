//! A match that is killed, split or played by more threads comes to the same games as one that is left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const MATCH: &[&str] = &["connect-four:5x5", "uct", "uct:c=0.5", "random", "--budget", "playouts=300"];

fn banyan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan"));
    command.args(args).stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    banyan(args).output().expect("the command runs")
}

/// A folder that is not there.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn play(path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().expect("text");
    let args = [&["match"], MATCH, &["--out", path], more].concat();
    output(&args)
}

/// The games by their identity, without what a clock said.
fn games(path: &Path) -> BTreeMap<(u64, u64), serde_json::Value> {
    let text = fs::read_to_string(path.join("games.jsonl")).expect("games");
    assert!(text.is_empty() || text.ends_with('\n'), "a line is cut off");
    let mut games = BTreeMap::new();
    for line in text.lines() {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|err| panic!("{line}: {err}"));
        let fields = game.as_object_mut().expect("an object");
        for timed in ["time_us", "overrun_us", "at_ms"] {
            fields.remove(timed);
        }
        let id = (game["pair"].as_u64().expect("a pair"), game["game"].as_u64().expect("a game"));
        assert!(games.insert(id, game).is_none(), "game {id:?} is there twice");
    }
    games
}

fn pairs(n: u64) -> String {
    n.to_string()
}

/// Fractions of the time between nothing and a whole match, different at every call (the golden ratio's multiples).
fn fraction(n: u32) -> f64 {
    (f64::from(n) * 0.618_034 + 0.137).fract()
}

#[test]
fn a_match_killed_twenty_times_ends_with_the_same_games() {
    let (whole, killed) = (fresh("whole"), fresh("killed"));
    let n = &pairs(120);
    let begun = std::time::Instant::now();
    let out = play(&whole, &["--pairs", n, "--jobs", "2", "--quiet"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let whole_match = begun.elapsed();
    let path = killed.to_str().expect("text");
    let mut kills = 0;
    for attempt in 0..200 {
        let args: Vec<&str> = if killed.join("match.toml").exists() {
            vec!["match", "--resume", path, "--jobs", "2"]
        } else {
            // Killed before there was a match: the folder is of no use to anybody.
            let _ = fs::remove_dir_all(&killed);
            [&["match"], MATCH, &["--out", path, "--pairs", n, "--jobs", "2"]].concat()
        };
        if kills == 20 {
            assert!(output(&args).status.success());
            break;
        }
        let mut child = banyan(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
        // A twelfth of the match on average, so that about twenty kills fall within it.
        sleep(whole_match.mul_f64(fraction(attempt) / 12.0) + Duration::from_micros(500));
        if child.try_wait().expect("a child").is_none() {
            kills += 1;
        }
        // SIGKILL: nothing can be tidied up.
        let _ = child.kill();
        child.wait().expect("the child ends");
        cut_off_now_and_then(&killed, attempt);
    }
    assert_eq!(kills, 20);
    let (expected, found) = (games(&whole), games(&killed));
    assert_eq!(expected.len(), 3 * 120 * 2);
    assert!(found == expected, "{} games, {} expected", found.len(), expected.len());
}

/// A machine that loses power may leave half a line; a kill rarely does.
fn cut_off_now_and_then(path: &Path, attempt: u32) {
    let file = path.join("games.jsonl");
    let Ok(bytes) = fs::read(&file) else { return };
    if attempt % 5 == 4 && bytes.len() > 40 {
        fs::write(&file, &bytes[..bytes.len() - 17]).expect("the file can be written");
    }
}

#[test]
fn neither_threads_nor_shards_change_a_game() {
    let whole = fresh("one-thread");
    let begun = play(&whole, &["--pairs", "12", "--jobs", "1", "--quiet"]);
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    let expected = games(&whole);
    let threads = fresh("many-threads");
    assert!(play(&threads, &["--pairs", "12", "--jobs", "5"]).status.success());
    assert!(games(&threads) == expected);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let part = fresh(&format!("part-{}", &shard[..1]));
        assert!(play(&part, &["--pairs", "12", "--shard", shard]).status.success());
        part
    });
    let merged = fresh("merged");
    let paths = parts.each_ref().map(|part| part.to_str().expect("text"));
    let merge = [&["merge"][..], &paths, &["--out", merged.to_str().expect("text")]].concat();
    assert!(output(&merge).status.success());
    assert!(games(&merged) == expected);
    let summary = |path: &Path| fs::read_to_string(path.join("summary.json")).expect("a summary");
    let wdl = |text: &str| text.split("\"wdl\"").nth(1).map(|rest| rest[..12].to_owned());
    assert_eq!(wdl(&summary(&merged)), wdl(&summary(&whole)));
}

#[test]
fn a_pair_of_which_one_game_is_there_gets_the_other() {
    let path = fresh("half");
    assert!(play(&path, &["--pairs", "4", "--jobs", "1"]).status.success());
    let expected = games(&path);
    let file = path.join("games.jsonl");
    let text = fs::read_to_string(&file).expect("games");
    let kept: Vec<&str> = text.lines().enumerate().filter(|(i, _)| i % 3 != 0).map(|(_, line)| line).collect();
    fs::write(&file, kept.join("\n") + "\n").expect("the file can be written");
    assert!(output(&["match", "--resume", path.to_str().expect("text")]).status.success());
    assert!(games(&path) == expected);
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_and_says_how_to_go_on() {
    let path = fresh("interrupted");
    let args = [&["match"], MATCH, &["--out", path.to_str().expect("text"), "--pairs", "1000000"]].concat();
    let child = banyan(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the command starts");
    // Until it plays, which a busy machine may take its time to begin with; it goes on for far longer.
    let file = path.join("games.jsonl");
    for _ in 0..600 {
        sleep(Duration::from_millis(50));
        if fs::metadata(&file).is_ok_and(|file| file.len() > 0) {
            break;
        }
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the command ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains(&format!("banyan match --resume {}", path.display())), "{stderr}");
    assert!(!games(&path).is_empty());
}
