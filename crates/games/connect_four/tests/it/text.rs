//! Connect Four as text: options, moves, positions and pictures, and what is refused.

use banyan_connect_four::{ConnectFour, Grid, Shape, State, Word};
use banyan_core::{Game, Notation, Rng, Side, random_move};

type Small = ConnectFour<u64>;
type Large = ConnectFour<[u64; 3]>;

fn game<B: Grid>(options: &str) -> ConnectFour<B> {
    ConnectFour::from_options(options).unwrap_or_else(|err| panic!("{err}"))
}

/// Moves as columns from 1, or the error.
fn read<B: Grid>(game: &ConnectFour<B>, text: &str) -> Result<Vec<u8>, String> {
    let moves = game.parse_moves(&game.start(), text).map_err(|err| err.to_string())?;
    Ok(moves.into_iter().map(|mv| mv + 1).collect())
}

fn after<B: Grid>(game: &ConnectFour<B>, text: &str) -> State<B> {
    let mut state = game.start();
    for mv in game.parse_moves(&state, text).unwrap_or_else(|err| panic!("{err}")) {
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn options_print_in_canonical_form() {
    let check = |written: &str, printed: &str| {
        assert_eq!(Shape::parse(written).map(|shape| shape.options()), Ok(printed.to_owned()), "{written}");
    };
    check("", "");
    check("6x7", "");
    check(" 6X7 , hole=D3", "6x7,hole=d3");
    check("hole=d3", "6x7,hole=d3");
    check("7x6", "7x6");
    check("10x11,hole=k10,hole=d3,hole=d1", "10x11,hole=d1,hole=d3,hole=k10");
    check("15x16", "15x16");
}

#[test]
fn invalid_options_are_refused_in_one_line() {
    let check = |options: &str, expected: &str| {
        let err = Shape::parse(options).expect_err(options);
        assert_eq!(err.to_string(), expected, "{options}");
    };
    check("16x17", "connect-four:16x17: expected at most 15 rows and 16 columns; try connect-four:15x16");
    check("6x17", "connect-four:6x17: expected at most 15 rows and 16 columns; try connect-four:6x16");
    check("3x7", "connect-four:3x7: expected at least 4 rows and 4 columns; try connect-four:4x7");
    check(
        "99999999999999999999x0",
        "connect-four:99999999999999999999x0: expected at most 15 rows and 16 columns; try connect-four:15x4",
    );
    let hole = "expected a cell of the 6x7 board, a1 to g6; name column letter and row from the bottom, as in hole=d3";
    for cell in ["h1", "a7", "a0", "", "3", "é1", "a-1", "a99999999999999"] {
        check(&format!("6x7,hole={cell}"), &format!("hole={cell}: {hole}"));
    }
    check("6x7,hole=d3,hole=D3", "hole=D3 twice: expected every hole named once; leave one out");
    let unknown = "expected rows x columns first, then holes; write it like connect-four:10x11,hole=d3";
    check("8", "connect-four option \"8\": expected rows x columns first, then holes; try connect-four:8x8");
    for option in ["wrap=1", "3", "16", "6x", "x7", "+6x7", "6x7x8", "hole", "6*7"] {
        check(option, &format!("connect-four option {option:?}: {unknown}"));
    }
    let drawn = "expected holes named by their cells, as only matches and training draw them; write it like connect-four:10x11,hole=d3";
    check("6x7,holes=1", &format!("connect-four option \"holes=1\": {drawn}"));
    check("hole=d3,6x7", &format!("connect-four option \"6x7\": {unknown}"));
    check("6x7,", &format!("connect-four option \"\": {unknown}"));
    let all = "abcd".chars().flat_map(|c| (1..=4).map(move |row| format!(",hole={c}{row}"))).collect::<String>();
    let full = Shape::parse(&format!("4x4{all}")).expect_err("no cell left");
    assert!(full.to_string().ends_with("at least one cell without a hole; leave a hole out"), "{full}");
    let none = "connect-four:4x4,hole=a1,hole=b3,hole=c4,hole=d2: expected four cells in a line without a hole, as otherwise \
                no side can win; leave a hole out";
    check("4x4,hole=a1,hole=b3,hole=c4,hole=d2", none);
    for three in
        ["hole=a1,hole=b3,hole=c4", "hole=a1,hole=b3,hole=d2", "hole=a1,hole=c4,hole=d2", "hole=b3,hole=c4,hole=d2"]
    {
        assert!(Shape::parse(&format!("4x4,{three}")).is_ok(), "{three}");
    }
    assert!(Shape::parse(&format!("4x4{}", &all[4 * 8..])).is_ok());
}

#[test]
fn each_board_gets_the_narrowest_word() {
    let word = |options: &str| Shape::parse(options).expect("a valid board").word();
    assert_eq!([word("6x7"), word("7x8"), word("15x4")], [Word::One; 3]);
    assert_eq!([word("7x9"), word("10x11"), word("15x8")], [Word::Two; 3]);
    assert_eq!([word("8x15"), word("12x12"), word("15x12")], [Word::Three; 3]);
    assert_eq!([word("12x15"), word("15x16")], [Word::Four; 2]);
    let err = Small::from_options("10x11,hole=d3").expect_err("too wide");
    let expected = "connect-four:10x11,hole=d3: expected a board of at most 64 bits, not 121; choose the board word by Shape::word";
    assert_eq!(err.to_string(), expected);
}

#[test]
fn moves_are_columns_by_number_letter_or_cell() {
    let usual: Small = game("");
    for text in ["44455", "4 4 4 5 5", "4,4,4,5,5", "d D d E e", "d1 4 D3, e1,e", "444 55", " 4\t4\n4 5\r\n5 "] {
        assert_eq!(read(&usual, text), Ok(vec![4, 4, 4, 5, 5]), "{text:?}");
    }
    assert_eq!(read(&usual, ""), Ok(vec![]));
    let off = usual.parse_moves(&usual.start(), "4 10").expect_err("only 7 columns");
    assert_eq!(off.found, "move 2: move \"10\"");
    let wide: Large = game("12x12");
    assert_eq!(read(&wide, "12 1 2 l L3"), Ok(vec![12, 1, 2, 12, 12]));
    for text in ["column 4", "Column  d", "column d1"] {
        assert_eq!(usual.parse_move(&usual.start(), text), Ok(3), "{text:?}");
    }
    let holes: Small = game("hole=d1,hole=d2");
    assert_eq!(read(&holes, "d3 d4"), Ok(vec![4, 4]));
}

#[test]
fn invalid_moves_are_refused_in_one_line() {
    let usual: Small = game("");
    let check = |text: &str, expected: &str| assert_eq!(read(&usual, text), Err(expected.to_owned()), "{text:?}");
    let legal = "try one of 1 2 3 4 5 6 7";
    check("8", &format!("move 1: move \"8\": expected a column from 1 to 7 or a to g; {legal}"));
    check("4 0", &format!("move 2: move \"0\": expected a column from 1 to 7 or a to g; {legal}"));
    check("h", &format!("move 1: move \"h\": expected a column from 1 to 7 or a to g; {legal}"));
    check("dd", &format!("move 1: move \"dd\": expected the number of a column, 1 to 7; {legal}"));
    check("é", &format!("move 1: move \"é\": expected the number of a column, 1 to 7; {legal}"));
    check("d3", "move 1: move \"d3\": expected d1, as a stone in column 4 falls there; write d1 or 4");
    check("4444444", "move 7: move \"4\": expected another column, as column 4 is full; try one of 1 2 3 5 6 7");
    check("12121212", "move 8 \"2\": expected no move after move 7, which ended the game; leave it out");
    let over = usual.parse_move(&after(&usual, "1212121"), "3").expect_err("the game is over");
    assert_eq!(over.to_string(), "move \"3\": expected no move, as the game is over; leave it out");
    let wide: Large = game("12x12");
    let spaces = "put spaces between moves, as digits run together only up to 9 columns";
    let expected = format!("move 1: move \"44455\": expected a column from 1 to 12 or a to l; {spaces}");
    assert_eq!(read(&wide, "44455"), Err(expected));
}

#[test]
fn positions_print_row_by_row_from_the_top() {
    let usual: Small = game("");
    assert_eq!(usual.print_position(&usual.start()), "7/7/7/7/7/7 x");
    assert_eq!(usual.print_position(&after(&usual, "44455")), "7/7/7/3x3/3ox2/3xo2 o");
    let wide: Large = game("12x12,hole=f6,hole=a1,hole=a2");
    let text = "12/12/12/12/12/12/5-6/12/12/x11/-11/-11 o";
    assert_eq!(wide.print_position(&after(&wide, "a3")), text);
    assert_eq!(wide.parse_position(text), Ok(after(&wide, "a3")));
    assert_eq!(wide.parse_position(&format!("  {}\n", text.to_uppercase())), Ok(after(&wide, "a3")));
}

#[test]
fn impossible_positions_are_refused() {
    let check = |options: &str, text: &str, expected: &str| {
        let game: Small = game(options);
        let err = game.parse_position(text).expect_err(text);
        assert_eq!(err.to_string(), expected, "{text:?}");
    };
    let example = "try \"7/7/7/7/7/7 x\"";
    check("", "", &format!("position of 0 words: expected rows and the side to move; {example}"));
    check("", "7/7/7/7/7/7", &format!("position of 1 words: expected rows and the side to move; {example}"));
    check("", "7/7/7/7/7/7 x o", &format!("position of 3 words: expected rows and the side to move; {example}"));
    check("", "7/7/7/7/7 x", &format!("position of 5 rows: expected 6 rows separated by /; {example}"));
    check("", "7/7/7/7/7/6 x", "row 1 of 6 cells: expected 7 cells in every row; check the row");
    check("", "7/7/7/7/7/8 x", "row 1 of more than 7 cells: expected 7 cells in every row; check the row");
    check("", "99999999999/7/7/7/7/7 x", "row 6 of more than 7 cells: expected 7 cells in every row; check the row");
    check("", "/7/7/7/7/7 x", "row 6 of 0 cells: expected 7 cells in every row; check the row");
    let marks =
        "expected stones, holes and numbers of free cells; write x, o, - for a hole, or how many cells are free";
    check("", "7/7/7/7/7/3é3 x", &format!("'é' in row 1: {marks}"));
    check("", "7/7/7/7/7/07 x", &format!("'0' in row 1: {marks}"));
    let hole = "expected holes only where the board has them; add hole=d1 to the options of the game or check the row";
    check("", "7/7/7/7/7/3-3 x", &format!("a hole on d1: {hole}"));
    let missing = "expected - there, as this board has a hole on it; check the row or the holes";
    check("hole=d1", "7/7/7/7/7/7 x", &format!("a free cell on d1: {missing}"));
    check("hole=d1", "7/7/7/7/7/3x3 o", &format!("x on d1: {missing}"));
    check("", "7/7/7/7/7/xx5 x", "2 x and 0 o: expected as many x as o or one more; check the stones");
    check("", "7/7/7/7/7/o6 x", "0 x and 1 o: expected as many x as o or one more; check the stones");
    check("", "7/7/7/7/7/xo5 o", "side to move \"o\": expected \"x\" after 1 x and 1 o; write x");
    check("", "7/7/7/7/7/x6 z", "side to move \"z\": expected \"o\" after 1 x and 0 o; write o");
    check("", "7/7/7/7/x6/7 o", "stone on a2 above free a1: expected stones that have fallen; check the column");
    check(
        "hole=a2",
        "7/7/7/x6/-6/7 o",
        "stone on a3 above free a1: expected stones that have fallen; check the column",
    );
    let both = "four x and four o in a line: expected at most one winner; check the stones";
    check("", "7/7/7/7/oooo3/xxxx3 x", both);
    let moved_on = "four x in a line: expected no move after the win, but x is to move; check the stones";
    check("", "7/7/7/o6/o6/xxxxoo1 x", moved_on);
    let covered = "four x in a line: expected a win by the last stone, on top of its column; check the stones";
    check("", "7/7/7/7/oooxoo1/xxxxoxx o", covered);
    check("", "7/7/7/7/ooox3/xxxxo2 o", covered);
}

#[test]
fn won_and_drawn_positions_are_read() {
    let usual: Small = game("");
    for moves in ["1212121", "121212", "44444433333356"] {
        let state = after(&usual, moves);
        assert_eq!(usual.parse_position(&usual.print_position(&state)), Ok(state), "{moves}");
    }
    let tiny: Small = game("4x4,hole=a1,hole=a2,hole=a3,hole=a4");
    let full = tiny.parse_position("-xox/-oxo/-xox/-oxo x").unwrap_or_else(|err| panic!("{err}"));
    assert_eq!(tiny.result(&full).map(|margin| margin.0), Some(0));
}

/// A text made from a position's by a few random edits.
fn mutated(text: &str, rng: &mut Rng) -> String {
    const BITS_OF_TEXT: [&str; 16] = [
        "x",
        "o",
        "-",
        "/",
        " ",
        "1",
        "7",
        "0",
        "99999999999999999999",
        "é",
        "\u{1F600}",
        "X",
        "\t",
        "12",
        "hole=",
        "\0",
    ];
    let mut chars: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=rng.below(4) {
        let at = rng.below(chars.len() as u32 + 1) as usize;
        let new = BITS_OF_TEXT[rng.below(16) as usize].to_owned();
        match rng.below(3) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 if at < chars.len() => chars[at] = new,
            _ => chars.insert(at, new),
        }
    }
    chars.concat()
}

#[test]
fn no_text_makes_parsing_panic_or_accepts_a_broken_position() {
    fn check<B: Grid>(options: &str) {
        let game: ConnectFour<B> = game(options);
        let mut rng = Rng::new(9);
        let mut accepted = 0;
        for _ in 0..150 {
            let mut state = game.start();
            for _ in 0..rng.below(u32::from(game.max_plies())) {
                if game.result(&state).is_none() {
                    let mv = random_move(&game, &state, &mut rng, &mut Vec::new());
                    game.play(&mut state, mv);
                }
            }
            for _ in 0..20 {
                let text = mutated(&game.print_position(&state), &mut rng);
                if let Ok(read) = game.parse_position(&text) {
                    assert_eq!(game.recomputed(&read), read, "{text:?}");
                    assert_eq!(game.parse_position(&game.print_position(&read)), Ok(read), "{text:?}");
                    accepted += 1;
                }
                let _ = game.parse_moves(&state, &text);
                let _ = game.parse_move(&state, &text);
                let _ = Shape::parse(&mutated(&format!("6x7,hole=d3,{options}"), &mut rng));
            }
        }
        assert!(accepted > 0, "{options}: every mutated text was refused");
    }
    check::<u64>("6x7,hole=b2,hole=g6");
    check::<u64>("4x4");
    check::<[u64; 4]>("15x16,hole=p15");
}

#[test]
fn the_picture_shows_stones_holes_landing_cells_and_the_win() {
    let sketch = |game: &Small, moves: &str| -> Vec<String> {
        let state = after(game, moves);
        let last = game.parse_moves(&game.start(), moves).unwrap().last().copied();
        let picture = game.picture(&state, last).expect("there is a board");
        assert_eq!(picture.column_labels, ["1", "2", "3", "4"]);
        assert_eq!(picture.row_labels, ["4", "3", "2", "1"]);
        let cell = |cell: &banyan_core::Cell| match (cell.owner, cell.hole, cell.legal) {
            (Some(side), false, false) => {
                let stone = game.side_name(side).chars().next().unwrap();
                let mark = if cell.last {
                    '!'
                } else if cell.winning {
                    '*'
                } else {
                    ' '
                };
                format!("{stone}{mark}")
            }
            (None, true, false) => "- ".to_owned(),
            (None, false, true) => "_ ".to_owned(),
            (None, false, false) => ". ".to_owned(),
            _ => panic!("{cell:?}"),
        };
        picture.cells.chunks(4).map(|row| row.iter().map(cell).collect()).collect()
    };
    let game: Small = game("4x4,hole=b2,hole=d1");
    assert_eq!(sketch(&game, ""), [". . . . ", ". . . . ", ". - . _ ", "_ _ _ - "]);
    assert_eq!(sketch(&game, "2 2 4"), [". _ . . ", ". O . _ ", ". - . X!", "_ X _ - "]);
    assert_eq!(sketch(&game, "1 2 1 2 1 2 1"), ["X!O . . ", "X*O . . ", "X*- . . ", "X*O . - "]);
    assert_eq!(game.side_name(Side::First), "X");
}
