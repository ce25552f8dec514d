//! The searches and evaluators of one game, made from the kit of its knowledge and the names that players are asked for by.

use std::sync::Arc;

use banyan_core::{Evaluator, Notation, Player, Solver, TextError};
use banyan_search::{
    AlphaBeta, AlphaBetaConfig, Config, ExactSolver, Greedy, Kit, Mcts, Random, Vote, evaluators_of, leaf_evaluator,
};

use crate::external_player::ExternalPlayer;
use crate::players::{GamePreset, Kind, PlayerSpec};
use crate::session::Means;

/// What a game has beside its rules and its kit: tables.
#[derive(Clone, Copy, Debug)]
pub struct GameTables {
    /// Players tuned for the game.
    pub presets: &'static [GamePreset],
    /// The player that `best` is: the winner of the recorded matches of this game.
    pub best: &'static str,
    /// Where those matches are recorded; empty where none were played.
    pub evidence: &'static str,
    /// Plies of generated openings unless asked otherwise; never more than a quarter of the game are played.
    pub opening_plies: u16,
    /// Moves that published counts of move sequences let a finished game still make
    /// ([`published_perft`](banyan_core::published_perft)).
    pub moves_after_end: u32,
}

impl GameTables {
    /// A game with these presets, whose best player is taken to be `mcgs`, six plies of generated openings (guess, untuned) and
    /// nothing else of its own.
    pub const fn with_presets(presets: &'static [GamePreset]) -> GameTables {
        GameTables { presets, best: "mcgs", evidence: "", opening_plies: 6, moves_after_end: 0 }
    }
}

/// Makes what plays, solves and evaluates one game.
pub(crate) trait Engine<G: Notation>: Send + Sync {
    /// The tables of the game.
    fn tables(&self) -> &GameTables;

    /// A player that lives in this program and is no vote.
    ///
    /// # Errors
    /// Settings that do not go together, or an evaluator that the game does not have.
    fn player(&self, player: &PlayerSpec, seed: u64) -> Result<Box<dyn Player<G>>, TextError>;

    /// A solver.
    fn solver(&self, means: Means) -> Box<dyn Solver<G>>;

    /// Positions that alpha-beta visits to a depth.
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, game: &G, state: &G::State, depth: u32) -> u64;

    /// The evaluator of leaves called `name`.
    ///
    /// # Errors
    /// The game has none of that name.
    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<G>>, TextError>;

    /// The evaluators of leaves: name and meaning.
    fn evaluators(&self) -> Vec<(&'static str, &'static str)>;
}

/// A kit and tables as an engine.
pub(crate) struct KitEngine<T> {
    pub(crate) kit: T,
    pub(crate) tables: GameTables,
}

impl<G: Notation, T: Kit<G>> Engine<G> for KitEngine<T> {
    fn tables(&self) -> &GameTables {
        &self.tables
    }

    fn player(&self, player: &PlayerSpec, seed: u64) -> Result<Box<dyn Player<G>>, TextError> {
        let knowledge = || self.kit.knowledge();
        Ok(match player.kind_in(self.tables.presets, |config| leaf_evaluator(config, &self.kit).is_ok())? {
            Kind::Random => Box::new(Random::new(seed)),
            Kind::Greedy => Box::new(Greedy::with_knowledge(seed, knowledge())),
            Kind::Search(config) => Box::new(Mcts::with_kit(*config, &self.kit)?),
            Kind::AlphaBeta(config) => Box::new(AlphaBeta::with_knowledge(config, knowledge())),
            Kind::Vote(_) | Kind::Best(_) | Kind::ExternalEngine(_) => unreachable!("{player} is made of others"),
        })
    }

    fn solver(&self, means: Means) -> Box<dyn Solver<G>> {
        Box::new(ExactSolver::with_knowledge(means.table_mib, self.kit.knowledge()).with_threads(means.threads))
    }

    fn nodes_to_depth(&self, config: &AlphaBetaConfig, game: &G, state: &G::State, depth: u32) -> u64 {
        AlphaBeta::with_knowledge(config.clone(), self.kit.knowledge()).search_to_depth(game, state, depth).nodes
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<G>>, TextError> {
        let config = Config { evaluator: name.to_owned(), ..Config::default() };
        leaf_evaluator(&config, &self.kit)
    }

    fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        evaluators_of(&self.kit).collect()
    }
}

/// The player for games of type `G`, with all its randomness from `seed`.
///
/// # Errors
/// Settings that do not go together in this game, or an evaluator that it does not have.
pub(crate) fn build<G: Notation>(
    engine: &Arc<dyn Engine<G>>,
    player: &PlayerSpec,
    seed: u64,
) -> Result<Box<dyn Player<G>>, TextError> {
    let mut built: Box<dyn Player<G>> = match player.kind() {
        Kind::Vote(members) => {
            let members: Result<_, TextError> = members.iter().map(|member| build(engine, member, seed)).collect();
            Box::new(Vote::new(members?))
        }
        Kind::Best(_) => build(engine, &player.in_game(engine.tables())?, seed)?,
        Kind::ExternalEngine(engine) => Box::new(ExternalPlayer::new(&**engine)),
        _ => engine.player(player, seed).map_err(|err| player.named(err))?,
    };
    built.new_game(seed);
    Ok(built)
}
