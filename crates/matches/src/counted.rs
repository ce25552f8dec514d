//! The games of a match that count for its result.

use std::collections::BTreeMap;

use banyan_catalog::pairs::GameLine;

use crate::config::MatchConfig;
use crate::evidence::Evidence;

/// The games that count, by pair and number: the first record of each of players of the match, up to the decision of a test.
pub(crate) fn counted<'a>(config: &MatchConfig, games: &'a [GameLine]) -> BTreeMap<(u64, u8), &'a GameLine> {
    let mut known: BTreeMap<(u64, u8), &GameLine> = BTreeMap::new();
    for game in games.iter().filter(|game| fits(game, config.players.len())) {
        known.entry(game.id()).or_insert(game);
    }
    if let Some(last) = decided_at(config, &known) {
        known.retain(|&(pair, _), _| pair <= last);
    }
    known
}

/// Whether two of the players of the match play a game.
pub(crate) fn fits(game: &GameLine, n_players: usize) -> bool {
    game.seats.iter().all(|&seat| seat < n_players) && game.seats[0] != game.seats[1]
}

/// The pair that decided the test: the first at which the consecutive pairs from the beginning cross a bound.
fn decided_at(config: &MatchConfig, known: &BTreeMap<(u64, u8), &GameLine>) -> Option<u64> {
    let mut evidence = Evidence::new(Some(config.test().ok()??));
    for pair in 0.. {
        evidence.add_pair([*known.get(&(pair, 0))?, *known.get(&(pair, 1))?]);
        if evidence.decided_after().is_some() {
            return Some(pair);
        }
    }
    None
}
