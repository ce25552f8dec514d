//! A match that is played elsewhere, read from its folder whenever its games change.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, SystemTime};

use banyan_api::Spot;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::GameLine;
use banyan_core::{TextError, threads};
use banyan_matches::exports::StoredGames;
use banyan_texts::Language;

/// Time between two looks at the folder.
const EVERY: Duration = Duration::from_millis(500);

/// A table of a match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) title: String,
    /// The headings of the columns; none if the first cell of each row is its heading.
    pub(crate) headings: Vec<(String, bool)>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// The match as it was read last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) heading: String,
    pub(crate) facts: Vec<String>,
    pub(crate) tables: Vec<Table>,
    /// Pairs that are played, of those planned; `None` if no pair is missing.
    pub(crate) missing: Option<[u64; 2]>,
    /// The finished games, in the order in which they ended.
    pub(crate) games: Vec<GameLine>,
}

impl Standing {
    /// Reads a folder.
    ///
    /// # Errors
    /// It holds no match, or cannot be read.
    fn read((catalog, language): (&Catalog, Language), path: &Path) -> Result<Standing, String> {
        let stored = StoredGames::read(catalog, path).map_err(|err| err.to_string())?;
        let outcome = stored.outcome(catalog, language).map_err(|err| err.to_string())?;
        let report = outcome.report();
        let sheets = report.short.as_ref().map_or(&report.sheets, |short| &short.sheets);
        let table = |sheet: &banyan_matches::exports::Sheet| Table {
            title: sheet.title.clone(),
            headings: sheet.columns.iter().map(|column| (column.heading.clone(), column.is_number)).collect(),
            rows: sheet.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect(),
        };
        Ok(Standing {
            heading: report.heading.clone(),
            facts: report.facts.iter().chain(&report.notes).cloned().collect(),
            tables: sheets.iter().map(table).collect(),
            missing: outcome.missing(),
            games: stored.lines().to_vec(),
        })
    }
}

/// A match that is watched.
pub(crate) struct Watched {
    pub(crate) standing: Standing,
    /// The index of the chosen game.
    pub(crate) chosen: usize,
    /// Whether the last game is chosen whenever one ends.
    pub(crate) follows: bool,
    news: Receiver<Result<Standing, String>>,
    /// Its thread ends when this is dropped.
    _alive: Sender<()>,
}

impl Watched {
    /// Reads the folder, and starts the thread that reads it again.
    ///
    /// # Errors
    /// There is no match, or the system refuses the thread.
    pub(crate) fn open(catalog: &Catalog, language: Language, path: &Path) -> Result<Watched, TextError> {
        let changed = changed(path);
        let standing = Standing::read((catalog, language), path).map_err(|err| {
            // The errors of folders have all three parts.
            let (found, rest) =
                err.split_once(": expected ").unwrap_or((&err, "a folder of a match; name another one"));
            let (expected, remedy) = rest.split_once("; ").unwrap_or((rest, "name another one"));
            TextError::new(found, format!("expected {expected}"), remedy)
        })?;
        let (reports, news) = channel();
        let (alive, ends) = channel();
        let (catalog, path) = (catalog.clone(), path.to_owned());
        let started = threads::spawn(move || watch((&catalog, language), &path, changed, &reports, &ends));
        started.map_err(|err: io::Error| TextError::new(err.to_string(), "expected a thread", "end other programs"))?;
        let chosen = standing.games.len().saturating_sub(1);
        Ok(Watched { standing, chosen, follows: true, news, _alive: alive })
    }

    /// Takes what was read since the last call; an error if the folder cannot be read any more.
    pub(crate) fn look(&mut self) -> Option<Result<(), String>> {
        let last = self.news.try_iter().last();
        let standing = match last? {
            Ok(standing) => standing,
            Err(err) => return Some(Err(err)),
        };
        self.standing = standing;
        if self.follows {
            self.chosen = self.standing.games.len().saturating_sub(1);
        }
        Some(Ok(()))
    }

    /// Chooses another game.
    pub(crate) fn choose(&mut self, steps: isize) {
        let last = self.standing.games.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(steps).min(last);
        self.follows = self.chosen == last && steps > 0;
    }

    pub(crate) fn game(&self) -> Option<&GameLine> {
        self.standing.games.get(self.chosen)
    }

    /// The chosen game at its end.
    pub(crate) fn spot(&self) -> Option<Spot> {
        let GameLine { spec, moves, .. } = self.game()?;
        Some(Spot { game: spec.clone(), position: None, moves: moves.split_whitespace().map(str::to_owned).collect() })
    }
}

/// The time and the size of the last change of the games, of both stages of a tuning.
type Changes = [Option<(SystemTime, u64)>; 2];

fn changed(path: &Path) -> Changes {
    ["games.jsonl", "confirm/games.jsonl"].map(|name| {
        let about = fs::metadata(path.join(name)).ok()?;
        Some((about.modified().ok()?, about.len()))
    })
}

/// Reads the folder when its games have changed, until the receiver is gone.
fn watch(
    words: (&Catalog, Language),
    path: &Path,
    mut known: Changes,
    reports: &Sender<Result<Standing, String>>,
    ends: &Receiver<()>,
) {
    while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let now = changed(path);
        if now == known {
            continue;
        }
        known = now;
        if reports.send(Standing::read(words, path)).is_err() {
            return;
        }
    }
}
