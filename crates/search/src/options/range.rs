//! The range of values of a setting, and its text.

/// The range of values of a setting.
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
    /// The word `off`, or any number from `min` to `max`.
    RealOrOff {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// A step worth trying.
        step: f64,
    },
    /// The word `off`, or any whole number from `min` to `max`.
    WholeOrOff {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// A step worth trying.
        step: u64,
    },
    /// Any whole number from `min` to `max`, or the word `all`.
    WholeOrAll {
        /// Smallest value.
        min: u64,
        /// Largest number.
        max: u64,
        /// A step worth trying.
        step: u64,
    },
    /// The word `off`, or exploration weights by phase of the game.
    Schedule,
    /// The word `off`, or a weight for each of 64 squares.
    SquareWeights,
    /// Any name of lower-case letters, digits, `-` and `+`; which names exist depends on the game. These are examples.
    Name(&'static [&'static str]),
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl Range {
    /// The smallest and the largest number; `None` for a range without numbers.
    pub fn ends(&self) -> Option<[f64; 2]> {
        match *self {
            Range::Real { min, max, .. } | Range::RealOrOff { min, max, .. } => Some([min, max]),
            Range::Whole { min, max, .. } | Range::WholeOrOff { min, max, .. } | Range::WholeOrAll { min, max, .. } => {
                Some([min as f64, max as f64])
            }
            Range::Schedule | Range::SquareWeights | Range::Name(_) | Range::Choice(_) => None,
        }
    }

    /// Whether its numbers are whole.
    pub fn is_whole(&self) -> bool {
        matches!(self, Range::Whole { .. } | Range::WholeOrOff { .. } | Range::WholeOrAll { .. })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Range::Real { min, max, .. } => write!(f, "{min} .. {max}"),
            Range::RealOrOff { min, max, .. } => write!(f, "off, {min} .. {max}"),
            Range::WholeOrOff { min, max, .. } => write!(f, "off, {min} .. {max}"),
            Range::Whole { min, max, .. } => write!(f, "{min} .. {max}"),
            Range::WholeOrAll { min, max, .. } => write!(f, "{min} .. {max}, all"),
            Range::Schedule => f.write_str("off, 0:C/../1:C"),
            Range::SquareWeights => f.write_str("off, or 64 whole numbers joined by /"),
            Range::Name(words) | Range::Choice(words) => f.write_str(&words.join(", ")),
        }
    }
}

#[cfg(test)]
impl Range {
    /// The ends of the range, and every word.
    pub(crate) fn samples(self) -> Vec<String> {
        match self {
            Range::Schedule => vec!["off".to_owned(), "0:0.5/0.25:0.3/1:0".to_owned()],
            Range::SquareWeights => vec!["off".to_owned(), vec!["-7"; 64].join("/")],
            _ => self.to_string().replace(" .. ", ", ").split(", ").map(str::to_owned).collect(),
        }
    }
}
