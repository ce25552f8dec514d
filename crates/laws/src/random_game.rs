//! Random games, on which every law is checked.

use banyan_core::{Game, MoveList, Notation, Rng, mix};

/// A uniformly random game, drawn from the move lists only, independently of any playout policy.
pub struct RandomGame<G: Game> {
    /// The seed that determines the game.
    pub seed: u64,
    /// `[moves.len() + 1]`, from the start on.
    pub states: Vec<G::State>,
    /// The moves between the states.
    pub moves: Vec<G::Move>,
}

impl<G: Notation> RandomGame<G> {
    /// Plays until the game is over, no move is listed, or the game is longer than `max_plies`.
    pub fn play(game: &G, seed: u64) -> RandomGame<G> {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        let mut played = RandomGame { seed, states: vec![state.clone()], moves: Vec::new() };
        while game.result(&state).is_none() && played.moves.len() <= usize::from(game.max_plies()) {
            let moves = listed(game, &state);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut state, mv);
            played.moves.push(mv);
            played.states.push(state.clone());
        }
        played
    }

    /// A message on what is wrong at `states[i]`, with everything needed to reproduce it.
    pub(super) fn describe(&self, game: &G, i: usize, wrong: impl std::fmt::Display) -> String {
        let played: Vec<String> = (0..i).map(|k| game.print_move(&self.states[k], self.moves[k])).collect();
        format!(
            "{wrong}; in {} at {:?} after moves [{}] of the random game with seed {}",
            game.spec(),
            game.print_position(&self.states[i]),
            played.join(" "),
            self.seed
        )
    }

    /// A generator for one law, independent of the one that chose the moves.
    pub(super) fn rng(&self, stream: u64) -> Rng {
        Rng::new(mix(self.seed ^ mix(stream)))
    }

    /// Indices of the states in which a move can be chosen.
    pub(super) fn choices(&self) -> std::ops::Range<usize> {
        0..self.moves.len()
    }
}

/// At least one random game, with the seeds from `seed` on.
pub(super) fn random_games<G: Notation>(game: &G, games: u32, seed: u64) -> Vec<RandomGame<G>> {
    let seeds = (0..u64::from(games.max(1))).map(|i| seed.wrapping_add(i));
    seeds.map(|seed| RandomGame::play(game, seed)).collect()
}

/// The legal moves of a state in a new list.
pub(super) fn listed<G: Game>(game: &G, state: &G::State) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(state, &mut moves);
    moves
}

/// The state after one more move.
pub(super) fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

/// Whether two lists without duplicates hold the same moves.
pub(super) fn same_set<M: Copy + Eq>(a: &[M], b: &[M]) -> bool {
    a == b || (a.len() == b.len() && a.iter().all(|mv| b.contains(mv)))
}
