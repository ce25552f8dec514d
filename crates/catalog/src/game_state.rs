//! A game in progress, without players.

use banyan_core::{
    ErasedGame, ErasedState, Game, Margin, Picture, Side, Situation, Structure, TextError, canonical_key, mix,
};

/// The starting point of a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening<'a> {
    /// The starting position of the game.
    Start,
    /// After these moves from the starting position.
    Moves(&'a str),
    /// This position.
    Position(&'a str),
}

/// Equal for positions that a symmetry of the board maps onto each other, with the same score.
pub(crate) fn position_key(game: &ErasedGame, state: &ErasedState) -> u64 {
    mix(canonical_key(game, state) ^ mix(u64::from(game.score(state).0 as u16)))
}

/// A game in progress: the rules, all positions from the first to the current one, and the moves between them. Moves are 16-bit codes
/// within, and text at its functions.
#[derive(Clone)]
pub struct GameState {
    game: ErasedGame,
    /// `[moves.len() + 1]`: the position before each move, and the current one.
    states: Vec<ErasedState>,
    moves: Vec<u16>,
}

impl GameState {
    /// A game that begins with `opening`.
    ///
    /// # Errors
    /// Invalid moves or position.
    pub fn open(game: ErasedGame, opening: Opening<'_>) -> Result<GameState, TextError> {
        let start = match opening {
            Opening::Position(text) => game.parse_position(text)?,
            Opening::Start | Opening::Moves(_) => game.start(),
        };
        let mut opened = GameState { game, states: vec![start], moves: Vec::new() };
        if let Opening::Moves(text) = opening {
            opened.play_all(text)?;
        }
        Ok(opened)
    }

    /// The game at this point.
    pub(crate) fn at(at: &Situation<'_, ErasedGame>) -> GameState {
        let mut begun = GameState { game: at.game.clone(), states: vec![at.start.clone()], moves: Vec::new() };
        at.played.iter().for_each(|&mv| begun.push(mv));
        begun
    }

    /// Continues to a later point of the same game; otherwise does nothing.
    pub(crate) fn continue_to(&mut self, at: &Situation<'_, ErasedGame>) -> bool {
        let is_ahead = self.states[0] == *at.start && at.played.starts_with(&self.moves);
        if is_ahead {
            at.played[self.moves.len()..].iter().for_each(|&mv| self.push(mv));
        }
        is_ahead
    }

    /// The rules.
    pub fn rules(&self) -> &ErasedGame {
        &self.game
    }

    /// The current position and its history.
    pub fn situation(&self) -> Situation<'_, ErasedGame> {
        Situation { game: &self.game, start: &self.states[0], played: &self.moves, state: self.state() }
    }

    /// The current position.
    pub fn state(&self) -> &ErasedState {
        self.states.last().expect("the first position is never taken back")
    }

    /// A copy of the game at the same point, also of a session: without its players.
    pub fn fork(&self) -> GameState {
        self.clone()
    }

    fn push(&mut self, mv: u16) {
        let mut next = self.state().clone();
        self.game.play(&mut next, mv);
        self.states.push(next);
        self.moves.push(mv);
    }

    /// Every position, the first one and the current one included.
    pub(crate) fn positions(&self) -> impl DoubleEndedIterator<Item = &ErasedState> {
        self.states.iter()
    }

    /// The position before each move, and the move.
    fn played(&self) -> impl Iterator<Item = (&ErasedState, u16)> {
        self.states.iter().zip(self.moves.iter().copied())
    }

    /// The legal moves, in the order of the game.
    fn legal(&self) -> Vec<u16> {
        let mut moves = Vec::new();
        self.game.moves(self.state(), &mut moves);
        moves
    }

    /// The game specification.
    pub fn spec(&self) -> String {
        self.game.spec()
    }

    /// The name of a side: `X`, `black`.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    /// The position as one line of text.
    pub fn position(&self) -> String {
        self.game.print_position(self.state())
    }

    /// The starting position.
    pub fn first_position(&self) -> String {
        self.game.print_position(&self.states[0])
    }

    /// The starting position, unless it is the default one.
    pub fn opening(&self) -> Option<String> {
        (self.states[0] != self.game.start()).then(|| self.first_position())
    }

    /// The moves played since then.
    pub fn history(&self) -> Vec<String> {
        self.played().map(|(state, mv)| self.game.print_move(state, mv)).collect()
    }

    /// The sides that played them: `[history().len()]`.
    pub fn movers(&self) -> Vec<Side> {
        self.played().map(|(state, _)| self.game.to_move(state)).collect()
    }

    /// The side to move.
    pub fn to_move(&self) -> Side {
        self.game.to_move(self.state())
    }

    /// A number that is equal for positions that a symmetry of the board maps onto each other, with the same score, independent of
    /// the moves that reached them, and different for others except with a chance of 1 in 2^64.
    pub fn position_key(&self) -> u64 {
        position_key(&self.game, self.state())
    }

    /// The final margin; `None` if the game is not over.
    pub fn result(&self) -> Option<Margin> {
        self.game.result(self.state())
    }

    /// Every legal move, in the order of the game.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.game.print_move(self.state(), mv)).collect()
    }

    /// The numbers of the moves in `history` in OpenSpiel's version of the game; `None` in games without such numbers.
    pub fn history_ids(&self) -> Option<Vec<u16>> {
        self.moves.iter().map(|&mv| self.game.action_id(mv)).collect()
    }

    /// The numbers of the legal moves.
    pub fn legal_ids(&self) -> Option<Vec<u16>> {
        self.legal().into_iter().map(|mv| self.game.action_id(mv)).collect()
    }

    /// The board after the last move; `None` if the game cannot be drawn.
    pub fn picture(&self) -> Option<Picture> {
        self.game.picture(self.state(), self.moves.last().copied())
    }

    /// The structure of the position by the theory of the game; `None` if the game has no theory to show, or is over.
    pub fn structure(&self) -> Option<Structure> {
        self.game.structure(self.state())
    }

    /// Plays a legal move and returns it in the game's notation.
    ///
    /// # Errors
    /// An illegal or ambiguous move, or the game is over.
    pub fn play(&mut self, text: &str) -> Result<String, TextError> {
        if self.result().is_some() {
            return Err(TextError::new(
                format!("move {text:?}"),
                "expected a game that is not over",
                "undo a move or start a new game",
            ));
        }
        let mv = self.game.parse_move(self.state(), text)?;
        let printed = self.game.print_move(self.state(), mv);
        self.push(mv);
        Ok(printed)
    }

    /// Plays all moves of `text`, or none of them.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        let moves = self.game.parse_moves(self.state(), text)?;
        moves.into_iter().for_each(|mv| self.push(mv));
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the starting position.
    pub fn undo(&mut self) -> Option<String> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(self.game.print_move(self.state(), mv))
    }
}
