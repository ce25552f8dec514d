//! Interfaces that other programs rely on: streams, exit codes, JSON, and the absence of panics.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use crate::{banyan, games, output, refusal, text, unchecked, unused};

fn stdout(args: &[&str]) -> String {
    let output = output(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn an_analysis_is_one_line_of_json_and_says_the_same_again() {
    let position = ["analyse", "connect-four:10x11,hole=d3", "--moves", "5 6 5", "--player", "mcgs:expand=one"];
    let args = [&position[..], &["--budget", "playouts=5000", "--json"]].concat();
    let read = || {
        let text = stdout(&args);
        assert_eq!(text.lines().count(), 1);
        let mut analysis: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for time in ["elapsed_ms", "cpu_ms"] {
            assert!(analysis[time].take().as_f64().expect(time) >= 0.0);
        }
        analysis
    };
    let analysis = read();
    assert_eq!((&analysis["v"], &analysis["playouts"]), (&1.into(), &5000.into()));
    assert_eq!(analysis["to_move"], "second");
    assert_eq!(analysis["pv"][0], analysis["best"]);
    let moves = analysis["moves"].as_array().expect("a list");
    assert_eq!(moves[0]["move"], analysis["best"]);
    let visits: u64 = moves.iter().map(|stat| stat["visits"].as_u64().expect("a number")).sum();
    assert!((4990..=5000).contains(&visits), "{visits} visits of 5000");
    assert_eq!(read(), analysis);
}

#[test]
fn a_solution_is_one_line_of_json_and_all_its_best_moves_reach_the_value() {
    let text = stdout(&["solve", "dots-and-boxes:2x2", "--moves", "h0,0 v0,0", "--json"]);
    assert_eq!(text.lines().count(), 1);
    let solved: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&solved["v"], &solved["game"], &solved["to_move"]),
        (&2.into(), &"dots-and-boxes:2x2".into(), &"first".into())
    );
    assert_eq!((&solved["lower"], &solved["upper"]), (&solved["margin"], &solved["margin"]));
    assert!(["nodes", "elapsed_ms", "memory_bytes"].iter().all(|figure| solved[figure].is_number()), "{text}");
    let moves = solved["moves"].as_array().expect("a list");
    let reaching = moves.iter().filter(|mv| mv["margin"] == solved["margin"]).map(|mv| &mv["move"]);
    assert_eq!(
        (moves.len(), reaching.collect::<Vec<_>>()),
        (10, solved["best"].as_array().expect("a list").iter().collect())
    );
}

#[test]
fn what_is_too_large_to_solve_is_bounded_and_never_guessed() {
    let output = output(&["solve", "reversi", "--budget", "200ms", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let solved: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(solved["margin"].is_null() && solved["best"].as_array().is_some_and(Vec::is_empty), "{solved}");
    assert!(solved["lower"].as_i64() <= Some(0) && solved["upper"].as_i64() >= Some(0), "{solved}");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(stderr.starts_with("not solved within 200ms: ") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn a_time_budget_is_kept() {
    let started = std::time::Instant::now();
    let text = stdout(&["analyse", "reversi", "--budget", "200ms", "--json"]);
    let analysis: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let elapsed = analysis["elapsed_ms"].as_f64().expect("a number");
    assert!((150.0..10_000.0).contains(&elapsed), "{elapsed} ms");
    // A generous limit, for busy machines.
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn nothing_but_json_goes_to_stdout_and_no_progress_off_a_terminal() {
    let output = output(&["analyse", "dots-and-boxes:2x2", "--budget", "150ms", "--json"]);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(output.stdout.starts_with(b"{\"v\":1,") && output.stdout.ends_with(b"}\n"));
}

#[test]
fn colour_is_left_out_off_a_terminal_and_when_nobody_wants_it() {
    let args = ["show", "connect-four", "--moves", "4"];
    let is_coloured = |output: &Output| output.stdout.contains(&0x1b);
    assert!(!is_coloured(&output(&args)));
    let always: Vec<&str> = args.iter().copied().chain(["--color", "always"]).collect();
    assert!(is_coloured(&output(&always)));
    let forced = banyan(&args).env("CLICOLOR_FORCE", "1").output().expect("the command runs");
    assert!(is_coloured(&forced));
    let refused = banyan(&args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().expect("the command runs");
    assert!(!is_coloured(&refused));
}

#[test]
fn plain_boards_hold_only_ascii() {
    for game in ["connect-four:6x7,hole=c2", "reversi", "dots-and-boxes"] {
        assert!(stdout(&["show", game, "--ascii"]).is_ascii(), "{game}");
    }
}

#[test]
fn errors_are_one_line_on_stderr_and_exit_with_2() {
    for args in [
        &["show", "chess"][..],
        &["show", "connect-four:99x99"],
        &["show", "connect-four:6x7,hole=h1"],
        &["show", "connect-four", "--moves", "0"],
        &["show", "reversi", "--position", ""],
        &["analyse", "connect-four", "--budget", "depth=3"],
        &["show", "connect-four", "--svg", "/"],
        &["solve", "connect-four", "--budget", "playouts=10"],
        &["solve", "connect-four", "--table", "0"],
        &["solve", "connect-four:99x99"],
    ] {
        refusal(&output(args));
    }
}

/// Botzone allows one second, including the start of the program.
#[test]
fn what_a_move_costs_is_said_by_each_protocol() {
    for (command, cost) in [("gtp", "[default: 1s]"), ("botzone", "[default: 900ms]")] {
        let help = stdout(&[command, "--help"]);
        assert!(help.contains(cost), "{help}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = banyan(&["perft", "reversi", "--depth", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

/// Runs the command, reads one line of its output, and closes it; returns its exit code and its stderr.
fn read_once(args: &[&str]) -> (Option<i32>, String) {
    let mut child = banyan(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut line = String::new();
    BufReader::with_capacity(1, child.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
    assert!(line.ends_with('\n'), "{args:?} printed no line");
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn a_reader_that_leaves_does_not_end_the_work() {
    let path = unused("left-match");
    let args = ["match", "connect-four:5x5", "uct", "random", "--budget", "playouts=50", "--pairs", "60", "--json"];
    let (code, errors) = read_once(&[&args[..], &["--out", path.to_str().expect("text")]].concat());
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(games(&path).len(), 120);
    let easy = "OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X; E1:-30; G3:-40;\n";
    let [file, out] = ["left.obf", "left-out.obf"].map(|name| unused(name).to_str().expect("text").to_owned());
    fs::write(&file, easy.repeat(200)).expect("a file");
    let (code, errors) = read_once(&["solve", "reversi", "--file", &file, "--out", &out]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(unchecked(&fs::read_to_string(&out).expect("a file")), easy.repeat(200));
    // Without an output file its exit code is the answer, which is not known yet.
    let (code, errors) = read_once(&["solve", "reversi", "--file", &file]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("its reader has left before the end"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_do_not_end_the_work() {
    let path = unused("no-messages");
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let args =
        ["match", "connect-four:4x4", "uct", "random", "--budget", "playouts=5", "--pairs", "3", "--jobs", "999"];
    let mut command = banyan(&args);
    let status = command.arg("--out").arg(&path).stdout(Stdio::null()).stderr(Stdio::from(full)).status();
    assert_eq!(status.expect("the command runs").code(), Some(0));
    assert_eq!(games(&path).len(), 6);
}

#[test]
fn completions_and_manual_page_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("_banyan_complete") && script.contains("complete "), "{shell}: {script}");
        assert!(!script.contains("PROGRAM") && !script.contains("FUNCTION"), "{shell}: {script}");
    }
    for shell in ["elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("analyse") && script.contains("solve") && script.contains("budget"), "{shell}");
    }
    let page = stdout(&["man"]);
    assert!(page.contains(".TH banyan 1") && page.contains("perft"), "{page}");
}

/// Candidates of the script in bash for a line with the cursor at its end, one candidate a line.
#[cfg(unix)]
fn completed_by_bash(line: &str) -> String {
    let program = env!("CARGO_BIN_EXE_banyan");
    let ask = format!(
        "source <('{program}' completions bash); COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:'; COMP_LINE='{line}'; \
         COMP_POINT=${{#COMP_LINE}}; _banyan_complete banyan; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let folder = std::path::Path::new(program).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let asked = std::process::Command::new("bash").args(["-c", &ask]).env("PATH", path).output().expect("bash runs");
    assert_eq!(text(&asked.stderr), "", "{line}");
    text(&asked.stdout)
}

#[cfg(unix)]
#[test]
fn bash_completes_games_players_and_settings() {
    for (line, expected) in [
        ("banyan sol", "solve\n"),
        ("banyan analyse connect", "connect-four\n"),
        // Of a word with signs at which bash breaks words, only what follows the last one is replaced.
        ("banyan analyse reversi:10", "10x10\n"),
        ("banyan analyse reversi --player pvs:depth-", "depth-schedule=\n"),
        ("banyan analyse reversi --player pvs:eval=h", "hash\n"),
        ("banyan analyse reversi --player=pv", "pvs\n"),
        ("cd x; FOO=1 banyan perft dots", "dots-and-boxes\n"),
        ("banyan analyse reversi --moves \"f5 d6\" --lin", "--lines\n"),
        ("banyan analyse reversi --seed ", "\n"),
    ] {
        assert_eq!(completed_by_bash(line), expected, "{line}");
    }
}

#[test]
fn a_picture_is_written_to_a_file() {
    let path = unused("board.svg");
    let shown = stdout(&["show", "reversi", "--moves", "f5", "--svg", path.to_str().expect("text")]);
    assert!(shown.contains("white"));
    let picture = fs::read_to_string(path).expect("a picture");
    // Black has turned one of white's two discs: four black ones, one white.
    assert_eq!(picture.matches("class=\"first\"").count(), 4);
    assert_eq!(picture.matches("class=\"second\"").count(), 1);
}

#[test]
fn the_signature_is_the_one_in_the_repository() {
    let output = output(&["bench", "--check"]);
    let (found, why) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{found}{why}");
    assert!(found.starts_with("signature "));
}

#[test]
fn speeds_of_threads_are_one_object_a_row_and_agree_with_each_other() {
    let args = ["bench", "connect-four", "--threads", "2", "--playouts", "2000", "--runs", "1", "--pad", "5", "--json"];
    let text = stdout(&args);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(rows.len() > 3, "{text}");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect(name);
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} and {b} in {text}");
    for (i, row) in rows.iter().enumerate() {
        let threads = if i == 0 { 1.0 } else { 2.0 };
        assert_eq!((number(row, "threads"), row["parallel"].is_null()), (threads, i == 0), "{row}");
        for (name, expected) in [("v", 1), ("pad_us", 5), ("runs", 1), ("simulations", 2000), ("settled", 0)] {
            assert_eq!(row[name], expected, "{name} of {row}");
        }
        near(number(row, "speedup"), number(row, "rate") / number(&rows[0], "rate"));
        near(number(row, "efficiency"), number(row, "speedup") / threads);
        near(number(row, "us_per_simulation"), 1e6 / number(row, "rate"));
        near(number(row, "us_per_simulation_alone"), number(&rows[0], "us_per_simulation"));
        assert!(row["round_trip_ns"].is_null() || number(row, "round_trip_ns") > 0.0, "{row}");
    }
    assert!(number(&rows[0], "us_per_simulation") >= 5.0, "{text}");
}

#[test]
fn more_threads_than_cores_are_measured_with_a_warning() {
    let output = output(&["bench", "connect-four:4x5", "--threads", "256", "--playouts", "300", "--runs", "1"]);
    let (table, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(table.lines().next().is_some_and(|line| line.contains("wall clock") && line.contains("core")), "{table}");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(stderr.matches("warning: 256 threads").count(), usize::from(cores < 256), "{stderr}");
}

#[test]
fn long_and_unprintable_arguments_are_quoted_in_short_lines() {
    let long = "x".repeat(5000);
    let odd = "reversi:6x6,count=a\r\nb\u{1b}[31m";
    for args in [
        &["show", &long][..],
        &["merge", &long],
        &["show", odd],
        &["analyse", "reversi", "--player", &format!("uct:c={long}")],
        &["analyse", "reversi", "--budget", &long],
        &["show", &format!("connect-four:4x4,hole={long}")],
    ] {
        let output = output(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.lines().all(|line| line.len() < 1000), "{message}");
        assert!(!message.contains('\u{1b}') && !message.contains('\r'), "{message:?}");
        assert!(message.starts_with("error: "), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for args in [&["--help"][..], &["help"], &["help", "match"], &["match", "--help"], &["--version"], &["games"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let status = banyan(args).stdout(full).status().expect("the command runs");
        assert_eq!(status.code(), Some(2), "{args:?}");
    }
}

/// The headings above commands in a help page: of the program itself they are in groups.
const COMMANDS: [&str; 6] = ["Commands", "Play and analyse", "Measure", "Learn", "Servers", "Lists and tools"];

/// The names of the commands in the lists of a help page.
fn listed_commands(page: &str) -> Vec<String> {
    let lists = page.split("\n\n").filter_map(|part| part.split_once(":\n"));
    let lists = lists.filter(|(heading, _)| COMMANDS.contains(heading));
    let lines = lists.flat_map(|(_, list)| list.lines());
    let named = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    named.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_help_page_fits_80_columns() {
    let mut pages = vec![Vec::new()];
    let mut n_pages = 0;
    while let Some(command) = pages.pop() {
        for flag in ["-h", "--help"] {
            let args: Vec<&str> = command.iter().map(String::as_str).chain([flag]).collect();
            let page = stdout(&args);
            let too_long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(too_long.is_empty(), "{args:?}: {too_long:#?}");
            if flag == "-h" {
                pages.extend(listed_commands(&page).into_iter().map(|name| [&command[..], &[name]].concat()));
            }
        }
        n_pages += 1;
    }
    assert!(n_pages > 25, "only {n_pages} pages were found");
}

#[test]
fn every_manual_page_is_there_and_every_page_that_one_refers_to() {
    let folder = unused("man");
    let output = output(&["man", "--out", folder.to_str().expect("text")]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let pages: BTreeMap<String, String> = fs::read_dir(&folder)
        .expect("a folder of pages")
        .map(|page| page.expect("a page").path())
        .map(|page| {
            (page.file_name().expect("a name").to_string_lossy().into_owned(), fs::read_to_string(&page).expect("text"))
        })
        .collect();
    for (name, page) in &pages {
        let has = |section: &str| page.lines().any(|line| line == format!(".SH {section}"));
        assert!(name.ends_with(".1") && page.contains(".TH ") && has("NAME") && has("SYNOPSIS"), "{name}: {page}");
        let own = name.trim_end_matches(".1");
        assert!(page.contains(&own.replace('-', "\\-")), "{name} does not name {own}: {page}");
        // References are written `banyan\-play(1)`.
        for (end, _) in page.match_indices("(1)") {
            let words = page[..end].rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
            let named = words.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "") + ".1";
            assert!(pages.contains_key(&named), "{name} refers to {named}: {:?}", pages.keys());
        }
    }
    let listed = listed_commands(&stdout(&["--help"]));
    assert!(listed.len() > 20, "{listed:?}");
    for command in listed {
        assert!(
            pages["banyan.1"].contains(&format!("banyan\\-{}(1)", command.replace('-', "\\-"))),
            "{command}: {}",
            pages["banyan.1"]
        );
    }
    assert!(pages.contains_key("banyan-calc-elo.1"), "{:?}", pages.keys());
}
