//! The configuration of a rating.

use banyan_core::TextError;

use crate::config::{MatchConfig, MatchFormat, RatingTerms};

/// Makes a round robin into a rating with these terms.
///
/// # Errors
/// See [`RatingTerms::check`].
pub fn rating_config(config: MatchConfig, terms: RatingTerms) -> Result<MatchConfig, TextError> {
    terms.check(&config.players)?;
    // No pairing can have more pairs than the whole rating.
    Ok(MatchConfig { format: MatchFormat::RoundRobin, pairs: terms.pairs, rating: Some(terms), ..config })
}
