//! What a search asks about positions it has not looked into yet.

use crate::{Bounds, Game, Margin, Rng};

/// The value of a leaf, seen by the first side, points scored so far included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The final margin of a line that was played out.
    Margin(Margin),
    /// The expected final margin, in units of 1 / [`FINE`](crate::FINE) of a point; the search turns it into an expected
    /// reward by the scale of the game's static evaluation.
    Points(i32),
    /// An expected reward, on the scale of the search's own.
    Reward(f32),
}

/// What an evaluator says of one leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Its value.
    pub value: Value,
    /// What is proven about its final margin under best play, if anything.
    pub bounds: Option<Bounds>,
}

impl Default for Answer {
    fn default() -> Answer {
        Answer { value: Value::Reward(0.0), bounds: None }
    }
}

/// Positions to be evaluated together, and room for the answers.
pub struct Leaves<'a, G: Game> {
    states: &'a [G::State],
    /// `[n]`: visits so far.
    visits: &'a [u32],
    answers: &'a mut [Answer],
    moves: &'a [G::Move],
    /// Where the moves of each leaf end.
    ends: &'a [usize],
    priors: &'a mut [f32],
}

impl<'a, G: Game> Leaves<'a, G> {
    /// Leaves with these `states`: `[n]`, none of them over; how often each has been visited; and room for the `answers`:
    /// `[n]`.
    ///
    /// # Panics
    /// The lengths differ.
    #[inline]
    pub fn new(states: &'a [G::State], visits: &'a [u32], answers: &'a mut [Answer]) -> Leaves<'a, G> {
        assert!(visits.len() == states.len() && answers.len() == states.len(), "one answer for each leaf");
        Leaves { states, visits, answers, moves: &[], ends: &[], priors: &mut [] }
    }

    /// The same with the `moves` of all leaves, one leaf after another, those of leaf i ending before `ends[i]`, and room
    /// for their `priors`.
    ///
    /// # Panics
    /// The lengths do not fit together.
    pub fn with_moves(self, moves: &'a [G::Move], ends: &'a [usize], priors: &'a mut [f32]) -> Leaves<'a, G> {
        assert!(ends.len() == self.states.len() && priors.len() == moves.len(), "priors for each leaf");
        assert!(ends.is_sorted() && ends.last().is_none_or(|&end| end == moves.len()));
        Leaves { moves, ends, priors, ..self }
    }

    /// How many there are.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "there is always a leaf")]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The positions, none of them over: `[n]`.
    #[inline]
    pub fn states(&self) -> &'a [G::State] {
        self.states
    }

    /// How often leaf `i` has been visited before.
    pub fn visits(&self, i: usize) -> u32 {
        self.visits[i]
    }

    /// Sets all that is said of leaf `i`.
    #[inline]
    pub fn set(&mut self, i: usize, answer: Answer) {
        self.answers[i] = answer;
    }

    /// Sets the final margin of a line from leaf `i` that was played out.
    #[inline]
    pub fn set_margin(&mut self, i: usize, margin: Margin) {
        self.answers[i].value = Value::Margin(margin);
    }

    /// Sets the expected final margin of leaf `i`, in units of 1 / [`FINE`](crate::FINE) of a point.
    #[inline]
    pub fn set_points(&mut self, i: usize, points: i32) {
        self.answers[i].value = Value::Points(points);
    }

    /// Sets the expected reward of leaf `i`, on the scale of the search's reward. Anything but a number counts as 0.
    #[inline]
    pub fn set_value(&mut self, i: usize, value: f32) {
        self.answers[i].value = Value::Reward(if value.is_finite() { value } else { 0.0 });
    }

    /// Sets what is proven about the final margin of leaf `i`.
    #[inline]
    pub fn set_bounds(&mut self, i: usize, bounds: Bounds) {
        self.answers[i].bounds = Some(bounds);
    }

    /// The moves of leaf `i` that are worth looking at; none unless the evaluator gives [priors with
    /// values](Priors::WithValues).
    pub fn moves(&self, i: usize) -> &'a [G::Move] {
        if self.ends.is_empty() { &[] } else { &self.moves[self.begin(i)..self.ends[i]] }
    }

    /// Room for the prior of each move of leaf `i`: `[moves(i).len()]`. The search divides by their sum; each is
    /// 1 until written to. Empty as [`moves`](Leaves::moves) are.
    pub fn priors_mut(&mut self, i: usize) -> &mut [f32] {
        if self.ends.is_empty() {
            return &mut [];
        }
        let begin = self.begin(i);
        &mut self.priors[begin..self.ends[i]]
    }

    fn begin(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.ends[i - 1] }
    }
}

/// When an evaluator gives priors, if at all. They serve selection by PUCT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priors {
    /// Never: every move is as likely as any other.
    #[default]
    None,
    /// With the values, in [`Leaves::priors_mut`]: then a leaf gets its node at once.
    WithValues,
    /// When asked for them, by [`Evaluator::priors`]: once a node is visited again.
    OnRequest,
}

/// Values leaves for a search: playouts, a static evaluation, a trained model, a search of its own.
///
/// One call asks for a whole batch: as many leaves as the search collects, or all children of new nodes. All
/// randomness comes from the generator that is handed in, so that the same seed gives the same search.
pub trait Evaluator<G: Game>: Send {
    /// Says what every leaf is worth. A leaf not written to is worth a reward of 0.
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng);

    /// Whether and when it gives priors.
    fn gives_priors(&self) -> Priors {
        Priors::None
    }

    /// Appends the prior of each of `moves`, which are worth looking at in `state`; the game is not over. Asked only where
    /// [`gives_priors`](Evaluator::gives_priors) says [`OnRequest`](Priors::OnRequest). The search divides by their sum.
    fn priors(&mut self, _game: &G, _state: &G::State, _moves: &[G::Move], _out: &mut Vec<f32>) {}

    /// A new game or another board begins: what was learnt of others is forgotten. Wrappers pass it on.
    fn new_game(&mut self) {}

    /// A copy of its own for another thread of the search. Threads are numbered from 1; the copies share nothing that one
    /// of them writes to.
    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>>;
}
