//! Games that Banyan plays against itself, on several threads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::scope;

use banyan_core::{Fault, Margin, Rng, mix};

use super::TrainingObserver;
use super::error::TrainingError;
use super::folder::TrainingFolder;
use super::lesson::{DRAWN, PROVEN};
use super::plan::{Parts, TrainingPlan};
use crate::game_state::Opening;
use crate::registry::Catalog;
use crate::session::AnalysisObserver;

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
        let mut session = self.parts.game.open(Opening::Start).map_err(text)?;
        let opening = session.seat(&self.parts.opening, rng.next_u64()).map_err(text)?;
        let player = session.seat(&self.parts.player, rng.next_u64()).map_err(text)?;
        let [least, most] = self.plan.opening_plies;
        let n_drawn = u32::from(least) + rng.below(u32::from(most - least) + 1);
        let limits = self.parts.budget.first_limits();
        let mut line = String::new();
        for ply in 0.. {
            if session.result().is_some() {
                break;
            }
            let seat = if ply < n_drawn { opening } else { player };
            let found = session.choose(seat, &limits, &mut Watch(self.stop))?;
            if self.stop.load(Relaxed) {
                return Ok(None);
            }
            let proof = found.proof.filter(|proof| proof.lower == proof.upper);
            let exact = proof.map(|proof| Margin::won_by(session.to_move(), proof.lower).0);
            let Some(mv) = found.best else { return Err(Fault::Crashed("no move".to_owned())) };
            let mv = session.play(&mv).map_err(text)?;
            if !line.is_empty() {
                line.push(' ');
            }
            line += &mv;
            if ply < n_drawn {
                line.push(DRAWN);
            } else if let Some(margin) = exact {
                write!(line, "{PROVEN}{margin}").expect("text can always be written to a string");
            }
        }
        Ok(Some(line))
    }
}

/// Ends a search when the games are to stop.
struct Watch<'a>(&'a AtomicBool);

impl AnalysisObserver for Watch<'_> {
    fn stopped(&mut self) -> bool {
        self.0.load(Relaxed)
    }
}
