//! The arguments of `go`: the search limits.

use std::time::Duration;

use banyan_catalog::Budget;
use banyan_core::{Clock, Limits, Side, TextError};

use crate::process::quoted;

/// The longest time accepted, equivalent to no limit.
const LONGEST: Duration = Duration::from_secs(10_000_000);
/// The largest depth accepted, as in a budget.
const DEEPEST: u64 = 1000;

/// The limits of `go`.
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
    /// Reads the words after `go`. Without any there is no limit. A negative clock time means that no time is left.
    ///
    /// # Errors
    /// A word or a number that is not of these limits, so that no intended limit is lost.
    pub(super) fn read(text: &str) -> Result<Go, TextError> {
        let mut go = Go::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut next = || Given { limit: word, value: words.next().unwrap_or_default() };
            match word {
                "p1time" => go.clocks[0] = Some(next().time_left()?),
                "p2time" => go.clocks[1] = Some(next().time_left()?),
                "p1inc" => go.increments[0] = next().time(0)?,
                "p2inc" => go.increments[1] = next().time(0)?,
                "movetime" => go.movetime = Some(next().time(1)?),
                "nodes" => go.nodes = Some(next().number(1)?),
                "playouts" => go.playouts = Some(next().number(1)?),
                "depth" => go.depth = Some(next().number(1)?.min(DEEPEST) as u32),
                "infinite" => go.infinite = true,
                _ => {
                    let known = "expected p1time, p2time, p1inc, p2inc, movetime, nodes, playouts, depth or infinite";
                    return Err(TextError::new(format!("go {}", quoted(word)), known, "try go movetime 1000"));
                }
            }
        }
        go.infinite |= go == Go::default();
        Ok(go)
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

/// A limit and its value, which is empty if missing.
struct Given<'t> {
    limit: &'t str,
    value: &'t str,
}

impl Given<'_> {
    /// A whole number of at least `min`.
    fn number(&self, min: u64) -> Result<u64, TextError> {
        self.value.parse().ok().filter(|&number| number >= min).ok_or_else(|| {
            let expected = format!("expected a whole number of at least {min}");
            self.wrong(&expected, &format!("try go {} 1000", self.limit))
        })
    }

    /// Milliseconds.
    fn time(&self, min: u64) -> Result<Duration, TextError> {
        self.value.parse().ok().filter(|&ms| ms >= min).map(|ms| Duration::from_millis(ms).min(LONGEST)).ok_or_else(
            || {
                let expected = format!("expected milliseconds, a whole number of at least {min}");
                self.wrong(&expected, &format!("try go {} 1000", self.limit))
            },
        )
    }

    fn time_left(&self) -> Result<Duration, TextError> {
        let has_run_over = self.value.parse().is_ok_and(|ms: i64| ms < 0);
        if has_run_over { Ok(Duration::ZERO) } else { self.time(0) }
    }

    fn wrong(&self, expected: &str, remedy: &str) -> TextError {
        let found = if self.value.is_empty() { "nothing".to_owned() } else { quoted(self.value) };
        TextError::new(format!("go {} {found}", self.limit), expected, remedy)
    }
}

/// The budget with these limits, to check that it ends a player's search.
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
        let limits = |text, side| Go::read(text).expect(text).limits(side, ms(10));
        assert_eq!(limits("movetime 100", Side::First), Limits::time(ms(90)));
        assert_eq!(limits(" movetime\t3 ", Side::First), Limits::time(ms(1)));
        assert_eq!(limits("nodes 5 playouts 6 depth 9999", Side::First).depth, Some(1000));
        let clock = limits("p1time 1000 p2time 2000 p1inc 30 p2inc 40", Side::Second).clock;
        assert_eq!(clock, Some(Clock { own: ms(1990), other: ms(1000), increment: ms(40) }));
        let run_over = limits("p1time -20 p2time 0", Side::First).clock;
        assert_eq!(run_over, Some(Clock { own: ms(1), other: ms(0), increment: ms(0) }));
        for endless in ["", " \t", "infinite", "infinite nodes 5"] {
            assert_eq!(limits(endless, Side::First), Limits::default(), "{endless}");
            assert!(Go::read(endless).is_ok_and(|go| go.infinite), "{endless}");
        }
        let longest = limits("movetime 18446744073709551615", Side::First).time;
        assert_eq!(longest, Some(LONGEST - ms(10)));
    }

    #[test]
    fn a_limit_that_cannot_be_read_is_an_error() {
        for (text, expected) in [
            (
                "movetime 100ms",
                "go movetime \"100ms\": expected milliseconds, a whole number of at least 1; try go movetime ",
            ),
            ("movetime", "go movetime nothing: expected milliseconds"),
            ("movetime 0", "go movetime \"0\""),
            ("movetime -5 nodes 7", "go movetime \"-5\""),
            ("movetime 1e3", "go movetime"),
            ("movetime NaN", "go movetime"),
            ("movetime 99999999999999999999", "go movetime"),
            ("p1time x p2time 5", "go p1time \"x\": expected milliseconds, a whole number of at least 0"),
            ("p1time 5 p1inc -1", "go p1inc \"-1\""),
            ("nodes 0", "go nodes \"0\": expected a whole number of at least 1; try go nodes 1000"),
            ("nodes", "go nodes nothing"),
            ("nodes infinite", "go nodes \"infinite\""),
            ("playouts 7.5", "go playouts \"7.5\""),
            ("depth -1", "go depth \"-1\""),
            ("depth 0", "go depth \"0\""),
            ("infinite junk", "go \"junk\": expected p1time, p2time, p1inc, p2inc, movetime, "),
            ("wtime 1000 btime 1000", "go \"wtime\""),
            ("100", "go \"100\""),
        ] {
            let err = Go::read(text).expect_err(text).to_string();
            assert!(err.starts_with(expected) && !err.contains('\n'), "{text}: {err}");
        }
    }
}
