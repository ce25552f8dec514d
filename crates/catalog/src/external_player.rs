//! An external engine as a player.

use banyan_core::{ErasedGame, Fault, Game, Limits, Margin, Player, Report, SearchObserver, Situation, Timer};

use crate::external_engine::{ExternalEngine, RunningEngine, quoted};
use crate::game_state::GameState;

/// An external engine as a player.
pub(crate) struct ExternalPlayer {
    player: Box<dyn RunningEngine>,
    /// The game as text, kept from move to move.
    game: Option<GameState>,
}

impl ExternalPlayer {
    pub(crate) fn new(engine: &dyn ExternalEngine) -> ExternalPlayer {
        ExternalPlayer { player: engine.open(), game: None }
    }

    /// The player, and the game at `at`.
    fn follow(&mut self, at: &Situation<'_, ErasedGame>) -> (&mut dyn RunningEngine, &GameState) {
        (&mut *self.player, follow(&mut self.game, at))
    }
}

/// Continues `game` to `at`, or starts a new one there.
fn follow<'g>(game: &'g mut Option<GameState>, at: &Situation<'_, ErasedGame>) -> &'g GameState {
    let mut known = game.take().filter(|game| game.spec() == at.game.spec());
    let continues = known.as_mut().is_some_and(|game| game.continue_to(at));
    game.insert(known.filter(|_| continues).unwrap_or_else(|| GameState::at(at)))
}

impl Player<ErasedGame> for ExternalPlayer {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let started = limits.timer.now();
        let (player, game) = self.follow(at);
        let answer = player.choose(game, limits, &mut || observer.stopped())?;
        let best = at.game.parse_move(at.state, &answer.best).map_err(|_| illegal(game, &answer.best))?;
        let pv = line(at, &answer.pv);
        // The engine is not charged for the delays of this program.
        let own_time = answer.time.filter(|_| limits.timer == Timer::WALL);
        Ok(Report {
            value: answer.value.filter(|value| value.is_finite()).unwrap_or(0.0).clamp(-1.0, 1.0),
            playouts: answer.playouts,
            nodes: answer.nodes,
            pv: if pv.first() == Some(&best) { pv } else { vec![best] },
            ..Report::bare(best, own_time.unwrap_or_else(|| limits.timer.since(started)))
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.game = None;
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        let (player, game) = self.follow(at);
        player.prepare(game, &mut || observer.stopped())
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }
}

fn illegal(game: &GameState, text: &str) -> Fault {
    Fault::Illegal(format!("{}, expected one of {}", quoted(text), game.legal_moves().join(" ")))
}

/// Parses moves up to the first invalid one.
fn line(at: &Situation<'_, ErasedGame>, texts: &[String]) -> Vec<u16> {
    let mut state = at.state.clone();
    let mut moves = Vec::new();
    for text in texts {
        let parsed = at.game.result(&state).is_none().then(|| at.game.parse_move(&state, text));
        let Some(Ok(mv)) = parsed else { break };
        at.game.play(&mut state, mv);
        moves.push(mv);
    }
    moves
}
