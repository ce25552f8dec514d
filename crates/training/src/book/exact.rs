//! Makes a book of exact values: each line of the file has 120 positions, and all are solved with one table.

use std::collections::BTreeMap;
use std::path::Path;

use banyan_arena::{StopSignal, drive};
use banyan_catalog::book::{BookError, ExactBook, ExactPlan, POSITIONS_PER_LINE, read_book};
use banyan_catalog::storage::Journal;
use banyan_catalog::{AnyGame, Catalog, GameState, Goal, Means, Opening, Session, prove};
use banyan_core::{Bounds, ErasedGame, ErasedState, Flow, Prover, TextError};

use super::file::open_journal;

/// Positions that a prover visits between two questions whether to stop.
const CHECK_EVERY: u64 = 1 << 18;

/// Receives the progress of a book of exact values, and can stop it; finished lines are kept.
pub trait ExactBookObserver: Sync {
    /// Whether to stop; called every few milliseconds.
    fn stopped(&self) -> bool {
        false
    }

    /// Called with the book after another line.
    fn added(&self, _book: &ExactBook) {}
}

/// The open file of a book of exact values, locked against other processes that would write it.
#[derive(Debug)]
pub struct ExactBookFile {
    journal: Journal,
    book: ExactBook,
}

impl ExactBookFile {
    /// Opens the book of this plan, and begins it if the file is new or empty. Its content is kept.
    ///
    /// # Errors
    /// The file holds something else or the book of another plan, another process writes it, it cannot be written, or the book would be
    /// too large.
    pub fn open(path: &Path, plan: ExactPlan, game: &AnyGame) -> Result<ExactBookFile, BookError> {
        let first = plan.to_string();
        let empty = |start: &GameState| ExactBook::empty(plan.clone(), start);
        let read = |text: &str, name: &str, start: &GameState| {
            let book = ExactBook::read(text, name, start)?;
            plan.check_same(book.plan()).map_err(|err| err.at(name))?;
            Ok(book)
        };
        let (journal, book) = open_journal(path, game, &first, empty, read)?;
        Ok(ExactBookFile { journal, book })
    }

    /// The book in its current state.
    pub fn book(&self) -> &ExactBook {
        &self.book
    }

    /// Solves the positions that are left, each thread a line of them. Returns whether all are solved; otherwise the observer stopped it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn solve(&mut self, game: &AnyGame, means: Means, observer: &dyn ExactBookObserver) -> Result<bool, BookError> {
        let rules = game.begin(Opening::Start)?.rules().clone();
        let mut left: Vec<ErasedState> = self.book.positions().skip(self.book.n_solved()).cloned().collect();
        let mut lines = Vec::new();
        while !left.is_empty() {
            let rest = left.split_off(POSITIONS_PER_LINE.min(left.len()));
            lines.push(std::mem::replace(&mut left, rest));
        }
        let mut prover = game.prover(means.table_mib);
        prover.prepare_for_long_searches();
        let forks: Vec<_> = (0..means.threads).map(|thread| prover.fork(thread)).collect();
        let provers = std::sync::Mutex::new(forks);
        let goal = self.book.plan().goal();
        let stop_signal = StopSignal::new();
        let stopped = || observer.stopped() || stop_signal.is_finishing();
        let solve = |states: &[ErasedState]| -> Option<Vec<Bounds>> {
            let taken = || provers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let mut prover = taken().pop().expect("one for each thread");
            let solved = states.iter().map(|state| value(&mut *prover, &rules, state, goal, &stopped)).collect();
            taken().push(prover);
            solved
        };
        let (mut outcome, mut next) = (Ok(()), 0);
        let mut solved: BTreeMap<usize, Vec<Bounds>> = BTreeMap::new();
        drive(
            lines.iter().enumerate(),
            means.threads as usize,
            &stop_signal,
            |(number, states)| (*number, solve(states)),
            |(number, values)| {
                solved.extend(values.map(|values| (number, values)));
                // A line is written once those before it are.
                while let Some(values) = solved.remove(&next) {
                    let line = self.book.add(values, &rules);
                    if let Err(err) = self.journal.append(&line) {
                        outcome = Err(err);
                        return Flow::Stop;
                    }
                    observer.added(&self.book);
                    next += 1;
                }
                if observer.stopped() { Flow::Stop } else { Flow::Continue }
            },
        );
        outcome?;
        self.journal.sync()?;
        Ok(self.book.is_complete())
    }
}

/// Opens a book of exact values, finished or not, and the game that it names, at its start.
///
/// # Errors
/// It cannot be read, is damaged, or is another kind of book.
pub fn open_exact(path: &Path, catalog: &Catalog) -> Result<(ExactBook, Session), BookError> {
    let text = read_book(path)?;
    let name = path.display().to_string();
    let first = text.lines().next().unwrap_or_default();
    let game = ExactPlan::read(first).and_then(|plan| catalog.game(&plan.game));
    let session = game.map_err(|err: TextError| err.at(format_args!("{name}:1")))?.open(Opening::Start)?;
    Ok((ExactBook::read(&text, &name, &session)?, session))
}

/// Bounds of a position that decide `goal`; `None` if it was stopped.
fn value(
    prover: &mut dyn Prover<ErasedGame>,
    game: &ErasedGame,
    state: &ErasedState,
    goal: Goal,
    stopped: &dyn Fn() -> bool,
) -> Option<Bounds> {
    prove(prover, game, state, goal, &mut |nodes| (!stopped()).then_some(nodes + CHECK_EVERY))
}
