//! The tables of a match fit the terminal.

use crate::{banyan, folder, text};

const LONG: [&str; 3] =
    ["uct:c=0.5,final=max,reuse=none", "uct:c=0.25,final=max,reuse=none", "mcgs:c=0.3,batch=4,reuse=none"];

#[test]
fn tables_in_pipes_are_whole() {
    let folder = folder("tables");
    let options = ["--pairs", "1", "--budget", "playouts=5", "--openings", "none", "--out", "m"];
    let players: Vec<&str> = LONG.into_iter().chain(["greedy", "random", "pvs@depth=1"]).collect();
    let args = [&["match", "connect-four:4x4"], &players[..], &options].concat();
    let output = banyan(&args).current_dir(&folder).output().expect("the command runs");
    let tables = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pairing = format!("\n{} - {} ", LONG[0], LONG[1]);
    assert!(tables.contains(&pairing) && !tables.contains("Players\n"), "{tables}");
    let headings: Vec<&str> = tables.lines().filter(|line| line.starts_with("players ")).collect();
    assert!(headings[0].contains("won-drawn-lost") && headings[0].contains("more pairs needed"), "{headings:#?}");
    // Files have no maximum width.
    let merged = banyan(&["merge", "m", "--export", "m.md"]).current_dir(&folder).output().expect("the command runs");
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    let file = std::fs::read_to_string(folder.join("m.md")).expect("an export");
    assert!(file.contains(&format!("{} - {}", LONG[0], LONG[1])), "{file}");
}
