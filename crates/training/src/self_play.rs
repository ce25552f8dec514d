//! Games that Banyan plays against itself, on several threads.

use banyan_arena::{InOrder, StopSignal, drive};
use banyan_catalog::learnable::{DRAWN, EXPECTED, NEXT, NUMBER, PROVEN, VISITS};
use banyan_catalog::view::Analysis;
use banyan_catalog::{Catalog, StopWhen};
use banyan_core::{Fault, Flow, Margin, Rng, Side, TextError, mix};
use banyan_inference::Target;

use crate::TrainingObserver;
use crate::error::TrainingError;
use crate::folder::TrainingFolder;
use crate::plan::{Parts, TrainingPlan};

/// Plays the games that the folder lacks on `n_threads` threads, at least one. Each game follows from its number and the plan alone;
/// they are written in the order of their numbers. Returns whether all are played; otherwise the observer stopped it.
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
    let stop_signal = StopSignal::new();
    let (part, n_games) = (plan.part()?, plan.games_of_part()?);
    observer.played(folder.n_games(), n_games);
    let games = SelfPlay { plan: &plan, parts: &parts, stopped: &|| observer.stopped() || stop_signal.is_finishing() };
    let numbers = || (folder.n_games()..n_games).map(move |i| part.index + i * part.of);
    let (mut in_order, missing, mut outcome) = (InOrder::new(numbers()), numbers(), Ok(()));
    drive(
        missing,
        n_threads as usize,
        &stop_signal,
        |&number| (number, games.play(number)),
        |(number, played)| {
            match played {
                // A game that was stopped is dropped, and played again by the next call.
                Ok(None) => {}
                Ok(Some(line)) => in_order.arrive(number, line, |_, line| {
                    outcome = folder.append(&line);
                    observer.played(folder.n_games(), n_games);
                    if outcome.is_err() { Flow::Stop } else { Flow::Continue }
                }),
                Err(fault) => outcome = Err(TrainingError::Player { game: number + 1, fault }),
            }
            if outcome.is_err() || observer.stopped() { Flow::Stop } else { Flow::Continue }
        },
    );
    outcome?;
    folder.sync()?;
    Ok(folder.n_games() >= n_games)
}

/// The data that all games share.
struct SelfPlay<'a> {
    plan: &'a TrainingPlan,
    parts: &'a Parts,
    /// Whether a game is to be aborted.
    stopped: &'a (dyn Fn() -> bool + Sync),
}

impl SelfPlay<'_> {
    /// The line of game `number`; `None` if it was stopped.
    fn play(&self, number: u64) -> Result<Option<String>, Fault> {
        let mut rng = Rng::new(mix(self.plan.seed ^ mix(number)));
        let text = |err: TextError| Fault::Crashed(err.to_string());
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
            let found = session.choose(by_opening.unwrap_or(player), &limits, &mut StopWhen(self.stopped))?;
            if (self.stopped)() {
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

    /// The record of a search: the move, if it is drawn by the visits, and the marks of its word.
    fn search(&self, found: &Analysis, mover: Side, is_drawn: bool, rng: &mut Rng) -> (Option<String>, String) {
        let is_policy = self.parts.task.target == Target::Visits;
        let proven = found.proof.and_then(|proof| match self.parts.task.target {
            Target::Points => {
                (proof.lower == proof.upper).then(|| format!("{PROVEN}{}", Margin::won_by(mover, proof.lower).0))
            }
            Target::Result | Target::Visits => proof.outcome().map(|_| PROVEN.to_string()),
        });
        // Rounded to a hundredth of a point.
        let expected = found.margin.filter(|_| self.parts.task.target == Target::Points);
        let expected = expected.map(|margin| format!("{EXPECTED}{:.2}", margin * f64::from(mover.sign())));
        let total: u64 = found.moves.iter().map(|seen| seen.visits).sum();
        if proven.is_some() || total == 0 {
            return (None, proven.or(expected).unwrap_or_default());
        }
        let explore = self.plan.explore;
        let by_visits = (is_drawn || explore > 0 && rng.below(explore) == 0) && found.moves.len() > 1;
        let drawn = by_visits.then(|| draw(found, total, rng));
        let marks = if is_policy {
            let visits = found.moves.iter().map(|seen| format!("{}{NUMBER}{}", seen.mv, seen.visits));
            format!("{VISITS}{}", visits.collect::<Vec<_>>().join(&NEXT.to_string()))
        } else {
            format!("{}{}", if by_visits { DRAWN.to_string() } else { String::new() }, expected.unwrap_or_default())
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
