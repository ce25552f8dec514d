//! Limits of the system: commands that exceed them are refused before the first game, and no player loses because of
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{games, text};

const ENGINES: &str = r#"
    [one]
    command = ["BANYAN", "ugi"]
    protocol = "ugi"
    options = { Player = "uct" }

    [two]
    command = ["BANYAN", "ugi"]
    protocol = "ugi"
    options = { Player = "uct:c=0.5" }
"#;

/// Runs the command after `limit`, a shell command.
fn limited(folder: &Path, limit: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_banyan");
    let script = format!("{limit} && exec '{program}' {arguments}");
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().expect("a shell")
}

#[test]
fn open_files_limit_the_games_of_engines_at_once() {
    let folder = crate::engines::folder("limits-files", ENGINES);
    let line = "match connect-four:4x4 one two --pairs 6 --budget playouts=3 --jobs 12 --quiet";
    // The program may raise the soft limit by itself.
    let output = limited(&folder, "ulimit -Sn 40", &format!("{line} --out soft"));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(games(&folder.join("soft")).len(), 12);

    let output = limited(&folder, "ulimit -n 40", &format!("{line} --out hard"));
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let refusal = "games of engines at once with at most 40 open files: expected at most";
    assert!(told.lines().any(|line| line.starts_with("error: ") && line.contains(refusal)), "{told}");
    assert!(games(&folder.join("hard")).is_empty(), "before the first game");
    let output = limited(&folder, "ulimit -n 40", "match --resume hard --jobs 1 --quiet");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(games(&folder.join("hard")).len(), 12);
}

/// All files of a folder and those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_thread_is_started_in_a_way_that_panics_where_it_is_refused() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let is_source = |path: &PathBuf| {
        // The checkout itself may be in a folder of this name.
        let path = path.strip_prefix(&crates).expect("a file of it").to_string_lossy().into_owned();
        path.contains("/src/") && path.ends_with(".rs") && !path.ends_with("tests.rs")
    };
    let sources: Vec<PathBuf> = files(&crates).into_iter().filter(is_source).collect();
    assert!(sources.len() > 300, "{}", sources.len());
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source file");
        let program = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
        let found =
            [" thread::spawn(", "std::thread::spawn(", "scope.spawn("].into_iter().find(|way| program.contains(way));
        assert_eq!(found, None, "{}: use banyan_core::threads", path.display());
    }
}
