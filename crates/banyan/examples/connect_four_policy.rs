//! Finds the weights by which Connect Four guesses priors (`policy.bin` of banyan-games): plays games of a search against
//! itself, and fits a softmax over the moves of each position to the visits that the search gave them. What came of it is
//! written down in experiments/connect-four-policy.
//!
//! ```text
//! cargo run --release -p banyan --example connect_four_policy -- play 5000 3000 games.txt policy=even
//! cargo run --release -p banyan --example connect_four_policy -- fit games.txt policy.bin
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod self_play;

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use banyan::games::connect_four::policy::{FEATURES, PATTERNS, TABLES, UPRIGHT, WEIGHTS};
use banyan::{Game, Rng};
use self_play::{Outcome, Rules, SelfPlay, read, replay, run};

/// What weights are multiplied by in the end: sharper than the visits, which exploration has flattened. Tuned by 60 pairs
/// each at 20 ms a move, see the experiment.
const SHARPER: f32 = 1.35;
/// Sixteenths of a doubling in one unit of a logit.
const UNIT: f32 = 16.0 * std::f32::consts::LOG2_E;

fn main() -> ExitCode {
    run(8, turn, fit)
}

/// Games are lines `SHAPE MOVE MOVE=COLUMN:VISITS,.. ..`, columns counted from 0; positions without visits are those in which all
/// is proven. Up to eight moves at the beginning, and later one in thirty, are drawn by their visits.
fn turn(at: &mut SelfPlay, text: &mut String) -> Outcome<u8> {
    let (report, is_decided) = at.search()?;
    let total: u64 = report.moves.iter().map(|stat| stat.visits).sum();
    if is_decided || total == 0 {
        write!(text, "{}", report.best)?;
        return Ok(report.best);
    }
    let mut mv = report.best;
    if at.played.len() < at.n_drawn || at.rng.below(30) == 0 {
        let mut left = u64::from(at.rng.below(total as u32));
        let hit = report.moves.iter().find(|stat| {
            let is_hit = left < stat.visits;
            left = left.saturating_sub(stat.visits);
            is_hit
        });
        mv = hit.expect("a number below the sum of all visits").mv;
    }
    let visits: Vec<String> = report.moves.iter().map(|stat| format!("{}:{}", stat.mv, stat.visits)).collect();
    write!(text, "{mv}={}", visits.join(","))?;
    Ok(mv)
}

/// What is to be foretold of a position: the share of visits of every move, by the weights that count for it.
struct Sample {
    features: Vec<[u16; FEATURES]>,
    shares: Vec<f32>,
    is_proven: bool,
}

fn fit(games: &str, weights: &str) -> Outcome<()> {
    let classes = classes();
    let (mut known, mut unseen) = (Vec::new(), Vec::new());
    read(games, |number, game, moves| {
        positions(game, moves, &classes, if number % 10 == 0 { &mut unseen } else { &mut known })
    })?;
    let mut model = Model { weights: vec![0.0; WEIGHTS], squares: vec![1e-3; WEIGHTS] };
    let mut rng = Rng::new(1);
    for epoch in 0..EPOCHS {
        for i in (1..known.len()).rev() {
            known.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let rate = 0.1 * (1.0 - epoch as f32 / EPOCHS as f32) + 0.005;
        known.iter().for_each(|sample| model.learn(sample, rate));
        let [loss, entropy, even, hits] = model.loss(&unseen);
        println!(
            "epoch {epoch}: {} positions; of {} others cross-entropy {loss:.4} (visits' own {entropy:.4}, even {even:.4}), {:.1} % of most visited moves",
            known.len(),
            unseen.len(),
            100.0 * hits
        );
    }
    let rounded = |class: u16| (model.weights[usize::from(class)] * SHARPER * UNIT).round().clamp(-127.0, 127.0) as i8;
    fs::write(weights, classes.iter().map(|&class| rounded(class) as u8).collect::<Vec<u8>>())?;
    Ok(())
}

const EPOCHS: usize = 4;

/// Appends the positions of a game that tell something: those with visits, and, of those in which all was proven, the
/// winner's with the move that was played.
fn positions(game: &Rules, moves: &str, classes: &[u16], samples: &mut Vec<Sample>) -> Outcome<()> {
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
            game.tactics(state, &mut moves);
            stats = moves.iter().map(|&mv| (mv, f32::from(u8::from(mv == played)))).collect();
        }
        let total: f32 = stats.iter().map(|&(_, n)| n).sum();
        if stats.len() > 1 && total > 0.0 {
            let moves: Vec<u8> = stats.iter().map(|&(mv, _)| mv).collect();
            let mut features = Vec::new();
            game.policy_features(state, &moves, &mut features);
            features.iter_mut().flatten().for_each(|i| *i = classes[usize::from(*i)]);
            samples.push(Sample { features, shares: stats.iter().map(|&(_, n)| n / total).collect(), is_proven });
        }
    }
    Ok(())
}

/// For every weight the one that it is the same as: what lies behind a cell out of reach makes no difference, nor does, but
/// in a column, on which side of the cell a neighbour lies.
fn classes() -> Vec<u16> {
    let of = |i: usize| match (i / PATTERNS, i % PATTERNS) {
        (table, _) if table >= TABLES => i as u16,
        (table, pattern) => (table * PATTERNS + class_of(pattern, table >= UPRIGHT)) as u16,
    };
    (0..WEIGHTS).map(of).collect()
}

fn class_of(pattern: usize, turns: bool) -> usize {
    let cell = |i: usize| pattern >> i & 1 | (pattern >> (6 + i) & 1) << 1;
    let mut cells: [usize; 6] = std::array::from_fn(cell);
    for way in [[2, 1, 0], [3, 4, 5]] {
        let reached = way.iter().take_while(|&&i| cells[i] != 0).count();
        way[reached..].iter().for_each(|&i| cells[i] = 0);
    }
    let number = |cells: [usize; 6]| -> usize {
        cells.iter().enumerate().map(|(i, cell)| (cell & 1) << i | (cell >> 1) << (6 + i)).sum()
    };
    let mut turned = cells;
    turned.reverse();
    if turns { number(cells).min(number(turned)) } else { number(cells) }
}

/// A softmax over moves, each with the sum of its weights, and what AdaGrad (Duchi, Hazan and Singer 2011) remembers.
struct Model {
    weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Model {
    fn likelihoods(&self, sample: &Sample) -> Vec<f32> {
        let sum = |features: &[u16; FEATURES]| features.iter().map(|&i| self.weights[usize::from(i)]).sum::<f32>();
        let sums: Vec<f32> = sample.features.iter().map(sum).collect();
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        let likely: Vec<f32> = sums.iter().map(|sum| (sum - most).exp()).collect();
        let total: f32 = likely.iter().sum();
        likely.iter().map(|p| p / total).collect()
    }

    fn learn(&mut self, sample: &Sample, rate: f32) {
        for ((p, share), features) in self.likelihoods(sample).iter().zip(&sample.shares).zip(&sample.features) {
            for &i in features {
                let i = usize::from(i);
                let slope = p - share + 1e-6 * self.weights[i];
                self.squares[i] += slope * slope;
                self.weights[i] -= rate * slope / self.squares[i].sqrt();
            }
        }
    }

    /// Cross-entropy, that of the visits with themselves, that of an even guess, and how often the most visited move is the
    /// likeliest.
    fn loss(&self, samples: &[Sample]) -> [f64; 4] {
        let best = |list: &[f32]| (0..list.len()).max_by(|&a, &b| list[a].total_cmp(&list[b]));
        let (mut sums, mut n) = ([0.0; 4], 0.0);
        for sample in samples.iter().filter(|sample| !sample.is_proven) {
            n += 1.0;
            let guess = self.likelihoods(sample);
            let cost = |by: &[f32]| -> f64 {
                let terms = sample.shares.iter().zip(by).filter(|&(&share, _)| share > 0.0);
                terms.map(|(&share, &p)| -f64::from(share) * f64::from(p.max(1e-9)).ln()).sum()
            };
            let even = (guess.len() as f64).ln();
            let hit = f64::from(u8::from(best(&guess) == best(&sample.shares)));
            let found = [cost(&guess), cost(&sample.shares), even, hit];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        }
        sums.map(|sum| sum / n)
    }
}
