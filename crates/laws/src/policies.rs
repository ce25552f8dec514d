//! Laws on playout policies, checked by [`check_policy`] and, for those that draw uniformly, by
//! [`check_uniform_policy`].
//!
//! | law | requirement |
//! |---|---|
//! | `draws-legal` | drawn moves are legal |
//! | `playouts-agree` | margins of playouts are distributed as those of moves drawn and played one by one |
//! | `draws-uniform` | every legal move is drawn equally often |

use banyan_core::{Margin, MoveList, Notation, PlayoutPolicy, Rng};

use crate::random_game::{RandomGame, listed, random_games};
use crate::violation::{Finding, Violation};

/// Random moves drawn per legal move.
const DRAWS_PER_MOVE: usize = 256;

/// Playouts from a position, and as many games played move by move.
const PLAYOUTS: usize = 2000;

/// Standard deviations that two means may lie apart; the chance of more is 2 in 10^9.
const SIGMAS: f64 = 6.0;

/// Two positions of each game: one early, one anywhere.
fn samples<G: Notation>(played: &RandomGame<G>, stream: u64) -> Vec<usize> {
    let mut rng = played.rng(stream);
    let n = played.moves.len() as u32;
    if n == 0 { Vec::new() } else { vec![rng.below(n / 4 + 1) as usize, rng.below(n) as usize] }
}

/// A law that checks a policy on random games.
type Test<G, P> = fn(&G, &mut P, &[RandomGame<G>]) -> Finding;

/// Every law of this module by name, the one on uniform policies last.
pub fn laws<G: Notation, P: PlayoutPolicy<G>>() -> [(&'static str, Test<G, P>); 3] {
    [("draws-legal", draws_legal), ("playouts-agree", playouts_agree), ("draws-uniform", draws_uniform)]
}

/// Plays `games` random games (at least one) with the seeds from `seed` on, and checks `policy` by every law of this
/// module but the last.
///
/// # Errors
/// The first violation found.
pub fn check_policy<G: Notation>(
    game: &G,
    policy: &mut impl PlayoutPolicy<G>,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    check_laws(game, policy, &laws()[..2], &random_games(game, games, seed))
}

/// Checks a policy that draws every legal move equally often by every law of this module.
///
/// # Errors
/// The first violation found.
pub fn check_uniform_policy<G: Notation>(
    game: &G,
    policy: &mut impl PlayoutPolicy<G>,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    check_laws(game, policy, &laws(), &random_games(game, games, seed))
}

fn check_laws<G: Notation, P: PlayoutPolicy<G>>(
    game: &G,
    policy: &mut P,
    laws: &[(&'static str, Test<G, P>)],
    games: &[RandomGame<G>],
) -> Result<(), Violation> {
    laws.iter().try_for_each(|(law, test)| test(game, policy, games).map_err(|message| Violation { law, message }))
}

fn draws_legal<G: Notation>(game: &G, policy: &mut impl PlayoutPolicy<G>, games: &[RandomGame<G>]) -> Finding {
    let mut scratch = MoveList::new();
    for played in games {
        let mut rng = played.rng(3);
        for i in played.choices() {
            let state = &played.states[i];
            let mv = policy.draw(game, state, &mut rng, &mut scratch);
            if !listed(game, state).contains(&mv) {
                return Err(played.describe(game, i, format!("drawn move {mv:?} is not legal")));
            }
        }
    }
    Ok(())
}

fn draws_uniform<G: Notation>(game: &G, policy: &mut impl PlayoutPolicy<G>, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        for i in samples(played, 4) {
            let state = &played.states[i];
            let moves = listed(game, state);
            let (mut rng, mut scratch) = (Rng::new(played.seed.wrapping_add(i as u64)), MoveList::new());
            let n = DRAWS_PER_MOVE * moves.len();
            let drawn: Vec<G::Move> = (0..n).map(|_| policy.draw(game, state, &mut rng, &mut scratch)).collect();
            check_uniform(&moves, &drawn).map_err(|wrong| played.describe(game, i, wrong))?;
        }
    }
    Ok(())
}

fn check_uniform<M: Copy + Eq + std::fmt::Debug>(moves: &[M], drawn: &[M]) -> Finding {
    let counts: Vec<usize> = moves.iter().map(|mv| drawn.iter().filter(|&other| other == mv).count()).collect();
    let expected = DRAWS_PER_MOVE as f64;
    let chi_square: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    // Laurent and Massart (2000), lemma 1: with k degrees of freedom, more than k + 2 sqrt(k x) + 2 x has probability
    // below e^-x.
    let (freedom, x) = ((moves.len() - 1) as f64, 25.0f64);
    let limit = freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x;
    if chi_square > limit {
        return Err(format!("moves {moves:?} were drawn {counts:?} times: chi-square {chi_square:.0} > {limit:.0}"));
    }
    Ok(())
}

fn playouts_agree<G: Notation>(game: &G, policy: &mut impl PlayoutPolicy<G>, games: &[RandomGame<G>]) -> Finding {
    // One position of each game, from the start on; and a finished one.
    let places = [|_: usize| 0, |n: usize| n / 3, |n: usize| n.saturating_sub(3)];
    let mut scratch = MoveList::new();
    for (played, place) in games.iter().zip(places) {
        let last = played.moves.len();
        for (i, n) in [(place(last), PLAYOUTS), (last, 1)] {
            let state = played.states[i].clone();
            let seed = played.seed.wrapping_mul(5).wrapping_add(i as u64);
            let (mut rng, mut other_rng) = (Rng::new(seed), Rng::new(!seed));
            let mut stepwise = Stepwise(policy.clone());
            let one_by_one: Vec<Margin> =
                (0..n).map(|_| stepwise.play_out(game, state.clone(), &mut rng, &mut scratch)).collect();
            let playouts: Vec<Margin> =
                (0..n).map(|_| policy.play_out(game, state.clone(), &mut other_rng, &mut scratch)).collect();
            if let Some(margin) = playouts.iter().find(|&&margin| !game.margin_range().contains(margin)) {
                return Err(played.describe(game, i, format!("a playout ends with {margin}, out of range")));
            }
            check_alike(&playouts, &one_by_one).map_err(|wrong| played.describe(game, i, wrong))?;
        }
    }
    Ok(())
}

/// A policy whose playouts are drawn and played move by move.
#[derive(Clone)]
struct Stepwise<P>(P);

impl<G: Notation, P: PlayoutPolicy<G>> PlayoutPolicy<G> for Stepwise<P> {
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
        self.0.draw(game, state, rng, scratch)
    }
}

/// The function of the margin whose means are compared.
type View = fn(f64) -> f64;

fn check_alike(playouts: &[Margin], one_by_one: &[Margin]) -> Finding {
    let views: [(&str, View); 3] = [
        ("margin", |m| m),
        ("winner's sign", |m| if m == 0.0 { 0.0 } else { m.signum() }),
        ("square of the margin", |m| m * m),
    ];
    for (name, view) in views {
        let (a, a_error) = mean_and_error(playouts, view);
        let (b, b_error) = mean_and_error(one_by_one, view);
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
