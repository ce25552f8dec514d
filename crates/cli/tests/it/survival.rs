//! Robustness of files: locked, written completely, checked for being moved, removed or damaged, and read as other
//! editors write them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{banyan, folder, games, output_in, refusal, send_signal, text};

/// Two positions that are solved quickly.
const POSITIONS: &str = "\
XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X;
OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;
";

/// Longer than any of the waits takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Starts a command in a folder, and waits until it has written `bytes` bytes to a file.
fn begun(folder: &Path, line: &str, file: &str, bytes: u64) -> Child {
    let args: Vec<&str> = line.split(' ').collect();
    let mut command = banyan(&args);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let started = Instant::now();
    while !fs::metadata(folder.join(file)).is_ok_and(|found| found.len() >= bytes) {
        assert!(child.try_wait().expect("a child").is_none(), "{line} ended early");
        assert!(started.elapsed() < PATIENCE, "{line} writes nothing");
        thread::sleep(Duration::from_millis(5));
    }
    child
}

/// The last line on stderr of a command that fails by itself.
fn failure(child: Child) -> String {
    let output = child.wait_with_output().expect("the command ends");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    errors.lines().last().unwrap_or_default().to_owned()
}

fn ended(child: &mut Child) {
    child.kill().and_then(|()| child.wait()).expect("it is there to be killed");
}

/// Commands that write a file for longer than a test lasts: the command, and its file.
fn long_commands(folder: &Path) -> [(&'static str, &'static str); 2] {
    fs::write(folder.join("all.obf"), POSITIONS.repeat(10_000)).expect("a file");
    [
        ("solve reversi --file all.obf --out solved.obf --json", "solved.obf"),
        ("book make connect-four --out some.book --budget nodes=20000 --positions 1000000 --plies 30", "some.book"),
    ]
}

#[test]
fn a_file_is_written_by_one_process_only() {
    let folder = folder("written-once");
    for (line, file) in long_commands(&folder) {
        let mut first = begun(&folder, line, file, 500);
        let second = output_in(&folder, line);
        ended(&mut first);
        let error = refusal(&second);
        assert!(error.contains(&format!("{file}: expected no other process writing this ")), "{error}");
        assert!(error.ends_with("; wait for it or stop it"), "{error}");
    }
}

#[test]
fn a_file_that_is_removed_or_moved_is_noticed_and_the_advice_works() {
    let folder = folder("removed-files");
    for (line, file) in long_commands(&folder) {
        let path = folder.join(file);
        let child = begun(&folder, line, file, 500);
        let before = fs::metadata(&path).expect("a file").len();
        fs::remove_file(&path).expect("it is ours");
        let error = failure(child);
        let advice = format!("it is written again; continue with the same command and --out {file}");
        assert!(error.contains(" was removed while the ") && error.ends_with(&advice), "{error}");
        assert!(fs::metadata(&path).expect("it is there again").len() >= before);
        // The same command continues.
        let written = fs::read(&path).expect("a file");
        let child = begun(&folder, line, file, written.len() as u64 + 1);
        assert!(fs::read(&path).expect("a file").starts_with(&written));
        let moved = folder.join(format!("moved-{file}"));
        fs::rename(&path, &moved).expect("it is ours");
        let error = failure(child);
        assert!(error.contains("was moved") && error.contains(" while the "), "{error}");
        if cfg!(target_os = "linux") {
            let advice = format!(
                "; continue with the same command and --out {}",
                moved.canonicalize().expect("a file").display()
            );
            assert!(error.ends_with(&advice), "{error}");
        }
        assert!(!path.exists() && fs::read(&moved).expect("a file").starts_with(&written));
        let line = line.replace(&format!("--out {file}"), &format!("--out moved-{file}"));
        ended(&mut begun(&folder, &line, &format!("moved-{file}"), fs::metadata(&moved).expect("a file").len() + 1));
    }
}

#[test]
fn a_folder_that_is_removed_or_moved_is_noticed_and_the_advice_works() {
    let folder = folder("removed-folders");
    let match_line = "match connect-four:4x4 greedy random --openings none --pairs 1000000 --jobs 1 --quiet --out run";
    let child = begun(&folder, match_line, "run/games.jsonl", 3000);
    // The configuration may be written again between the removal of the files and that of the folder.
    let _ = fs::remove_dir_all(folder.join("run"));
    let error = failure(child);
    assert!(
        error.contains(
            "games.jsonl: expected it unchanged, but it was removed while the match was running; it is written again"
        ),
        "{error}"
    );
    let n_games = games(&folder.join("run")).len();
    assert!(n_games > 1);
    // The configuration is restored too.
    let n_bytes = fs::metadata(folder.join("run/games.jsonl")).expect("the games").len();
    let child = begun(&folder, "match --resume run --jobs 1 --quiet", "run/games.jsonl", n_bytes + 10_000);
    fs::rename(folder.join("run"), folder.join("moved")).expect("it is ours");
    let error = failure(child);
    assert!(error.contains("was moved") && error.contains(" while the match was running"), "{error}");
    if cfg!(target_os = "linux") {
        let place = folder.join("moved").canonicalize().expect("a folder");
        assert!(error.ends_with(&format!("; resume the match with --resume {}", place.display())), "{error}");
    }
    assert!(!folder.join("run").exists() && games(&folder.join("moved")).len() >= n_games);
    let mut child = begun(&folder, "match --resume moved --jobs 1 --quiet", "moved/games.jsonl", 30_000);
    ended(&mut child);

    let train_line = "train dots-and-boxes:2x2 --out boxes --games 1000000 --threads 1";
    let child = begun(&folder, train_line, "boxes/games.txt", 500);
    let _ = fs::remove_dir_all(folder.join("boxes"));
    let error = failure(child);
    let advice = "was removed while the training was running; it is written again; continue with the same command and --out boxes";
    assert!(error.ends_with(advice), "{error}");
    let size = fs::metadata(folder.join("boxes/games.txt")).expect("games").len();
    ended(&mut begun(&folder, train_line, "boxes/games.txt", size + 1));
}

#[test]
fn openings_whose_folder_is_removed_are_not_made_to_the_end() {
    let folder = folder("removed-openings");
    fs::create_dir(folder.join("made")).expect("a folder");
    let line = "openings make connect-four --count 1000000 --judge-budget playouts=50 --out made/openings.txt";
    let args: Vec<&str> = line.split(' ').collect();
    let mut command = banyan(&args);
    let mut child = command.current_dir(&folder).stderr(Stdio::piped()).spawn().expect("the command starts");
    let started = Instant::now();
    while names(&folder.join("made")).iter().all(|name| fs::metadata(name).map_or(0, |found| found.len()) < 300) {
        assert!(child.try_wait().expect("a child").is_none() && started.elapsed() < PATIENCE, "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    fs::remove_dir_all(folder.join("made")).expect("it is ours");
    let error = failure(child);
    assert!(
        error.contains("cannot write made/openings.txt: ") && error.ends_with("run the same command again"),
        "{error}"
    );
}

#[test]
fn openings_that_a_signal_ends_leave_the_old_file_and_no_other() {
    let folder = folder("ended-openings");
    fs::create_dir(folder.join("made")).expect("a folder");
    fs::write(folder.join("made/openings.txt"), "old\n").expect("a file");
    let line = "openings make connect-four --count 1000000 --judge-budget playouts=50 --out made/openings.txt";
    let args: Vec<&str> = line.split(' ').collect();
    let mut child = banyan(&args).current_dir(&folder).stderr(Stdio::null()).spawn().expect("the command starts");
    let started = Instant::now();
    while names(&folder.join("made")).len() < 2 {
        assert!(child.try_wait().expect("a child").is_none() && started.elapsed() < PATIENCE, "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    send_signal(child.id(), rustix::process::Signal::TERM);
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    assert_eq!(names(&folder.join("made")), [folder.join("made/openings.txt")]);
    assert_eq!(fs::read_to_string(folder.join("made/openings.txt")).expect("the old file"), "old\n");
}

/// Runs a command that cannot write files of more than 512 bytes, as on a full disk.
fn on_a_full_disk(folder: &Path, line: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_banyan");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{program}' {line}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder).stdin(Stdio::null());
    command.output().expect("the command runs")
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_leaves_the_old_file_as_it_was() {
    let folder = folder("full-disk");
    let made = output_in(&folder, "match connect-four:4x4 greedy random --openings none --pairs 1 --quiet --out run");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let rated = output_in(&folder, "rate connect-four:4x4 greedy random --openings none --pairs 2 --quiet --out rated");
    assert!(rated.status.success(), "{}", text(&rated.stderr));
    let openings =
        "openings make connect-four:4x5 --count 100 --plies 4 --judge random --judge-budget playouts=1 --threshold 1";
    for (line, file) in [
        ("show connect-four --svg board.svg".to_owned(), "board.svg"),
        ("analyse connect-four:4x4 --player uct --budget playouts=200 --tree tree.json".to_owned(), "tree.json"),
        ("review run:0.0 --budget playouts=10 --html review.html".to_owned(), "review.html"),
        (format!("{openings} --out openings.txt"), "openings.txt"),
        ("man --out .".to_owned(), "banyan.1"),
    ] {
        fs::write(folder.join(file), "old\n").expect("a file");
        let before = names(&folder);
        let output = on_a_full_disk(&folder, &line);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains("cannot write ") && !errors.contains("panicked"), "{line}: {errors}");
        assert_eq!(fs::read_to_string(folder.join(file)).expect("the old file"), "old\n", "{line}");
        assert_eq!(names(&folder), before, "{line}");
        let output = output_in(&folder, &line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        assert!(fs::metadata(folder.join(file)).expect("the new file").len() > 512, "{line}");
        assert!(names(&folder).iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{line}");
    }
}

#[test]
fn files_of_other_editors_are_read() {
    let folder = folder("other-editors");
    let write = |name: &str, contents: &str| {
        fs::write(folder.join(name), format!("\u{feff}{}", contents.replace('\n', "\r\n"))).expect("a file");
    };
    let succeeds = |line: &str| {
        let output = output_in(&folder, line);
        assert!(output.status.success(), "{line}: {}{}", text(&output.stdout), text(&output.stderr));
    };
    write("openings.txt", "# mine\n4 4\n3 3\n");
    succeeds("openings check openings.txt connect-four --threshold 1");
    succeeds("match connect-four greedy random --openings file:openings.txt --pairs 2 --quiet --out run");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    for name in ["run/match.toml", "run/games.jsonl", "run/openings.txt"] {
        write(name, &read(name));
    }
    succeeds("match --resume run --pairs 3 --quiet");
    assert_eq!(games_of(&read("run/games.jsonl")), 6);
    succeeds("show --record run --game 2.1");
    write("own.obf", POSITIONS);
    succeeds("solve reversi --file own.obf --out solved.obf");
    write("solved.obf", &read("solved.obf"));
    succeeds("solve reversi --file own.obf --out solved.obf");
    succeeds("accuracy reversi greedy --file solved.obf");
    write("engines.toml", "# none\n");
    succeeds("engines list --engines engines.toml");
    succeeds("book make connect-four:4x4 --out some.book --budget nodes=10 --positions 20 --plies 3");
    write("some.book", &read("some.book"));
    succeeds("book make connect-four:4x4 --out some.book --budget nodes=10 --positions 40 --plies 3");
    succeeds("book show some.book");
    succeeds("train dots-and-boxes:2x2 --out boxes --games 20 --epochs 2");
    for name in ["boxes/games.txt", "boxes/train.toml"] {
        write(name, &read(name));
    }
    succeeds("train dots-and-boxes:2x2 --out boxes --games 30 --epochs 2");
}

fn games_of(text: &str) -> usize {
    text.lines().filter(|line| line.contains("\"game_end\"")).count()
}

#[test]
fn a_flipped_bit_in_a_solved_file_is_noticed() {
    let folder = folder("flipped-scores");
    fs::write(folder.join("own.obf"), POSITIONS).expect("a file");
    let line = "solve reversi --file own.obf --out solved.obf";
    assert!(output_in(&folder, line).status.success());
    let whole = fs::read_to_string(folder.join("solved.obf")).expect("a file");
    let damaged = whole.replacen(":+1", ":+3", 1);
    assert_ne!(damaged, whole);
    fs::write(folder.join("solved.obf"), damaged).expect("a file");
    for line in [line, "solve reversi --file solved.obf", "accuracy reversi greedy --file solved.obf"] {
        let error = refusal(&output_in(&folder, line));
        assert!(error.contains("solved.obf") && error.contains("a damaged line: expected the checksum"), "{error}");
    }
}

#[test]
fn a_solved_file_of_any_size_is_read_again() {
    let folder = folder("large-scores");
    // A comment of the size of the scores of half a million positions.
    let comment = format!("# {}\n", "x".repeat(65 << 20));
    fs::write(folder.join("own.obf"), format!("{comment}{POSITIONS}")).expect("a file");
    for known in ["", "2 of 2 positions are in the file of --out already\n"] {
        let output = output_in(&folder, "solve reversi --file own.obf --out solved.obf");
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), known));
        let solved = fs::read_to_string(folder.join("solved.obf")).expect("a file");
        fs::write(folder.join("solved.obf"), solved + &comment).expect("a file");
    }
    fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_value_of_a_configuration_that_makes_no_sense_is_refused_at_resume() {
    let folder = folder("senseless-values");
    let terms = "--budget playouts=10 --openings none --quiet";
    let made = |line: &str| {
        let output = output_in(&folder, line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    };
    made(&format!("sweep connect-four:4x4 uct --against random --vary c=0.1,0.2,0.3 --pairs 4 {terms} --out swept"));
    made(&format!("tune connect-four:4x4 uct --vary c=0.1..2 --pairs 30 --confirm 0 {terms} --out tuned"));
    made(&format!("rate connect-four:4x4 random greedy --pairs 4 {terms} --out rated"));
    for (name, command, changes) in [
        (
            "swept",
            "sweep",
            &[
                ("[0.1, 0.2, 0.3]", "[]"),
                ("[0.1, 0.2, 0.3]", "[0.1, nan, 0.3]"),
                ("[0.1, 0.2, 0.3]", "[0.1, 0.1, 0.1]"),
            ][..],
        ),
        ("tuned", "tune", &[("low = 0.1", "low = 3.0"), ("high = 2.0", "high = inf"), ("low = 0.1", "low = -5.0")]),
        (
            "rated",
            "rate",
            &[("superiority = 0.975", "superiority = -1.0"), ("superiority = 0.975", "superiority = nan")],
        ),
    ] {
        let path = folder.join(name);
        let whole = fs::read_to_string(path.join("match.toml")).expect("a configuration");
        // Also if no game was played yet, and if the file has no digest.
        fs::write(path.join("games.jsonl"), "").expect("no games");
        for (right, wrong) in changes {
            assert!(whole.contains(right), "{whole}");
            let kept: String =
                whole.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
            fs::write(path.join("match.toml"), kept.replace(right, wrong)).expect("a configuration");
            let error = refusal(&output_in(&folder, &format!("{command} --resume {name}")));
            let is_named = error.contains("match.toml: ") || error.contains("c=-5");
            assert!(is_named && error.contains("expected"), "{wrong}: {error}");
        }
    }
}
