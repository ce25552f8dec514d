//! Ratings of any number of players from all their games (Bradley and Terry 1952), with or without an advantage of moving
//! first (Davidson and Beaver 1977), with errors.

use super::counts::{MatchCounts, Wdl};
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

/// The score of a meeting against what the ratings predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Points per game of `player`, 0 .. 1.
    pub score: f64,
    /// Score predicted by the ratings for the games that it played as first and as second.
    pub expected: f64,
    /// Standard error of the score, from the spread between pairs.
    pub error: f64,
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
    /// Group of each player: those connected by games. Ratings of different groups cannot be compared: 0 is the anchor in its own
    /// group, the group's mean in all others.
    pub group: Vec<usize>,
    /// The advantage of moving first, as a difference in strength: between equal players the first to move scores 1 / (1 +
    /// 10^(-advantage / 400)). Unknown unless fitted by [`fit_with_order`](Ratings::fit_with_order).
    pub first_move: Interval,
    /// Maximum of the likelihood, in natural units; the last entry is the advantage of moving first, if it is fitted.
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
        let edges = meetings.iter().filter_map(|meeting| Edge::of(meeting, n_players)).collect();
        Ratings::of(&Model { n_players, has_order: false, edges }, anchor)
    }

    /// Like [`fit`](Ratings::fit), with an advantage g of moving first that is the same for all players and is estimated
    /// together with the strengths: P(i moving first beats j) = 1 / (1 + e^(rj - ri - g)). This is the order effect of
    /// Davidson and Beaver 1977, "On extending the Bradley-Terry model to incorporate within-pair order effects",
    /// multiplicative on the scale of e^r; a draw is half a win and half a loss, where they add Davidson's parameter of
    /// ties (1970), which changes the expected score little and is the same for both players.
    ///
    /// Reads the results by side; a meeting without them is left out. The prior of g is that of a strength. Errors: as in
    /// `fit`, with the observed covariance of the two games of a pair, so that the error of g allows for it too.
    pub fn fit_with_order(n_players: usize, meetings: &[Meeting], anchor: Anchor) -> Ratings {
        let edges = meetings.iter().filter_map(|meeting| Edge::by_side(meeting, n_players)).collect();
        Ratings::of(&Model { n_players, has_order: true, edges }, anchor)
    }

    fn of(model: &Model, anchor: Anchor) -> Ratings {
        let strength = model.most_likely();
        let covariance = model.covariance(&strength);
        let group = groups(model.n_players, &model.edges);
        let mut ratings = Ratings { elo: Vec::new(), group, first_move: Interval::UNKNOWN, strength, covariance };
        ratings.elo = (0..model.n_players).map(|player| ratings.rating(player, anchor, &model.edges)).collect();
        if model.has_order && !model.edges.is_empty() {
            let mut weights = vec![0.0; ratings.strength.len()];
            weights[model.n_players] = 1.0;
            ratings.first_move = ratings.contrast(&weights);
        }
        ratings
    }

    /// Expected score of `player` against `opponent` when it moves first and when it moves second.
    pub fn expected(&self, player: usize, opponent: usize) -> [f64; 2] {
        let order = self.strength.get(self.group.len()).copied().unwrap_or(0.0);
        [order, -order].map(|order| logistic(self.strength[player] - self.strength[opponent] + order))
    }

    /// Covariance of the strengths of all players in natural units (an Elo unit is ln 10 / 400 of one).
    pub(crate) fn covariance(&self) -> &[Vec<f64>] {
        &self.covariance
    }

    /// Rating of `player` less that of `opponent`; unknown if no chain of games connects them.
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

    /// Agreement of the results of a meeting by side with the ratings; `None` without games. Some of the differences are
    /// larger than two errors by chance: about one in twenty.
    pub fn residual(&self, meeting: &Meeting) -> Option<Residual> {
        let edge = Edge::by_side(meeting, self.group.len())?;
        let expected = self.expected(meeting.player, meeting.opponent);
        let (points, games) = edge.seen_by(meeting.player)?;
        let predicted: f64 = edge.cells.iter().zip(expected).map(|(cell, p)| cell.games * p).sum();
        let [variance, ..] = edge.variance(&expected);
        Some(Residual { score: points / games, expected: predicted / games, error: variance.sqrt() / games })
    }

    /// All players, the strongest first; those without games last. Equal ones are in the order of their numbers.
    pub fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.group.len()).collect();
        // Rounded, so that the order of equal players does not depend on the machine.
        let key = |player: usize| {
            let Interval { low, mid, high } = self.elo[player];
            ([low, mid, high] == [None; 3], -(self.strength[player] * 1e9).round())
        };
        players.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).expect("strengths are finite"));
        players
    }

    /// Their difference in standard errors.
    pub(crate) fn errors_apart(&self, player: usize, opponent: usize) -> f64 {
        let error = self.variance(&self.unit_contrast(player, &[opponent])).sqrt();
        (self.strength[player] - self.strength[opponent]).abs() / error.max(1e-12)
    }

    /// Half the width of the 95 % interval of their difference, in Elo; infinite if no chain of games connects them.
    pub(crate) fn half_width(&self, player: usize, opponent: usize) -> f64 {
        let ends = self.difference(player, opponent);
        ends.low.zip(ends.high).map_or(f64::INFINITY, |(low, high)| (high - low) / 2.0)
    }

    /// Further pairs between the two that would put their difference `z` standard errors from 0, if it stays as it is;
    /// `None` if no chain of games connects them.
    pub(crate) fn pairs_until(&self, player: usize, opponent: usize, z: f64) -> Option<f64> {
        if !self.comparable(player, opponent) || player == opponent {
            return None;
        }
        let difference = (self.strength[player] - self.strength[opponent]).abs().max(1e-9);
        let known = 1.0 / self.variance(&self.unit_contrast(player, &[opponent])).max(1e-12);
        let per_pair: f64 = self.expected(player, opponent).iter().map(|p| p * (1.0 - p)).sum();
        Some(((z / difference).powi(2) - known).max(0.0) / per_pair.max(1e-12))
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
    /// The games by who moved first, or all together.
    cells: Vec<Cell>,
    /// Samples of pairs and of single games, with the number of games per unit.
    samples: [(Sample, f64); 2],
    /// Weight of one real game.
    weight: f64,
}

/// Games that have the same expected score.
struct Cell {
    /// 1 if the player moved first, -1 if the opponent did, 0 if that does not matter.
    order: f64,
    games: f64,
    points: f64,
    /// Variance of a game's score.
    variance: f64,
}

/// Variance of the slope of the likelihood in the difference of strengths, its covariance with the slope in the advantage
/// of moving first, and the variance of the latter. Of information: the same second derivatives.
type Moments = [f64; 3];

impl Edge {
    fn of(meeting: &Meeting, n_players: usize) -> Option<Edge> {
        let samples = samples(&meeting.counts);
        let games: f64 = samples.iter().map(|(sample, size)| sample.n * size).sum();
        let points: f64 = samples.iter().map(|(sample, size)| sample.n * size * sample.mean).sum();
        Edge::between(meeting, n_players, samples, vec![Cell { order: 0.0, games, points, variance: 0.0 }])
    }

    fn by_side(meeting: &Meeting, n_players: usize) -> Option<Edge> {
        let cell = |(wdl, order): (Wdl, f64)| {
            let sample = Sample::of(&wdl.bins(), 1.0);
            Cell { order, games: sample.n, points: sample.n * sample.mean, variance: sample.variance }
        };
        let [first, second] = meeting.counts.by_side;
        let cells = [(first, 1.0), (second, -1.0)].map(cell).into();
        Edge::between(meeting, n_players, samples(&meeting.counts), cells)
    }

    fn between(meeting: &Meeting, n_players: usize, samples: [(Sample, f64); 2], mut cells: Vec<Cell>) -> Option<Edge> {
        let Meeting { player, opponent, .. } = *meeting;
        let games: f64 = cells.iter().map(|cell| cell.games).sum();
        if games == 0.0 || player == opponent || player.max(opponent) >= n_players {
            return None;
        }
        let weight = (MOST_GAMES / games).min(1.0);
        for cell in &mut cells {
            cell.games *= weight;
            cell.points *= weight;
        }
        Some(Edge { player, opponent, cells, samples, weight })
    }

    /// Points and games of `player`, if it took part.
    fn seen_by(&self, player: usize) -> Option<(f64, f64)> {
        let points: f64 = self.cells.iter().map(|cell| cell.points).sum();
        let games: f64 = self.cells.iter().map(|cell| cell.games).sum();
        match player {
            _ if player == self.player => Some((points, games)),
            _ if player == self.opponent => Some((games - points, games)),
            _ => None,
        }
    }

    /// Information of the model, given the expected score of each cell.
    fn information(&self, expected: &[f64]) -> Moments {
        let each = self.cells.iter().zip(expected).map(|(cell, p)| (cell.order, cell.games * p * (1.0 - p)));
        each.fold([0.0; 3], |[rr, rg, gg], (order, w)| [rr + w, rg + order * w, gg + order * order * w])
    }

    /// Variance of the slope, from the spread between units if there is one.
    fn variance(&self, expected: &[f64]) -> Moments {
        match expected {
            &[expected] => [self.variance_of_points(expected), 0.0, 0.0],
            _ => self.variance_by_side(expected),
        }
    }

    /// Variance of the points made.
    fn variance_of_points(&self, expected: f64) -> f64 {
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

    /// With x1 and x2 the scores of a pair's games, moving first and second: the variance of x1 + x2, its covariance with
    /// x1 - x2, and the variance of x1 - x2, which follow from the variances of x1, x2 and of their sum.
    fn variance_by_side(&self, expected: &[f64]) -> Moments {
        let per_game: Vec<f64> = expected.iter().map(|p| (p * (1.0 - p)).max(1e-15)).collect();
        let (one, other) = (per_game[0], per_game[1]);
        let modelled = [one + other, one - other, one + other];
        let (pairs, size) = self.samples[0];
        let sum = size * size * pairs.variance;
        let (x1, x2) = (self.cells[0].variance, self.cells[1].variance);
        // Games without a partner may push these out of the range of covariances.
        let difference = (2.0 * (x1 + x2) - sum).max(0.0);
        let most = (sum * difference).sqrt();
        let seen = [sum, (x1 - x2).clamp(-most, most), difference];
        let clean = pairs.mean <= 0.0 || pairs.mean >= 1.0;
        let n_pairs = pairs.n * self.weight;
        let unit = |i: usize| match clean {
            true => modelled[i],
            // One more than are divided by: a sample of n deviates from its own mean by (n - 1) / n of the variance only, which
            // matters where most pairings have a few pairs, as after adaptive pairing.
            false => (pairs.n * seen[i] + (1.0 + Z95 * Z95) * modelled[i]) / (pairs.n + Z95 * Z95),
        };
        let mut total = [0, 1, 2].map(|i| n_pairs * unit(i));
        for (cell, per_game) in self.cells.iter().zip(per_game) {
            let w = (cell.games - n_pairs).max(0.0) * per_game;
            total = [total[0] + w, total[1] + cell.order * w, total[2] + w];
        }
        total
    }
}

fn samples(counts: &MatchCounts) -> [(Sample, f64); 2] {
    [(Sample::of(&counts.pairs.bins(), 2.0), 2.0), (Sample::of(&counts.singles.bins(), 1.0), 1.0)]
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Logarithm of the logistic function.
fn log_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// The likelihood times the prior, as a function of the strengths and, last, the advantage of moving first if there is one.
struct Model {
    n_players: usize,
    has_order: bool,
    edges: Vec<Edge>,
}

impl Model {
    /// The maximum.
    fn most_likely(&self) -> Vec<f64> {
        let mut strength = vec![0.0; self.n_players + usize::from(self.has_order)];
        for _ in 0..200 {
            let step = Factor::of(&self.matrix(&strength, Edge::information)).solve(&self.gradient(&strength));
            let longest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            let mut share = (2.0 / longest.max(1e-300)).min(1.0);
            let before = self.log_posterior(&strength);
            let moved = |share: f64| -> Vec<f64> { strength.iter().zip(&step).map(|(r, s)| r + share * s).collect() };
            // Near the maximum, differences within the rounding of the sum count as equal.
            while share > 1e-6 && self.log_posterior(&moved(share)) < before - 1e-12 * before.abs() {
                share /= 2.0;
            }
            strength = moved(share);
            if longest < 1e-10 {
                break;
            }
        }
        strength
    }

    /// The difference in strength that decides the games of a cell.
    fn gap(&self, strength: &[f64], edge: &Edge, cell: &Cell) -> f64 {
        let order = strength.get(self.n_players).map_or(0.0, |order| cell.order * order);
        strength[edge.player] - strength[edge.opponent] + order
    }

    fn log_posterior(&self, strength: &[f64]) -> f64 {
        let prior = |r: &f64| PRIOR_GAMES / 2.0 * (log_logistic(*r) + log_logistic(-r));
        let likelihood = |edge: &Edge| {
            let of_cell = |cell: &Cell| {
                let gap = self.gap(strength, edge, cell);
                cell.points * log_logistic(gap) + (cell.games - cell.points) * log_logistic(-gap)
            };
            edge.cells.iter().map(of_cell).sum::<f64>()
        };
        strength.iter().map(prior).sum::<f64>() + self.edges.iter().map(likelihood).sum::<f64>()
    }

    fn gradient(&self, strength: &[f64]) -> Vec<f64> {
        let mut slope: Vec<f64> = strength.iter().map(|&r| PRIOR_GAMES * (0.5 - logistic(r))).collect();
        for edge in &self.edges {
            for cell in &edge.cells {
                let surplus = cell.points - cell.games * logistic(self.gap(strength, edge, cell));
                slope[edge.player] += surplus;
                slope[edge.opponent] -= surplus;
                if let Some(order) = slope.get_mut(self.n_players) {
                    *order += cell.order * surplus;
                }
            }
        }
        slope
    }

    /// Information matrix: the prior's, plus that of each meeting, weighted by `of_edge` given the expected scores.
    fn matrix(&self, strength: &[f64], of_edge: impl Fn(&Edge, &[f64]) -> Moments) -> Vec<Vec<f64>> {
        let n = strength.len();
        let mut matrix = vec![vec![0.0; n]; n];
        for (i, &r) in strength.iter().enumerate() {
            matrix[i][i] = PRIOR_GAMES * logistic(r) * logistic(-r);
        }
        for edge in &self.edges {
            let expected = edge.cells.iter().map(|cell| logistic(self.gap(strength, edge, cell)));
            let [rr, rg, gg] = of_edge(edge, &expected.collect::<Vec<f64>>());
            let (i, j) = (edge.player, edge.opponent);
            matrix[i][i] += rr;
            matrix[j][j] += rr;
            matrix[i][j] -= rr;
            matrix[j][i] -= rr;
            if self.has_order {
                let g = self.n_players;
                matrix[g][g] += gg;
                for (k, sign) in [(i, 1.0), (j, -1.0)] {
                    matrix[k][g] += sign * rg;
                    matrix[g][k] += sign * rg;
                }
            }
        }
        matrix
    }

    /// Sandwich covariance H^-1 J H^-1: H the information of the model, J the variance of its slope.
    fn covariance(&self, strength: &[f64]) -> Vec<Vec<f64>> {
        let bread = Factor::of(&self.matrix(strength, Edge::information));
        let filling = self.matrix(strength, Edge::variance);
        let half: Vec<Vec<f64>> = filling.iter().map(|row| bread.solve(row)).collect();
        (0..strength.len()).map(|j| bread.solve(&half.iter().map(|row| row[j]).collect::<Vec<f64>>())).collect()
    }
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
