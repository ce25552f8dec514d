//! Keeps a search within its limits and tells the watch how it gets on.

use std::time::{Duration, Instant};

use banyan_core::{Flow, Limits, Report, Watch};

use super::stop_condition::StopCondition;
use crate::budget::Share;

/// Positions between two looks at the clock.
const LOOK_EVERY: u64 = 256;
/// Progress is reported this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Limits, watch, and what the watch is told.
pub(super) struct Warden<'a, M> {
    limits: Limits,
    started: Duration,
    share: Option<Share>,
    watch: &'a mut dyn Watch<M>,
    /// How things stood after the last depth or bound.
    pub(super) report: Report<M>,
    last_told: Instant,
    stopped: bool,
}

impl<'a, M: Copy> Warden<'a, M> {
    /// Starts the clock. `report` is what is told until there is better.
    pub(super) fn start(
        limits: &Limits,
        plies_left: u16,
        watch: &'a mut dyn Watch<M>,
        report: Report<M>,
    ) -> Warden<'a, M> {
        Warden {
            limits: *limits,
            started: limits.timer.now(),
            share: Share::of(limits, plies_left),
            watch,
            report,
            last_told: Instant::now(),
            stopped: false,
        }
    }

    /// Time since the start, by the timer of the limits.
    pub(super) fn elapsed(&self) -> Duration {
        self.limits.timer.since(self.started)
    }

    /// Whether another depth is worth beginning. Under a game clock not after half of what a clear choice may take: the
    /// next depth mostly takes longer than all before. Guess, untuned.
    pub(super) fn has_time_for_more(&self) -> bool {
        let left = |share: Share| match self.limits.clock {
            Some(_) => self.elapsed() < share.base / 2,
            None => self.elapsed() < share.most,
        };
        !self.stopped && self.share.is_none_or(left)
    }

    fn is_over(&mut self, nodes: u64, guesses: u64) -> bool {
        let reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        reached(self.limits.nodes, nodes)
            || reached(self.limits.playouts, guesses)
            || self.share.is_some_and(|share| self.elapsed() >= share.most)
            || self.watch.stopped()
            || self.tell(nodes, guesses) == Flow::Stop
    }

    fn tell(&mut self, nodes: u64, guesses: u64) -> Flow {
        if self.last_told.elapsed() < PROGRESS_EVERY {
            return Flow::Continue;
        }
        self.last_told = Instant::now();
        self.report.elapsed = self.elapsed();
        (self.report.nodes, self.report.playouts) = (nodes, guesses);
        self.watch.progress(&self.report)
    }
}

impl<M: Copy> StopCondition for Warden<'_, M> {
    fn ask_again_at(&mut self, nodes: u64, guesses: u64) -> Option<u64> {
        self.stopped |= self.is_over(nodes, guesses);
        let left = |limit: Option<u64>, spent: u64| limit.map_or(u64::MAX, |limit| limit - spent);
        if self.stopped {
            return None;
        }
        let most = left(self.limits.nodes, nodes).min(left(self.limits.playouts, guesses));
        Some(nodes + LOOK_EVERY.min(most))
    }
}
