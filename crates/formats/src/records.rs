//! Reads the games of a text in the first form whose reader recognises it.

use banyan_core::TextError;

use crate::forms::{FORMS, Form};
use crate::move_text;
use crate::scan::lines;
use crate::shown;
use crate::transcript::{Games, Transcript};

/// Bounds for an untrusted file, whose games take up to 100 times its size in memory. A file that exceeds them is
/// rejected before it is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileBounds {
    /// Lines of a text.
    pub lines: usize,
    /// Bytes of a text that is no collection of games.
    pub transcript: usize,
    /// Games of a collection that are kept; the others are read and counted.
    pub games: usize,
}

impl FileBounds {
    /// No bounds.
    pub const NONE: FileBounds = FileBounds { lines: usize::MAX, transcript: usize::MAX, games: usize::MAX };
}

/// The games of a text within bounds, without those that have no move and no position, and the total number of games.
///
/// # Errors
/// Text of no known form, a line that is wrong, or more lines or bytes than the bounds allow.
pub(crate) fn read_within(text: &str, bounds: &FileBounds) -> Result<(Vec<Transcript>, usize), TextError> {
    check_lines(text, bounds)?;
    let lines = lines(text);
    shown::refuse_others(&lines)?;
    let readers = || FORMS.iter().filter_map(|form| Some((form, form.reader.as_ref()?)));
    let Some((form, (_, read))) = readers().find(|(_, (recognises, _))| recognises(&lines)) else {
        let expected = "expected a game or a position, and the text is empty";
        return Err(TextError::new("record", expected, "copy moves such as f5d6c3, a link or a saved game"));
    };
    let is_collection = COLLECTIONS.contains(&form.name);
    if !is_collection && text.len() > bounds.transcript {
        let found = format!("a transcript of {} KiB", text.len() >> 10);
        let expected = format!("expected at most {} KiB", bounds.transcript >> 10);
        return Err(TextError::new(found, expected, "divide it into several"));
    }
    let mut games = Games::new(bounds.games);
    read(&mut games, &lines)?;
    games.0.retain(|game| !game.is_empty());
    let n = games.0.len() + games.1.n_dropped;
    Ok((games.0, n))
}

/// Forms of collections, of whose games only some are kept.
const COLLECTIONS: [&str; 4] = ["ggf", "moves", "obf", "link"];

/// Whether a text is surely meant as a record or a position, so that errors about it are of interest: anything but a list of moves
/// without numbers, which may also be a name.
pub fn is_record(text: &str) -> bool {
    let lines = lines(text);
    let recognised = |form: &&Form| form.reader.is_some_and(|(recognises, _)| recognises(&lines));
    match FORMS.iter().find(recognised).map(|form| form.name) {
        Some("moves") => text.trim_start().starts_with('{') || move_text::is_numbered(&lines),
        form => form.is_some(),
    }
}

/// Checks the number of lines, before anything is allocated for each.
pub(crate) fn check_lines(text: &str, bounds: &FileBounds) -> Result<(), TextError> {
    let n = text.bytes().filter(|&byte| byte == b'\n').count();
    if n <= bounds.lines {
        return Ok(());
    }
    let expected = format!("expected at most {}", bounds.lines);
    Err(TextError::new(format!("a file of {n} lines"), expected, "divide it into several"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameFile, Reading, builtin};

    const GGF: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O\
        --------------------------- *]B[F5]W[F6];)";

    /// The games of a transcript as text: board, moves.
    fn read(text: &str, spec: Option<&str>) -> Result<Vec<String>, TextError> {
        let in_words = |game: &Transcript| {
            let session = game.open(&builtin(), spec)?;
            Ok(format!("{} {}", session.spec(), session.history().join(" ")))
        };
        let GameFile::Transcripts(games) = Reading::new(&builtin(), spec).file(text.into(), "")?.0 else {
            panic!("{text}");
        };
        games.iter().map(in_words).collect()
    }

    #[test]
    fn games_are_read_from_the_transcripts_of_every_protocol() {
        let check = |text: &str, expected: &[&str]| {
            let games = read(text, None).unwrap_or_else(|err| panic!("{err}: {text}"));
            assert_eq!(games, expected, "{text}");
        };
        let ugi = "ugi\nsetoption name Game value connect-four:5x6\nposition startpos moves 1\ngo\n\
                   position startpos moves 1 2 3\nuginewgame\nposition startpos moves 6";
        check(ugi, &["connect-four:5x6 1 2 3", "connect-four:5x6 6"]);
        // A game that does not continue the previous one is a new game.
        check("position startpos moves 1 2\nposition startpos moves 2", &["connect-four 1 2", "connect-four 2"]);
        check("> play b f5\n< =\n<\n> 7 genmove w\n< =7 D6\n<\n", &["reversi f5 d6"]);
        // Without direction marks; a rejected move was not played, and an undone one is removed.
        check("boardsize 6\n=\n\nplay b e4\n=\n\nplay w a1\n? illegal move\n\n", &["reversi:6x6 e4"]);
        check("play b f5\n=\n\nplay w d6\n=\n\nundo\n=\n\n", &["reversi f5"]);
        check("play b f5\n=\n\nclear_board\n=\n\nplay b c4\n=\n\n", &["reversi f5", "reversi c4"]);
        check(GGF, &["reversi f5 f6"]);
        check(&format!("nboard 2\nset game {GGF}\nping 1\npong 1\nmove D3/1.5\n=== C3"), &["reversi f5 f6 d3"]);
        check(&format!("1 {GGF}\n1 {}", GGF.replace("B[F5]W[F6]", "B[D3]")), &["reversi f5 f6", "reversi d3"]);
        // Games of a file are separate games, even with a common beginning or in the same line.
        check(&format!("2 {GGF}{}", GGF.replace(";)", "B[E6];)")), &["reversi f5 f6", "reversi f5 f6 e6"]);
        check("> new black\n< move 1 AAA\n> move 1 BAA", &["dots-and-boxes h0,0 v0,0"]);
        check("> new white\n> move 1 AAA\n< move 1 AAA\n> error\n< move 1 AAB", &["dots-and-boxes h0,0 h0,1"]);
        let one_shot = r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#;
        check(one_shot, &["reversi c4 c3"]);
        let kept =
            "{\"requests\":[{\"x\":-1,\"y\":-1}]}\n{\"response\":{\"x\":2,\"y\":3}}\n{\"request\":{\"x\":2,\"y\":2}}";
        check(kept, &["reversi c4 c3"]);
    }

    #[test]
    fn a_refused_command_of_gtp_changes_nothing() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(read(text, None), Ok(expected.iter().map(|&game| game.to_owned()).collect()), "{text}");
        };
        let begun = "play b f5\n=\n\n";
        for refused in ["undo", "boardsize 6", "clear_board", "play w d6", "genmove w", "play w a1\n?\n\nundo"] {
            let rest = "play w f6\n=\n\nplay b e6\n=\n\n";
            check(&format!("{begun}{refused}\n? no\n\n? no\n\n{rest}"), &["reversi f5 f6 e6"]);
        }
        check(&format!("{begun}undo\n=\n\nundo\n? no\n\nplay b c4\n=\n\n"), &["reversi c4"]);
        // As many commands as in a transcript of a whole day.
        check(&"boardsize 8\n=\n\nplay b f5\n=\n\nundo\n=\n\n".repeat(20_000), &[]);
    }

    #[test]
    fn what_exceeds_the_bounds_is_refused() {
        let bounds = FileBounds { lines: 100, transcript: 1000, games: 10 };
        let within = |text: &str| read_within(text, &bounds).map(|(games, n)| (games.len(), n));
        assert_eq!(within(&"4453\n".repeat(100)), Ok((10, 100)));
        assert_eq!(within(&format!("{GGF}\n").repeat(30)), Ok((10, 30)));
        assert_eq!(within(&GGF.repeat(3)), Ok((3, 3)));
        for (text, part) in [
            ("4453\n".repeat(101), "a file of 101 lines: expected at most 100; "),
            ("4".repeat(1001), "line 1: 1001 moves: expected at most 1000; "),
            (format!("position startpos moves{}", " 1".repeat(500)), "expected at most 0 KiB"),
            (format!("{GGF}\n").repeat(20) + &GGF.replace("F6", "x"), "line 21: game 21: "),
            (GGF.replace("PB[", &format!("PB[{}", "a".repeat(20_000))), "within 16384 bytes"),
            (format!("{GGF}\n(;{}", "a\n".repeat(50)), "line 51: game 2: a game in GGF: expected ;)"),
            (format!("setoption name Game value {}", "a".repeat(1001)), "a long name of a game"),
            (format!("boardsize {}", "8".repeat(11)), "a long board size"),
        ] {
            let bounds = FileBounds { transcript: if part.contains("long") { 5000 } else { 1000 }, ..bounds };
            let text = if part.contains("name") { text + "\nposition startpos moves 1" } else { text };
            let err = read_within(&text, &bounds).map(drop).expect_err(part).to_string();
            assert!(err.contains(part), "{err}");
        }
    }

    #[test]
    fn a_wrong_turn_of_sau_is_refused_with_its_column() {
        for (text, expected) in [
            // Illegal edges: drawn twice, off the board.
            (
                "> new black\n< move 1 AAA\n> move 1 AAA",
                "line 3, column 10: move 2: move \"h0,0\": expected another edge, as that edge is drawn",
            ),
            ("> new white\n>   move 1  AFF", "line 2, column 13: move 1: move \"h5,5\": expected an edge h0,0 to h5,4"),
            // Too long: the first edge completes no box.
            ("> new black\n< move 2 AAABAA", "line 2, column 13: move 2: move \"v0,0\": expected the end of the turn"),
            // Half-finished: the last edge completes a box, at the end of the record and before another turn.
            (
                "> new black\n< move 1 AAA\n> move 1 BAA\n< move 1 ABA\n> move 1 BBA",
                "line 5, column 10: move 4: move \"v0,1\": expected another edge of the turn",
            ),
            (
                "> new black\n< move 1 AAA\n> move 1 BAA\n< move 1 ABA\n> move 1 BBA\n< move 1 AED",
                "line 5, column 10: move 4: move \"v0,1\": expected another edge of the turn",
            ),
            // Out of turn.
            ("> new black\n> move 1 AAA", "line 2, column 10: move 1: move \"h0,0\": expected a move of X"),
            // No turn at all.
            ("> new black\n< move 1 AAAB", "line 2, column 13: move \"1 AAAB\": expected three letters per edge"),
            ("> new black\n< move 2 AAACAA", "line 2, column 13: "),
            ("> new black\n< move 2 AAA", "line 2, column 8: move \"2 AAA\": expected the given number"),
            ("> new black\n< move x AAA", "line 2, column 8: "),
            ("> new black\n< move 1", "line 2, column 9: "),
            ("> new black\n< move 1 AAA BAA", "line 2, column 14: "),
            ("> new black\n> error", "line 2: error: expected after a turn"),
            ("> new white\n> move 1 AAA\n> error", "line 3: error: expected after a turn of the engine"),
            ("> new black\n> new red", "line 2: side \"red\""),
            // A game that has not begun.
            ("> new red", "line 1: side \"red\""),
            ("< move 1 AAA\n> move 1 BAA", "line 1: move: expected a game before it"),
            ("> end\n> new black\n< move 1 AAA", "line 1: end: expected a game before it"),
            // Text that is no line of SAU.
            ("> new black\n< move 1 AAA\nhello", "line 3: hello: expected > before lines to the engine"),
            ("> new black\n< move 1 AAA\n> foo", "line 3: foo: expected name?, new, move, error, end or quit"),
            ("> new black\n< move 1 AAA\n> error now", "line 3: error now: expected name?, new, "),
        ] {
            let err = read(text, None).expect_err(text).to_string();
            assert!(err.starts_with(expected), "{text:?}: {err}");
        }
    }

    #[test]
    fn turns_of_sau_that_were_taken_back_may_be_wrong() {
        for wrong in ["move 2 AAABAA", "move 1 XYZ", "move 1 AFF", "move"] {
            let text = format!("> new black\n< {wrong}\n> error\n< info thinking\n< move 1 AAA\n> move 1 BAA\n> end");
            assert_eq!(read(&text, None), Ok(vec!["dots-and-boxes h0,0 v0,0".to_owned()]), "{wrong}");
        }
        let whole = "> new black\n< move 1 AAA\n> move 1 BAA\n< move 1 ABA\n> move 2 BBAAED";
        assert_eq!(read(whole, None), Ok(vec!["dots-and-boxes h0,0 v0,0 h1,0 v0,1 h4,3".to_owned()]));
    }

    #[test]
    fn what_contradicts_the_end_of_a_game_of_sau_is_refused() {
        // White wins.
        let game = "> new black\n< move 1 AAA\n> move 1 BAA\n< move 1 ABA\n> move 1 BBA\n";
        let history = || "dots-and-boxes:1x1 h0,0 v0,0 h1,0 v0,1".to_owned();
        for end in ["> end", "> end white\n> quit"] {
            assert_eq!(read(&format!("{game}{end}"), Some("dots:1x1")), Ok(vec![history()]), "{end}");
        }
        let two = format!("{game}> end white\n> new white\n> move 1 AAA\n> end");
        assert_eq!(read(&two, Some("dots:1x1")), Ok(vec![history(), "dots-and-boxes:1x1 h0,0".to_owned()]));
        let later = "expected the beginning of a game before it, because line 6 ends the last one; leave it out";
        for (end, expected) in [
            ("> end black", "line 6: winner black: the other side won; correct it or leave it out"),
            ("> end red", "line 6: side \"red\": expected black or white"),
            ("> end\n> move 1 BAA", &format!("line 7: move 1 BAA: {later}")),
            ("> end\n< move 1 BAA", &format!("line 7: move 1 BAA: {later}")),
            ("> quit\n> move 1 BAA", &format!("line 7: move 1 BAA: {later}")),
            ("> end\n> end white", &format!("line 7: end white: {later}")),
            ("> end\n> error", &format!("line 7: error: {later}")),
        ] {
            let err = read(&format!("{game}{end}"), Some("dots:1x1")).expect_err(end).to_string();
            assert!(err.starts_with(expected), "{end:?}: {err}");
        }
        let draw =
            "> new black\n< move 1 AAA\n> move 1 AAB\n< move 1 BAA\n> move 1 BBA\n< move 2 ABAABB\n> move 1 BCA\n";
        let err = read(&format!("{draw}> end black"), Some("dots:1x2")).expect_err("a draw").to_string();
        assert!(err.starts_with("line 8: winner black: the game is a draw; "), "{err}");
        // It was lost by a mistake or on time.
        let early = read("> new black\n< move 1 AAA\n> end white", Some("dots:1x2"));
        assert_eq!(early, Ok(vec!["dots-and-boxes:1x2 h0,0".to_owned()]));
    }

    #[test]
    fn states_of_openspiel_are_read() {
        let state = |game: &str, actions: &str| {
            format!("# Automatic\n[Meta]\nVersion: 1\n\n[Game]\n{game}\n[State]\n{actions}\n")
        };
        let full = state("dots_and_boxes(num_cols=5,num_rows=5,utility_margin=false)", "23\n43\nP1(h,0,0)");
        assert_eq!(read(&full, None), Ok(vec!["dots-and-boxes h4,3 v2,1 h0,0".to_owned()]));
        assert_eq!(read(&state("dots_and_boxes()", "0 1"), None), Ok(vec!["dots-and-boxes:2x2 h0,0 h0,1".to_owned()]));
        assert_eq!(
            read(&state("dots_and_boxes(num_rows=3)", "0"), None),
            Ok(vec!["dots-and-boxes:3x2 h0,0".to_owned()])
        );
        for (game, actions, expected) in [
            (
                "dots_and_boxes(num_cols=5,num_rows=5)",
                "0\n60",
                "line 9: move 2: move \"60\": expected the number of an edge",
            ),
            (
                "dots_and_boxes(num_cols=5,num_rows=5)",
                "0\n0",
                "line 9: move 2: move \"0\": expected another edge, as that edge is drawn",
            ),
            ("dots_and_boxes()", "P2(h,0,0)", "line 8: move 1: move \"P2(h,0,0)\": expected an action of P1"),
            ("go(board_size=9)", "0", "line 6: game \"go(board_size=9)\": expected dots_and_boxes"),
            ("dots_and_boxes(rows=5)", "0", "line 6: game \"dots_and_boxes(rows=5)\": expected num_rows"),
            ("dots_and_boxes(num_rows=5", "0", "line 6: game \"dots_and_boxes(num_rows=5\": expected num_rows"),
            (
                "dots_and_boxes(num_rows=5,num_rows=4)",
                "0",
                "line 6: game \"dots_and_boxes(num_rows=5,num_rows=4)\": expected one value of num_rows; ",
            ),
            (
                "dots_and_boxes()\ndots_and_boxes()",
                "0",
                "line 7: dots_and_boxes(): expected [Meta], [Game] with one game",
            ),
            ("dots_and_boxes()", "0\n[State]\n1", "line 9: [State]: expected [Meta], [Game] with one game"),
            ("dots_and_boxes()", "0\n[Foo]", "line 9: [Foo]: expected [Meta], [Game] with one game"),
            ("dots_and_boxes()", "0\n[Game]\n[State]\n1", "line 10: [State]: expected [Meta], [Game] with one game"),
        ] {
            let err = read(&state(game, actions), None).expect_err(game).to_string();
            assert!(err.starts_with(expected), "{err}");
        }
        let err = read(&format!("hello\n{full}"), None).expect_err("text before the state").to_string();
        assert!(err.starts_with("line 1: hello: expected [Meta], "), "{err}");
        let two = read(&(full.clone() + &full), None).map(|games| games.len());
        assert_eq!(two, Ok(2));
    }

    #[test]
    fn lines_of_moves_are_games_of_connect_four_or_reversi() {
        let check = |text: &str, spec, expected: &[&str]| {
            assert_eq!(read(text, spec), Ok(expected.iter().map(|&game| game.to_owned()).collect()), "{text}");
        };
        check("4453\n", None, &["connect-four 4 4 5 3"]);
        check("44\n\n445\n", None, &["connect-four 4 4", "connect-four 4 4 5"]);
        check("https://connect4.gamesolver.org/?pos=71", None, &["connect-four 7 1"]);
        check("88", Some("connect4:8x8"), &["connect-four:8x8 8 8"]);
        check("f5d6c3\nF5F6", None, &["reversi f5 d6 c3", "reversi f5 f6"]);
        for (text, expected) in [
            ("12\n  18", "line 2, column 4: move 2 of connect-four: move \"8\": "),
            ("?pos=8", "line 1, column 6: move 1: move \"8\": "),
            ("f5d6a1", "line 1, column 5: move 3 of reversi: move \"a1\": "),
            ("f5d", "line 1, column 1: \"f5d\": expected a move with which a game begins, "),
            ("4450", "line 1, column 1: \"4450\": "),
        ] {
            let err = read(text, None).expect_err(text).to_string();
            assert!(err.starts_with(expected), "{text}: {err}");
        }
    }

    #[test]
    fn saiblo_gives_the_last_position() {
        let empty = " 0".repeat(16);
        let turns = format!("4 4 0 2\n-1 -1 4 4 3 4{empty}\n3 2 4 4 3 2 0 0 0 0 0 0 0 0 0 0 0 2 0 0 1 1\n");
        let session = Reading::new(&builtin(), None).text(&turns).expect("a position").session;
        assert_eq!(
            (session.spec().as_str(), session.position().as_str()),
            ("connect-four:4x4,hole=c4", "2-1/4/3o/2xx o")
        );
    }

    #[test]
    fn the_board_of_a_transcript_may_be_given_if_it_has_none() {
        let sau = "> new black\n< move 1 AAA";
        assert_eq!(read(sau, Some("dots:2x2")), Ok(vec!["dots-and-boxes:2x2 h0,0".to_owned()]));
        let err = read(GGF, Some("reversi:6x6")).expect_err("another board").to_string();
        assert_eq!(err, "reversi:6x6: expected reversi, the game of the transcript; leave the game out");
    }

    #[test]
    fn another_game_than_that_of_the_protocol_is_refused() {
        for (text, spec, own) in [
            ("> new black\n< move 1 AAA", "reversi", "dots-and-boxes"),
            ("play b f5\n=\n\n", "connect-four:10x11", "reversi"),
            (
                r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#,
                "dots-and-boxes",
                "reversi",
            ),
        ] {
            let err = read(text, Some(spec)).expect_err(text).to_string();
            assert_eq!(err, format!("{spec}: expected {own}, the game of the transcript; leave the game out"));
        }
        assert_eq!(read("play b c2\n=\n\n", Some("reversi:6x6")), Ok(vec!["reversi:6x6 c2".to_owned()]));
    }

    #[test]
    fn missing_moves_are_named() {
        let err = read("play b f5\n=\n\nplay b d6\n=\n\n", None).expect_err("white has moves").to_string();
        assert!(err.contains("line 4: move 2: ") && err.contains("expected a move of white"), "{err}");
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, parts) in [
            ("", &["expected a game or a position, and the text is empty"][..]),
            ("hello\n", &["line 1, column 1: \"hello\": expected a move with which a game begins"]),
            ("\n\nposition startpos moves 1 1 1 1 1 1 1", &["line 3: move 7 of connect-four: ", "column 1 is full"]),
            ("position nowhere", &["line 1: ", "expected startpos or fen"]),
            ("play b f5\n=\n\ngenmove w\n", &["line 4: genmove", "reply"]),
            ("play b x5y\n", &["line 1: ", "vertex"]),
            ("play red f5\n", &["line 1: ", "black or white"]),
            ("new black\nmove 1 AAA", &["line 1: ", "look alike"]),
            ("> new black\n< move 1 AZZ", &["line 2, column 10: move 1: "]),
            ("6 7 -1 -1\n5 3 5", &["line 2: ", "expected 51 numbers"]),
            ("(;GM[Othello]\nB[F5]", &["line 2: ", "expected ;)"]),
            ("(;GM[Go];)", &["line 1: ", "GM[Othello]"]),
            (&format!("{GGF}\n{}", GGF.replace("F6", "x")), &["line 2: game 2: ", "expected a square or PA"]),
            (&format!("{GGF}{GGF}\n(;GM[Othello]"), &["line 2: game 3: ", "expected ;) at its end"]),
            (r#"{"requests":[]}"#, &["line 1: ", "one more request"]),
        ] {
            let err = read(text, None).expect_err(text).to_string();
            assert!(parts.iter().all(|part| err.contains(part)) && !err.contains('\n'), "{text:?}: {err}");
        }
    }
}
