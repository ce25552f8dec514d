//! Anything that chooses moves: a search, a person at the terminal, another program.

use std::fmt;

use crate::{Explored, Game, Limits, Margin, Report};

/// A position together with how it arose: searches reuse what they know, protocols need the history.
pub struct Situation<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where the game began, not necessarily the game's own start.
    pub start: &'a G::State,
    /// The moves from `start` to `state`.
    pub played: &'a [G::Move],
    /// The position to move in; the game is not over.
    pub state: &'a G::State,
}

impl<G: Game> Clone for Situation<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Situation<'_, G> {}

/// Why a player could not give a move. Whoever runs the game scores it as a loss and names the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its process ended.
    Crashed(String),
    /// It did not answer in time.
    Late(String),
    /// It answered with something that is no legal move.
    Illegal(String),
    /// It said something that its protocol does not have in this place, or far too much.
    Nonsense(String),
    /// It gave up.
    Resigned,
    /// Its code panicked.
    Panicked(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crashed(how) => write!(f, "crashed: {how}"),
            Fault::Late(how) => write!(f, "late: {how}"),
            Fault::Illegal(how) => write!(f, "illegal move: {how}"),
            Fault::Nonsense(how) => write!(f, "nonsense: {how}"),
            Fault::Resigned => f.write_str("resigned"),
            Fault::Panicked(how) => write!(f, "panicked: {how}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Whether a search should go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Answer with the best move so far.
    Stop,
}

/// Who looks on while a player thinks.
pub trait SearchObserver<M> {
    /// Asked every few milliseconds; `true` ends the search within 50 ms.
    fn stopped(&mut self) -> bool {
        false
    }

    /// Told at least ten times a second how things stand.
    fn progress(&mut self, _report: &Report<M>) -> Flow {
        Flow::Continue
    }
}

/// A observer that never looks and never stops anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<M> SearchObserver<M> for Silent {}

/// Chooses moves in one game.
pub trait Player<G: Game>: Send {
    /// Chooses a move in a position that is not over. A position with a single legal move is searched like any other.
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault>;

    /// A new game begins: nothing is remembered, and all randomness follows from `seed`.
    fn new_game(&mut self, seed: u64);

    /// The game begins in the position `at`, told after [`new_game`](Player::new_game) while no clock runs yet: whoever has to
    /// start a program does so now. By default nothing happens.
    ///
    /// # Errors
    /// The player cannot play this game; it loses it.
    fn prepare(&mut self, _at: &Situation<'_, G>, _watch: &mut dyn SearchObserver<G::Move>) -> Result<(), Fault> {
        Ok(())
    }

    /// The game ended with this margin.
    fn game_over(&mut self, _result: Margin) {}

    /// The top of what the last search of this position left, the most visited positions first and at most
    /// `most_nodes` of them; `None` for players that keep nothing or have not searched it.
    fn explored(&self, _at: &Situation<'_, G>, _most_nodes: usize) -> Option<Explored<G::Move>> {
        None
    }
}
