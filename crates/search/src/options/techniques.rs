//! Techniques that the literature claims for Monte Carlo tree search and that no default uses: experimental settings, which
//! experiments/ablation compares. docs/techniques.md has a section for each.

/// Declares a table of the settings of a Monte Carlo search, as `with_published_rows!` does, with these rows behind its own.
macro_rules! with_technique_rows {
    ($($table:tt)*) => {
        $crate::options::with_published_rows! {
            $($table)*
        }
    };
}

pub(crate) use with_technique_rows;
