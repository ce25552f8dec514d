//! Analysis for a viewer: `POST /api/analysis` and its events.

use std::sync::{Arc, Weak};
use std::time::Duration;

use banyan_catalog::view::Analysis;
use banyan_catalog::{AnalysisObserver, LEVELS, MoveProofs, PlayerSpec, StopWhen};
use banyan_core::{Flow, Limits};
use serde::Deserialize;

use crate::app::App;
use crate::asked::{Asked, Questions, answer_all};
use crate::events::{Message, Reporter, Stop, Work};
use crate::jobs::Pace;
use crate::player::{budget, finite_budget};
use crate::progress::{AnalysisView, Throttle};
use crate::refusal::Refusal;
use crate::spot::Spot;
use crate::viewers::Kept;

/// The default budget of a move.
const USUAL_BUDGET: &str = "1s";
/// Maximum length of the token of a viewer in bytes.
const MOST_TOKEN: usize = 100;
/// Maximum time of a quick search.
const QUICK: Duration = Duration::from_millis(50);
/// Players that answer immediately, besides the levels.
const QUICK_PLAYERS: [&str; 2] = ["random", "greedy"];

/// A requested search.
#[derive(Deserialize)]
pub(crate) struct Query {
    spot: Spot,
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    budget: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    /// Number of moves with a value instead of a bound; all unless given.
    #[serde(default)]
    lines: Option<u32>,
    /// Token of the viewer, whose next analysis reuses the tree.
    #[serde(default)]
    keep: Option<String>,
}

/// The condition that ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Its budget, or without one its viewer.
    BudgetOrViewer,
    /// Its budget, as for a move in a game.
    Budget,
}

/// A search that has not begun.
pub(crate) struct Prepared {
    pub(crate) work: Work,
    pub(crate) stop: Stop,
    pub(crate) pace: Pace,
    pub(crate) asked: Asked,
}

/// Checks a request, and turns it into work that begins when its events are read.
pub(crate) fn prepare(app: &Arc<App>, query: Query, end: End) -> Result<Prepared, Refusal> {
    let session = query.spot.open(&app.offer.catalog)?;
    let player = app.offer.player(&session, query.player.as_deref())?;
    let mut limits = match (query.budget.as_deref(), end) {
        (None, End::Budget) => finite_budget(USUAL_BUDGET, &player)?.first_limits(),
        (Some(text), End::Budget) => finite_budget(text, &player)?.first_limits(),
        (text, End::BudgetOrViewer) => budget(text, &player)?,
    };
    // Somebody looks at all moves of an analysis, and only at the best one of a move in a game.
    if end == End::BudgetOrViewer {
        limits.lines = Some(query.lines.unwrap_or(Limits::ALL_LINES).max(1));
    }
    let kept = match query.keep.as_deref() {
        None | Some("") => None,
        Some(token) if token.len() <= MOST_TOKEN => Some(app.viewers.get(token, app.offer.limits.sessions)?),
        Some(_) => {
            return Err(Refusal::input(format!("keep: expected at most {MOST_TOKEN} bytes; try a random number")));
        }
    };
    let pace = pace(&query, &player, &limits);
    let viewer = kept.as_ref().map_or_else(Weak::new, Arc::downgrade);
    let (stop, questions) = (Stop::default(), Arc::new(Questions::default()));
    let asked = Asked {
        questions: Arc::clone(&questions),
        viewer: viewer.clone(),
        keeps_tree: player.keeps_its_search(),
        position: session.position(),
        moves: session.history().len(),
    };
    let (app, work_stop, seed) = (Arc::clone(app), stop.clone(), query.seed.unwrap_or(1));
    let work = move |reporter: &Reporter| {
        // A viewer that was dropped since then searches with a temporary tree.
        let viewer = viewer.upgrade().unwrap_or_default();
        viewer.replace_search(&work_stop);
        let search = |kept: &mut Kept| {
            questions.open();
            let ended = Search { reporter, questions: &questions, player: &player }.run(kept, &limits);
            answer_all(questions.close(), &kept.session, kept.seat);
            ended
        };
        viewer.search(&app.offer.catalog, (&query.spot, &player, seed), search)
    };
    Ok(Prepared { work: Box::new(work), stop, pace, asked })
}

/// Quick are the levels, which have small budgets, and players with a very short time. A kept tree may be in use by a
/// long search, an engine may be slow, and other settings and budgets can take any time.
fn pace(query: &Query, player: &PlayerSpec, limits: &Limits) -> Pace {
    let is_level = query.player.as_deref().is_some_and(|name| LEVELS.contains(&name) || QUICK_PLAYERS.contains(&name));
    let is_short = limits.time.is_some_and(|time| time <= QUICK) && player.threads() == 1;
    let is_alone = query.keep.as_deref().unwrap_or_default().is_empty() && player.engines().is_empty();
    if is_alone && (is_level || is_short) { Pace::Quick } else { Pace::Long }
}

/// A search that pauses for requests of its tree.
struct Search<'a> {
    reporter: &'a Reporter,
    questions: &'a Questions,
    player: &'a PlayerSpec,
}

impl Search<'_> {
    fn run(&self, kept: &mut Kept, limits: &Limits) -> Result<Message, Refusal> {
        if let Some(verdict) = kept.session.verdict() {
            return Ok(Message::new("done", &AnalysisView::new(verdict)));
        }
        let reporter = self.reporter;
        let mut proofs =
            MoveProofs::quick(&mut kept.session, self.player, limits, &mut StopWhen(|| reporter.stopped()));
        let limits_of_search = proofs.limits_of_search(limits);
        let (mut before, mut throttle) = (None::<Analysis>, Throttle::default());
        loop {
            let left = before.as_ref().map_or(limits_of_search, |before| left(&limits_of_search, before));
            let mut observer =
                Observer { search: self, before: before.as_ref(), proofs: &proofs, throttle: &mut throttle };
            let found = kept.session.choose(kept.seat, &left, &mut observer);
            let found = found.map_err(|fault| Refusal::input(format!("player {}: {fault}", self.player)))?;
            let mut found = added(before.as_ref(), &found);
            let questions = self.questions.take();
            let paused = !questions.is_empty() && !reporter.stopped() && !is_over(&limits_of_search, &found);
            answer_all(questions, &kept.session, kept.seat);
            if !paused {
                // Questions about the tree do not wait for the proof.
                let mut ends = StopWhen(|| reporter.stopped() || self.questions.is_waiting());
                proofs.finish(&kept.session, limits, &mut found, &mut ends);
                return Ok(Message::new("done", &AnalysisView::new(found)));
            }
            before = Some(found);
        }
    }
}

/// Reports the progress of a search, and pauses it for requests of its tree.
struct Observer<'a> {
    search: &'a Search<'a>,
    before: Option<&'a Analysis>,
    proofs: &'a MoveProofs,
    throttle: &'a mut Throttle,
}

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        self.search.reporter.stopped() || self.search.questions.is_waiting()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.throttle.is_due() {
            let mut analysis = added(self.before, analysis);
            self.proofs.add_to(&mut analysis);
            self.search.reporter.send(Message::new("progress", &AnalysisView::new(analysis)));
        }
        Flow::Continue
    }
}

/// The totals of a search, of which `now` is the part since the last pause.
fn added(before: Option<&Analysis>, now: &Analysis) -> Analysis {
    let Some(before) = before else { return now.clone() };
    Analysis {
        playouts: before.playouts + now.playouts,
        reused: before.reused,
        elapsed_ms: before.elapsed_ms + now.elapsed_ms,
        cpu_ms: before.cpu_ms + now.cpu_ms,
        ..now.clone()
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
