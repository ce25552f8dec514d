//! Weights of the squares of a board.

use std::sync::Arc;

use banyan_core::{TextError, TextErrorKind};

use super::tunable::{Tunable, Value};

/// Squares of a board that has weights.
const SQUARES: usize = 64;

/// One weight for each of 64 squares, row by row from the top left; or none. As text: 64 whole numbers joined by `/`, or
/// `off`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SquareWeights(Option<Arc<[i16; SQUARES]>>);

impl SquareWeights {
    /// `[64]`: the weights, if there are any.
    pub fn weights(&self) -> Option<&[i16]> {
        self.0.as_deref().map(|weights| weights.as_slice())
    }

    /// The weight of the square with this code; `None` if there is no such square, or no weights.
    pub fn of(&self, code: u16) -> Option<i16> {
        self.weights()?.get(usize::from(code)).copied()
    }
}

impl Value for SquareWeights {
    fn read(text: &str, row: &Tunable) -> Result<SquareWeights, TextError> {
        if text == "off" {
            return Ok(SquareWeights::default());
        }
        let numbers: Option<Vec<i16>> = text.split('/').map(|number| number.parse().ok()).collect();
        let Some(numbers) = numbers else { return Err(row.refused(text)) };
        let n = numbers.len();
        let weights = numbers.try_into().map_err(|_| {
            let found = format!("{} of {n} number{}", row.name, if n == 1 { "" } else { "s" });
            TextError::new(found, format!("expected {}", row.range), "write one for each square, row by row")
                .of_kind(TextErrorKind::InvalidValue)
        })?;
        Ok(SquareWeights(Some(Arc::new(weights))))
    }

    fn text(&self) -> String {
        let joined = |weights: &[i16]| weights.iter().map(i16::to_string).collect::<Vec<_>>().join("/");
        self.weights().map_or_else(|| "off".to_owned(), joined)
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    /// The numbers from 0 to below `n`.
    fn numbers(n: usize) -> String {
        (0..n).map(|number| number.to_string()).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn weights_are_64_numbers() {
        let mut config = Config::default();
        config.set("square-weights", &numbers(64)).expect("64 numbers");
        assert_eq!([0, 63, 64, 255].map(|code| config.square_weights.of(code)), [Some(0), Some(63), None, None]);
        assert_eq!(config.get("square-weights"), Some(numbers(64)));
        for (text, found) in [
            (numbers(63), "square-weights of 63 numbers: "),
            (numbers(65), "square-weights of 65 numbers: "),
            ("35".to_owned(), "square-weights of 1 number: "),
            (numbers(64).replacen("7", "x", 1), "square-weights=0/1/"),
            (String::new(), "square-weights=: "),
        ] {
            let err = config.set("square-weights", &text).expect_err(&text).to_string();
            assert!(err.starts_with(found) && err.contains("64 whole numbers"), "{err}");
        }
    }
}
