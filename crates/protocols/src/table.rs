//! The game a server plays: a session, the player at it, and what is left on its clock.

use std::time::{Duration, Instant};

use banyan_catalog::view::Analysis;
use banyan_catalog::{AnyGame, Onlooker, Opening, Seat, Session};
use banyan_core::{Fault, Limits, Side, TextError};

use crate::Setup;

/// A game in progress and the player that is asked about it.
pub(crate) struct Table {
    game: Box<dyn AnyGame>,
    setup: Setup,
    /// The position the game began with, unless that is the usual one.
    opening: Option<String>,
    session: Box<dyn Session>,
    seat: Seat,
    /// What the player used up for each side, by [`Side::index`].
    used: [Duration; 2],
}

impl Table {
    pub(crate) fn new(game: Box<dyn AnyGame>, setup: Setup) -> Result<Table, TextError> {
        let mut session = game.open(Opening::Start)?;
        let seat = session.seat(&setup.player, setup.seed);
        Ok(Table { game, setup, opening: None, session, seat, used: [Duration::ZERO; 2] })
    }

    pub(crate) fn session(&self) -> &dyn Session {
        &*self.session
    }

    pub(crate) fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// A new game: the player forgets everything and its clock is full again.
    pub(crate) fn clear(&mut self) -> Result<(), TextError> {
        self.open(None)
    }

    fn open(&mut self, opening: Option<&str>) -> Result<(), TextError> {
        self.session = self.game.open(opening.map_or(Opening::Start, Opening::Position))?;
        self.seat = self.session.seat(&self.setup.player, self.setup.seed);
        self.opening = opening.map(str::to_owned);
        self.used = [Duration::ZERO; 2];
        Ok(())
    }

    /// A new game on another board.
    pub(crate) fn change_game(&mut self, game: Box<dyn AnyGame>) -> Result<(), TextError> {
        self.game = game;
        self.clear()
    }

    /// Goes to the position after `moves`, written in the game's notation. A game that goes on is the same game: the
    /// player keeps what it knows.
    ///
    /// # Errors
    /// A position or a move that cannot be read; the game is what it was before.
    pub(crate) fn go_to(&mut self, opening: Option<&str>, moves: &[String]) -> Result<(), TextError> {
        let mut wanted = self.game.open(opening.map_or(Opening::Start, Opening::Position))?;
        wanted.play_all(&moves.join(" "))?;
        let (history, wanted) = (self.session.history(), wanted.history());
        if self.opening.as_deref() != opening || !wanted.starts_with(&history) {
            self.open(opening)?;
        }
        for mv in &wanted[self.session.history().len()..] {
            self.session.play(mv)?;
        }
        Ok(())
    }

    /// What the next move may cost by the setup's budget alone.
    pub(crate) fn limits(&self) -> Limits {
        let game = self.setup.budget.game.unwrap_or_default();
        let left = |side: Side| game.saturating_sub(self.used[side.index()]);
        let side = self.session.to_move();
        self.setup.budget.limits([left(side), left(!side)])
    }

    /// The move that needs no search, because there is no other.
    pub(crate) fn forced(&self) -> Option<String> {
        let mut legal = self.session.legal_moves();
        if legal.len() == 1 { legal.pop() } else { None }
    }

    /// Lets the player choose in a game that is not over.
    pub(crate) fn choose(&mut self, limits: &Limits, onlooker: &mut dyn Onlooker) -> Result<Analysis, Fault> {
        let (begun, side) = (Instant::now(), self.session.to_move());
        let analysis = self.session.choose(self.seat, limits, onlooker);
        let increment = self.setup.budget.increment.unwrap_or_default();
        let used = &mut self.used[side.index()];
        *used = (*used + begun.elapsed()).saturating_sub(increment);
        analysis
    }
}

/// The best move of an analysis of a game that is not over.
pub(crate) fn best_of(analysis: &Analysis) -> &str {
    analysis.best.as_deref().expect("a player answers with a move while the game goes on")
}

/// The options of `game`, which has to be one of `family`.
pub(crate) fn require(game: &dyn AnyGame, family: &str, protocol: &str) -> Result<String, TextError> {
    let spec = game.spec();
    let (name, options) = spec.split_once(':').unwrap_or((&spec, ""));
    if name == family {
        return Ok(options.to_owned());
    }
    let expected = format!("{protocol} is spoken for {family}");
    Err(TextError::new(format!("game {spec}"), expected, format!("name {family}, or use another protocol")))
}
