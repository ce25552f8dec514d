//! The structure of a position by the theory of its game, for display and for other programs.

/// The structure of a position: facts about all of it, and the parts of the board that they rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// In the order in which they are shown.
    pub facts: Vec<Fact>,
    /// Parts of one kind follow each other.
    pub parts: Vec<Part>,
}

/// One fact about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name, in kebab case: `long-chains`.
    pub name: &'static str,
    /// The number of the fact, if it is one.
    pub number: Option<i32>,
    /// The fact in a few words.
    pub text: String,
}

/// Cells or edges of the board that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The kind, in kebab case; parts of one kind have one fill.
    pub kind: &'static str,
    /// At most three characters to print in each of its cells; empty for none.
    pub label: String,
    /// Its place in relation to others, in a few words; empty if it has none.
    pub note: &'static str,
    /// The fill of its cells.
    pub fill: Fill,
    /// Its cells, as indices of [`Picture::cells`](crate::Picture::cells).
    pub cells: Vec<usize>,
    /// Edges to be marked, as indices of [`Picture::edges`](crate::Picture::edges).
    pub edges: Vec<usize>,
    /// The moves in it, in the game's notation.
    pub moves: Vec<String>,
}

/// Fills of cells, which differ in pattern as well as in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// One colour.
    Plain,
    /// Diagonal lines.
    Hatched,
    /// Dots.
    Dotted,
    /// Horizontal lines.
    Striped,
    /// Lines that cross.
    Crossed,
    /// A frame, inside which the fill and the label of another part of the same cell stay visible.
    Framed,
}

impl Fill {
    /// Every fill.
    pub const ALL: [Fill; 6] = [Fill::Plain, Fill::Hatched, Fill::Dotted, Fill::Striped, Fill::Crossed, Fill::Framed];
}
