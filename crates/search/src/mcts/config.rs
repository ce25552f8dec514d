//! The named choices a Monte Carlo search is composed from, and their text.

use banyan_core::{Bounds, Margin, TextError};

use crate::tunables::{Range, TUNABLES, Tunable};

/// Makes an enum whose values are written as words, and ties the words to the values in both directions.
macro_rules! worded {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$value),)+ _ => None }
            }

            fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }
        }
    };
}

worded! {
    /// What a finished game is worth, on the reward's own scale, seen by the first side.
    Reward {
        /// 0 for a loss, 1/2 for a draw, 1 for a win.
        Win = "win",
        /// -1, 0, 1.
        Sign = "sign",
        /// The final margin in points.
        Margin = "margin",
    }
}

worded! {
    /// How many children are tried when a node is expanded.
    ExpansionWidth {
        /// One child, with a playout from it (Coulom 2006; Kocsis and Szepesvari 2006).
        One = "one",
        /// All children at once, a playout from each.
        All = "all",
    }
}

worded! {
    /// Which untried child comes next.
    ExpansionOrder {
        /// As the game lists its moves.
        Listed = "listed",
        /// Uniformly at random.
        Random = "random",
        /// The most central first.
        Central = "central",
    }
}

worded! {
    /// When the game's `tactics` restrict the moves.
    ForcedMoves {
        /// Never: every legal move becomes a child.
        Never = "never",
        /// Once, when a node gets its children; the restricted list is then remembered.
        Expansion = "expansion",
        /// At every position the tree touches: also at a leaf that has no children yet, for the first move of its
        /// playout.
        Always = "always",
    }
}

worded! {
    /// What decides between equal scores.
    TieBreak {
        /// The one that was tried first.
        First = "first",
        /// One of them at random.
        Random = "random",
        /// The most central; among equally central ones the one that was tried first.
        Central = "central",
    }
}

worded! {
    /// Which move is played in the end.
    FinalMove {
        /// The best mean: UCB1 with c = 0.
        Mean = "mean",
        /// The most visited; the better mean among equals.
        Visits = "visits",
        /// The largest UCB1.
        Ucb = "ucb",
    }
}

worded! {
    /// What is kept of the tree between moves.
    Reuse {
        /// Nothing.
        None = "none",
        /// What can still be reached.
        Keep = "keep",
    }
}

impl Reward {
    /// The reward of `margin`.
    #[inline(always)]
    pub(crate) fn of(self, margin: Margin) -> f32 {
        match self {
            Reward::Win => (f32::from(margin.0.signum()) + 1.0) / 2.0,
            Reward::Sign => f32::from(margin.0.signum()),
            Reward::Margin => f32::from(margin.0),
        }
    }

    /// A mean reward as an expected result for the first side, -1 .. 1.
    pub(crate) fn normalised(self, mean: f32, range: Bounds) -> f64 {
        let (low, high) = (f64::from(self.of(range.lower)), f64::from(self.of(range.upper)));
        if high > low { ((2.0 * f64::from(mean) - low - high) / (high - low)).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// Everything that can be set on the search; each field is a row of [`TUNABLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Exploration weight of UCB1, on the scale of the reward.
    pub c: f32,
    /// What a playout is worth.
    pub reward: Reward,
    /// Children tried when a node is expanded.
    pub expand: ExpansionWidth,
    /// Which untried child comes next.
    pub order: ExpansionOrder,
    /// Visits of a leaf before it gets children, at least 1.
    pub after: u32,
    /// When the game's tactics restrict the moves.
    pub forced: ForcedMoves,
    /// Between equal scores.
    pub tie: TieBreak,
    /// The move played.
    pub final_move: FinalMove,
    /// The tree between moves.
    pub reuse: Reuse,
    /// MiB the tree may take.
    pub memory_mib: u32,
}

impl Default for Config {
    /// Every tunable at the default of its row.
    fn default() -> Config {
        let mut config = Config {
            c: 0.0,
            reward: Reward::Win,
            expand: ExpansionWidth::One,
            order: ExpansionOrder::Listed,
            after: 1,
            forced: ForcedMoves::Never,
            tie: TieBreak::First,
            final_move: FinalMove::Mean,
            reuse: Reuse::None,
            memory_mib: 1,
        };
        for row in TUNABLES {
            config.set(row.name, row.default).expect("the table's own defaults are in range");
        }
        config
    }
}

impl Config {
    /// Sets the tunable called `name`.
    ///
    /// # Errors
    /// An unknown name, or a value outside the row's range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let row = Tunable::find(name).ok_or_else(|| {
            let names: Vec<&str> = TUNABLES.iter().map(|row| row.name).collect();
            TextError::new(
                format!("parameter {name:?}"),
                "a known parameter",
                format!("try one of {}", names.join(" ")),
            )
        })?;
        self.set_row(row, value).ok_or_else(|| {
            TextError::new(format!("{name}={value}"), row.range.to_string(), format!("try {name}={}", row.default))
        })
    }

    /// The value of the tunable called `name`, as text that [`set`](Config::set) takes; `None` for an unknown name.
    pub fn get(&self, name: &str) -> Option<String> {
        Some(match name {
            "c" => self.c.to_string(),
            "reward" => self.reward.word().to_owned(),
            "expand" => self.expand.word().to_owned(),
            "order" => self.order.word().to_owned(),
            "after" => self.after.to_string(),
            "forced" => self.forced.word().to_owned(),
            "tie" => self.tie.word().to_owned(),
            "final" => self.final_move.word().to_owned(),
            "reuse" => self.reuse.word().to_owned(),
            "memory" => self.memory_mib.to_string(),
            _ => return None,
        })
    }

    fn set_row(&mut self, row: &Tunable, value: &str) -> Option<()> {
        match row.name {
            "c" => self.c = real(row, value)?,
            "reward" => self.reward = Reward::from_word(value)?,
            "expand" => self.expand = ExpansionWidth::from_word(value)?,
            "order" => self.order = ExpansionOrder::from_word(value)?,
            "after" => self.after = whole(row, value)?,
            "forced" => self.forced = ForcedMoves::from_word(value)?,
            "tie" => self.tie = TieBreak::from_word(value)?,
            "final" => self.final_move = FinalMove::from_word(value)?,
            "reuse" => self.reuse = Reuse::from_word(value)?,
            "memory" => self.memory_mib = whole(row, value)?,
            _ => unreachable!("every row of the table is a field"),
        }
        Some(())
    }
}

fn real(row: &Tunable, value: &str) -> Option<f32> {
    let Range::Real { min, max, .. } = row.range else { return None };
    // A comparison with NaN is false, so "nan" is refused with everything else out of range.
    value.parse::<f32>().ok().filter(|&x| f64::from(x) >= min && f64::from(x) <= max)
}

fn whole(row: &Tunable, value: &str) -> Option<u32> {
    let Range::Whole { min, max, .. } = row.range else { return None };
    value.parse::<u32>().ok().filter(|&x| u64::from(x) >= min && u64::from(x) <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_takes_its_default_and_every_word_and_gives_it_back() {
        for row in TUNABLES {
            let mut config = Config::default();
            assert_eq!(config.get(row.name).as_deref(), Some(row.default), "{}", row.name);
            let values: Vec<String> = match row.range {
                Range::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                Range::Real { min, max, .. } => vec![min.to_string(), max.to_string()],
                Range::Whole { min, max, .. } => vec![min.to_string(), max.to_string()],
            };
            for value in values {
                config.set(row.name, &value).unwrap_or_else(|err| panic!("{}: {err}", row.name));
                assert_eq!(config.get(row.name), Some(value));
            }
        }
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let mut config = Config::default();
        for (name, value) in
            [("c", "nan"), ("c", "-1"), ("after", "0"), ("reward", "Win"), ("memory", "1e9"), ("d", "1")]
        {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, Config::default());
    }

    #[test]
    fn rewards_of_a_margin_and_its_opposite_add_up_to_the_ends() {
        let range = Bounds::new(Margin(-7), Margin(7));
        for reward in [Reward::Win, Reward::Sign, Reward::Margin] {
            let ends = reward.of(range.lower) + reward.of(range.upper);
            for points in -7..=7 {
                assert_eq!(reward.of(Margin(points)) + reward.of(Margin(-points)), ends);
            }
            assert_eq!(reward.normalised(reward.of(Margin(7)), range), 1.0);
            assert_eq!(reward.normalised(reward.of(Margin(0)), range), 0.0);
        }
    }
}
