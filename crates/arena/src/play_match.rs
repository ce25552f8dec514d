//! A match between two players in this process, as one call.

use std::collections::HashSet;
use std::time::Duration;

use banyan_core::{Fault, Game, Limits, Player, Report, SearchObserver, Side, Situation};

use crate::stats::{MatchCounts, Outcome};
use crate::{
    Allowance, Ending, Format, Judge, OpeningBook, PairPlan, Schedule, ScheduleConfig, Setup, Shard, Terms, play_game,
};

/// The conditions of a match for [`play_match`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchConditions {
    /// Pairs of games; the two games of a pair begin with the same opening, and the players exchange sides.
    pub pairs: u32,
    /// Limits of every move of both players. The limit on time is in wall time; a clock is ignored.
    pub limits: Limits,
    /// Random moves before the players choose, at least; 0 to begin every game at the start. The openings of two pairs differ, also
    /// by symmetry: where the game has too few of them they get longer, and repeat in the end. By default 2, a guess. Without openings,
    /// players that draw nothing at random play the same two games in every pair.
    pub opening_plies: u16,
    /// Seed of the openings and of the players; 0 by default.
    pub seed: u64,
}

impl MatchConditions {
    /// Conditions with these numbers of pairs and limits of every move, and all else at its default.
    pub fn new(pairs: u32, limits: Limits) -> MatchConditions {
        MatchConditions { pairs, limits, opening_plies: 2, seed: 0 }
    }
}

/// Plays a match between two players on the calling thread, and returns its counts, seen by the first of them.
/// [`MatchCounts::estimate`] gives the score and the difference in Elo with their 95 % intervals.
///
/// Games that a player loses by a late answer or resigns are counted like all others. With the same seed, and limits on playouts,
/// nodes or depth for players of one thread, the match repeats exactly.
///
/// ```
/// # use banyan_core::{Fault, Game, Player, Report, Rng, SearchObserver, Situation};
/// # use banyan_testkit::chain::Chain;
/// # struct Expert;
/// # impl Player<Chain> for Expert {
/// #     fn choose(
/// #         &mut self,
/// #         at: &Situation<'_, Chain>,
/// #         _: &Limits,
/// #         _: &mut dyn SearchObserver<u8>,
/// #     ) -> Result<Report<u8>, Fault> {
/// #         Ok(Report::bare((at.state.tokens % 4).max(1) as u8, Default::default()))
/// #     }
/// #     fn new_game(&mut self, _: u64) {}
/// # }
/// # struct Random(Rng);
/// # impl Player<Chain> for Random {
/// #     fn choose(
/// #         &mut self,
/// #         at: &Situation<'_, Chain>,
/// #         _: &Limits,
/// #         _: &mut dyn SearchObserver<u8>,
/// #     ) -> Result<Report<u8>, Fault> {
/// #         Ok(Report::bare(banyan_core::random_move(at.game, at.state, &mut self.0, &mut Vec::new()), Default::default()))
/// #     }
/// #     fn new_game(&mut self, seed: u64) {
/// #         self.0 = Rng::new(seed);
/// #     }
/// # }
/// # let (mut expert, mut random) = (Expert, Random(Rng::new(1)));
/// # let game = Chain { tokens: 21, extra_turn_at: None };
/// use banyan_arena::{MatchConditions, play_match};
/// use banyan_core::Limits;
///
/// let conditions = MatchConditions::new(50, Limits::playouts(1000));
/// let counts = play_match(&game, [&mut expert, &mut random], &conditions)?;
/// println!("{:+} Elo", counts.estimate().elo);
/// # assert!(counts.games().games() == 100 && counts.games().wins > 90);
/// # assert!(counts.estimate().elo.excludes(0.0));
/// # Ok::<(), Fault>(())
/// ```
///
/// # Errors
/// A fault that leaves the match without a meaning: a player chose an illegal move, panicked, crashed, violated its protocol, or did
/// not get the resources it needs.
///
/// # Panics
/// If the game is over at its start.
pub fn play_match<G: Game>(
    game: &G,
    players: [&mut dyn Player<G>; 2],
    conditions: &MatchConditions,
) -> Result<MatchCounts, Fault> {
    let MatchConditions { pairs, limits, opening_plies, seed } = *conditions;
    let start = game.start();
    assert!(game.result(&start).is_none(), "no moves to play: the game is over at its start");
    let mut counts = MatchCounts::default();
    if pairs == 0 {
        return Ok(counts);
    }
    let format = Format::RoundRobin;
    let config = ScheduleConfig { n_players: 2, format, pairs: Some(pairs.into()), seed, shard: Shard::WHOLE };
    let schedule = Schedule::new(config).expect("two players and at least one pair");
    let mut openings = OpeningBook::new(start.clone(), opening_plies, schedule.openings_seed());
    let mut judge = Judge { player: &mut Indifferent, limits: Limits::default(), threshold: 1.0 };
    let terms = Terms::even(Allowance { per_move: limits, clock: None });
    let [one, other] = players;
    for plan in schedule.plans(&HashSet::new()) {
        let opening = if opening_plies == 0 { Vec::new() } else { openings.next(game, &mut judge)?.moves };
        let mut outcome = |game_idx: usize| {
            let seeds = plan.game_seeds[game_idx];
            let setup = Setup { game, start: &start, opening: &opening, terms, seeds, heartbeat: None };
            outcome_of(&setup, &plan, game_idx, [&mut *one, &mut *other])
        };
        counts.add_pair(outcome(0)?, outcome(1)?);
    }
    Ok(counts)
}

/// Plays one game of a pair and returns its outcome for the first of the `players`, which are in the order of the match.
fn outcome_of<G: Game>(
    setup: &Setup<'_, G>,
    plan: &PairPlan,
    game_idx: usize,
    mut players: [&mut dyn Player<G>; 2],
) -> Result<Outcome, Fault> {
    let side = plan.side(game_idx, 0);
    if side == Side::Second {
        players.reverse();
    }
    let ending = play_game(setup, players, &|| false).ending;
    let half_points = ending.half_points(side);
    match ending {
        Ending::NoResources(how) => return Err(Fault::NoResources(how)),
        Ending::Fault { fault, .. } if !matches!(fault, Fault::Late(_) | Fault::Resigned) => return Err(fault),
        _ => {}
    }
    Ok(match half_points.expect("neither interrupted nor watched by a heartbeat") {
        0 => Outcome::Loss,
        1 => Outcome::Draw,
        _ => Outcome::Win,
    })
}

/// A judge to which all openings are balanced.
struct Indifferent;

impl<G: Game> Player<G> for Indifferent {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        _limits: &Limits,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let mut moves = Vec::new();
        at.game.moves(at.state, &mut moves);
        Ok(Report::bare(moves[0], Duration::ZERO))
    }

    fn new_game(&mut self, _seed: u64) {}
}

#[cfg(test)]
mod tests {
    use banyan_testkit::chain::{Chain, Left};

    use super::*;

    /// Plays this move if it is legal, else takes one token. Counts the games.
    struct Takes(u8, u32);

    impl Player<Chain> for Takes {
        fn choose(
            &mut self,
            at: &Situation<'_, Chain>,
            _limits: &Limits,
            _observer: &mut dyn SearchObserver<u8>,
        ) -> Result<Report<u8>, Fault> {
            let &Left { tokens, .. } = at.state;
            let is_left = u16::from(self.0) <= tokens;
            Ok(Report::bare(if is_left { self.0 } else { 1 }, Duration::ZERO))
        }

        fn new_game(&mut self, _seed: u64) {
            self.1 += 1;
        }
    }

    const GAME: Chain = Chain { tokens: 5, extra_turn_at: None };

    #[test]
    fn players_exchange_sides_within_a_pair() {
        // Of five tokens the first player to move takes two, the other one all that is left, or the reverse.
        let conditions = MatchConditions { opening_plies: 0, ..MatchConditions::new(3, Limits::default()) };
        let (mut two, mut three) = (Takes(2, 0), Takes(3, 0));
        let counts = play_match(&GAME, [&mut two, &mut three], &conditions).expect("legal moves");
        assert_eq!((counts.pairs.counts, two.1, three.1), ([0, 0, 3, 0, 0], 6, 6));
        assert_eq!(counts.by_side.map(|games| games.losses), [3, 0]);
    }

    #[test]
    fn an_illegal_move_ends_the_match_with_its_fault() {
        let conditions = MatchConditions::new(3, Limits::default());
        let result = play_match(&GAME, [&mut Takes(1, 0), &mut Takes(0, 0)], &conditions);
        assert!(matches!(result, Err(Fault::Illegal(_))), "{result:?}");
    }

    #[test]
    fn a_match_without_pairs_has_no_games() {
        let conditions = MatchConditions::new(0, Limits::default());
        let counts = play_match(&GAME, [&mut Takes(1, 0), &mut Takes(2, 0)], &conditions);
        assert_eq!(counts, Ok(MatchCounts::default()));
    }
}
