//! Puts the games of the parts of a training into one folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use banyan_arena::Shard;
use banyan_catalog::Catalog;
use banyan_core::TextError;

use crate::error::TrainingError;
use crate::folder::{TrainingFolder, check_same_games};
use crate::games::Games;
use crate::plan::{PLAN, TrainingPlan, read_plan};

/// Whether a folder holds a training, or a part of one.
pub fn holds_training(folder: &Path) -> bool {
    folder.join(PLAN).exists()
}

/// Puts the games of all parts, in their order, into the new folder `out`, where the training continues as if one process had played
/// them. A part that is given twice counts once.
///
/// # Errors
/// A folder that cannot be read, parts of different trainings, a part that is missing or unfinished, or two copies of one that differ.
pub fn merge_parts(parts: &[PathBuf], out: &Path, catalog: &Catalog) -> Result<TrainingFolder, TrainingError> {
    let parts = parts.iter().map(|path| Part::read(path, catalog)).collect::<Result<Vec<_>, _>>()?;
    let first = parts.first().ok_or_else(|| TextError::new("no folder", "expected a part", "give its folder"))?;
    let of = first.shard.of;
    let mut games: BTreeMap<u64, &Games> = BTreeMap::new();
    for part in &parts {
        part.check_same(first)?;
        let known = games.insert(part.shard.index, &part.games);
        if known.is_some_and(|known| known.lines() != part.games.lines()) {
            let found = format!("{}: other games of part {}", part.path.display(), part.shard);
            return Err(TextError::new(found, "expected the same in both folders", "play that part again").into());
        }
    }
    Shard::check_complete(of, |index| games.contains_key(&index))?;
    // Before it is opened, which would write the plan.
    if holds_training(out) {
        let expected = "expected a new or empty folder";
        return Err(TextError::new(out.display().to_string(), expected, "choose another --out").into());
    }
    let mut whole = TrainingFolder::open(out, first.plan.clone(), catalog)?;
    for number in 0..first.plan.games {
        whole.append(&games[&(number % of)].lines()[(number / of) as usize])?;
    }
    whole.sync()?;
    Ok(whole)
}

/// A part of a training.
struct Part {
    path: PathBuf,
    /// The plan of the whole training.
    plan: TrainingPlan,
    shard: Shard,
    games: Games,
}

impl Part {
    /// Reads a part with all its games, which are replayed.
    fn read(path: &Path, catalog: &Catalog) -> Result<Part, TrainingError> {
        let plan = read_plan(path)?;
        let (shard, n_games) = (plan.part()?, plan.games_of_part()?);
        let mut games = Games::read(path, &plan, catalog)?;
        let n = games.lines().len();
        if (n as u64) < n_games {
            let found = format!("{}: {n} of the {n_games} games of part {shard}", path.display());
            return Err(TextError::new(found, "expected all of them", "resume it by its command").into());
        }
        games.truncate(n_games as usize);
        games.check(plan.selection(&plan.parts(catalog)?.task))?;
        Ok(Part { path: path.to_owned(), plan: TrainingPlan { shard: None, ..plan }, shard, games })
    }

    /// Checks that both are parts of one training.
    fn check_same(&self, first: &Part) -> Result<(), TextError> {
        let remedy = "merge the parts of one training";
        let differs = |what: &str, found: &str, expected: &str| {
            let found = format!("{}: a part of a training with {what} {found}", self.path.display());
            TextError::new(found, format!("expected {expected}"), remedy)
        };
        if self.shard.of != first.shard.of {
            return Err(differs("parts", &self.shard.of.to_string(), &first.shard.of.to_string()));
        }
        check_same_games(&self.path, &first.plan, &self.plan)?;
        let settings = |plan: &TrainingPlan| toml::Table::try_from(plan).expect("a plan is a table");
        let (own, others) = (settings(&self.plan), settings(&first.plan));
        let text = |table: &toml::Table, name: &str| table.get(name).map_or("none".to_owned(), ToString::to_string);
        let names = own.keys().chain(others.keys());
        match names.into_iter().find(|name| own.get(*name) != others.get(*name)) {
            None => Ok(()),
            Some(name) => Err(differs(name, &text(&own, name), &text(&others, name))),
        }
    }
}
