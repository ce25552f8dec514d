//! A search by a player: the analysis of a position, or the move of an opponent.

use std::time::Duration;

use banyan_catalog::view::Analysis;
use banyan_catalog::{AnalysisObserver, LEVELS, MoveProofs, PlayerSpec, Session, StopWhen};
use banyan_core::{Flow, Limits};
use serde::{Deserialize, Serialize};

use crate::kept::{Kept, SearchTree};
use crate::offer::{Offer, budget, finite_budget};
use crate::refusal::Refusal;
use crate::sink::{Sink, Step};
use crate::spot::Spot;

/// The default budget of a move.
const USUAL_BUDGET: &str = "1s";
/// Maximum time of a quick search.
const QUICK: Duration = Duration::from_millis(50);
/// Players that answer immediately, besides the levels.
const QUICK_PLAYERS: [&str; 2] = ["random", "greedy"];

/// A requested search.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SearchRequest {
    /// The position.
    pub spot: Spot,
    /// The player; the default one unless given.
    pub player: Option<String>,
    /// The budget; none, or for a move 1s, unless given.
    pub budget: Option<String>,
    /// The random seed; 1 unless given.
    pub seed: Option<u64>,
    /// Number of moves with a value instead of a bound; all unless given.
    pub lines: Option<u32>,
    /// Names the [`Kept`] player and tree with which the search continues; the transport has one for each name.
    pub keep: Option<String>,
}

/// The condition that ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its budget, or without one its viewer: an analysis.
    BudgetOrViewer,
    /// Its budget: a move in a game.
    Budget,
}

/// An [`Analysis`] with its speed, so far or at the end of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisView {
    /// The analysis.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Playouts per second; for alpha-beta positions per second.
    pub rate: f64,
}

impl AnalysisView {
    fn new(analysis: Analysis) -> AnalysisView {
        let n = if analysis.depth.is_some() { analysis.nodes } else { analysis.playouts };
        let rate = if analysis.elapsed_ms > 0.0 { n as f64 / analysis.elapsed_ms * 1000.0 } else { 0.0 };
        AnalysisView { rate: rate.round(), analysis }
    }
}

/// A search that has not begun.
pub struct Search {
    session: Session,
    player: PlayerSpec,
    limits: Limits,
    seed: u64,
    is_quick: bool,
}

impl Search {
    /// Checks a request.
    ///
    /// # Errors
    /// A position, a player or a budget that is invalid, or above the limits of the offer.
    pub fn new(offer: &Offer, request: &SearchRequest, end: End) -> Result<Search, Refusal> {
        let session = request.spot.open_to_search(offer)?;
        let player = offer.player(&session, request.player.as_deref())?;
        let mut limits = match (request.budget.as_deref(), end) {
            (text, End::Budget) => finite_budget(text.unwrap_or(USUAL_BUDGET), &player)?.first_limits(),
            (text, End::BudgetOrViewer) => budget(text, &player)?,
        };
        // Somebody looks at all moves of an analysis, and only at the best one of a move in a game.
        if end == End::BudgetOrViewer {
            limits.lines = Some(request.lines.unwrap_or(Limits::ALL_LINES).max(1));
        }
        let is_level =
            request.player.as_deref().is_some_and(|name| LEVELS.contains(&name) || QUICK_PLAYERS.contains(&name));
        let is_short = limits.time.is_some_and(|time| time <= QUICK) && player.threads() == 1;
        let is_quick = (is_level || is_short) && player.engines().is_empty();
        Ok(Search { session, player, limits, seed: request.seed.unwrap_or(1), is_quick })
    }

    /// Whether it takes a few milliseconds, unless it waits for a kept tree. Quick are the levels, which have small
    /// budgets, and players with a very short time; an engine may be slow, and other settings and budgets can take any
    /// time.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Its tree, for requests while it runs and afterwards.
    pub fn tree(&self) -> SearchTree {
        SearchTree::new(&self.session, self.player.keeps_its_search())
    }

    /// Begins it with the kept tree if that fits the position, or with a new one.
    ///
    /// # Errors
    /// The player does not support the game.
    pub fn begin(self, kept: Option<Kept>) -> Result<(Kept, RunningSearch), Refusal> {
        let Search { session, player, limits, seed, .. } = self;
        let kept = Kept::at(kept, session, &player, seed)?;
        Ok((kept, RunningSearch { player, limits, proofs: None, found: None, is_searched: false }))
    }
}

/// A search that has begun. It can be paused: a Monte Carlo search on one thread continues as without the pause, one on several threads
/// begins again with its tree, others from what they have in their tables.
pub struct RunningSearch {
    player: PlayerSpec,
    limits: Limits,
    /// The proofs of the moves, once it has run.
    proofs: Option<MoveProofs>,
    /// The result up to the last pause.
    found: Option<Analysis>,
    /// Whether only proofs are left.
    is_searched: bool,
}

impl RunningSearch {
    /// Runs it, with the tree with which it began, until it has ended or is paused. A proof after the search is not
    /// paused but ended.
    ///
    /// # Errors
    /// The player gave no move.
    pub fn step(&mut self, kept: &mut Kept, sink: &dyn Sink<AnalysisView>) -> Result<Step<AnalysisView>, Refusal> {
        if let Some(verdict) = kept.session.verdict() {
            return Ok(Step::Done(AnalysisView::new(verdict)));
        }
        let RunningSearch { player, limits, proofs, found, is_searched } = self;
        let proofs = proofs.get_or_insert_with(|| {
            MoveProofs::quick(&mut kept.session, player, limits, &mut StopWhen(|| sink.is_stopped()))
        });
        if !*is_searched {
            let limits = proofs.limits_of_search(limits);
            let mut observer =
                Observer { sink, before: found.as_ref(), proofs, is_resumed: true, is_ended: false, is_kept: false };
            let resumed = found.as_ref().and_then(|_| kept.session.resume(kept.seat, &mut observer));
            observer.is_resumed = resumed.is_some();
            let now = resumed.unwrap_or_else(|| {
                let left = observer.before.map_or(limits, |before| left(&limits, before));
                kept.session.choose(kept.seat, &left, &mut observer)
            });
            let now = now.map_err(|fault| Refusal::input(format!("player {player}: {fault}")))?;
            let Observer { is_ended, is_kept, .. } = observer;
            let now = found.insert(observer.added(&now));
            let is_paused = sink.is_paused() && !sink.is_stopped();
            let has_more = is_ended && (is_kept || !is_over(&limits, now));
            *is_searched = !is_paused || !has_more;
            if is_paused {
                // In short parts no progress is reported within them.
                if sink.is_due() {
                    let mut analysis = now.clone();
                    proofs.add_to(&mut analysis);
                    sink.send(AnalysisView::new(analysis));
                }
                return Ok(Step::Paused);
            }
        }
        let mut found = found.take().expect("it has searched");
        let mut ends = StopWhen(|| sink.is_stopped() || sink.ends_proofs());
        proofs.finish(&kept.session, limits, &mut found, &mut ends);
        Ok(Step::Done(AnalysisView::new(found)))
    }
}

/// Reports the progress of a search, and pauses or ends it.
struct Observer<'a> {
    sink: &'a dyn Sink<AnalysisView>,
    before: Option<&'a Analysis>,
    proofs: &'a MoveProofs,
    /// Whether the search is the one before the pause, and reports its totals.
    is_resumed: bool,
    /// Whether `stopped` has returned true.
    is_ended: bool,
    /// Whether it can be resumed.
    is_kept: bool,
}

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        let is_ended = self.sink.is_stopped() || self.sink.is_paused();
        self.is_ended |= is_ended;
        is_ended
    }

    fn paused(&mut self) -> bool {
        self.is_kept = self.sink.is_paused() && !self.sink.is_stopped();
        self.is_kept
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.sink.is_due() {
            let mut analysis = self.added(analysis);
            self.proofs.add_to(&mut analysis);
            self.sink.send(AnalysisView::new(analysis));
        }
        Flow::Continue
    }
}

impl Observer<'_> {
    /// The totals of the search, of which `now` is the analysis since the last pause.
    fn added(&self, now: &Analysis) -> Analysis {
        let Some(before) = self.before else { return now.clone() };
        let cpu_ms = before.cpu_ms + now.cpu_ms;
        if self.is_resumed {
            return Analysis { cpu_ms, ..now.clone() };
        }
        Analysis {
            playouts: before.playouts + now.playouts,
            reused: before.reused,
            elapsed_ms: before.elapsed_ms + now.elapsed_ms,
            cpu_ms,
            ..now.clone()
        }
    }
}

/// The remaining limits after a pause.
fn left(limits: &Limits, before: &Analysis) -> Limits {
    let elapsed = Duration::from_secs_f64(before.elapsed_ms / 1000.0);
    Limits {
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
        playouts: limits.playouts.map(|n| n.saturating_sub(before.playouts).max(1)),
        nodes: limits.nodes.map(|n| n.saturating_sub(before.nodes).max(1)),
        ..*limits
    }
}

/// Whether a limit is reached.
fn is_over(limits: &Limits, found: &Analysis) -> bool {
    let elapsed = Duration::from_secs_f64(found.elapsed_ms / 1000.0);
    limits.time.is_some_and(|time| elapsed >= time)
        || limits.playouts.is_some_and(|n| found.playouts >= n)
        || limits.nodes.is_some_and(|n| found.nodes >= n)
        || limits.clock.is_some()
}
