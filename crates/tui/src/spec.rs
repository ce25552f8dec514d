//! The board in the specification of a game: `connect-four:10x11,hole=d3`.

use std::collections::BTreeSet;

use banyan_api::GameView;

/// A board that a specification names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    name: String,
    /// Rows and columns that the specification leaves out.
    usual: [usize; 2],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// `d3`: the letter of the column, and the row from the bottom.
    pub(crate) holes: BTreeSet<String>,
    /// Other options.
    others: Vec<String>,
}

impl Board {
    /// Reads a specification.
    pub(crate) fn read(game: &GameView, spec: &str) -> Board {
        let usual = game.default_size.unwrap_or([8, 8]);
        let mut board = Board {
            name: game.name.to_owned(),
            usual,
            rows: usual[0],
            columns: usual[1],
            holes: BTreeSet::new(),
            others: Vec::new(),
        };
        let options = spec.split_once(':').map_or("", |(_, options)| options);
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let size =
                option.split_once('x').and_then(|(rows, columns)| Some([rows.parse().ok()?, columns.parse().ok()?]));
            match (size, option.strip_prefix("hole=")) {
                (Some([rows, columns]), _) => (board.rows, board.columns) = (rows, columns),
                (None, Some(hole)) => drop(board.holes.insert(hole.to_owned())),
                (None, None) => board.others.push(option.to_owned()),
            }
        }
        board
    }

    /// The specification.
    pub(crate) fn write(&self) -> String {
        let size = format!("{}x{}", self.rows, self.columns);
        let size = ([self.rows, self.columns] != self.usual).then_some(size);
        let holes = self.holes.iter().map(|hole| format!("hole={hole}"));
        let options: Vec<String> = size.into_iter().chain(holes).chain(self.others.iter().cloned()).collect();
        if options.is_empty() { self.name.clone() } else { format!("{}:{}", self.name, options.join(",")) }
    }
}

/// The name of a cell by the letter of its column and its row from the bottom.
pub(crate) fn cell_name(rows: usize, columns: usize, cell: usize) -> String {
    let letter = char::from(b'a' + (cell % columns) as u8);
    format!("{letter}{}", rows - cell / columns)
}
