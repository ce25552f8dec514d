//! Moves as text: `f5`, `pass`, and transcripts such as `F5D6C3` in which passes may be left out.

use banyan_bits::Bits;
use banyan_core::{Game, Notation, TextError, TextErrorKind};

use super::squares::{row_and_column, square_at};
use super::{Place, Reversi, State};

/// The spellings of a pass in transcripts of various programs, each before its own prefixes.
const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

/// The letter of a file, `a` for column 0.
pub(super) fn file_letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// `f5` or `pass`.
pub(super) fn place_text<B: Bits>(mv: Place) -> String {
    if mv == Place::PASS {
        return PASSES[0].to_owned();
    }
    let (row, column) = row_and_column::<B>(mv.0.into());
    format!("{}{}", file_letter(column), row + 1)
}

impl<B: Bits> Reversi<B> {
    pub(super) fn read_move(&self, state: &State<B>, text: &str) -> Result<Place, TextError> {
        let refused = |expected: String, remedy: String| {
            let err = TextError::new(format!("move {:?}", shortened(text)), format!("expected {expected}"), remedy);
            Err(err.of_kind(TextErrorKind::IllegalMove))
        };
        let mut legal = Vec::new();
        self.moves(state, &mut legal);
        if legal.is_empty() {
            return refused("no more moves, the game is over".to_owned(), "leave it out".to_owned());
        }
        match self.place_named(text) {
            Some(mv) if legal.contains(&mv) => Ok(mv),
            named => refused(self.reason(state, named), self.advice(state, &legal)),
        }
    }

    /// The expectation for a text that names this square or pass, which is not legal, or none; and why.
    fn reason(&self, state: &State<B>, named: Option<Place>) -> String {
        let [mover, other] = [state.to_move, !state.to_move].map(|side| self.side_name(side));
        match named {
            _ if state.placements.is_empty() => format!("pass, as {mover} can place no disc"),
            None => {
                let last = format!("{}{}", file_letter(self.shape.columns() - 1), self.shape.rows());
                format!("a square from a1 to {last}")
            }
            Some(Place::PASS) => format!("a square, as {mover} has moves and so cannot pass"),
            Some(mv) => {
                let square = place_text::<B>(mv);
                let is_occupied = self.owner(state, mv.0.into()).is_some();
                let why = if is_occupied { "is occupied".to_owned() } else { format!("turns over no {other} disc") };
                format!("another square, as {square} {why}")
            }
        }
    }

    pub(super) fn read_moves(&self, start: &State<B>, text: &str) -> Result<Vec<Place>, TextError> {
        let mut state = *start;
        let mut moves = Vec::new();
        let mut play = |state: &mut State<B>, mv: Place| {
            self.play(state, mv);
            moves.push(mv);
        };
        for (i, word) in words(text).enumerate() {
            let is_square = self.place_named(word).is_some_and(|mv| mv != Place::PASS);
            let must_pass = state.placements.is_empty() && self.result(&state).is_none();
            if is_square && must_pass {
                play(&mut state, Place::PASS);
            }
            let mv = self
                .read_move(&state, word)
                .map_err(|err| TextError { found: format!("move {}: {}", i + 1, err.found), ..err })?;
            play(&mut state, mv);
        }
        Ok(moves)
    }

    fn advice(&self, state: &State<B>, legal: &[Place]) -> String {
        let names: Vec<String> = legal.iter().map(|&mv| self.print_move(state, mv)).collect();
        format!("try {}{}", if names.len() > 1 { "one of " } else { "" }, names.join(" "))
    }

    /// The square of this board or the pass that `text` names.
    fn place_named(&self, text: &str) -> Option<Place> {
        if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Some(Place::PASS);
        }
        let mut chars = text.chars();
        let file = chars.next()?.to_ascii_lowercase();
        let column = (0..self.shape.columns()).find(|&column| file_letter(column) == file)?;
        let row = (0..self.shape.rows()).find(|row| (row + 1).to_string() == chars.as_str())?;
        Some(Place(square_at::<B>(row, column) as u8))
    }
}

/// Splits a transcript into moves, with or without separators.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_separator);
        let (word, after) = rest.split_at(first_word_len(rest));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn is_separator(char: char) -> bool {
    char.is_whitespace() || char == ','
}

/// Length of the move at the beginning of `text`; of everything up to a separator if there is no move.
fn first_word_len(text: &str) -> usize {
    let begins_with = |pass: &&&str| text.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass));
    if let Some(pass) = PASSES.iter().find(begins_with) {
        return pass.len();
    }
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    if digits > 0 && text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return 1 + digits;
    }
    text.find(is_separator).unwrap_or(text.len())
}

/// The text, shortened for an error of one line.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
