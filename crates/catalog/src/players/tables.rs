//! Facts about a game beside its rules: presets, levels, boards, units, drawing and measured positions, given by its crate.

use banyan_core::{Margin, Side};
use banyan_inference::WeightFile;

use banyan_search::Goal;

use super::{GamePreset, LEVELS, Level};
use crate::book::BuiltInBook;
use crate::game_state::GameState;
use crate::opening_names::NamedOpening;

/// The unit of a margin, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointUnit {
    /// Singular.
    pub one: &'static str,
    /// Plural.
    pub many: &'static str,
    /// Whether the points of a win are one more than the things that the winner has to spare.
    pub to_spare: bool,
}

impl PointUnit {
    /// Points without another name.
    pub const POINTS: PointUnit = PointUnit { one: "point", many: "points", to_spare: false };

    /// The margin of a win in words: `by 3 points`, `with 2 stones to spare`.
    pub fn by_how_much(&self, margin: Margin) -> String {
        let points = margin.0.unsigned_abs();
        let things = |n: u16| if n == 1 { self.one } else { self.many };
        match points {
            0 | 1 if self.to_spare => format!("with no {} to spare", self.one),
            _ if self.to_spare => format!("with {} {} to spare", points - 1, things(points - 1)),
            _ => format!("by {points} {}", things(points)),
        }
    }
}

/// The boards of a game that a person can choose: any of these numbers of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSizes {
    /// Fewest and most rows.
    pub rows: [u32; 2],
    /// Fewest and most columns.
    pub columns: [u32; 2],
    /// The step from one size to the next.
    pub step: u32,
    /// Whether only boards with as many rows as columns are offered.
    pub square: bool,
    /// Whether cells can be holes.
    pub holes: bool,
}

/// Drawing of a board on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// Stones on squares.
    Stones,
    /// Stones that fall into round slots.
    Drop,
    /// Discs on a ruled board with guide points; legal moves are marked.
    Discs,
    /// Dots, the edges between them, and boxes. Any picture with edges is drawn in this style.
    Boxes,
}

/// A search of the signature of `banyan bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureSearch {
    /// Options of the board: `10x11,hole=d3`; empty for the default board.
    pub board: &'static str,
    /// Moves from the start of the game to the position, separated by spaces.
    pub moves: &'static str,
    /// The player that searches the position.
    pub player: &'static str,
}

/// Counts the points of both sides, `First` first; `None` if the position does not show them.
pub type CountPoints = fn(&GameState) -> Option<[u32; 2]>;

/// Tables of a game, in addition to its rules and kit.
#[derive(Clone, Copy, Debug)]
pub struct GameTables {
    /// Presets tuned for the game.
    pub presets: &'static [GamePreset],
    /// The player that `best` is: the winner of the recorded matches of this game.
    pub best: &'static str,
    /// The record of those matches; empty if none were played.
    pub evidence: &'static str,
    /// Players of known strength, the weakest first; at most ten.
    pub levels: &'static [Level],
    /// The rules and the form of a move, in two lines for a person who begins to play; empty if there is no text.
    pub rules: &'static str,
    /// Default goal of `banyan solve`.
    pub solves: Goal,
    /// The unit of a margin.
    pub unit: PointUnit,
    /// Its boards, written as `ROWSxCOLUMNS` with `hole=CELL` for each hole; `None` if it has only one.
    pub sizes: Option<BoardSizes>,
    /// The points of both sides so far, `First` first, for the score beside a board; `None` if the game does not count points.
    pub points: Option<CountPoints>,
    /// Drawing of its boards on the page.
    pub style: BoardStyle,
    /// Moves on the default board, separated by spaces, to the position that the start page shows.
    pub sample: &'static str,
    /// Learned weights that searches on the boards of these tables use, if they are not all in the program.
    pub weights: &'static [&'static WeightFile],
    /// Exact values of the first moves on one of the boards, which `best` and the solver use.
    pub exact_book: Option<&'static BuiltInBook>,
    /// Openings that players of the game have names for, on the boards that these tables are for.
    pub openings: &'static [NamedOpening],
    /// Default plies of generated openings; at most a quarter of the game is played.
    pub opening_plies: u16,
    /// Moves after the end of the game that published perft counts include
    /// ([`published_perft`](banyan_core::published_perft)).
    pub moves_after_end: u32,
    /// Boards that `banyan bench` measures, as options: `12x12`, or empty for the default board.
    pub bench_boards: &'static [&'static str],
    /// Searches in the signature of `banyan bench`, which depends on their order; empty for a game that is not part of it.
    pub signature: &'static [SignatureSearch],
}

impl GameTables {
    /// A game with these presets, whose best player is taken to be `mcgs`, with six plies of generated openings (guess, untuned),
    /// stones on squares, its default board in `banyan bench`, and no other facts.
    pub const fn with_presets(presets: &'static [GamePreset]) -> GameTables {
        GameTables {
            presets,
            best: "mcgs",
            evidence: "",
            levels: &[],
            rules: "",
            solves: Goal::Everything,
            unit: PointUnit::POINTS,
            sizes: None,
            points: None,
            style: BoardStyle::Stones,
            sample: "",
            weights: &[],
            exact_book: None,
            openings: &[],
            opening_plies: 6,
            moves_after_end: 0,
            bench_boards: &[""],
            signature: &[],
        }
    }

    /// The tables for one board, as it is named in full.
    pub(crate) fn on_board(self, spec: &str) -> GameTables {
        GameTables { exact_book: self.exact_book.filter(|book| book.game() == spec), ..self }
    }

    /// The level of this name, and its number from 1 on.
    pub fn level(&self, name: &str) -> Option<(usize, &'static Level)> {
        let is_named = |(i, level): &(usize, &Level)| LEVELS.get(*i) == Some(&name) || level.also == Some(name);
        self.levels.iter().enumerate().find(is_named).map(|(i, level)| (i + 1, level))
    }
}

/// The cells that each side owns, for [`GameTables::points`]; `None` if the game cannot be drawn.
pub fn owned_cells(game: &GameState) -> Option<[u32; 2]> {
    let cells = game.picture()?.cells;
    Some(Side::BOTH.map(|side| cells.iter().filter(|cell| cell.owner == Some(side)).count() as u32))
}
