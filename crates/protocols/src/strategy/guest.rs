//! Banyan as a strategy library, called through the ABI.

use std::ffi::c_int;

use banyan_catalog::Catalog;

use super::{NOWHERE, Point};
use crate::saiblo::{self, Start, Stone, Turn};
use crate::server::{HostedGame, ServeError, Setup};

/// The arguments of `getPoint`, not validated.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Rows and columns.
    pub size: [c_int; 2],
    /// For each column, one more than the row of its next stone; 0 if it is full.
    pub top: &'a [c_int],
    /// Row by row from the top: 0 empty or hole, 1 opponent, 2 own.
    pub board: &'a [c_int],
    /// The opponent's last stone, or [`NOWHERE`].
    pub last: Point,
    /// The hole, or [`NOWHERE`].
    pub hole: Point,
}

impl Question<'_> {
    /// The board and the turn, if the arguments are valid.
    fn read(&self) -> Option<(Start, Turn)> {
        let [rows, columns] = self.size.map(|n| usize::try_from(n).unwrap_or(0));
        let stone = |point: Point| {
            let stone = Stone { x: usize::try_from(point.x).ok()?, y: usize::try_from(point.y).ok()? };
            (stone.x < rows && stone.y < columns).then_some(stone)
        };
        let top = self.top.iter().map(|&top| usize::try_from(top).ok().filter(|&top| top <= rows));
        let owners = self.board.iter().map(|&owner| u8::try_from(owner).ok().filter(|&owner| owner <= 2));
        let start = Start { rows, columns, hole: stone(self.hole) };
        let is_whole = self.top.len() == columns && Some(self.board.len()) == rows.checked_mul(columns);
        let turn =
            Turn { last: stone(self.last), top: top.collect::<Option<_>>()?, board: owners.collect::<Option<_>>()? };
        is_whole.then_some((start, turn))
    }

    /// A legal move near the centre, without search; [`NOWHERE`] if there is none.
    pub fn any_move(&self) -> Point {
        let n = self.top.len();
        let open = (0..n).filter(|&y| self.top[y] > 0);
        let column = open.min_by_key(|&y| (2 * y + 1).abs_diff(n));
        column.map_or(NOWHERE, |y| Point { x: self.top[y] - 1, y: y as c_int })
    }
}

/// Chooses moves for any number of games, on any threads, and for both sides of a game.
///
/// Each side of the last board has its own search. The position is always taken from the arguments. If it follows from the
/// side's last position, the search tree is reused; otherwise the search starts afresh.
pub struct Guest {
    catalog: Catalog,
    setup: Setup,
    board: Option<Start>,
    /// The searches of both sides.
    tables: [Option<HostedGame>; 2],
}

impl Guest {
    /// Uses this player and budget.
    pub fn new(catalog: Catalog, setup: Setup) -> Guest {
        Guest { catalog, setup, board: None, tables: [None, None] }
    }

    /// A move, always legal if `top` has a legal one. If the position is invalid or the board size unsupported, it is
    /// [any](Question::any_move) legal move.
    pub fn answer(&mut self, question: &Question<'_>) -> Point {
        let Some((board, turn)) = question.read() else { return question.any_move() };
        let Ok(stone) = self.choose(&board, &turn) else { return question.any_move() };
        match turn.top[stone.y] {
            0 => question.any_move(),
            // The row as computed by the caller.
            top => Point { x: top as c_int - 1, y: stone.y as c_int },
        }
    }

    fn choose(&mut self, board: &Start, turn: &Turn) -> Result<Stone, ServeError> {
        if self.board.replace(*board) != Some(*board) {
            self.tables = [None, None];
        }
        // Taken out during the search, so that a panic cannot leave an inconsistent state behind.
        let slot = turn.side().index();
        let mut table = match self.tables[slot].take() {
            Some(table) => table,
            None => HostedGame::new(self.catalog.game(&board.spec())?, self.setup.clone())?,
        };
        saiblo::take_up(&mut table, board, turn)?;
        let stone = saiblo::answer(&mut table)?;
        self.tables[slot] = Some(table);
        Ok(stone)
    }

    /// Whether the search of a side, 1 or 2, continues from an earlier move.
    #[cfg(test)]
    fn has_history(&self, side: c_int) -> bool {
        self.tables[side as usize - 1].as_ref().is_some_and(|table| table.session().history().len() > 1)
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;
    use banyan_testkit::rounds;

    use super::*;

    fn guest() -> Guest {
        let (player, budget) =
            ("mcgs:memory-mib=8".parse().expect("a player"), "playouts=200".parse().expect("a budget"));
        Guest::new(crate::builtin(), Setup::new(player, budget, 1).expect("a setup"))
    }

    /// The board of a referee.
    struct Judge {
        size: [c_int; 2],
        hole: Point,
        top: Vec<c_int>,
        /// By absolute owner: 1 the first side, 2 the second.
        board: Vec<c_int>,
        last: Point,
    }

    impl Judge {
        fn new(rows: c_int, columns: c_int, hole: Point) -> Judge {
            let mut top = vec![rows; columns as usize];
            if hole.x == rows - 1 {
                top[hole.y as usize] -= 1;
            }
            let board = vec![0; (rows * columns) as usize];
            Judge { size: [rows, columns], hole, top, board, last: NOWHERE }
        }

        /// The guest's answer for `side`, 1 or 2.
        fn ask(&self, guest: &mut Guest, side: c_int) -> Point {
            let seen = |&owner: &c_int| if owner == 0 { 0 } else { 1 + c_int::from(owner == side) };
            let board: Vec<c_int> = self.board.iter().map(seen).collect();
            let Judge { size, hole, last, .. } = *self;
            guest.answer(&Question { size, top: &self.top, board: &board, last, hole })
        }

        fn play(&mut self, side: c_int, answer: Point) {
            let Point { x, y } = answer;
            assert!((0..self.size[1]).contains(&y) && x == self.top[y as usize] - 1 && x >= 0, "{answer:?}");
            self.board[(x * self.size[1] + y) as usize] = side;
            self.top[y as usize] -= 1;
            if self.hole.y == y && self.hole.x == x - 1 {
                self.top[y as usize] -= 1;
            }
            self.last = answer;
        }
    }

    #[test]
    fn both_sides_of_several_games_are_answered_by_searches_that_go_on() {
        let mut guest = guest();
        for (rows, columns, hole) in [(5, 6, NOWHERE), (6, 5, Point { x: 5, y: 2 }), (6, 5, Point { x: 0, y: 0 })] {
            let mut judge = Judge::new(rows, columns, hole);
            for ply in 0..8 {
                let side = 1 + ply % 2;
                let answer = judge.ask(&mut guest, side);
                judge.play(side, answer);
            }
            assert!(guest.has_history(1) && guest.has_history(2));
        }
    }

    #[test]
    fn a_position_that_does_not_follow_is_taken_as_it_is() {
        let mut guest = guest();
        let mut judge = Judge::new(5, 6, NOWHERE);
        for (side, y) in [(1, 0), (2, 1), (1, 0), (2, 1), (1, 0), (2, 1)] {
            let x = judge.top[y] - 1;
            judge.play(side, Point { x, y: y as c_int });
        }
        // Three in a column: the first side wins, the second must block.
        assert_eq!(judge.ask(&mut guest, 1), Point { x: 1, y: 0 });
        assert!(!guest.has_history(1));
        judge.play(1, Point { x: 4, y: 5 });
        assert_eq!(judge.ask(&mut guest, 2), Point { x: 1, y: 1 });
        // All moves were taken back.
        let start = Judge::new(5, 6, NOWHERE);
        assert!(start.ask(&mut guest, 1).x == 4 && !guest.has_history(1));
    }

    #[test]
    fn nonsense_gets_a_legal_move_or_none() {
        let (top, board) = ([3, 0, 2, 3], [0; 12]);
        let question = Question { size: [3, 4], top: &top, board: &board, last: NOWHERE, hole: NOWHERE };
        // A board that is too small, then arrays of wrong lengths, then no free column.
        assert_eq!(guest().answer(&question), Point { x: 1, y: 2 });
        assert_eq!(guest().answer(&Question { size: [9, 9], ..question }), Point { x: 1, y: 2 });
        assert_eq!(guest().answer(&Question { top: &[0; 4], ..question }), NOWHERE);
        assert_eq!(guest().answer(&Question { top: &[], ..question }), NOWHERE);
    }

    #[test]
    fn no_arguments_make_it_panic() {
        let mut rng = Rng::new(1);
        let player = "random".parse().expect("a player");
        let setup = Setup::new(player, "playouts=1".parse().expect("a budget"), 1).expect("a setup");
        let mut guest = Guest::new(crate::builtin(), setup);
        let mut number = |from: c_int, n: u32| from + rng.below(n) as c_int;
        for _ in 0..rounds(20_000, 100_000) {
            let size = [number(3, 3), number(3, 3)];
            let lengths = [size[1], size[0] * size[1]].map(|n| (n - c_int::from(number(0, 20) == 0)) as usize);
            let wild = number(0, 4) == 0;
            let top: Vec<c_int> = (0..lengths[0]).map(|_| if wild { number(-2, 9) } else { size[0] }).collect();
            let mostly = if wild { 4 } else { 1 };
            let board: Vec<c_int> = (0..lengths[1]).map(|_| number(0, mostly)).collect();
            let [last, hole] = [(); 2].map(|()| Point { x: number(-1, 6), y: number(-1, 6) });
            let answer = guest.answer(&Question { size, top: &top, board: &board, last, hole });
            let is_legal = usize::try_from(answer.y).is_ok_and(|y| top[y] == answer.x + 1);
            assert!(is_legal || top.iter().all(|&top| top <= 0), "{size:?} {top:?} {board:?}: {answer:?}");
        }
    }
}
