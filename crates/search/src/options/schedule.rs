//! Exploration weights and depths by phase of the game.

use std::fmt;
use std::str::FromStr;

use banyan_core::{TextError, TextErrorKind};

use super::tunable::{Tunable, Value};

/// Exploration weights, or depths, at phases from 0, the start, to 1, the end of the longest game, with linear interpolation. Empty
/// if not set. As text: `0:0.5/0.4:0.3/1:0.1`, or `off`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule(Vec<(f32, f32)>);

impl Schedule {
    /// Whether a schedule is set.
    #[inline(always)]
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The weight or depth at a phase.
    pub fn at(&self, phase: f32) -> f32 {
        let next = self.0.iter().position(|&(from, _)| phase < from).unwrap_or(self.0.len() - 1).max(1);
        let ((from, low), (to, high)) = (self.0[next - 1], self.0[next]);
        low + (high - low) * ((phase - from) / (to - from)).clamp(0.0, 1.0)
    }
}

impl Value for Schedule {
    fn read(text: &str, row: &Tunable) -> Result<Schedule, TextError> {
        Schedule::parse(row.name, text)
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_set() {
            return f.write_str("off");
        }
        let points: Vec<String> = self.0.iter().map(|(phase, c)| format!("{phase}:{c}")).collect();
        f.write_str(&points.join("/"))
    }
}

impl Schedule {
    /// The schedule that a text gives to the setting of this name.
    fn parse(name: &str, text: &str) -> Result<Schedule, TextError> {
        if text == "off" {
            return Ok(Schedule::default());
        }
        let wrong = |expected: &str| {
            let err = TextError::new(
                format!("{name}={text}"),
                format!("expected {expected}"),
                format!("try {name}=0:0.5/1:0.2"),
            );
            err.of_kind(TextErrorKind::InvalidValue)
        };
        let point = |part: &str| {
            let (phase, c) = part.split_once(':')?;
            let (phase, c) = (phase.parse::<f32>().ok()?, c.parse::<f32>().ok()?);
            ((0.0..=1.0).contains(&phase) && (0.0..=1000.0).contains(&c)).then_some((phase, c))
        };
        let points: Option<Vec<(f32, f32)>> = text.split('/').map(point).collect();
        let points = points.ok_or_else(|| wrong("off, or phases 0 .. 1 and weights 0 .. 1000 as PHASE:C/PHASE:C"))?;
        if !points.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(wrong("phases in rising order, each once"));
        }
        let (first, last) = (points[0].0, points[points.len() - 1].0);
        if first != 0.0 || last != 1.0 {
            return Err(wrong(&format!("the whole game from phase 0 to 1, not {first} to {last}")));
        }
        Ok(Schedule(points))
    }
}

impl FromStr for Schedule {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Schedule, TextError> {
        Schedule::parse("schedule", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_lie_on_lines_between_the_points() {
        let schedule: Schedule = "0:0.5/0.5:1/1:0".parse().expect("a schedule");
        for (phase, c) in [(0.0, 0.5), (0.25, 0.75), (0.5, 1.0), (0.75, 0.5), (1.0, 0.0), (2.0, 0.0), (-1.0, 0.5)] {
            assert!((schedule.at(phase) - c).abs() < 1e-6, "{} at {phase}", schedule.at(phase));
        }
        assert_eq!(schedule.to_string(), "0:0.5/0.5:1/1:0");
    }

    #[test]
    fn a_schedule_covers_the_whole_game() {
        for (text, part) in [
            ("0:1/0.8:2", "not 0 to 0.8"),
            ("0.1:1/1:2", "not 0.1 to 1"),
            ("0:1", "not 0 to 0"),
            ("0:1/1:2/0.5:1", "rising"),
            ("0:1/0:2/1:1", "rising"),
            ("0:nan/1:2", "PHASE:C"),
            ("0:1/2:2", "PHASE:C"),
            ("", "PHASE:C"),
            ("1", "PHASE:C"),
        ] {
            let err = text.parse::<Schedule>().expect_err(text).to_string();
            assert!(err.contains(part), "{text}: {err}");
        }
    }
}
