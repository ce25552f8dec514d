//! Fits the weights of the node evaluation of Connect Four (`node_eval.bin` of banyan-connect-four): plays self-play
//! games, and fits a logistic regression to their results. Results are in experiments/connect-four-node-eval.
//!
//! ```text
//! cargo run --release -p banyan --example connect_four_node_eval -- play 2000 8000 games.txt node-eval=0
//! cargo run --release -p banyan --example connect_four_node_eval -- fit games.txt node_eval.bin
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod self_play;

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use banyan::connect_four::ConnectFourKnowledge;
use banyan::connect_four::node_eval::{UNIT, WEIGHTS};
use banyan::{Game, Knowledge, MoveList, Rng};
use self_play::{Outcome, Rules, SelfPlay, read, replay, run};

/// Passes over all positions (guess, untuned).
const EPOCHS: usize = 6;

fn main() -> ExitCode {
    run(6, turn, fit)
}

/// Games are lines `SHAPE MOVE ..`, columns counted from 0; a random move, one of up to six at the beginning, is
/// followed by `?`, one in a position with a proven result by `!`.
fn turn(at: &mut SelfPlay, text: &mut String) -> Outcome<u8> {
    let (mv, mark) = if at.is_drawn() {
        let mut moves = MoveList::new();
        ConnectFourKnowledge.forced_moves(&at.game, &at.state, &mut moves);
        (moves[at.rng.below(moves.len() as u32) as usize], "?")
    } else {
        let (found, is_decided) = at.search()?;
        (at.best(&found)?, if is_decided { "!" } else { "" })
    };
    write!(text, "{mv}{mark}")?;
    Ok(mv)
}

/// A training position: the indices of its features' weights, and the result of the game for the side to move, 0 lost
/// to 1 won.
struct Sample {
    weights: Vec<u16>,
    result: f32,
}

fn fit(games: &str, weights: &str) -> Outcome<()> {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    read(games, |number, game, moves| {
        positions(game, moves, if number % 10 == 0 { &mut held_out } else { &mut training })
    })?;
    // AdaGrad (Duchi, Hazan and Singer 2011).
    let (mut model, mut squares) = (vec![0.0; WEIGHTS], vec![1e-2; WEIGHTS]);
    let mut rng = Rng::new(1);
    for epoch in 0..EPOCHS {
        rng.shuffle(&mut training);
        let rate = 0.05 * (1.0 - epoch as f32 / EPOCHS as f32) + 0.002;
        for sample in &training {
            let slope = expected(&model, sample) - sample.result;
            for &weight in &sample.weights {
                let weight = usize::from(weight);
                squares[weight] += slope * slope;
                model[weight] -= rate * slope / squares[weight].sqrt();
            }
        }
        println!(
            "epoch {epoch}: {} positions, cross-entropy {:.4}; of {} others {:.4}",
            training.len(),
            loss(&model, &training),
            held_out.len(),
            loss(&model, &held_out)
        );
    }
    let rounded = |weight: &f32| (weight * UNIT as f32).round() as i16;
    fs::write(weights, model.iter().flat_map(|weight| rounded(weight).to_le_bytes()).collect::<Vec<u8>>())?;
    Ok(())
}

fn expected(model: &[f32], sample: &Sample) -> f32 {
    let logit: f32 = sample.weights.iter().map(|&weight| model[usize::from(weight)]).sum();
    1.0 / (1.0 + (-logit).exp())
}

/// Mean cross-entropy in nats.
fn loss(model: &[f32], samples: &[Sample]) -> f32 {
    let of = |sample: &Sample| {
        let won = expected(model, sample).clamp(1e-4, 1.0 - 1e-4);
        -sample.result * won.ln() - (1.0 - sample.result) * (1.0 - won).ln()
    };
    samples.iter().map(|sample| f64::from(of(sample))).sum::<f64>() as f32 / samples.len() as f32
}

/// Appends the positions of a game after its last random move whose result is not proven.
fn positions(game: &Rules, moves: &str, samples: &mut Vec<Sample>) -> Outcome<()> {
    let (mut state, mut states) = (game.start(), Vec::new());
    for word in moves.split(' ') {
        if word.ends_with('?') {
            states.clear();
        } else if !word.ends_with('!') {
            states.push(state);
        }
        replay(game, &mut state, word.trim_end_matches(['?', '!']))?;
    }
    let margin = game.result(&state).ok_or("a game without an end")?;
    samples.extend(states.iter().map(|at| {
        let won = margin.winner().map(|winner| winner == game.to_move(at));
        let mut weights = Vec::new();
        game.for_each_feature(at, |number| weights.push(number as u16));
        Sample { weights, result: won.map_or(0.5, |won| f32::from(u8::from(won))) }
    }));
    Ok(())
}
