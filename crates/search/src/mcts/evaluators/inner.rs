//! The inner evaluator of a wrapper that values some leaves of a batch itself.

use banyan_core::{Answer, Evaluator, Game, LastMoves, Leaves, MoveList, Priors, Rng};

/// An evaluator, and the leaves of a batch that it is to value.
pub(super) struct Inner<G: Game> {
    pub(super) evaluator: Box<dyn Evaluator<G>>,
    states: Vec<G::State>,
    visits: Vec<u32>,
    /// The moves before each, if they are given.
    last_moves: Vec<LastMoves>,
    /// Their numbers in the batch of the wrapper.
    origins: Vec<usize>,
    answers: Vec<Answer>,
    /// The moves of the playouts, if they are recorded.
    played: Vec<MoveList<G::Move>>,
}

impl<G: Game> Inner<G> {
    pub(super) fn new(evaluator: Box<dyn Evaluator<G>>) -> Inner<G> {
        let (states, visits, origins, answers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Inner { evaluator, states, visits, last_moves: Vec::new(), origins, answers, played: Vec::new() }
    }

    /// Begins a batch.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.visits.clear();
        self.last_moves.clear();
        self.origins.clear();
    }

    /// Adds leaf `i` of the wrapper's batch.
    pub(super) fn push(&mut self, i: usize, leaves: &Leaves<'_, G>) {
        self.push_after(i, leaves.states()[i].clone(), leaves, leaves.last_moves(i));
    }

    /// Adds a position for leaf `i` of the wrapper's batch, after these moves.
    pub(super) fn push_after(&mut self, i: usize, state: G::State, leaves: &Leaves<'_, G>, last_moves: LastMoves) {
        self.states.push(state);
        if leaves.has_last_moves() {
            self.last_moves.push(last_moves);
        }
        self.visits.push(leaves.visits(i));
        self.origins.push(i);
    }

    /// The answers to what was added, with the numbers of the leaves, in the order in which they were added. If moves are
    /// recorded, they are appended to those of `leaves`, the wrapper's batch.
    pub(super) fn answers<'a>(
        &'a mut self,
        game: &G,
        leaves: &mut Leaves<'_, G>,
        rng: &mut Rng,
    ) -> impl Iterator<Item = (usize, Answer)> + use<'a, G> {
        let Inner { evaluator, states, visits, last_moves, origins, answers, played } = self;
        answers.clear();
        answers.resize(states.len(), Answer::default());
        if !states.is_empty() {
            let mut inner = Leaves::new(states, visits, answers);
            if leaves.has_last_moves() {
                inner = inner.with_last_moves(last_moves);
            }
            if leaves.records_moves() {
                played.resize_with(states.len(), MoveList::new);
                evaluator.evaluate(game, &mut inner.with_played(played), rng);
                let to = origins.iter().zip(played.iter());
                to.for_each(|(&i, moves)| leaves.played_mut(i).extend_from_slice(moves));
            } else {
                evaluator.evaluate(game, &mut inner, rng);
            }
        }
        origins.iter().copied().zip(answers.iter().copied())
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use banyan_core::{Bounds, Plain, SimulatedMove, Uniform, Value};
    use banyan_testkit::mesh::{Mesh, MeshKnowledge, Spot};

    use super::*;
    use crate::alpha_beta::AlphaBetaProver;
    use crate::mcts::evaluators::delay::Delay;
    use crate::mcts::evaluators::exact_leaves::ExactLeaves;
    use crate::mcts::evaluators::forced_first::ForcedFirst;
    use crate::mcts::evaluators::leaf_search::LeafSearch;
    use crate::mcts::evaluators::playouts::{Playouts, TacticalPlayouts};
    use crate::mcts::evaluators::static_eval::StaticMargin;

    /// Replays the recorded moves of leaves everywhere in random games; returns how many leaves had some.
    fn check_replays(mesh: &Mesh, evaluator: &mut dyn Evaluator<Mesh>) -> usize {
        let (mut moves_rng, mut rng, mut recorded) = (Rng::new(3), Rng::new(4), 0);
        for _ in 0..50 {
            let mut states = Vec::new();
            let mut state = mesh.start();
            while mesh.result(&state).is_none() {
                states.push(state);
                let mv = banyan_core::random_move(mesh, &state, &mut moves_rng, &mut Vec::new());
                mesh.play(&mut state, mv);
            }
            let n = states.len();
            let visits: Vec<u32> = (0..n as u32).map(|i| i % 2).collect();
            let (mut answers, mut played) = (vec![Answer::default(); n], vec![MoveList::new(); n]);
            let mut leaves = Leaves::new(&states, &visits, &mut answers).with_played(&mut played);
            evaluator.evaluate(mesh, &mut leaves, &mut rng);
            for ((state, answer), moves) in
                states.iter().zip(answers).zip(played).filter(|(_, moves)| !moves.is_empty())
            {
                recorded += 1;
                let end = replayed(mesh, *state, &moves);
                let bounds = answer.bounds.unwrap_or(Bounds::exact(end));
                assert_eq!(answer.value, Value::Margin(end.max(bounds.lower).min(bounds.upper)), "{state:?} {moves:?}");
            }
        }
        recorded
    }

    fn replayed(mesh: &Mesh, mut state: Spot, moves: &[u8]) -> banyan_core::Margin {
        for mv in moves {
            let mut legal = MoveList::new();
            mesh.moves(&state, &mut legal);
            assert!(mesh.result(&state).is_none() && legal.contains(mv), "{moves:?} at {state:?}");
            mesh.play(&mut state, *mv);
        }
        mesh.result(&state).expect("the moves end the game")
    }

    #[test]
    fn wrappers_pass_on_the_recorded_moves() {
        let mesh = Mesh::new(5, 12, true);
        let tactical = TacticalPlayouts::new(MeshKnowledge);
        let uniform = Playouts::new(Uniform);
        let prover = Arc::new(|| Box::new(AlphaBetaProver::new(1, Plain)) as _);
        let wrappers: [Box<dyn Evaluator<Mesh>>; 4] = [
            Box::new(Delay::new(tactical.fork(1), 0)),
            // Its answers lack the bounds that tactical playouts bring margins within.
            Box::new(ForcedFirst::new(uniform.fork(1), MeshKnowledge, None, false)),
            Box::new(LeafSearch::new(tactical.fork(1), MeshKnowledge, 1, 1)),
            Box::new(ExactLeaves::new(tactical.fork(1), 4, prover)),
        ];
        let all = check_replays(&mesh, &mut *tactical.fork(1));
        for mut wrapper in wrappers {
            assert!(wrapper.records_moves());
            let n = check_replays(&mesh, &mut *wrapper);
            assert!((all / 4..=all).contains(&n), "{n} of {all}");
        }
        let without: Box<dyn Evaluator<Mesh>> = Box::new(StaticMargin(Plain));
        assert!(!ForcedFirst::new(without, MeshKnowledge, None, false).records_moves());
    }

    /// Keeps the positions it gets, with the moves before them.
    struct Kept(Arc<Mutex<Vec<(Spot, LastMoves)>>>);

    impl Evaluator<Mesh> for Kept {
        fn evaluate(&mut self, _: &Mesh, leaves: &mut Leaves<'_, Mesh>, _: &mut Rng) {
            let all = (0..leaves.len()).map(|i| (leaves.states()[i], leaves.last_moves(i)));
            self.0.lock().expect("not poisoned").extend(all);
        }

        fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
            Box::new(Kept(Arc::clone(&self.0)))
        }
    }

    #[test]
    fn wrappers_pass_on_the_moves_before_a_leaf_with_those_they_play() {
        let mesh = Mesh::new(5, 12, true);
        let (mut states, mut last_moves, mut state) = (Vec::new(), Vec::new(), mesh.start());
        let mut before = LastMoves::default();
        while mesh.result(&state).is_none() {
            states.push(state);
            last_moves.push(before);
            let mv = banyan_core::random_move(&mesh, &state, &mut Rng::new(states.len() as u64), &mut Vec::new());
            before = before.then(SimulatedMove { side: mesh.to_move(&state), identity: mv.into() });
            mesh.play(&mut state, mv);
        }
        let n = states.len();
        assert!(n > 8, "{n} positions");
        let visits: Vec<u32> = (0..n as u32).map(|i| i % 2).collect();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let inner = || Box::new(Kept(Arc::clone(&kept)));
        let prover = Arc::new(|| Box::new(AlphaBetaProver::new(1, Plain)) as _);
        let wrappers: [Box<dyn Evaluator<Mesh>>; 3] = [
            Box::new(ForcedFirst::new(inner(), MeshKnowledge, None, false)),
            Box::new(LeafSearch::new(inner(), MeshKnowledge, 1, 1)),
            Box::new(ExactLeaves::new(inner(), 4, prover)),
        ];
        for (mut wrapper, plays) in wrappers.into_iter().zip([true, false, false]) {
            let mut answers = vec![Answer::default(); n];
            let mut leaves = Leaves::new(&states, &visits, &mut answers).with_last_moves(&last_moves);
            wrapper.evaluate(&mesh, &mut leaves, &mut Rng::new(1));
            let passed_on = std::mem::take(&mut *kept.lock().expect("not poisoned"));
            assert!(passed_on.len() >= 3, "{} of {n}", passed_on.len());
            for (state, found) in passed_on {
                let expected = |i: usize| {
                    if !plays {
                        return (states[i] == state).then_some(last_moves[i]);
                    }
                    let mut moves = MoveList::new();
                    mesh.moves(&states[i], &mut moves);
                    let mv = moves.into_iter().find(|&mv| {
                        let mut next = states[i];
                        mesh.play(&mut next, mv);
                        next == state
                    })?;
                    Some(last_moves[i].then(SimulatedMove { side: mesh.to_move(&states[i]), identity: mv.into() }))
                };
                let i = usize::from(state.layer) - usize::from(plays);
                assert_eq!(Some(found), expected(i), "{state:?}");
            }
        }
    }
}
