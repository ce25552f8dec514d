//! A wrapper that plays a random forced move before the evaluation.

use banyan_core::{Answer, Bounds, Evaluator, Game, Knowledge, Leaves, MoveList, Priors, Rng, SimulatedMove};

use super::inner::Inner;
use crate::options::Reward;

/// Evaluates the position after a random forced move, unless the forced moves prove the reward.
pub(crate) struct ForcedFirst<G: Game, K> {
    /// Evaluates the positions after the moves.
    inner: Inner<G>,
    knowledge: K,
    /// The reward that a proof must decide; `None` if nothing is proven.
    reward: Option<Reward>,
    /// Whether the moves are those of one ply of tactics, which prove nothing.
    one_ply: bool,
    moves: MoveList<G::Move>,
}

impl<G: Game, K> ForcedFirst<G, K> {
    pub(crate) fn new(
        inner: Box<dyn Evaluator<G>>,
        knowledge: K,
        reward: Option<Reward>,
        one_ply: bool,
    ) -> ForcedFirst<G, K> {
        ForcedFirst { inner: Inner::new(inner), knowledge, reward, one_ply, moves: Vec::new() }
    }
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for ForcedFirst<G, K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        self.inner.clear();
        for (i, state) in leaves.states().iter().enumerate() {
            self.moves.clear();
            let known = if self.one_ply {
                self.knowledge.one_ply_moves(game, state, &mut self.moves);
                None
            } else {
                self.knowledge.forced_moves(game, state, &mut self.moves)
            };
            let decides = |known: &Bounds| {
                let same_winner = known.lower.winner() == known.upper.winner();
                self.reward.is_some_and(|reward| if reward.proves_margins() { known.is_exact() } else { same_winner })
            };
            if let Some(known) = known.filter(decides) {
                leaves.set_margin(i, known.lower);
                leaves.set_bounds(i, known);
                continue;
            }
            let mut next = state.clone();
            let mv = self.moves[rng.below(self.moves.len() as u32) as usize];
            let mut last_moves = leaves.last_moves(i);
            if leaves.has_last_moves() {
                last_moves = last_moves.then(SimulatedMove::of(game, &self.knowledge, state, mv));
            }
            game.play(&mut next, mv);
            if leaves.records_moves() {
                leaves.played_mut(i).push(mv);
            }
            if let Some(margin) = game.result(&next) {
                leaves.set_margin(i, margin);
                continue;
            }
            self.inner.push_after(i, next, leaves, last_moves);
        }
        for (i, answer) in self.inner.answers(game, leaves, rng) {
            // Bounds of the position after the move are not bounds of the leaf.
            leaves.set(i, Answer { bounds: None, ..answer });
        }
    }

    fn inner(&self) -> Option<&dyn Evaluator<G>> {
        Some(&*self.inner.evaluator)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<G>> {
        Some(&mut *self.inner.evaluator)
    }

    fn gives_priors(&self) -> Priors {
        self.inner.gives_priors()
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(ForcedFirst::new(self.inner.evaluator.fork(thread), self.knowledge.clone(), self.reward, self.one_ply))
    }
}
