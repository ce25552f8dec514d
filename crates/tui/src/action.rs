//! The actions of a person, by a key or the mouse.

use crate::game::NodeId;

/// An action of a key or of a place on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Positions of the game.
    Previous,
    Next,
    First,
    Last,
    MainLine,
    Undo,
    Redo,
    GoTo(NodeId),
    /// Moves.
    Play(String),
    PlayPointed,
    Point(Direction),
    Column(usize),
    Pass,
    Best,
    EngineMoves,
    /// Facts about the position.
    Hint,
    Threat,
    Why,
    Engine,
    Overlay,
    Line,
    /// Shows the line of a candidate, which the mouse points at.
    Candidate(usize),
    /// The review.
    Review,
    NextMistake,
    PreviousMistake,
    /// The screen.
    Focus,
    Mirror,
    Keys,
    Cancel,
    Quit,
    /// Forms.
    TypeMove,
    NewGame,
    Open,
    Save,
    Players,
    Analyst,
    Rematch,
    /// The fields of a form.
    NextField,
    PreviousField,
    NextChoice,
    PreviousChoice,
    Accept,
    /// A position that is set up.
    Edit,
    Put,
    PutAt(Place),
    Tool,
    ToMove,
    Clear,
    UsePosition,
    /// A match that is watched.
    NextGame,
    PreviousGame,
    OpenGame,
    Follow,
    BackToMatch,
}

/// A direction on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// A place on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Cell(usize),
    Edge(usize),
}
