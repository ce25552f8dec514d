//! The truth about a small game, by plain negamax with the positions solved so far remembered by key.

#![allow(dead_code)] // Every test file uses its own part of this.

use std::collections::HashMap;

use banyan_core::{Game, Margin, MoveList, Rng};

/// Best margins still to go, by key.
pub struct Exact<'a, G: Game> {
    game: &'a G,
    to_go: HashMap<u64, Margin>,
}

impl<'a, G: Game> Exact<'a, G> {
    pub fn new(game: &'a G) -> Exact<'a, G> {
        Exact { game, to_go: HashMap::new() }
    }

    /// The final margin under best play, seen by the first side.
    pub fn margin(&mut self, state: &G::State) -> Margin {
        let game = self.game;
        if let Some(margin) = game.result(state) {
            return margin;
        }
        let (key, banked) = (game.key(state), game.banked(state));
        if let Some(&to_go) = self.to_go.get(&key) {
            return banked + to_go;
        }
        let mover = game.to_move(state);
        let replies = listed(game, state).into_iter().map(|mv| self.margin(&after(game, state, mv)));
        let best = replies.max_by_key(|margin| margin.seen_by(mover)).expect("a game that goes on has moves");
        self.to_go.insert(key, best - banked);
        best
    }

    /// The same, seen by the side to move.
    pub fn value(&mut self, state: &G::State) -> i16 {
        self.margin(state).seen_by(self.game.to_move(state))
    }
}

pub fn listed<G: Game>(game: &G, state: &G::State) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(state, &mut moves);
    moves
}

pub fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = *state;
    game.play(&mut next, mv);
    next
}

/// The positions of a random game, the last one included.
pub fn random_game<G: Game>(game: &G, rng: &mut Rng) -> Vec<G::State> {
    let mut state = game.start();
    let mut states = vec![state];
    while game.result(&state).is_none() {
        state = after(game, &state, game.random_move(&state, rng, &mut Vec::new()));
        states.push(state);
    }
    states
}
