//! Stop conditions: limits, time management and early stops.

mod simulation_rate;
mod time_management;

use std::time::Duration;

use banyan_core::Limits;

use crate::options::{Config, EarlyStop, RootSearch};
use simulation_rate::{CLOCK_EVERY, SimulationRate};
pub(crate) use time_management::TimeForMove;

/// A limit on nodes counts as reached after this number of playouts in a row without a new node: the tree is complete,
/// or full.
const MAX_PLAYOUTS_WITHOUT_NODE: u64 = 100_000;
/// A choice is unclear while the second move has more than this fraction of the visits of the first. Guess, untuned.
const UNCLEAR_RATIO: f64 = 0.7;
/// The simulation rate is used for predictions only after this fraction of the time: a search starts slowly, on a cold
/// cache. Guess, untuned.
const WARM_UP: u32 = 8;
/// No simulation is started that is expected to overrun the time limit by more than this.
const MAX_OVERRUN: Duration = Duration::from_micros(500);

/// Conditions under which a search stops before a limit is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyEnd {
    /// The limits under which a search stops when the most visited move cannot be overtaken any more. The idea, STOP,
    /// was the best of those tried by Baier and Winands 2016 (Time Management for Monte Carlo Tree Search).
    pub(crate) overtaken: EarlyStop,
    /// Simulations in a row with the same most visited move, seen at the checks of the root, after which the search
    /// stops; 0 never.
    pub(crate) on_top: u64,
}

impl EarlyEnd {
    /// The conditions that the settings give.
    pub(crate) fn of(config: &Config) -> EarlyEnd {
        // Sequential halving needs its whole budget.
        let overtaken = if config.root_search == RootSearch::Gumbel { EarlyStop::Never } else { config.early };
        EarlyEnd { overtaken, on_top: config.top.into() }
    }

    /// Only the limits stop a search.
    pub(crate) const NEVER: EarlyEnd = EarlyEnd { overtaken: EarlyStop::Never, on_top: 0 };
}

/// The status of the root's moves, which decides whether more search could change the choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootStatus {
    /// Index of the most visited move.
    pub(crate) most_visited: usize,
    /// Its visits.
    pub(crate) visits: u64,
    /// Visits of the next; 0 if there is none.
    pub(crate) second: u64,
    /// Whether the most visited move also has the best value.
    pub(crate) agreed: bool,
}

impl RootStatus {
    /// The status without any statistics.
    pub(crate) const UNCLEAR: RootStatus = RootStatus { most_visited: 0, visits: 0, second: 0, agreed: false };

    fn is_clear(&self) -> bool {
        self.agreed && self.second as f64 <= UNCLEAR_RATIO * self.visits as f64
    }
}

/// The limits of one search, and what it has spent of them.
pub(crate) struct Budget {
    limits: Limits,
    early: EarlyEnd,
    started: Duration,
    /// The time spent up to a pause.
    paused_at: Duration,
    time: Option<TimeForMove>,
    simulation_rate: SimulationRate,
    /// Time of the next check of the root, if time is limited.
    next_check_at: Duration,
    /// Playouts at the next check of the root, if time is not limited, and of node growth: without a time limit,
    /// decisions are taken at counts that no reading of the clock changes.
    checkpoint: u64,
    /// Nodes, and the playouts at which they last grew.
    last_growth: (u64, u64),
    /// The most visited move, and the playouts at which it became that.
    on_top: Option<(usize, u64)>,
}

impl Budget {
    /// Starts the clock. `plies_left` bounds the length of the rest of the game.
    pub(crate) fn start(limits: &Limits, plies_left: u16, early: EarlyEnd) -> Budget {
        let time = TimeForMove::of(limits, plies_left);
        Budget {
            limits: *limits,
            early,
            started: limits.timer.now(),
            paused_at: Duration::ZERO,
            time,
            simulation_rate: SimulationRate::new(),
            next_check_at: time.map_or(CLOCK_EVERY, |time| time.base.min(CLOCK_EVERY)),
            checkpoint: 0,
            last_growth: (0, 0),
            on_top: None,
        }
    }

    /// Time since the start, by the timer of the limits.
    pub(crate) fn elapsed(&self) -> Duration {
        self.limits.timer.since(self.started)
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Stops the clock.
    pub(crate) fn pause(&mut self) {
        self.paused_at = self.elapsed();
    }

    /// Continues the clock where it was stopped.
    pub(crate) fn resume(&mut self) {
        self.started += self.elapsed().saturating_sub(self.paused_at);
    }

    /// Time left; `None` if time is not limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.most.saturating_sub(self.elapsed()))
    }

    /// The share of the time for a clear choice that is spent; 0 if time is not limited.
    pub(crate) fn time_share(&self) -> f64 {
        let share = |time: TimeForMove| self.elapsed().as_secs_f64() / time.base.as_secs_f64().max(f64::MIN_POSITIVE);
        self.time.map_or(0.0, share)
    }

    /// The number of simulations until the next check, or `None` to stop, given the playouts and new nodes made so far.
    /// `root_status` is called at most once a millisecond, and only if it can matter.
    pub(crate) fn next_stretch(
        &mut self,
        playouts: u64,
        nodes: u64,
        root_status: &dyn Fn() -> RootStatus,
    ) -> Option<u64> {
        let now = self.elapsed();
        self.simulation_rate.read(now, playouts);
        let at_checkpoint = playouts >= self.checkpoint;
        if at_checkpoint {
            self.checkpoint = playouts + (playouts / 16).clamp(16, 1024);
        }
        if self.is_spent(now, playouts, nodes, at_checkpoint) {
            return None;
        }
        if self.is_check_due(now, at_checkpoint) && self.is_decided(now, playouts, nodes, root_status()) {
            return None;
        }
        let pause = self.time.map(|time| if now < time.base { time.base - now } else { time.most - now });
        let most = self.simulations_left(playouts, nodes).min(self.checkpoint - playouts);
        Some(self.simulation_rate.stretch(pause).min(most))
    }

    /// Playouts left before the limit on them.
    pub(crate) fn playouts_left(&self, playouts: u64) -> u64 {
        self.limits.playouts.map_or(u64::MAX, |limit| limit.saturating_sub(playouts))
    }

    /// Simulations left before a limit on playouts or nodes may be reached, when each makes at most one node.
    fn simulations_left(&self, playouts: u64, nodes: u64) -> u64 {
        let by_nodes = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(nodes));
        self.playouts_left(playouts).min(by_nodes)
    }

    fn is_spent(&mut self, now: Duration, playouts: u64, nodes: u64, at_checkpoint: bool) -> bool {
        if at_checkpoint && nodes > self.last_growth.0 {
            self.last_growth = (nodes, playouts);
        }
        let fruitless =
            at_checkpoint && self.limits.nodes.is_some() && playouts - self.last_growth.1 >= MAX_PLAYOUTS_WITHOUT_NODE;
        let too_late =
            |time: TimeForMove| now >= time.most || self.simulation_rate.is_slower_than(time.most - now + MAX_OVERRUN);
        fruitless || self.simulations_left(playouts, nodes) == 0 || self.time.is_some_and(too_late)
    }

    fn is_check_due(&mut self, now: Duration, at_checkpoint: bool) -> bool {
        let Some(time) = self.time else {
            return at_checkpoint && (self.early.on_top > 0 || self.stops_when_out_of_reach());
        };
        let at_base = now >= time.base;
        if now < self.next_check_at || !(at_base || self.early.on_top > 0 || self.stops_when_out_of_reach()) {
            return false;
        }
        self.next_check_at = now + CLOCK_EVERY;
        if !at_base {
            self.next_check_at = self.next_check_at.min(time.base);
        }
        true
    }

    fn stops_when_out_of_reach(&self) -> bool {
        match self.early.overtaken {
            EarlyStop::Never => false,
            EarlyStop::Clock => self.limits.clock.is_some(),
            EarlyStop::Always => true,
        }
    }

    /// Whether the root's moves allow the search to stop.
    fn is_decided(&mut self, now: Duration, playouts: u64, nodes: u64, root_status: RootStatus) -> bool {
        let (_, since) = *self.on_top.insert(
            self.on_top
                .filter(|&(most_visited, _)| most_visited == root_status.most_visited)
                .unwrap_or((root_status.most_visited, playouts)),
        );
        let stayed = self.early.on_top > 0 && playouts - since >= self.early.on_top;
        let enough = self.time.is_some_and(|time| now >= time.base) && root_status.is_clear();
        stayed || enough || self.stops_when_out_of_reach() && self.is_out_of_reach(now, playouts, nodes, root_status)
    }

    /// Whether the second move could not overtake the first even if it got every simulation left.
    fn is_out_of_reach(&self, now: Duration, playouts: u64, nodes: u64, root_status: RootStatus) -> bool {
        let by_count = self.playouts_to_come(playouts, nodes);
        let to_come = |end: Duration| by_count.min(self.simulation_rate.simulations_in(end.saturating_sub(now)));
        let difference = root_status.visits.saturating_sub(root_status.second);
        let Some(time) = self.time.filter(|time| now >= time.base / WARM_UP) else { return by_count < difference };
        if to_come(time.most) < difference {
            return true;
        }
        // Only an unclear choice may take longer than the base time: one that stays clear until then ends there.
        let at_base = RootStatus { second: root_status.second.saturating_add(to_come(time.base)), ..root_status };
        now < time.base && time.base < time.most && at_base.is_clear()
    }

    /// Playouts left before a limit on them or on nodes ends the search, at the current rate of nodes per playout.
    fn playouts_to_come(&self, playouts: u64, nodes: u64) -> u64 {
        let to_limit = self.limits.playouts.map_or(u64::MAX, |limit| limit.saturating_sub(playouts));
        let to_nodes = self.limits.nodes.map_or(u64::MAX, |limit| {
            (limit.saturating_sub(nodes) as f64 * playouts as f64 / nodes.max(1) as f64).ceil() as u64
        });
        to_limit.min(to_nodes)
    }
}

#[cfg(test)]
mod tests;
