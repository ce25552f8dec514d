//! Laws on random moves and playouts.

use super::Finding;
use super::random_game::{RandomGame, listed};
use crate::{Game, Margin, MoveList, Notation, Rng};

/// Random moves drawn per legal move.
const DRAWS_PER_MOVE: usize = 256;

/// Playouts from a position, and as many games played move by move.
const PLAYOUTS: usize = 2000;

/// Standard deviations that two means may lie apart; chance alone goes further twice in 10^9 times.
const SIGMAS: f64 = 6.0;

/// What is drawn from a position.
#[derive(Clone, Copy)]
enum Draw {
    Moves,
    Playouts,
    GamesMoveByMove,
}

/// Draws `n` times from one position.
struct Draws<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    draw: Draw,
    n: usize,
    seed: u64,
}

/// Moves or margins, whichever were asked for.
#[derive(Debug, PartialEq)]
struct Drawn<M> {
    moves: Vec<M>,
    margins: Vec<Margin>,
}

impl<G: Game> Draws<'_, G> {
    fn run(self) -> Drawn<G::Move> {
        let Draws { game, state, draw, n, seed } = self;
        let (mut rng, mut scratch) = (Rng::new(seed), MoveList::new());
        let mut drawn = Drawn { moves: Vec::new(), margins: Vec::new() };
        for _ in 0..n {
            match draw {
                Draw::Moves => drawn.moves.push(game.random_move(state, &mut rng, &mut scratch)),
                Draw::Playouts => drawn.margins.push(game.playout(*state, &mut rng, &mut scratch)),
                Draw::GamesMoveByMove => {
                    let mut state = *state;
                    let margin = loop {
                        if let Some(margin) = game.result(&state) {
                            break margin;
                        }
                        let mv = game.random_move(&state, &mut rng, &mut scratch);
                        game.play(&mut state, mv);
                    };
                    drawn.margins.push(margin);
                }
            }
        }
        drawn
    }
}

/// Two positions of each game: one early, one anywhere.
fn samples<G: Notation>(played: &RandomGame<G>, stream: u64) -> Vec<usize> {
    let mut rng = played.rng(stream);
    let n = played.moves.len() as u32;
    if n == 0 { Vec::new() } else { vec![rng.below(n / 4 + 1) as usize, rng.below(n) as usize] }
}

pub(super) fn random_uniform<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for i in samples(played, 4) {
            let state = &played.states[i];
            let moves = listed(game, state);
            let seed = played.seed.wrapping_add(i as u64);
            let drawn = Draws { game, state, draw: Draw::Moves, n: DRAWS_PER_MOVE * moves.len(), seed }.run();
            check_uniform(&moves, &drawn.moves).map_err(|wrong| played.tell(game, i, wrong))?;
        }
    }
    Ok(())
}

fn check_uniform<M: Copy + Eq + std::fmt::Debug>(moves: &[M], drawn: &[M]) -> Finding {
    let mut counts = vec![0u32; moves.len()];
    for mv in drawn {
        let Some(k) = moves.iter().position(|other| other == mv) else {
            return Err(format!("random move {mv:?} is not legal"));
        };
        counts[k] += 1;
    }
    let expected = DRAWS_PER_MOVE as f64;
    let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // Laurent and Massart (2000), lemma 1: with k degrees of freedom, more than k + 2 sqrt(k x) + 2 x has probability
    // below e^-x.
    let (freedom, x) = ((moves.len() - 1) as f64, 25.0f64);
    let limit = freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x;
    if chi_square > limit {
        return Err(format!("random moves {moves:?} came {counts:?} times: chi-square {chi_square:.0} > {limit:.0}"));
    }
    Ok(())
}

pub(super) fn playouts_agree<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    // One position of each game, from the start on; and a finished one.
    let places = [|_: usize| 0, |n: usize| n / 3, |n: usize| n.saturating_sub(3)];
    for (played, place) in games.iter().zip(places) {
        let last = played.moves.len();
        for (i, n) in [(place(last), PLAYOUTS), (last, 1)] {
            let state = &played.states[i];
            let draws = |draw, seed| Draws { game, state, draw, n, seed };
            let seed = played.seed.wrapping_mul(5).wrapping_add(i as u64);
            let step_by_step = draws(Draw::GamesMoveByMove, seed).run().margins;
            let playouts = draws(Draw::Playouts, !seed).run().margins;
            if let Some(margin) = playouts.iter().find(|&&margin| !game.margin_range().contains(margin)) {
                return Err(played.tell(game, i, format!("a playout ends with {margin}, out of range")));
            }
            check_alike(&playouts, &step_by_step).map_err(|wrong| played.tell(game, i, wrong))?;
        }
    }
    Ok(())
}

/// What a mean is taken of.
type View = fn(f64) -> f64;

fn check_alike(playouts: &[Margin], games: &[Margin]) -> Finding {
    let views: [(&str, View); 3] = [
        ("margin", |m| m),
        ("winner's sign", |m| if m == 0.0 { 0.0 } else { m.signum() }),
        ("square of the margin", |m| m * m),
    ];
    for (name, view) in views {
        let (a, a_error) = mean_and_error(playouts, view);
        let (b, b_error) = mean_and_error(games, view);
        let error = a_error.hypot(b_error);
        if (a - b).abs() > SIGMAS * error + 1e-9 {
            return Err(format!(
                "mean {name} is {a:.3} in playouts, {b:.3} move by move: more than {SIGMAS} x {error:.3}"
            ));
        }
    }
    Ok(())
}

/// The mean, and the standard error of it.
fn mean_and_error(margins: &[Margin], view: View) -> (f64, f64) {
    let n = margins.len() as f64;
    let values = || margins.iter().map(|margin| view(f64::from(margin.0)));
    let mean = values().sum::<f64>() / n;
    let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (mean, (variance / n).sqrt())
}
