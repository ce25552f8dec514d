//! `analyse --tree FILE`: the contents of the file, and that errors before the search leave every file unchanged.

use std::fs;
use std::process::Output;

use crate::{folder, output, refusal, text, unused};

fn analyse(args: &[&str], tree: &str) -> Output {
    output(&[&["analyse"], args, &["--tree", tree]].concat())
}

fn check_refused(output: &Output, part: &str) {
    let error = refusal(output);
    assert!(error.contains(part), "{error}");
}

#[test]
fn errors_are_reported_before_the_search() {
    let folder = folder("folder.svg");
    // If the search came first, the test would take an hour.
    for (name, part) in [
        (folder.to_str().expect("text"), "cannot write"),
        ("no/such/folder/search.dot", "cannot write no/such/folder/search.dot"),
        ("search.pdf", "expected the extension .dot, .json or .svg"),
    ] {
        check_refused(&analyse(&["connect-four", "--budget", "60m"], name), part);
    }
}

#[test]
fn an_error_creates_and_changes_no_file() {
    let path = unused("refused.svg");
    let name = path.to_str().expect("text");
    check_refused(&analyse(&["chess"], name), "unknown game");
    check_refused(
        &analyse(&["reversi", "--player", "greedy"], name),
        "expected a player with a search tree, not greedy",
    );
    let over = analyse(&["connect-four", "--moves", "4343434"], name);
    assert_eq!(over.status.code(), Some(1));
    assert!(text(&over.stderr).contains("no tree written"));
    assert!(!path.exists(), "a file without a tree");
    fs::write(&path, "mine").expect("a file");
    check_refused(
        &analyse(&["reversi", "--player", "random"], name),
        "expected a player with a search tree, not random",
    );
    assert_eq!(fs::read_to_string(&path).expect("the file"), "mine");
}

/// The file agrees with the printed analysis about the first position.
#[test]
fn the_ending_chooses_what_is_written() {
    // After this move no symmetry is left; with a symmetry, moves would share their visits in the analysis, but not in
    // the tree.
    let args = ["connect-four:4x5", "--moves", "1", "--budget", "playouts=3000", "--json"];
    let path = |ending: &str| unused(&format!("written.{ending}")).to_str().expect("text").to_owned();
    let written = |path: &str| {
        let output = analyse(&args, path);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (String::from_utf8(output.stdout).expect("text"), fs::read_to_string(path).expect("a tree"))
    };
    let (answer, tree) = written(&path("json"));
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    let tree: serde_json::Value = serde_json::from_str(&tree).expect("JSON");
    let (root, nodes) = (&tree["nodes"][0], tree["nodes"].as_array().expect("a list"));
    assert_eq!((&tree["v"], &tree["game"], &tree["position"]), (&1.into(), &answer["game"], &answer["position"]));
    assert_eq!(root["to_move"], answer["to_move"]);
    assert!(nodes.len() > 100 && nodes.len() <= 1000, "{} nodes", nodes.len());
    let visits = |moves: &serde_json::Value| {
        let of = |mv: &serde_json::Value| (mv["move"].to_string(), mv["visits"].as_u64().expect("a number"));
        let mut visits: Vec<_> = moves.as_array().expect("a list").iter().map(of).collect();
        visits.sort();
        visits
    };
    assert_eq!(visits(&root["edges"]), visits(&answer["moves"]));
    assert!(written(&path("svg")).1.starts_with("<svg "));
    let dot = path("DOT");
    assert!(written(&dot).1.starts_with("digraph search {"));
    // A second search replaces the file.
    assert!(written(&dot).1.ends_with("}\n"));
}
