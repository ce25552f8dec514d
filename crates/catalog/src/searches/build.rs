//! Players by their specifications.

use std::sync::Arc;
use std::time::Duration;

use banyan_core::{Limits, PlaneEvaluator, TextError};
use banyan_search::{SolverPlayer, Vote};

use super::{Built, ErasedPlayer, Given, Searches, no_leaves};
use crate::book::{BookPlayer, ExactBookPlayer, OpenedBook};
use crate::external_player::ExternalPlayer;
use crate::game_state::{GameState, Opening};
use crate::players::{Handicap, Handicapped, Kind, PlayerSpec};

/// The time of an engine that predicts a reply, for each unit of the model's budget.
const MODEL_TIME: Duration = Duration::from_millis(10);

/// The playouts of any other player that predicts a reply, for each unit.
const MODEL_PLAYOUTS: u64 = 100;

/// A named opponent model, with its limits for one unit of budget.
///
/// # Errors
/// See [`build`].
fn opponent_model(
    searches: &Arc<dyn Searches>,
    model: &PlayerSpec,
    units: u32,
    seed: u64,
) -> Result<(ErasedPlayer, Limits), TextError> {
    let limits = match model.kind() {
        Kind::AlphaBeta(_) => Limits { depth: Some(units), ..Limits::default() },
        Kind::ExternalEngine(_) => Limits::time(MODEL_TIME * units),
        _ => Limits::playouts(MODEL_PLAYOUTS * u64::from(units)),
    };
    Ok((build(searches, model, seed)?, limits))
}

/// The player for the game of these searches, with random seed `seed`.
///
/// # Errors
/// Settings that are incompatible in this game, an evaluator that it does not have, a published system or a book of another game.
pub(crate) fn build(searches: &Arc<dyn Searches>, player: &PlayerSpec, seed: u64) -> Result<ErasedPlayer, TextError> {
    build_with(searches, player, seed, None)
}

/// The player with an evaluator from outside, if one is given.
///
/// # Errors
/// Those of [`build`], and a player that is not a Monte Carlo search with an evaluator from outside.
pub(crate) fn build_with(
    searches: &Arc<dyn Searches>,
    player: &PlayerSpec,
    seed: u64,
    outside: Option<Box<dyn PlaneEvaluator>>,
) -> Result<ErasedPlayer, TextError> {
    player.check_game(searches.tables().presets)?;
    let mut built: ErasedPlayer = match player.kind() {
        Kind::Vote(_) | Kind::ExternalEngine(_) if outside.is_some() => return Err(player.named(no_leaves())),
        Kind::Vote(members) => {
            let members: Result<_, TextError> = members.iter().map(|member| build(searches, member, seed)).collect();
            Box::new(Vote::new(members?))
        }
        Kind::Best(_) | Kind::Level(_) => {
            return build_with(searches, &player.in_game(searches.tables())?, seed, outside);
        }
        Kind::ExternalEngine(engine) => Box::new(ExternalPlayer::new(&**engine)),
        _ => {
            let model =
                player.model().map(|model| opponent_model(searches, model, player.model_budget(), seed)).transpose();
            let given = model.map(|model| Given { seed, model, outside });
            match given.and_then(|given| searches.player(player, given)).map_err(|err| player.named(err))? {
                Built::Player(player) => player,
                Built::Solver(config, opening, prover) => Box::new(SolverPlayer::new(config, opening, prover)),
            }
        }
    };
    if *player.handicap() != Handicap::default() {
        built = Box::new(Handicapped::new(*player.handicap(), built));
    }
    if let Some(setting) = player.book() {
        let start = || GameState::open(searches.game().clone(), Opening::Start);
        built = match setting.open(searches.tables().exact_book, start)? {
            OpenedBook::Searched(book) => Box::new(BookPlayer::new(book, built)),
            OpenedBook::Exact(book) => Box::new(ExactBookPlayer::new(book, built)),
        };
    }
    built.new_game(seed);
    Ok(built)
}
