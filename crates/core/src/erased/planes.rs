//! Planes without the type of their game.

use std::sync::Arc;

use super::{ErasedGame, ErasedState};
use crate::{Game, MoveCode, Planes};

/// The planes of `game` as those of the game without its type.
pub fn erase_planes<G: Game>(game: Arc<G>, planes: Box<dyn Planes<G>>) -> Box<dyn Planes<ErasedGame>> {
    Box::new(Erased { game, planes })
}

struct Erased<G> {
    game: Arc<G>,
    planes: Box<dyn Planes<G>>,
}

impl<G: Game> Planes<ErasedGame> for Erased<G> {
    fn shape(&self) -> [usize; 3] {
        self.planes.shape()
    }

    fn channels(&self) -> &'static [&'static str] {
        self.planes.channels()
    }

    fn write(&self, _game: &ErasedGame, state: &ErasedState, out: &mut [f32]) {
        self.planes.write(&self.game, state.typed(), out);
    }

    fn n_actions(&self) -> usize {
        self.planes.n_actions()
    }

    fn action(&self, mv: u16) -> usize {
        self.planes.action(G::Move::from_code(mv))
    }
}
