//! Fits the weights of the priors of Connect Four (`priors.bin` of banyan-connect-four): plays self-play games, and
//! fits a small network with a softmax over the moves of each position to their visits. Results are in
//! experiments/connect-four-priors.
//!
//! ```text
//! cargo run --release -p banyan --example connect_four_priors -- play 5000 3000 games.txt priors=uniform
//! cargo run --release -p banyan --example connect_four_priors -- fit games.txt priors.bin
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod self_play;

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use banyan::connect_four::ConnectFourKnowledge;
use banyan::connect_four::priors::{BIAS, FEATURE_ROWS, FEATURES, LANES, MIXED, MIXED_BITS, ROWS, SCORE_BITS, SCORES};
use banyan::{Game, Knowledge, Rng};
use self_play::{Outcome, Rules, SelfPlay, read, replay, run};

/// Factor of the final scores, as exploration flattens the visits. Tuned by matches, see the experiment.
const SHARPER: f32 = 1.35;
/// Sixteenths of a doubling in one unit of a logit.
const UNIT: f32 = 16.0 * std::f32::consts::LOG2_E;
/// Fixed point scale of weights in the file; no fitted weight is out of range.
const ONE: f32 = 64.0;

fn main() -> ExitCode {
    run(8, turn, fit)
}

/// Games are lines `SHAPE MOVE MOVE=COLUMN:VISITS,.. ..`, columns counted from 0; positions without visits are those
/// with a proven result. Up to eight moves at the beginning, and later one in thirty, are drawn by their visits.
fn turn(at: &mut SelfPlay, text: &mut String) -> Outcome<u8> {
    let (found, is_decided) = at.search()?;
    let mut mv = at.best(&found)?;
    let visits = found.moves.iter().map(|seen| Ok((at.column(&seen.mv)?, seen.visits)));
    let visits = visits.collect::<Outcome<Vec<(u8, u64)>>>()?;
    let total: u64 = visits.iter().map(|&(_, n)| n).sum();
    if is_decided || total == 0 {
        write!(text, "{mv}")?;
        return Ok(mv);
    }
    if at.is_drawn() || at.rng.below(30) == 0 {
        let mut left = u64::from(at.rng.below(total as u32));
        let hit = visits.iter().find(|&&(_, n)| {
            let is_hit = left < n;
            left = left.saturating_sub(n);
            is_hit
        });
        mv = hit.expect("a number below the sum of all visits").0;
    }
    let visits: Vec<String> = visits.iter().map(|(mv, n)| format!("{mv}:{n}")).collect();
    write!(text, "{mv}={}", visits.join(","))?;
    Ok(mv)
}

/// A training position: the features of every move, and its share of visits.
struct Sample {
    features: Vec<[u16; FEATURES]>,
    shares: Vec<f32>,
    is_proven: bool,
}

fn fit(games: &str, weights: &str) -> Outcome<()> {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    read(games, |number, game, moves| {
        positions(game, moves, if number % 10 == 0 { &mut held_out } else { &mut training })
    })?;
    let mut rng = Rng::new(1);
    let mut network = Network::new(&mut rng);
    let report = |what: &str, network: &Network| {
        let [loss, entropy, uniform, hits] = network.loss(&held_out);
        println!(
            "{what}: of {} held-out positions cross-entropy {loss:.4} (visits' own {entropy:.4}, uniform {uniform:.4}), {:.1} % of most visited moves",
            held_out.len(),
            100.0 * hits
        );
    };
    for epoch in 0..EPOCHS {
        rng.shuffle(&mut training);
        let rate = 0.05 * (1.0 - epoch as f32 / EPOCHS as f32) + 0.002;
        training.iter().for_each(|sample| network.learn(sample, rate));
        report(&format!("epoch {epoch}, {} positions", training.len()), &network);
    }
    let bytes = network.round();
    report("in the file", &network);
    fs::write(weights, bytes)?;
    Ok(())
}

/// Passes over all positions (guess, untuned).
const EPOCHS: usize = 4;

/// Appends the training positions of a game: those with visits, and, of those with a proven result, the winner's with
/// the move that was played.
fn positions(game: &Rules, moves: &str, samples: &mut Vec<Sample>) -> Outcome<()> {
    let words: Vec<(&str, &str)> = moves.split(' ').map(|word| word.split_once('=').unwrap_or((word, ""))).collect();
    let mut states = vec![game.start()];
    for &(mv, _) in &words {
        let mut state = states[states.len() - 1];
        replay(game, &mut state, mv)?;
        states.push(state);
    }
    let winner = game.result(&states[words.len()]).and_then(|margin| margin.winner());
    for (state, (mv, visits)) in states.iter().zip(words) {
        let pairs = visits.split(',').filter_map(|pair| pair.split_once(':'));
        let pairs = pairs.map(|(mv, n)| Ok((mv.parse()?, n.parse()?)));
        let mut stats = pairs.collect::<Outcome<Vec<(u8, f32)>>>()?;
        let is_proven = stats.is_empty();
        if is_proven && winner == Some(game.to_move(state)) {
            let (mut moves, played) = (Vec::new(), mv.parse::<u8>()?);
            ConnectFourKnowledge.forced_moves(game, state, &mut moves);
            stats = moves.iter().map(|&mv| (mv, f32::from(u8::from(mv == played)))).collect();
        }
        let total: f32 = stats.iter().map(|&(_, n)| n).sum();
        if stats.len() > 1 && total > 0.0 {
            let moves: Vec<u8> = stats.iter().map(|&(mv, _)| mv).collect();
            let mut features = Vec::new();
            game.policy_features(state, &moves, &mut features);
            samples.push(Sample { features, shares: stats.iter().map(|&(_, n)| n / total).collect(), is_proven });
        }
    }
    Ok(())
}

/// The network of `banyan::connect_four::priors`, in units of a logit.
struct Network {
    weights: Vec<[f32; LANES]>,
    /// Sums of squared gradients of AdaGrad (Duchi, Hazan and Singer 2011).
    squares: Vec<[f32; LANES]>,
    /// `[row]`: whether a training position had it.
    trained: Vec<bool>,
}

/// The activations of a position's moves.
struct Activations {
    lanes: Vec<[f32; LANES]>,
    means: [f32; LANES],
    /// With the contribution of the means.
    hidden: Vec<[f32; LANES]>,
    likelihoods: Vec<f32>,
}

impl Network {
    fn new(rng: &mut Rng) -> Network {
        let mut weights = vec![[0.0; LANES]; ROWS];
        for (number, row) in weights.iter_mut().enumerate() {
            let most = match number {
                0..FEATURE_ROWS => 0.05,
                BIAS => 0.1,
                SCORES => 0.3,
                _ => 0.2,
            };
            row.iter_mut().skip(1).for_each(|weight| *weight = most * (2.0 * rng.unit() as f32 - 1.0));
        }
        weights[SCORES][0] = 1.0;
        Network { weights, squares: vec![[1e-3; LANES]; ROWS], trained: vec![false; ROWS] }
    }

    fn forward(&self, sample: &Sample) -> Activations {
        let n = sample.features.len();
        let mut lanes = vec![self.weights[BIAS]; n];
        let (mut means, mut added) = ([0.0; LANES], [0.0; LANES]);
        for (lanes, features) in lanes.iter_mut().zip(&sample.features) {
            for row in features.iter().map(|&i| &self.weights[usize::from(i)]) {
                (0..LANES).for_each(|h| lanes[h] += row[h]);
            }
            (1..LANES).for_each(|h| means[h] += lanes[h].max(0.0) / n as f32);
        }
        for (mean, row) in means.iter().zip(&self.weights[MIXED..SCORES]).skip(1) {
            (1..LANES).for_each(|h| added[h] += mean * row[h]);
        }
        let mut hidden = lanes.clone();
        hidden.iter_mut().for_each(|lanes| (1..LANES).for_each(|h| lanes[h] = (lanes[h] + added[h]).max(0.0)));
        let score = |lanes: &[f32; LANES]| (0..LANES).map(|h| lanes[h] * self.weights[SCORES][h]).sum::<f32>();
        let scores: Vec<f32> = hidden.iter().map(score).collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let likely: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let total: f32 = likely.iter().sum();
        Activations { lanes, means, hidden, likelihoods: likely.iter().map(|p| p / total).collect() }
    }

    fn step(&mut self, row: usize, slopes: &[f32; LANES], rate: f32) {
        self.trained[row] = true;
        let (weights, squares) = (&mut self.weights[row], &mut self.squares[row]);
        for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(slopes) {
            let slope = slope + 1e-6 * *weight;
            *square += slope * slope;
            *weight -= rate * slope / square.sqrt();
        }
    }

    fn learn(&mut self, sample: &Sample, rate: f32) {
        let Activations { lanes, means, hidden, likelihoods } = self.forward(sample);
        let n = lanes.len();
        let (mut of_scores, mut of_added, mut of_beginning) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut slopes = vec![[0.0; LANES]; n];
        for i in 0..n {
            slopes[i][0] = likelihoods[i] - sample.shares[i];
            for h in (1..LANES).filter(|&h| hidden[i][h] > 0.0) {
                of_scores[h] += slopes[i][0] * hidden[i][h];
                slopes[i][h] = slopes[i][0] * self.weights[SCORES][h];
                of_added[h] += slopes[i][h];
            }
        }
        for unit in 1..LANES {
            let of_mean: f32 = (1..LANES).map(|h| self.weights[MIXED + unit][h] * of_added[h]).sum();
            (0..n).filter(|&i| lanes[i][unit] > 0.0).for_each(|i| slopes[i][unit] += of_mean / n as f32);
        }
        for (unit, mean) in means.iter().enumerate().skip(1) {
            self.step(MIXED + unit, &of_added.map(|slope| slope * mean), rate);
        }
        self.step(SCORES, &of_scores, rate);
        self.weights[SCORES][0] = 1.0;
        for (features, slopes) in sample.features.iter().zip(&slopes) {
            features.iter().for_each(|&i| self.step(i.into(), slopes, rate));
            (1..LANES).for_each(|h| of_beginning[h] += slopes[h]);
        }
        self.step(BIAS, &of_beginning, rate);
    }

    /// Rounds every weight to the precision of the file, and returns the file.
    fn round(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in 0..ROWS {
            let unit = match row {
                0..MIXED => ONE,
                SCORES => SHARPER * UNIT * (1 << SCORE_BITS) as f32 / ONE,
                _ => (1 << MIXED_BITS) as f32,
            };
            for weight in &mut self.weights[row] {
                let learned = if self.trained[row] { *weight } else { 0.0 };
                let rounded = (learned * unit).round().clamp(-127.0, 127.0);
                *weight = rounded / unit;
                bytes.push(rounded as i8 as u8);
            }
        }
        bytes
    }

    /// Means of: cross-entropy, entropy of the visits, cross-entropy of uniform priors, and how often the most visited
    /// move has the highest prior.
    fn loss(&self, samples: &[Sample]) -> [f64; 4] {
        let best = |list: &[f32]| (0..list.len()).max_by(|&a, &b| list[a].total_cmp(&list[b]));
        let (mut sums, mut n) = ([0.0; 4], 0.0);
        for sample in samples.iter().filter(|sample| !sample.is_proven) {
            n += 1.0;
            let priors = self.forward(sample).likelihoods;
            let cost = |by: &[f32]| -> f64 {
                let terms = sample.shares.iter().zip(by).filter(|&(&share, _)| share > 0.0);
                terms.map(|(&share, &p)| -f64::from(share) * f64::from(p.max(1e-9)).ln()).sum()
            };
            let uniform = (priors.len() as f64).ln();
            let hit = f64::from(u8::from(best(&priors) == best(&sample.shares)));
            let found = [cost(&priors), cost(&sample.shares), uniform, hit];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        }
        sums.map(|sum| sum / n)
    }
}
