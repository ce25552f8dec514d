//! The implementation of [`GameState`] for a game type.

use std::sync::Arc;

use banyan_core::{Game, Margin, Notation, Picture, Side, Situation, Structure, TextError, canonical_key, mix};

use crate::game_state::{GameState, Opening};

/// Equal for positions that a symmetry of the board maps onto each other, with the same score.
pub(crate) fn position_key<G: Game>(game: &G, state: &G::State) -> u64 {
    mix(canonical_key(game, state) ^ mix(u64::from(game.score(state).0 as u16)))
}

/// The rules, and all positions from the first to the current one.
pub(crate) struct TypedGame<G: Notation> {
    game: Arc<G>,
    /// `[moves.len() + 1]`: the position before each move, and the current one.
    states: Vec<G::State>,
    moves: Vec<G::Move>,
}

impl<G: Notation> TypedGame<G> {
    pub(crate) fn open(game: Arc<G>, opening: Opening<'_>) -> Result<TypedGame<G>, TextError> {
        let start = match opening {
            Opening::Position(text) => game.parse_position(text)?,
            Opening::Start | Opening::Moves(_) => game.start(),
        };
        let mut opened = TypedGame { game, states: vec![start], moves: Vec::new() };
        if let Opening::Moves(text) = opening {
            opened.play_all(text)?;
        }
        Ok(opened)
    }

    /// The game at this point.
    pub(crate) fn at(game: Arc<G>, at: &Situation<'_, G>) -> TypedGame<G> {
        let mut begun = TypedGame { game, states: vec![at.start.clone()], moves: Vec::new() };
        at.played.iter().for_each(|&mv| begun.push(mv));
        begun
    }

    /// Continues to a later point of the same game; otherwise does nothing.
    pub(crate) fn continue_to(&mut self, at: &Situation<'_, G>) -> bool {
        let ahead = self.states[0] == *at.start && at.played.starts_with(&self.moves);
        if ahead {
            at.played[self.moves.len()..].iter().for_each(|&mv| self.push(mv));
        }
        ahead
    }

    /// The options of the game.
    pub(crate) fn options(&self) -> String {
        self.game.options()
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &Arc<G> {
        &self.game
    }

    /// The current position and its history.
    pub(crate) fn situation(&self) -> Situation<'_, G> {
        Situation { game: &*self.game, start: &self.states[0], played: &self.moves, state: self.state() }
    }

    fn state(&self) -> &G::State {
        self.states.last().expect("the first position is never taken back")
    }

    fn push(&mut self, mv: G::Move) {
        let mut next = self.state().clone();
        self.game.play(&mut next, mv);
        self.states.push(next);
        self.moves.push(mv);
    }
}

impl<G: Notation> GameState for TypedGame<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    fn position(&self) -> String {
        self.game.print_position(self.state())
    }

    fn first_position(&self) -> String {
        self.game.print_position(&self.states[0])
    }

    fn opening(&self) -> Option<String> {
        (self.states[0] != self.game.start()).then(|| self.first_position())
    }

    fn history(&self) -> Vec<String> {
        self.states.iter().zip(&self.moves).map(|(state, &mv)| self.game.print_move(state, mv)).collect()
    }

    fn movers(&self) -> Vec<Side> {
        self.states.iter().zip(&self.moves).map(|(state, _)| self.game.to_move(state)).collect()
    }

    fn to_move(&self) -> Side {
        self.game.to_move(self.state())
    }

    fn position_key(&self) -> u64 {
        position_key(&*self.game, self.state())
    }

    fn result(&self) -> Option<Margin> {
        self.game.result(self.state())
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.moves(self.state(), &mut moves);
        moves.into_iter().map(|mv| self.game.print_move(self.state(), mv)).collect()
    }

    fn history_ids(&self) -> Option<Vec<u16>> {
        self.moves.iter().map(|&mv| self.game.action_id(mv)).collect()
    }

    fn legal_ids(&self) -> Option<Vec<u16>> {
        let mut moves = Vec::new();
        self.game.moves(self.state(), &mut moves);
        moves.into_iter().map(|mv| self.game.action_id(mv)).collect()
    }

    fn picture(&self) -> Option<Picture> {
        self.game.picture(self.state(), self.moves.last().copied())
    }

    fn structure(&self) -> Option<Structure> {
        self.game.structure(self.state())
    }

    fn fork(&self) -> Box<dyn GameState> {
        let (game, states, moves) = (Arc::clone(&self.game), self.states.clone(), self.moves.clone());
        Box::new(TypedGame { game, states, moves })
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        if self.result().is_some() {
            return Err(TextError::new(
                format!("move {text:?}"),
                "the game is over",
                "undo a move or start a new game",
            ));
        }
        let mv = self.game.parse_move(self.state(), text)?;
        let printed = self.game.print_move(self.state(), mv);
        self.push(mv);
        Ok(printed)
    }

    fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        let moves = self.game.parse_moves(self.state(), text)?;
        moves.into_iter().for_each(|mv| self.push(mv));
        Ok(())
    }

    fn undo(&mut self) -> Option<String> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(self.game.print_move(self.state(), mv))
    }
}
