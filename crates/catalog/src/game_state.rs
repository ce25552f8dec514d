//! A game in progress without its type, in text, with nobody seated at it.

use banyan_core::{Margin, Picture, Side, TextError};

/// Where a game in progress begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening<'a> {
    /// At the start of the game.
    Start,
    /// After these moves from the start.
    Moves(&'a str),
    /// At this position.
    Position(&'a str),
}

/// A game in progress: rules, history and the board, all in text.
pub trait GameState: Send {
    /// The game as it is asked for by name.
    fn spec(&self) -> String;
    /// The name of a side at the board: `X`, `black`.
    fn side_name(&self, side: Side) -> &'static str;

    /// The position as one line of text.
    fn position(&self) -> String;
    /// The position the game began with.
    fn first_position(&self) -> String;
    /// The same, unless it is the game's own start.
    fn opening(&self) -> Option<String>;
    /// The moves played since then.
    fn history(&self) -> Vec<String>;
    /// Who played them: `[history().len()]`.
    fn movers(&self) -> Vec<Side>;
    /// Whose move it is.
    fn to_move(&self) -> Side;
    /// The final margin, or `None` while the game goes on.
    fn result(&self) -> Option<Margin>;
    /// Every legal move, in the order of the game.
    fn legal_moves(&self) -> Vec<String>;
    /// The board after the last move; `None` if the game has none to draw.
    fn picture(&self) -> Option<Picture>;
    /// The same game at the same point, to be played on, with nobody seated at it.
    fn fork(&self) -> Box<dyn GameState>;

    /// Plays the legal move that `text` names and returns it as the game prints it.
    ///
    /// # Errors
    /// No legal move, an ambiguous one, or the game is over.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays all moves of `text`, or none of them.
    ///
    /// # Errors
    /// The first that is no legal move.
    fn play_all(&mut self, text: &str) -> Result<(), TextError>;
    /// Takes the last move back and returns it; `None` at the beginning.
    fn undo(&mut self) -> Option<String>;
}
