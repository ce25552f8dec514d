//! Every form of a game or a position: its name, an example, its reader, and its writer if we write it.

use banyan_catalog::Session;
use banyan_core::TextError;

use crate::scan::Line;
use crate::transcript::{Games, Transcript};
use crate::{board_text, botzone, gtp, link, move_text, nboard, obf, openspiel, saiblo, sau, shown, ugi, written};

/// A test whether lines have a form, and the reader of the form.
pub(crate) type Reader = (fn(&[Line<'_>]) -> bool, fn(&mut Games, &[Line<'_>]) -> Result<(), TextError>);

/// A writer, with the names of the players, the first side's first.
type Writer = fn(&Session, &[String; 2]) -> Result<String, TextError>;

/// A form of a game or a position.
#[derive(Debug)]
pub struct Form {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// A short example; empty for files that are long or not text.
    pub example: &'static str,
    /// The extension of files that are written; empty if it is not written.
    pub extension: &'static str,
    /// `None` if another form's reader reads it, or [`GameFile`](crate::GameFile) itself.
    pub(crate) reader: Option<Reader>,
    writer: Option<Writer>,
}

impl Form {
    /// The form of this name, among those that are written.
    ///
    /// # Errors
    /// Another name.
    pub fn to_write(name: &str) -> Result<&'static Form, TextError> {
        let found = FORMS.iter().find(|form| form.name == name && form.writer.is_some());
        found.ok_or_else(|| {
            let names: Vec<&str> = Form::written().map(|form| form.name).collect();
            TextError::new(
                format!("form {name:?}"),
                format!("expected one of {}", names.join(", ")),
                if name.eq_ignore_ascii_case("png") {
                    "choose svg, or save a PNG on the page"
                } else {
                    "choose one of them"
                },
            )
        })
    }

    /// The forms that are written.
    pub fn written() -> impl Iterator<Item = &'static Form> {
        FORMS.iter().filter(|form| form.writer.is_some())
    }

    /// A game in this form.
    ///
    /// # Errors
    /// A form that is not written, or one that cannot express the game.
    pub fn write(&self, session: &Session, players: &[String; 2]) -> Result<String, TextError> {
        match self.writer {
            Some(write) => write(session, players),
            None => Form::to_write(self.name).and_then(|form| form.write(session, players)),
        }
    }
}

fn read_position(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    games.0.push(Transcript { protocol: "position", boards: board_text::read(lines), ..Transcript::default() });
    Ok(())
}

const fn read(name: &'static str, about: &'static str, example: &'static str, reader: Reader) -> Form {
    Form { name, about, example, extension: "", reader: Some(reader), writer: None }
}

const fn file(name: &'static str, about: &'static str) -> Form {
    Form { name, about, example: "", extension: "", reader: None, writer: None }
}

/// All forms. A text has the first one whose reader recognises it.
pub static FORMS: &[Form] = &[
    Form {
        name: "saved",
        about: "a game saved by `save`, by `show --as saved` or on the page",
        example: r#"{"v":1,"game":"reversi","players":["a","b"],"moves":["f5","d6"]}"#,
        extension: "json",
        reader: None,
        writer: Some(written::saved),
    },
    file("match", "the folder of a match, or its games.jsonl"),
    file("wthor", "tournament games of Reversi (.wtb)"),
    Form {
        name: "ccgc",
        about: "a record of the Chinese championship in Dots and Boxes",
        example: r#"{"R":"a","B":"b","winner":"U","RScore":0,"BScore":0,"game":[{"piece":"r(a1,h)"}]}"#,
        extension: "json",
        reader: None,
        writer: Some(written::championship),
    },
    read(
        "json",
        "what --json prints",
        r#"{"v":1,"game":"reversi","position":"8/8/8/3ox3/3xo3/8/8/8 x","to_move":"first"}"#,
        (shown::recognises_json, shown::read_json),
    ),
    Form {
        name: "svg",
        about: "a drawing of ours",
        example: "<svg >\n<title>reversi: 8/8/8/3ox3/3xo3/8/8/8 x</title>",
        extension: "svg",
        reader: Some((shown::recognises_drawing, shown::read_drawing)),
        writer: Some(written::drawing),
    },
    read(
        "show",
        "what `banyan show` prints",
        "game      reversi\nposition  8/8/8/3ox3/3xo3/8/8/8 x",
        (shown::recognises_table, shown::read_table),
    ),
    read(
        "command",
        "a command of ours that names a position",
        "banyan play reversi --moves \"f5 d6\"",
        (shown::recognises_command, shown::read_command),
    ),
    Form {
        name: "link",
        about: "an address of the page",
        example: "http://localhost:8000/#g=reversi&m=f5.d6&v=2",
        extension: "txt",
        reader: Some((link::recognises, link::read)),
        writer: Some(link::write),
    },
    Form {
        name: "ggf",
        about: "games of Reversi in GGF, and transcripts of NBoard",
        example: "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)",
        extension: "ggf",
        reader: Some((nboard::transcript::recognises, nboard::transcript::read)),
        writer: Some(written::ggf),
    },
    read(
        "botzone",
        "a transcript of Botzone",
        r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#,
        (botzone::transcript::recognises, botzone::transcript::read),
    ),
    read(
        "openspiel",
        "a state of OpenSpiel's Dots and Boxes",
        "[Game]\ndots_and_boxes(num_rows=5,num_cols=5)\n[State]\n23\n43",
        (openspiel::recognises, openspiel::read),
    ),
    read(
        "ugi",
        "a transcript of UGI",
        "position startpos moves f5 d6",
        (ugi::transcript::recognises, ugi::transcript::read),
    ),
    read(
        "sau",
        "a transcript of SAU",
        "> new black\n< move 1 AAA",
        (sau::transcript::recognises, sau::transcript::read),
    ),
    read(
        "gtp",
        "a transcript of GTP",
        "play b f5\n=\n\nplay w d6\n=",
        (gtp::transcript::recognises, gtp::transcript::read),
    ),
    read("obf", "positions of Reversi with scores, one a line", "", (obf::recognises, obf::read_games)),
    Form {
        name: "position",
        about: "a position in one or several lines, with x and o, B and W or * and O, or a diagram with coordinates",
        example: "8/8/8/3WB3/3BW3/8/8/8 B",
        extension: "txt",
        reader: Some((board_text::recognises, read_position)),
        writer: Some(written::position),
    },
    read(
        "saiblo",
        "a transcript of Saiblo",
        "4 4 -1 -1\n-1 -1 4 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        (saiblo::transcript::recognises, saiblo::transcript::read),
    ),
    Form {
        name: "moves",
        about: "moves, also numbered, with comments and a result",
        example: "1. f5 d6 2. c3 d3",
        extension: "txt",
        reader: Some((move_text::recognises, move_text::read)),
        writer: Some(written::moves),
    },
    Form {
        name: "transcript",
        about: "moves without blanks, one game a line, also with the result",
        example: "f5d6c3d3",
        extension: "txt",
        reader: None,
        writer: Some(written::transcript),
    },
    Form {
        name: "pgn",
        about: "moves with numbers, names and the result, in the manner of PGN",
        example: "[First \"Ann\"]\n\n1. f5 d6 2. c3 *",
        extension: "pgn",
        reader: None,
        writer: Some(written::pgn),
    },
];
