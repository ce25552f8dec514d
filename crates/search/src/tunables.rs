//! The table of everything that can be set on a search, for the command line, the tuner, the page and the docs.

/// Which values a tunable takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Any number from `min` to `max`; a tuner moves by about `step`.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// A step worth trying.
        step: f64,
    },
    /// Any whole number from `min` to `max`.
    Whole {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// A step worth trying.
        step: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// What it is called in `uct:name=value`.
    pub name: &'static str,
    /// Its value if nothing is said.
    pub default: &'static str,
    /// The values it takes.
    pub range: Range,
    /// What it does, and on which scale.
    pub meaning: &'static str,
}

/// Every tunable of the Monte Carlo search.
pub const TUNABLES: &[Tunable] = &[
    // Tuned by experiments/first-results, November 2026: no worse than 0.5 and 0.7 in any game at 1,000 playouts a move,
    // and no worse than 0.2 and 0.5 at 10,000 (Reversi not tried there); 0.5 in turn beats 1 and 1.4.
    Tunable {
        name: "c",
        default: "0.3",
        range: Range::Real { min: 0.0, max: 1000.0, step: 0.1 },
        meaning: "exploration: UCB1 is mean + c * sqrt(2 ln N / n), on the scale of the reward",
    },
    Tunable {
        name: "reward",
        default: "win",
        range: Range::Choice(&["win", "sign", "margin"]),
        meaning: "what a playout is worth: win 0, 1/2, 1; sign -1, 0, 1; margin the final margin in points",
    },
    Tunable {
        name: "expand",
        default: "one",
        range: Range::Choice(&["one", "all"]),
        meaning: "children tried when a node is expanded: one, or all with a playout each",
    },
    Tunable {
        name: "order",
        default: "random",
        range: Range::Choice(&["listed", "random", "central"]),
        meaning: "which untried child comes next: as the game lists them, at random, most central first",
    },
    Tunable {
        name: "after",
        default: "2",
        range: Range::Whole { min: 1, max: 1_000_000, step: 1 },
        meaning: "visits of a leaf before it gets children",
    },
    Tunable {
        name: "forced",
        default: "expansion",
        range: Range::Choice(&["never", "expansion", "always"]),
        meaning: "win, block, avoid: never; when a node gets its children; always, at every new leaf too",
    },
    Tunable {
        name: "tie",
        default: "random",
        range: Range::Choice(&["first", "random", "central"]),
        meaning: "between equal scores: the one tried first, one at random, the most central",
    },
    Tunable {
        name: "final",
        default: "visits",
        range: Range::Choice(&["mean", "visits", "ucb"]),
        meaning: "the move played: best mean (c = 0), most visits, largest UCB",
    },
    Tunable {
        name: "reuse",
        default: "keep",
        range: Range::Choice(&["none", "keep"]),
        meaning: "between moves: forget the tree, or keep what can still be reached",
    },
    Tunable {
        name: "memory",
        default: "1024",
        range: Range::Whole { min: 1, max: 65_536, step: 64 },
        meaning: "MiB the tree may take; once full it grows no further and the search goes on in what is there",
    },
];

impl Tunable {
    /// The row called `name`.
    pub fn find(name: &str) -> Option<&'static Tunable> {
        TUNABLES.iter().find(|row| row.name == name)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Range::Real { min, max, .. } => write!(f, "{min} .. {max}"),
            Range::Whole { min, max, .. } => write!(f, "{min} .. {max}"),
            Range::Choice(words) => f.write_str(&words.join(", ")),
        }
    }
}
