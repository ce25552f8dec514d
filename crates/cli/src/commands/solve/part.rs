//! A part of a file of positions: `solve.toml` names it, `scored.txt` has its positions as `--out` without parts does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use banyan_arena::Shard;
use banyan_catalog::ScoredPosition;
use banyan_catalog::storage::{
    FileError, LineForm, check_unused, digest, is_draft_of, read_lines, read_own_text, replace_file, sealed,
};
use banyan_catalog::view::VERSION;
use banyan_core::TextError;
use banyan_formats::ScoredFile;
use serde::{Deserialize, Serialize};

const PLAN: &str = "solve.toml";
const SCORED: &str = "scored.txt";

/// What the parts of a file have in common, and which part it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartPlan {
    v: u32,
    game: String,
    /// Positions of the whole file, and a digest of them.
    positions: usize,
    digest: String,
    budget: String,
    shard: String,
}

impl PartPlan {
    pub(crate) fn new(
        game: &str,
        form: ScoredFile,
        positions: &[ScoredPosition],
        budget: &str,
        shard: Shard,
    ) -> PartPlan {
        let lines: Vec<String> = positions.iter().map(|position| form.line(position)).collect();
        PartPlan {
            v: VERSION,
            game: game.to_owned(),
            positions: positions.len(),
            digest: format!("{:016x}", digest(0, lines.join("\n").as_bytes())),
            budget: budget.to_owned(),
            shard: shard.to_string(),
        }
    }

    fn read(folder: &Path) -> Result<PartPlan> {
        let path = folder.join(PLAN);
        let text = read_own_text(&path).map_err(FileError::of("read", &path))?;
        Ok(toml::from_str(&text).map_err(|_| {
            let expected = "expected the plan of a part of `banyan solve --file`";
            TextError::new(path.display().to_string(), expected, "choose another folder")
        })?)
    }

    /// Begins the folder of this part, or goes on with it; returns the file of its positions.
    pub(crate) fn open(&self, folder: &Path) -> Result<PathBuf> {
        fs::create_dir_all(folder).map_err(FileError::of("create", folder))?;
        if holds_positions(folder) {
            self.check_same(&PartPlan::read(folder)?, folder)?;
        } else if !check_unused(folder, |name, _| is_draft_of(PLAN, name))? {
            let expected = "expected a new or empty folder, or that of this part";
            return Err(TextError::new(folder.display().to_string(), expected, "choose another --out").into());
        } else {
            let (path, text) = (folder.join(PLAN), toml::to_string(self)?);
            replace_file(&path, sealed(&text).as_bytes()).map_err(FileError::of("write", &path))?;
        }
        Ok(folder.join(SCORED))
    }

    fn check_same(&self, other: &PartPlan, folder: &Path) -> Result<(), TextError> {
        let rows = |plan: &PartPlan| {
            [
                ("game", plan.game.clone()),
                ("positions", format!("{} with digest {}", plan.positions, plan.digest)),
                ("--budget", plan.budget.clone()),
                ("--shard", plan.shard.clone()),
            ]
        };
        match rows(self).into_iter().zip(rows(other)).find(|(wanted, found)| wanted != found) {
            None => Ok(()),
            Some(((what, wanted), (_, found))) => {
                let found = format!("{}: {what} {found}", folder.display());
                Err(TextError::new(found, format!("expected {what} {wanted}"), "choose another folder"))
            }
        }
    }
}

/// Whether a folder holds a part of a file of positions.
pub(crate) fn holds_positions(folder: &Path) -> bool {
    folder.join(PLAN).exists()
}

/// Writes the positions of all parts, in the order of their file, to a new file; returns their number.
///
/// # Errors
/// Parts of different files, a part that is missing or unfinished, or a file that is there already.
pub(crate) fn merge_positions(folders: &[PathBuf], out: &Path) -> Result<usize> {
    if out.exists() {
        let expected = "expected the name of a new file";
        return Err(TextError::new(out.display().to_string(), expected, "choose another --out").into());
    }
    let mut first: Option<PartPlan> = None;
    let mut parts: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut of = 1;
    for folder in folders {
        let plan = PartPlan::read(folder)?;
        let shard: Shard = plan.shard.parse()?;
        of = shard.of;
        let expected = first.get_or_insert_with(|| plan.clone());
        let shards = expected.shard.parse::<Shard>()?.of;
        let same_part = PartPlan { shard: Shard { of: shards, ..shard }.to_string(), ..expected.clone() };
        same_part.check_same(&plan, folder)?;
        let lines = read_lines(&folder.join(SCORED), LineForm::Comment)?;
        let lines = lines.iter().map(|line| Ok(line?.1.to_owned())).collect::<Result<Vec<String>, TextError>>()?;
        let n = (plan.positions as u64).saturating_sub(shard.index).div_ceil(shard.of) as usize;
        if lines.len() < n {
            let found = format!("{}: {} of the {n} positions of part {shard}", folder.display(), lines.len());
            return Err(TextError::new(found, "expected all of them", "resume it by its command").into());
        }
        parts.insert(shard.index, lines);
    }
    let plan = first.ok_or_else(|| anyhow!("no folder: expected a part; give its folder"))?;
    let missing = (0..of).filter(|index| !parts.contains_key(index)).map(|index| Shard { index, of }.to_string());
    let missing: Vec<String> = missing.collect();
    if !missing.is_empty() {
        let expected = format!("expected all of them: {} missing", missing.join(", "));
        return Err(TextError::new(format!("{} of {of} parts", parts.len()), expected, "name every part").into());
    }
    let mut text = String::new();
    for i in 0..plan.positions {
        let line = &parts[&(i as u64 % of)][i / of as usize];
        text += &LineForm::Comment.seal(line, i + 1);
        text.push('\n');
    }
    replace_file(out, text.as_bytes()).map_err(FileError::of("write", out))?;
    Ok(plan.positions)
}
