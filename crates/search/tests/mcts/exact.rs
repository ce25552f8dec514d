//! The truth about a small game, by plain recursion.

use std::collections::HashMap;

use banyan_core::{Game, Margin, MoveList};

/// The best margins of positions met so far, still to go, by their keys.
pub struct Exact<'a, G: Game> {
    game: &'a G,
    to_go: HashMap<u64, Margin>,
}

impl<'a, G: Game> Exact<'a, G> {
    pub fn new(game: &'a G) -> Exact<'a, G> {
        Exact { game, to_go: HashMap::new() }
    }

    /// The final margin under best play.
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
        let mut moves = MoveList::new();
        game.moves(state, &mut moves);
        let best = moves.into_iter().map(|mv| self.after(state, mv)).max_by_key(|margin| margin.seen_by(mover));
        let best = best.expect("the game is not over");
        self.to_go.insert(key, best - banked);
        best
    }

    /// The final margin under best play after `mv`.
    pub fn after(&mut self, state: &G::State, mv: G::Move) -> Margin {
        let mut next = *state;
        self.game.play(&mut next, mv);
        self.margin(&next)
    }
}
