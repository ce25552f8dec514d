//! A recorded game before it is played: the type that all readers of text share, and its check against the rules.

use banyan_catalog::{AnyGame, Catalog, Opening, Session};
use banyan_core::{Margin, Side, TextError};

use crate::board_text::Board;
use crate::scan::{Line, Place, at};
use crate::score::Score;

/// A game of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The protocol by name.
    pub(crate) protocol: &'static str,
    /// Whether it is a game of a collection, whose games are independent of each other.
    pub(crate) is_of_collection: bool,
    /// The game specification, if the transcript contains it.
    pub(crate) spec: Option<String>,
    /// The game to assume otherwise; empty if the moves show it.
    pub(crate) family: &'static str,
    /// Whether the game was found by its moves, so that errors name it.
    pub(crate) is_found: bool,
    /// The starting position, unless it is the default one, and the line that sets it.
    pub(crate) position: Option<(usize, String)>,
    /// The starting position as boards of games that are not known yet.
    pub(crate) boards: Vec<Board>,
    pub(crate) steps: Vec<Step>,
    /// The numbers before moves.
    pub(crate) numbers: Vec<Number>,
    /// The result, if the record names it.
    pub(crate) ended: Option<Ended>,
    /// The winner, if the transcript names it.
    pub(crate) winner: Option<Winner>,
    /// Names of the players, `First` first, if present.
    pub(crate) players: Option<[String; 2]>,
    /// The position that the steps reach; where they do not, it stands alone.
    pub(crate) reaches: Option<(usize, String)>,
    /// The mistake at which the reader stopped.
    pub(crate) broken: Option<TextError>,
    /// The part of an address of the page behind `#`.
    pub(crate) link: Option<String>,
    /// Other facts about the game, by name.
    pub(crate) about: Vec<(&'static str, String)>,
}

/// A number before a move, as in `12. f5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) place: Place,
    pub(crate) number: u32,
    /// The dots behind it; three stand for the move of the first side.
    pub(crate) dots: usize,
    /// The index of the step that follows.
    pub(crate) step: usize,
}

/// The result at the end of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) place: Place,
    pub(crate) score: Score,
    /// The result as it is written.
    pub(crate) text: String,
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
        let (session, wrong) = self.open_to_mistake(catalog, spec)?;
        wrong.map_or(Ok(session), Err)
    }

    /// The game after its last move before a mistake, and the mistake.
    ///
    /// # Errors
    /// A game other than `spec`, an unknown game, or a wrong position.
    pub(crate) fn open_to_mistake(
        &self,
        catalog: &Catalog,
        spec: Option<&str>,
    ) -> Result<(Session, Option<TextError>), TextError> {
        let mut session = self.begin(&self.game(catalog, spec)?)?;
        let (ends, wrong) = self.replay(&mut session);
        let check = || {
            self.winner.as_ref().map_or(Ok(()), |winner| winner.check(&session))?;
            self.check_numbers(&session, &ends)?;
            self.ended.as_ref().map_or(Ok(()), |ended| ended.check(&session))
        };
        let wrong = wrong.or_else(|| self.broken.clone()).or_else(|| check().err());
        Ok((session, wrong))
    }

    /// The game that the transcript names, or else `spec`, or else the one that its form or its moves show.
    fn game(&self, catalog: &Catalog, spec: Option<&str>) -> Result<AnyGame, TextError> {
        let given = spec.map(|spec| catalog.game(spec)).transpose()?;
        let other = |given: &AnyGame, own: &str| {
            let expected = format!("expected {own}, the game of the transcript");
            Err(TextError::new(given.spec(), expected, "leave the game out"))
        };
        match (&self.spec, given) {
            (None, Some(given)) if !self.family.is_empty() && given.spec().split(':').next() != Some(self.family) => {
                other(&given, self.family)
            }
            (None, Some(given)) => Ok(given),
            (None, None) => catalog.game(if self.family.is_empty() { catalog.first_game() } else { self.family }),
            (Some(named), given) => {
                let game = catalog.game(named)?;
                given
                    .filter(|given| given.spec() != game.spec())
                    .map_or(Ok(()), |given| other(&given, &game.spec()).map(drop))?;
                Ok(game)
            }
        }
    }

    /// Plays the steps up to the first wrong one. Returns the number of moves after each step, and the error.
    pub(crate) fn replay(&self, session: &mut Session) -> (Vec<usize>, Option<TextError>) {
        let mut ends = Vec::new();
        let mut n_written = 0;
        for (i, step) in self.steps.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| &self.steps[before]);
            let n_before = session.situation().played.len();
            if let Err(err) = play(session, step, before) {
                return (ends, Some(self.wrong_step(step, n_written, session, err)));
            }
            let n_played = session.situation().played.len() - n_before;
            // Digits may be several moves; a pass that is played besides is not written.
            n_written += if step.is_digits() { n_played } else { 1 };
            ends.push(n_before + n_played);
        }
        (ends, None)
    }

    /// The error of a step after `n_written` moves, with its place.
    fn wrong_step(&self, step: &Step, n_written: usize, session: &Session, err: TextError) -> TextError {
        let spec = session.spec();
        let of_game = if self.is_found { format!(" of {spec}") } else { String::new() };
        let nth = err.found.strip_prefix("move ").and_then(|rest| rest.split_once(": "));
        let nth = nth.and_then(|(nth, rest)| Some((nth.parse::<usize>().ok()?, rest.to_owned())));
        let Some((nth, rest)) = nth.filter(|_| step.is_digits()) else {
            return at(step.place, &format!("move {}{of_game}: ", n_written + 1), err);
        };
        let place = match step.place {
            Place::Column(line, column) => Place::Column(line, column + nth - 1),
            place => place,
        };
        at(place, &format!("move {}{of_game}: ", n_written + nth), TextError { found: rest, ..err })
    }

    /// Adds a number before the next move.
    ///
    /// # Errors
    /// Numbers that are not in order: moves are missing.
    pub(crate) fn add_number(&mut self, added: Number) -> Result<(), TextError> {
        let last = self.numbers.last().map(|last| last.number);
        if last == Some(added.number) && added.dots >= 3 {
            return Ok(());
        }
        let expected = last.map(|last| last + 1).or(if self.position.is_none() { Some(1) } else { None });
        if let Some(expected) = expected.filter(|&expected| expected != added.number) {
            let remedy = "add the missing moves or correct the number";
            let err = TextError::new(format!("{}.", added.number), format!("expected the number {expected}"), remedy);
            return Err(at(added.place, "", err));
        }
        self.numbers.push(added);
        Ok(())
    }

    /// Checks that as many moves follow each number, if the sides took turns: otherwise a move is missing. `ends` has the number
    /// of moves after each step.
    fn check_numbers(&self, session: &Session, ends: &[usize]) -> Result<(), TextError> {
        let takes_turns = session.movers().windows(2).all(|pair| pair[0] != pair[1]);
        if !takes_turns || session.history().iter().any(|mv| mv == "pass") {
            return Ok(());
        }
        let before = |step: usize| step.checked_sub(1).map_or(0, |last| ends[last]);
        let counts: Vec<(&Number, usize)> =
            self.numbers.windows(2).map(|pair| (&pair[0], before(pair[1].step) - before(pair[0].step))).collect();
        let usual = counts.iter().map(|&(_, n)| n).max().unwrap_or(0).clamp(1, 2);
        let begins_with_second = |(number, n): &(&Number, usize)| number.dots >= 3 && *n == 1;
        let is_odd = |counted: &&(&Number, usize)| counted.1 != usual && !begins_with_second(counted);
        let last =
            self.numbers.last().filter(|last| last.step == ends.len() && self.ended.is_none()).map(|last| (last, 0));
        let Some((number, n)) = counts.iter().find(is_odd).copied().or(last) else { return Ok(()) };
        let found = format!("{n} {} after {}.", if n == 1 { "move" } else { "moves" }, number.number);
        let expected = if usual == 1 { "expected one".to_owned() } else { format!("expected {usual}") };
        let err = TextError::new(found, expected, "add what is missing or correct the numbers");
        Err(at(number.place, "", err))
    }

    /// The game at its start.
    pub(crate) fn begin(&self, game: &AnyGame) -> Result<Session, TextError> {
        match &self.position {
            Some((line, position)) => game.open(Opening::Position(position)).map_err(|err| at(*line, "", err)),
            None => game.open(Opening::Start),
        }
    }

    /// Whether it has neither a move nor a position; a link or a game with tags may be at its start.
    pub(crate) fn is_empty(&self) -> bool {
        let has_position = self.position.is_some() || self.reaches.is_some() || !self.boards.is_empty();
        let is_at_start = self.link.is_some() || (self.protocol == "moves" && self.spec.is_some());
        self.steps.is_empty() && self.broken.is_none() && !has_position && !is_at_start
    }

    /// The part of an address of the page behind `#`, if it was read from one.
    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
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

impl Line<'_> {
    /// The only move of a line.
    pub(crate) fn step(&self, side: Option<Side>, mv: impl Into<String>) -> Step {
        Step { place: Place::Line(self.number), side, mv: mv.into(), part: Part::Move }
    }
}

impl Step {
    /// Whether it is a number, which may be several moves in digits.
    pub(crate) fn is_digits(&self) -> bool {
        self.mv.bytes().all(|byte| byte.is_ascii_digit())
    }
}

impl Ended {
    /// Checks that the moves give this result.
    fn check(&self, session: &Session) -> Result<(), TextError> {
        let wrong = |expected: String, remedy: &str| {
            Err(at(self.place, "", TextError::new(format!("result {}", self.text), expected, remedy)))
        };
        if self.score.agrees(session) {
            return Ok(());
        }
        if session.result().is_none() {
            let expected =
                format!("expected more moves, because the game is not over after {}", session.history().len());
            return wrong(expected, "add the missing moves or leave the result out");
        }
        wrong(format!("expected {}, as the moves give", Score::text(session)), "correct it or leave it out")
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
