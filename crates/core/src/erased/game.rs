//! A game without its type.

use std::sync::Arc;

use super::ErasedState;
use crate::{Bounds, Game, Margin, MoveCode, MoveList, Notation, Picture, Side, Structure, Symmetry, TextError};

/// A game without its type, with its text; a copy shares the rules.
///
/// ```
/// # mod rules {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs"));
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction_text.rs"));
/// # }
/// # use rules::Subtraction;
/// use std::sync::Arc;
///
/// use banyan_core::{ErasedGame, Game, TextError};
///
/// let game = ErasedGame::new(Arc::new(Subtraction { stones: 12 }));
/// let mut state = game.start();
/// let before = state.clone(); // undo by copy
/// let mv = game.parse_move(&state, "3")?;
/// game.play(&mut state, mv);
/// assert_eq!((game.spec().as_str(), game.print_position(&state)), ("subtraction:12", "9/1".to_owned()));
/// assert_eq!(before, game.start());
/// # Ok::<(), TextError>(())
/// ```
#[derive(Clone)]
pub struct ErasedGame(Arc<dyn Rules>);

/// [`Game`] and [`Notation`] without the types of moves and states.
trait Rules: Send + Sync {
    fn start(&self) -> ErasedState;
    fn to_move(&self, state: &ErasedState) -> Side;
    fn result(&self, state: &ErasedState) -> Option<Margin>;
    fn moves(&self, state: &ErasedState, out: &mut MoveList<u16>);
    fn play(&self, state: &mut ErasedState, mv: u16);
    fn ply(&self, state: &ErasedState) -> u16;
    fn max_plies(&self) -> u16;
    fn plies_left(&self, state: &ErasedState) -> u16;
    fn key(&self, state: &ErasedState) -> u64;
    fn margin_range(&self) -> Bounds;
    fn score(&self, state: &ErasedState) -> Margin;
    fn bounds(&self, state: &ErasedState) -> Bounds;
    fn phase(&self, state: &ErasedState) -> f32;
    fn centrality(&self, mv: u16) -> u8;
    fn symmetries(&self) -> u8;
    fn transform(&self, state: &ErasedState, symmetry: Symmetry) -> ErasedState;
    fn transform_move(&self, mv: u16, symmetry: Symmetry) -> u16;
    fn recomputed(&self, state: &ErasedState) -> ErasedState;

    fn spec(&self) -> String;
    fn print_move(&self, state: &ErasedState, mv: u16) -> String;
    fn parse_move(&self, state: &ErasedState, text: &str) -> Result<u16, TextError>;
    fn action_id(&self, mv: u16) -> Option<u16>;
    fn parse_moves(&self, state: &ErasedState, text: &str) -> Result<Vec<u16>, TextError>;
    fn print_position(&self, state: &ErasedState) -> String;
    fn parse_position(&self, text: &str) -> Result<ErasedState, TextError>;
    fn picture(&self, state: &ErasedState, last: Option<u16>) -> Option<Picture>;
    fn structure(&self, state: &ErasedState) -> Option<Structure>;
    fn side_name(&self, side: Side) -> &'static str;
}

/// The game with its type.
struct Typed<G>(Arc<G>);

/// The move with this code.
fn mv<G: Game>(code: u16) -> G::Move {
    G::Move::from_code(code)
}

impl<G: Notation> Rules for Typed<G> {
    fn start(&self) -> ErasedState {
        ErasedState::new(self.0.start())
    }

    fn to_move(&self, state: &ErasedState) -> Side {
        self.0.to_move(state.typed())
    }

    fn result(&self, state: &ErasedState) -> Option<Margin> {
        self.0.result(state.typed())
    }

    fn moves(&self, state: &ErasedState, out: &mut MoveList<u16>) {
        let mut moves = MoveList::new();
        self.0.moves(state.typed(), &mut moves);
        out.extend(moves.into_iter().map(MoveCode::code));
    }

    fn play(&self, state: &mut ErasedState, code: u16) {
        self.0.play(state.typed_mut(), mv::<G>(code));
    }

    fn ply(&self, state: &ErasedState) -> u16 {
        self.0.ply(state.typed())
    }

    fn max_plies(&self) -> u16 {
        self.0.max_plies()
    }

    fn plies_left(&self, state: &ErasedState) -> u16 {
        self.0.plies_left(state.typed())
    }

    fn key(&self, state: &ErasedState) -> u64 {
        self.0.key(state.typed())
    }

    fn margin_range(&self) -> Bounds {
        self.0.margin_range()
    }

    fn score(&self, state: &ErasedState) -> Margin {
        self.0.score(state.typed())
    }

    fn bounds(&self, state: &ErasedState) -> Bounds {
        self.0.bounds(state.typed())
    }

    fn phase(&self, state: &ErasedState) -> f32 {
        self.0.phase(state.typed())
    }

    fn centrality(&self, code: u16) -> u8 {
        self.0.centrality(mv::<G>(code))
    }

    fn symmetries(&self) -> u8 {
        self.0.symmetries()
    }

    fn transform(&self, state: &ErasedState, symmetry: Symmetry) -> ErasedState {
        ErasedState::new(self.0.transform(state.typed(), symmetry))
    }

    fn transform_move(&self, code: u16, symmetry: Symmetry) -> u16 {
        self.0.transform_move(mv::<G>(code), symmetry).code()
    }

    fn recomputed(&self, state: &ErasedState) -> ErasedState {
        ErasedState::new(self.0.recomputed(state.typed()))
    }

    fn spec(&self) -> String {
        self.0.spec()
    }

    fn print_move(&self, state: &ErasedState, code: u16) -> String {
        self.0.print_move(state.typed(), mv::<G>(code))
    }

    fn parse_move(&self, state: &ErasedState, text: &str) -> Result<u16, TextError> {
        self.0.parse_move(state.typed(), text).map(MoveCode::code)
    }

    fn action_id(&self, code: u16) -> Option<u16> {
        self.0.action_id(mv::<G>(code))
    }

    fn parse_moves(&self, state: &ErasedState, text: &str) -> Result<Vec<u16>, TextError> {
        Ok(self.0.parse_moves(state.typed(), text)?.into_iter().map(MoveCode::code).collect())
    }

    fn print_position(&self, state: &ErasedState) -> String {
        self.0.print_position(state.typed())
    }

    fn parse_position(&self, text: &str) -> Result<ErasedState, TextError> {
        self.0.parse_position(text).map(ErasedState::new)
    }

    fn picture(&self, state: &ErasedState, last: Option<u16>) -> Option<Picture> {
        self.0.picture(state.typed(), last.map(mv::<G>))
    }

    fn structure(&self, state: &ErasedState) -> Option<Structure> {
        self.0.structure(state.typed())
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.0.side_name(side)
    }
}

impl ErasedGame {
    /// This game without its type.
    pub fn new<G: Notation>(game: Arc<G>) -> ErasedGame {
        ErasedGame(Arc::new(Typed(game)))
    }

    /// The specification: [`Notation::spec`].
    pub fn spec(&self) -> String {
        self.0.spec()
    }

    /// A legal move as text: [`Notation::print_move`].
    pub fn print_move(&self, state: &ErasedState, mv: u16) -> String {
        self.0.print_move(state, mv)
    }

    /// The legal moves of a line as text, each printed in its own position.
    pub fn print_moves(&self, state: &ErasedState, moves: &[u16]) -> Vec<String> {
        let mut state = state.clone();
        let print = |&mv: &u16| {
            let text = self.print_move(&state, mv);
            self.play(&mut state, mv);
            text
        };
        moves.iter().map(print).collect()
    }

    /// The legal move that `text` names: [`Notation::parse_move`].
    ///
    /// # Errors
    /// Text that names no legal move.
    pub fn parse_move(&self, state: &ErasedState, text: &str) -> Result<u16, TextError> {
        self.0.parse_move(state, text)
    }

    /// The number of a move in OpenSpiel: [`Notation::action_id`].
    pub fn action_id(&self, mv: u16) -> Option<u16> {
        self.0.action_id(mv)
    }

    /// The moves written in `text`: [`Notation::parse_moves`].
    ///
    /// # Errors
    /// The first word that is not a legal move.
    pub fn parse_moves(&self, state: &ErasedState, text: &str) -> Result<Vec<u16>, TextError> {
        self.0.parse_moves(state, text)
    }

    /// The position as one line of text: [`Notation::print_position`].
    pub fn print_position(&self, state: &ErasedState) -> String {
        self.0.print_position(state)
    }

    /// The position that [`print_position`](ErasedGame::print_position) wrote.
    ///
    /// # Errors
    /// It is not a position of this board.
    pub fn parse_position(&self, text: &str) -> Result<ErasedState, TextError> {
        self.0.parse_position(text)
    }

    /// The board after the move `last`: [`Notation::picture`].
    pub fn picture(&self, state: &ErasedState, last: Option<u16>) -> Option<Picture> {
        self.0.picture(state, last)
    }

    /// The structure of the position: [`Notation::structure`].
    pub fn structure(&self, state: &ErasedState) -> Option<Structure> {
        self.0.structure(state)
    }

    /// The name that players use for a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.0.side_name(side)
    }
}

impl Game for ErasedGame {
    type State = ErasedState;
    type Move = u16;

    fn start(&self) -> ErasedState {
        self.0.start()
    }

    fn to_move(&self, state: &ErasedState) -> Side {
        self.0.to_move(state)
    }

    fn result(&self, state: &ErasedState) -> Option<Margin> {
        self.0.result(state)
    }

    fn moves(&self, state: &ErasedState, out: &mut MoveList<u16>) {
        self.0.moves(state, out);
    }

    fn play(&self, state: &mut ErasedState, mv: u16) {
        self.0.play(state, mv);
    }

    fn ply(&self, state: &ErasedState) -> u16 {
        self.0.ply(state)
    }

    fn max_plies(&self) -> u16 {
        self.0.max_plies()
    }

    fn plies_left(&self, state: &ErasedState) -> u16 {
        self.0.plies_left(state)
    }

    fn key(&self, state: &ErasedState) -> u64 {
        self.0.key(state)
    }

    fn margin_range(&self) -> Bounds {
        self.0.margin_range()
    }

    fn score(&self, state: &ErasedState) -> Margin {
        self.0.score(state)
    }

    fn bounds(&self, state: &ErasedState) -> Bounds {
        self.0.bounds(state)
    }

    fn phase(&self, state: &ErasedState) -> f32 {
        self.0.phase(state)
    }

    fn centrality(&self, mv: u16) -> u8 {
        self.0.centrality(mv)
    }

    fn symmetries(&self) -> u8 {
        self.0.symmetries()
    }

    fn transform(&self, state: &ErasedState, symmetry: Symmetry) -> ErasedState {
        self.0.transform(state, symmetry)
    }

    fn transform_move(&self, mv: u16, symmetry: Symmetry) -> u16 {
        self.0.transform_move(mv, symmetry)
    }

    fn recomputed(&self, state: &ErasedState) -> ErasedState {
        self.0.recomputed(state)
    }
}
