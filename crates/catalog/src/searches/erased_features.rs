//! Features and knowledge without the type of their game, for what runs once a move or reads recorded games.

use std::sync::Arc;

use banyan_core::{Bounds, ErasedGame, ErasedState, Game, Knowledge, Margin, Mistake, MoveCode, MoveList, Reason};
use banyan_inference::{Features, MoveFeatures};

/// Features of the positions of `game` as features of the game without its type.
pub(super) fn erase_features<G: Game>(game: Arc<G>, features: Box<dyn Features<G>>) -> Box<dyn Features<ErasedGame>> {
    Box::new(Erased { game, of: features })
}

/// Features of the moves of `game` as features of the game without its type.
pub(super) fn erase_move_features<G: Game>(
    game: Arc<G>,
    features: Box<dyn MoveFeatures<G>>,
) -> Box<dyn MoveFeatures<ErasedGame>> {
    Box::new(Erased { game, of: features })
}

/// The static evaluation, the forced moves and the reasons of `game` without its type; other knowledge is that of the rules.
pub(super) fn erase_knowledge<G: Game>(
    game: Arc<G>,
    knowledge: impl Knowledge<G> + 'static,
) -> Box<dyn Knowledge<ErasedGame>> {
    Box::new(Erased { game, of: knowledge })
}

struct Erased<G, T> {
    game: Arc<G>,
    of: T,
}

impl<G: Game> Features<ErasedGame> for Erased<G, Box<dyn Features<G>>> {
    fn layout(&self) -> String {
        self.of.layout()
    }

    fn n_weights(&self) -> usize {
        self.of.n_weights()
    }

    fn per_stage(&self) -> usize {
        self.of.per_stage()
    }

    fn append(&self, _game: &ErasedGame, state: &ErasedState, out: &mut Vec<u32>) {
        self.of.append(&self.game, state.typed(), out);
    }
}

impl<G: Game> MoveFeatures<ErasedGame> for Erased<G, Box<dyn MoveFeatures<G>>> {
    fn layout(&self) -> String {
        self.of.layout()
    }

    fn n_features(&self) -> usize {
        self.of.n_features()
    }

    fn per_move(&self) -> usize {
        self.of.per_move()
    }

    fn lanes(&self) -> usize {
        self.of.lanes()
    }

    fn append(&self, _game: &ErasedGame, state: &ErasedState, moves: &[u16], out: &mut Vec<u32>) {
        let moves: Vec<G::Move> = moves.iter().map(|&mv| G::Move::from_code(mv)).collect();
        self.of.append(&self.game, state.typed(), &moves, out);
    }
}

impl<G: Game, K: Knowledge<G>> Knowledge<ErasedGame> for Erased<G, K> {
    fn static_eval(&mut self, _game: &ErasedGame, state: &ErasedState) -> i32 {
        self.of.static_eval(&self.game, state.typed())
    }

    fn eval_scale(&self, _game: &ErasedGame) -> i32 {
        self.of.eval_scale(&self.game)
    }

    fn static_margin(&self, _game: &ErasedGame, state: &ErasedState) -> Margin {
        self.of.static_margin(&self.game, state.typed())
    }

    fn forced_moves(&self, _game: &ErasedGame, state: &ErasedState, out: &mut MoveList<u16>) -> Option<Bounds> {
        let mut moves = MoveList::new();
        let bounds = self.of.forced_moves(&self.game, state.typed(), &mut moves);
        out.extend(moves.into_iter().map(MoveCode::code));
        bounds
    }

    fn reasons(&self, _game: &ErasedGame, state: &ErasedState, mistake: &Mistake<u16>) -> Vec<Reason> {
        self.of.reasons(&self.game, state.typed(), &mistake.map(|&mv| G::Move::from_code(mv)))
    }
}
