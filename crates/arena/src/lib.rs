//! Matches between players that are fair, and statistics of their results that can be believed.

pub mod stats;
