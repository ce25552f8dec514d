//! Games in the transcript of a protocol, or in GGF: what was sent to an engine, and what it answered.
//!
//! Lines to the engine may begin with `> `, lines from it with `< `.

use std::io::ErrorKind;

use banyan_catalog::{AnyGame, Catalog, Opening, Session};
use banyan_core::{Side, TextError};

use crate::{botzone, gtp, nboard, saiblo, sau, ugi};

/// A game of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The protocol by name.
    protocol: &'static str,
    /// The game, if the transcript names it with its board.
    spec: Option<String>,
    /// The game to assume otherwise; empty for the first of the catalog.
    family: &'static str,
    /// Where it began, unless at the start, and the line that tells so.
    position: Option<(usize, String)>,
    steps: Vec<Step>,
}

/// A move of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// Its line, from 1.
    line: usize,
    /// The side that made it, if the line tells.
    side: Option<Side>,
    /// The move in Banyan's notation.
    mv: String,
}

impl Transcript {
    /// The games of a transcript in their order, those without a move left out.
    ///
    /// # Errors
    /// Text of no known protocol, or a line that is wrong.
    pub fn read_all(text: &str) -> Result<Vec<Transcript>, TextError> {
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(Line::new).collect();
        let reader = READERS.iter().find(|(recognises, _)| recognises(&lines)).map(|(_, reader)| reader);
        let reader = reader.ok_or_else(|| {
            let expected = "expected a saved game, a games.jsonl, a game in GGF, or a transcript of UGI, GTP, NBoard, SAU, \
                            Saiblo or Botzone";
            TextError::new("record", expected, "use a file written by `save`")
        })?;
        let mut games = Games::default();
        reader(&mut games, &lines)?;
        games.0.retain(|game| game.position.is_some() || !game.steps.is_empty());
        Ok(games.0)
    }

    /// The protocol by name.
    pub fn protocol(&self) -> &'static str {
        self.protocol
    }

    /// The game after its last move. A transcript that does not name its board is played on `spec`, if given.
    ///
    /// # Errors
    /// Another game than `spec`, an unknown one, or an illegal move, with its line.
    pub fn open(&self, catalog: &Catalog, spec: Option<&str>) -> Result<Box<dyn Session>, TextError> {
        let given = spec.map(|spec| catalog.game(spec)).transpose()?;
        let game = match (&self.spec, given) {
            (None, Some(given)) => given,
            (None, None) => {
                let first = || catalog.families().first().map_or("", |family| family.name);
                catalog.game(if self.family.is_empty() { first() } else { self.family })?
            }
            (Some(named), given) => {
                let game = catalog.game(named)?;
                if let Some(given) = given.filter(|given| given.spec() != game.spec()) {
                    let expected = format!("the transcript is a game of {}", game.spec());
                    return Err(TextError::new(given.spec(), expected, "leave the game out"));
                }
                game
            }
        };
        let mut session = self.begin(&*game)?;
        for (i, step) in self.steps.iter().enumerate() {
            play(&mut *session, step).map_err(|err| at(step.line, &format!("move {}: ", i + 1), err))?;
        }
        Ok(session)
    }

    fn begin(&self, game: &dyn AnyGame) -> Result<Box<dyn Session>, TextError> {
        match &self.position {
            Some((line, position)) => game.open(Opening::Position(position)).map_err(|err| at(*line, "", err)),
            None => game.open(Opening::Start),
        }
    }

    /// Whether it is the beginning of `later`, which then takes its place.
    fn is_part_of(&self, later: &Transcript) -> bool {
        let place = |game: &Transcript| game.position.as_ref().map(|(_, position)| position.clone());
        let n = self.steps.len();
        let same = |(a, b): (&Step, &Step)| a.mv.eq_ignore_ascii_case(&b.mv);
        self.spec == later.spec
            && place(self) == place(later)
            && n <= later.steps.len()
            && self.steps.iter().zip(&later.steps).all(same)
    }
}

/// Plays a move, and before it the pass that a protocol may leave out.
fn play(session: &mut dyn Session, step: &Step) -> Result<(), TextError> {
    let waits = |session: &dyn Session| step.side.is_some_and(|side| side != session.to_move());
    if waits(session) && session.legal_moves() == ["pass"] {
        session.play("pass")?;
    }
    if waits(session) && session.result().is_none() {
        let expected = format!("expected a move of {}", session.side_name(session.to_move()));
        return Err(TextError::new(format!("move {:?}", step.mv), expected, "add the missing moves"));
    }
    // An omitted pass is added by the game.
    session.play_all(&step.mv)
}

/// An error with its place.
fn at(line: usize, what: &str, err: TextError) -> TextError {
    // A list of one move has a number of its own.
    let found = if what.is_empty() { None } else { err.found.strip_prefix("move 1: ") }.unwrap_or(&err.found);
    TextError { found: format!("line {line}: {what}{found}"), ..err }
}

/// A line without the mark of its direction.
struct Line<'t> {
    /// From 1.
    number: usize,
    /// Whether it is from the engine; `None` without a mark.
    from_engine: Option<bool>,
    text: &'t str,
}

impl Line<'_> {
    fn new((i, text): (usize, &str)) -> Line<'_> {
        let (from_engine, text) = match (text.strip_prefix('>'), text.strip_prefix('<')) {
            (Some(rest), _) => (Some(false), rest),
            (_, Some(rest)) => (Some(true), rest),
            _ => (None, text),
        };
        Line { number: i + 1, from_engine, text: text.trim() }
    }

    fn word(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    fn step(&self, side: Option<Side>, mv: impl Into<String>) -> Step {
        Step { line: self.number, side, mv: mv.into() }
    }
}

/// Whether lines are of a protocol, and the reader of that protocol.
type Reader = (fn(&[Line<'_>]) -> bool, fn(&mut Games, &[Line<'_>]) -> Result<(), TextError>);

const READERS: &[Reader] = &[
    (|lines| lines.iter().any(|line| line.text.contains("(;")), Games::read_nboard),
    (|lines| lines.iter().any(is_botzone), Games::read_botzone),
    (|lines| lines.iter().any(|line| line.word() == "position"), Games::read_ugi),
    (|lines| lines.iter().any(|line| line.word() == "new" && sau::ToEngine::parse(line.text).is_ok()), Games::read_sau),
    (|lines| lines.iter().any(|line| gtp_command(line).is_some()), Games::read_gtp),
    (|lines| lines.iter().any(|line| !line.text.is_empty()) && lines.iter().all(has_only_numbers), Games::read_saiblo),
];

fn is_botzone(line: &Line<'_>) -> bool {
    line.text.starts_with('{')
        && ["\"requests\"", "\"request\"", "\"response\""].iter().any(|key| line.text.contains(key))
}

fn has_only_numbers(line: &Line<'_>) -> bool {
    line.text.split_whitespace().all(|word| word.parse::<i64>().is_ok())
}

/// The commands of GTP that change the game.
const GTP_MOVES: [&str; 5] = ["boardsize", "clear_board", "play", "genmove", "undo"];

/// What follows the first word.
fn rest(text: &str) -> &str {
    text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
}

/// The command that changes the game.
fn gtp_command(line: &Line<'_>) -> Option<gtp::Command> {
    let command = gtp::Command::parse(line.text).filter(|_| line.from_engine != Some(true));
    command.filter(|command| GTP_MOVES.contains(&command.name.as_str()))
}

/// The games read so far; the last one is in progress.
#[derive(Default)]
struct Games(Vec<Transcript>);

impl Games {
    /// Adds a game, in place of the last one if that is its beginning.
    fn add(&mut self, game: Transcript) {
        self.0.pop_if(|last| last.is_part_of(&game));
        self.0.push(game);
    }

    fn last(&mut self, line: usize, what: &str) -> Result<&mut Transcript, TextError> {
        self.0.last_mut().ok_or_else(|| {
            at(line, "", TextError::new(what, "no game has started", "begin with the line that starts it"))
        })
    }

    /// Games in GGF, one or more, and the moves that NBoard sends after one.
    fn read_nboard(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let mut open = String::new();
        for line in lines.iter().filter(|line| line.from_engine != Some(true)) {
            if open.is_empty() && !line.text.contains("(;") {
                // A line of NBoard that is no move, as an answer of the engine, changes nothing.
                if let Some(nboard::ToEngine::Move(played)) = nboard::ToEngine::parse(line.text) {
                    self.last(line.number, "move")?.steps.push(line.step(None, played.mv));
                }
                continue;
            }
            open += line.text;
            if open.contains(";)") {
                let ggf = nboard::Ggf::parse(&open).map_err(|err| at(line.number, "", err))?;
                self.add(Transcript {
                    protocol: "nboard",
                    spec: Some(format!("reversi:{0}x{0}", ggf.size)),
                    position: Some((line.number, ggf.position())),
                    steps: ggf.moves.iter().map(|(side, played)| line.step(Some(*side), &*played.mv)).collect(),
                    ..Transcript::default()
                });
                open.clear();
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        Err(at(lines.len(), "", TextError::new("a game in GGF", "expected ;) at its end", "add the rest of the game")))
    }

    fn read_botzone(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let begun = |steps| Transcript { protocol: "botzone", family: "reversi", steps, ..Transcript::default() };
        for line in lines.iter().filter(|line| line.text.starts_with('{')) {
            let step = |place: botzone::Place| place.as_move().map(|mv| line.step(None, mv));
            let place = |err| at(line.number, "", err);
            if let Ok(response) = botzone::Response::parse(line.text) {
                self.last(line.number, "response")?.steps.push(step(response).map_err(place)?);
                continue;
            }
            match botzone::Input::parse(line.text).map_err(place)? {
                botzone::Input::History { requests, responses } => {
                    // The side that moves first has no opponent's move in its first request.
                    let begins = requests.first() == Some(&botzone::Place::NONE);
                    let turns = requests.iter().enumerate().flat_map(|(i, &request)| {
                        [Some(request).filter(|_| i > 0 || !begins), responses.get(i).copied()]
                    });
                    let steps = turns.flatten().map(step).collect::<Result<_, _>>().map_err(place)?;
                    self.add(begun(steps));
                }
                botzone::Input::Request(request) => {
                    if self.0.is_empty() {
                        self.0.push(begun(Vec::new()));
                    }
                    let game = self.last(line.number, "request")?;
                    if request != botzone::Place::NONE || !game.steps.is_empty() {
                        game.steps.push(step(request).map_err(place)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn read_ugi(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let mut spec = None;
        for line in lines.iter().filter(|line| line.from_engine != Some(true)) {
            match line.word() {
                "setoption" => {
                    let words: Vec<&str> = line.text.split_whitespace().collect();
                    if let [_, "name", name, "value", value] = words[..]
                        && name.eq_ignore_ascii_case("Game")
                    {
                        spec = Some(value.to_owned());
                    }
                }
                "uginewgame" => self.0.push(Transcript::default()),
                "position" => {
                    let split = ugi::split_position(rest(line.text));
                    let (place, moves) = split.map_err(|err| at(line.number, "", err))?;
                    self.add(Transcript {
                        protocol: "ugi",
                        spec: spec.clone(),
                        position: Some(place).filter(|place| !place.is_empty()).map(|place| (line.number, place)),
                        steps: moves.into_iter().map(|mv| line.step(None, mv)).collect(),
                        ..Transcript::default()
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The lines of both sides look alike, so the marks of direction are needed.
    fn read_sau(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let mut engine = None;
        // The steps before the last turn, which `error` takes back.
        let mut before_turn = 0;
        for line in lines {
            let Some(from_engine) = line.from_engine else {
                if line.text.is_empty() || !matches!(line.word(), "new" | "move" | "error") {
                    continue;
                }
                let expected = "expected > before lines to the engine and < before lines from it, which look alike";
                return Err(at(line.number, "", TextError::new(line.text, expected, "mark the lines")));
            };
            // A wrong line is refused by whoever receives it, and changes nothing.
            match sau::ToEngine::parse(line.text) {
                Ok(Some(sau::ToEngine::New(side))) if !from_engine => {
                    engine = Some(side);
                    let family = "dots-and-boxes";
                    self.0.push(Transcript { protocol: "sau", family, ..Transcript::default() });
                }
                Ok(Some(sau::ToEngine::Move(turn))) => {
                    let side = engine.map(|engine| if from_engine { engine } else { !engine });
                    let game = self.last(line.number, "move")?;
                    before_turn = game.steps.len();
                    game.steps.extend(turn.0.iter().map(|edge| line.step(side, edge.as_move())));
                }
                Ok(Some(sau::ToEngine::Error)) if !from_engine => {
                    self.last(line.number, "error")?.steps.truncate(before_turn);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_gtp(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let begun = |spec| Transcript { protocol: "gtp", spec, family: "reversi", ..Transcript::default() };
        self.0.push(begun(None));
        // The side whose generated move the next reply names, and its line.
        let mut awaited: Option<(usize, Side)> = None;
        // The last game before the last command, which a reply with an error takes back.
        let mut before = self.0.clone();
        for line in lines {
            let place = |err| at(line.number, "", err);
            if line.text.starts_with('?') && line.from_engine != Some(false) {
                (self.0, awaited) = (before.clone(), None);
            } else if line.text.starts_with('=') && line.from_engine != Some(false) {
                let Some((_, side)) = awaited.take() else { continue };
                let word = line.text.split_whitespace().last().unwrap_or_default();
                match gtp::Vertex::parse(word.trim_start_matches('=')) {
                    Some(gtp::Vertex::Resign) => {}
                    vertex => {
                        let step = vertex.and_then(gtp::Vertex::as_move).map(|mv| line.step(Some(side), mv));
                        let step = step.ok_or_else(|| place(no_vertex(word)))?;
                        self.last(line.number, "reply")?.steps.push(step);
                    }
                }
            } else if let Some(command) = gtp_command(line) {
                check_answered(awaited)?;
                before.clone_from(&self.0);
                let argument = |i: usize| command.arguments.get(i).map_or("", String::as_str);
                let side = || {
                    gtp::Color::parse(argument(0)).map(|color| color.0).ok_or_else(|| {
                        place(TextError::new(
                            format!("color {:?}", argument(0)),
                            "expected black or white",
                            "use one of them",
                        ))
                    })
                };
                let spec = self.last(line.number, "command")?.spec.clone();
                match command.name.as_str() {
                    "boardsize" => self.0.push(begun(Some(format!("reversi:{0}x{0}", argument(0))))),
                    "clear_board" => self.0.push(begun(spec)),
                    "genmove" => awaited = Some((line.number, side()?)),
                    "undo" => drop(self.last(line.number, "undo")?.steps.pop()),
                    _ => {
                        let mv = gtp::Vertex::parse(argument(1)).and_then(gtp::Vertex::as_move);
                        let step = line.step(Some(side()?), mv.ok_or_else(|| place(no_vertex(argument(1))))?);
                        self.last(line.number, "play")?.steps.push(step);
                    }
                }
            }
        }
        check_answered(awaited)
    }

    /// The last position at which a move was requested.
    fn read_saiblo(&mut self, lines: &[Line<'_>]) -> Result<(), TextError> {
        let sent: Vec<&Line<'_>> = lines.iter().filter(|line| line.from_engine != Some(true)).collect();
        let text: String = sent.iter().map(|line| format!("{}\n", line.text)).collect();
        let mut unread = text.as_bytes();
        let mut turns: Vec<(usize, saiblo::Turn)> = Vec::new();
        let mut start = None;
        loop {
            let line =
                sent.get(text[..text.len() - unread.len()].lines().count()).map_or(lines.len(), |line| line.number);
            let mut numbers = saiblo::Numbers::new(&mut unread);
            let read = match &start {
                None => saiblo::Start::read(&mut numbers).map(|read| read.map(|read| start = Some(read))),
                Some(start) => {
                    saiblo::Turn::read(&mut numbers, start).map(|read| read.map(|turn| turns.push((line, turn))))
                }
            };
            match read {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(err) => {
                    debug_assert_eq!(err.kind(), ErrorKind::InvalidData, "memory can be read");
                    let err = err.to_string();
                    let (expected, remedy) = err.rsplit_once("; ").unwrap_or((&err, "use the format of Saiblo"));
                    return Err(TextError::new(format!("line {line}"), expected, remedy));
                }
            }
        }
        if let Some(start) = start {
            self.0.push(Transcript {
                protocol: "saiblo",
                spec: Some(start.spec()),
                position: turns.last().map(|(line, turn)| (*line, turn.position(&start))),
                ..Transcript::default()
            });
        }
        Ok(())
    }
}

/// Checks that a generated move is known.
fn check_answered(awaited: Option<(usize, Side)>) -> Result<(), TextError> {
    awaited.map_or(Ok(()), |(line, _)| {
        let expected = "expected the reply of the engine, which names the move";
        Err(at(line, "", TextError::new("genmove", expected, "add the replies, beginning with =")))
    })
}

fn no_vertex(text: &str) -> TextError {
    TextError::new(format!("{text:?}"), "expected a vertex such as F5, or pass", "write the move in GTP")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    const GGF: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O\
        --------------------------- *]B[F5]W[F6];)";

    /// The games of a transcript in words: board, moves.
    fn read(text: &str, spec: Option<&str>) -> Result<Vec<String>, TextError> {
        let in_words = |game: &Transcript| {
            let session = game.open(&builtin(), spec)?;
            Ok(format!("{} {}", session.spec(), session.history().join(" ")))
        };
        Transcript::read_all(text)?.iter().map(in_words).collect()
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
        // A game that does not continue the one before is another.
        check("position startpos moves 1 2\nposition startpos moves 2", &["connect-four 1 2", "connect-four 2"]);
        check("> play b f5\n< =\n<\n> 7 genmove w\n< =7 D6\n<\n", &["reversi f5 d6"]);
        // Without marks; a move that is refused was not played, one that is taken back is not there.
        check("boardsize 6\n=\n\nplay b e4\n=\n\nplay w a1\n? illegal move\n\n", &["reversi:6x6 e4"]);
        check("play b f5\n=\n\nplay w d6\n=\n\nundo\n=\n\n", &["reversi f5"]);
        check("play b f5\n=\n\nclear_board\n=\n\nplay b c4\n=\n\n", &["reversi f5", "reversi c4"]);
        check(GGF, &["reversi f5 f6"]);
        check(&format!("nboard 2\nset game {GGF}\nping 1\npong 1\nmove D3/1.5\n=== C3"), &["reversi f5 f6 d3"]);
        check(&format!("1 {GGF}\n1 {}", GGF.replace("B[F5]W[F6]", "B[D3]")), &["reversi f5 f6", "reversi d3"]);
        check("> new black\n< move 1 AAA\n> move 1 BAA", &["dots-and-boxes h0,0 v0,0"]);
        check("> new white\n> move 1 AAA\n< move 1 AAA\n> error\n< move 1 AAB", &["dots-and-boxes h0,0 h0,1"]);
        let one_shot = r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#;
        check(one_shot, &["reversi c4 c3"]);
        let kept =
            "{\"requests\":[{\"x\":-1,\"y\":-1}]}\n{\"response\":{\"x\":2,\"y\":3}}\n{\"request\":{\"x\":2,\"y\":2}}";
        check(kept, &["reversi c4 c3"]);
    }

    #[test]
    fn saiblo_gives_the_last_position() {
        let empty = " 0".repeat(16);
        let turns = format!("4 4 0 2\n-1 -1 4 4 3 4{empty}\n3 2 4 4 3 2 0 0 0 0 0 0 0 0 0 0 0 2 0 0 1 1\n");
        let games = Transcript::read_all(&turns).expect(&turns);
        let session = games[0].open(&builtin(), None).expect("a position");
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
        assert_eq!(err, "reversi:6x6: the transcript is a game of reversi; leave the game out");
    }

    #[test]
    fn missing_moves_are_named() {
        let err = read("play b f5\n=\n\nplay b d6\n=\n\n", None).expect_err("white has moves").to_string();
        assert!(err.contains("line 4: move 2: ") && err.contains("expected a move of white"), "{err}");
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, parts) in [
            ("", &["expected a saved game"][..]),
            ("hello\n", &["expected a saved game"]),
            ("\n\nposition startpos moves 1 9", &["line 3: move 2: ", "a column from 1 to 7"]),
            ("position nowhere", &["line 1: ", "expected startpos or fen"]),
            ("play b f5\n=\n\ngenmove w\n", &["line 4: genmove", "reply"]),
            ("play b x5y\n", &["line 1: ", "vertex"]),
            ("play red f5\n", &["line 1: ", "black or white"]),
            ("new black\nmove 1 AAA", &["line 1: ", "look alike"]),
            ("> new black\n< move 1 AZZ", &["line 2: move 1: "]),
            ("6 7 -1 -1\n5 3 5", &["line 2: ", "expected 51 numbers"]),
            ("(;GM[Othello]\nB[F5]", &["line 2: ", "expected ;)"]),
            ("(;GM[Go];)", &["line 1: ", "GM[Othello]"]),
            (r#"{"requests":[]}"#, &["line 1: ", "one more request"]),
        ] {
            let err = read(text, None).expect_err(text).to_string();
            assert!(parts.iter().all(|part| err.contains(part)) && !err.contains('\n'), "{text:?}: {err}");
        }
    }
}
