//! Reasons of mistakes, on drawn boards.

use banyan_core::{Bounds, Game, Knowledge, Line, Margin, Mistake, Notation, Reason, Side};
use banyan_dots_and_boxes::{DotsAndBoxes, DotsAndBoxesKnowledge, Line as Direction, Shape, State};

/// A board: `+` for dots, `-` and `|` for drawn edges. Lines of vertical edges begin with `:`, so that they can begin with a space.
fn parse(drawing: &str) -> (DotsAndBoxes<u64>, State<u64>) {
    let lines: Vec<Vec<u8>> = drawing.lines().map(|line| line.trim_start().as_bytes().to_vec()).skip(1).collect();
    let lines: Vec<&Vec<u8>> = lines.iter().filter(|line| !line.is_empty()).collect();
    let (rows, columns) = (lines.len() as u32 / 2, lines[0].len() as u32 / 2);
    let shape = Shape::new(rows, columns).expect("a board");
    let is_drawn = |edge: u8| {
        let (line, row, column) = shape.place(edge);
        let (row, column) = (row as usize, column as usize);
        let (down, right) = match line {
            Direction::Horizontal => (2 * row, 2 * column + 1),
            Direction::Vertical => (2 * row + 1, 2 * column + 1),
        };
        lines[down].get(right).is_some_and(|&sign| sign == b'-' || sign == b'|')
    };
    let edges: String = (0..shape.n_edges() as u8).map(|edge| if is_drawn(edge) { '1' } else { '0' }).collect();
    let game = DotsAndBoxes::new(shape);
    let state = game.parse_position(&format!("{edges} x")).unwrap_or_else(|err| panic!("{err}: {drawing}"));
    (game, state)
}

fn in_words(reason: &Reason) -> String {
    let numbers = reason.numbers.iter().map(|(name, value)| format!(" {name}={value}"));
    let side = if reason.side == Side::First { "X" } else { "O" };
    let line = if reason.line.is_empty() { String::new() } else { format!(" [{}]", reason.line.join(" ")) };
    format!("{} {side}{}{line}", reason.kind, numbers.collect::<String>())
}

/// The reasons of X's first move of `played`; `better` is a better line. Both are taken to be proven.
fn check(drawing: &str, played: &str, better: &str, expected: &[&str]) {
    let (game, state) = parse(drawing);
    let moves = |text: &str| game.parse_moves(&state, text).unwrap_or_else(|err| panic!("{err}: {drawing}"));
    let (played, better) = (moves(played), moves(better));
    let mistake = Mistake {
        mv: played[0],
        better: Line { moves: better, is_proven: true },
        answer: Line { moves: played[1..].to_vec(), is_proven: true },
        before: Bounds::exact(Margin(1)),
        after: Bounds::exact(Margin(-1)),
    };
    let reasons = DotsAndBoxesKnowledge::default().reasons(&game, &state, &mistake);
    assert_eq!(reasons.iter().map(in_words).collect::<Vec<_>>(), expected, "{drawing}");
    // Without proofs nothing is said about best play.
    let unproven = Mistake { answer: Line::default(), after: game.margin_range(), ..mistake };
    let reasons = DotsAndBoxesKnowledge::default().reasons(&game, &state, &unproven);
    let needs_proof = |kind: &str| kind.starts_with("control-lost") || kind == "not-sacrificed";
    assert!(reasons.iter().all(|reason| !needs_proof(reason.kind)), "{drawing}");
}

#[test]
fn boxes_that_are_left_or_handed_back_are_named() {
    let one = "
        +-+ +
        :|
        +-+ +
        :
        + + +";
    check(one, "h2,1", "v0,1", &["boxes-left O n=1 taken=1"]);
    let two = "
        +-+-+
        :|
        +-+-+";
    check(two, "v0,2", "v0,1", &["handed-back O n=2 taken=2"]);
}

#[test]
fn boxes_that_should_be_handed_back_are_named() {
    let chain = "
        +-+-+-+
        :| |
        +-+-+-+
        :
        +-+-+-+";
    check(chain, "v0,2", "v0,3", &["control-given-up O n=2"]);
    let open = "
        +-+-+-+
        :| |
        +-+-+-+
        :
        + + + +";
    check(open, "v0,2", "v0,3", &["not-handed-back O n=2"]);
}

#[test]
fn boxes_that_are_offered_are_counted() {
    let safe = "
        +-+-+-+
        :
        +-+-+-+
        :
        + + + +
        :
        + + + +";
    check(safe, "v0,1", "h3,0", &["offered-chain O length=3 taken=3 n=14"]);
    check(safe, "h3,0", "v0,1", &["not-sacrificed O n=3"]);
    let loony = "
        +-+-+-+
        :
        +-+-+-+
        :  |
        + + +-+";
    check(loony, "v0,1", "v1,0", &["offered-more O n=3 instead=1"]);
    check(loony, "h2,1", "v1,2", &["offered-softly O n=2 instead=0"]);
    let chain_and_loop = "
        +-+-+ +-+
        :|   |   |
        + + +-+ +
        :|   |   |
        +-+-+ +-+";
    check(chain_and_loop, "v0,3", "v0,1", &["offered-cheaply O n=2 instead=4"]);
    let single = "
        +-+-+-+
        :|
        + + + +";
    check(single, "h1,0", "h1,2", &["offered-box O length=1 taken=1 n=4"]);
    let round = "
        +-+-+ +
        :|   |
        + + + +
        :|   |
        +-+-+ +";
    check(round, "v0,1", "h0,2", &["offered-loop O length=4 taken=4 n=5"]);
}

#[test]
fn control_is_lost_with_the_wrong_number_of_chains() {
    // One chain of six, or two of three.
    let row = "
        +-+-+-+-+-+-+
        :
        +-+-+ + +-+-+";
    let expected = ["control-lost-even O n=1 instead=2 [h1,2 h1,3]", "runs-out-of-safe-edges O n=1 instead=0"];
    check(row, "h1,2 h1,3", "v0,3", &expected);
}
