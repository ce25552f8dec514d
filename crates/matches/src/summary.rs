//! The result of a match: `summary.json`, the last event of `match --json`, and the data of all tables and exports.

use banyan_arena::stats::MatchCounts;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::Span;
use banyan_catalog::view::VERSION;
use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::counted::{counted, fits};
use crate::lost_game::LossReview;
use crate::openings::OpeningResult;
use crate::pairing_summary::{Met, PairingSummary};
use crate::player_summary::{PlayerSummary, players, spending};
use crate::warnings;
use crate::warnings::{Findings, Warning};

/// A match, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// [`VERSION`].
    pub v: u32,
    /// The game, or range of games, of the match.
    pub game: String,
    /// Games played, including repetitions.
    pub games: u64,
    /// Complete pairs, likewise.
    pub pairs: u64,
    /// The players, in the order of their numbers.
    pub players: Vec<PlayerSummary>,
    /// The pairings with games, in the order of the schedule.
    pub pairings: Vec<PairingSummary>,
    /// Warnings about the validity of the result.
    pub warnings: Vec<Warning>,
    /// The results by opening; empty unless requested, and if no opening has a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<OpeningResult>,
    /// The review of the lost games; `None` unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_review: Option<LossReview>,
}

/// The last event of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoneEvent {
    /// [`VERSION`].
    pub v: u32,
    /// `done`.
    pub event: String,
    /// Names of the players.
    pub players: Vec<String>,
    /// Complete pairs of the match.
    pub pairs: u64,
    /// Games of the match.
    pub games: u64,
    /// Games won, drawn, lost by the first player.
    pub wdl: [u64; 3],
    /// Elo of the first player over the second, or its rating with more than two players.
    pub elo: Span,
    /// All pairings in full.
    pub pairings: Vec<PairingSummary>,
    /// Ratings of all players, with more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Span>,
    /// Warnings about the validity of the result.
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// Summarises `games`, in any order. Among several records of one game the first counts. Records of players that are not in
    /// the match are excluded with a warning. Games after the decision of a test are excluded, so that the result does not
    /// depend on the number of games running at that time.
    pub fn of(config: &MatchConfig, games: &[GameLine]) -> Summary {
        let n_players = config.players.len();
        let known = counted(config, games);
        let meetings = Met::all(&known);
        let pairings: Vec<(PairingSummary, MatchCounts)> = meetings.values().map(|met| met.summary(config)).collect();
        let (spent, seconds) = spending(n_players, known.values().copied());
        let players = players(config, spent, &pairings);
        let pairings: Vec<PairingSummary> = pairings.into_iter().map(|(pairing, _)| pairing).collect();
        let n_excluded = games.iter().filter(|game| !fits(game, n_players)).count();
        let findings = Findings { players: &players, pairings: &pairings, games, seconds, n_excluded };
        Summary {
            v: VERSION,
            game: config.game.clone(),
            games: known.len() as u64,
            pairs: meetings.values().map(|met| met.pairs.len() as u64).sum(),
            warnings: warnings::all(config, &findings),
            players,
            pairings,
            openings: Vec::new(),
            loss_review: None,
        }
    }

    /// The event that ends a match.
    pub fn done(&self) -> DoneEvent {
        let first = self.players.first();
        let ratings: Vec<Span> = self.players.iter().filter_map(|player| player.rating).collect();
        let met = self.pairings.first().map(|pairing| pairing.strength.elo);
        DoneEvent {
            v: VERSION,
            event: "done".to_owned(),
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            pairs: self.pairs,
            games: self.games,
            wdl: first.map_or([0; 3], |player| player.wdl),
            elo: ratings.first().copied().or(met).unwrap_or_default(),
            pairings: self.pairings.clone(),
            ratings,
            warnings: self.warnings.clone(),
        }
    }
}
