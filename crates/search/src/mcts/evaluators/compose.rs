//! Composes the evaluators of a search from its settings and the game's kit.

use std::sync::Arc;

use banyan_core::{Evaluator, FINE, Game, Knowledge, PlayoutPolicy, Priors, TextError, TextErrorKind, Uniform};

use super::delay::Delay;
use super::exact_leaves::ExactLeaves;
use super::forced_first::ForcedFirst;
use super::leaf_search::LeafSearch;
use super::learning::{LastGoodReplies, LearningPlayouts, MoveAverages};
use super::playouts::{CutPlayouts, MostCentral, Playouts, TacticalMoves, TacticalPlayouts, WeightedByCentrality};
use super::static_eval::{NoisyEvaluator, StaticEvaluator, StaticMargin};
use crate::alpha_beta::{Lookahead, ShallowSearch};
use crate::kit::Kit;
use crate::options::{Config, ForcedMoves, PriorSource, Proof, Reward};
use crate::solver::prover;

/// The leaf evaluators that every game has: name and meaning.
pub const EVALUATORS: &[(&str, &str)] = &[
    ("uniform", "a playout of uniformly random moves"),
    ("tactical", "a playout of random moves among those that one-ply tactics leave; what forced moves prove counts"),
    ("central", "a playout of the most central moves, at random among equals"),
    ("weighted", "a playout of random moves, the more central the likelier"),
    ("mast", "a playout of random moves, those with better mean results so far the likelier (experimental)"),
    (
        "last-good-reply",
        "a playout by the last reply to each move with which its side won, else at random (experimental)",
    ),
    ("last-good-reply-2", "the same by replies to the last two moves first (experimental)"),
    ("margin", "the margin if the game stopped here"),
    ("static", "the static evaluation"),
];

/// The evaluator that uses [`threat-rules`](Config::threat_rules).
const THREAT: &str = "threat";

/// The default of `threat-rules`.
const ALL_RULES: &str = "all";

/// The evaluators and knowledge of one thread's search.
pub(crate) struct Parts<G: Game> {
    pub(crate) knowledge: Box<dyn Knowledge<G>>,
    /// Values leaves.
    pub(crate) leaves: Box<dyn Evaluator<G>>,
    /// Whether its values are static evaluations and nothing else.
    pub(crate) leaves_are_static: bool,
    /// Values the positions at the horizon; `None` if they are valued like other leaves.
    pub(crate) horizon: Option<Box<dyn Evaluator<G>>>,
    /// Evaluates new nodes (`node-eval`), in addition to their children.
    pub(crate) nodes: Option<Box<dyn Evaluator<G>>>,
    /// Gives priors on request.
    pub(crate) priors: Option<Box<dyn Evaluator<G>>>,
    /// Finds the root move that gets a bonus.
    pub(crate) root_bias: Option<Box<dyn ShallowSearch<G>>>,
}

impl<G: Game> Parts<G> {
    /// The parts for each thread, with the leaf evaluator `leaves`; `by_setting`: it is that of the setting `eval`.
    ///
    /// # Errors
    /// Priors that the game does not have.
    pub(crate) fn new<T: Kit<G>>(
        config: &Config,
        leaves: Box<dyn Evaluator<G>>,
        by_setting: bool,
        kit: &T,
    ) -> Result<Vec<Parts<G>>, TextError> {
        let priors = match (leaves.gives_priors(), config.priors) {
            (Priors::OnRequest, _) => Some(leaves.fork(0)),
            (Priors::WithValues, _) | (Priors::None, PriorSource::Uniform) => None,
            (Priors::None, PriorSource::Game) => Some(kit.prior_evaluator().ok_or_else(no_priors)?),
        };
        let knowledge = kit.knowledge();
        let horizon = horizon_evaluator(config, kit)?;
        let nodes = (config.node_eval > 0.0)
            .then(|| kit.node_evaluator().unwrap_or_else(|| Box::new(StaticEvaluator(knowledge.clone()))));
        let parts = forks(leaves, config.n_searchers()).into_iter().zip(0..).map(|(leaves, number)| Parts {
            knowledge: Box::new(knowledge.clone()),
            leaves: wrapped(leaves, config, kit),
            leaves_are_static: by_setting && config.evaluates_statically(),
            horizon: horizon.as_ref().map(|horizon| wrapped(horizon.fork(number), config, kit)),
            nodes: nodes.as_ref().map(|nodes| nodes.fork(number)),
            priors: priors.as_ref().map(|priors| priors.fork(number)),
            root_bias: root_bias(config, &knowledge),
        });
        Ok(parts.collect())
    }
}

/// The evaluator of positions at the horizon; `None` if it is the evaluator of other leaves.
fn horizon_evaluator<G: Game, T: Kit<G>>(config: &Config, kit: &T) -> Result<Option<Box<dyn Evaluator<G>>>, TextError> {
    if config.horizon_eval == SAME {
        return Ok(None);
    }
    let config = Config { evaluator: config.horizon_eval.clone(), playout_plies: 0, ..config.clone() };
    let evaluator =
        leaf_evaluator(&config, kit).map_err(|err| TextError { found: format!("horizon-{}", err.found), ..err });
    let mut evaluator = evaluator?;
    if evaluator.learner().is_some() {
        let (found, remedy) = (format!("horizon-eval={}", config.horizon_eval), "try horizon-eval=static");
        let expected = "expected an evaluator that does not learn, for nothing is learnt at a horizon";
        return Err(TextError::new(found, expected, remedy).of_kind(TextErrorKind::Conflict));
    }
    Ok(Some(evaluator))
}

/// The default of `horizon-eval`.
const SAME: &str = "same";

fn no_priors() -> TextError {
    let err = TextError::new("priors=game", "expected a game with priors", "leave priors out");
    err.of_kind(TextErrorKind::Unsupported)
}

/// The evaluator and a fork of it for each further thread.
fn forks<G: Game>(evaluator: Box<dyn Evaluator<G>>, n: u32) -> Vec<Box<dyn Evaluator<G>>> {
    let forks: Vec<_> = (1..n).map(|number| evaluator.fork(number)).collect();
    std::iter::once(evaluator).chain(forks).collect()
}

/// The leaf evaluators of a game with this kit: name and meaning.
pub fn evaluators_of<G: Game, T: Kit<G>>(kit: &T) -> impl Iterator<Item = (&'static str, &'static str)> {
    EVALUATORS.iter().chain(kit.evaluators()).copied()
}

/// The leaf evaluator that the settings name.
///
/// # Errors
/// An evaluator that the game does not have, or settings that it does not support.
pub fn leaf_evaluator<G: Game, T: Kit<G>>(config: &Config, kit: &T) -> Result<Box<dyn Evaluator<G>>, TextError> {
    let name = config.evaluator.as_str();
    let mut names = evaluators_of(kit).map(|(name, _)| name);
    if name != THREAT && config.threat_rules != ALL_RULES {
        let found = format!("eval={name},threat-rules={}", config.threat_rules);
        let has_threat = names.any(|name| name == THREAT);
        let remedy = if has_threat { "add eval=threat, or leave threat-rules out" } else { "leave threat-rules out" };
        let expected = "expected eval=threat with it, for no other playouts have rules";
        return Err(TextError::new(found, expected, remedy).of_kind(TextErrorKind::Conflict));
    }
    if let Some(evaluator) = kit.evaluator(name, config)? {
        return Ok(evaluator);
    }
    let knowledge = kit.knowledge();
    Ok(match name {
        "uniform" => playouts(Uniform, knowledge, config),
        "tactical" if config.playout_plies > 0 => {
            Box::new(CutPlayouts::new(TacticalMoves(knowledge.clone()), knowledge, config.playout_plies))
        }
        "tactical" => Box::new(TacticalPlayouts::new(knowledge)),
        "central" => playouts(MostCentral, knowledge, config),
        "weighted" => playouts(WeightedByCentrality, knowledge, config),
        "mast" => Box::new(LearningPlayouts::new(MoveAverages::new(config.mast_temperature), knowledge)),
        "last-good-reply" | "last-good-reply-2" => {
            Box::new(LearningPlayouts::new(LastGoodReplies::new(name == "last-good-reply-2"), knowledge))
        }
        "margin" | "static" if config.eval_noise > 0.0 => {
            let most = (config.eval_noise * FINE as f32) as i32;
            Box::new(NoisyEvaluator { knowledge, of_margin: name == "margin", most })
        }
        "margin" => Box::new(StaticMargin(knowledge)),
        "static" => Box::new(StaticEvaluator(knowledge)),
        _ => {
            let remedy = format!("try one of {}", names.collect::<Vec<_>>().join(", "));
            let err = TextError::new(format!("eval={name}"), "expected an evaluator of this game", remedy);
            return Err(err.of_kind(TextErrorKind::UnknownName));
        }
    })
}

/// Playouts by a policy to the end, or to the limit of `playout-plies`.
pub fn playouts<G: Game, P, K>(policy: P, knowledge: K, config: &Config) -> Box<dyn Evaluator<G>>
where
    P: PlayoutPolicy<G>,
    K: Knowledge<G> + Clone + 'static,
{
    if config.playout_plies > 0 {
        Box::new(CutPlayouts::new(policy, knowledge, config.playout_plies))
    } else {
        Box::new(Playouts::new(policy))
    }
}

/// The evaluator in the wrappers that the settings require.
fn wrapped<G: Game, T: Kit<G>>(
    mut evaluator: Box<dyn Evaluator<G>>,
    config: &Config,
    kit: &T,
) -> Box<dyn Evaluator<G>> {
    if config.forced.is_at_leaves() {
        // With a score bonus only an exact margin decides, as if points were the reward.
        let decided = if config.score_bonus > 0.0 { Reward::Margin } else { config.reward };
        let reward = (config.proof != Proof::Off).then_some(decided);
        let one_ply = config.forced == ForcedMoves::OnePlyAlways;
        evaluator = Box::new(ForcedFirst::new(evaluator, kit.knowledge(), reward, one_ply));
    }
    if config.leaf_search_depth > 0 {
        let (depth, below) = (config.leaf_search_depth, config.leaf_search_below);
        evaluator = Box::new(LeafSearch::new(evaluator, kit.knowledge(), depth, below));
    }
    if config.exact_leaves > 0 {
        let kit = kit.clone();
        let new_prover = Arc::new(move || prover(&kit, EXACT_LEAVES_MIB));
        evaluator = Box::new(ExactLeaves::new(evaluator, config.exact_leaves, new_prover));
    }
    if config.pad > 0 {
        evaluator = Box::new(Delay::new(evaluator, config.pad));
    }
    evaluator
}

/// MiB to which the table of the solver of leaves grows, in each thread; leaves at the horizon have a second table. Guess, untuned.
const EXACT_LEAVES_MIB: u32 = 16;

fn root_bias<G: Game, K: Knowledge<G> + Clone + 'static>(
    config: &Config,
    knowledge: &K,
) -> Option<Box<dyn ShallowSearch<G>>> {
    (config.root_bias_depth > 0)
        .then(|| Box::new(Lookahead::new(config.root_bias_depth, knowledge.clone())) as Box<dyn ShallowSearch<G>>)
}
