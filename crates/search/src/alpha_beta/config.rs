//! What an alpha-beta search is composed from, and its text.

use banyan_core::TextError;

use super::horizon::HorizonEval;
use crate::options::{ALPHA_BETA_TUNABLES, Reuse, Tunable, no_row, worded};

/// How the tree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with one window for all moves (Knuth and Moore 1975), in the form where both sides maximise.
    Negamax,
    /// Principal variation search: after the first move, the others are only tested against it (Marsland and
    /// Campbell 1982; Reinefeld 1983, NegaScout).
    Pvs,
    /// MTD(f): null windows only, homing in on the value from a first estimate (Plaat et al. 1996).
    Mtdf,
}

worded! {
    /// In what order moves are searched.
    Ordering {
        /// As the game lists them.
        Listed = "listed",
        /// As the game finds them promising.
        Given = "given",
        /// First what was best here or refuted sisters before, then as the game finds them promising.
        Learned = "learned",
    }
}

worded! {
    /// Whether the game's tactics choose the moves that are searched.
    Forced {
        /// Every legal move is searched.
        Never = "never",
        /// Only what tactics leave.
        Always = "always",
    }
}

/// Everything that can be set on the search; all but the algorithm are rows of [`ALPHA_BETA_TUNABLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaConfig {
    /// How the tree is cut.
    pub algorithm: Algorithm,
    /// Plies looked ahead at most, at least 1; `None` for as many as the limits allow.
    pub depth: Option<u32>,
    /// What a position at the horizon is taken for.
    pub eval: HorizonEval,
    /// MiB the table may grow to, at least 1; `None` for no table.
    pub table_mib: Option<u32>,
    /// Plies left to search from which symmetric positions share an entry; `None` for never.
    pub symmetry: Option<u32>,
    /// In what order moves are searched.
    pub ordering: Ordering,
    /// Points on either side of the last depth's value within which the next is expected.
    pub window: Option<f32>,
    /// Whether only the moves that the game's tactics leave are searched.
    pub forced: bool,
    /// The table between moves.
    pub reuse: Reuse,
    /// Threads that search together, at least 1.
    pub threads: u32,
}

impl AlphaBetaConfig {
    /// That algorithm, every tunable at the default of its row.
    pub fn new(algorithm: Algorithm) -> AlphaBetaConfig {
        let mut config = AlphaBetaConfig {
            algorithm,
            depth: None,
            eval: HorizonEval::Static,
            table_mib: None,
            symmetry: None,
            ordering: Ordering::Listed,
            window: None,
            forced: false,
            reuse: Reuse::None,
            threads: 1,
        };
        for row in ALPHA_BETA_TUNABLES {
            config.set(row.name, row.default).expect("the table's own defaults are in range");
        }
        config
    }

    /// Sets the tunable called `name`.
    ///
    /// # Errors
    /// An unknown name, or a value outside the row's range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let row = Tunable::find(ALPHA_BETA_TUNABLES, name).ok_or_else(|| no_row(ALPHA_BETA_TUNABLES, name))?;
        self.set_row(row, value).ok_or_else(|| row.refused(value))
    }

    /// Whether the settings go together.
    ///
    /// # Errors
    /// Several threads without a table: they would all do the same.
    pub fn check(&self) -> Result<(), TextError> {
        if self.threads > 1 && self.table_mib.is_none() {
            let found = format!("threads={},table=off", self.threads);
            return Err(TextError::new(
                found,
                "threads share what they find by the table",
                "try table=256 or threads=1",
            ));
        }
        Ok(())
    }

    /// Threads that search; one where they could share nothing.
    pub(super) fn n_threads(&self) -> u32 {
        if self.check().is_ok() { self.threads } else { 1 }
    }

    /// The value of the tunable called `name`, as text that [`set`](AlphaBetaConfig::set) takes; `None` for an unknown
    /// name.
    pub fn get(&self, name: &str) -> Option<String> {
        fn or_off<T: ToString>(number: Option<T>) -> String {
            number.map_or_else(|| "off".to_owned(), |number| number.to_string())
        }
        Some(match name {
            "depth" => or_off(self.depth),
            "eval" => self.eval.word().to_owned(),
            "table" => or_off(self.table_mib),
            "symmetry" => or_off(self.symmetry),
            "order" => self.ordering.word().to_owned(),
            "window" => or_off(self.window),
            "forced" => if self.forced { Forced::Always } else { Forced::Never }.word().to_owned(),
            "reuse" => self.reuse.word().to_owned(),
            "threads" => self.threads.to_string(),
            _ => return None,
        })
    }

    fn set_row(&mut self, row: &Tunable, value: &str) -> Option<()> {
        match row.name {
            "depth" => self.depth = row.whole_or_off(value)?,
            "eval" => self.eval = HorizonEval::from_word(value)?,
            "table" => self.table_mib = row.whole_or_off(value)?,
            "symmetry" => self.symmetry = row.whole_or_off(value)?,
            "order" => self.ordering = Ordering::from_word(value)?,
            "window" => self.window = row.real_or_off(value)?,
            "forced" => self.forced = Forced::from_word(value)? == Forced::Always,
            "reuse" => self.reuse = Reuse::from_word(value)?,
            "threads" => self.threads = row.whole(value)?,
            _ => unreachable!("every row of the table is a field"),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_takes_its_default_and_every_word_and_gives_it_back() {
        for row in ALPHA_BETA_TUNABLES {
            let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
            assert_eq!(config.get(row.name).as_deref(), Some(row.default), "{}", row.name);
            for value in row.range.samples() {
                config.set(row.name, &value).unwrap_or_else(|err| panic!("{}: {err}", row.name));
                assert_eq!(config.get(row.name), Some(value));
            }
        }
    }

    #[test]
    fn threads_need_a_table() {
        let mut config = AlphaBetaConfig { threads: 4, ..AlphaBetaConfig::new(Algorithm::Pvs) };
        assert_eq!((config.check(), config.n_threads()), (Ok(()), 4));
        config.table_mib = None;
        let err = config.check().expect_err("nothing to share").to_string();
        assert!(err.starts_with("threads=4,table=off: ") && config.n_threads() == 1, "{err}");
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
        for (name, value) in
            [("depth", "0"), ("table", "0"), ("window", "nan"), ("threads", "0"), ("eval", "best"), ("c", "1")]
        {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, AlphaBetaConfig::new(Algorithm::Pvs));
    }
}
