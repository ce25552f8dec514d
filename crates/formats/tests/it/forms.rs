//! Every form is read as it is written, by the one door, in every game; and mistakes are named with their place.

use banyan_catalog::{Opening, Session};
use banyan_core::Rng;
use banyan_formats::{FORMS, Form, Reading, Recorded};

use crate::catalog;

fn players() -> [String; 2] {
    ["Ann".to_owned(), "mcgs:c=1.5".to_owned()]
}

fn open(spec: &str, opening: Opening<'_>) -> Session {
    catalog().game(spec).and_then(|game| game.open(opening)).unwrap_or_else(|err| panic!("{spec}: {err}"))
}

fn read(text: &str, game: Option<&str>) -> Result<Recorded, String> {
    Reading::new(catalog(), game).text(text).map_err(|err| err.to_string())
}

/// A game of random moves, at most `n_moves` of them.
fn random_game(spec: &str, opening: Opening<'_>, n_moves: usize, seed: u64) -> Session {
    let mut session = open(spec, opening);
    let mut rng = Rng::new(seed);
    for _ in 0..n_moves {
        if session.result().is_some() {
            break;
        }
        let moves = session.legal_moves();
        session.play(&moves[rng.below(moves.len() as u32) as usize]).expect("a legal move");
    }
    session
}

/// Whether a form has the moves of a game, and not only its last position.
fn has_moves(form: &Form) -> bool {
    !["position", "svg"].contains(&form.name)
}

/// Whether a form has the name of the game or its board.
fn has_board(form: &Form) -> bool {
    !["moves", "transcript"].contains(&form.name)
}

/// Checks that every form that can express a game is read as that game, also with other ends of lines, blanks and text around.
fn check_round_trips(session: &Session) {
    let (spec, history) = (session.spec(), session.history());
    for form in Form::written() {
        let text = form.write(session, &players()).ok().filter(|text| !text.is_empty());
        let Some(text) = text else { continue };
        // The board of these is the usual one unless it is given, and a nearly full board of 4x4 may be of two games.
        let is_full = form.name == "position" && (session.result().is_some() || spec.ends_with(":4x4"));
        let names_no_board = !has_board(form) || is_full;
        let is_usual = !spec.contains(':');
        let given = Some(spec.as_str()).filter(|_| {
            (names_no_board && !is_usual) || (!has_board(form) && history.len() < 3) || spec.contains("count=")
        });
        for text in [text.clone(), format!("\u{feff}\r\n  {}\r\n\r\n", text.trim().replace('\n', "\r\n"))] {
            let again =
                read(&text, given).unwrap_or_else(|err| panic!("{} {spec} {history:?}:\n{text}\n{err}", form.name));
            assert_eq!(
                (again.session.spec(), again.session.position()),
                (spec.clone(), session.position()),
                "{}:\n{text}",
                form.name
            );
            if has_moves(form) {
                assert_eq!(again.session.history(), history, "{}:\n{text}", form.name);
            }
            if again.players.is_some() {
                assert_eq!(again.players, Some(players()), "{}", form.name);
            }
        }
    }
}

#[test]
fn everything_that_is_written_is_read() {
    for (i, spec) in [
        "connect-four",
        "connect-four:10x11,hole=d3,hole=a1",
        "connect-four:4x4",
        "connect-four:15x16",
        "reversi",
        "reversi:6x6",
        "reversi:10x10",
        "reversi:8x8,count=discs",
        "dots-and-boxes",
        "dots-and-boxes:2x3",
        "dots-and-boxes:9x9",
    ]
    .into_iter()
    .enumerate()
    {
        for n_moves in [0, 2, 7, 300] {
            check_round_trips(&random_game(spec, Opening::Start, n_moves, 7 * i as u64 + n_moves as u64));
        }
        let later = random_game(spec, Opening::Start, 6, i as u64).position();
        for n_moves in [0, 9] {
            check_round_trips(&random_game(spec, Opening::Position(&later), n_moves, i as u64));
        }
    }
}

#[test]
fn every_form_has_an_example_that_is_read() {
    for form in FORMS.iter().filter(|form| !form.example.is_empty()) {
        if let Err(err) = read(form.example, None) {
            panic!("{}: {err}", form.name);
        }
    }
    let names: Vec<&str> = FORMS.iter().map(|form| form.name).collect();
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

/// The games that are written to one file are read as as many games.
#[test]
fn games_of_one_file_stay_apart() {
    let games: Vec<Session> = (0..5).map(|seed| random_game("reversi", Opening::Start, 30, seed)).collect();
    for name in ["transcript", "pgn", "ggf", "link"] {
        let form = Form::to_write(name).expect("a form");
        let text: String = games.iter().map(|game| form.write(game, &players()).expect("a game") + "\n").collect();
        let (file, n) = Reading::new(catalog(), None).file(text.into_bytes(), "").expect(name);
        assert_eq!(n, games.len(), "{name}");
        for (idx, game) in games.iter().enumerate() {
            let again = file.open(catalog(), idx, None).expect(name);
            assert_eq!(again.session.history(), game.history(), "{name} {idx}");
        }
    }
}

#[test]
fn moves_are_read_as_people_write_them() {
    let reversi = "f5 d6 c3 d3 c4";
    let check = |text: &str, spec: &str, moves: &str| {
        let again = read(text, None).unwrap_or_else(|err| panic!("{text}: {err}"));
        assert_eq!(
            (again.session.spec().as_str(), again.session.history().join(" ").as_str()),
            (spec, moves),
            "{text}"
        );
    };
    for text in [
        "f5 d6 c3 d3 c4",
        "F5D6C3D3C4",
        "f5, d6, c3, d3, c4",
        "f5,d6,c3,d3,c4",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.f5 d6 2.c3 d3 3.c4",
        "1. F5 D6\n2. C3 D3\r\n3. C4",
        "1. f5 2. d6 3. c3 4. d3 5. c4",
        "1. f5! d6?! 2. c3 $3 d3 {a usual reply} 3. c4 *",
        "1. f5 (1. d3 c3 (1... c5) 2. c4) 1... d6 2. c3 d3 3. c4",
        "f5 d6 c3\nd3 c4",
        "f5\nd6\nc3\nd3\nc4",
        "[Black \"Ann\"]\n[White \"Ben\"]\n\n1. f5 d6 2. c3 d3 3. c4",
        "１．ｆ５　ｄ６　２．ｃ３　ｄ３　３．ｃ４",
        "http://127.0.0.1:8000/#g=reversi&m=f5.d6(f4.c3).c3.d3.c4&v=2",
        "Look: <http://host/path/#g=reversi&m=f5.d6.c3.d3.c4>",
        "#g=reversi&m=f5.d6.c3.d3.c4",
        "resume with\n  banyan play reversi --moves \"f5 d6 c3 d3 c4\" --first human --second best",
    ] {
        check(text, "reversi", reversi);
    }
    for text in ["4 4 3", "443", "1. 4 4 2. 3", "d d c", "d1 d2 c1", "https://connect4.gamesolver.org/?pos=443"] {
        check(text, "connect-four", "4 4 3");
    }
    for text in [
        "h0,0 v1,2 h3,3",
        "h0,0,v1,2,h3,3",
        "1. h0,0 v1,2 2. h3,3",
        "P1(h,0,0) P2(v,1,2) P1(h,3,3)",
        "h0,0; v1,2; h3,3",
        "0 38 18",
    ] {
        check(text, "dots-and-boxes", "h0,0 v1,2 h3,3");
    }
    let named = read("[Black \"Ann\"]\n[White \"Ben\"]\n\n1. f5 d6", None).expect("a game");
    assert_eq!(named.players, Some(["Ann".to_owned(), "Ben".to_owned()]));
    let openings = "# banyan openings make connect-four:10x11 --count 2\n# one opening per line\n4 4 11\n4 5 1\n";
    let (file, n) = Reading::new(catalog(), None).file(openings.into(), "").expect("openings");
    let second = file.open(catalog(), 1, None).expect("an opening").session;
    assert_eq!(
        (n, second.spec(), second.history().join(" ")),
        (2, "connect-four:10x11".to_owned(), "4 5 1".to_owned())
    );
}

#[test]
fn positions_are_read_as_people_write_them() {
    let check = |text: &str, spec: &str, position: &str| {
        let again = read(text, None).unwrap_or_else(|err| panic!("{text}\n{err}"));
        assert_eq!((again.session.spec().as_str(), again.session.position().as_str()), (spec, position), "{text}");
    };
    let dashes = "---------------------------OX------XO---------------------------";
    let rows: Vec<String> = dashes.as_bytes().chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    let spaced = |row: &String| row.chars().map(|sign| sign.to_string()).collect::<Vec<_>>().join(" ");
    let labelled: Vec<String> =
        rows.iter().enumerate().map(|(i, row)| format!("{} {} {}", i + 1, spaced(row), i + 1)).collect();
    for text in [
        "8/8/8/3ox3/3xo3/8/8/8 x".to_owned(),
        "8/8/8/3WB3/3BW3/8/8/8 B".to_owned(),
        "8/8/8/3wb3/3bw3/8/8/8 black".to_owned(),
        "8/8/8/\n3ox3/3xo3/\n8/8/8 x\n".to_owned(),
        "8/8/8/3ox3/3xo3/8/8/8\nx".to_owned(),
        "８／８／８／３ｏｘ３／３ｘｏ３／８／８／８　ｘ".to_owned(),
        format!("{dashes} X"),
        format!("{} *", dashes.replace('X', "*").replace('-', ".")),
        format!("{}\nX to move", rows.join("\n")),
        format!("{} X", rows.join("/")),
        format!("  A B C D E F G H\n{}\n  A B C D E F G H\nto move: black\n", labelled.join("\n")),
        format!(
            "a game of yesterday\n{}\nBlack to move in this position",
            rows.join("\r\n").replace('O', "○").replace('X', "●")
        ),
    ] {
        check(&text, "reversi", "8/8/8/3ox3/3xo3/8/8/8 x");
    }
    check("7/7/7/7/7/3x3 o", "connect-four", "7/7/7/7/7/3x3 o");
    check("2-1/4/3o/2xx o", "connect-four:4x4,hole=c4", "2-1/4/3o/2xx o");
    check(". . # .\n. . . .\n. . . O\n. . X X", "connect-four:4x4,hole=c4", "2-1/4/3o/2xx o");
    check("11/10/01/111/010 o 1-0 x./..", "dots-and-boxes:2x2", "11/10/01/111/010 o 1-0 x./..");
    let drawn = "    0   1\n  0 +---+---+\n    | X |   |\n  1 +---+   +\n        |\n  2 +   +---+\nto move: O";
    check(drawn, "dots-and-boxes:2x2", "11/10/01/111/010 o 1-0 x./..");
    check(
        &drawn.replace('+', "•").replace("---", "───").replace('|', "│").replace('X', "●"),
        "dots-and-boxes:2x2",
        "11/10/01/111/010 o 1-0 x./..",
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, game, expected) in [
        // A move is missing, or two games are mixed.
        (
            "1. f5 d6 3. c3 d3",
            None,
            "column 10: 3.: expected the number 2; add the missing moves or correct the number",
        ),
        ("12. f5 d6", None, "column 1: 12.: expected the number 1; "),
        ("1. f5 1…zz", None, "column 9: move 2 of reversi: move \"zz\": expected a square"),
        (
            "1. 4 2. 3 5 3. 2 2",
            None,
            "column 1: 1 move after 1.: expected 2; add what is missing or correct the numbers",
        ),
        ("1. f5 d6 2.", None, "column 10: 0 moves after 2.: expected 2; "),
        ("1. f5 d6\n2. c", None, "line 2, column 4: move 3 of reversi: move \"c\": expected a square from a1 to h8; "),
        ("f5 d6 h0,0", None, "column 7: move 3 of reversi: move \"h0\": expected a square"),
        (
            "4 4 3 f5 d6",
            None,
            "column 7: move 4 of connect-four: move \"f5\": expected f1, as a stone in column 6 falls there; ",
        ),
        ("f5d6c3x9", None, "column 7: move 4 of reversi: move \"x9\": expected a square"),
        (
            "1. f5 d6 2. c3 d3 42-22",
            None,
            "column 19: result 42-22: expected more moves, because the game is not over after 4; ",
        ),
        ("1. 4 3 2. 4 3 3. 4 3 4. 4 0-1", None, "column 27: result 0-1: expected 1-0, as the moves give; "),
        ("1. f5 {a comment", None, "column 7: an open bracket: expected } behind it; "),
        // Moves or positions of no game, or of two.
        (
            "23 43",
            None,
            "column 1: record: expected moves or a position of one game, and they fit connect-four and dots-and-boxes; name the game",
        ),
        ("hello world", None, "column 1: \"hello\": expected a move with which a game begins, "),
        ("h6,0 h5,0", Some("dots-and-boxes"), "column 1: move 1: move \"h6,0\": expected an edge h0,0 to h5,4 "),
        ("8/8/8/8/8/8/8/8 x", Some("reversi"), "an empty square in the centre"),
        (
            "........\n........\n........\n...OX...\n...XO...\n........\n........\n........",
            None,
            "line 1: position: expected the side to move, which the board does not show; ",
        ),
        ("8/8/8/3ox3/3xo3/8/8/8 x", Some("reversi:6x6"), "8 rows: expected 6 rows"),
        // Broken records.
        (
            "#g=reversi&m=f5.d6(c3",
            None,
            "column 22: the end of the moves: expected ) behind a variation; copy the whole address",
        ),
        ("#g=reversi&m=f5.%zz", None, "column 17: \"%zz\": expected two digits after %, as in %20; "),
        (
            "#g=reversi&m=f5.a1",
            None,
            "column 17: move 2: move \"a1\": expected another square, as a1 turns over no black disc; ",
        ),
        ("#g=chess&m=e4", None, "unknown game \"chess\""),
        (
            "#g=reversi&m=f5",
            Some("connect-four"),
            "connect-four: expected reversi, the game of the transcript; leave the game out",
        ),
        (
            r#"{"v":1,"game":"reversi","position":"8/8/8/3ox3","to_move":"fi"#,
            None,
            "record: expected an object in JSON: EOF while parsing a string",
        ),
        (
            "banyan-book v=1 game=reversi",
            None,
            "an opening book: expected a game or a position; print its moves with `banyan book show FILE`",
        ),
        ("<!DOCTYPE html>\n<html>", None, "a page in HTML: expected a game or a position; "),
        ("", None, "record: expected a game or a position, and the text is empty; "),
    ] {
        let err = read(text, game).map(|read| read.session.history()).expect_err(text);
        assert!(err.starts_with(expected) && !err.contains('\n'), "{text:?}:\n{err}");
    }
    // Found by themselves with the game, and without it on another board.
    assert!(read("23 43", Some("dots-and-boxes")).is_ok() && read("e4 e3", Some("reversi:6x6")).is_ok());
}

#[test]
fn garbage_is_refused_in_one_line() {
    let words = "x ".repeat(1 << 14);
    for text in [
        "\u{0}".repeat(1 << 16),
        "f5d6".repeat(1 << 18),
        "4".repeat(1 << 15),
        words.clone(),
        words.replace(' ', "\n"),
        "(".repeat(1 << 15),
        "{".repeat(1 << 15),
        "8/".repeat(1 << 14),
        "#g=reversi&m=".to_owned() + &"f5(".repeat(1 << 13),
        "1. ".repeat(1 << 13),
        "+---+\n".repeat(1 << 14),
        "[a \"b\"]\n".repeat(1 << 14),
    ] {
        let err = read(&text, None).map(|read| read.session.history()).expect_err("garbage");
        assert!(!err.contains('\n') && err.chars().count() < 400, "{err}");
    }
}

/// The table of forms in the documents has every form with its sentence.
#[test]
fn the_documents_have_every_form() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/playing.md");
    let documents = std::fs::read_to_string(path).expect("the document");
    for form in FORMS {
        let row = documents.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", form.name)));
        let row = row.unwrap_or_else(|| panic!("{} has no row", form.name)).replace('`', "");
        assert!(row.contains(&form.about.replace('`', "")), "{}: {row}", form.name);
    }
}

/// The page tests write the same addresses (`crates/web/page-tests/unit/spot.test.js`).
#[test]
fn links_are_those_of_the_page() {
    let link = Form::to_write("link").expect("a form");
    for line in include_str!("../links.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[spec, position, moves, player, address] = fields.as_slice() else { panic!("{line}") };
        let opening = if position.is_empty() { Opening::Start } else { Opening::Position(position) };
        let mut session = open(spec, opening);
        session.play_all(moves).expect("legal moves");
        let players = [player.to_owned(), "human".to_owned()];
        assert_eq!(link.write(&session, &players), Ok(format!("#{address}")));
        let again = read(address, None).expect(address);
        assert_eq!((again.session.spec(), again.session.position()), (session.spec(), session.position()), "{address}");
        assert_eq!(again.players, Some(players).filter(|_| !player.is_empty()), "{address}");
    }
}
