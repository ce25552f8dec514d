//! Moves as people write them: `f5 d6 c3`, `f5d6c3`, `4453`, numbered as in books (`1. f5 d6 2. c3`), and with tags, comments
//! and a result as in PGN. Which game they are of is found later, by playing them.
//!
//! ```text
//! [Game "reversi:8x8"]
//! [First "Ann"]
//! [Result "42-22"]
//!
//! 1. f5 d6 {the usual reply} 2. c3 d3 (2... f4) 42-22
//! ```

use banyan_core::TextError;

use crate::scan::{Line, Place, at};
use crate::score::Score;
use crate::transcript::{Ended, Games, MOST_MOVES, Number, Part, Step, Transcript};
use crate::words::half_width_text;

/// The text before the digits in an address of connect4.gamesolver.org.
const QUERY: &str = "pos=";
/// The text before the game in the first line of a file of openings.
const OPENINGS: &str = " openings make ";
/// The spellings of a pass, each before its own prefixes.
const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

/// Any text can be moves.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| !line.text.is_empty())
}

/// Whether moves have numbers or tags.
pub(crate) fn is_numbered(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| tag(line.text).is_some() || line.words().any(|(_, word)| numbered(word).0.is_some()))
}

/// Reads games. Lines of moves without numbers, tags or a result are separate games until it is known better.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let mut reader = Reader::default();
    for line in lines.iter().filter(|line| !line.text.is_empty()) {
        if line.text.starts_with(['#', '%']) {
            let made = line.text.split_once(OPENINGS).and_then(|(_, game)| game.split_whitespace().next());
            reader.spec = made.map(str::to_owned).or(reader.spec);
            continue;
        }
        let text = half_width_text(line.text);
        match tag(&text) {
            Some((name, value)) => reader.take_tag(games, line.number, name, value),
            None => reader.take_line(games, line, &text)?,
        }
    }
    if let Some(place) = reader.skipped.opened {
        let closing = if reader.skipped.in_comment { "}" } else { ")" };
        let err =
            TextError::new("an open bracket", format!("expected {closing} behind it"), "close it or leave it out");
        return Err(at(place, "", err));
    }
    reader.end_game(games);
    Ok(())
}

/// The text in comments and variations, which is skipped.
#[derive(Default)]
struct Skipped {
    in_comment: bool,
    /// Depth of the brackets of variations.
    depth: usize,
    /// The outermost bracket that is open.
    opened: Option<Place>,
    variations: usize,
}

impl Skipped {
    /// The line with blanks instead of comments and variations.
    fn blank(&mut self, line: &Line<'_>, text: &str) -> String {
        let mut before = ' ';
        let blanked = text.chars().enumerate().map(|(i, char)| {
            let opens = !self.in_comment && (char == '{' || char == '(' && (before == ' ' || self.depth > 0));
            let closes = if self.in_comment { char == '}' } else { char == ')' && self.depth > 0 };
            let is_skipped = opens || closes || self.in_comment || self.depth > 0;
            if opens {
                self.opened = self.opened.or(Some(Place::Column(line.number, line.column + i)));
                self.in_comment = char == '{';
                self.depth += usize::from(char == '(');
                self.variations += usize::from(char == '(');
            } else if closes {
                self.depth -= usize::from(!self.in_comment);
                self.in_comment = false;
                self.opened = self.opened.filter(|_| self.depth > 0);
            }
            before = if char.is_whitespace() { ' ' } else { char };
            if is_skipped { ' ' } else { char }
        });
        blanked.collect()
    }
}

/// Reads lines one after another into games.
#[derive(Default)]
struct Reader {
    game: Transcript,
    skipped: Skipped,
    /// The game that a file of openings names.
    spec: Option<String>,
    /// Whether the last line was a tag.
    in_tags: bool,
    /// Whether the game may have several lines, because it has tags or numbers.
    has_lines: bool,
}

impl Reader {
    fn end_game(&mut self, games: &mut Games) {
        let mut game = std::mem::take(&mut self.game);
        self.has_lines = false;
        let variations = std::mem::take(&mut self.skipped.variations);
        let is_empty = game.steps.is_empty() && game.broken.is_none();
        if is_empty && game.position.is_none() && game.spec.is_none() {
            return;
        }
        if variations > 0 {
            game.about.push(("left out", format!("{variations} of its variations")));
        }
        game.protocol = "moves";
        game.spec = game.spec.or_else(|| self.spec.clone());
        games.collect(game);
    }

    fn take_tag(&mut self, games: &mut Games, line: usize, name: &str, value: &str) {
        if !self.in_tags {
            self.end_game(games);
        }
        (self.in_tags, self.has_lines) = (true, true);
        let game = &mut self.game;
        let mut name_player = |side: usize| game.players.get_or_insert_default()[side] = value.to_owned();
        match name.to_ascii_lowercase().as_str() {
            "game" | "variant" => game.spec = Some(value.to_owned()),
            "position" | "fen" => game.position = Some((line, value.to_owned())),
            "first" | "black" | "x" => name_player(0),
            "second" | "white" | "o" => name_player(1),
            "event" if value != "?" => game.about.push(("event", value.to_owned())),
            "date" if !value.starts_with('?') => game.about.push(("date", value.to_owned())),
            _ => {}
        }
    }

    fn take_line(&mut self, games: &mut Games, line: &Line<'_>, text: &str) -> Result<(), TextError> {
        self.in_tags = false;
        let text = self.skipped.blank(line, text);
        let line = Line { text: &text, ..*line };
        if !self.has_lines {
            self.end_game(games);
        }
        for (column, word) in line.words() {
            self.take_word(games, Place::Column(line.number, column), word)?;
        }
        Ok(())
    }

    fn take_word(&mut self, games: &mut Games, place: Place, word: &str) -> Result<(), TextError> {
        if let Some(score) = Score::parse(word) {
            self.game.ended = Some(Ended { place, score, text: word.to_owned() });
            return Ok(());
        }
        let (number, dots, rest) = numbered(word);
        let restarts = number == Some(1) && dots < 3 && !self.game.steps.is_empty();
        if self.game.ended.is_some() || restarts {
            self.end_game(games);
        }
        if self.game.broken.is_some() {
            return Ok(());
        }
        if let Some(number) = number {
            self.has_lines = true;
            let number = Number { place, number, dots, step: self.game.steps.len() };
            if let Err(err) = self.game.add_number(number) {
                self.game.broken = Some(err);
                return Ok(());
            }
        }
        // Marks such as ?! and codes such as $3 annotate the move before.
        if rest.starts_with('$') {
            return Ok(());
        }
        let Place::Column(line, column) = place else { return Ok(()) };
        let column = column + word[..word.len() - rest.len()].chars().count();
        let rest = rest.trim_end_matches(|char| "!?.,;".contains(char));
        let (family, skipped, rest) = match rest.find(QUERY) {
            Some(i) => ("connect-four", i + QUERY.len(), &rest[i + QUERY.len()..]),
            None => (self.game.family, 0, rest),
        };
        self.game.family = family;
        if rest.len() > MOST_MOVES || self.game.steps.len() >= MOST_MOVES {
            let n = self.game.steps.len().max(rest.len());
            let err =
                TextError::new(format!("{n} moves"), format!("expected at most {MOST_MOVES}"), "write one game a line");
            return Err(at(line, "", err));
        }
        let step = |(offset, mv): (usize, &str)| Step {
            place: Place::Column(line, column + skipped + offset),
            side: None,
            mv: mv.to_owned(),
            part: Part::Move,
        };
        self.game.steps.extend(pieces(rest).into_iter().map(step));
        Ok(())
    }
}

/// `[Name "value"]`
fn tag(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(char::is_whitespace)?;
    Some((name, value.trim().strip_prefix('"')?.strip_suffix('"')?))
}

/// The number before a move, the number of dots behind it, and the rest: `12.f5`, `12...`.
fn numbered(word: &str) -> (Option<u32>, usize, &str) {
    let n_digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word[n_digits..].trim_start_matches(['.', '…']);
    let dots = word[n_digits..].len() - rest.len();
    match word[..n_digits].parse() {
        Ok(number) if dots > 0 => (Some(number), dots, rest),
        _ => (None, 0, word),
    }
}

/// The moves of a word, each with its offset: `f5d6`, `f5,d6` and `h0,1,v2,3` have two. Digits are not divided: only the game
/// knows how many belong to a move.
fn pieces(word: &str) -> Vec<(usize, &str)> {
    let whole = if word.is_empty() { Vec::new() } else { vec![(0, word)] };
    if !word.is_ascii() || word.contains('(') {
        return whole;
    }
    if word.contains([',', ';']) {
        return pieces_between_commas(word);
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let rest = &word[start..];
        let is_pass = |pass: &&&str| rest.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass));
        let n_digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let length = match PASSES.iter().find(is_pass) {
            Some(pass) => pass.len(),
            None if rest.starts_with(|first: char| first.is_ascii_alphabetic()) && n_digits > 0 => 1 + n_digits,
            None => return whole,
        };
        pieces.push((start, &rest[..length]));
        start += length;
    }
    pieces
}

/// A comma between a letter with a number and a number belongs to the move.
fn pieces_between_commas(word: &str) -> Vec<(usize, &str)> {
    let mut pieces: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for part in word.split_inclusive([',', ';']) {
        let is_number = part.starts_with(|first: char| first.is_ascii_digit());
        let joins = |&&mut (_, last): &&mut (usize, &str)| {
            is_number
                && last.ends_with(',')
                && last.starts_with(|first: char| first.is_alphabetic())
                && last.matches(',').count() == 1
        };
        match pieces.last_mut().filter(joins) {
            Some((from, last)) => *last = &word[*from..start + part.len()],
            None => pieces.push((start, part)),
        }
        start += part.len();
    }
    let trimmed = pieces.into_iter().map(|(from, piece)| (from, piece.trim_end_matches([',', ';'])));
    trimmed.filter(|(_, piece)| !piece.is_empty()).collect()
}
