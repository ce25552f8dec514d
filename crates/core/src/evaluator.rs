//! The interface through which searches evaluate leaves.

use crate::{Bounds, Game, LastMoves, Learner, Margin, MoveList, Rng};

/// The value of a leaf, seen by the first side, points scored so far included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The final margin of a playout.
    Margin(Margin),
    /// The expected final margin, in units of 1 / [`FINE`](crate::FINE) of a point; the search turns it into an expected
    /// reward by the scale of the game's static evaluation.
    Points(i32),
    /// An expected reward, on the search's reward scale.
    Reward(f32),
}

/// The evaluation of one leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Its value.
    pub value: Value,
    /// Proven bounds of its final margin under best play, if any.
    pub bounds: Option<Bounds>,
}

impl Default for Answer {
    fn default() -> Answer {
        Answer { value: Value::Reward(0.0), bounds: None }
    }
}

/// A batch of leaves to evaluate, and the buffers for the answers.
pub struct Leaves<'a, G: Game> {
    states: &'a [G::State],
    /// `[n]`
    visits: &'a [u32],
    answers: &'a mut [Answer],
    moves: &'a [G::Move],
    /// `[n]`: end of each leaf's moves in `moves`.
    ends: &'a [usize],
    priors: &'a mut [f32],
    /// `[n]`, or empty if no moves are to be recorded.
    played: &'a mut [MoveList<G::Move>],
    /// `[n]`, or empty if they are not given.
    last_moves: &'a [LastMoves],
}

impl<'a, G: Game> Leaves<'a, G> {
    /// A batch of leaves: `states` (none of them over), earlier `visits` of each, and the buffer for the `answers`; all
    /// `[n]`.
    ///
    /// # Panics
    /// The lengths differ.
    #[inline]
    pub fn new(states: &'a [G::State], visits: &'a [u32], answers: &'a mut [Answer]) -> Leaves<'a, G> {
        assert!(visits.len() == states.len() && answers.len() == states.len(), "one answer for each leaf");
        Leaves { states, visits, answers, moves: &[], ends: &[], priors: &mut [], played: &mut [], last_moves: &[] }
    }

    /// Adds the `moves` of all leaves, concatenated, those of leaf i ending before `ends[i]`, and the buffer for their
    /// `priors`: `[moves.len()]`.
    ///
    /// # Panics
    /// The lengths do not fit together.
    pub fn with_moves(self, moves: &'a [G::Move], ends: &'a [usize], priors: &'a mut [f32]) -> Leaves<'a, G> {
        assert!(ends.len() == self.states.len() && priors.len() == moves.len(), "priors for each leaf");
        assert!(ends.is_sorted() && ends.last().is_none_or(|&end| end == moves.len()));
        Leaves { moves, ends, priors, ..self }
    }

    /// Asks for the moves of the playout of each leaf, in `played`: `[n]`, which is cleared. The evaluator must
    /// [record them](Evaluator::records_moves).
    ///
    /// # Panics
    /// The lengths differ.
    pub fn with_played(self, played: &'a mut [MoveList<G::Move>]) -> Leaves<'a, G> {
        assert_eq!(played.len(), self.states.len(), "one list for each leaf");
        played.iter_mut().for_each(MoveList::clear);
        Leaves { played, ..self }
    }

    /// Adds the moves before each leaf, in `last_moves`: `[n]`.
    ///
    /// # Panics
    /// The lengths differ.
    pub fn with_last_moves(self, last_moves: &'a [LastMoves]) -> Leaves<'a, G> {
        assert_eq!(last_moves.len(), self.states.len(), "the last moves of each leaf");
        Leaves { last_moves, ..self }
    }

    /// Number of leaves, at least 1.
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

    /// Earlier visits of leaf `i`.
    pub fn visits(&self, i: usize) -> u32 {
        self.visits[i]
    }

    /// Sets value and bounds of leaf `i`.
    #[inline]
    pub fn set(&mut self, i: usize, answer: Answer) {
        self.answers[i] = answer;
    }

    /// Sets the value of leaf `i` to the final margin of a playout.
    #[inline]
    pub fn set_margin(&mut self, i: usize, margin: Margin) {
        self.answers[i].value = Value::Margin(margin);
    }

    /// Sets the expected final margin of leaf `i`, in units of 1 / [`FINE`](crate::FINE) of a point.
    #[inline]
    pub fn set_points(&mut self, i: usize, points: i32) {
        self.answers[i].value = Value::Points(points);
    }

    /// Sets the expected reward of leaf `i`, on the scale of the search's reward. NaN and infinities count as 0.
    #[inline]
    pub fn set_value(&mut self, i: usize, value: f32) {
        self.answers[i].value = Value::Reward(if value.is_finite() { value } else { 0.0 });
    }

    /// Sets the proven bounds of the final margin of leaf `i`.
    #[inline]
    pub fn set_bounds(&mut self, i: usize, bounds: Bounds) {
        self.answers[i].bounds = Some(bounds);
    }

    /// The moves of leaf `i` that the search considers; empty unless the evaluator gives [priors with
    /// values](Priors::WithValues).
    pub fn moves(&self, i: usize) -> &'a [G::Move] {
        if self.ends.is_empty() { &[] } else { &self.moves[self.begin(i)..self.ends[i]] }
    }

    /// The priors of the moves of leaf `i`: `[moves(i).len()]`, initially 1. The search normalises them. Empty unless
    /// [priors come with values](Priors::WithValues).
    pub fn priors_mut(&mut self, i: usize) -> &mut [f32] {
        if self.ends.is_empty() {
            return &mut [];
        }
        let begin = self.begin(i);
        &mut self.priors[begin..self.ends[i]]
    }

    /// Whether the moves of playouts are to be recorded, in [`Leaves::played_mut`].
    #[inline]
    pub fn records_moves(&self) -> bool {
        !self.played.is_empty()
    }

    /// The moves of the playout of leaf `i`, from the leaf to the end of the game; who plays each follows from replaying
    /// them. Empty if the leaf gets its value without a playout.
    ///
    /// # Panics
    /// No moves are [to be recorded](Leaves::records_moves).
    pub fn played_mut(&mut self, i: usize) -> &mut MoveList<G::Move> {
        &mut self.played[i]
    }

    /// Whether the moves before the leaves are given, in [`Leaves::last_moves`]: the search gives them if a
    /// [learner needs them](Learner::needs_last_moves).
    pub fn has_last_moves(&self) -> bool {
        !self.last_moves.is_empty()
    }

    /// The two moves before leaf `i`, if they are known.
    pub fn last_moves(&self, i: usize) -> LastMoves {
        self.last_moves.get(i).copied().unwrap_or_default()
    }

    fn begin(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.ends[i - 1] }
    }
}

/// The time at which an evaluator gives priors for PUCT, if at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priors {
    /// Never: priors are uniform.
    #[default]
    None,
    /// With the values, in [`Leaves::priors_mut`]: a leaf is then expanded on its first visit.
    WithValues,
    /// On request, through [`Evaluator::priors`], on a node's second visit.
    OnRequest,
}

/// Evaluates leaves for a search: by playouts, a static evaluation, a trained model or a separate search.
///
/// One call evaluates a batch: the leaves that the search has collected, or all children of new nodes. All randomness
/// comes from `rng`, so that the same seed gives the same search.
///
/// Of the game in the example of [`Game`], in which multiples of four lose:
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{Answer, Evaluator, Game, Leaves, Rng, Value};
///
/// struct MultiplesOfFour;
///
/// impl Evaluator<Subtraction> for MultiplesOfFour {
///     fn evaluate(&mut self, game: &Subtraction, leaves: &mut Leaves<'_, Subtraction>, _rng: &mut Rng) {
///         for (i, state) in leaves.states().iter().enumerate() {
///             let wins = state.0 % 4 != 0;
///             let first_wins = wins == (game.to_move(state).sign() == 1);
///             leaves.set_value(i, if first_wins { 1.0 } else { 0.0 }); // for `reward=win`: 0 .. 1
///         }
///     }
///     fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Subtraction>> {
///         Box::new(MultiplesOfFour)
///     }
/// }
///
/// let (states, mut answers) = ([(20, 1), (19, 2)], [Answer::default(); 2]);
/// let mut leaves = Leaves::new(&states, &[0, 0], &mut answers);
/// MultiplesOfFour.evaluate(&Subtraction { stones: 21 }, &mut leaves, &mut Rng::new(1));
/// assert_eq!(answers.map(|answer| answer.value), [Value::Reward(1.0); 2]);
/// ```
pub trait Evaluator<G: Game>: Send {
    /// Sets the value of every leaf. A leaf that is not set has reward 0.
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng);

    /// The evaluator that a wrapper wraps; by default the calls below go to it.
    fn inner(&self) -> Option<&dyn Evaluator<G>> {
        None
    }

    /// That [inner](Evaluator::inner) evaluator, to be changed.
    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<G>> {
        None
    }

    /// Whether it records the moves of its playouts if [asked for them](Leaves::with_played): those of a leaf are legal and
    /// end the game with the margin answered, or with one that bounds proven for the leaf replaced by their nearest. A
    /// wrapper that makes leaves of its own must pass them on.
    fn records_moves(&self) -> bool {
        self.inner().is_some_and(Evaluator::records_moves)
    }

    /// The part of it that learns from the moves of finished simulations, if it has one. The search then requests the moves
    /// of all playouts, so that it must [record them](Evaluator::records_moves). A wrapper that makes separate leaves must pass
    /// on the [last moves](Leaves::last_moves) too, with those that it plays.
    fn learner(&mut self) -> Option<&mut dyn Learner> {
        self.inner_mut().and_then(Evaluator::learner)
    }

    /// The time at which it gives priors, if at all.
    fn gives_priors(&self) -> Priors {
        self.inner().map_or(Priors::None, Evaluator::gives_priors)
    }

    /// Appends the prior of each of `moves`, the moves that the search considers in `state`, where the game is not
    /// over. Called only if [`gives_priors`](Evaluator::gives_priors) returns [`OnRequest`](Priors::OnRequest). The
    /// search normalises them; none at all are uniform ones.
    fn priors(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        if let Some(inner) = self.inner_mut() {
            inner.priors(game, state, moves, out);
        }
    }

    /// Called with the root before each search, for values that depend on the side that searches.
    fn begin_search(&mut self, game: &G, root: &G::State) {
        if let Some(inner) = self.inner_mut() {
            inner.begin_search(game, root);
        }
    }

    /// Whether leaves get a [bonus](Evaluator::bonus).
    fn has_bonus(&self) -> bool {
        self.inner().is_some_and(Evaluator::has_bonus)
    }

    /// A reward that is added to the value of a leaf, also of one where the game is over, seen by the first side: it may lead beyond the
    /// range of rewards. Called only if [`has_bonus`](Evaluator::has_bonus) returns true.
    fn bonus(&self, game: &G, state: &G::State) -> f32 {
        self.inner().map_or(0.0, |inner| inner.bonus(game, state))
    }

    /// Clears everything learnt, as a new game or another board begins. A wrapper with memory forwards the call.
    fn new_game(&mut self) {
        if let Some(inner) = self.inner_mut() {
            inner.new_game();
        }
    }

    /// A copy for search thread `thread`, from 1. Copies share no mutable state.
    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>>;
}
