//! The commands of docs/many-machines.md, run unchanged except for smaller numbers: parts in separate, concurrent
//! processes have the same games as one match.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{folder, games};

const PARTS: u32 = 16;

/// The blocks of shell commands in the page.
fn blocks() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/many-machines.md");
    let page = fs::read_to_string(page).expect("the page");
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    blocks.map(smaller).collect()
}

/// The commands with a smaller board and fewer games.
fn smaller(block: &str) -> String {
    let mut block = block.to_owned();
    for (large, small) in [
        ("connect-four:9-12x9-12,holes=1", "connect-four:4-5x4-5,holes=1"),
        (" mcgs mcgs:batch=1 ", " uct uct:c=0.5 "),
        ("--pairs 1600 ", "--pairs 32 "),
        ("--budget 1s ", "--budget playouts=20 "),
    ] {
        block = block.replace(large, small);
    }
    block
}

/// Starts a shell in which `banyan` is the command under test.
fn shell(folder: &Path, script: &str, part: u32) -> Child {
    let program = Path::new(env!("CARGO_BIN_EXE_banyan"));
    let script = format!("banyan() {{ '{}' \"$@\"; }}\n{script}", program.display());
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder).env("SLURM_ARRAY_TASK_ID", part.to_string());
    command.stdout(Stdio::null()).spawn().expect("a shell")
}

fn run_all(folder: &Path, script: impl Fn(u32) -> String) {
    let parts: Vec<Child> = (1..=PARTS).map(|part| shell(folder, &script(part), part)).collect();
    for mut part in parts {
        assert!(part.wait().expect("it ends").success());
    }
}

#[test]
fn parts_in_their_own_processes_come_to_the_games_of_one() {
    let [slurm, _, parallel, merge] = &blocks()[..] else { panic!("four blocks of commands") };
    let (array, lines, whole) = (folder("shared-by-slurm"), folder("shared-by-parallel"), folder("not-shared"));
    run_all(&array, |_| slurm.clone());
    // A job that is queued again has nothing left to do and changes nothing.
    assert!(shell(&array, slurm, 3).wait().expect("it ends").success());
    let line = parallel.split_once("parallel -j 8 ").expect("a line for GNU parallel").1;
    run_all(&lines, |part| line.replace("{}", &part.to_string()));
    let alone = line.replace(" --shard {}/16", "").replace("part-{}", "whole");
    assert!(!alone.contains("{}") && shell(&whole, &alone, 0).wait().expect("it ends").success());
    let expected = games(&whole.join("whole"));
    assert_eq!(expected.len(), 64);
    for shared in [array, lines] {
        assert!(shell(&shared, merge, 0).wait().expect("it ends").success());
        assert!(games(&shared.join("whole")) == expected, "{}", shared.display());
        assert!(shared.join("whole/result.html").exists());
    }
}
