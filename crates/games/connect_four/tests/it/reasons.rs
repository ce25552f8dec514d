//! Reasons of mistakes, on drawn boards.

use banyan_connect_four::{ConnectFour, ConnectFourKnowledge, Shape};
use banyan_core::{Bounds, Game, Knowledge, Line, Margin, Mistake, Notation, Reason, Side};

/// A board with `.` for free cells, top row first, and the mistake: the move, the better line, the line after the move, and whether these
/// lines are proven and the move turns a win into a loss.
struct Case {
    board: &'static str,
    mv: &'static str,
    better: &'static str,
    answer: &'static str,
    is_proven: bool,
}

impl Case {
    const fn new(board: &'static str, mv: &'static str, better: &'static str) -> Case {
        Case { board, mv, better, answer: "", is_proven: false }
    }
}

/// A row with a number for each run of free cells.
fn runs(row: &str) -> String {
    let mut text = String::new();
    for run in row.as_bytes().chunk_by(|a, b| (*a == b'.') == (*b == b'.')) {
        text += &if run[0] == b'.' { run.len().to_string() } else { String::from_utf8_lossy(run).into_owned() };
    }
    text
}

fn in_words(reason: &Reason) -> String {
    let names = reason.names.iter().map(|(name, value)| format!(" {name}={value}"));
    let numbers = reason.numbers.iter().map(|(name, value)| format!(" {name}={value}"));
    let side = if reason.side == Side::First { "X" } else { "O" };
    let line = if reason.line.is_empty() { String::new() } else { format!(" [{}]", reason.line.join(" ")) };
    format!("{} {side}{}{line}", reason.kind, names.chain(numbers).collect::<String>())
}

fn check(case: &Case, expected: &[&str]) {
    let rows: Vec<String> = case.board.split_whitespace().map(runs).collect();
    let (columns, board) = (case.board.split_whitespace().next().map_or(0, str::len), rows.join("/"));
    let shape = Shape::parse(&format!("{}x{columns}", rows.len())).expect("a shape");
    let game: ConnectFour<u64> = ConnectFour::new(shape);
    let n_stones = |sign| case.board.matches(sign).count();
    let side = if n_stones('x') == n_stones('o') { Side::First } else { Side::Second };
    let position = format!("{board} {}", if side == Side::First { "x" } else { "o" });
    let state = game.parse_position(&position).unwrap_or_else(|err| panic!("{err}: {position}"));
    let moves = |text: &str| game.parse_moves(&state, text).unwrap_or_else(|err| panic!("{err}: {position}"));
    let played = moves(&format!("{} {}", case.mv, case.answer));
    let [before, after] = [side, !side].map(|winner| match case.is_proven {
        true => Bounds::exact(Margin::won_by(winner, 1)),
        false => game.margin_range(),
    });
    let mistake = Mistake {
        mv: played[0],
        better: Line { moves: moves(case.better), is_proven: case.is_proven },
        answer: Line { moves: played[1..].to_vec(), is_proven: case.is_proven },
        before,
        after,
    };
    let reasons = ConnectFourKnowledge.reasons(&game, &state, &mistake);
    assert_eq!(reasons.iter().map(in_words).collect::<Vec<_>>(), expected, "{}", case.board);
    let picture = game.picture(&state, None).expect("a board");
    assert!(reasons.iter().flat_map(|reason| &reason.cells).all(|&cell| picture.cells[cell].owner.is_none()));
}

#[test]
fn wins_at_once_are_missed_and_allowed() {
    let three = "
        .......
        .......
        .......
        .......
        o......
        xxx.oo.";
    check(&Case::new(three, "7", "4"), &["missed-win X cell=d1 win=4 row=1"]);
    let above = "
        .......
        .......
        .......
        .......
        ooo.x..
        xox.x..";
    check(&Case::new(above, "4", "5"), &["plays-under O win=4 cell=d2 row=2"]);
    let open = "
        .......
        .......
        .......
        .......
        x......
        ooo.xx.";
    check(&Case::new(open, "7", "4"), &["win-not-blocked O win=4 cell=d1 row=1"]);
}

#[test]
fn wins_by_force_are_missed_and_allowed() {
    let two = "
        .......
        .......
        .......
        .......
        ..oo...
        ..xx...";
    check(&Case::new(two, "7", "2"), &["missed-double-threat X first=2 cell=a1 cell2=e1 [2 1 5]"]);
    let other = "
        .......
        .......
        .......
        .......
        ..xx...
        ..oo...";
    check(&Case::new(other, "3", "2"), &["allows-double-threat O first=2 cell=a1 cell2=e1 [3 2 1 5]"]);
    let stacked = "
        .......
        .......
        oo.....
        xxx....
        xxx.o..
        oxo.o.o";
    let expected = "missed-stacked-threats X first=4 cell=d2 cell2=d3 [4 4 4]";
    check(&Case::new(stacked, "7", "4"), &[expected]);
}

#[test]
fn own_threats_are_given_up() {
    let threat = "
        .......
        .......
        .......
        .......
        xxx....
        oxo.o.o";
    check(&Case::new(threat, "4", "7"), &["threat-given-up O cell=d2 row=2"]);
}

#[test]
fn a_threat_decides_if_the_other_side_has_to_play_below_it() {
    let kept = "
        ..oo..o
        .xox..x
        oxxxo.x
        xooxxox
        oxoooxo
        oxxxoxo";
    let case = Case { answer: "5", is_proven: true, ..Case::new(kept, "2", "5 2 5 1 1") };
    check(&case, &["even-threat-missed X cell=a6 row=6 [5 2 5 1 1]"]);
    // O threatens b2, and X has to play b1 when the other columns are full.
    let lost = "
        ...o...
        o..o...
        x..o...
        x.ox...
        x.xxoxo
        o.xoxox";
    let answer = "7 7 3 1 3 5 5 6 6 5 5 7 7 2 2";
    let forced = Case { answer, is_proven: true, ..Case::new(lost, "3", "5") };
    check(&forced, &["even-threat-decides O cell=b2 row=2 [3 7 7 3 1 3 5 5 6 6 5 5 7 7 2 2]"]);
    // Nothing is said of lines that are not proven.
    let unproven = Case { is_proven: false, ..case };
    check(&unproven, &["missed-threat X cell=f5 row=5"]);
}

#[test]
fn longer_wins_by_force_have_their_moves() {
    let allowed = "
        .......
        .......
        .ox....
        .xxoo..
        xooxooo
        xxooxxx";
    let expected = "allows-forced-win O first=5 n=4 [7 5 5 6 7 3 4 4]";
    check(&Case::new(allowed, "7", "1"), &[expected]);
}

#[test]
fn an_answer_may_make_a_new_threat() {
    let board = "
        .x....x
        xo....x
        oo....o
        ox...xo
        ox..xxo
        xoo.xox";
    let case = Case { answer: "5", ..Case::new(board, "6", "5 6 6 3") };
    check(&case, &["allows-threat X answer=5 cell=d4 row=4"]);
}
