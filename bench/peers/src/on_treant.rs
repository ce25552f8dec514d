//! Banyan's rules in the traits of `treant`.

use std::marker::PhantomData;

use banyan_core::{Game, Margin, PlayoutPolicy, Side};
use treant::tree_policy::UCTPolicy;
use treant::{CycleBehaviour, Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use crate::uniform::Playouts;

/// A position with its rules.
struct At<G: Game> {
    game: &'static G,
    state: G::State,
}

impl<G: Game> Clone for At<G> {
    fn clone(&self) -> Self {
        At { game: self.game, state: self.state.clone() }
    }
}

impl<G: Game> GameState for At<G> {
    type Move = G::Move;
    type Player = Side;
    type MoveList = Vec<G::Move>;

    fn current_player(&self) -> Side {
        self.game.to_move(&self.state)
    }

    fn available_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, &mut moves);
        moves
    }

    fn make_move(&mut self, mv: &G::Move) {
        self.game.play(&mut self.state, *mv);
    }
}

/// The search: UCT on a tree, all else by the defaults of `treant`.
struct Plain<G, P> {
    seed: u64,
    rules: PhantomData<(G, P)>,
}

impl<G: Game, P: PlayoutPolicy<G> + Default + Sync> MCTS for Plain<G, P> {
    type State = At<G>;
    type Eval = ByPlayout<G, P>;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ThreadPlayouts<G, P>;

    fn rng_seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn cycle_behaviour(&self) -> CycleBehaviour<Self> {
        CycleBehaviour::Ignore
    }
}

/// The playouts of each thread. `treant` creates them by `Default`, so the seed is a constant.
struct ThreadPlayouts<G: Game, P>(Playouts<G, P>);

impl<G: Game, P: PlayoutPolicy<G> + Default> Default for ThreadPlayouts<G, P> {
    fn default() -> Self {
        ThreadPlayouts(Playouts::new(P::default(), 1))
    }
}

/// Evaluates a new leaf by one of Banyan's playouts: -1, 0 or 1, seen by the first side.
struct ByPlayout<G, P> {
    rules: PhantomData<(G, P)>,
}

impl<G: Game, P: PlayoutPolicy<G> + Default + Sync> Evaluator<Plain<G, P>> for ByPlayout<G, P> {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        at: &At<G>,
        moves: &Vec<G::Move>,
        handle: Option<SearchHandle<'_, Plain<G, P>>>,
    ) -> (Vec<()>, i64) {
        let margin = match (at.game.result(&at.state), handle) {
            (Some(margin), _) => margin,
            (None, Some(mut handle)) => handle.thread_data().extra_data.0.play(at.game, &at.state),
            // Only the root is created without a handle, and its value is never used.
            (None, None) => Margin::DRAW,
        };
        (vec![(); moves.len()], i64::from(margin.0.signum()))
    }

    fn evaluate_existing_state(&self, _at: &At<G>, known: &i64, _handle: SearchHandle<'_, Plain<G, P>>) -> i64 {
        // Only the end of a game is visited again.
        *known
    }

    fn interpret_evaluation_for_player(&self, first: &i64, side: &Side) -> i64 {
        first * i64::from(side.sign())
    }
}

/// Searches the start position with `c` on rewards from 0 to 1.
pub fn search<G: Game, P: PlayoutPolicy<G> + Default + Sync>(game: &'static G, n: u64, c: f64, seed: u64) {
    best::<G, P>(game, game.start(), n, c, seed);
}

/// The move chosen in a position after `n` simulations.
pub fn best<G: Game, P: PlayoutPolicy<G> + Default + Sync>(
    game: &'static G,
    state: G::State,
    n: u64,
    c: f64,
    seed: u64,
) -> G::Move {
    // treant's formula is mean + weight * 2 * sqrt(ln N / n), and these rewards span two points, not one.
    let policy = UCTPolicy::new(c * std::f64::consts::SQRT_2);
    let (plain, leaf) = (Plain::<G, P> { seed, rules: PhantomData }, ByPlayout { rules: PhantomData });
    let mut manager = MCTSManager::new(At { game, state }, plain, leaf, policy, ());
    manager.playout_n(n);
    let visits: u64 = manager.root_child_stats().iter().map(|child| child.visits).sum();
    assert_eq!(visits, n, "all simulations were made");
    manager.best_move().expect("the root has children")
}
