//! The configuration of a rating.

use banyan_core::TextError;

use crate::matches::{MatchConfig, MatchFormat, RatingTerms};
use crate::suggest::did_you_mean;

/// Makes a round robin into a rating with these terms.
///
/// # Errors
/// Fewer than two players, too few pairs to compare all players, a likelihood of superiority that is not above 0.5 and below 1,
/// an error that is not above 0, or an anchor that is not among the players.
pub fn rating_config(config: MatchConfig, terms: RatingTerms) -> Result<MatchConfig, TextError> {
    let n_players = config.players.len();
    if n_players < 2 {
        let found = format!("a pool of {n_players} player{}", if n_players == 1 { "" } else { "s" });
        return Err(TextError::new(found, "expected at least two", "name another player"));
    }
    let least = n_players as u64 - 1;
    if terms.pairs < least {
        let expected = format!("expected at least {least}, so that {n_players} players can be compared");
        let found = format!("{} pair{}", terms.pairs, if terms.pairs == 1 { "" } else { "s" });
        return Err(TextError::new(found, expected, format!("try --pairs {}", 100 * n_players)));
    }
    if !(terms.superiority > 0.5 && terms.superiority < 1.0) {
        let found = format!("a likelihood of superiority of {} %", 100.0 * terms.superiority);
        return Err(TextError::new(found, "expected more than 50 % and less than 100 %", "try --los 97.5"));
    }
    if let Some(error) = terms.error.filter(|error| !(error.is_finite() && *error > 0.0)) {
        let expected = "expected a number of Elo above 0";
        return Err(TextError::new(format!("an error of {error} Elo"), expected, "try --error 30"));
    }
    let names = || config.players.iter().map(|player| player.name.as_str());
    if let Some(anchor) = terms.anchor.as_deref().filter(|anchor| names().all(|name| name != *anchor)) {
        let expected =
            format!("expected one of {}{}", names().collect::<Vec<_>>().join(", "), did_you_mean(anchor, names()));
        return Err(TextError::new(format!("anchor {anchor:?}"), expected, "name a player of the pool"));
    }
    // No pairing can have more pairs than all of them.
    Ok(MatchConfig { format: MatchFormat::RoundRobin, pairs: terms.pairs, rating: Some(terms), ..config })
}
