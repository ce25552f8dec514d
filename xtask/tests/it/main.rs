//! The structure of the workspace: its arrows, rings, licences and threads.

mod arrows;
mod everywhere;
mod game_names;
mod licences;
mod messages;
mod rings;
mod source;
mod texts;
mod threads;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The manifests of the members of the workspace by folder.
fn manifests_of_workspace() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest of the workspace");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let members = manifest["workspace"]["members"].as_array().expect("members");
    let members = members.iter().map(|member| member.as_str().expect("a folder"));
    let folders = members.flat_map(|member| match member.strip_suffix("/*") {
        Some(parent) => folders_in(&root, parent),
        None => vec![member.to_owned()],
    });
    let read = |folder: String| {
        let manifest = fs::read_to_string(root.join(&folder).join("Cargo.toml")).expect(&folder);
        (folder, manifest)
    };
    folders.map(read).collect()
}

fn folders_in(root: &Path, parent: &str) -> Vec<String> {
    let entries = fs::read_dir(root.join(parent)).expect(parent).map(|entry| entry.expect("a folder").path());
    let crates = entries.filter(|path: &PathBuf| path.join("Cargo.toml").exists());
    let names = crates.map(|path| path.file_name().expect("a name").to_str().expect("text").to_owned());
    names.map(|name| format!("{parent}/{name}")).collect()
}
