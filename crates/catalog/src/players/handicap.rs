//! Handicaps, for players of a given strength: a separate budget, and a share of deliberate second-best moves.

use banyan_core::{Limits, TextError};

use super::without::without;
use crate::budget::Budget;

/// The settings of every player but `vote` and external engines, besides the book: name, values and effect.
pub const HANDICAPS: [(&str, &str, &str); 3] = [
    (
        SECOND_BEST,
        "0 .. 1",
        "share of its moves for which it takes the second-best move of its search, at random by its seed; never in place of a \
         move that wins at once",
    ),
    (PLAYOUTS, "off, or a number of playouts", "playouts per move, in place of every limit of the budget but time"),
    (NODES, "off, or a number of nodes", "nodes per move, in place of every limit of the budget but time"),
];

const SECOND_BEST: &str = "second-best";
const PLAYOUTS: &str = "playouts";
const NODES: &str = "nodes";

/// The handicap of a player; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Handicap {
    /// Share of the moves that are the second-best ones, 0 .. 1.
    pub(crate) second_best: f64,
    /// Playouts per move.
    playouts: Option<u64>,
    /// Nodes per move.
    nodes: Option<u64>,
    /// Whether no time per move ends its search; a game clock still does.
    is_timeless: bool,
}

impl Handicap {
    /// Takes the handicap out of `settings` and returns the others.
    ///
    /// # Errors
    /// A value out of range, or a setting given twice.
    pub(crate) fn take(settings: &str) -> Result<(String, Handicap), TextError> {
        let mut handicap = Handicap::default();
        let (settings, share) = without(settings, SECOND_BEST, |_| true)?;
        if let Some(share) = share {
            handicap.second_best = read_share(&share)?;
        }
        let (settings, playouts) = without(&settings, PLAYOUTS, |_| true)?;
        handicap.playouts = playouts.map_or(Ok(None), |count| read_count(PLAYOUTS, &count))?;
        let (settings, nodes) = without(&settings, NODES, |_| true)?;
        handicap.nodes = nodes.map_or(Ok(None), |count| read_count(NODES, &count))?;
        Ok((settings, handicap))
    }

    /// Whether it plays some second-best moves.
    pub(crate) fn errs(&self) -> bool {
        self.second_best > 0.0
    }

    /// The handicap without a time per move, as for levels, which play the same on any machine.
    pub(crate) fn timeless(self) -> Handicap {
        Handicap { is_timeless: true, ..self }
    }

    /// Whether the player has its own budget.
    pub(crate) fn has_budget(&self) -> bool {
        self.playouts.is_some() || self.nodes.is_some()
    }

    /// `budget` with the player's own playouts and nodes instead of all limits but time, or all but a game clock if it is timeless.
    pub(crate) fn budget(&self, budget: &Budget) -> Budget {
        if !self.has_budget() {
            return *budget;
        }
        let time = budget.time.filter(|_| !self.is_timeless);
        Budget { time, playouts: self.playouts, nodes: self.nodes, depth: None, ..*budget }
    }

    /// `limits` with the player's own playouts and nodes instead of all limits but time, or all but a game clock if it is timeless.
    pub(crate) fn limits(&self, limits: &Limits) -> Limits {
        if !self.has_budget() {
            return *limits;
        }
        let time = limits.time.filter(|_| !self.is_timeless);
        Limits { time, playouts: self.playouts, nodes: self.nodes, depth: None, ..*limits }
    }

    /// As settings of the player's text.
    pub(crate) fn parts(&self) -> impl Iterator<Item = String> + use<> {
        let share = (self.second_best > 0.0).then(|| format!("{SECOND_BEST}={}", self.second_best));
        let playouts = self.playouts.map(|count| format!("{PLAYOUTS}={count}"));
        share.into_iter().chain(playouts).chain(self.nodes.map(|count| format!("{NODES}={count}")))
    }
}

fn read_share(text: &str) -> Result<f64, TextError> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| TextError::new(format!("{SECOND_BEST}={text}"), "expected 0 .. 1", "try second-best=0.25"))
}

fn read_count(name: &str, text: &str) -> Result<Option<u64>, TextError> {
    if text == "off" {
        return Ok(None);
    }
    // The parser of budgets also accepts other limits, which are refused here.
    let budget = format!("{name}={text}").parse::<Budget>();
    let count = budget.ok().filter(|_| !text.contains('+')).and_then(|budget| budget.playouts.or(budget.nodes));
    count.map(Some).ok_or_else(|| {
        TextError::new(format!("{name}={text}"), "expected off or a whole number from 1 on", format!("try {name}=1000"))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_per_move_ends_the_search_of_players_but_not_of_levels() {
        let (_, handicap) = Handicap::take("playouts=40").expect("a handicap");
        let budget: Budget = "3s+nodes=9".parse().expect("a budget");
        assert_eq!(handicap.budget(&budget).to_string(), "3s+playouts=40");
        assert_eq!(handicap.timeless().budget(&budget).to_string(), "playouts=40");
        let limits = Limits::time(Duration::from_secs(3));
        assert_eq!(handicap.limits(&limits).time, limits.time);
        assert_eq!(handicap.timeless().limits(&limits), Limits::playouts(40));
        let clock: Budget = "15m/game".parse().expect("a budget");
        assert_eq!(handicap.timeless().budget(&clock).to_string(), "15m/game+playouts=40");
    }
}
