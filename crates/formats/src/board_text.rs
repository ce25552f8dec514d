//! Positions in the forms in which people write them: one line with slashes or without, several lines, and diagrams with
//! coordinates, with any of the usual signs. Each is converted to the notation of the games and the size of its board.
//!
//! ```text
//!   a b c d          8/8/8/3WB3/3BW3/8/8/8 B          +---+   +
//! 1 . . . .                                           | X |   |
//! 2 . O X .          ----OX--XO---- *                 +---+---+
//! 3 . X O .
//! 4 . . . .          black to move                    to move: O
//! ```

use banyan_core::Side;

use crate::scan::Line;
use crate::words::half_width_text;

/// Fewest rows and columns of a board of squares in a diagram; fewer may be anything else.
const FEWEST: usize = 4;

/// A position on a board whose game is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The line on which it begins.
    pub(crate) line: usize,
    /// The options of a game with such a board: `8x8`, `4x4,hole=c4`.
    pub(crate) options: String,
    /// The position in the notation of the games, up to the side to move.
    squares: String,
    /// The side to move, if it is named.
    to_move: Option<Side>,
    /// The rest of the position.
    rest: String,
}

impl Board {
    /// The position as text; with either side to move if the text does not name it.
    pub(crate) fn positions(&self) -> Vec<String> {
        let sides = self.to_move.map_or(Side::BOTH.to_vec(), |side| vec![side]);
        let with = |side: Side| format!("{} {} {}", self.squares, ["x", "o"][side.index()], self.rest);
        sides.into_iter().map(|side| with(side).trim_end().to_owned()).collect()
    }
}

/// The content of one cell.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Free,
    Hole,
    Stone(Side),
}

/// Whether the lines are a position.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    !read(lines).is_empty()
}

/// The boards as which the lines can be read; none if they are no position.
pub(crate) fn read(lines: &[Line<'_>]) -> Vec<Board> {
    // Each character stands in its column.
    let padded = |line: &Line<'_>| " ".repeat(line.column - 1) + &half_width_text(line.text);
    let texts: Vec<(usize, String)> = lines.iter().map(|line| (line.number, padded(line))).collect();
    let diagram = || edges_drawn(&texts).or_else(|| squares_drawn(&texts));
    let in_line = in_one_line(&texts);
    if in_line.is_empty() { diagram().into_iter().collect() } else { in_line }
}

/// A position in one line of words; a break after or before a slash does not end the line.
fn in_one_line(texts: &[(usize, String)]) -> Vec<Board> {
    let mut used = texts.iter().map(|(line, text)| (line, text.trim())).filter(|(_, text)| !text.is_empty());
    let Some((line, first)) = used.next() else { return Vec::new() };
    let mut whole = first.to_owned();
    for (_, text) in used {
        let is_broken = whole.ends_with('/') || text.starts_with('/');
        // The side to move may stand alone in the next line.
        if !is_broken && whole.split_whitespace().count() > 1 {
            return Vec::new();
        }
        whole += if is_broken { "" } else { " " };
        whole += text;
    }
    let whole = whole.split(';').next().unwrap_or_default();
    let mut words = whole.split_whitespace();
    let board = words.next().unwrap_or_default();
    let Some(to_move) = words.next().map_or(Some(None), |word| side_named(word).map(Some)) else { return Vec::new() };
    let rest: Vec<&str> = words.collect();
    if rest.len() > 2 {
        return Vec::new();
    }
    let board_of = |(squares, options)| Board { line: *line, options, squares, to_move, rest: rest.join(" ") };
    if !board.contains('/') {
        return rows_in_a_square(board).as_deref().and_then(squares_of).map(board_of).into_iter().collect();
    }
    // A hyphen is a hole in rows with runs of free cells; in others it may be a free cell.
    let hyphens: &[Mark] = if board.contains(|char: char| char.is_ascii_digit()) || !board.contains('-') {
        &[Mark::Hole]
    } else {
        &[Mark::Hole, Mark::Free]
    };
    let squares = hyphens.iter().filter_map(|&hyphen| rows_with_runs(board, hyphen).as_deref().and_then(squares_of));
    squares.chain(edges_in_rows(board)).map(board_of).collect()
}

/// `3ox3/...`: rows with numbers for runs of free cells.
fn rows_with_runs(board: &str, hyphen: Mark) -> Option<Vec<Vec<Mark>>> {
    let row = |text: &str| {
        let mut row = Vec::new();
        let mut run = 0;
        for char in text.chars() {
            if let Some(digit) = char.to_digit(10) {
                run = 10 * run + digit as usize;
                continue;
            }
            row.extend(std::iter::repeat_n(Mark::Free, std::mem::take(&mut run).min(MOST)));
            row.push(if char == '-' { hyphen } else { mark(char)? });
        }
        row.extend(std::iter::repeat_n(Mark::Free, run.min(MOST)));
        Some(row)
    };
    board.split('/').map(row).collect()
}

/// More columns than any board has.
const MOST: usize = 100;

/// All cells row by row, of a square board.
fn rows_in_a_square(board: &str) -> Option<Vec<Vec<Mark>>> {
    let cells = board.chars().map(mark).collect::<Option<Vec<Mark>>>()?;
    let side = cells.len().isqrt();
    (side >= FEWEST && side * side == cells.len()).then(|| cells.chunks(side).map(<[Mark]>::to_vec).collect())
}

/// `11/10/01/111/010`: a sign for each edge, first the rows of horizontal ones, then those of vertical ones.
fn edges_in_rows(board: &str) -> Option<(String, String)> {
    let rows: Vec<&str> = board.split('/').collect();
    let (n_rows, n_columns) = (rows.len() / 2, rows[0].len());
    let length = |i: usize| if i <= n_rows { n_columns } else { n_columns + 1 };
    let is_row = |(i, row): (usize, &&str)| row.len() == length(i) && row.bytes().all(|sign| b"01".contains(&sign));
    let is_board = rows.len() >= 3 && rows.len() % 2 == 1 && rows.iter().enumerate().all(is_row);
    is_board.then(|| (board.to_owned(), format!("{n_rows}x{n_columns}")))
}

/// The rows in the notation of the games, and the options of the board.
fn squares_of(rows: &[Vec<Mark>]) -> Option<(String, String)> {
    let (n_rows, n_columns) = (rows.len(), rows.first()?.len());
    if n_rows < FEWEST || n_columns < FEWEST || rows.iter().any(|row| row.len() != n_columns) {
        return None;
    }
    let mut options = format!("{n_rows}x{n_columns}");
    for (i, row) in rows.iter().enumerate() {
        let holes = row.iter().zip('a'..='z').filter(|(mark, _)| **mark == Mark::Hole);
        holes.for_each(|(_, column)| options += &format!(",hole={column}{}", n_rows - i));
    }
    let texts: Vec<String> = rows.iter().map(|row| row_text(row)).collect();
    Some((texts.join("/"), options))
}

fn row_text(row: &[Mark]) -> String {
    let run = |run: &[Mark]| match run[0] {
        Mark::Free => run.len().to_string(),
        Mark::Hole => "-".to_owned(),
        Mark::Stone(side) => ["x", "o"][side.index()].to_owned(),
    };
    row.chunk_by(|a, b| *a == Mark::Free && *b == Mark::Free).map(run).collect()
}

fn mark(char: char) -> Option<Mark> {
    Some(match char {
        'x' | 'X' | '*' | 'b' | 'B' | '●' => Mark::Stone(Side::First),
        'o' | 'O' | 'w' | 'W' | '○' => Mark::Stone(Side::Second),
        '.' | '·' | '-' | '_' | '+' => Mark::Free,
        '#' | '▒' => Mark::Hole,
        _ => return None,
    })
}

fn side_named(word: &str) -> Option<Side> {
    match word.trim_matches(|char: char| "():.,>'".contains(char)).to_lowercase().as_str() {
        "x" | "*" | "b" | "black" | "●" | "first" => Some(Side::First),
        "o" | "w" | "white" | "○" | "second" => Some(Side::Second),
        _ => None,
    }
}

/// The side of `black to move`, `to move: O` or the prompt `white>`.
fn side_in(text: &str) -> Option<Side> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_to_move = |pair: &[&str]| pair[0].eq_ignore_ascii_case("to") && pair[1].to_lowercase().starts_with("move");
    match words.windows(2).position(is_to_move) {
        Some(i) => {
            let after = words.get(i + 2).and_then(|word| side_named(word));
            after.or_else(|| side_named(i.checked_sub(1).map_or("", |before| words[before])))
        }
        None => words.first().filter(|word| word.ends_with('>')).and_then(|word| side_named(word)),
    }
}

/// A diagram of squares: consecutive lines of as many cells, each perhaps between labels.
fn squares_drawn(texts: &[(usize, String)]) -> Option<Board> {
    let rows: Vec<Option<(Vec<Mark>, String)>> = texts.iter().map(|(_, text)| row_drawn(text)).collect();
    let first = rows.iter().position(Option::is_some)?;
    let board: Vec<Vec<Mark>> = rows[first..].iter().map_while(|row| row.as_ref().map(|row| row.0.clone())).collect();
    let beside = rows.iter().flatten().map(|(_, beside)| beside.as_str());
    let around = texts.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|((_, text), _)| text.as_str());
    let to_move = around.chain(beside).find_map(side_in);
    let (squares, options) = squares_of(&board)?;
    Some(Board { line: texts[first].0, options, squares, to_move, rest: String::new() })
}

/// The cells of a line, and the text beside them; `None` if it has none.
fn row_drawn(text: &str) -> Option<(Vec<Mark>, String)> {
    let is_label = |word: &str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    // Holes are drawn three characters wide.
    let text = text.replace("###", " # ").replace("▒▒▒", " ▒ ");
    let mut words = text.split_whitespace().skip_while(|word| is_label(word)).peekable();
    let mut row = Vec::new();
    // Coordinates are letters in their order, some of which are also signs.
    if words.clone().take(3).map(str::to_lowercase).eq(["a", "b", "c"]) {
        return None;
    }
    while let Some(word) = words.peek() {
        let signs = word.chars().filter(|char| !"[]()|│".contains(*char));
        let Some(marks) = signs.map(mark).collect::<Option<Vec<Mark>>>() else { break };
        row.extend(marks);
        words.next();
    }
    let beside: Vec<&str> = words.skip_while(|word| is_label(word)).collect();
    (row.len() >= FEWEST).then(|| (row, beside.join(" ")))
}

/// A diagram of dots, edges and the owners of boxes.
fn edges_drawn(texts: &[(usize, String)]) -> Option<Board> {
    let first = texts.iter().position(|(_, text)| dots_in(text).is_some())?;
    let dots = dots_in(&texts[first].1)?;
    let lines: Vec<Vec<char>> = texts[first..].iter().map(|(_, text)| text.chars().collect()).collect();
    let is_row_of_dots =
        |i: &usize| texts.get(first + 2 * i).is_some_and(|(_, text)| dots_in(text).as_ref() == Some(&dots));
    let n_rows = (0..).take_while(is_row_of_dots).count() - 1;
    let n_columns = dots.len() - 1;
    let sign = |line: usize, column: usize| lines[line].get(column).copied().unwrap_or(' ');
    let edge = |line: usize, column: usize| if sign(line, column) == ' ' { '0' } else { '1' };
    let across = (0..=n_rows).map(|row| dots[1..].iter().map(|dot| edge(2 * row, dot - 1)).collect());
    let upright = (0..n_rows).map(|row| dots.iter().map(|&dot| edge(2 * row + 1, dot)).collect());
    let edges: Vec<String> = across.chain(upright).collect();
    let owner = |line: usize, dot: usize| match mark(sign(line, dot + 2)) {
        Some(Mark::Stone(side)) => ['x', 'o'][side.index()],
        _ => '.',
    };
    let owners: Vec<String> =
        (0..n_rows).map(|row| dots[..n_columns].iter().map(|&dot| owner(2 * row + 1, dot)).collect()).collect();
    let owners = owners.join("/");
    let [x, o] = ['x', 'o'].map(|side| owners.chars().filter(|&owner| owner == side).count());
    (n_rows > 0).then(|| Board {
        line: texts[first].0,
        options: format!("{n_rows}x{n_columns}"),
        squares: edges.join("/"),
        to_move: texts.iter().find_map(|(_, text)| side_in(text)),
        rest: format!("{x}-{o} {owners}"),
    })
}

/// The columns of the dots in a line of nothing but dots, edges of three characters between them, and a label before.
fn dots_in(text: &str) -> Option<Vec<usize>> {
    let chars: Vec<char> = text.chars().collect();
    let is_dot = |char: &char| "+•".contains(*char);
    let dots: Vec<usize> = (0..chars.len()).filter(|&i| is_dot(&chars[i])).collect();
    let (first, last) = (*dots.first()?, *dots.last()?);
    let is_label = chars[..first].iter().all(|char| char.is_ascii_digit() || *char == ' ');
    let is_line = chars[first..].iter().all(|char| is_dot(char) || " -─━=".contains(*char));
    let is_even = dots.len() > 1 && dots.windows(2).all(|pair| pair[1] - pair[0] == 4);
    (is_label && is_line && is_even && last + 1 == chars.len()).then_some(dots)
}

/// `OOX-...- X` for `oox1/... x`; a board line stays as it is.
pub(crate) fn board_line(position: &str) -> String {
    let mut fields = position.split_whitespace();
    let (board, side) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
    let mut squares = String::new();
    let mut n_empty = 0;
    for char in board.chars() {
        match char.to_digit(10) {
            Some(digit) if board.contains('/') => n_empty = 10 * n_empty + digit as usize,
            _ => {
                squares += &"-".repeat(std::mem::take(&mut n_empty));
                match char {
                    '/' => {}
                    '*' => squares.push('X'),
                    '.' => squares.push('-'),
                    _ => squares.extend(char.to_uppercase()),
                }
            }
        }
    }
    let side = if side == "*" { "X".to_owned() } else { side.to_uppercase() };
    format!("{squares}{} {side}", "-".repeat(n_empty))
}
