//! Ratings of any number of players from all their games (Bradley and Terry 1952), with errors.

use super::counts::MatchCounts;
use super::fisher::Factor;
use super::interval::Interval;
use super::quantile::{Z95, t_below};
use super::score::{ELO_PER_NAT, Sample};

/// More games than this between two players are scaled down to this many, so that the prior is not lost to rounding.
const MOST_GAMES: f64 = 1e9;

/// Drawn games that each player is given against an imaginary one of strength 0. One gives a player with n wins and no
/// loss about 400 log10(2n + 1), the upper half of Laplace's rule of succession. Guess, untuned.
const PRIOR_GAMES: f64 = 1.0;

/// All games between two players, seen by `player`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The player whose results `counts` holds.
    pub player: usize,
    /// The other player.
    pub opponent: usize,
    /// The results.
    pub counts: MatchCounts,
}

/// The reference of rating 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// The mean of all players.
    #[default]
    Mean,
    /// This player.
    Player(usize),
}

/// Ratings on the logistic Elo scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Rating of each player. After wins only the interval has no upper end, after losses only no lower one, and the
    /// middle then depends on the prior. Without games it is unknown.
    pub elo: Vec<Interval>,
    /// Which players are connected by games. Ratings of different groups cannot be compared: 0 is the anchor in its own
    /// group, the group's mean in all others.
    pub group: Vec<usize>,
    /// Maximum of the likelihood, in natural units.
    strength: Vec<f64>,
    /// Covariance of `strength`.
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The strengths r that maximise the likelihood under P(i beats j) = 1 / (1 + e^(rj - ri)), a draw being half a win
    /// and half a loss, times a weak prior. The likelihood is concave, so Newton's method with a bounded step finds the
    /// only maximum; Hunter 2004, "MM algorithms for generalized Bradley-Terry models", has the conditions and the slower
    /// method that the tests compare with.
    ///
    /// Prior: one drawn game of each player against an imaginary one of strength 0. It connects players whom no chain
    /// of wins connects, and keeps the rating of a 100 % score finite; against a hundred real games it has a weight of
    /// 1 %.
    ///
    /// Errors: the inverse Fisher information holds for independent games. The two games of a pair are not, and draws
    /// vary less than wins and losses, so the middle of the sandwich estimate (White 1982) is the observed variance
    /// between the pairs of each meeting, z^2 imaginary pairs with the model's own variance added, as Agresti and Coull
    /// add them to a proportion, so that identical results of all pairs do not give an error of 0.
    ///
    /// Meetings of a player with itself or with a player number of `n_players` or more are left out.
    pub fn fit(n_players: usize, meetings: &[Meeting], anchor: Anchor) -> Ratings {
        let edges: Vec<Edge> = meetings.iter().filter_map(|meeting| Edge::of(meeting, n_players)).collect();
        let strength = most_likely(n_players, &edges);
        let covariance = covariance(&strength, &edges);
        let group = groups(n_players, &edges);
        let mut ratings = Ratings { elo: Vec::new(), group, strength, covariance };
        ratings.elo = (0..n_players).map(|player| ratings.rating(player, anchor, &edges)).collect();
        ratings
    }

    /// How much stronger `player` is than `opponent`; unknown if no chain of games connects them.
    pub fn difference(&self, player: usize, opponent: usize) -> Interval {
        if !self.comparable(player, opponent) {
            return Interval::UNKNOWN;
        }
        self.contrast(&self.unit_contrast(player, &[opponent]))
    }

    /// The chance that `player` is stronger than `opponent`; 0.5 if no chain of games connects them.
    pub fn superiority(&self, player: usize, opponent: usize) -> f64 {
        if !self.comparable(player, opponent) || player == opponent {
            return 0.5;
        }
        let weights = self.unit_contrast(player, &[opponent]);
        let error = self.variance(&weights).sqrt();
        t_below((self.strength[player] - self.strength[opponent]) / error.max(1e-12), f64::INFINITY)
    }

    fn comparable(&self, player: usize, opponent: usize) -> bool {
        let group = self.group.get(player);
        group.is_some() && group == self.group.get(opponent)
    }

    fn rating(&self, player: usize, anchor: Anchor, edges: &[Edge]) -> Interval {
        let met: Vec<(f64, f64)> = edges.iter().filter_map(|edge| edge.seen_by(player)).collect();
        if met.is_empty() {
            return Interval::UNKNOWN;
        }
        let peers: Vec<usize> = match anchor {
            Anchor::Player(zero) if self.comparable(player, zero) => vec![zero],
            _ => (0..self.group.len()).filter(|&peer| self.comparable(player, peer)).collect(),
        };
        let mut elo = self.contrast(&self.unit_contrast(player, &peers));
        if peers != [player] {
            elo.high = elo.high.filter(|_| met.iter().any(|(points, games)| points < games));
            elo.low = elo.low.filter(|_| met.iter().any(|&(points, _)| points > 0.0));
        }
        elo
    }

    /// Weights of the difference between `player` and the mean of `peers`.
    fn unit_contrast(&self, player: usize, peers: &[usize]) -> Vec<f64> {
        let mut weights = vec![0.0; self.strength.len()];
        weights[player] += 1.0;
        for &peer in peers {
            weights[peer] -= 1.0 / peers.len() as f64;
        }
        weights
    }

    fn contrast(&self, weights: &[f64]) -> Interval {
        let mid: f64 = weights.iter().zip(&self.strength).map(|(w, r)| w * r).sum();
        Interval::around(mid * ELO_PER_NAT, Z95 * self.variance(weights).sqrt() * ELO_PER_NAT)
    }

    fn variance(&self, weights: &[f64]) -> f64 {
        let product = |row: &Vec<f64>| row.iter().zip(weights).map(|(c, w)| c * w).sum::<f64>();
        self.covariance.iter().zip(weights).map(|(row, w)| w * product(row)).sum::<f64>().max(0.0)
    }
}

/// A meeting in the form that the likelihood needs.
struct Edge {
    player: usize,
    opponent: usize,
    games: f64,
    points: f64,
    /// Samples of pairs and of single games, with the number of games per unit.
    samples: [(Sample, f64); 2],
    /// Weight of one real game.
    weight: f64,
}

impl Edge {
    fn of(meeting: &Meeting, n_players: usize) -> Option<Edge> {
        let Meeting { player, opponent, counts } = *meeting;
        let samples = [(Sample::of(&counts.pairs.bins(), 2.0), 2.0), (Sample::of(&counts.singles.bins(), 1.0), 1.0)];
        let games: f64 = samples.iter().map(|(sample, size)| sample.n * size).sum();
        let points: f64 = samples.iter().map(|(sample, size)| sample.n * size * sample.mean).sum();
        if games == 0.0 || player == opponent || player.max(opponent) >= n_players {
            return None;
        }
        let weight = (MOST_GAMES / games).min(1.0);
        Some(Edge { player, opponent, games: games * weight, points: points * weight, samples, weight })
    }

    /// Points and games of `player`, if it took part.
    fn seen_by(&self, player: usize) -> Option<(f64, f64)> {
        match player {
            _ if player == self.player => Some((self.points, self.games)),
            _ if player == self.opponent => Some((self.games - self.points, self.games)),
            _ => None,
        }
    }

    /// Expected score of `player` in one game.
    fn expected(&self, strength: &[f64]) -> f64 {
        logistic(strength[self.player] - strength[self.opponent])
    }

    /// Variance of the points made, from the spread between units where there is one.
    fn variance(&self, expected: f64) -> f64 {
        let per_game = (expected * (1.0 - expected)).max(1e-15);
        let total = |&(sample, size): &(Sample, f64)| {
            let modelled = size * per_game;
            let seen = size * size * sample.variance;
            let clean = sample.mean <= 0.0 || sample.mean >= 1.0;
            let unit = if clean { modelled } else { (sample.n * seen + Z95 * Z95 * modelled) / (sample.n + Z95 * Z95) };
            sample.n * unit
        };
        self.samples.iter().map(total).sum::<f64>() * self.weight
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Logarithm of the logistic function.
fn log_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// The maximum of the likelihood times the prior.
fn most_likely(n_players: usize, edges: &[Edge]) -> Vec<f64> {
    let mut strength = vec![0.0; n_players];
    for _ in 0..200 {
        let step = Factor::of(&information(&strength, edges, |edge, p| edge.games * p * (1.0 - p)))
            .solve(&gradient(&strength, edges));
        let longest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let mut share = (2.0 / longest.max(1e-300)).min(1.0);
        let before = log_posterior(&strength, edges);
        let moved = |share: f64| -> Vec<f64> { strength.iter().zip(&step).map(|(r, s)| r + share * s).collect() };
        // Near the maximum, differences within the rounding of the sum count as equal.
        while share > 1e-6 && log_posterior(&moved(share), edges) < before - 1e-12 * before.abs() {
            share /= 2.0;
        }
        strength = moved(share);
        if longest < 1e-10 {
            break;
        }
    }
    strength
}

fn log_posterior(strength: &[f64], edges: &[Edge]) -> f64 {
    let prior = |r: &f64| PRIOR_GAMES / 2.0 * (log_logistic(*r) + log_logistic(-r));
    let likelihood = |edge: &Edge| {
        let gap = strength[edge.player] - strength[edge.opponent];
        edge.points * log_logistic(gap) + (edge.games - edge.points) * log_logistic(-gap)
    };
    strength.iter().map(prior).sum::<f64>() + edges.iter().map(likelihood).sum::<f64>()
}

fn gradient(strength: &[f64], edges: &[Edge]) -> Vec<f64> {
    let mut slope: Vec<f64> = strength.iter().map(|&r| PRIOR_GAMES * (0.5 - logistic(r))).collect();
    for edge in edges {
        let surplus = edge.points - edge.games * edge.expected(strength);
        slope[edge.player] += surplus;
        slope[edge.opponent] -= surplus;
    }
    slope
}

/// Information matrix: the prior's, plus that of each meeting, weighted by `of_edge` given the expected score.
fn information(strength: &[f64], edges: &[Edge], of_edge: impl Fn(&Edge, f64) -> f64) -> Vec<Vec<f64>> {
    let n = strength.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (i, &r) in strength.iter().enumerate() {
        matrix[i][i] = PRIOR_GAMES * logistic(r) * logistic(-r);
    }
    for edge in edges {
        let (i, j, weight) = (edge.player, edge.opponent, of_edge(edge, edge.expected(strength)));
        matrix[i][i] += weight;
        matrix[j][j] += weight;
        matrix[i][j] -= weight;
        matrix[j][i] -= weight;
    }
    matrix
}

/// Sandwich covariance H^-1 J H^-1: H the information of the model, J the variance of its slope.
fn covariance(strength: &[f64], edges: &[Edge]) -> Vec<Vec<f64>> {
    let bread = Factor::of(&information(strength, edges, |edge, p| edge.games * p * (1.0 - p)));
    let filling = information(strength, edges, Edge::variance);
    let half: Vec<Vec<f64>> = filling.iter().map(|row| bread.solve(row)).collect();
    (0..strength.len()).map(|j| bread.solve(&half.iter().map(|row| row[j]).collect::<Vec<f64>>())).collect()
}

/// Numbers the connected groups of players in the order of their first members.
fn groups(n_players: usize, edges: &[Edge]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..n_players).collect();
    // At most one pass per player: each pass propagates the smallest number along one more meeting.
    let mut changed = true;
    while changed {
        changed = false;
        for edge in edges {
            let least = group[edge.player].min(group[edge.opponent]);
            changed |= group[edge.player] != least || group[edge.opponent] != least;
            group[edge.player] = least;
            group[edge.opponent] = least;
        }
    }
    group
}
