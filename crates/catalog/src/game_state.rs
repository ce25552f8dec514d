//! A game in progress as text, without players.

use banyan_core::{Margin, Picture, Side, Structure, TextError};

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

/// A game in progress: rules, history and board, all as text.
pub trait GameState: Send {
    /// The game specification.
    fn spec(&self) -> String;
    /// The name of a side: `X`, `black`.
    fn side_name(&self, side: Side) -> &'static str;

    /// The position as one line of text.
    fn position(&self) -> String;
    /// The starting position.
    fn first_position(&self) -> String;
    /// The starting position, unless it is the default one.
    fn opening(&self) -> Option<String>;
    /// The moves played since then.
    fn history(&self) -> Vec<String>;
    /// The sides that played them: `[history().len()]`.
    fn movers(&self) -> Vec<Side>;
    /// The side to move.
    fn to_move(&self) -> Side;
    /// A number that is equal for positions that a symmetry of the board maps onto each other, with the same score, independent of
    /// the moves that reached them, and different for others except with a chance of 1 in 2^64.
    fn position_key(&self) -> u64;
    /// The final margin; `None` if the game is not over.
    fn result(&self) -> Option<Margin>;
    /// Every legal move, in the order of the game.
    fn legal_moves(&self) -> Vec<String>;
    /// The numbers of the moves in `history` in OpenSpiel's version of the game; `None` in games without such numbers.
    fn history_ids(&self) -> Option<Vec<u16>>;
    /// The numbers of the legal moves.
    fn legal_ids(&self) -> Option<Vec<u16>>;
    /// The board after the last move; `None` if the game cannot be drawn.
    fn picture(&self) -> Option<Picture>;
    /// The structure of the position by the theory of the game; `None` if the game has no theory to show, or is over.
    fn structure(&self) -> Option<Structure>;
    /// A copy of the game at the same point, without players.
    fn fork(&self) -> Box<dyn GameState>;

    /// Plays a legal move and returns it in the game's notation.
    ///
    /// # Errors
    /// An illegal or ambiguous move, or the game is over.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays all moves of `text`, or none of them.
    ///
    /// # Errors
    /// The first illegal move.
    fn play_all(&mut self, text: &str) -> Result<(), TextError>;
    /// Takes back the last move and returns it; `None` at the starting position.
    fn undo(&mut self) -> Option<String>;
}
