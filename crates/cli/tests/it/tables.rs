//! The tables of a match fit the terminal.

use crate::{banyan, folder, text};

const LONG: [&str; 3] =
    ["uct:c=0.5,final=max,reuse=none", "uct:c=0.25,final=max,reuse=none", "mcgs:c=0.3,batch=4,reuse=none"];

#[test]
fn tables_of_many_players_fit_80_columns_and_name_them_by_numbers() {
    let folder = folder("tables");
    let options = ["--pairs", "1", "--budget", "playouts=5", "--openings", "none", "--out", "m"];
    let players: Vec<&str> = LONG.into_iter().chain(["greedy", "random", "pvs@depth=1"]).collect();
    let args = [&["match", "connect-four:4x4"], &players[..], &options].concat();
    let output = banyan(&args).current_dir(&folder).output().expect("the command runs");
    let tables = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let too_long: Vec<&str> = tables.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(too_long.is_empty(), "{too_long:#?}");
    let legend = format!("Players\n1 uct     {}\n2 uct     {}\n3 mcgs    {}\n", LONG[0], LONG[1], LONG[2]);
    assert!(tables.starts_with(&legend), "{tables}");
    for part in [
        "\nCross table, score in %\n",
        "\n1 uct - 3 mcgs ",
        "\n5 random - 6 pvs ",
        "won-drawn-lost",
        "normalised Elo",
        "score %",
    ] {
        assert!(tables.contains(part), "{part:?} in {tables}");
    }
    // Files have no maximum width.
    let merged = banyan(&["merge", "m", "--export", "m.md"]).current_dir(&folder).output().expect("the command runs");
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    let file = std::fs::read_to_string(folder.join("m.md")).expect("an export");
    assert!(file.contains(&format!("{} - {}", LONG[0], LONG[1])), "{file}");
}
