//! Banyan's rules in the traits of `minimax`, for games in which the sides alternate.

use std::marker::PhantomData;
use std::sync::Mutex;

use banyan_core::{Game, PlayoutPolicy, Side};
use minimax::{MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand::Rng as _;
use rand::rngs::SmallRng;

use crate::uniform;

/// The type by which `minimax` names the rules `G`.
struct Rules<G>(PhantomData<G>);

/// A position with its rules.
struct At<G: Game> {
    game: &'static G,
    state: G::State,
    just_moved: Side,
}

impl<G: Game> Clone for At<G> {
    fn clone(&self) -> Self {
        At { game: self.game, state: self.state.clone(), just_moved: self.just_moved }
    }
}

impl<G: Game> minimax::Game for Rules<G> {
    type S = At<G>;
    type M = G::Move;

    fn generate_moves(at: &At<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let winner = Self::get_winner(at);
        if winner.is_none() {
            at.game.moves(&at.state, moves);
        }
        winner
    }

    fn apply(at: &mut At<G>, mv: G::Move) -> Option<At<G>> {
        let mut next = At { just_moved: at.game.to_move(&at.state), ..at.clone() };
        next.game.play(&mut next.state, mv);
        Some(next)
    }

    fn get_winner(at: &At<G>) -> Option<Winner> {
        Some(match at.game.result(&at.state)?.winner() {
            None => Winner::Draw,
            Some(side) if side == at.just_moved => Winner::PlayerJustMoved,
            Some(_) => Winner::PlayerToMove,
        })
    }
}

/// Plays a whole game by Banyan's playout. Only one thread ever takes the lock.
struct Uniform<G: Game, P>(Mutex<uniform::Playouts<G, P>>);

impl<G: Game, P: PlayoutPolicy<G>> RolloutPolicy for Uniform<G, P> {
    type G = Rules<G>;

    fn random_move(&self, at: &mut At<G>, moves: &mut Vec<G::Move>, rng: &mut SmallRng) -> Result<G::Move, Winner> {
        match <Rules<G> as minimax::Game>::generate_moves(at, moves) {
            Some(winner) => Err(winner),
            None => Ok(moves[rng.random_range(0..moves.len())]),
        }
    }

    /// Seen by the side that has just moved: 1, 0 or -1, and the extreme values if the game is already over.
    fn rollout(&self, _options: &MCTSOptions, at: &At<G>) -> i32 {
        let over = at.game.result(&at.state);
        let margin = over.unwrap_or_else(|| {
            let mut playouts = self.0.lock().expect("a playout does not panic");
            playouts.play(at.game, &at.state)
        });
        let sign = i32::from(margin.seen_by(at.just_moved).signum());
        if over.is_some() { sign * i32::MAX } else { sign }
    }
}

/// Searches the start position; the exploration weight is fixed.
pub fn search<G: Game>(game: &'static G, n: u64, playouts: Option<(impl PlayoutPolicy<G>, u64)>) {
    best(game, game.start(), n, playouts);
}

/// The move chosen in a position after `n` simulations, with Banyan's playouts from a seed, or with those of `minimax`
/// over Banyan's lists of moves.
pub fn best<G: Game>(
    game: &'static G,
    state: G::State,
    n: u64,
    playouts: Option<(impl PlayoutPolicy<G>, u64)>,
) -> G::Move {
    let options = MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(u32::from(game.max_plies()));
    let mut search = match playouts {
        None => MonteCarloTreeSearch::<Rules<G>>::new(options),
        Some((policy, seed)) => {
            let policy = Uniform(Mutex::new(uniform::Playouts::new(policy, seed)));
            MonteCarloTreeSearch::new_with_policy(options, Box::new(policy))
        }
    };
    search.set_max_rollouts(u32::try_from(n).expect("a run has fewer than 2^32 simulations"));
    let just_moved = !game.to_move(&state);
    search.choose_move(&At { game, state, just_moved }).expect("the position has moves")
}
