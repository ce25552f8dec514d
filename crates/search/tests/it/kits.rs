//! Kits of the toy games.

use banyan_core::{Evaluator, Game, Leaves, Plain, Priors, Rng};
use banyan_search::{Config, Kit, Mcts};
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::{Mesh, MeshKnowledge, MeshNodeEvaluator, MeshPriors};

/// A toy game with its kit.
pub trait WithKit: Game {
    /// A search with settings without conflicts.
    fn mcts(config: Config) -> Mcts<Self>
    where
        Self: Sized;
}

/// A search of a toy game with settings without conflicts.
pub fn mcts<G: WithKit>(config: Config) -> Mcts<G> {
    G::mcts(config)
}

#[derive(Clone)]
struct MeshKit;

impl Kit<Mesh> for MeshKit {
    type Knowledge = MeshKnowledge;

    fn knowledge(&self) -> MeshKnowledge {
        MeshKnowledge
    }

    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<Mesh>>> {
        Some(Box::new(MeshNodeEvaluator))
    }

    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<Mesh>>> {
        Some(Box::new(MeshPriors))
    }
}

impl WithKit for Mesh {
    fn mcts(config: Config) -> Mcts<Mesh> {
        Mcts::with_kit(config, &MeshKit).unwrap_or_else(|err| panic!("{err}"))
    }
}

/// A kit whose priors are empty.
#[derive(Clone)]
struct EmptyPriors;

impl Kit<Chain> for EmptyPriors {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }

    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<Chain>>> {
        Some(Box::new(EmptyPriors))
    }
}

impl Evaluator<Chain> for EmptyPriors {
    fn evaluate(&mut self, _chain: &Chain, _leaves: &mut Leaves<'_, Chain>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Chain>> {
        Box::new(EmptyPriors)
    }
}

impl WithKit for Chain {
    fn mcts(config: Config) -> Mcts<Chain> {
        Mcts::with_kit(config, &EmptyPriors).unwrap_or_else(|err| panic!("{err}"))
    }
}
