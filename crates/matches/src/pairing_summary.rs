//! Results of a pairing.

use std::collections::BTreeMap;

use banyan_arena::stats::{EloScale, Estimate, MatchCounts, Sprt, Wdl};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::{Span, SprtView, Strength, round, span};
use banyan_core::Side;
use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::evidence::Evidence;

/// Maximum number of points of a curve.
const TRAIL_POINTS: u64 = 150;

/// Fewer pairs than this do not show how much results vary, so that no estimate of the number still needed is given. Guess, untuned.
pub const FEWEST_PAIRS: u64 = 10;

/// The results of two players, from the viewpoint of the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairingSummary {
    /// Numbers of the players.
    pub players: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Pairs that count.
    pub pairs: u64,
    /// Games won, drawn, lost.
    pub wdl: [u64; 3],
    /// Games won, drawn and lost in which the player moved first.
    pub as_first: [u64; 3],
    /// Games won, drawn and lost in which it moved second.
    pub as_second: [u64; 3],
    /// Pairs by score: LL, LD, WL or DD, WD, WW.
    pub pentanomial: [u64; 5],
    /// The estimates from these counts.
    #[serde(flatten)]
    pub strength: Strength,
    /// The sequential test of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtView>,
    /// Pairs after which the test was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_after: Option<u64>,
    /// Pairs that repeat earlier ones exactly; they count once.
    pub repeated_pairs: u64,
    /// Pairs with a missing or aborted game; not included in the pairs above.
    pub incomplete_pairs: Vec<u64>,
    /// The history of the estimates, thinned out; not serialised.
    #[serde(skip)]
    pub trail: Vec<TrailPoint>,
}

/// The estimates after a number of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// Pairs.
    pub pairs: u64,
    /// Elo with its interval.
    pub elo: Span,
    /// Log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// The games of two players; `players[0]` has the lower number.
pub(super) struct Met<'a> {
    pub(super) players: [usize; 2],
    /// Complete pairs in the order of the schedule, starting with the game in which `players[0]` moved first.
    pub(super) pairs: Vec<[&'a GameLine; 2]>,
    /// Games without a partner.
    singles: Vec<&'a GameLine>,
}

impl<'a> Met<'a> {
    /// The games of all pairings, by player numbers.
    pub(super) fn all(known: &BTreeMap<(u64, u8), &'a GameLine>) -> BTreeMap<[usize; 2], Met<'a>> {
        let mut met: BTreeMap<[usize; 2], Met> = BTreeMap::new();
        for (&(pair, game_idx), &game) in known {
            let mut players = game.seats;
            players.sort_unstable();
            let met = met.entry(players).or_insert_with(|| Met { players, pairs: Vec::new(), singles: Vec::new() });
            let partner =
                known.get(&(pair, 1 - game_idx)).filter(|other| other.seats == [game.seats[1], game.seats[0]]);
            match partner {
                None => met.singles.push(game),
                // The pair is added at its first game.
                Some(other) if game_idx == 0 && game.seats == players => met.pairs.push([game, other]),
                Some(other) if game_idx == 0 => met.pairs.push([other, game]),
                Some(_) => {}
            }
        }
        met
    }

    /// The summary, and the underlying counts.
    pub(super) fn summary(&self, config: &MatchConfig) -> (PairingSummary, MatchCounts) {
        let test = config
            .sprt
            .and_then(|sprt| Sprt::new(EloScale::Normalized, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta).ok());
        let mut evidence = Evidence::new(test);
        let mut trail = Vec::new();
        let step = (self.pairs.len() as u64).div_ceil(TRAIL_POINTS).max(1);
        for (i, &games) in (1..).zip(&self.pairs) {
            evidence.add_pair(games);
            if i % step == 0 || i == self.pairs.len() as u64 {
                trail.push(point(&evidence));
            }
        }
        trail.dedup_by_key(|point| point.pairs);
        for game in &self.singles {
            let side = if game.seats[0] == self.players[0] { Side::First } else { Side::Second };
            evidence.add_single(side, game);
        }
        let counts = *evidence.counts();
        let sprt = test.zip(evidence.test());
        let enough = |more: Option<u64>| more.filter(|_| counts.pairs.pairs() >= FEWEST_PAIRS);
        let strength = Strength::of(&counts.estimate());
        let pairing = PairingSummary {
            players: self.players,
            names: self.players.map(|player| config.players[player].name.clone()),
            pairs: counts.pairs.pairs(),
            wdl: wdl(counts.games()),
            as_first: wdl(counts.by_side[0]),
            as_second: wdl(counts.by_side[1]),
            pentanomial: counts.pairs.counts,
            strength: Strength { more_pairs: enough(strength.more_pairs), ..strength },
            sprt: sprt.map(|(test, state)| {
                let view = SprtView::of(EloScale::Normalized, &test, &state);
                let is_open = view.decision == "continue";
                SprtView { more_pairs: if is_open { enough(view.more_pairs) } else { view.more_pairs }, ..view }
            }),
            decided_after: evidence.decided_after(),
            repeated_pairs: evidence.repeated(),
            incomplete_pairs: self.singles.iter().map(|game| game.pair).collect(),
            trail,
        };
        (pairing, counts)
    }
}

fn point(evidence: &Evidence) -> TrailPoint {
    let Estimate { elo, .. } = evidence.counts().estimate();
    let llr = evidence.test().and_then(|state| round(state.llr, 4));
    TrailPoint { pairs: evidence.counts().pairs.pairs(), elo: span(elo, 3), llr }
}

/// Games won, drawn, lost.
pub(super) fn wdl(wdl: Wdl) -> [u64; 3] {
    [wdl.wins, wdl.draws, wdl.losses]
}
