//! Merges the parts of a match, from shards or from several machines.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use banyan_arena::Shard;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::{GameLine, MatchError, OpeningLines};
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::folder::{GAMES, read_folder};
use crate::verify::Verifier;

/// Several match folders as one match.
pub struct Merged {
    /// The configuration of the whole match.
    pub config: MatchConfig,
    /// The openings, if they came from a file.
    pub openings: Option<OpeningLines>,
    /// Every game once, by pair and game.
    pub lines: Vec<GameLine>,
    /// Number of duplicate games, which are excluded.
    pub duplicates: usize,
    /// Duplicate games that differ although the match is repeatable: `(pair, game)`, and the folder of the excluded
    /// game.
    pub conflicts: Vec<(u64, u8, PathBuf)>,
    /// Number of shards, if the parts are shards of the same number.
    n_shards: Option<u64>,
}

impl Merged {
    /// Reads the folders; the first record of each game counts.
    ///
    /// # Errors
    /// A folder without a match, or with a different match than the first; a record that is not a game of its match.
    pub fn read(catalog: &Catalog, folders: &[PathBuf]) -> Result<Merged, MatchError> {
        let mut games = Games::default();
        let mut first: Option<(MatchConfig, Option<OpeningLines>)> = None;
        let mut numbers = BTreeSet::new();
        for path in folders {
            let (config, openings, lines) = read_folder(path)?;
            if config.tune.is_some() {
                let found = format!("{}: a tuning, whose pairs depend on its earlier results", path.display());
                let remedy = "play it in one folder with `banyan tune`";
                return Err(TextError::new(found, "expected a match, sweep or rating", remedy).into());
            }
            let mut verifier = Verifier::new(catalog, &config)?;
            numbers.insert(config.schedule()?.config().shard.of);
            match &mut first {
                None => first = Some((config, openings)),
                Some((kept, _)) => {
                    let remedy = "merge the parts of one match";
                    let in_folder = |err: TextError| TextError { remedy: remedy.to_owned(), ..err }.at(path.display());
                    kept.check_same(&config).map_err(in_folder)?;
                    kept.pairs = kept.pairs.max(config.pairs);
                }
            }
            let file = path.join(GAMES).display().to_string();
            for line in lines {
                verifier.check(&line, &file)?;
                games.add(line, path);
            }
        }
        let (mut config, openings) =
            first.ok_or_else(|| TextError::new("no folder", "expected at least one", "give a match folder"))?;
        config.shard = None;
        // With a clock, two records of the same game may differ.
        let conflicts = if config.is_repeatable() { games.different } else { Vec::new() };
        let lines = games.lines.into_values().collect();
        let n_shards = numbers.first().copied().filter(|_| numbers.len() == 1);
        Ok(Merged { config, openings, lines, duplicates: games.duplicates, conflicts, n_shards })
    }

    /// The shards of which pairs are missing, such as `3/16`; empty if the parts are not shards of the same number.
    ///
    /// # Errors
    /// As for [`MatchConfig::schedule`].
    pub fn unfinished_shards(&self) -> Result<Vec<String>, TextError> {
        let Some(of) = self.n_shards.filter(|&of| of > 1) else { return Ok(Vec::new()) };
        let mut games: HashMap<u64, u8> = HashMap::new();
        self.lines.iter().for_each(|line| *games.entry(line.pair).or_default() += 1);
        let schedule = self.config.schedule()?;
        let missing = schedule.indexes().filter(|index| games.get(index) != Some(&2));
        let unfinished: BTreeSet<u64> = missing.map(|index| schedule.shard_of(index, of).index).collect();
        Ok(unfinished.into_iter().map(|index| Shard { index, of }.to_string()).collect())
    }
}

#[derive(Default)]
struct Games {
    lines: BTreeMap<(u64, u8), GameLine>,
    duplicates: usize,
    different: Vec<(u64, u8, PathBuf)>,
}

impl Games {
    fn add(&mut self, line: GameLine, path: &Path) {
        match self.lines.entry(line.id()) {
            Entry::Vacant(free) => {
                free.insert(line);
            }
            Entry::Occupied(known) => {
                let known = known.get();
                self.duplicates += 1;
                if (&known.spec, &known.moves, known.winner) != (&line.spec, &line.moves, line.winner) {
                    self.different.push((line.pair, line.game, path.to_owned()));
                }
            }
        }
    }
}
