//! The conditions of the games of a folder, besides their budgets.

use banyan_arena::THREAD_CPU;
use banyan_catalog::Budget;
use banyan_catalog::pairs::OpeningSpec;
use banyan_core::{TextError, Timer};
use banyan_matches::{ClockKind, Entrant, MatchConfig};
use clap::{Args, ValueEnum};

/// How games are played, besides their budgets.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GameTerms {
    /// Clock that measures thinking time: wall time, or CPU time of the player's thread [default: wall].
    #[arg(long, value_name = "CLOCK")]
    pub(crate) clock: Option<Clock>,

    /// Time by which a player may exceed its budget without losing the game [default: 100ms].
    #[arg(long, value_name = "TIME")]
    pub(crate) margin: Option<Margin>,

    /// Random seed [default: 1].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Openings: none, random:plies=N, balanced:plies=N (random moves, kept if a short search finds them balanced), or
    /// file:PATH with one opening per line [default: balanced].
    #[arg(long, value_name = "SPEC")]
    pub(crate) openings: Option<OpeningSpec>,
}

impl GameTerms {
    /// The configuration of a match under these conditions.
    pub(crate) fn config(&self, game: String, openings: String, players: Vec<Entrant>) -> MatchConfig {
        MatchConfig {
            seed: self.seed.unwrap_or(1),
            clock: self.clock.map_or(ClockKind::Wall, Clock::kind),
            margin_ms: self.margin.map_or(100, |Margin(ms)| ms),
            ..MatchConfig::of(game, openings, players)
        }
    }

    /// The options, and whether each is given.
    pub(crate) fn settings(&self) -> [(bool, &'static str); 4] {
        [
            (self.clock.is_some(), "--clock"),
            (self.margin.is_some(), "--margin"),
            (self.seed.is_some(), "--seed"),
            (self.openings.is_some(), "--openings"),
        ]
    }
}

/// The clock that measures thinking time.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Clock {
    /// Wall time.
    Wall,
    /// CPU time of the player's thread.
    Cpu,
}

impl Clock {
    fn kind(self) -> ClockKind {
        match self {
            Clock::Wall => ClockKind::Wall,
            Clock::Cpu => ClockKind::Cpu,
        }
    }

    pub(crate) fn timer(self) -> Timer {
        match self {
            Clock::Wall => Timer::WALL,
            Clock::Cpu => THREAD_CPU,
        }
    }
}

/// Milliseconds by which a player may exceed its budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin(pub(crate) u64);

impl std::str::FromStr for Margin {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Margin, TextError> {
        let number = text.trim_end_matches(['m', 's', 'h']);
        if number.parse::<f64>().is_ok_and(|number| number == 0.0 && number.is_sign_positive()) {
            return Ok(Margin(0));
        }
        let time =
            text.parse().ok().filter(|&budget: &Budget| budget == Budget { time: budget.time, ..Budget::default() });
        let time = time.and_then(|budget| budget.time);
        let wrong = || TextError::new(text, "expected a time", "try 100ms");
        time.map(|time| Margin(time.as_millis() as u64)).ok_or_else(wrong)
    }
}
