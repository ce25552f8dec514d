//! The game of a server: a session, its player, and the remaining time.

use std::time::{Duration, Instant};

use banyan_catalog::view::Analysis;
use banyan_catalog::{AnalysisObserver, AnyGame, Catalog, GameState, Opening, PlayerSpec, Seat, Session};
use banyan_core::{Fault, Limits, Side, TextError};

use super::Setup;

/// The largest time accepted from a client, in seconds; equivalent to no limit.
const LONGEST_SECONDS: f64 = 1e7;

/// Seconds received from another program, as a duration; zero if invalid.
pub(crate) fn duration_from_seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST_SECONDS)).unwrap_or_default()
}

/// A game in progress and the player that searches it.
pub(crate) struct HostedGame {
    game: AnyGame,
    setup: Setup,
    /// The starting position, unless it is the default one.
    opening: Option<String>,
    session: Session,
    seat: Seat,
    /// Time used by each side, by [`Side::index`].
    used: [Duration; 2],
}

impl HostedGame {
    pub(crate) fn new(game: AnyGame, setup: Setup) -> Result<HostedGame, TextError> {
        let mut session = game.open(Opening::Start)?;
        let seat = session.seat(&setup.player, setup.seed)?;
        Ok(HostedGame { game, setup, opening: None, session, seat, used: [Duration::ZERO; 2] })
    }

    /// Rows and columns of the board.
    pub(crate) fn size(&self) -> (usize, usize) {
        size_of(&self.session)
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Starts a new game: resets the player and its clock.
    pub(crate) fn clear(&mut self) -> Result<(), TextError> {
        self.open(None)
    }

    fn open(&mut self, opening: Option<&str>) -> Result<(), TextError> {
        self.session = self.game.open(opening.map_or(Opening::Start, Opening::Position))?;
        self.seat = self.session.seat(&self.setup.player, self.setup.seed)?;
        self.opening = opening.map(str::to_owned);
        self.used = [Duration::ZERO; 2];
        Ok(())
    }

    /// Changes the board size of Reversi and sets up the position after `moves`; the counting rule is kept.
    ///
    /// # Errors
    /// An invalid size, position or move; the game is then unchanged.
    pub(crate) fn change_reversi_size(
        &mut self,
        catalog: &Catalog,
        side: &str,
        opening: Option<&str>,
        moves: &[String],
    ) -> Result<(), TextError> {
        let spec = self.game.spec();
        let counting = options_of(&spec).split_once(',').map(|(_, count)| format!(",{count}")).unwrap_or_default();
        let game = catalog.game(&format!("reversi:{side}x{side}{counting}"))?;
        let wanted = reached(&game, opening, moves)?;
        self.game = game;
        self.open(opening)?;
        self.play(&wanted)
    }

    /// Sets up the position after `moves`, in the game's notation. If it continues the current game, the player keeps its
    /// search.
    ///
    /// # Errors
    /// An invalid position or move; the game is then unchanged.
    pub(crate) fn go_to(&mut self, opening: Option<&str>, moves: &[String]) -> Result<(), TextError> {
        let (history, wanted) = (self.session.history(), reached(&self.game, opening, moves)?);
        if self.opening.as_deref() != opening || !wanted.starts_with(&history) {
            self.open(opening)?;
        }
        self.play(&wanted)
    }

    /// Plays the moves that the session does not have yet.
    fn play(&mut self, moves: &[String]) -> Result<(), TextError> {
        moves[self.session.history().len()..].iter().try_for_each(|mv| self.session.play(mv).map(drop))
    }

    /// The limits of the next move by the setup's budget.
    pub(crate) fn limits(&self) -> Limits {
        let game = self.setup.budget.game.unwrap_or_default();
        let left = |side: Side| game.saturating_sub(self.used[side.index()]);
        let side = self.session.to_move();
        self.setup.budget.limits([left(side), left(!side)])
    }

    /// The player, if it has no limit on depth.
    pub(crate) fn player_without_depth(&self) -> Option<PlayerSpec> {
        let player = self.session.in_game(&self.setup.player).ok()?;
        (player.has_depth() == Some(false)).then_some(player)
    }

    /// The only legal move, if there is only one.
    pub(crate) fn forced(&self) -> Option<String> {
        let mut legal = self.session.legal_moves();
        if legal.len() == 1 { legal.pop() } else { None }
    }

    /// Searches for the best move of a game that is not over.
    pub(crate) fn choose(&mut self, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Result<Analysis, Fault> {
        let (begun, side) = (Instant::now(), self.session.to_move());
        let analysis = self.session.choose(self.seat, limits, observer);
        let increment = self.setup.budget.increment.unwrap_or_default();
        let used = &mut self.used[side.index()];
        *used = (*used + begun.elapsed()).saturating_sub(increment);
        analysis
    }
}

/// The best move of an analysis of a game that is not over.
pub(crate) fn best_of(analysis: &Analysis) -> &str {
    analysis.best.as_deref().expect("a player returns a move while the game is not over")
}

/// Rows and columns of the board of a game.
pub(crate) fn size_of(game: &GameState) -> (usize, usize) {
    game.picture().map_or((0, 0), |picture| (picture.rows, picture.columns))
}

/// The history of a game that starts at `opening` and continues with `moves`.
fn reached(game: &AnyGame, opening: Option<&str>, moves: &[String]) -> Result<Vec<String>, TextError> {
    let mut wanted = game.open(opening.map_or(Opening::Start, Opening::Position))?;
    wanted.play_all(&moves.join(" "))?;
    Ok(wanted.history())
}

/// The options of a game specification.
fn options_of(spec: &str) -> &str {
    spec.split_once(':').map_or("", |(_, options)| options)
}

/// Checks that `game` is one of `family`.
pub(crate) fn require(game: &AnyGame, family: &str, protocol: &str) -> Result<(), TextError> {
    let spec = game.spec();
    if spec.split(':').next() == Some(family) {
        return Ok(());
    }
    let expected = format!("expected {family}, the only game supported with {protocol}");
    Err(TextError::new(format!("game {spec}"), expected, format!("use {family}, or another protocol")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_board_is_counted_alike_and_taken_whole_or_not_at_all() {
        let setup = Setup::new("random".parse().expect("a player"), "playouts=1".parse().expect("a budget"), 1);
        let game = crate::builtin().game("reversi:8x8,count=discs").expect("a game");
        let mut table = HostedGame::new(game, setup.expect("a budget that ends")).expect("a table");
        let moves = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        table.go_to(None, &moves("f5 d6")).expect("legal moves");
        for (side, opening, wrong) in
            [("6", None, "a1"), ("6", Some("nonsense"), "c2"), ("7", None, ""), ("x", None, "")]
        {
            assert!(
                table.change_reversi_size(&crate::builtin(), side, opening, &moves(wrong)).is_err(),
                "{side} {opening:?} {wrong}"
            );
            assert_eq!((table.game.spec().as_str(), table.session.history().len()), ("reversi:8x8,count=discs", 2));
        }
        table.change_reversi_size(&crate::builtin(), "6", None, &moves("c2")).expect("a board");
        assert_eq!((table.size(), table.session.history()), ((6, 6), moves("c2")));
        assert_eq!((table.game.spec(), table.session.spec()), (table.session.spec(), "reversi:6x6,count=discs".into()));
    }
}
