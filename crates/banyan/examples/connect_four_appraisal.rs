//! Finds the weights by which Connect Four appraises a position (`appraise.bin` of banyan-games): plays games of a search
//! against itself, and fits a logistic regression to how they ended. What came of it is written down in
//! experiments/connect-four-appraisal.
//!
//! ```text
//! cargo run --release -p banyan --example connect_four_appraisal -- play 2000 8000 games.txt appraise=0
//! cargo run --release -p banyan --example connect_four_appraisal -- fit games.txt appraise.bin
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::ExitCode;

use banyan::games::connect_four::appraise::{UNIT, WEIGHTS};
use banyan::games::connect_four::{ConnectFour, Place, Shape, Word};
use banyan::{Config, Game, Limits, Mcts, MoveList, Player, Rng, Silent, Situation, TextError, mix};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Every board of the games fits, and with one word there is one search to compile.
type Rules = ConnectFour<[u64; 3]>;

/// Passes over all positions: guess.
const EPOCHS: usize = 6;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("error: {err}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["play", playouts, games, file, ref settings @ ..] => play(number(playouts)?, number(games)?, file, settings),
        ["fit", games, weights] => fit(games, weights),
        _ => {
            let found = format!("{words:?}");
            Err(TextError::new(found, "play PLAYOUTS GAMES FILE [NAME=VALUE ..], or fit FILE WEIGHTS", "say one")
                .into())
        }
    }
}

fn number(text: &str) -> Result<u64, TextError> {
    text.parse().map_err(|_| TextError::new(text, "a whole number", "see the head of this program"))
}

/// Plays on until the file has so many games: a line each, `SHAPE MOVE ..`, columns counted from 0; behind a random move
/// stands `?`, behind one in a position where all is proven `!`. With other playouts come other boards.
fn play(playouts: u64, games: u64, file: &str, settings: &[&str]) -> Outcome<()> {
    let before = fs::read_to_string(file).unwrap_or_default();
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    fs::write(file, whole)?;
    let mut out = OpenOptions::new().append(true).open(file)?;
    for number in whole.lines().count() as u64..games {
        let mut rng = Rng::new(mix(number ^ mix(playouts)));
        let (rows, columns) = (9 + rng.below(4), 9 + rng.below(4));
        let hole = Place { column: rng.below(columns), row: rng.below(rows) };
        let shape = Shape::parse(&format!("{rows}x{columns},hole={}", hole.name()))?;
        let line = game(shape, playouts, settings, &mut rng);
        writeln!(out, "{rows}x{columns},hole={}{}", hole.name(), line?)?;
        if number % 100 == 99 {
            eprintln!("{} of {games} games", number + 1);
        }
    }
    Ok(())
}

/// One game. Up to six moves at the beginning are random.
fn game(shape: Shape, playouts: u64, settings: &[&str], rng: &mut Rng) -> Outcome<String> {
    let game = Rules::new(shape);
    let mut config = Config::default().suited_to::<Rules>(&[]);
    for setting in settings {
        let (name, value) = setting.split_once('=').ok_or_else(|| format!("{setting}: expected NAME=VALUE"))?;
        config.set(name, value)?;
    }
    let mut player = Mcts::new(config);
    player.new_game(rng.next_u64());
    let (start, mut played, mut text) = (game.start(), Vec::new(), String::new());
    let (mut state, n_random) = (start, rng.below(7) as usize);
    while game.result(&state).is_none() {
        let (mv, mark) = if played.len() < n_random {
            let mut moves = MoveList::new();
            game.tactics(&state, &mut moves);
            (moves[rng.below(moves.len() as u32) as usize], "?")
        } else {
            let at = Situation { game: &game, start: &start, played: &played, state: &state };
            let report = player.choose(&at, &Limits::playouts(playouts), &mut Silent)?;
            let mover = game.to_move(&state);
            let is_decided = report.proof.is_some_and(|proof| {
                let (lower, upper) = proof.seen_by(mover);
                lower > 0 || upper < 0 || lower == upper
            });
            (report.best, if is_decided { "!" } else { "" })
        };
        write!(text, " {mv}{mark}")?;
        game.play(&mut state, mv);
        played.push(mv);
    }
    Ok(text)
}

/// A position: the weights that count, and how the game ended for the side to move, 0 lost to 1 won.
struct Sample {
    weights: Vec<u16>,
    result: f32,
}

fn fit(games: &str, weights: &str) -> Outcome<()> {
    let (mut known, mut unseen) = (Vec::new(), Vec::new());
    let text = fs::read_to_string(games).map_err(|err| format!("{games}: {err}"))?;
    for (number, line) in text.lines().enumerate() {
        let samples = if number % 10 == 0 { &mut unseen } else { &mut known };
        read(line, samples).map_err(|err| format!("{games}, line {}: {err}", number + 1))?;
    }
    // AdaGrad (Duchi, Hazan and Singer 2011).
    let (mut model, mut squares) = (vec![0.0; WEIGHTS], vec![1e-2; WEIGHTS]);
    let mut rng = Rng::new(1);
    for epoch in 0..EPOCHS {
        for i in (1..known.len()).rev() {
            known.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let rate = 0.05 * (1.0 - epoch as f32 / EPOCHS as f32) + 0.002;
        for sample in &known {
            let slope = expected(&model, sample) - sample.result;
            for &weight in &sample.weights {
                let weight = usize::from(weight);
                squares[weight] += slope * slope;
                model[weight] -= rate * slope / squares[weight].sqrt();
            }
        }
        println!(
            "epoch {epoch}: {} positions, cross-entropy {:.4}; of {} others {:.4}",
            known.len(),
            loss(&model, &known),
            unseen.len(),
            loss(&model, &unseen)
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

/// Appends the positions of a game from its last random move on in which not all is proven.
fn read(line: &str, samples: &mut Vec<Sample>) -> Outcome<()> {
    let (shape, moves) = line.split_once(' ').ok_or("a game without moves")?;
    let shape = Shape::parse(shape)?;
    if shape.word() == Word::Four {
        let found = format!("a board of {} bits", shape.bits());
        return Err(TextError::new(found, "192 bits at most", "leave such boards out").into());
    }
    let game = Rules::new(shape);
    let (mut state, mut states) = (game.start(), Vec::new());
    for word in moves.split(' ') {
        let mut legal = MoveList::new();
        game.moves(&state, &mut legal);
        let named = word.trim_end_matches(['?', '!']).parse().ok().filter(|mv| legal.contains(mv));
        let mv = named.ok_or_else(|| TextError::new(word, "a column with room", "play the games anew"))?;
        if word.ends_with('?') {
            states.clear();
        } else if !word.ends_with('!') {
            states.push(state);
        }
        game.play(&mut state, mv);
    }
    let margin = game.result(&state).ok_or("a game without an end")?;
    samples.extend(states.iter().map(|at| {
        let won = margin.winner().map(|winner| winner == game.to_move(at));
        let mut weights = Vec::new();
        game.appraise_by(at, |number| weights.push(number as u16));
        Sample { weights, result: won.map_or(0.5, |won| f32::from(u8::from(won))) }
    }));
    Ok(())
}
