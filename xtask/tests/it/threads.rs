//! Threads are started so that a refusal by the system is no panic.

use std::fs;
use std::path::{Path, PathBuf};

/// All files of a folder and those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_thread_is_started_in_a_way_that_panics_where_it_is_refused() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
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
