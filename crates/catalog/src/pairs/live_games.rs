//! The games of a match while they are played, for spectators.

use banyan_core::{ErasedGame, Fault, Game, Limits, Margin, Player, Report, SearchObserver, Situation};

/// A game that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// Index of the pair.
    pub pair: u64,
    /// The number of the game in the pair, 0 or 1.
    pub game: u8,
    /// The game with its board.
    pub spec: String,
    /// Names of the players, the first side's first.
    pub players: [String; 2],
    /// The moves so far: at first those of the opening.
    pub moves: Vec<String>,
}

/// Receives the moves of the games that are played. It is called between the moves and must return quickly.
pub trait LiveGames: Send + Sync {
    /// A game begins.
    fn begins(&self, game: LiveGame);
    /// A move is made in the game with this pair and number.
    fn moved(&self, id: (u64, u8), mv: String);
}

/// A player whose moves are shown.
pub(super) struct Shown<'a> {
    pub(super) player: &'a mut dyn Player<ErasedGame>,
    pub(super) id: (u64, u8),
    pub(super) to: &'a dyn LiveGames,
}

impl Player<ErasedGame> for Shown<'_> {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let report = self.player.choose(at, limits, observer)?;
        let mut legal = Vec::new();
        at.game.moves(at.state, &mut legal);
        // The referee refuses illegal moves.
        if legal.contains(&report.best) {
            self.to.moved(self.id, at.game.print_move(at.state, report.best));
        }
        Ok(report)
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        self.player.prepare(at, observer)
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }
}
