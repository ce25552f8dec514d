//! A part of a file of positions: `solve.toml` names it, `scored.txt` has its positions as `--out` without parts does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use banyan_arena::Shard;
use banyan_catalog::storage::{
    FileError, LineForm, Seal, check_unused, digest, is_draft_of, read_lines, read_own_text, replace_file, sealed,
};
use banyan_catalog::view::VERSION;
use banyan_catalog::{AnyGame, Catalog, ScoredPosition};
use banyan_core::TextError;
use banyan_formats::ScoredFile;
use serde::{Deserialize, Serialize};

const PLAN: &str = "solve.toml";
const SCORED: &str = "scored.txt";

/// The plan of a part: the facts that all parts of a file share, and its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartPlan {
    v: u32,
    game: String,
    /// Positions of the whole file, and a digest of them.
    positions: usize,
    digest: String,
    budget: String,
    shard: String,
    /// A digest of the positions of this part, without scores.
    own: String,
}

/// A digest of positions without their scores.
fn digest_of(form: ScoredFile, positions: &[ScoredPosition]) -> String {
    let bare = |position: &ScoredPosition| form.line(&position.without_scores());
    let lines: Vec<String> = positions.iter().map(bare).collect();
    format!("{:016x}", digest(0, lines.join("\n").as_bytes()))
}

impl PartPlan {
    /// The plan of a part of these positions, and the positions that are its own.
    pub(crate) fn new(
        game: &AnyGame,
        positions: Vec<ScoredPosition>,
        budget: &str,
        shard: Shard,
    ) -> Result<(PartPlan, Vec<ScoredPosition>), TextError> {
        let form = ScoredFile::of(game)?;
        let (n, digest) = (positions.len(), digest_of(form, &positions));
        let mine: Vec<ScoredPosition> =
            (0..).zip(positions).filter(|&(i, _)| shard.has(i)).map(|(_, position)| position).collect();
        let (shard, own) = (shard.to_string(), digest_of(form, &mine));
        let plan =
            PartPlan { v: VERSION, game: game.spec(), positions: n, digest, budget: budget.to_owned(), shard, own };
        Ok((plan, mine))
    }

    fn read(folder: &Path) -> Result<PartPlan> {
        let path = folder.join(PLAN);
        let text = read_own_text(&path).map_err(FileError::of("read", &path))?;
        let plan = toml::from_str(&text).ok().filter(|_| Seal::of(&text) == Seal::Intact);
        plan.ok_or_else(|| {
            let expected = "expected the plan of a part of `banyan solve --file`, as it was written";
            TextError::new(path.display().to_string(), expected, "choose another folder").into()
        })
    }

    /// Begins or continues the folder of this part; returns the file of its positions.
    pub(crate) fn open(&self, folder: &Path) -> Result<PathBuf> {
        if folder.is_file() {
            let expected = "expected a folder with --shard";
            return Err(TextError::new(folder.display().to_string(), expected, "choose another --out").into());
        }
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

/// The positions of a part, as they were written.
struct Part {
    plan: PartPlan,
    shard: Shard,
    lines: Vec<String>,
}

impl Part {
    fn read(folder: &Path, catalog: &Catalog) -> Result<Part> {
        let plan = PartPlan::read(folder)?;
        let shard: Shard = plan.shard.parse()?;
        let file = folder.join(SCORED);
        let stored = read_lines(&file, LineForm::Comment)?;
        let lines = stored.iter().map(|line| Ok(line?.1.to_owned())).collect::<Result<Vec<String>, TextError>>()?;
        let n = shard.share(plan.positions as u64) as usize;
        if lines.len() < n {
            let found = format!("{}: {} of the {n} positions of part {shard}", folder.display(), lines.len());
            return Err(TextError::new(found, "expected all of them", "resume it by its command").into());
        }
        let form = ScoredFile::of(&catalog.game(&plan.game)?)?;
        if n > 0 && digest_of(form, &form.read(stored.content()?)?) != plan.own {
            let expected = format!("expected the positions of part {shard}");
            return Err(TextError::new(file.display().to_string(), expected, "restore the file").into());
        }
        Ok(Part { plan, shard, lines })
    }
}

/// Writes the positions of all parts, in the order of their file, to a new file; returns their number.
///
/// # Errors
/// Parts of different files, a part that is missing, unfinished or there twice with other scores, or a file that is there already.
pub(crate) fn merge_positions(folders: &[PathBuf], out: &Path, catalog: &Catalog) -> Result<usize> {
    if out.exists() {
        let expected = "expected the name of a new file";
        return Err(TextError::new(out.display().to_string(), expected, "choose another --out").into());
    }
    let parts = folders.iter().map(|folder| Part::read(folder, catalog)).collect::<Result<Vec<Part>>>()?;
    let first = parts.first().ok_or_else(|| anyhow!("no folder: expected a part; give its folder"))?;
    let of = first.shard.of;
    let mut lines: BTreeMap<u64, &[String]> = BTreeMap::new();
    for (part, folder) in parts.iter().zip(folders) {
        let same_part = PartPlan { shard: Shard { of, ..part.shard }.to_string(), ..first.plan.clone() };
        same_part.check_same(&part.plan, folder)?;
        if lines.insert(part.shard.index, &part.lines).is_some_and(|known| known != part.lines) {
            let found = format!("{}: other scores of part {}", folder.display(), part.shard);
            return Err(TextError::new(found, "expected the same in both folders", "leave one of them out").into());
        }
    }
    Shard::check_complete(of, |index| lines.contains_key(&index))?;
    let mut text = String::new();
    for i in 0..first.plan.positions {
        text += &LineForm::Comment.seal(&lines[&(i as u64 % of)][i / of as usize], i + 1);
        text.push('\n');
    }
    replace_file(out, text.as_bytes()).map_err(FileError::of("write", out))?;
    Ok(first.plan.positions)
}
