//! Results and resources of each player.

use banyan_arena::stats::{Anchor, MatchCounts, Meeting, Ratings, Wdl};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::{Span, span};
use banyan_core::Side;
use serde::{Deserialize, Serialize};

use crate::config::{MatchConfig, MatchFormat};
use crate::pairing_summary::{PairingSummary, wdl};
use crate::spending::{Spending, Spent};

/// One player against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its budget.
    pub budget: String,
    /// Games won, drawn and lost, of those that count.
    pub wdl: [u64; 3],
    /// Bradley-Terry rating; `None` with only two players. 0 is the mean, in a gauntlet the first player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Span>,
    /// Its resources and faults in all games.
    pub spending: Spending,
}

/// Every player against all others, in the order of their numbers.
pub(super) fn players(
    config: &MatchConfig,
    spent: Vec<Spending>,
    pairings: &[(PairingSummary, MatchCounts)],
) -> Vec<PlayerSummary> {
    let n_players = config.players.len();
    let mut totals = vec![Wdl::default(); n_players];
    let mut meetings = Vec::new();
    for (pairing, counts) in pairings {
        let [player, opponent] = pairing.players;
        totals[player] += counts.games();
        totals[opponent] += counts.games().reversed();
        meetings.push(Meeting { player, opponent, counts: *counts });
    }
    let anchor = match config.format {
        MatchFormat::RoundRobin => Anchor::Mean,
        MatchFormat::Gauntlet | MatchFormat::Sweep | MatchFormat::Ablation => Anchor::Player(0),
    };
    let ratings = (n_players > 2).then(|| Ratings::fit(n_players, &meetings, anchor));
    let player = |(i, spending): (usize, Spending)| PlayerSummary {
        name: config.players[i].name.clone(),
        budget: config.players[i].budget.clone(),
        wdl: wdl(totals[i]),
        rating: ratings.as_ref().map(|ratings| span(ratings.elo[i], 3)),
        spending,
    };
    spent.into_iter().enumerate().map(player).collect()
}

/// Resources of each player, and the total thinking time in seconds.
pub(super) fn spending<'a>(n_players: usize, games: impl Iterator<Item = &'a GameLine>) -> (Vec<Spending>, f64) {
    let mut spent = vec![Spent::default(); n_players];
    for game in games {
        for side in Side::BOTH {
            spent[game.seats[side.index()]].add(game, side);
        }
    }
    let seconds = spent.iter().map(Spent::seconds).sum();
    (spent.into_iter().map(Spent::spending).collect(), seconds)
}
