//! The text of a game: how moves, positions and board sizes are written and read.

use std::borrow::Cow;
use std::fmt;

use crate::{Game, Picture, Structure};

/// Kind of a [`TextError`], for callers that handle some errors themselves. More kinds may be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// Any other error, for example text that does not have the form expected.
    #[default]
    Other,
    /// A name that does not exist: of a setting, an evaluator.
    UnknownName,
    /// A value outside the range of its setting or parameter.
    InvalidValue,
    /// Settings that exclude each other, or one without another that it needs.
    Conflict,
    /// Text that names no legal move of its position.
    IllegalMove,
    /// A setting that this game does not support.
    Unsupported,
}

/// A parse error: the text found, the text expected, and a remedy.
///
/// It prints as `FOUND: EXPECTED; REMEDY`. Callers match on its [`kind`](TextError::kind), never on its text.
///
/// ```
/// use banyan_core::{TextError, TextErrorKind};
///
/// fn parse_size(text: &str) -> Result<u8, TextError> {
///     let size = text.parse().ok().filter(|size| (3..=9).contains(size));
///     let refused = || TextError::new(format!("size {text:?}"), "expected 3 .. 9", "try 7");
///     size.ok_or_else(|| refused().of_kind(TextErrorKind::InvalidValue))
/// }
///
/// let err = parse_size("12").unwrap_err().at("board.txt");
/// assert_eq!(err.to_string(), "board.txt: size \"12\": expected 3 .. 9; try 7");
/// match err.kind {
///     TextErrorKind::InvalidValue => {} // for example, fall back to a default
///     _ => panic!("{err}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The file with the text, or the like, which [`Display`](fmt::Display) does not shorten; empty if there is none.
    pub place: String,
    /// The offending text, or the smallest part of it that is wrong.
    pub found: String,
    /// The text expected instead.
    pub expected: String,
    /// The remedy, as an imperative.
    pub remedy: String,
    /// The kind, which is not printed.
    pub kind: TextErrorKind,
}

impl TextError {
    /// An error of kind [`Other`](TextErrorKind::Other) from its three parts, none with a final full stop.
    pub fn new(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> TextError {
        let [found, expected, remedy] = [found.into(), expected.into(), remedy.into()];
        TextError { place: String::new(), found, expected, remedy, kind: TextErrorKind::Other }
    }

    /// This error with another kind.
    #[must_use]
    pub fn of_kind(self, kind: TextErrorKind) -> TextError {
        TextError { kind, ..self }
    }

    /// This error, found in `place`: `book.txt`.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> TextError {
        let place = if self.place.is_empty() { place.to_string() } else { format!("{place}: {}", self.place) };
        TextError { place, ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}: {}; {}", shortened(&self.found), self.expected, self.remedy)
    }
}

/// Most characters of a found text that are printed.
const MOST_PRINTED: usize = 120;
/// Those at its end, where most messages name the wrong part.
const MOST_AT_END: usize = 40;

/// Text without its middle if it is long, as a whole file given by mistake is.
pub fn shortened(text: &str) -> Cow<'_, str> {
    let n = text.chars().count();
    if n <= MOST_PRINTED {
        return Cow::Borrowed(text);
    }
    let at = |char_idx: usize| text.char_indices().nth(char_idx).map_or(text.len(), |(byte_idx, _)| byte_idx);
    let (head, tail) = (&text[..at(MOST_PRINTED - MOST_AT_END)], &text[at(n - MOST_AT_END)..]);
    Cow::Owned(format!("{head} ... {tail}"))
}

impl std::error::Error for TextError {}

/// Printing and parsing for a [`Game`]. Parsing refuses bad input, so that the rules need not check theirs.
///
/// The text of the game in the example of [`Game`]:
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use {banyan_core::Game, rules::Subtraction};
#[doc = include_str!("../doc/subtraction_text.rs")]
///
/// let game = Subtraction::from_options("12")?;
/// let moves = game.parse_moves(&game.start(), "3 1 3")?;
/// assert_eq!((game.spec().as_str(), moves), ("subtraction:12", vec![3, 1, 3]));
/// let err = game.parse_move(&game.start(), "4").unwrap_err();
/// assert_eq!(err.to_string(), "move \"4\": expected a legal move; try one of 1 2 3");
/// assert_eq!(err.kind, TextErrorKind::IllegalMove);
/// # Ok::<(), TextError>(())
/// ```
pub trait Notation: Game + Sized {
    /// The game's name in specifications, in kebab case: `connect-four`.
    const NAME: &'static str;

    /// One line for lists of games: the rules in a few words and the options.
    const SUMMARY: &'static str;

    /// The game with these options, the part of a specification after the colon: `10x11,hole=d3`; empty for the
    /// defaults.
    fn from_options(options: &str) -> Result<Self, TextError>;

    /// The shortest options from which [`from_options`](Notation::from_options) makes this game.
    fn options(&self) -> String {
        String::new()
    }

    /// `NAME`, and `:` with the options unless they are empty.
    fn spec(&self) -> String {
        let options = self.options();
        if options.is_empty() { Self::NAME.to_owned() } else { format!("{}:{options}", Self::NAME) }
    }

    /// A legal move as text without spaces.
    fn print_move(&self, state: &Self::State, mv: Self::Move) -> String;

    /// The legal move that `text` names. By default the legal move that prints as `text`, ignoring letter case.
    ///
    /// # Errors
    /// Text that names no legal move, of kind [`IllegalMove`](TextErrorKind::IllegalMove).
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, TextError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let found = moves.iter().find(|&&mv| self.print_move(state, mv).eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            let legal: Vec<String> = moves.iter().map(|&mv| self.print_move(state, mv)).collect();
            TextError::new(format!("move {text:?}"), "expected a legal move", format!("try one of {}", legal.join(" ")))
                .of_kind(TextErrorKind::IllegalMove)
        })
    }

    /// The number of a move in OpenSpiel's version of the game; `None` in games whose numbers differ or that it has not.
    fn action_id(&self, _mv: Self::Move) -> Option<u16> {
        None
    }

    /// The moves written in `text`, played one after another from `state`, by default separated by spaces or commas.
    fn parse_moves(&self, state: &Self::State, text: &str) -> Result<Vec<Self::Move>, TextError> {
        parse_moves_by_word(self, state, text)
    }

    /// The position as one line of text, with everything needed to continue the game.
    fn print_position(&self, state: &Self::State) -> String;

    /// The position that [`print_position`](Notation::print_position) wrote.
    fn parse_position(&self, text: &str) -> Result<Self::State, TextError>;

    /// The board after the move `last`; `None` if the game has no board to draw.
    fn picture(&self, _state: &Self::State, _last: Option<Self::Move>) -> Option<Picture> {
        None
    }

    /// The structure of the position by the theory of the game; `None` if the game has no theory to show, or is over.
    fn structure(&self, _state: &Self::State) -> Option<Structure> {
        None
    }

    /// The name that players use for a side: `X`, `black`.
    fn side_name(&self, side: crate::Side) -> &'static str {
        match side {
            crate::Side::First => "first",
            crate::Side::Second => "second",
        }
    }
}

/// Parses moves separated by spaces or commas, each in the position after the previous ones.
///
/// # Errors
/// The first word that is not a legal move, with its number in the list.
pub fn parse_moves_by_word<G: Notation>(game: &G, state: &G::State, text: &str) -> Result<Vec<G::Move>, TextError> {
    play_words(game, state, text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()))
}

/// Parses one move from each of `words`, each in the position after the previous ones; for games that split text
/// differently.
///
/// # Errors
/// The first word that is not a legal move, with its number in the list.
pub fn play_words<G: Notation>(
    game: &G,
    state: &G::State,
    words: impl Iterator<Item = impl AsRef<str>>,
) -> Result<Vec<G::Move>, TextError> {
    let mut state = state.clone();
    let mut moves = Vec::new();
    for word in words {
        let word = word.as_ref();
        if game.result(&state).is_some() {
            let expected = format!("expected no move after move {}, which ended the game", moves.len());
            let err = TextError::new(format!("move {} {word:?}", moves.len() + 1), expected, "leave it out");
            return Err(err.of_kind(TextErrorKind::IllegalMove));
        }
        let mv = game
            .parse_move(&state, word)
            .map_err(|err| TextError { found: format!("move {}: {}", moves.len() + 1, err.found), ..err })?;
        game.play(&mut state, mv);
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_shortened() {
        let print = |found: String| TextError::new(found, "expected less", "try 1").to_string();
        assert_eq!(print("x".repeat(120)), format!("{}: expected less; try 1", "x".repeat(120)));
        let long = print(format!("{}{}", "é".repeat(5000), "z".repeat(50)));
        assert_eq!(long, format!("{} ... {}: expected less; try 1", "é".repeat(80), "z".repeat(40)));
    }
}
