//! Reading and writing moves, positions and pictures of Dots and Boxes.

use banyan_core::{Bounds, Game, Margin, Notation, Rng, Side, random_move};
use banyan_dots_and_boxes::DotsAndBoxes;

use crate::game;

#[test]
fn moves_are_read_in_every_form_and_refused_with_a_reason() {
    let game = game::<u64>("5x5");
    let start = game.start();
    let check = |text: &str, expected: Option<u8>| assert_eq!(game.parse_move(&start, text).ok(), expected, "{text:?}");
    check("h4,3", Some(23));
    check("V2,1", Some(43));
    check("23", Some(23));
    check("0", Some(0));
    check("59", Some(59));
    check("P1(h,4,3)", Some(23));
    check("p1(V,2,1)", Some(43));
    // Two dots.
    for text in ["4,3-4,4", "4,4-4,3", "4,3 4,4", "(4,3)-(4,4)", "4,3 - 4,4"] {
        check(text, Some(23));
    }
    check("2,1-3,1", Some(43));
    check("0,0-1,0", Some(30));
    // A side of a box, by its upper left dot.
    for (text, edge) in [("4,3 top", 23), ("3,3 bottom", 23), ("2,1 left", 43), ("2,0 right", 43)] {
        check(text, Some(edge));
    }
    for text in ["4,3n", "4,3 N", "n4,3", "north 4,3", "Top4,3", "3,3s", "4,3-top"] {
        check(text, Some(23));
    }
    check("2,1w", Some(43));
    check("2,0E", Some(43));
    for refused in [
        "4,3-4,5",
        "4,3-5,4",
        "4,3-4,3",
        "0,5-0,6",
        "4,3-",
        "4,3",
        "4,3-4,4-4,5",
        "5,0 top",
        "0,5 left",
        "0,0 up",
        "top",
        "0,0 top right",
        "60",
        "256",
        "h6,0",
        "h5,5",
        "v5,0",
        "v0,6",
        "h1",
        "h1,",
        "h,1",
        "hh1,1",
        "1,1",
        "",
        " ",
        "h-1,0",
        "h1,1,1",
        "h 1,1",
        "+1",
        "99999999999999999999",
        "ħ1,1",
        "h1,１",
        "P3(h,4,3)",
        "P2(h,4,3)",
        "P1(h,4,3",
        "P1(h4,3)",
        "P1(,23)",
        "P1(x,4,3)",
        "P1(h,4,5)",
        "P1()",
        "x",
    ] {
        check(refused, None);
    }
    for (text, expected) in [
        ("h6,0", "expected an edge h0,0 to h5,4 or v0,0 to v4,5; try 0 or h0,0"),
        ("99", "expected the number of an edge, 0 to 59; try 0 or h0,0"),
        ("top", "expected the number of an edge, 0 to 59; try 0 or h0,0"),
    ] {
        let err = game.parse_move(&start, text).expect_err("off the board");
        assert_eq!(err.to_string(), format!("move {text:?}: {expected}"));
    }
    let err = game.parse_move(&start, "P2(h,4,3)").expect_err("of the other player");
    assert_eq!(err.to_string(), "move \"P2(h,4,3)\": expected an action of P1, whose turn it is; correct the player");
    assert!((0..60).all(|edge| game.action_id(edge) == Some(edge.into())));
    let mut state = start;
    game.play(&mut state, 0);
    let err = game.parse_move(&state, "0").expect_err("drawn");
    assert_eq!(err.to_string(), "move \"0\": expected another edge, as that edge is drawn already; try 1 or h0,1");
}

#[test]
fn lists_of_moves_are_split_where_no_move_has_a_comma() {
    let game = game::<u64>("5x5");
    let check = |text: &str, expected: &[u8]| {
        assert_eq!(game.parse_moves(&game.start(), text).as_deref(), Ok(expected), "{text:?}");
    };
    check("", &[]);
    check(" ; ,", &[]);
    check("0,5,7", &[0, 5, 7]);
    check("0 5;7", &[0, 5, 7]);
    check("h4,3 v2,1", &[23, 43]);
    check("h4,3,v2,1,7", &[23, 43, 7]);
    check("H4,3;7,V2,1\n8", &[23, 7, 43, 8]);
    check("P1(h,4,3),P2(v,2,1) 7", &[23, 43, 7]);
    check("4,3-4,4 0,0top;7", &[23, 0, 7]);
    let err = game.parse_moves(&game.start(), "h0,0 h0, 1").expect_err("a broken move");
    assert!(err.to_string().starts_with("move 2: move \"h0,\": "), "{err}");
    let err = game.parse_moves(&game.start(), "7 7").expect_err("drawn twice");
    assert!(
        err.to_string().starts_with("move 2: move \"7\": expected another edge, as that edge is drawn already"),
        "{err}"
    );
    let small = super::game::<u64>("1x1");
    let err = small.parse_moves(&small.start(), "0 1 2 3 0").expect_err("the game is over");
    assert!(err.to_string().contains("no move after move 4"), "{err}");
}

/// A 2x2 board in which `First` has closed the top left box:
///
/// ```text
/// +-+-+
/// |x|
/// +-+ +
///   |
/// + + +
/// ```
const CLOSED: &str = "11/10/00/110/010 x 1-0 x./..";

#[test]
fn positions_are_read_and_printed() {
    let game = game::<u64>("2x2");
    let check = |text: &str, printed: &str, score: i16, mover: Side| {
        let state = game.parse_position(text).unwrap_or_else(|err| panic!("{text:?}: {err}"));
        assert_eq!(game.print_position(&state), printed, "{text:?}");
        assert_eq!(game.score(&state), Margin(score), "{text:?}");
        assert_eq!(game.to_move(&state), mover, "{text:?}");
        assert_eq!(game.parse_position(printed), Ok(state), "{text:?}");
        assert_eq!(game.recomputed(&state), state, "{text:?}");
    };
    check(CLOSED, CLOSED, 1, Side::First);
    check("111000110010 o", "11/10/00/110/010 o 0-0", 0, Side::Second);
    check("11/1000110010 O 0-1", "11/10/00/110/010 o 0-1", -1, Side::Second);
    check(" 111000110010\t X 1-0 X... ", CLOSED, 1, Side::First);
    let played = game.parse_moves(&game.start(), "0 1 2 6 7 10").expect("legal moves");
    let mut state = game.start();
    played.iter().for_each(|&mv| game.play(&mut state, mv));
    assert_eq!(
        game.print_position(&state),
        CLOSED.replace(" x ", " o "),
        "after completing the box First drew another edge"
    );
}

#[test]
fn a_position_without_a_score_has_only_future_points() {
    let game = game::<u64>("2x2");
    let state = game.parse_position("11/10/00/110/010 x").expect("a position");
    assert_eq!(game.score(&state), Margin(0));
    assert_eq!(game.bounds(&state), Bounds::new(Margin(-3), Margin(3)), "three boxes are open");
    let full = game.parse_position("11/11/11/111/111 o").expect("a position");
    assert_eq!(game.result(&full), Some(Margin(0)));
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    let game = game::<u64>("2x2");
    let check = |text: &str, expected: &str| {
        let err = game.parse_position(text).expect_err(text).to_string();
        assert!(err.starts_with(expected), "{text:?}: {err}");
        assert!(!err.ends_with('.') && !err.contains('\n'), "{err}");
    };
    check("", "position of 0 words: ");
    check("111000110010", "position of 1 words: ");
    check("111000110010 x 0-0 .... x", "position of 5 words: ");
    check("11100011001 x", "11 edges: expected 12 on this board; ");
    check("1110001100100 x", "13 edges: expected 12 on this board; ");
    check("11100011001x x", "'x' as edge 11: ");
    check("1/1100011001 x", "a slash after 1 edges: ");
    check("11//1000110010 x", "a slash after 2 edges: ");
    check("/111000110010 x", "a slash after 0 edges: ");
    check("111000110010/ x", "a slash after 12 edges: ");
    check("111000110010 z", "side \"z\": expected x (who began) or o; ");
    check("111000110010 x 1", "score \"1\": ");
    check("111000110010 x 1--0", "score \"1--0\": ");
    check("111000110010 x 1-1", "score 1-1: expected no more boxes than the 1 closed ones; ");
    check("111000110010 x 999-999", "score 999-999: ");
    check("111000110010 x 1-0 .x..", "'x' as box 1, which is open: ");
    check("111000110010 x 1-0 o...", "0-1 owned boxes: expected no more than the score 1-0; ");
    check("111000110010 x 1-0 ...", "3 boxes: expected 4 on this board; ");
    check("111000110010 x 1-0 ?...", "'?' as box 0: ");
}

#[test]
fn no_text_makes_parsing_panic_or_accepts_a_broken_position() {
    let game = game::<u64>("2x3");
    let mut rng = Rng::new(23);
    let signs: Vec<char> = "01xo./- ,;hv239XOé\u{1F600}\0\t".chars().collect();
    let mut read = 0;
    for _ in 0..5000 {
        let mut state = game.start();
        for _ in 0..rng.below(18) {
            let mv = random_move(&game, &state, &mut rng, &mut Vec::new());
            game.play(&mut state, mv);
        }
        let mut text: Vec<char> = game.print_position(&state).chars().collect();
        for _ in 0..1 + rng.below(2) {
            let at = rng.below(text.len() as u32) as usize;
            let sign = signs[rng.below(signs.len() as u32) as usize];
            match rng.below(3) {
                0 => text[at] = sign,
                1 => text.insert(at, sign),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = game.parse_move(&state, &text);
        let _ = game.parse_moves(&state, &text);
        let _ = DotsAndBoxes::<u64>::from_options(&text);
        if let Ok(state) = game.parse_position(&text) {
            assert_eq!(game.parse_position(&game.print_position(&state)), Ok(state), "{text:?}");
            assert!(game.margin_range().contains(game.bounds(&state).lower), "{text:?}");
            assert!(game.margin_range().contains(game.bounds(&state).upper), "{text:?}");
            read += 1;
        }
    }
    assert!((100..4900).contains(&read), "{read} of 5000 texts were read");
}

#[test]
fn the_options_choose_the_board_and_must_fit_the_word() {
    assert_eq!(game::<u64>("").spec(), "dots-and-boxes");
    assert_eq!(game::<u64>("5X5").spec(), "dots-and-boxes");
    assert_eq!(game::<u128>("7x7").spec(), "dots-and-boxes:7x7");
    let err = DotsAndBoxes::<u64>::from_options("1x21").expect_err("64 edges leave no bit");
    assert!(err.to_string().starts_with("dots-and-boxes:1x21: "), "{err}");
    assert!(DotsAndBoxes::<u128>::from_options("8x8").is_err());
    assert!(DotsAndBoxes::<[u64; 3]>::from_options("8x8").is_ok());
}

#[test]
fn the_picture_shows_owners_lines_and_the_last_one() {
    let game = game::<u64>("2x2");
    let state = game.parse_position(CLOSED).expect("a position");
    let picture = game.picture(&state, Some(7)).expect("a board to draw");
    assert_eq!((picture.rows, picture.columns), (2, 2));
    let owners: Vec<_> = picture.cells.iter().map(|cell| cell.owner).collect();
    assert_eq!(owners, [Some(Side::First), None, None, None]);
    let edges = picture.edges.expect("lines");
    let drawn: Vec<usize> = (0..12).filter(|&edge| edges[edge].drawn).collect();
    assert_eq!(drawn, [0, 1, 2, 6, 7, 10]);
    assert_eq!((0..12).filter(|&edge| edges[edge].last).collect::<Vec<_>>(), [7]);
    assert_eq!(picture.column_labels, ["0", "1"]);
    assert_eq!(picture.row_labels, ["0", "1"]);
}
