//! A match that is killed, split or played by more threads has the same games as an undisturbed one.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Output, Stdio};

use crate::{banyan, games, output, text, unused};

const MATCH: &[&str] = &["connect-four:5x5", "uct", "uct:c=0.5", "random", "--budget", "playouts=300"];

fn play(path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().expect("text");
    let args = [&["match"], MATCH, &["--out", path], more].concat();
    output(&args)
}

/// The moment at which a match is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// At once.
    Start,
    /// When its folder exists, perhaps still empty.
    Folder,
    /// After it has reported this number of games.
    Reported(usize),
    /// When its file has grown by this number of bytes, perhaps in the middle of a line.
    Grown(u64),
}

impl Moment {
    /// The moments are chosen so that twenty kills fall within a third of 720 games.
    fn of(attempt: usize) -> Moment {
        match attempt {
            0 => Moment::Start,
            1 => Moment::Folder,
            _ if attempt.is_multiple_of(2) => Moment::Reported(1 + attempt * 7 % 20),
            _ => Moment::Grown(10 + attempt as u64 * 641 % 3000),
        }
    }

    /// Returns when the moment has come or the match has ended.
    fn wait(self, child: &mut Child, events: &mut impl BufRead, folder: &Path) {
        let size = || fs::metadata(folder.join("games.jsonl")).map_or(0, |file| file.len());
        let before = size();
        match self {
            Moment::Start => {}
            Moment::Reported(n) => {
                let lines = events.lines().map(|line| line.expect("text"));
                lines.filter(|line| line.contains("\"game_end\"")).take(n).for_each(drop);
            }
            Moment::Folder => observer(child, || folder.exists()),
            Moment::Grown(bytes) => observer(child, || size() >= before + bytes),
        }
    }
}

/// Waits until `has_come` holds, or the match has ended.
pub fn observer(child: &mut Child, has_come: impl Fn() -> bool) {
    while !has_come() && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
}

/// Checks that a command which plays games has the same games and the same `result` file if it is killed twenty times
/// before its end.
pub fn killed_twenty_times(name: &str, command: &[&str], result: &str) {
    let (whole, killed) = (unused(&format!("{name}-whole")), unused(&format!("{name}-killed")));
    let file =
        |folder: &Path, name| fs::read_to_string(folder.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"));
    let path = whole.to_str().expect("text");
    let out = output(&[command, &["--out", path, "--jobs", "1", "--quiet"]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let path = killed.to_str().expect("text");
    let resume = [command[0], "--resume", path, "--jobs", "3", "--quiet"];
    let again = || match killed.join("match.toml").exists() {
        true => resume.to_vec(),
        false => [command, &["--out", path, "--jobs", "2", "--quiet"]].concat(),
    };
    let size = || fs::metadata(killed.join("games.jsonl")).map_or(0, |file| file.len());
    let all = file(&whole, "games.jsonl").len() as u64;
    for attempt in 0..20 {
        let mut child = banyan(&again()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        // From immediately to some lines later, perhaps in the middle of a line.
        let until = size() + attempt * 7919 % (all / 30);
        observer(&mut child, || size() >= until);
        assert!(child.try_wait().expect("a child").is_none(), "attempt {attempt} ended before it was killed");
        child.kill().expect("it is there to be killed");
        child.wait().expect("it ends");
    }
    assert!(!killed.join(result).exists());
    let left = output(&again());
    assert!(left.status.success(), "{}", text(&left.stderr));
    assert!(games(&whole) == games(&killed));
    assert_eq!(file(&whole, result), file(&killed, result));
    // Resumed once more, there is nothing left to play.
    assert!(output(&resume).status.success());
    assert_eq!(file(&whole, result), file(&killed, result));
}

#[test]
fn a_match_killed_twenty_times_ends_with_the_same_games() {
    let (whole, killed) = (unused("whole"), unused("killed"));
    let out = play(&whole, &["--pairs", "120", "--jobs", "2", "--quiet"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let path = killed.to_str().expect("text");
    let goes_on = || {
        if killed.join("match.toml").exists() {
            return vec!["match", "--resume", path, "--jobs", "2", "--json"];
        }
        [&["match"], MATCH, &["--out", path, "--pairs", "120", "--jobs", "2", "--json"]].concat()
    };
    for attempt in 0..20 {
        let mut child = banyan(&goes_on()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        // Stdout is read until the end, because the match ends if its output is closed.
        let mut events = BufReader::new(child.stdout.take().expect("a pipe"));
        Moment::of(attempt).wait(&mut child, &mut events, &killed);
        assert!(child.try_wait().expect("a child").is_none(), "attempt {attempt} ended before it was killed");
        // SIGKILL: the program cannot clean up.
        child.kill().expect("it is there to be killed");
        child.wait().expect("it ends");
        cut_off_now_and_then(&killed.join("games.jsonl"), attempt);
    }
    let left = output(&goes_on());
    assert!(left.status.success(), "{}", text(&left.stderr));
    let (expected, found) = (games(&whole), games(&killed));
    assert_eq!(expected.len(), 3 * 120 * 2);
    assert!(found == expected, "{} games, {} expected", found.len(), expected.len());
}

/// Removes the end of a file, as a power failure may; a kill rarely does.
fn cut_off_now_and_then(file: &Path, attempt: usize) {
    let Ok(bytes) = fs::read(file) else { return };
    if attempt % 5 == 4 && bytes.len() > 40 {
        fs::write(file, &bytes[..bytes.len() - 17]).expect("the file can be written");
    }
}

#[test]
fn neither_threads_nor_shards_change_a_game() {
    let whole = unused("one-thread");
    let begun = play(&whole, &["--pairs", "12", "--jobs", "1", "--quiet"]);
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    let expected = games(&whole);
    let threads = unused("many-threads");
    assert!(play(&threads, &["--pairs", "12", "--jobs", "5"]).status.success());
    assert!(games(&threads) == expected);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let part = unused(&format!("part-{}", &shard[..1]));
        assert!(play(&part, &["--pairs", "12", "--shard", shard]).status.success());
        part
    });
    let merged = unused("merged");
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
    let path = unused("half");
    assert!(play(&path, &["--pairs", "4", "--jobs", "1"]).status.success());
    let expected = games(&path);
    let file = path.join("games.jsonl");
    let text = fs::read_to_string(&file).expect("games");
    let kept: Vec<&str> = text.lines().enumerate().filter(|(i, _)| i % 3 != 0).map(|(_, line)| line).collect();
    fs::write(&file, kept.join("\n") + "\n").expect("the file can be written");
    assert!(output(&["match", "--resume", path.to_str().expect("text")]).status.success());
    assert!(games(&path) == expected);
}
