//! Exact values of a small game by plain negamax with a table by key.

use std::collections::HashMap;

use banyan_core::{Game, Margin, MoveList, Prover, Rng, random_move};

/// The solver, with a table of margins excluding the score so far, by key.
pub struct Exact<'a, G: Game> {
    game: &'a G,
    to_come: HashMap<u64, Margin>,
}

impl<'a, G: Game> Exact<'a, G> {
    /// A solver with an empty table.
    pub fn new(game: &'a G) -> Exact<'a, G> {
        Exact { game, to_come: HashMap::new() }
    }

    /// The final margin under best play, seen by the first side.
    pub fn margin(&mut self, state: &G::State) -> Margin {
        let game = self.game;
        if let Some(margin) = game.result(state) {
            return margin;
        }
        let (key, score) = (game.key(state), game.score(state));
        if let Some(&to_come) = self.to_come.get(&key) {
            return score + to_come;
        }
        let mover = game.to_move(state);
        let replies = listed(game, state).into_iter().map(|mv| self.margin(&after(game, state, mv)));
        let best = replies.max_by_key(|margin| margin.seen_by(mover)).expect("a game that is not over has moves");
        self.to_come.insert(key, best - score);
        best
    }

    /// The final margin under best play after `mv`, seen by the first side.
    pub fn after(&mut self, state: &G::State, mv: G::Move) -> Margin {
        self.margin(&after(self.game, state, mv))
    }

    /// The final margin under best play, seen by the side to move.
    pub fn value(&mut self, state: &G::State) -> i16 {
        self.margin(state).seen_by(self.game.to_move(state))
    }
}

/// The final margin for the side to move, from proofs of every margin near the first one tested, `points`.
pub fn proven<G: Game>(game: &G, state: &G::State, prover: &mut dyn Prover<G>, mut points: i16) -> i16 {
    let mover = game.to_move(state);
    let (mut lower, mut upper) = game.bounds(state).seen_by(mover);
    while lower < upper {
        points = points.clamp(lower + 1, upper);
        let bounds = prover.reaches(game, state, points, &mut |_| Some(u64::MAX)).expect("nothing stops it");
        let (at_least, at_most) = bounds.seen_by(mover);
        assert!(at_least >= points || at_most < points, "{at_least} .. {at_most} does not decide {points}");
        assert!(at_least <= upper && at_most >= lower, "{at_least} .. {at_most} contradicts {lower} .. {upper}");
        (lower, upper) = (lower.max(at_least), upper.min(at_most));
        points = if lower >= points { lower + 1 } else { upper };
    }
    lower
}

/// The legal moves in a new list.
pub fn listed<G: Game>(game: &G, state: &G::State) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(state, &mut moves);
    moves
}

/// The position after one more move.
pub fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

/// The positions of a random game, the last one included.
pub fn random_game<G: Game>(game: &G, rng: &mut Rng) -> Vec<G::State> {
    let mut state = game.start();
    let mut states = vec![state.clone()];
    while game.result(&state).is_none() {
        state = after(game, &state, random_move(game, &state, rng, &mut Vec::new()));
        states.push(state.clone());
    }
    states
}
