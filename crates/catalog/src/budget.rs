//! Budgets as text: `1s`, `playouts=10000`, `15m/game`; several limits are joined by `+`, and the first one reached ends the
//! search. `15m/game+inc=3s` is a game clock with an increment of three seconds; `15m/game+3s` would limit every move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use banyan_core::{Clock, Limits, TextError};

/// Maximum time of a budget; longer ones are probably typing errors.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Maximum count that every accepted notation (such as `1e6`) represents exactly.
const LARGEST: u64 = 1 << 53;

const FORMS: &str =
    "a time (200ms, 1.5s, 2m), playouts=N, nodes=N, depth=N or a game clock (15m/game, 15m/game+inc=3s)";

/// The search limits of a player as given by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time for each move.
    pub time: Option<Duration>,
    /// Time for all moves of a game together.
    pub game: Option<Duration>,
    /// Increment of the game clock after every move; requires `game`.
    pub increment: Option<Duration>,
    /// Playouts for each move.
    pub playouts: Option<u64>,
    /// New nodes for each move.
    pub nodes: Option<u64>,
    /// Plies of lookahead.
    pub depth: Option<u32>,
}

impl Budget {
    /// A budget with only a time per move.
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// A budget with only a number of playouts.
    pub fn playouts(n: u64) -> Budget {
        Budget { playouts: Some(n), ..Budget::default() }
    }

    /// The limits of the next move; `left` is the remaining game time of the side to move and of the opponent, ignored without
    /// a game clock.
    pub fn limits(&self, left: [Duration; 2]) -> Limits {
        let [own, other] = left;
        Limits {
            lines: None,
            time: self.time,
            clock: self.game.map(|_| Clock { own, other, increment: self.increment.unwrap_or_default() }),
            playouts: self.playouts,
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// Checks that searches within it can be repeated: it has a number of nodes, playouts or plies, and no time. The error names
    /// `what`, the thing that the searches make.
    ///
    /// # Errors
    /// It is a time, or has no limit.
    pub fn check_repeatable(&self, what: &str) -> Result<(), TextError> {
        let Budget { playouts, nodes, depth, .. } = *self;
        if *self == (Budget { playouts, nodes, depth, ..Budget::default() }) && *self != Budget::default() {
            return Ok(());
        }
        let expected = format!("expected a number of nodes, playouts or plies, so that {what} can be repeated");
        Err(TextError::new(format!("--budget {self}"), expected, "try nodes=100000"))
    }

    /// The limits of the first move of a game.
    pub fn first_limits(&self) -> Limits {
        self.limits([self.game.unwrap_or_default(); 2])
    }
}

impl FromStr for Budget {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Budget, TextError> {
        let mut budget = Budget::default();
        for part in text.split('+') {
            budget.add(part.trim(), text)?;
        }
        if budget.increment.is_some() && budget.game.is_none() {
            let expected = "expected a game clock beside an increment";
            return Err(TextError::new(text, expected, "add a game clock, as in 15m/game+inc=3s"));
        }
        // Clocks without an increment are often written with one of 0.
        budget.increment = budget.increment.filter(|increment| !increment.is_zero());
        Ok(budget)
    }
}

impl Budget {
    fn add(&mut self, part: &str, whole: &str) -> Result<(), TextError> {
        let twice = |kind: &str| {
            let expected = format!("expected one limit on {kind}, found two");
            TextError::new(whole, expected, "remove one of them")
        };
        if let Some((key, value)) = part.split_once('=') {
            if key.trim() == "inc" {
                let increment = parse_span(part, value)?;
                return set_once(&mut self.increment, increment).map_err(|()| twice("the increment"));
            }
            if key.trim() == "depth" && value.trim().parse() == Ok(0) {
                return Err(TextError::new(part, "expected at least 1 ply", "try depth=8"));
            }
            let number = parse_count(part, value)?;
            return match key.trim() {
                "playouts" => set_once(&mut self.playouts, number).map_err(|()| twice("playouts")),
                "nodes" => set_once(&mut self.nodes, number).map_err(|()| twice("nodes")),
                "depth" => {
                    let depth = u32::try_from(number).ok().filter(|&depth| depth <= 1000);
                    let depth =
                        depth.ok_or_else(|| TextError::new(part, "expected at most 1000 plies", "try depth=8"))?;
                    set_once(&mut self.depth, depth).map_err(|()| twice("depth"))
                }
                _ => Err(unknown(part)),
            };
        }
        match part.strip_suffix("/game") {
            Some(time) => set_once(&mut self.game, parse_time(part, time)?).map_err(|()| twice("the time per game")),
            None => set_once(&mut self.time, parse_time(part, part)?).map_err(|()| twice("the time per move")),
        }
    }
}

fn set_once<T>(slot: &mut Option<T>, value: T) -> Result<(), ()> {
    if slot.is_some() {
        return Err(());
    }
    *slot = Some(value);
    Ok(())
}

fn unknown(part: &str) -> TextError {
    TextError::new(if part.is_empty() { "an empty budget" } else { part }, format!("expected {FORMS}"), "try 1s")
}

/// A whole number, also in the form `1e6`.
fn parse_count(part: &str, value: &str) -> Result<u64, TextError> {
    let value = value.trim();
    let wrong = |expected: &str| TextError::new(part, expected, "try a number such as 10000 or 1e6");
    let number = match value.parse::<u64>() {
        Ok(number) => number,
        Err(_) => {
            let number: f64 = value.parse().map_err(|_| wrong("expected a whole number"))?;
            if !number.is_finite() || number < 0.0 || number.fract() != 0.0 {
                return Err(wrong("expected a whole number of at least 1"));
            }
            // Saturates; saturated values are rejected below.
            number as u64
        }
    };
    match number {
        0 => Err(wrong("expected at least 1")),
        1..=LARGEST => Ok(number),
        _ => Err(wrong("expected at most 9e15")),
    }
}

/// A time above zero.
fn parse_time(part: &str, text: &str) -> Result<Duration, TextError> {
    let time = parse_span(part, text)?;
    if time.is_zero() {
        return Err(TextError::new(part, "expected a time above zero", "use a time such as 1s or 200ms"));
    }
    Ok(time)
}

/// A decimal number and its unit; 0 needs none.
fn parse_span(part: &str, text: &str) -> Result<Duration, TextError> {
    let text = text.trim();
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').ok_or_else(|| unknown(part))?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(unknown(part)),
    };
    let number: f64 = number.trim().parse().map_err(|_| unknown(part))?;
    if number.is_sign_negative() {
        return Err(TextError::new(part, "expected a time above zero", "remove the minus sign"));
    }
    let time = Duration::try_from_secs_f64(number * seconds).ok().filter(|&time| time <= LONGEST);
    time.ok_or_else(|| TextError::new(part, "expected at most 30 days", "use a shorter time"))
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.time.map(print_time),
            self.game.map(|time| format!("{}/game", print_time(time))),
            self.increment.map(|time| format!("inc={}", print_time(time))),
            self.playouts.map(|n| format!("playouts={n}")),
            self.nodes.map(|n| format!("nodes={n}")),
            self.depth.map(|n| format!("depth={n}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("+"))
    }
}

fn print_time(time: Duration) -> String {
    let (seconds, nanos) = (time.as_secs(), time.subsec_nanos());
    match (seconds, nanos) {
        (_, 0) if seconds % 60 == 0 => format!("{}m", seconds / 60),
        (_, 0) => format!("{seconds}s"),
        (0, _) if nanos % 1_000_000 == 0 => format!("{}ms", nanos / 1_000_000),
        _ => format!("{}s", format!("{seconds}.{nanos:09}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Budget, printed: &str) {
        let budget: Budget = text.parse().unwrap_or_else(|err| panic!("{text}: {err}"));
        assert_eq!(budget, expected, "{text}");
        assert_eq!(budget.to_string(), printed, "{text}");
    }

    #[test]
    fn every_form_is_read() {
        let none = Budget::default();
        check("1s", Budget::time(Duration::from_secs(1)), "1s");
        check("200ms", Budget::time(Duration::from_millis(200)), "200ms");
        check("1.5s", Budget::time(Duration::from_millis(1500)), "1.5s");
        check("2m", Budget::time(Duration::from_secs(120)), "2m");
        check("120s", Budget::time(Duration::from_secs(120)), "2m");
        check("playouts=10000", Budget { playouts: Some(10_000), ..none }, "playouts=10000");
        check("nodes=1e6", Budget { nodes: Some(1_000_000), ..none }, "nodes=1000000");
        check("depth=8", Budget { depth: Some(8), ..none }, "depth=8");
        check("15m/game", Budget { game: Some(Duration::from_secs(900)), ..none }, "15m/game");
        let (game, increment) = (Some(Duration::from_secs(900)), Some(Duration::from_secs(3)));
        check("inc=3s+15m/game", Budget { game, increment, ..none }, "15m/game+inc=3s");
        for no_increment in ["15m/game+inc=0s", "inc=0ms+15m/game", "15m/game+inc=0"] {
            check(no_increment, Budget { game, ..none }, "15m/game");
        }
        let both = Budget { time: Some(Duration::from_secs(1)), playouts: Some(500), ..none };
        check("playouts=500+1s", both, "1s+playouts=500");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("0s", "zero"),
            ("playouts=0", "expected at least 1"),
            ("1e-12s", "zero"),
            ("1s+2s", "two"),
            ("nodes=5+nodes=6", "two"),
            ("1m/game+2m/game", "two"),
            ("inc=3s", "game clock"),
            ("1m/game+inc=1s+inc=2s", "two"),
            ("1m/game+inc=0s+inc=1s", "two"),
            ("inc=0s", "game clock"),
            ("1m/game+inc=-1s", "minus"),
            ("0", "zero"),
            ("0/game", "zero"),
            ("", "empty"),
            ("1s+", "empty"),
            ("5", "expected a time"),
            ("5 parsecs", "expected a time"),
            ("visits=5", "expected a time"),
            ("-1s", "minus"),
            ("playouts=-5", "at least 1"),
            ("playouts=NaN", "at least 1"),
            ("playouts=inf", "at least 1"),
            ("playouts=many", "whole number"),
            ("playouts=1.5", "whole number"),
            ("nodes=1e300", "9e15"),
            ("nodes=99999999999999999999", "9e15"),
            ("NaNs", "expected a time"),
            ("1e300s", "30 days"),
            ("depth=5000", "1000 plies"),
            ("depth=0", "at least 1 ply"),
        ] {
            let err = text.parse::<Budget>().expect_err(text).to_string();
            assert!(err.contains(part), "{text}: {err}");
            assert!(!err.ends_with('.') && !err.contains('\n'), "{text}: {err}");
        }
    }

    #[test]
    fn a_game_clock_becomes_the_time_left() {
        let budget: Budget = "1s+15m/game".parse().expect("a budget");
        let limits = budget.limits([Duration::from_secs(10), Duration::from_secs(20)]);
        let clock = limits.clock.expect("a clock");
        assert_eq!((clock.own.as_secs(), clock.other.as_secs()), (10, 20));
        assert_eq!(budget.first_limits().clock.expect("a clock").own.as_secs(), 900);
        let growing: Budget = "15m/game+inc=3s".parse().expect("a budget");
        assert_eq!(growing.first_limits().clock.expect("a clock").increment.as_secs(), 3);
        assert_eq!(Budget::time(Duration::from_secs(1)).first_limits().clock, None);
    }

    fn durations() -> impl Strategy<Value = Option<Duration>> {
        proptest::option::of((1u64..2_592_000_000).prop_map(Duration::from_millis))
    }

    proptest! {
        #[test]
        fn reading_what_was_printed_gives_the_same_budget(
            time in durations(),
            game in durations(),
            increment in durations(),
            playouts in proptest::option::of(1u64..=LARGEST),
            nodes in proptest::option::of(1u64..=LARGEST),
            depth in proptest::option::of(1u32..=1000),
        ) {
            let increment = increment.filter(|_| game.is_some());
            let budget = Budget { time, game, increment, playouts, nodes, depth };
            prop_assume!(budget != Budget::default());
            prop_assert_eq!(budget.to_string().parse::<Budget>(), Ok(budget));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[-+=0-9a-z./ ]{0,20}") {
            let _ = text.parse::<Budget>();
        }
    }
}
