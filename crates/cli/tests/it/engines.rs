//! Banyan against itself in separate processes, and the messages of the command about faulty engines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use banyan_testkit::rounds;

use crate::{output_in, text};

/// A folder with this `engines.toml`, in which `BANYAN` stands for the command.
pub fn folder(name: &str, engines: &str) -> PathBuf {
    let path = crate::folder(name);
    let engines = engines.replace("BANYAN", &env!("CARGO_BIN_EXE_banyan").replace('\\', "\\\\"));
    fs::write(path.join("engines.toml"), engines).expect("a file of engines");
    path
}

/// The last line on stderr and the exit code.
fn refusal(output: &Output) -> (String, Option<i32>) {
    (text(&output.stderr).lines().last().unwrap_or_default().to_owned(), output.status.code())
}

/// The moves of every game of a match, and its ending.
fn games(folder: &Path, line: &str) -> Vec<(String, String)> {
    let output = output_in(folder, line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let games = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let games = games.filter(|event| event["event"] == "game_end");
    let mut games: Vec<_> = games
        .map(|game| (format!("{}.{}", game["pair"], game["game"]), format!("{} {}", game["moves"], game["ending"])))
        .collect();
    games.sort();
    games
}

const ENGINES: &str = r#"
    [twin]
    command = ["BANYAN", "ugi"]
    protocol = "ugi"
    options = { Player = "uct:c=0.5,expand-at=2" }

    [gone]
    command = "./gone"
    protocol = "ugi"

    [wrong]
    command = ["BANYAN", "games"]
    protocol = "ugi"

    [letters]
    command = ["BANYAN", "sau"]
    protocol = "sau"
"#;

#[test]
fn over_a_pipe_the_same_games_are_played_as_within_the_program() {
    let folder = folder("engines-twin", ENGINES);
    for game in ["connect-four:5x6", "reversi:6x6", "dots-and-boxes:2x2"] {
        let play = |player: &str, out: &str| {
            let out = format!("{out}-{}", game.replace(':', "-"));
            let line = format!("match {game} {player} random --pairs 3 --budget playouts=150 --json --out {out}");
            games(&folder, &line)
        };
        let (within, over) = (play("uct:c=0.5,expand-at=2", "within"), play("twin", "over"));
        assert_eq!(within.len(), 6);
        assert_eq!(within, over);
        assert!(over.iter().all(|(_, game)| game.ends_with("\"finished\"")), "{over:?}");
    }
}

/// Engines that record every start, and play as UGI engines.
#[cfg(unix)]
const NOTED: &str = r#"
    [one]
    command = ["sh", "-c", "echo one >> starts; exec 'BANYAN' ugi"]
    protocol = "ugi"
    options = { Player = "uct" }

    [two]
    command = ["sh", "-c", "echo two >> starts; exec 'BANYAN' ugi"]
    protocol = "ugi"
    options = { Player = "uct:c=0.5" }
"#;

#[cfg(unix)]
#[test]
fn an_engine_starts_once_per_worker() {
    let folder = folder("engines-started", NOTED);
    let pairs = rounds(30, 100);
    let play = |jobs: usize| {
        let _ = fs::remove_file(folder.join("starts"));
        let line = format!("match connect-four:4x4 one two --pairs {pairs} --budget playouts=3 --jobs {jobs} --json");
        let games = games(&folder, &format!("{line} --out jobs-{jobs}"));
        let starts = fs::read_to_string(folder.join("starts")).expect("the starts");
        for name in ["one", "two"] {
            let n = starts.lines().filter(|line| *line == name).count();
            assert!((1..=jobs).contains(&n), "{name} started {n} times with {jobs} jobs");
        }
        games
    };
    let games = play(1);
    assert_eq!(games.len(), 2 * pairs);
    assert!(games.iter().all(|(_, game)| game.ends_with("\"finished\"")), "{games:?}");
    assert_eq!(play(2), games);
}

#[test]
fn a_match_is_resumed_with_the_same_engines_only() {
    let folder = folder("engines-resume", ENGINES);
    let begun = output_in(&folder, "match connect-four:4x5 twin random --pairs 1 --budget playouts=20 --out m --quiet");
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    // Without a time budget no clock affects the engine.
    let line = "match connect-four:4x5 twin@playouts=20 random@10ms --pairs 1 --clock cpu --out cpu --quiet";
    let output = output_in(&folder, line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let toml = fs::read_to_string(folder.join("m/match.toml")).expect("match.toml");
    assert!(toml.contains("player = \"twin\""), "{toml}");
    let resumed = output_in(&folder, "match --resume m --pairs 2 --quiet");
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let toml = fs::read_to_string(folder.join("engines.toml")).expect("our own file");
    fs::write(folder.join("engines.toml"), toml.replace("c=0.5", "c=0.6")).expect("a file of engines");
    let (line, code) = refusal(&output_in(&folder, "match --resume m --pairs 3 --quiet"));
    assert_eq!(code, Some(2));
    assert!(line.starts_with("error: a different engine twin: ") && line.contains("c=0.6"), "{line}");
    fs::write(folder.join("engines.toml"), "").expect("an empty file");
    let (line, code) = refusal(&output_in(&folder, "match --resume m --pairs 3 --quiet"));
    assert_eq!(code, Some(2));
    assert!(line.starts_with("error: unknown player \"twin\""), "{line}");
}

#[test]
fn engine_errors_are_reported_before_the_first_game() {
    let folder = folder("engines-wrong", ENGINES);
    for (line, parts) in [
        ("match connect-four gone uct", &["engine gone: ", "file not found", "fix `command`"][..]),
        ("match connect-four wrong uct", &["engine wrong: crashed: exited with code 0", "engines check wrong"]),
        ("match dots-and-boxes letters uct", &["engine letters: ", "sau does not support openings", "--openings none"]),
        ("match dots-and-boxes:2-3x2 letters uct", &["engine letters: ", "sau does not support openings"]),
        (
            "match connect-four twin@10ms uct --clock cpu",
            &["clock=cpu with a budget of time for the engine twin", "remove --clock"],
        ),
        ("match connect-four twni uct", &["unknown player \"twni\"", "did you mean twin?"]),
        ("match connect-four twin:c=1 uct", &["expected no settings for twin", "engines.toml"]),
        ("analyse connect-four --player gone", &["engine gone: ", "file not found"]),
        ("play connect-four --first gone --second uct", &["engine gone: ", "file not found"]),
        ("engines check twni", &["unknown engine \"twni\"", "did you mean twin?"]),
        ("engines check gone", &["engine gone: ", "file not found"]),
    ] {
        let output = output_in(&folder, line);
        let (error, code) = refusal(&output);
        assert_eq!(code, Some(2), "{line}: {error}");
        assert!(error.starts_with("error: ") && text(&output.stderr).lines().count() == 1, "{}", text(&output.stderr));
        for part in parts {
            assert!(error.contains(part), "{line}: {part} in {error}");
        }
        assert!(!folder.join("banyan-matches").exists(), "{line} has started a match");
    }
    fs::write(folder.join("engines.toml"), "[uct]\ncommand = 'x'\nprotocol = 'ugi'").expect("a file");
    let (line, code) = refusal(&output_in(&folder, "match connect-four uct random"));
    assert!(code == Some(2) && line.contains("is the name of a built-in player"), "{line}");
}

#[test]
fn a_wrong_entry_disturbs_only_those_who_use_it() {
    let engines = format!("{ENGINES}\n[slip]\ncomand = \"x\"\n\n[uct]\ncommand = \"x\"\nprotocol = \"ugi\"\n");
    let folder = folder("engines-entry", &engines);
    let play = |players: &str| {
        let line = format!("match connect-four:4x4 {players} --pairs 1 --budget playouts=5 --quiet --out m-{players}");
        output_in(&folder, &line.replace("m-twin random", "with").replace("m-mcgs random", "without"))
    };
    for players in ["twin random", "mcgs random"] {
        let output = play(players);
        assert!(output.status.success(), "{players}: {}", text(&output.stderr));
    }
    for (name, part) in
        [("slip", "engine slip: unknown key \"comand\""), ("uct", "is the name of a built-in player; rename it")]
    {
        let (error, code) = refusal(&play(&format!("{name} random")));
        assert!(code == Some(2) && error.contains(part), "{error}");
    }
    let (error, code) = refusal(&output_in(&folder, "engines check slip"));
    assert!(code == Some(2) && error.contains("engines.toml: engine slip: unknown key"), "{error}");
    let list = text(&output_in(&folder, "engines list").stdout);
    assert!(list.contains("twin") && list.contains("unknown key"), "{list}");
    // An invalid TOML file is an error only for commands that name an engine.
    fs::write(folder.join("engines.toml"), "x == 1\n").expect("a file");
    let output = output_in(&folder, "match connect-four:4x4 mcgs random --pairs 1 --budget playouts=5 --quiet --out n");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (error, code) = refusal(&output_in(&folder, "match connect-four:4x4 twin random"));
    assert!(code == Some(2) && error.contains("unknown player \"twin\"") && error.contains("line 1"), "{error}");
}

#[test]
fn options_that_an_engine_does_not_have_are_refused_before_the_first_game() {
    for (options, part) in [
        ("Sede = 1", "engine twin: option Sede: expected one of \"Game, Player, Seed, "),
        ("Sede = 1", "(did you mean Seed?); correct or remove it in engines.toml"),
        ("Threads = 1000", "engine twin: option Threads = \"1000\": expected a whole number from 1 to 64"),
        ("MultiPV = 'all'", "option MultiPV = \"all\": expected a whole number"),
    ] {
        let folder = folder("engines-options", &ENGINES.replace("Player = \"uct:c=0.5,expand-at=2\"", options));
        let (error, code) = refusal(&output_in(&folder, "match connect-four twin uct --pairs 1"));
        assert!(code == Some(2) && error.contains(part), "{error}");
        let check = output_in(&folder, "engines check twin");
        let steps = text(&check.stdout);
        assert_eq!(check.status.code(), Some(1), "{steps}");
        assert!(steps.starts_with("FAILED  starts and speaks ugi: option "), "{steps}");
    }
}

#[test]
fn engines_are_checked_step_by_step() {
    let folder = folder("engines-check", ENGINES);
    let output = output_in(&folder, "engines check twin --game reversi:6x6");
    let steps = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{steps}{}", text(&output.stderr));
    assert!(steps.lines().count() == 7 && steps.lines().all(|line| line.starts_with("ok ")), "{steps}");
    let output = output_in(&folder, "engines check wrong");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("FAILED  starts and speaks ugi: crashed: exited with code 0"));
    let output = output_in(&folder, "engines check twin --game connect-four:4x4 --log check.txt");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = fs::read_to_string(folder.join("check.txt")).expect("a log");
    assert!(
        log.contains(" twin > ugi\n") && log.contains(" twin < ugiok\n") && log.contains(" twin > quit\n"),
        "{log}"
    );
    let list = text(&output_in(&folder, "engines list").stdout);
    assert!(list.contains("file not found") && list.lines().count() >= 4, "{list}");
}

#[test]
fn a_check_shows_each_step_and_its_limit() {
    let folder = folder("engines-steps", ENGINES);
    let shown = text(&output_in(&folder, "engines check twin --game connect-four:4x4").stderr);
    let begun: Vec<&str> = shown.lines().collect();
    assert_eq!(begun.len(), 7, "{shown}");
    assert_eq!(begun[0], "...     starts and speaks ugi (at most 10s)");
    assert!(begun.iter().all(|line| line.starts_with("...  ") && line.contains("(at most ")), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_ends_with_the_first_result_that_cannot_be_written() {
    let folder = folder("engines-check-full", ENGINES);
    let mut command = crate::banyan(&["engines", "check", "twin", "--game", "connect-four:4x4"]);
    let full = fs::File::options().write(true).open("/dev/full").expect("the system has it");
    let output = command.current_dir(&folder).stdout(full).output().expect("it runs");
    let shown = text(&output.stderr);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(matches!(lines[..], [begun, error] if begun.starts_with("...") && error.starts_with("error: ")), "{shown}");
}

#[test]
fn a_library_that_does_not_exist_is_not_found() {
    let folder = folder("engines-library", "[course]\nlibrary = \"lib/gone.so\"\n");
    for line in ["engines check course", "match connect-four course uct"] {
        let (error, code) = refusal(&output_in(&folder, line));
        assert_eq!(code, Some(2), "{error}");
        assert!(error.starts_with("error: engine course: ") && error.contains("gone.so: file not found"), "{error}");
        assert!(!error.contains("crashed") && error.matches("; ").count() == 1, "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_list_of_engines_has_one_line_for_each() {
    let script = "[script]\ncommand = [\"sh\", \"-c\", \"\"\"\nwhile read -r word; do\n\techo ugiok\ndone\"\"\"]\nprotocol = \"ugi\"\n";
    let folder = folder("engines-list", script);
    let list = text(&output_in(&folder, "engines list").stdout);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("while read -r word; do\\n\\techo ugiok\\ndone"), "{list}");
}

#[cfg(unix)]
#[test]
fn a_match_that_lateness_decides_says_so_even_if_quiet() {
    let silent = r#"
        [silent]
        command = ["sh", "-c", "while read -r word rest; do case $word in ugi) echo ugiok ;; isready) echo readyok ;; esac; done"]
        protocol = "ugi"
    "#;
    let folder = folder("engines-late", silent);
    for output in ["--quiet", "--json"] {
        let line = format!("match connect-four:4x4 silent random --pairs 2 --budget 10ms {output} --out late{output}");
        let told = text(&output_in(&folder, &line).stderr);
        assert!(told.contains("warning: LATENESS DECIDED 4 of 4 games"), "{told}");
    }
}

/// Engines that start a process in a separate session without their environment, and then exit or are killed.
#[cfg(target_os = "linux")]
const HIDING: &str = r#"
    [exits]
    command = ["sh", "-c", "env -i setsid sleep 98765 & echo $! >> strays; exec 'BANYAN' ugi"]
    protocol = "ugi"
    options = { Player = "uct" }

    [crashes]
    command = ["sh", "-c", "env -i setsid sleep 98765 & echo $! >> strays; GREET go) exit 3 ;; esac; done"]
    protocol = "ugi"

    [hangs]
    command = ["sh", "-c", "env -i setsid sleep 98765 & echo $! >> strays; GREET go) exec sleep 98765 ;; esac; done"]
    protocol = "ugi"
    move = "300ms"
"#;

#[cfg(target_os = "linux")]
#[test]
fn processes_that_hide_from_their_engine_do_not_outlive_the_match() {
    let greet = "while read -r word rest; do case $word in ugi) echo ugiok ;; isready) echo readyok ;;";
    let folder = folder("engines-hiding", &HIDING.replace("GREET", greet));
    for engine in ["exits", "crashes", "hangs"] {
        let _ = fs::remove_file(folder.join("strays"));
        let line =
            format!("match connect-four:4x4 {engine} random --pairs 2 --jobs 2 --budget playouts=3 --out {engine}");
        let output = output_in(&folder, &line);
        assert!(output.status.success(), "{engine}: {}", text(&output.stderr));
        let strays = fs::read_to_string(folder.join("strays")).expect("the processes");
        assert!(!strays.is_empty());
        for stray in strays.lines() {
            let stat = fs::read_to_string(format!("/proc/{stray}/stat")).unwrap_or_default();
            assert!(stat.is_empty() || stat.contains(") Z "), "{engine} left {stat}");
        }
    }
}

/// An engine that exits at its first move.
#[cfg(unix)]
const QUITS: &str = r#"
    [quits]
    command = ["sh", "-c", "GREET go) echo out of luck >&2; exit 3 ;; esac; done"]
    protocol = "ugi"
"#;

/// The log of each game, by the name of its file.
#[cfg(unix)]
fn logs(folder: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(folder).expect("a folder of logs").map(|entry| entry.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut logs: Vec<_> = files.map(|path| (name(&path), fs::read_to_string(&path).expect("text"))).collect();
    logs.sort();
    logs
}

#[cfg(unix)]
#[test]
fn what_engines_are_sent_and_answer_is_kept() {
    let greet = "while read -r word rest; do case $word in ugi) echo ugiok ;; isready) echo readyok ;;";
    let folder = folder("engines-log", &(ENGINES.to_owned() + &QUITS.replace("GREET", greet)));
    let play = |players: &str, options: &str| {
        let line = format!("match connect-four:4x4 {players} --pairs 1 --jobs 1 --budget playouts=5 --quiet {options}");
        let output = output_in(&folder, &line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    play("twin quits", "--out all --log logs/all");
    let all = logs(&folder.join("logs/all"));
    assert_eq!(all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["0.0.txt", "0.1.txt"]);
    for (name, log) in &all {
        for part in [
            "# connect-four:4x4, game 0.",
            "# fault of quits: crashed: exited with code 3",
            " twin > uginewgame",
            " quits > go nodes 5",
            " quits ! out of luck",
        ] {
            assert!(log.contains(part), "{name}: {part} in {log}");
        }
        let times = log.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().next());
        assert!(times.flatten().all(|time| time.parse::<f64>().is_ok()), "{log}");
    }
    assert!(all.iter().any(|(_, log)| log.contains(" twin > go playouts 5") && log.contains(" twin < bestmove ")));
    play("twin random", "--out sound --log-faults logs/sound");
    assert_eq!(logs(&folder.join("logs/sound")), []);
    play("quits random", "--out faulty --log-faults logs/faulty");
    assert_eq!(logs(&folder.join("logs/faulty")).len(), 2);
    // A file that cannot be written does not end the match, and is reported once.
    let blocked = folder.join("logs/blocked");
    fs::create_dir_all(blocked.join("0.1.txt")).expect("a folder where the file should be");
    #[cfg(target_os = "linux")]
    std::os::unix::fs::symlink("/dev/full", blocked.join("0.0.txt")).expect("a full disk where the file should be");
    let warnings = play("twin random", "--out blocked --log logs/blocked");
    assert_eq!(warnings.matches("warning: cannot write ").count(), 1, "{warnings}");
    let warnings = play("mcgs random", "--out none --log logs/none");
    assert!(warnings.contains("no player is an external engine"), "{warnings}");
    fs::write(folder.join("file"), "").expect("a file");
    let line = "match connect-four:4x4 twin random --pairs 1 --budget playouts=5 --out never --log file";
    let (error, code) = refusal(&output_in(&folder, line));
    assert!(code == Some(2) && error.starts_with("error: log folder file: expected a folder"), "{error}");
    assert!(!folder.join("never").exists());
}

#[test]
fn an_engine_analyses() {
    let folder = folder("engines-analyse", ENGINES);
    let output = output_in(&folder, "analyse connect-four:4x5 --player twin --budget playouts=100 --json");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let analysis: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    assert_eq!(analysis["playouts"], 100);
    assert_eq!(analysis["pv"][0], analysis["best"]);
}
