//! Games that Banyan plays against itself, on several threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::scope;

use banyan_core::{Fault, Margin, Rng, Side, mix};
use banyan_search::Target;

use super::TrainingObserver;
use super::error::TrainingError;
use super::folder::TrainingFolder;
use super::lesson::{DRAWN, NEXT, NUMBER, PROVEN, VISITS};
use super::plan::{Parts, TrainingPlan};
use crate::registry::Catalog;
use crate::session::AnalysisObserver;
use crate::view::Analysis;

/// Plays the games that the folder lacks on so many threads, at least one. Each game follows from its number and the plan alone;
/// they are written in the order of their numbers. Returns whether all are played, or the observer stopped it.
///
/// # Errors
/// A player failed, or a game cannot be written.
pub fn play_games(
    folder: &mut TrainingFolder,
    catalog: &Catalog,
    n_threads: u32,
    observer: &dyn TrainingObserver,
) -> Result<bool, TrainingError> {
    let plan = folder.plan().clone();
    let parts = plan.parts(catalog)?;
    let next = AtomicU64::new(folder.n_games());
    let stop = AtomicBool::new(false);
    observer.played(folder.n_games(), plan.games);
    let (sender, games) = channel();
    scope(|scope| {
        for _ in 0..n_threads.max(1) {
            let worker = Worker { plan: &plan, parts: &parts, next: &next, stop: &stop, sender: sender.clone() };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut outcome = Ok(());
        // The workers end after the last game, or when they are told to stop.
        loop {
            match games.recv_timeout(ASK_EVERY) {
                Ok((number, Ok(line))) => {
                    early.insert(number, line);
                    while let Some(line) = early.remove(&folder.n_games()).filter(|_| outcome.is_ok()) {
                        outcome = folder.append(&line);
                        observer.played(folder.n_games(), plan.games);
                    }
                }
                Ok((number, Err(fault))) => {
                    outcome = Err(TrainingError::Player { game: number + 1, fault });
                }
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if outcome.is_err() || observer.stopped() {
                stop.store(true, Relaxed);
            }
        }
        outcome
    })?;
    folder.sync()?;
    Ok(folder.n_games() >= plan.games)
}

/// How often the observer is asked whether to stop.
const ASK_EVERY: std::time::Duration = std::time::Duration::from_millis(20);

/// A thread that plays games.
struct Worker<'a> {
    plan: &'a TrainingPlan,
    parts: &'a Parts,
    next: &'a AtomicU64,
    stop: &'a AtomicBool,
    sender: Sender<(u64, Result<String, Fault>)>,
}

impl Worker<'_> {
    fn run(&self) {
        while !self.stop.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.plan.games {
                return;
            }
            let played = self.play(number);
            // A game that was stopped is dropped, and played again by the next call.
            let sent = played.transpose().is_none_or(|line| self.sender.send((number, line)).is_ok());
            if !sent {
                return;
            }
        }
    }

    /// The line of game `number`; `None` if it was stopped.
    fn play(&self, number: u64) -> Result<Option<String>, Fault> {
        let mut rng = Rng::new(mix(self.plan.seed ^ mix(number)));
        let text = |err: banyan_core::TextError| Fault::Crashed(err.to_string());
        let (mut line, mut session) = self.parts.boards.open(&mut rng).map_err(text)?;
        let opening = match &self.parts.opening {
            Some(player) => Some(session.seat(player, rng.next_u64()).map_err(text)?),
            None => None,
        };
        let player = session.seat(&self.parts.player, rng.next_u64()).map_err(text)?;
        let [least, most] = self.plan.opening_plies;
        let n_drawn = u32::from(least) + rng.below(u32::from(most - least) + 1);
        let limits = self.parts.budget.first_limits();
        for ply in 0.. {
            if session.result().is_some() {
                break;
            }
            let is_drawn = ply < n_drawn;
            let by_opening = opening.filter(|_| is_drawn);
            let found = session.choose(by_opening.unwrap_or(player), &limits, &mut Watch(self.stop))?;
            if self.stop.load(Relaxed) {
                return Ok(None);
            }
            let searched = if by_opening.is_some() {
                None
            } else {
                Some(self.search(&found, session.to_move(), is_drawn, &mut rng))
            };
            let (drawn, marks) = searched.unwrap_or((None, DRAWN.to_string()));
            let Some(mv) = drawn.or(found.best) else { return Err(Fault::Crashed("no move".to_owned())) };
            let mv = session.play(&mv).map_err(text)?;
            if !line.is_empty() {
                line.push(' ');
            }
            line += &mv;
            line += &marks;
        }
        Ok(Some(line))
    }

    /// What follows from a search for the record: the move, if it is drawn by the visits, and the marks of its word.
    fn search(&self, found: &Analysis, mover: Side, is_drawn: bool, rng: &mut Rng) -> (Option<String>, String) {
        let is_policy = self.parts.lesson.target == Target::Visits;
        let proven = found.proof.and_then(|proof| match self.parts.lesson.target {
            Target::Points => {
                (proof.lower == proof.upper).then(|| format!("{PROVEN}{}", Margin::won_by(mover, proof.lower).0))
            }
            Target::Result | Target::Visits => {
                let is_decided = proof.lower > 0 || proof.upper < 0 || proof.lower == proof.upper;
                is_decided.then(|| PROVEN.to_string())
            }
        });
        let total: u64 = found.moves.iter().map(|seen| seen.visits).sum();
        if proven.is_some() || total == 0 {
            return (None, proven.unwrap_or_default());
        }
        let explore = self.plan.explore;
        let by_visits = is_drawn || explore > 0 && rng.below(explore) == 0;
        let drawn = by_visits.then(|| draw(found, total, rng));
        let marks = if is_policy {
            let visits = found.moves.iter().map(|seen| format!("{}{NUMBER}{}", seen.mv, seen.visits));
            format!("{VISITS}{}", visits.collect::<Vec<_>>().join(&NEXT.to_string()))
        } else if by_visits {
            DRAWN.to_string()
        } else {
            String::new()
        };
        (drawn, marks)
    }
}

/// A move drawn by its visits, `total` of all moves.
fn draw(found: &Analysis, total: u64, rng: &mut Rng) -> String {
    let mut left = u64::from(rng.below(u32::try_from(total).unwrap_or(u32::MAX)));
    let hit = found.moves.iter().find(|seen| {
        let is_hit = left < seen.visits;
        left = left.saturating_sub(seen.visits);
        is_hit
    });
    hit.expect("a number below the sum of all visits").mv.clone()
}

/// Ends a search when the games are to stop.
struct Watch<'a>(&'a AtomicBool);

impl AnalysisObserver for Watch<'_> {
    fn stopped(&mut self) -> bool {
        self.0.load(Relaxed)
    }
}
