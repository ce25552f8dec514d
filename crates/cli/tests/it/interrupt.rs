//! Ctrl-C, SIGTERM and SIGHUP. Each test waits until the command has visibly begun its work: searches show a live line
//! only on a terminal, so the tests create one.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

#[cfg(target_os = "linux")]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, FileType, mknodat};
use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
#[cfg(target_os = "linux")]
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::{banyan, folder, games, send_signal, text, unchecked, unused};

/// A pseudo-terminal: the end from which the output is read, and the end to which a program writes.
fn terminal() -> (File, OwnedFd) {
    let shown = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&shown).and_then(|()| unlockpt(&shown)).expect("it is ours");
    let name = ptsname(&shown, Vec::new()).expect("it has a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let written = rustix::fs::open(&*name, flags, Mode::empty()).expect("its other end");
    (File::from(shown), written)
}

/// Reads up to and including `sign` and returns all of it; fails if the output ends before.
fn read_until(from: &mut impl Read, sign: &str) -> String {
    let mut read = Vec::new();
    let mut byte = [0];
    // Reading from a terminal without a writer fails.
    while from.read(&mut byte).is_ok_and(|n| n > 0) {
        read.push(byte[0]);
        if read.ends_with(sign.as_bytes()) {
            return text(&read);
        }
    }
    panic!("ended without {sign:?}: {}", text(&read));
}

fn press_ctrl_c(child: &Child) {
    signal(child, "-INT");
}

fn signal(child: &Child, name: &str) {
    let signal = match name {
        "-INT" => Signal::INT,
        "-HUP" => Signal::HUP,
        "-KILL" => Signal::KILL,
        _ => Signal::TERM,
    };
    send_signal(child.id(), signal);
}

/// The exit code after a signal that ends the program, and its name.
fn code_of(name: &str) -> (i32, &'static str) {
    if name == "-TERM" { (143, "SIGTERM") } else { (129, "SIGHUP") }
}

/// Runs the command at a terminal, types, presses Ctrl-C as soon as `sign` is shown, and returns the exit code, stdout,
/// and the further output on the terminal.
fn interrupted(args: &[&str], typed: &str, sign: &str) -> (Option<i32>, String, String) {
    signalled(args, typed, sign, "-INT")
}

/// Runs the command at a terminal and interrupts it like [`interrupted`], with any signal.
fn signalled(args: &[&str], typed: &str, sign: &str, name: &str) -> (Option<i32>, String, String) {
    let (mut shown, written) = terminal();
    let mut command = banyan(args);
    command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::from(written));
    let mut child = command.spawn().expect("the command starts");
    // Only the child may keep the end for writing open, so that the terminal ends with it.
    drop(command);
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("the command reads");
    read_until(&mut shown, sign);
    signal(&child, name);
    let mut rest = Vec::new();
    // The error marks the end.
    let _ = shown.read_to_end(&mut rest);
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), text(&output.stdout), text(&rest))
}

#[test]
fn an_interrupted_search_prints_its_result_and_exits_with_130() {
    for (command, sign, printed, missing) in [
        ("analyse", " playouts, ", "done: ", ""),
        ("solve --book off", " M nodes, proven so far: ", "(not solved)", "not solved before the interrupt"),
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["connect-four", "--budget", "2m"]).collect();
        let (code, out, shown) = interrupted(&arguments, "", sign);
        assert_eq!(code, Some(130), "{command}: {out}{shown}");
        assert!(out.contains(printed), "{command}: {out}");
        assert!(shown.contains(missing), "{command}: {shown}");
    }
}

#[test]
fn interrupted_files_of_positions_keep_what_was_solved_and_measured() {
    // Longer than a line of the terminal, which must show the progress nevertheless.
    let folder = folder(&format!("interrupted-files-{}", "long".repeat(25)));
    let easy = "OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X; E1:-30; G3:-40;";
    let hard = "---------------------------OX------XO--------------------------- X; D3:+0;";
    let [file, out] = ["positions.obf", "out.obf"].map(|name| folder.join(name).to_str().expect("text").to_owned());
    fs::write(&file, format!("{easy}\n{hard}\n")).expect("a file");
    let solve = ["solve", "reversi", "--budget", "2m", "--file", &file, "--out", &out];
    for already in ["", "1 of 2 positions are in the file of --out already"] {
        let (code, printed, shown) = interrupted(&solve, "", "line 2: ");
        assert_eq!(code, Some(130), "{printed}{shown}");
        assert_eq!(printed.contains("loss -30"), already.is_empty(), "{printed}");
        assert!(printed.contains("sum: "), "{printed}");
        assert!(shown.contains("interrupted after 1 of 2 positions; the same command resumes"), "{shown}");
        assert_eq!(unchecked(&fs::read_to_string(&out).expect("written")), format!("{easy}\n"));
    }
    let accuracy = ["accuracy", "reversi", "pvs:depth=60", "--json", "--file", &file];
    let (code, printed, shown) = interrupted(&accuracy, "", "1 of 2 positions, ");
    assert_eq!(code, Some(130), "{printed}{shown}");
    assert!(printed.contains(r#""positions":1,"error":[null,0.0,null],"#), "{printed}");
    assert!(shown.contains("interrupted; the last file is measured in part"), "{shown}");
}

#[test]
fn an_interrupted_review_prints_the_moves_that_it_has() {
    let folder = folder("interrupted-review");
    let file = folder.join("game.txt");
    fs::write(&file, "4343434\n").expect("a record");
    let page = folder.join("page.html");
    let [file, page_text] = [&file, &page].map(|path| path.to_str().expect("text"));
    // Before the sixth move the position is open, and no proof ends within the budget.
    let (code, out, shown) =
        interrupted(&["review", file, "--budget", "2m", "--html", page_text], "", "2 of 8 positions");
    assert_eq!(code, Some(130), "{out}{shown}");
    assert!(out.contains("\n  7  X     4         =win\n"), "{out}");
    assert!(shown.contains("interrupted: only the last 1 of 7 moves are reviewed"), "{shown}");
    let written = fs::read_to_string(&page).expect("a page");
    assert!(written.contains("Only 1 move is reviewed.") && written.contains("<tr data-ply=\"7\">"), "{written}");
}

#[test]
fn an_interrupted_review_at_the_prompt_ends_the_review_only() {
    let args = ["play", "dots-and-boxes", "--moves", "0 1 2 3", "--second", "human"];
    let (code, out, shown) = interrupted(&args, "review 2m\nquit\n", "0 of ");
    assert_eq!(code, Some(0), "{out}{shown}");
    assert!(out.contains("interrupted: only the last 0 moves are reviewed") && out.contains("resume with"), "{out}");
}

#[test]
fn an_interrupted_review_of_lost_games_shows_and_keeps_what_it_has() {
    let folder = folder("interrupted-losses");
    let [path, page] = ["match", "page.html"].map(|name| folder.join(name).to_str().expect("text").to_owned());
    let players = ["match", "connect-four:5x5", "random", "greedy", "--pairs", "500", "--budget", "playouts=1"];
    let more = ["--openings", "random:plies=4", "--quiet", "--out", &path];
    assert!(banyan(&[&players[..], &more].concat()).status().expect("the command runs").success());
    let args = ["match", "--resume", &path, "--export", &page, "--review", "playouts=20000"];
    let (code, out, shown) = interrupted(&args, "", "reviewing lost games: ");
    assert_eq!(code, Some(130), "{out}{shown}");
    assert!(shown.contains(&format!("--export {page} --review playouts=20000")), "{shown}");
    let n_kept = fs::read_to_string(folder.join("match/reviews.jsonl")).expect("reviews").lines().count();
    let written = fs::read_to_string(&page).expect("a page");
    assert!(written.contains(&format!("interrupted after {n_kept} of ")), "{n_kept}: {shown}");
    assert!(written.contains("<p>on the board, not reviewed: "), "{shown}");
}

#[test]
fn a_game_interrupted_while_a_player_thinks_says_how_to_go_on() {
    let (code, out, shown) = interrupted(&["play", "--budget", "2m"], "4\n", "O (○) is thinking");
    assert_eq!(code, Some(130), "{out}{shown}");
    assert!(shown.contains("--moves \"4\""), "{shown}");
}

#[test]
fn a_game_interrupted_while_a_person_is_asked_says_how_to_go_on() {
    let mut command = banyan(&["play", "--budget", "2m", "--moves", "4 4"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // Closing its input would end the game.
    let typing = child.stdin.take();
    read_until(child.stdout.as_mut().expect("a pipe"), "X (●)> ");
    press_ctrl_c(&child);
    let output = child.wait_with_output().expect("the command ends");
    drop(typing);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("banyan play connect-four --moves \"4 4\" --first human --second best"), "{errors}");
}

#[test]
fn an_interrupted_match_saves_and_says_how_to_go_on() {
    let path = unused("interrupted");
    let players = ["uct", "uct:c=0.5", "random", "--budget", "playouts=300", "--pairs", "1000000"];
    let args = [&["match", "connect-four:5x5", "--json", "--out", path.to_str().expect("text")], &players[..]].concat();
    let mut child = banyan(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("text").contains("\"game_end\"")), "it ended without a game");
    press_ctrl_c(&child);
    // Stdout is read to its end: closing it would end the match too.
    lines.for_each(drop);
    let output = child.wait_with_output().expect("the command ends");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains(&format!("banyan match --resume {}", path.display())), "{errors}");
    assert!(!games(&path).is_empty());
}

#[test]
fn an_interrupted_book_keeps_what_was_searched() {
    let file = unused("interrupted-book");
    let path = file.to_str().expect("text");
    let args = ["book", "make", "dots-and-boxes:4x4", "--out", path, "--player", "uct", "--budget", "playouts=2000"];
    for (n, sign) in [(2, "2 of 1000 positions"), (5, "5 of 1000 positions")] {
        let (code, out, shown) = interrupted(&args, "", sign);
        assert_eq!((code, out.as_str()), (Some(130), ""), "{shown}");
        assert!(shown.contains("interrupted after") && shown.contains("the same command continues"), "{shown}");
        let text = fs::read_to_string(&file).expect("a book");
        // The main line, and one that expands the start.
        assert!(text.ends_with('\n') && text.lines().count() >= n + 2, "{text}");
    }
    fs::remove_file(&file).expect("a book");
}

#[test]
fn the_command_that_resumes_a_match_works_when_it_is_pasted() {
    let home = folder("interrupted engines");
    let elsewhere = home.join("else where");
    fs::create_dir(&elsewhere).expect("a folder");
    let engines = format!("[twin]\ncommand = ['{}', 'ugi']\nprotocol = 'ugi'\n", env!("CARGO_BIN_EXE_banyan"));
    fs::write(elsewhere.join("mine.toml"), engines).expect("a file of engines");
    let args = ["match", "connect-four:4x4", "twin", "random", "--engines", "else where/mine.toml", "--pairs", "20"];
    let more =
        ["--budget", "playouts=10", "--openings", "random:plies=2", "--jobs", "1", "--json", "--out", "my match"];
    let exports = ["--export", "my result.csv", "--export", "page.html"];
    let mut command = banyan(&[&args[..], &more, &exports].concat());
    command.current_dir(&home).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("text").contains("\"game_end\"")), "it ended without a game");
    press_ctrl_c(&child);
    lines.for_each(drop);
    let output = child.wait_with_output().expect("the command ends");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    let hint = errors.lines().find_map(|line| line.strip_prefix("  banyan ")).expect("a hint");
    // These are also written by an interrupted match, and must be written again.
    let exported = ["my result.csv", "page.html"].map(|file| home.join(file));
    exported.iter().for_each(|file| fs::remove_file(file).expect("a file of results"));
    let pasted = format!("'{}' {hint} --quiet", env!("CARGO_BIN_EXE_banyan"));
    let resumed = Command::new("sh").args(["-c", &pasted]).current_dir(&home).output().expect("a shell");
    assert!(resumed.status.success(), "{pasted}: {}", text(&resumed.stderr));
    assert_eq!(games(&home.join("my match")).len(), 40);
    for file in exported {
        assert!(file.exists(), "{pasted} did not write {}", file.display());
    }
}

/// Engines that record their process and then never answer, whatever happens to their input.
#[cfg(target_os = "linux")]
const BUSY: &str = r#"
    [hangs]
    command = ["sh", "-c", "GREETexec sleep 98765 ;; esac; done"]
    protocol = "ugi"
    move = "1s"

    [ignores]
    command = ["sh", "-c", "trap '' HUP INT TERM; GREETexec sleep 98765 ;; esac; done"]
    protocol = "ugi"
    move = "1s"

    [spins]
    command = ["sh", "-c", "GREETwhile :; do :; done ;; esac; done"]
    protocol = "ugi"
    move = "1s"
"#;

/// Waits until there is something to read, or until the process ends, at most `seconds`.
#[cfg(target_os = "linux")]
fn comes(from: impl AsFd, seconds: i64) -> bool {
    let mut wanted = [PollFd::new(&from, PollFlags::IN)];
    poll(&mut wanted, Some(&Timespec { tv_sec: seconds, tv_nsec: 0 })).is_ok_and(|n| n > 0)
}

/// Reads at least `n` lines, each a process id; fewer if no more arrive. `None` for a process that has already ended.
#[cfg(target_os = "linux")]
fn processes(pipe: &mut File, n: usize, seconds: i64) -> Vec<Option<OwnedFd>> {
    let (mut read, mut bytes) = (String::new(), [0; 4096]);
    while (read.lines().count() < n || !read.ends_with('\n')) && comes(&*pipe, seconds) {
        let n_read = pipe.read(&mut bytes).expect("a pipe");
        read += &text(&bytes[..n_read]);
    }
    let ids = read.lines().map(|id| Pid::from_raw(id.parse().expect("a process")).expect("not 0"));
    ids.map(|id| pidfd_open(id, PidfdFlags::empty()).ok()).collect()
}

/// A new pipe at this path.
#[cfg(target_os = "linux")]
fn named_pipe(path: &Path) -> File {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a named pipe");
    // Opened for writing too, so that opening does not block.
    File::options().read(true).write(true).open(path).expect("the named pipe")
}

#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_a_match_that_is_ended_by_a_signal() {
    let folder = folder("signals");
    let greet = "while read -r word rest; do case $word in ugi) echo ugiok ;; isready) echo readyok ;; \
                 go) echo $$ >> $PIDS; ";
    fs::write(folder.join("engines.toml"), BUSY.replace("GREET", greet)).expect("a file of engines");
    for name in ["-TERM", "-HUP", "-KILL"] {
        for engine in ["hangs", "ignores", "spins"] {
            let pids = folder.join(format!("pids{name}-{engine}"));
            let out = format!("{engine}{name}");
            let mut pipe = named_pipe(&pids);
            let mut command = banyan(&["match", "connect-four:4x4", engine, "random", "--pairs", "9", "--jobs", "2"]);
            command.args(["--budget", "playouts=1", "--quiet", "--out", &out]).current_dir(&folder).env("PIDS", &pids);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command starts");
            let mut engines = processes(&mut pipe, 2, 20);
            assert!(engines.len() >= 2, "{engine} was never asked");
            signal(&child, name);
            if name != "-KILL" {
                let mut errors = String::new();
                child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
                let code = child.wait().expect("it ends").code();
                let (expected, ended) = code_of(name);
                assert_eq!(code, Some(expected), "{engine} {name}: {errors}");
                let resume = format!("ended by {ended}; resume with\n  banyan match --resume {out} --jobs 2");
                assert!(errors.contains(&resume), "{engine} {name}: {errors}");
                // The engines are gone, but no crash is recorded.
                assert!(games(&folder.join(&out)).is_empty());
            } else {
                child.wait().expect("it ends");
            }
            engines.extend(processes(&mut pipe, 0, 0));
            assert!(engines.iter().flatten().all(|process| comes(process, 20)), "{engine} {name} left a process");
        }
    }
}

/// Engines that start processes, one of them without its session and environment, and then stay silent: the command
/// waits for them while it checks its engines.
#[cfg(target_os = "linux")]
const SILENT: &str = r#"
    [silent]
    command = ["sh", "-c", "sleep 98765 & echo $! >> $PIDS; env -i setsid sleep 98765 & echo $! >> $PIDS; exec sleep 98765"]
    protocol = "ugi"
"#;

#[cfg(target_os = "linux")]
#[test]
fn no_process_of_an_engine_outlives_a_command_that_a_signal_ends_while_the_engine_starts() {
    let folder = folder("signals-at-start");
    fs::write(folder.join("engines.toml"), SILENT).expect("a file of engines");
    for (n, args) in [
        &["match", "connect-four:4x4", "silent", "random", "--pairs", "1"][..],
        &["play", "connect-four:4x4", "--first", "silent", "--second", "random"],
        &["analyse", "connect-four:4x4", "--player", "silent"],
        &["engines", "check", "silent", "--game", "connect-four:4x4"],
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["-TERM", "-INT"] {
            let pids = folder.join(format!("pids{n}{name}"));
            let mut pipe = named_pipe(&pids);
            let mut command = banyan(args);
            command.current_dir(&folder).env("PIDS", &pids).stdin(Stdio::null()).stdout(Stdio::null());
            let mut child = command.stderr(Stdio::null()).spawn().expect("the command starts");
            let started = processes(&mut pipe, 2, 20);
            assert!(started.len() >= 2, "{args:?}: its engine does not start");
            signal(&child, name);
            let expected = if name == "-TERM" { 143 } else { 130 };
            assert_eq!(child.wait().expect("it ends").code(), Some(expected), "{args:?} {name}");
            assert!(started.iter().flatten().all(|process| comes(process, 0)), "{args:?} {name} left a process");
        }
    }
}

#[test]
fn a_match_ignores_the_hangup_that_its_caller_ignores() {
    let path = unused("nohup");
    let args = ["match", "connect-four:5x5", "uct", "random", "--json", "--budget", "playouts=300", "--pairs", "100"];
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_banyan")]).args(args);
    command.arg("--out").arg(&path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("text").contains("\"game_end\"")), "it ended without a game");
    signal(&child, "-HUP");
    lines.for_each(drop);
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// `banyan ugi` as an engine that does not answer its $AT-th and later requests, but records its process.
#[cfg(target_os = "linux")]
const SLOW: &str = r#"
    [slow]
    command = ["sh", "-c", "while read -r line; do case $line in go*) n=$((n+1)); if [ $n = $AT ]; then echo $$ >> $PIDS; exec sleep 98765; fi ;; esac; echo \"$line\"; done | BANYAN ugi"]
    protocol = "ugi"
    move = "30s"
"#;

/// Commands that play in a folder against the slow engine.
#[cfg(target_os = "linux")]
const PLAYED: [&str; 5] = [
    "match connect-four:4x4 slow random --pairs 4",
    "sweep connect-four:4x4 uct --vary c=0.2,0.5,0.8 --against slow --pairs 4",
    "tune connect-four:4x4 uct --vary c=0.1..2 --against slow --pairs 24 --confirm 0",
    "rate connect-four:4x4 slow random greedy --pairs 9",
    "ladder slow --game connect-four:4x4 --pairs 1",
];

#[cfg(target_os = "linux")]
#[test]
fn what_is_played_in_a_folder_is_ended_at_once_and_resumed_to_the_same_games() {
    let folder = folder("ended");
    fs::write(folder.join("engines.toml"), SLOW.replace("BANYAN", env!("CARGO_BIN_EXE_banyan"))).expect("a file");
    for line in PLAYED {
        let command = line.split(' ').next().expect("a word");
        let run = |out: &str, at: &str, pids: &Path| {
            let mut args: Vec<&str> = line.split(' ').collect();
            args.extend(["--budget", "playouts=5", "--openings", "random:plies=2", "--jobs", "1", "--quiet"]);
            args.extend(["--out", out]);
            let mut run = banyan(&args);
            run.current_dir(&folder).env("AT", at).env("PIDS", pids).stdout(Stdio::null()).stderr(Stdio::piped());
            run
        };
        let whole = format!("{command}-whole");
        let output = run(&whole, "never", Path::new("/dev/null")).output().expect("it runs");
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        for name in ["-TERM", "-HUP"] {
            let out = format!("{command}{name}");
            let pids = folder.join(format!("pids-{out}"));
            let mut pipe = named_pipe(&pids);
            let mut child = run(&out, "8", &pids).spawn().expect("it starts");
            let engines = processes(&mut pipe, 1, 60);
            assert_eq!(engines.len(), 1, "{line}: the engine was never asked");
            signal(&child, name);
            let mut errors = String::new();
            child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
            let (code, ended) = code_of(name);
            assert_eq!(child.wait().expect("it ends").code(), Some(code), "{line} {name}: {errors}");
            let resume = format!("ended by {ended}; resume with\n  banyan {command} --resume {out} --jobs 1\n");
            assert!(errors.contains(&resume), "{line} {name}: {errors}");
            assert!(engines.iter().flatten().all(|process| comes(process, 0)), "{line} {name} left a process");
            let finished = games(&folder.join(&out));
            assert!(finished.values().all(|game| game["ending"] == "finished"), "{line} {name}: {finished:?}");
            let mut resumed = banyan(&[command, "--resume", &out, "--jobs", "1", "--quiet"]);
            resumed.current_dir(&folder).env("AT", "never").env("PIDS", "/dev/null");
            let output = resumed.output().expect("it runs");
            assert!(output.status.success(), "{line}: {}", text(&output.stderr));
            assert!(games(&folder.join(&out)) == games(&folder.join(&whole)), "{line} {name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_receives_the_signal_first_did_not_crash() {
    let folder = folder("signal-to-all");
    let greet = "while read -r word rest; do case $word in ugi) echo ugiok ;; isready) echo readyok ;; \
                 go) echo $$ >> $PIDS; ";
    fs::write(folder.join("engines.toml"), BUSY.replace("GREET", greet)).expect("a file of engines");
    let pids = folder.join("pids");
    let mut pipe = named_pipe(&pids);
    let mut command = banyan(&["match", "connect-four:4x4", "hangs", "random", "--pairs", "9", "--jobs", "1"]);
    command.args(["--budget", "playouts=1", "--quiet", "--out", "out"]).current_dir(&folder).env("PIDS", &pids);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    let mut read = [0; 64];
    assert!(comes(&pipe, 20), "the engine was never asked");
    let n = pipe.read(&mut read).expect("a pipe");
    let engine = text(&read[..n]);
    send_signal(engine.trim().parse().expect("its number"), Signal::TERM);
    send_signal(child.id(), Signal::TERM);
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    assert!(games(&folder.join("out")).is_empty());
}

#[test]
fn a_book_a_file_of_positions_and_a_training_are_ended_at_once_and_resumed() {
    let folder = folder("ended-files");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let easy = "OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X; E1:-30; G3:-40;";
    let hard = "---------------------------OX------XO--------------------------- X; D3:+0;";
    fs::write(path("positions.obf"), format!("{easy}\n{hard}\n")).expect("a file");
    // The first signal is sent after some work, the second at once.
    for (line, sign, file) in [
        (
            "book make dots-and-boxes:3x3 --player uct --budget playouts=100000 --positions 30 --plies 3 --out OUT",
            "2 of 30 positions",
            "",
        ),
        ("train dots-and-boxes:3x3 --games 2000 --epochs 1 --out OUT", " of 2000 games", "games.txt"),
    ] {
        let [whole, ended] =
            ["whole", "ended"].map(|name| line.replace("OUT", &path(&format!("{}-{name}", &line[..4]))));
        let args = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let run = |line: &str| {
            let args = args(line);
            crate::output(&args.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let output = run(&whole);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        for (name, sign) in [("-TERM", sign), ("-HUP", " of ")] {
            let args = args(&ended);
            let (code, out, shown) = signalled(&args.iter().map(String::as_str).collect::<Vec<_>>(), "", sign, name);
            let (expected, by) = code_of(name);
            assert_eq!((code, out.as_str()), (Some(expected), ""), "{line}: {shown}");
            assert!(shown.contains(&format!("ended by {by}; the same command resumes")), "{line}: {shown}");
        }
        assert!(run(&ended).status.success(), "{line}");
        let read = |line: &str| {
            let out = line.split(' ').next_back().expect("a path");
            fs::read_to_string(if file.is_empty() { out.into() } else { Path::new(out).join(file) }).expect("a file")
        };
        assert!(read(&ended) == read(&whole), "{line}");
    }
    let [file, out] = ["positions.obf", "out.obf"].map(path);
    let solve = ["solve", "reversi", "--budget", "2m", "--file", &file, "--out", &out];
    for name in ["-TERM", "-HUP"] {
        let (code, _, shown) = signalled(&solve, "", "line 2: ", name);
        let (expected, by) = code_of(name);
        assert_eq!(code, Some(expected), "{shown}");
        assert!(shown.contains(&format!("ended by {by}; the same command resumes")), "{shown}");
        assert_eq!(unchecked(&fs::read_to_string(&out).expect("written")), format!("{easy}\n"));
    }
}

/// Temporary are the folder of the warm-up games of a sweep, and the file to which openings are written.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_temporary_file() {
    let folder = folder("ended-temporary");
    let temporary = folder.join("temporary");
    fs::create_dir(&temporary).expect("a folder");
    let names = |folder: &Path| {
        let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    fs::write(folder.join("engines.toml"), SLOW.replace("BANYAN", env!("CARGO_BIN_EXE_banyan"))).expect("a file");
    for name in ["-TERM", "-HUP", "-INT"] {
        let pids = folder.join(format!("pids{name}"));
        let mut pipe = named_pipe(&pids);
        let line = "sweep connect-four:4x4 uct --vary c=0.2,0.5,0.8 --against slow --pairs 4 --jobs 1 --budget playouts=5 --out out";
        let mut command = banyan(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder).env("AT", "1").env("PIDS", &pids).env("TMPDIR", &temporary);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let engines = processes(&mut pipe, 1, 60);
        assert_eq!((engines.len(), names(&temporary).len()), (1, 1));
        signal(&child, name);
        child.wait().expect("it ends");
        assert_eq!(names(&temporary), Vec::<String>::new(), "{name}");
        assert!(engines.iter().flatten().all(|process| comes(process, 0)), "{name} left a process");
    }
    let openings = temporary.join("openings.txt");
    let args = ["openings", "make", "connect-four", "--count", "1000000", "--out", openings.to_str().expect("text")];
    for name in ["-TERM", "-HUP"] {
        let (code, _, shown) = signalled(&args, "", " of 1000000 openings", name);
        assert_eq!(code, Some(code_of(name).0), "{shown}");
        assert!(shown.contains("nothing is written; the same command begins again"), "{shown}");
        assert_eq!(names(&temporary), Vec::<String>::new(), "{name}");
    }
}

/// Waits until the command reads this named pipe, which is empty.
#[cfg(target_os = "linux")]
fn is_read(path: &Path, by: &mut Child) -> OwnedFd {
    loop {
        assert!(by.try_wait().expect("a child").is_none(), "it ended without reading");
        // A pipe without a reader cannot be opened in this way.
        match rustix::fs::open(path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
            Ok(end) => return end,
            Err(_) => std::thread::yield_now(),
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_command_that_waits_for_a_named_pipe() {
    let folder = folder("waits-for-a-pipe");
    let pipe = folder.join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a named pipe");
    for line in [
        "match connect-four:4x4 uct random --openings file:pipe --out out",
        "match connect-four:4x4 uct random --engines pipe --out out",
        "solve reversi --file pipe",
        "show connect-four --record pipe",
        "openings check pipe connect-four",
        "train reversi --measure pipe --out out",
    ] {
        for (name, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
            let mut command = banyan(&line.split(' ').collect::<Vec<_>>());
            command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("the command starts");
            let end = is_read(&pipe, &mut child);
            signal(&child, name);
            assert_eq!(child.wait().expect("it ends").code(), Some(code), "{line} {name}");
            drop(end);
        }
    }
}

#[test]
fn a_command_that_waits_for_input_or_for_clients_is_ended_at_once() {
    for (args, sign, resume) in [
        (&["play", "--budget", "2m", "--moves", "4 4"][..], "X (●)> ", "resume with\n  banyan play connect-four"),
        (&["serve", "--port", "0"], "http", ""),
    ] {
        for name in ["-TERM", "-HUP"] {
            let mut command = banyan(args);
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
            let typing = child.stdin.take();
            read_until(child.stdout.as_mut().expect("a pipe"), sign);
            signal(&child, name);
            let output = child.wait_with_output().expect("it ends");
            drop(typing);
            let (code, ended) = code_of(name);
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
            assert!(errors.contains(&format!("ended by {ended}")) && errors.contains(resume), "{args:?}: {errors}");
        }
    }
}

/// The output is not read: neither stdout nor stderr.
#[test]
fn a_signal_ends_a_command_whose_output_blocks() {
    let path = unused("blocked-output");
    let args =
        ["match", "connect-four:4x4", "greedy", "random", "--json", "--budget", "playouts=1", "--pairs", "100000"];
    let mut command = banyan(&args);
    command.arg("--out").arg(&path).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the command starts");
    let size = || fs::metadata(path.join("games.jsonl")).map_or(0, |file| file.len());
    // About the capacity of a pipe.
    crate::kill::observer(&mut child, || size() > 50_000);
    signal(&child, "-TERM");
    let mut out = child.stdout.take().expect("a pipe");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    // The pipe was open until then.
    assert!(out.read(&mut [0]).is_ok());
}
