//! Grows a book: searches the positions of one expansion after another, on several threads.

use banyan_arena::{StopSignal, drive};
use banyan_catalog::book::{BookError, BookValue, Child, Found, children, go_to};
use banyan_catalog::{AnyGame, Budget, Opening, PlayerSpec, StopWhen};
use banyan_core::{Fault, Flow, TextError, mix};

use super::BookObserver;
use super::file::BookFile;
use super::plan::parts;

/// The limits to which a book grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookLimits {
    /// Positions of fewer plies are expanded, the main line first.
    pub plies: u32,
    /// Number of positions in the book from which only the main line is expanded.
    pub positions: usize,
    /// Threads that search, at least one.
    pub threads: u32,
}

/// Expands positions until the limits. Each search follows from its position and the plan alone. Returns whether the book has
/// grown to the limits; otherwise the observer stopped it.
///
/// # Errors
/// The player failed, or the file cannot be written.
pub fn grow_book(
    file: &mut BookFile,
    game: &AnyGame,
    limits: BookLimits,
    observer: &dyn BookObserver,
) -> Result<bool, BookError> {
    let (player, budget) = parts(file.book().plan(), game)?;
    let search = Search { game, player, budget, seed: file.book().plan().seed };
    let mut at = game.begin(Opening::Start)?;
    let is_grown = loop {
        search.all_missing(file, limits.threads, observer)?;
        file.book_mut().back_up();
        if !file.book().missing().is_empty() {
            break false;
        }
        let book = file.book();
        let next = match book.n_positions() < limits.positions {
            true => book.next_to_expand(limits.plies),
            false => book.main_line_to_expand(limits.plies),
        };
        let Some(next) = next else { break true };
        if observer.stopped() {
            break false;
        }
        go_to(&mut at, &file.book().moves_to(next))?;
        let line = file.book_mut().expand(next, children(&mut at));
        file.append(&line)?;
    };
    file.sync()?;
    Ok(is_grown)
}

/// The data that all searches share.
struct Search<'a> {
    game: &'a AnyGame,
    player: PlayerSpec,
    budget: Budget,
    seed: u64,
}

impl Search<'_> {
    /// Searches the positions that the expansion lacks, and adds each as soon as it is done.
    fn all_missing(&self, file: &mut BookFile, n_threads: u32, observer: &dyn BookObserver) -> Result<(), BookError> {
        let (missing, before) = (file.book().missing(), file.book().moves_to_expansion());
        // The starting position is reached by no move.
        let is_start = file.book().n_positions() == 0;
        let moves_to = |child: &Child| match is_start {
            true => String::new(),
            false => format!("{before} {}", child.mv).trim_start().to_owned(),
        };
        let stop_signal = StopSignal::new();
        let stopped = || observer.stopped() || stop_signal.is_finishing();
        let mut outcome = Ok(());
        drive(
            missing.iter(),
            n_threads as usize,
            &stop_signal,
            |(place, child)| (*place, child, self.search(child, &moves_to(child), &stopped)),
            |(place, child, found)| {
                match found {
                    // A search that was stopped is dropped, and done again by the next call.
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        let line = file.book_mut().add(place, found);
                        outcome = file.append(&line);
                        observer.added(file.book());
                    }
                    Err(fault) => outcome = Err(BookError::Player { moves: moves_to(child), fault }),
                }
                if outcome.is_err() || observer.stopped() { Flow::Stop } else { Flow::Continue }
            },
        );
        outcome
    }

    /// Searches the position after these moves; `None` if it was stopped.
    fn search(&self, child: &Child, moves: &str, stopped: &dyn Fn() -> bool) -> Result<Option<Found>, Fault> {
        if let Some(end) = child.end {
            return Ok(Some(Found { value: BookValue::of_end(end), best: None }));
        }
        let text = |err: TextError| Fault::Crashed(err.to_string());
        let mut session = self.game.open(Opening::Moves(moves)).map_err(text)?;
        let seat = session.seat(&self.player, mix(self.seed ^ child.key)).map_err(text)?;
        let analysis = session.choose(seat, &self.budget.first_limits(), &mut StopWhen(stopped))?;
        if stopped() {
            return Ok(None);
        }
        let best = analysis.best.clone().ok_or_else(|| Fault::Crashed("no move".to_owned()))?;
        let best = session.play(&best).map_err(text)?;
        let value = BookValue::found(&analysis, child.mover);
        Ok(Some(Found { value, best: Some((best, session.position_key())) }))
    }
}
