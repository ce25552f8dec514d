//! Names of openings: which one a game has played, and the moves of one that is named.

use std::collections::HashMap;
use std::sync::Arc;

use banyan_core::{ErasedGame, TextError, TextErrorKind};

use crate::game_state::{GameState, Opening, position_key};
use crate::suggest::did_you_mean;

/// A named opening of a game: names for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Moves from the start of the game to the position, separated by spaces. The names are those of the position, also if other moves
    /// lead to it, and of the positions that a symmetry of the board maps onto it.
    pub moves: &'static str,
    /// Its names, the usual one first.
    pub names: &'static [&'static str],
}

impl NamedOpening {
    /// The position after `moves`, which has these names.
    ///
    /// # Panics
    /// Without a name.
    pub const fn new(moves: &'static str, names: &'static [&'static str]) -> NamedOpening {
        assert!(!names.is_empty(), "an opening has a name");
        NamedOpening { moves, names }
    }

    /// The usual name.
    pub fn name(&self) -> &'static str {
        self.names[0]
    }
}

/// The named openings of one board, found by the positions of a game. A copy shares them.
#[derive(Clone)]
pub struct OpeningNames {
    spec: String,
    openings: &'static [NamedOpening],
    /// Indices of the openings by [`GameState::position_key`].
    by_key: Arc<HashMap<u64, usize>>,
}

impl OpeningNames {
    /// These openings of a game.
    ///
    /// # Panics
    /// Moves that the game does not have: a test of each game with names plays all of them.
    pub(crate) fn of(game: &ErasedGame, openings: &'static [NamedOpening]) -> OpeningNames {
        let key = |opening: &NamedOpening| {
            let line = GameState::open(game.clone(), Opening::Moves(opening.moves));
            line.unwrap_or_else(|err| panic!("{}: {err}", opening.name())).position_key()
        };
        let by_key = openings.iter().enumerate().map(|(idx, opening)| (key(opening), idx)).collect();
        OpeningNames { spec: game.spec(), openings, by_key: Arc::new(by_key) }
    }

    /// All named openings; empty if none is named on this board.
    pub fn all(&self) -> &'static [NamedOpening] {
        self.openings
    }

    /// The last named position of a game; `None` if it had none. The cost is that of the symmetries of every position.
    pub fn of_game(&self, game: &GameState) -> Option<&'static NamedOpening> {
        if self.openings.is_empty() {
            return None;
        }
        let mut latest = game.positions().rev().map(|state| position_key(game.rules(), state));
        latest.find_map(|key| self.by_key.get(&key)).map(|&idx| &self.openings[idx])
    }

    /// The opening called `name`, in any letter case.
    ///
    /// # Errors
    /// Another name, or a board on which no opening is named.
    pub fn find(&self, name: &str) -> Result<&'static NamedOpening, TextError> {
        let found = format!("opening {name:?}");
        if self.openings.is_empty() {
            let expected = format!("expected no name, since the openings of {} have none", self.spec);
            return Err(TextError::new(found, expected, "give the moves instead").of_kind(TextErrorKind::Unsupported));
        }
        let is_named = |opening: &&NamedOpening| opening.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        self.openings.iter().find(is_named).ok_or_else(|| {
            let names = self.openings.iter().flat_map(|opening| opening.names.iter().copied());
            let expected = format!("expected a named opening of {}{}", self.spec, did_you_mean(name, names));
            let remedy = format!("`banyan openings names {}` lists them", self.spec);
            TextError::new(found, expected, remedy).of_kind(TextErrorKind::UnknownName)
        })
    }
}
