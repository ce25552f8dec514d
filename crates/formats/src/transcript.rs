//! Games in the input and output of an engine: the types that the readers of all protocols share.
//!
//! Lines to the engine may begin with `> `, lines from it with `< `.

use std::fmt;

use banyan_catalog::{AnyGame, Catalog, Opening, Session};
use banyan_core::{Margin, Side, TextError};

/// A game of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The protocol by name.
    pub(crate) protocol: &'static str,
    /// Whether it is a game of a collection, whose games are independent of each other.
    pub(crate) is_of_collection: bool,
    /// The game specification, if the transcript contains it.
    pub(crate) spec: Option<String>,
    /// The game to assume otherwise; empty for the first of the catalog.
    pub(crate) family: &'static str,
    /// The starting position, unless it is the default one, and the line that sets it.
    pub(crate) position: Option<(usize, String)>,
    pub(crate) steps: Vec<Step>,
    /// The winner, if the transcript names it.
    pub(crate) winner: Option<Winner>,
    /// Names of the players, `First` first, if present.
    pub(crate) players: Option<[String; 2]>,
    /// Other facts about the game, by name.
    pub(crate) about: Vec<(&'static str, String)>,
}

/// The winner that a transcript names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Winner {
    /// The line that names it.
    pub(crate) line: usize,
    pub(crate) side: Side,
    /// The side in the words of the protocol.
    pub(crate) name: &'static str,
}

/// A move of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The place of the move in the transcript.
    pub(crate) place: Place,
    /// The side that made it, if the line names it.
    pub(crate) side: Option<Side>,
    /// The move in Banyan's notation.
    pub(crate) mv: String,
    /// Its position within the turn of a line.
    pub(crate) part: Part,
}

/// The position of a move within a turn, in protocols whose lines are whole turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The only move of its line; either side may be next.
    Move,
    /// Not the last move of its turn: the side has to move again.
    NotLast,
    /// The last move of its turn.
    Last,
}

/// A place in a transcript, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A line.
    Line(usize),
    /// A line, and the column of a character in it, the mark of the direction included.
    Column(usize, usize),
    /// A byte of a binary file.
    Byte(usize),
}

impl From<usize> for Place {
    fn from(line: usize) -> Place {
        Place::Line(line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Column(line, column) => write!(f, "line {line}, column {column}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

impl Transcript {
    /// The protocol by name.
    pub fn protocol(&self) -> &'static str {
        self.protocol
    }

    /// Names of the players, `First` first, if it has names.
    pub fn players(&self) -> Option<&[String; 2]> {
        self.players.as_ref()
    }

    /// Other facts about the game, by name.
    pub fn about(&self) -> &[(&'static str, String)] {
        &self.about
    }

    /// The game after its last move. If the transcript does not name its board, it is played on `spec`, if given.
    ///
    /// # Errors
    /// A game other than `spec`, an unknown game, an illegal move, or a winner who did not win, with its line.
    pub fn open(&self, catalog: &Catalog, spec: Option<&str>) -> Result<Session, TextError> {
        let given = spec.map(|spec| catalog.game(spec)).transpose()?;
        let other = |given: &AnyGame, own: &str| {
            let expected = format!("expected {own}, the game of the transcript");
            TextError::new(given.spec(), expected, "leave the game out")
        };
        let game = match (&self.spec, given) {
            (None, Some(given)) => {
                if !self.family.is_empty() && given.spec().split(':').next() != Some(self.family) {
                    return Err(other(&given, self.family));
                }
                given
            }
            (None, None) => {
                let first = || catalog.families().first().map_or("", |family| family.name);
                catalog.game(if self.family.is_empty() { first() } else { self.family })?
            }
            (Some(named), given) => {
                let game = catalog.game(named)?;
                if let Some(given) = given.filter(|given| given.spec() != game.spec()) {
                    return Err(other(&given, &game.spec()));
                }
                game
            }
        };
        let mut session = self.begin(&game)?;
        for (i, step) in self.steps.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| &self.steps[before]);
            play(&mut session, step, before).map_err(|err| at(step.place, &format!("move {}: ", i + 1), err))?;
        }
        if let Some(winner) = &self.winner {
            winner.check(&session)?;
        }
        Ok(session)
    }

    fn begin(&self, game: &AnyGame) -> Result<Session, TextError> {
        match &self.position {
            Some((line, position)) => game.open(Opening::Position(position)).map_err(|err| at(*line, "", err)),
            None => game.open(Opening::Start),
        }
    }

    /// Whether it is the beginning of `later`, which then replaces it.
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

impl Winner {
    /// Checks that this side won, if the game is over; a game that was ended early may have been lost by a fault or on
    /// time.
    fn check(&self, session: &Session) -> Result<(), TextError> {
        let expected = match session.result().map(Margin::winner) {
            Some(Some(side)) if side == self.side => return Ok(()),
            None => return Ok(()),
            Some(Some(_)) => "the other side won",
            Some(None) => "the game is a draw",
        };
        let found = format!("winner {}", self.name);
        Err(at(self.line, "", TextError::new(found, expected, "correct it or leave it out")))
    }
}

/// Plays a move, preceded by a pass that a protocol may omit.
fn play(session: &mut Session, step: &Step, before: Option<&Step>) -> Result<(), TextError> {
    let waits = |session: &Session| step.side.is_some_and(|side| side != session.to_move());
    let wrong = |expected: String, remedy: &str| Err(TextError::new(format!("move {:?}", step.mv), expected, remedy));
    let continues = before.is_some_and(|before| before.part == Part::NotLast);
    if continues && (waits(session) || session.result().is_some()) {
        let expected = "expected the end of the turn, because the edge before completes no box or ends the game";
        return wrong(expected.to_owned(), "leave out the rest of the turn");
    }
    if waits(session) && session.legal_moves() == ["pass"] {
        session.play("pass")?;
    }
    if waits(session) && session.result().is_none() {
        let expected = format!("expected a move of {}", session.side_name(session.to_move()));
        return wrong(expected, "add the missing moves");
    }
    // An omitted pass is added by the game.
    session.play_all(&step.mv)?;
    if step.part == Part::Last && session.result().is_none() && !waits(session) {
        let expected = "expected another edge of the turn after a completed box";
        return wrong(expected.to_owned(), "add the rest of the turn");
    }
    Ok(())
}

/// An error with its place.
pub(crate) fn at(place: impl Into<Place>, what: &str, err: TextError) -> TextError {
    // The number of the only move of a list is replaced by the number in the game.
    let found = if what.is_empty() { None } else { err.found.strip_prefix("move 1: ") }.unwrap_or(&err.found);
    TextError { found: format!("{}: {what}{found}", place.into()), ..err }
}

/// A line without the mark of its direction.
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: usize,
    /// The column at which `text` begins, from 1.
    pub(crate) column: usize,
    /// Whether it is from the engine; `None` without a mark.
    pub(crate) from_engine: Option<bool>,
    pub(crate) text: &'t str,
}

impl Line<'_> {
    pub(crate) fn new((i, whole): (usize, &str)) -> Line<'_> {
        let (from_engine, text) = match (whole.strip_prefix('>'), whole.strip_prefix('<')) {
            (Some(rest), _) => (Some(false), rest),
            (_, Some(rest)) => (Some(true), rest),
            _ => (None, whole),
        };
        let column = whole.chars().count() - text.trim_start().chars().count() + 1;
        Line { number: i + 1, column, from_engine, text: text.trim() }
    }

    pub(crate) fn word(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// The only move of a line.
    pub(crate) fn step(&self, side: Option<Side>, mv: impl Into<String>) -> Step {
        Step { place: Place::Line(self.number), side, mv: mv.into(), part: Part::Move }
    }
}

/// The games read so far; the last one is in progress.
pub(crate) struct Games(pub(crate) Vec<Transcript>, pub(crate) Collected);

/// The games of a collection.
pub(crate) struct Collected {
    /// Maximum number of games that are kept.
    pub(crate) most: usize,
    /// The number of further games, which were read and dropped.
    pub(crate) n_dropped: usize,
}

/// Maximum number of moves of a game: several times that of the largest board.
pub(crate) const MOST_MOVES: usize = 1000;

impl Games {
    /// No game yet, and at most `most` of a collection.
    pub(crate) fn new(most: usize) -> Games {
        Games(Vec::new(), Collected { most, n_dropped: 0 })
    }

    /// Adds a game of a collection, which may have the same beginning as the previous one.
    pub(crate) fn collect(&mut self, game: Transcript) {
        match self.0.len() < self.1.most {
            true => self.0.push(Transcript { is_of_collection: true, ..game }),
            false => self.1.n_dropped += 1,
        }
    }

    /// Adds a game, which replaces the last one if that is its beginning.
    pub(crate) fn add(&mut self, game: Transcript) {
        self.0.pop_if(|last| last.is_part_of(&game));
        self.0.push(game);
    }

    pub(crate) fn last(&mut self, line: usize, what: &str) -> Result<&mut Transcript, TextError> {
        self.0.last_mut().ok_or_else(|| {
            at(line, "", TextError::new(what, "expected a game before it", "begin with the line that starts it"))
        })
    }
}
