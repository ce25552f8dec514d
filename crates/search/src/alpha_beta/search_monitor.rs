//! Stops a search at its limits and reports progress to the observer.

use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Flow, Limits, Report, SearchObserver};

use super::stop_condition::StopCondition;
use crate::budget::TimeForMove;

/// Positions between two readings of the clock.
const CHECK_EVERY: u64 = 256;
/// Progress is reported this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Limits, observer, and the report the observer receives.
pub(crate) struct SearchMonitor<'a, M> {
    limits: Limits,
    started: Duration,
    time: Option<TimeForMove>,
    observer: &'a mut dyn SearchObserver<M>,
    /// The report after the last depth or bound.
    pub(crate) report: Report<M>,
    last_progress: Instant,
    stopped: bool,
}

impl<'a, M: Copy> SearchMonitor<'a, M> {
    /// Starts the clock, with this time for the move. `report` is used until there is a better one.
    pub(crate) fn start(
        limits: &Limits,
        time: Option<TimeForMove>,
        observer: &'a mut dyn SearchObserver<M>,
        report: Report<M>,
    ) -> SearchMonitor<'a, M> {
        SearchMonitor {
            limits: *limits,
            started: limits.timer.now(),
            time,
            observer,
            report,
            last_progress: Instant::now(),
            stopped: false,
        }
    }

    /// Time since the start, by the timer of the limits.
    pub(crate) fn elapsed(&self) -> Duration {
        self.limits.timer.since(self.started)
    }

    /// The limit on positions.
    pub(crate) fn most_nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(u64::MAX)
    }

    /// The part of the limits on time and positions that is used after `nodes` positions, 0 without such limits.
    pub(crate) fn used(&self, nodes: u64) -> f64 {
        let of_time = self.time.map_or(0.0, |time| self.elapsed().as_secs_f64() / time.most.as_secs_f64());
        let of_nodes = self.limits.nodes.map_or(0.0, |most| nodes as f64 / most as f64);
        of_time.max(of_nodes)
    }

    /// Whether a limit or the observer has stopped the search.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether to start another depth. With a game clock, not after half of the time of a clear choice: the next depth
    /// mostly takes longer than all earlier ones together. Guess, untuned.
    pub(crate) fn has_time_for_more(&self) -> bool {
        let left = |time: TimeForMove| match self.limits.clock {
            Some(_) => self.elapsed() < time.base / 2,
            None => self.elapsed() < time.most,
        };
        !self.stopped && self.time.is_none_or(left)
    }

    fn is_over(&mut self, nodes: u64, n_evals: u64) -> bool {
        let reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        reached(self.limits.nodes, nodes)
            || reached(self.limits.playouts, n_evals)
            || self.time.is_some_and(|time| self.elapsed() >= time.most)
            || self.observer.stopped()
            || self.report_progress(nodes, n_evals) == Flow::Stop
    }

    fn report_progress(&mut self, nodes: u64, n_evals: u64) -> Flow {
        if self.last_progress.elapsed() < PROGRESS_EVERY {
            return Flow::Continue;
        }
        self.last_progress = Instant::now();
        self.report.elapsed = self.elapsed();
        (self.report.nodes, self.report.playouts) = (nodes, n_evals);
        self.observer.progress(&self.report)
    }
}

impl<M: Copy> StopCondition for SearchMonitor<'_, M> {
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64> {
        self.stopped |= self.is_over(nodes, n_evals);
        let left = |limit: Option<u64>, spent: u64| limit.map_or(u64::MAX, |limit| limit - spent);
        if self.stopped {
            return None;
        }
        let most = left(self.limits.nodes, nodes).min(left(self.limits.playouts, n_evals));
        Some(nodes + CHECK_EVERY.min(most))
    }
}
