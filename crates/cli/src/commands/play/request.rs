//! The commands that a person types at the prompt.

use banyan_catalog::{Budget, did_you_mean};
use banyan_core::TextError;
use banyan_formats::half_width_text;

/// Every command as the help lists it, with the key of its text.
pub(crate) const LISTED: [(&str, &str); 20] = [
    ("a move", "terminal.help.move"),
    ("hint", "terminal.help.hint"),
    ("why", "terminal.help.why"),
    ("why MOVE", "terminal.help.why-move"),
    ("undo", "terminal.help.undo"),
    ("moves", "terminal.help.moves"),
    ("board", "terminal.help.board"),
    ("names", "terminal.help.names"),
    ("level N", "terminal.help.level"),
    ("resign", "terminal.help.resign"),
    ("new", "terminal.help.new"),
    ("new GAME", "terminal.help.new-game"),
    ("games", "terminal.help.games"),
    ("rematch", "terminal.help.rematch"),
    ("review", "terminal.help.review"),
    ("review TIME", "terminal.help.review-time"),
    ("save FILE", "terminal.help.save"),
    ("load FILE", "terminal.help.load"),
    ("help", "terminal.help.help"),
    ("quit", "terminal.help.quit"),
];

/// A command typed by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request<'l> {
    Nothing,
    /// This move.
    Play(&'l str),
    Hint,
    /// The reason of the last mistake, by a review with this budget for each position.
    Why(Option<Budget>),
    /// The loss of this move, here or instead of the last one.
    WhyMove(&'l str),
    /// The games that can be played.
    Games,
    Undo,
    ListMoves,
    Board,
    /// Shows or hides the names of moves on the board.
    Names,
    /// Changes the strength of the opponent to this level; empty to ask for it.
    Level(&'l str),
    Resign,
    /// A new game of this specification; empty for the same one.
    New(&'l str),
    Rematch,
    /// A review with this budget for each position.
    Review(Option<Budget>),
    /// To this file, which must be new unless it is to be replaced.
    Save {
        path: &'l str,
        replace: bool,
    },
    /// From this file.
    Load(&'l str),
    Help,
    Quit,
}

/// A typed line with ASCII characters for full-width ones, except in the name of a file.
pub(crate) fn typed(line: &str) -> String {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match half_width_text(word) {
        word if ["save", "load"].iter().any(|known| word.eq_ignore_ascii_case(known)) => format!("{word} {rest}"),
        _ => half_width_text(line),
    }
}

impl Request<'_> {
    /// Parses a line as [`typed`] returns it; anything that does not begin with the word of a command is read as a move.
    ///
    /// # Errors
    /// A command without the words that it needs, or with others.
    pub(crate) fn parse(line: &str) -> Result<Request<'_>, TextError> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let word = word.to_ascii_lowercase();
        Ok(match (word.as_str(), rest) {
            ("", _) => Request::Nothing,
            ("why" | "why?", rest) => why(rest)?,
            ("take", "back") => Request::Undo,
            ("review", rest) => Request::Review(budget(&word, rest)?),
            ("level", rest) => Request::Level(rest),
            ("new", rest) => Request::New(rest),
            ("save" | "load", "") => {
                return Err(TextError::new(&word, "expected a file name", format!("try {word} game.json")));
            }
            ("save", path) => match path.strip_suffix('!').map(str::trim_end) {
                Some(path) if !path.is_empty() => Request::Save { path, replace: true },
                _ => Request::Save { path, replace: false },
            },
            ("load", path) => Request::Load(path),
            (word, rest) => match (alone(word), rest) {
                (Some(request), "") => request,
                (Some(_), _) => {
                    let expected = format!("expected {word} without another word");
                    return Err(TextError::new(format!("{line:?}"), expected, format!("type {word}")));
                }
                (None, _) => Request::Play(line),
            },
        })
    }
}

/// `why`, with a budget or with a move: `why not 4?`.
fn why(text: &str) -> Result<Request<'_>, TextError> {
    let asked = text.trim_end_matches(['?', ' ']);
    let (first, rest) = asked.split_once(char::is_whitespace).unwrap_or((asked, ""));
    let asked = if first.eq_ignore_ascii_case("not") { rest.trim_start() } else { asked };
    match asked.parse::<Budget>() {
        Err(_) if !asked.is_empty() => Ok(Request::WhyMove(asked)),
        _ => Ok(Request::Why(budget("why", asked)?)),
    }
}

/// The command that consists of this word.
fn alone(word: &str) -> Option<Request<'static>> {
    Some(match word {
        "hint" => Request::Hint,
        "undo" | "back" | "takeback" | "take-back" => Request::Undo,
        "moves" => Request::ListMoves,
        "board" | "show" | "score" => Request::Board,
        "games" => Request::Games,
        "names" => Request::Names,
        "resign" => Request::Resign,
        "rematch" => Request::Rematch,
        "help" | "?" => Request::Help,
        "quit" | "exit" | "q" => Request::Quit,
        _ => return None,
    })
}

/// The budget of each position of a review; `None` if it is not given.
fn budget(word: &str, text: &str) -> Result<Option<Budget>, TextError> {
    if text.is_empty() {
        return Ok(None);
    }
    let budget: Budget = text.parse()?;
    match budget.game {
        None => Ok(Some(budget)),
        Some(_) => {
            let expected = "expected a limit for each position, not for a game";
            Err(TextError::new(format!("{word} {text}"), expected, format!("try {word} 100ms")))
        }
    }
}

/// Other words for commands, which may be meant as a move or as something else and so are only suggested.
const MEANT: [(&str, &str); 9] = [
    ("x", "quit"),
    ("stop", "quit"),
    ("end", "quit"),
    ("leave", "quit"),
    ("restart", "new"),
    ("best", "hint"),
    ("list", "moves"),
    ("open", "load"),
    ("give", "resign"),
];

/// Advice after text that is neither a move nor a command: names the command that was meant, if it is similar to one.
pub(crate) fn advice(line: &str) -> String {
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    let words = LISTED[1..].iter().map(|(listed, _)| listed.split(' ').next().unwrap_or_default());
    if let Some((_, meant)) = MEANT.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)) {
        return format!("type help for the commands (did you mean {meant}?)");
    }
    // Two letters are a square rather than a misspelt word.
    let tip = if word.chars().count() > 2 { did_you_mean(word, words) } else { String::new() };
    format!("type help for the commands{tip}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_lines_are_read_as_ascii() {
        let check = |line: &str, request| assert_eq!(Request::parse(&typed(line)), Ok(request), "{line}");
        check("\u{ff14}", Request::Play("4"));
        check("\u{ff44}\u{ff13}", Request::Play("d3"));
        check("h\u{ff10}\u{ff0c}\u{ff11}", Request::Play("h0,1"));
        check("\u{ff48}\u{ff49}\u{ff4e}\u{ff54}", Request::Hint);
        check("why\u{3000}\u{ff14}\u{ff1f}", Request::WhyMove("4"));
        check("level\u{3000}\u{ff13}", Request::Level("3"));
        check("\u{ff53}ave \u{ff11}.json", Request::Save { path: "\u{ff11}.json", replace: false });
    }

    #[test]
    fn only_an_exclamation_mark_replaces_a_file() {
        let save = |path, replace| Ok(Request::Save { path, replace });
        assert_eq!(Request::parse("save a.json"), save("a.json", false));
        assert_eq!(Request::parse("save a.json!"), save("a.json", true));
        assert_eq!(Request::parse("save a.json !"), save("a.json", true));
    }

    #[test]
    fn every_listed_command_is_read() {
        for (listed, _) in &LISTED[1..] {
            let line = listed.replace("TIME", "100ms").replace("MOVE", "4");
            let request = Request::parse(&line).unwrap_or_else(|err| panic!("{listed}: {err}"));
            assert!(!matches!(request, Request::Play(_)), "{listed}: {request:?}");
        }
    }

    #[test]
    fn what_people_type_is_understood() {
        let why = Request::WhyMove;
        for (lines, request) in [
            (&["back", "take back", "Takeback", "undo"][..], Request::Undo),
            (&["show", "score", "board"], Request::Board),
            (&["exit", "quit", "q"], Request::Quit),
            (&["why", "why?", "Why not?", "why ?"], Request::Why(None)),
            (&["why 4", "why not 4", "why not 4?", "why? 4"], why("4")),
            (&["why 0,1 top"], why("0,1 top")),
            (&["why 200ms"], Request::Why(Some("200ms".parse().expect("a budget")))),
            (&["column 4"], Request::Play("column 4")),
        ] {
            for line in lines {
                assert_eq!(Request::parse(line), Ok(request.clone()), "{line}");
            }
        }
    }

    #[test]
    fn words_too_many_and_too_few_are_refused() {
        for (line, expected) in [
            ("undo 2", "\"undo 2\": expected undo without another word; type undo"),
            ("save", "save: expected a file name; try save game.json"),
            ("review 5m/game", "review 5m/game: expected a limit for each position, not for a game; try review 100ms"),
        ] {
            assert_eq!(Request::parse(line).expect_err(line).to_string(), expected);
        }
    }

    #[test]
    fn a_misspelt_command_is_recognised() {
        for (line, expected) in [
            ("udno", "type help for the commands (did you mean undo?)"),
            ("resing now", "type help for the commands (did you mean resign?)"),
            ("d3", "type help for the commands"),
            ("x", "type help for the commands (did you mean quit?)"),
            ("castle", "type help for the commands"),
        ] {
            assert_eq!(advice(line), expected, "{line}");
        }
    }
}
