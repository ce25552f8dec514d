//! The table of everything that can be set on a search, for the command line, the tuner, the page and the docs.

use banyan_core::TextError;

use super::range::Range;

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
    Tunable {
        name: "structure",
        default: "graph",
        range: Range::Choice(&["tree", "graph"]),
        meaning: "positions reached in several ways: a node for each way, or one node for all",
    },
    Tunable {
        name: "select",
        default: "ucb1",
        range: Range::Choice(&["ucb1", "tuned", "puct"]),
        meaning: "which child is searched: UCB1, UCB1-Tuned, or PUCT with a prior for each move (see policy; set fpu too, or all are tried first)",
    },
    Tunable {
        name: "policy",
        default: "even",
        range: Range::Choice(&["even", "game"]),
        meaning: "prior of each move in PUCT: even, all alike; game, what the game guesses at a glance, which Connect Four does (needs select=puct)",
    },
    // Tuned by experiments/first-results, November 2026: no worse than 0.5 and 0.7 in any game at 1,000 playouts a move,
    // and no worse than 0.2 and 0.5 at 10,000 (Reversi not tried there); 0.5 in turn beats 1 and 1.4.
    Tunable {
        name: "c",
        default: "0.3",
        range: Range::Real { min: 0.0, max: 1000.0, step: 0.1 },
        meaning: "exploration: UCB1 is mean + c * sqrt(2 ln N / n), PUCT mean + c * P * sqrt(N) / (1 + n), on the scale of the reward",
    },
    Tunable {
        name: "schedule",
        default: "off",
        range: Range::Schedule,
        meaning: "c by the stage of the game in place of c: 0:0.5/1:0.2 goes from 0.5 at the start to 0.2 at the end",
    },
    Tunable {
        name: "scale",
        default: "none",
        range: Range::Choice(&["none", "spread"]),
        meaning: "none: c as it is; spread: c times twice the standard deviation of the node's rewards in units of their range",
    },
    Tunable {
        name: "fpu",
        default: "off",
        range: Range::RealOrOff { min: -1000.0, max: 1000.0, step: 0.1 },
        meaning: "first-play urgency: an untried child counts as its parent's mean less this (ucb1 gives it no bonus: take -0.5 or less, or some are never tried); off: all are tried first",
    },
    Tunable {
        name: "leaf",
        default: "own",
        range: Range::Choice(&["own", "parent"]),
        meaning: "value of a child without a node, for selection: its mean, or the mean of that and its parent's start value",
    },
    Tunable {
        name: "reward",
        default: "win",
        range: Range::Choice(&["win", "lean", "sign", "margin"]),
        meaning: "what a playout is worth: win 0, 1/2, 1; lean that and 1/8192 for each point of the margin, so that early wins and late losses are better; sign -1, 0, 1; margin the final margin in points",
    },
    Tunable {
        name: "expand",
        default: "one",
        range: Range::Choice(&["one", "all", "scout"]),
        meaning: "children tried when a node is expanded: one; all with a playout each; scout: all with a playout each, together worth one visit of the node and none of the children's (needs select=puct)",
    },
    Tunable {
        name: "start",
        default: "own",
        range: Range::Choice(&["own", "children"]),
        meaning: "a new node's own value: its own playouts, or the mean of its children's (with expand=all)",
    },
    Tunable {
        name: "appraise",
        default: "0",
        range: Range::Real { min: 0.0, max: 4.0, step: 0.1 },
        meaning: "how much of the result that an evaluation of the node itself promises is added to the mean of its children's first playouts; 0: none; needs expand=scout or start=children",
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
        name: "eval",
        default: "uniform",
        range: Range::Name(&["uniform", "tactical", "threat", "central", "weighted", "margin", "static"]),
        meaning: "value of a leaf: playout of uniformly random moves; of moves that one-ply tactics leave; by threats (Connect Four alone, see rules); of moves as central as possible; in which central moves are likelier; the margin if the game stopped here; the static evaluation",
    },
    Tunable {
        name: "rules",
        default: "all",
        range: Range::Name(&["all", "none", "win+block+safe+stack+save"]),
        meaning: "by which rules threat playouts choose: win, take a win; block, play where the other side would win; safe, hand over no win; stack, two own winning cells above one another win; save, keep own threats for last",
    },
    Tunable {
        name: "cut",
        default: "0",
        range: Range::Whole { min: 0, max: 10_000, step: 4 },
        meaning: "plies after which a playout ends and the static margin counts; 0: never",
    },
    Tunable {
        name: "horizon",
        default: "0",
        range: Range::Whole { min: 0, max: 10_000, step: 1 },
        meaning: "plies below the root where positions get no children and are only evaluated; 0: nowhere",
    },
    Tunable {
        name: "probe",
        default: "0",
        range: Range::Whole { min: 0, max: 20, step: 1 },
        meaning: "plies of an alpha-beta search that values a leaf in place of a playout, with the static evaluation at its horizon; what it proves counts; it ends after 30,000 positions at the last finished depth; 0: none",
    },
    Tunable {
        name: "below",
        default: "0",
        range: Range::Whole { min: 0, max: 1_000_000, step: 1 },
        meaning: "only positions visited less often than this are probed; 0: all",
    },
    // At most what lets a search stop within 50 ms when it is told to.
    Tunable {
        name: "pad",
        default: "0",
        range: Range::Whole { min: 0, max: 10_000, step: 10 },
        meaning: "microseconds that the evaluation of a leaf takes at least, by the clock on the wall: it stands for costlier playouts in measurements of threads; 0: as long as it takes",
    },
    // A published Connect Four engine tried a model of its opponent, to its harm.
    Tunable {
        name: "model",
        default: "off",
        range: Range::Choice(&["off", "greedy", "uct", "pvs"]),
        meaning: "after each move at the root, the only reply searched is the one that this player would give; needs proof=off,reuse=none",
    },
    // Guess, untuned.
    Tunable {
        name: "foresight",
        default: "4",
        range: Range::Whole { min: 1, max: 20, step: 1 },
        meaning: "how far the model looks: plies of pvs, hundreds of playouts of uct",
    },
    // A published Reversi engine looks 6 plies ahead.
    Tunable {
        name: "prior",
        default: "0",
        range: Range::Whole { min: 0, max: 20, step: 1 },
        meaning: "plies of an alpha-beta search from the root, whose best move gets a bonus while the game is young; it ends after 30,000 positions at the last finished depth; 0: none",
    },
    // That engine adds 1000 once to a move's sum of rewards, where a win by d discs is 50 + d: 9 to 20 wins.
    Tunable {
        name: "bonus",
        default: "15",
        range: Range::Real { min: 0.0, max: 1000.0, step: 5.0 },
        meaning: "what that move's score at the root is raised by, divided by its visits and one; in rewards",
    },
    // That engine stops at 28 discs: (28 - 4) / 60.
    Tunable {
        name: "until",
        default: "0.4",
        range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
        meaning: "stage of the game up to which it is young: 0 at the start, 1 at the end",
    },
    Tunable {
        name: "lazy",
        default: "0",
        range: Range::Real { min: 0.0, max: 0.95, step: 0.1 },
        meaning: "how likely a node with untried children, one tried at least, tries none in passing",
    },
    Tunable {
        name: "lazily",
        default: "descend",
        range: Range::Choice(&["descend", "resample"]),
        meaning: "what it does instead: goes down into the best tried child; values a random tried child once more",
    },
    Tunable {
        name: "proof",
        default: "bounds",
        range: Range::Choice(&["off", "win", "bounds"]),
        meaning: "what is proven and then no longer searched: nothing, who wins, bounds of the margin",
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
        range: Range::Choice(&["mean", "visits", "ucb", "well", "lcb"]),
        meaning: "the move played: best mean (c = 0), most visits, largest UCB, best mean of the well visited, best lower bound of the mean",
    },
    Tunable {
        name: "batch",
        default: "1",
        range: Range::Whole { min: 1, max: 64, step: 8 },
        meaning: "leaves collected before they are evaluated together",
    },
    Tunable {
        name: "early",
        default: "clock",
        range: Range::Choice(&["never", "clock", "always"]),
        meaning: "stop when the most visited move cannot be overtaken: never, when a game clock is running, always",
    },
    Tunable {
        name: "top",
        default: "0",
        range: Range::Whole { min: 0, max: 1_000_000_000, step: 10000 },
        meaning: "stop when one move has had the most visits for so many playouts; 0: never",
    },
    Tunable {
        name: "reuse",
        default: "keep",
        range: Range::Choice(&["none", "keep"]),
        meaning: "between moves: forget everything, or keep what can still be reached",
    },
    Tunable {
        name: "memory",
        default: "1024",
        range: Range::Whole { min: 1, max: 65_536, step: 64 },
        meaning: "MiB the search may take; once full, old and little-visited nodes make room for new ones",
    },
    Tunable {
        name: "threads",
        default: "1",
        range: Range::Whole { min: 1, max: 256, step: 1 },
        meaning: "threads that search together",
    },
    Tunable {
        name: "scheme",
        default: "shared",
        range: Range::Choice(&["shared", "root", "mutex"]),
        meaning: "how: shared, one graph without a lock, of which each has copies of what it passes often; root, each in a graph of its own with its share of the memory and the budget, put together at the root; mutex, one graph, one at a time but for playouts",
    },
];

/// Every tunable of the alpha-beta family.
pub const ALPHA_BETA_TUNABLES: &[Tunable] = &[
    Tunable {
        name: "depth",
        default: "off",
        range: Range::WholeOrOff { min: 1, max: 1000, step: 1 },
        meaning: "plies looked ahead at most; off: as many as the budget allows",
    },
    Tunable {
        name: "eval",
        default: "static",
        range: Range::Choice(&["static", "margin", "hash"]),
        meaning: "value of a position at the horizon: the static evaluation, the margin if the game stopped there, or a hash, which measures the search by itself",
    },
    Tunable {
        name: "table",
        default: "256",
        range: Range::WholeOrOff { min: 1, max: 65_536, step: 64 },
        meaning: "MiB the table of positions may grow to; off: no table",
    },
    Tunable {
        name: "symmetry",
        default: "off",
        range: Range::WholeOrOff { min: 1, max: 1000, step: 1 },
        meaning: "positions that are the same but for a symmetry share a table entry where at least so many plies are left to search; off: nowhere (moves that tactics hold for alike may then count for one another at the horizon)",
    },
    Tunable {
        name: "order",
        default: "learned",
        range: Range::Choice(&["listed", "given", "learned"]),
        meaning: "moves are searched as the game lists them; as the game finds them promising; that, and first what was best here or refuted sisters before (table, killers, history)",
    },
    Tunable {
        name: "window",
        default: "2",
        range: Range::RealOrOff { min: 0.125, max: 1000.0, step: 0.5 },
        meaning: "points on either side of the last depth's value within which the next is expected; off: any value",
    },
    Tunable {
        name: "forced",
        default: "always",
        range: Range::Choice(&["never", "always"]),
        meaning: "win, block, avoid: whether only the moves that the game's tactics leave are searched",
    },
    Tunable {
        name: "reuse",
        default: "keep",
        range: Range::Choice(&["none", "keep"]),
        meaning: "the table between moves: forget everything, or keep it",
    },
    Tunable {
        name: "threads",
        default: "1",
        range: Range::Whole { min: 1, max: 256, step: 1 },
        meaning: "threads that search together with one table; more than one repeat no search exactly",
    },
];

impl Tunable {
    /// The row of `table` called `name`.
    pub fn find(table: &'static [Tunable], name: &str) -> Option<&'static Tunable> {
        table.iter().find(|row| row.name == name)
    }

    /// The number that `value` stands for, if the row takes it.
    pub(crate) fn real(&self, value: &str) -> Option<f32> {
        let (Range::Real { min, max, .. } | Range::RealOrOff { min, max, .. }) = self.range else { return None };
        // A comparison with NaN is false, so "nan" is refused with everything else out of range.
        value.parse::<f32>().ok().filter(|&x| f64::from(x) >= min && f64::from(x) <= max)
    }

    /// The whole number that `value` stands for, if the row takes it.
    pub(crate) fn whole(&self, value: &str) -> Option<u32> {
        let (Range::Whole { min, max, .. } | Range::WholeOrOff { min, max, .. }) = self.range else { return None };
        value.parse::<u32>().ok().filter(|&x| u64::from(x) >= min && u64::from(x) <= max)
    }

    /// The name that `value` is, if the row takes it.
    pub(crate) fn name_of<'a>(&self, value: &'a str) -> Option<&'a str> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '+';
        let is_name = matches!(self.range, Range::Name(_)) && !value.is_empty() && value.chars().all(fits);
        is_name.then_some(value)
    }

    /// `None` for the word off, else the whole number that `value` stands for, if the row takes it.
    pub(crate) fn whole_or_off(&self, value: &str) -> Option<Option<u32>> {
        if value == "off" { Some(None) } else { self.whole(value).map(Some) }
    }

    /// `None` for the word off, else the number that `value` stands for, if the row takes it.
    pub(crate) fn real_or_off(&self, value: &str) -> Option<Option<f32>> {
        if value == "off" { Some(None) } else { self.real(value).map(Some) }
    }

    /// Says that the row does not take `value`.
    pub(crate) fn refused(&self, value: &str) -> TextError {
        let Tunable { name, range, default, .. } = self;
        TextError::new(format!("{name}={value}"), range.to_string(), format!("try {name}={default}"))
    }
}

/// Says that `table` has no row called `name`.
pub(crate) fn no_row(table: &[Tunable], name: &str) -> TextError {
    let names = table.iter().map(|row| row.name).collect::<Vec<&str>>().join(" ");
    TextError::new(format!("parameter {name:?}"), "a known parameter", format!("try one of {names}"))
}
