//! A result as title, facts, notes, tables and pictures. Each kind of result fills a [`Report`] once; each form writes of it what it
//! can show: a page all, Markdown and the terminal the tables.

use banyan_texts::Language;

use crate::warnings::Warning;

/// A result before it is written in a form.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its language.
    pub language: Language,
    /// The title of the page's window.
    pub title: String,
    /// The first line.
    pub heading: String,
    /// Facts about the games played, one line each.
    pub facts: Vec<String>,
    /// The result in sentences.
    pub notes: Vec<String>,
    /// Warnings about the validity of the result.
    pub warnings: Vec<Warning>,
    /// The tables of all forms.
    pub sheets: Vec<Sheet>,
    /// The games that the first player lost: in Markdown and in a terminal; the page has those of all players.
    pub lost: Option<Sheet>,
    /// The tables for a terminal on which the names of the players take too much of a line.
    pub short: Option<ShortNames>,
    /// The result in large type: only on the page.
    pub(super) answer: Vec<Part>,
    /// Pictures and further tables: only on the page.
    pub(super) sections: Vec<Section>,
    /// The conditions of the games: only on the page.
    pub(super) configuration: Sheet,
    /// The boards that the script of the page shows, in JSON.
    pub(super) boards: Option<String>,
    /// The pictures of a file with a picture, from top to bottom.
    pub(super) picture: Vec<Figure>,
}

/// Tables in which the players have short names.
#[derive(Clone, Debug)]
pub struct ShortNames {
    /// Each short name, and the full one.
    pub legend: Vec<[String; 2]>,
    /// The tables.
    pub sheets: Vec<Sheet>,
}

/// A part of a page with a title.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Its title; none if empty.
    pub(super) title: String,
    /// From top to bottom.
    pub(super) parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A paragraph.
    Text(String),
    /// A paragraph in faint letters.
    Small(String),
    /// A paragraph in large letters.
    Large(String),
    /// A number in the largest letters with its name: better (`true`), worse or undecided.
    Number { text: String, name: String, is_better: Option<bool> },
    /// Shares won, drawn and lost, as one bar.
    Bar([f64; 3]),
    /// A table.
    Sheet(Sheet),
    /// A picture.
    Figure(Figure),
    /// Games that are opened by a click.
    Links(Vec<Cell>),
    /// Parts that are shown on a click on their title.
    Folded(String, Vec<Part>),
    /// The board on which the script shows a game.
    Stage,
}

/// A picture below its caption.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) caption: String,
    /// Its width in pixels; `None` if places across are shares of any width.
    pub(super) width: Option<f64>,
    pub(super) height: f64,
    /// Elements of SVG.
    pub(super) elements: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its title; none if empty.
    pub title: String,
    /// The number of columns at the beginning that name a row.
    pub n_keys: usize,
    /// None if the first cell of each row is its heading.
    pub columns: Vec<Column>,
    /// `[rows][columns]`.
    pub rows: Vec<Vec<Cell>>,
    /// Its class in the style sheet of the page.
    pub(super) class: &'static str,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// Whether it has numbers, which are aligned at their right ends.
    pub is_number: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The text; other forms than the page show only this.
    pub text: String,
    /// Shown while the pointer is on it.
    pub(super) hint: String,
    /// A second line in small letters.
    pub(super) small: String,
    /// A share 0 .. 1 as the colour of its ground.
    pub(super) heat: Option<f64>,
    /// Whether it has a frame.
    pub(super) is_framed: bool,
    /// A share 0 .. 1 as a bar, below the row.
    pub(super) bar: Option<f64>,
    /// The index of the game that a click opens, and the ply.
    pub(super) opens: Option<(usize, Option<usize>)>,
}

impl Sheet {
    /// A table with these headings; `>` before one marks a column of numbers.
    pub(super) fn new<T: Into<Cell>>(
        title: impl Into<String>,
        headings: &[impl AsRef<str>],
        rows: impl IntoIterator<Item = Vec<T>>,
    ) -> Sheet {
        let columns = headings.iter().map(|heading| Column::new(heading.as_ref())).collect();
        let rows = rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect();
        Sheet { title: title.into(), n_keys: 1, columns, rows, class: "" }
    }
}

impl Column {
    /// The column with this heading; `>` before it marks a column of numbers.
    pub fn new(heading: &str) -> Column {
        Column { heading: heading.trim_start_matches('>').to_owned(), is_number: heading.starts_with('>') }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, ..Cell::default() }
    }
}

impl Section {
    /// A section with one part.
    pub(super) fn of(title: impl Into<String>, part: Part) -> Section {
        Section { title: title.into(), parts: vec![part] }
    }
}
