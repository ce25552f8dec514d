//! The inner evaluator of a wrapper that values some leaves of a batch itself.

use banyan_core::{Answer, Evaluator, Game, Leaves, Priors, Rng};

/// An evaluator, and the leaves of a batch that it is to value.
pub(super) struct Inner<G: Game> {
    pub(super) evaluator: Box<dyn Evaluator<G>>,
    states: Vec<G::State>,
    visits: Vec<u32>,
    /// Their numbers in the batch of the wrapper.
    origins: Vec<usize>,
    answers: Vec<Answer>,
}

impl<G: Game> Inner<G> {
    pub(super) fn new(evaluator: Box<dyn Evaluator<G>>) -> Inner<G> {
        let (states, visits, origins, answers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Inner { evaluator, states, visits, origins, answers }
    }

    /// Begins a batch.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.visits.clear();
        self.origins.clear();
    }

    /// Adds a position for leaf `i` of the wrapper's batch.
    pub(super) fn push(&mut self, i: usize, state: G::State, leaves: &Leaves<'_, G>) {
        self.states.push(state);
        self.visits.push(leaves.visits(i));
        self.origins.push(i);
    }

    /// The answers to what was added, with the numbers of the leaves, in the order in which they were added.
    pub(super) fn answers(&mut self, game: &G, rng: &mut Rng) -> impl Iterator<Item = (usize, Answer)> {
        self.answers.clear();
        self.answers.resize(self.states.len(), Answer::default());
        if !self.states.is_empty() {
            self.evaluator.evaluate(game, &mut Leaves::new(&self.states, &self.visits, &mut self.answers), rng);
        }
        self.origins.iter().copied().zip(self.answers.iter().copied())
    }

    /// Whether the evaluator gives priors on request. Priors with values are hidden, because they would belong to other
    /// leaves than the wrapper's.
    pub(super) fn gives_priors(&self) -> Priors {
        match self.evaluator.gives_priors() {
            Priors::WithValues => Priors::None,
            other => other,
        }
    }
}
