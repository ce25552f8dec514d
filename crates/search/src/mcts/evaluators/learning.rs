//! Playouts that learn from the simulations before: move-average sampling (MAST) and last good replies with forgetting (LGRF).
//!
//! Each thread learns alone. What is learnt is kept from move to move, and cleared when a game begins.

use banyan_core::{Evaluator, Game, Knowledge, Learner, Leaves, MoveList, Rng, Side, SimulatedMove, exp};

/// A policy that draws the moves of playouts and learns from finished simulations.
pub(crate) trait LearningPolicy: Clone + Send + 'static {
    /// Whether moves before the playout count for `draw`.
    const NEEDS_LAST_MOVES: bool;

    /// The number of a move out of those with these identities, at least one, after the moves `before`: the last ones of the tree, then those of the playout.
    fn draw(&self, side: Side, identities: &[u16], before: &[SimulatedMove], rng: &mut Rng) -> usize;

    /// Learns from a simulation, as a [`Learner`] does.
    fn learn(&mut self, moves: &[SimulatedMove], result: f32);

    /// Clears everything learnt.
    fn forget(&mut self);
}

/// Playouts by a policy that learns.
pub(crate) struct LearningPlayouts<G: Game, P, K> {
    policy: P,
    knowledge: K,
    scratch: MoveList<G::Move>,
    identities: Vec<u16>,
    /// The moves of the playout, after those before the leaf.
    played: Vec<SimulatedMove>,
}

impl<G: Game, P, K> LearningPlayouts<G, P, K> {
    #[cfg(test)]
    pub(crate) fn policy(&self) -> &P {
        &self.policy
    }

    pub(crate) fn new(policy: P, knowledge: K) -> LearningPlayouts<G, P, K> {
        LearningPlayouts { policy, knowledge, scratch: MoveList::new(), identities: Vec::new(), played: Vec::new() }
    }
}

impl<G: Game, P: LearningPolicy, K: Knowledge<G> + Clone + 'static> Evaluator<G> for LearningPlayouts<G, P, K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        let LearningPlayouts { policy, knowledge, scratch, identities, played } = self;
        for (i, state) in leaves.states().iter().enumerate() {
            let mut state = state.clone();
            played.clear();
            played.extend(leaves.last_moves(i).iter());
            let margin = loop {
                if let Some(margin) = game.result(&state) {
                    break margin;
                }
                let side = game.to_move(&state);
                scratch.clear();
                game.moves(&state, scratch);
                identities.clear();
                identities.extend(scratch.iter().map(|&mv| knowledge.move_identity(game, &state, mv)));
                let drawn = policy.draw(side, identities, played, rng);
                played.push(SimulatedMove { side, identity: identities[drawn] });
                if leaves.records_moves() {
                    leaves.played_mut(i).push(scratch[drawn]);
                }
                game.play(&mut state, scratch[drawn]);
            };
            leaves.set_margin(i, margin);
        }
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }

    fn new_game(&mut self) {
        self.policy.forget();
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        let mut policy = self.policy.clone();
        policy.forget();
        Box::new(LearningPlayouts::new(policy, self.knowledge.clone()))
    }
}

impl<G: Game, P: LearningPolicy, K> Learner for LearningPlayouts<G, P, K> {
    fn learn(&mut self, moves: &[SimulatedMove], result: f32) {
        self.policy.learn(moves, result);
    }

    fn needs_last_moves(&self) -> bool {
        P::NEEDS_LAST_MOVES
    }
}

/// Move-average sampling (Finnsson and Bjornsson 2008): a move is drawn with a probability proportional to `exp(mean / temperature)`, where
/// `mean` is the mean result, for the side that plays it, of all simulations in which it was played; 1, the best result, before the first.
#[derive(Clone)]
pub(crate) struct MoveAverages {
    temperature: f64,
    /// `[identity][side]`
    moves: Vec<[MoveAverage; 2]>,
    /// Weight of a move that was never played.
    unknown: f64,
}

#[derive(Clone, Copy, Default)]
struct MoveAverage {
    n: u32,
    mean: f32,
    /// The weight with which the move is drawn.
    weight: f64,
}

impl MoveAverages {
    pub(crate) fn new(temperature: f32) -> MoveAverages {
        let temperature = f64::from(temperature);
        MoveAverages { temperature, moves: Vec::new(), unknown: weight(1.0, temperature) }
    }

    /// The number of simulations with a move of a side, and their mean result for it.
    #[cfg(test)]
    pub(crate) fn average(&self, side: Side, identity: u16) -> (u32, f32) {
        let MoveAverage { n, mean, .. } =
            self.moves.get(usize::from(identity)).copied().unwrap_or_default()[side.index()];
        (n, mean)
    }

    fn weight(&self, side: Side, identity: u16) -> f64 {
        let known = self.moves.get(usize::from(identity)).map(|sides| sides[side.index()]);
        known.filter(|average| average.n > 0).map_or(self.unknown, |average| average.weight)
    }
}

/// The weight of a mean result, as a share of that of the best one, so that it cannot overflow.
fn weight(mean: f64, temperature: f64) -> f64 {
    exp((mean - 1.0) / temperature)
}

impl LearningPolicy for MoveAverages {
    const NEEDS_LAST_MOVES: bool = false;

    fn draw(&self, side: Side, identities: &[u16], _before: &[SimulatedMove], rng: &mut Rng) -> usize {
        let mut left = rng.unit() * identities.iter().map(|&identity| self.weight(side, identity)).sum::<f64>();
        let reached = identities.iter().position(|&identity| {
            left -= self.weight(side, identity);
            left < 0.0
        });
        // Weights of nearly 0 may leave a rounding error.
        reached.unwrap_or(identities.len() - 1)
    }

    fn learn(&mut self, moves: &[SimulatedMove], result: f32) {
        for mv in moves {
            let result = if mv.side == Side::First { result } else { 1.0 - result };
            let average = &mut grown(&mut self.moves, mv.identity)[mv.side.index()];
            average.n += 1;
            average.mean += (result - average.mean) / average.n as f32;
            average.weight = weight(average.mean.into(), self.temperature);
        }
    }

    fn forget(&mut self) {
        self.moves.clear();
    }
}

/// The last good reply with forgetting (Drake 2009; Baier and Drake 2010): after a move, the reply to it that the winner of the last
/// simulation with it played, if it is legal, else a random move. With two moves the reply to the last two comes first. A reply that its side
/// lost with is forgotten; a draw changes nothing. A playout begins with the reply to the last move of the tree.
#[derive(Clone)]
pub(crate) struct LastGoodReplies {
    /// Whether replies to two moves are kept too.
    two: bool,
    to_one: Replies,
    /// `[move before the last]`
    to_two: Vec<Replies>,
}

/// `[last move][side that replies]`: the reply.
type Replies = Vec<[Option<u16>; 2]>;

/// The move before the last, or none if only the last one counts, and the last move.
type Before = (Option<u16>, u16);

impl LastGoodReplies {
    pub(crate) fn new(two: bool) -> LastGoodReplies {
        LastGoodReplies { two, to_one: Vec::new(), to_two: Vec::new() }
    }

    /// The last moves of `before` to which replies are kept, the most specific first.
    fn keys(&self, before: &[SimulatedMove]) -> impl Iterator<Item = Before> + use<> {
        let last = before.last().map(|mv| mv.identity);
        let earlier = before.len().checked_sub(2).filter(|_| self.two).map(|at| before[at].identity);
        let of_two = last.zip(earlier).map(|(last, earlier)| (Some(earlier), last));
        of_two.into_iter().chain(last.map(|last| (None, last)))
    }

    fn reply(&self, side: Side, (earlier, last): Before) -> Option<u16> {
        let replies = match earlier {
            None => &self.to_one,
            Some(earlier) => self.to_two.get(usize::from(earlier))?,
        };
        replies.get(usize::from(last))?[side.index()]
    }

    fn reply_mut(&mut self, side: Side, (earlier, last): Before) -> &mut Option<u16> {
        let replies = match earlier {
            None => &mut self.to_one,
            Some(earlier) => grown(&mut self.to_two, earlier),
        };
        &mut grown(replies, last)[side.index()]
    }
}

/// The element of a table that grows with the identities of moves.
fn grown<T: Clone + Default>(table: &mut Vec<T>, at: u16) -> &mut T {
    let at = usize::from(at);
    if at >= table.len() {
        table.resize(at + 1, T::default());
    }
    &mut table[at]
}

impl LearningPolicy for LastGoodReplies {
    const NEEDS_LAST_MOVES: bool = true;

    fn draw(&self, side: Side, identities: &[u16], before: &[SimulatedMove], rng: &mut Rng) -> usize {
        let reply = self.keys(before).find_map(|key| {
            let reply = self.reply(side, key)?;
            identities.iter().position(|&identity| identity == reply)
        });
        reply.unwrap_or_else(|| rng.below(identities.len() as u32) as usize)
    }

    fn learn(&mut self, moves: &[SimulatedMove], result: f32) {
        let winner = match result {
            result if result > 0.5 => Side::First,
            result if result < 0.5 => Side::Second,
            _ => return,
        };
        for (i, mv) in moves.iter().enumerate().skip(1) {
            for key in self.keys(&moves[..i]) {
                let reply = self.reply_mut(mv.side, key);
                if mv.side == winner {
                    *reply = Some(mv.identity);
                } else if *reply == Some(mv.identity) {
                    *reply = None;
                }
            }
        }
    }

    fn forget(&mut self) {
        self.to_one.clear();
        self.to_two.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use banyan_core::{Answer, LastMoves, Plain};
    use banyan_testkit::mesh::Mesh;

    use super::*;

    fn played(moves: &[(Side, u16)]) -> Vec<SimulatedMove> {
        moves.iter().map(|&(side, identity)| SimulatedMove { side, identity }).collect()
    }

    /// The number of times each of `identities` is drawn out of `n`.
    fn counts(
        policy: &impl LearningPolicy,
        side: Side,
        identities: &[u16],
        before: &[SimulatedMove],
        n: u32,
    ) -> Vec<u32> {
        let mut rng = Rng::new(7);
        let mut counts = vec![0; identities.len()];
        (0..n).for_each(|_| counts[policy.draw(side, identities, before, &mut rng)] += 1);
        counts
    }

    #[test]
    fn moves_are_drawn_by_their_mean_results() {
        let mut policy = MoveAverages::new(0.5);
        // Means of the first side: move 0: 1/2, move 1: 0; move 2 was played by the second side only, with a result of 0 for it.
        policy.learn(&played(&[(Side::First, 0), (Side::Second, 2)]), 1.0);
        policy.learn(&played(&[(Side::First, 0), (Side::First, 1)]), 0.0);
        let drawn = counts(&policy, Side::First, &[0, 1, 2], &[], 100_000);
        // Weights e^1, e^0 and e^2, the last for a move that was never played: six standard deviations are below 900.
        let weights = [1.0f64, 0.0, 2.0].map(f64::exp);
        for (n, weight) in drawn.into_iter().zip(weights) {
            let expected = weight / weights.iter().sum::<f64>() * 100_000.0;
            assert!((f64::from(n) - expected).abs() < 900.0, "{n} for {expected}");
        }
        let drawn = counts(&policy, Side::Second, &[2, 3], &[], 100_000);
        assert!(drawn[0].abs_diff(11_920) < 900, "{drawn:?}: weights e^0 and e^2");
        policy.forget();
        let drawn = counts(&policy, Side::First, &[0, 1], &[], 1000);
        assert!(drawn[0].abs_diff(500) < 100, "{drawn:?}");
    }

    #[test]
    fn the_smallest_temperature_draws_a_move_of_the_best_mean() {
        let mut policy = MoveAverages::new(0.001);
        policy.learn(&played(&[(Side::First, 0), (Side::First, 1), (Side::First, 1)]), 1.0);
        policy.learn(&played(&[(Side::First, 0), (Side::First, 2)]), 0.0);
        assert_eq!(counts(&policy, Side::First, &[0, 1, 2], &[], 100), [0, 100, 0]);
        // Far below the best result all weights are 0 but for the smallest of numbers.
        assert_eq!(counts(&policy, Side::First, &[2], &[], 3), [3]);
    }

    #[test]
    fn the_winner_s_last_reply_is_played_until_it_loses() {
        let (first, second) = (Side::First, Side::Second);
        let mut policy = LastGoodReplies::new(false);
        let game = played(&[(first, 4), (second, 7), (first, 5), (second, 8)]);
        policy.learn(&game, 0.0);
        // The second side won: it replied 7 to 4 and 8 to 5. The first side's reply to 7 is not kept.
        let drawn =
            |policy: &LastGoodReplies, side, last| counts(policy, side, &[5, 6, 7, 8], &played(&[(!side, last)]), 400);
        assert_eq!(drawn(&policy, second, 4), [0, 0, 400, 0]);
        assert_eq!(drawn(&policy, second, 5), [0, 0, 0, 400]);
        assert!(drawn(&policy, first, 7).iter().all(|&n| n > 50));
        // Not legal: a random move.
        assert_eq!(counts(&policy, second, &[1], &played(&[(first, 4)]), 5), [5]);
        // A draw changes nothing; a loss with another reply neither; a loss with the reply forgets it.
        policy.learn(&played(&[(first, 4), (second, 7)]), 0.5);
        policy.learn(&played(&[(first, 4), (second, 6)]), 1.0);
        assert_eq!(drawn(&policy, second, 4), [0, 0, 400, 0]);
        policy.learn(&played(&[(first, 4), (second, 7)]), 1.0);
        assert!(drawn(&policy, second, 4).iter().all(|&n| n > 50));
    }

    #[test]
    fn a_playout_begins_with_the_reply_to_the_last_move_of_the_tree() {
        let mesh = Mesh::new(3, 10, false);
        let state = mesh.start();
        let (mut moves, side) = (MoveList::new(), mesh.to_move(&state));
        mesh.moves(&state, &mut moves);
        let reply = moves[1];
        let mut policy = LastGoodReplies::new(false);
        policy.learn(&played(&[(!side, 99), (side, reply.into())]), if side == Side::First { 1.0 } else { 0.0 });
        let mut playouts = LearningPlayouts::new(policy, Plain);
        let mut rng = Rng::new(1);
        let mut first_moves = |last: u16| -> HashSet<u8> {
            let last_moves = [LastMoves::default().then(SimulatedMove { side: !side, identity: last })];
            let mut first = || {
                let (mut answer, mut list) = ([Answer::default()], [MoveList::new()]);
                let leaves = Leaves::new(std::slice::from_ref(&state), &[0], &mut answer).with_played(&mut list);
                playouts.evaluate(&mesh, &mut leaves.with_last_moves(&last_moves), &mut rng);
                list[0][0]
            };
            (0..50).map(|_| first()).collect()
        };
        assert_eq!(first_moves(99), HashSet::from([reply]));
        assert_eq!(first_moves(98), moves.iter().copied().collect());
    }

    #[test]
    fn the_reply_to_two_moves_comes_before_that_to_one() {
        let (first, second) = (Side::First, Side::Second);
        let mut policy = LastGoodReplies::new(true);
        policy.learn(&played(&[(second, 1), (first, 4), (second, 7)]), 0.0);
        policy.learn(&played(&[(second, 2), (first, 4), (second, 8)]), 0.0);
        let drawn = |before: &[(Side, u16)]| counts(&policy, second, &[6, 7, 8], &played(before), 10);
        assert_eq!(drawn(&[(second, 1), (first, 4)]), [0, 10, 0]);
        assert_eq!(drawn(&[(second, 2), (first, 4)]), [0, 0, 10]);
        // The last reply to 4 alone.
        assert_eq!(drawn(&[(second, 3), (first, 4)]), [0, 0, 10]);
        assert_eq!(drawn(&[(first, 4)]), [0, 0, 10]);
    }
}
