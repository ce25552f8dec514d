//! The arguments of `go`: the search limits.

use std::time::Duration;

use banyan_catalog::Budget;
use banyan_core::{Clock, Limits, Side};

/// The limits of `go`; invalid numbers are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Time left to both sides.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    movetime: Option<Duration>,
    nodes: Option<u64>,
    playouts: Option<u64>,
    depth: Option<u32>,
    /// Search until `stop`.
    pub(super) infinite: bool,
}

impl Go {
    pub(super) fn read(text: &str) -> Go {
        let mut go = Go::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
            match word {
                "p1time" => go.clocks[0] = number().map(Duration::from_millis),
                "p2time" => go.clocks[1] = number().map(Duration::from_millis),
                "p1inc" => go.increments[0] = number().map_or(Duration::ZERO, Duration::from_millis),
                "p2inc" => go.increments[1] = number().map_or(Duration::ZERO, Duration::from_millis),
                "movetime" => go.movetime = number().map(Duration::from_millis),
                "nodes" => go.nodes = number().filter(|&nodes| nodes > 0),
                "playouts" => go.playouts = number().filter(|&playouts| playouts > 0),
                "depth" => go.depth = number().map(|depth| depth.clamp(1, 1000) as u32),
                "infinite" => go.infinite = true,
                _ => {}
            }
        }
        // `go` without arguments has no limits.
        go.infinite |= go == Go::default();
        go
    }

    /// The limits for `side`, with `overhead` subtracted from its time.
    pub(super) fn limits(&self, side: Side, overhead: Duration) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let less = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
        let clock = self.clocks[side.index()].map(|own| Clock {
            own: less(own),
            other: self.clocks[(!side).index()].unwrap_or_default(),
            increment: self.increments[side.index()],
        });
        Limits {
            time: self.movetime.map(less),
            clock,
            playouts: self.playouts,
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

/// The budget with these limits, to check whether it ends a player's search.
pub(super) fn budget(limits: &Limits) -> Budget {
    let Limits { time, playouts, nodes, depth, .. } = *limits;
    Budget { time, game: limits.clock.map(|clock| clock.own), increment: None, playouts, nodes, depth }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_read() {
        let ms = Duration::from_millis;
        let limits = |text, side| Go::read(text).limits(side, ms(10));
        assert_eq!(limits("movetime 100", Side::First), Limits::time(ms(90)));
        assert_eq!(limits("movetime 3", Side::First), Limits::time(ms(1)));
        assert_eq!(limits("nodes 5 playouts 6 depth 0", Side::First).depth, Some(1));
        let clock = limits("p1time 1000 p2time 2000 p1inc 30 p2inc 40", Side::Second).clock;
        assert_eq!(clock, Some(Clock { own: ms(1990), other: ms(1000), increment: ms(40) }));
        for endless in ["", "infinite", "infinite nodes 5", "nonsense"] {
            assert!(Go::read(endless).infinite, "{endless}");
            assert_eq!(limits(endless, Side::First), Limits::default(), "{endless}");
        }
        assert_eq!(limits("nodes x playouts 7", Side::First), Limits::playouts(7));
        assert_eq!(limits("movetime 99999999999999999999 nodes 1", Side::First).time, None);
    }
}
