//! What a law finds: nothing, or what is wrong and where.

use std::fmt;

/// The result of a law: nothing, or a sentence on what is wrong and where.
pub type Finding = Result<(), String>;

/// A violated law and the position that violates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the law.
    pub law: &'static str,
    /// The violation, with the position and the seed.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.message)
    }
}

impl std::error::Error for Violation {}
