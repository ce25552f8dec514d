//! Limits of the system: commands that exceed them are refused before the first game, and no player loses because of
//! them.

use std::path::Path;
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
