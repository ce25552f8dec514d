//! Ratings with an advantage of moving first and adaptive pairing, against synthetic players of known strength.

use banyan_arena::stats::{Anchor, MatchCounts, Meeting, Outcome, Ratings, score_of_elo};
use banyan_arena::{AdaptiveConfig, AdaptivePairing, Format, Order, Schedule, ScheduleConfig, Shard, neighbours};
use banyan_core::{Rng, mix};

/// A game between players of this difference, the advantage of moving first included; a tenth of the games of equal players
/// are drawn.
fn game(elo: f64, rng: &mut Rng) -> Outcome {
    let p = score_of_elo(elo);
    let drawn = 0.2 * p.min(1.0 - p);
    match rng.unit() {
        x if x < p - drawn / 2.0 => Outcome::Win,
        x if x < p + drawn / 2.0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// Players with an advantage of moving first that are rated adaptively.
struct Pool {
    elo: Vec<f64>,
    first_move: f64,
    seed: u64,
}

impl Pool {
    /// Plays until the order is settled or the budget is spent; returns the ratings and the number of pairs.
    fn rate(&self, config: AdaptiveConfig) -> (Ratings, u64) {
        let n_players = self.elo.len();
        let schedule =
            ScheduleConfig { n_players, format: Format::RoundRobin, pairs: None, seed: 1, shard: Shard::WHOLE };
        let schedule = Schedule::new(schedule).expect("a schedule");
        let mut adaptive = AdaptivePairing::new(&schedule, config);
        let mut counts = vec![MatchCounts::default(); schedule.n_pairings() as usize];
        let mut played = 0;
        loop {
            let batch = adaptive.next_batch();
            if batch.is_empty() {
                return (adaptive.ratings(), played);
            }
            played += batch.len() as u64;
            for index in batch {
                let [a, b] = schedule.plan(index).pairing;
                // A pair is the same whenever it is played.
                let mut rng = Rng::new(mix(self.seed ^ mix(index)));
                let gap = self.elo[a] - self.elo[b];
                let pairing = (index % schedule.n_pairings()) as usize;
                let [first, second] = [self.first_move, -self.first_move].map(|order| game(gap + order, &mut rng));
                counts[pairing].add_pair(first, second);
                adaptive.set_counts(pairing, counts[pairing]);
            }
        }
    }
}

/// `n` players, `gap` Elo apart, in a mixed order.
fn ladder(n: usize, gap: f64) -> Vec<f64> {
    (0..n).map(|i| (i * 5 % n) as f64 * gap).collect()
}

#[test]
fn intervals_after_adaptive_pairing_cover_known_strengths() {
    let config = AdaptiveConfig { pairs: 600, superiority: 0.975, error_elo: f64::INFINITY };
    let elo = ladder(12, 45.0);
    let mean = elo.iter().sum::<f64>() / 12.0;
    let (mut hits, mut first_hits, runs) = (0, 0, 250);
    for seed in 0..runs {
        let (ratings, _) = Pool { elo: elo.clone(), first_move: 80.0, seed: mix(seed) }.rate(config);
        hits += elo.iter().zip(&ratings.elo).filter(|(elo, found)| !found.excludes(*elo - mean)).count();
        first_hits += usize::from(!ratings.first_move.excludes(80.0));
    }
    let share = hits as f64 / (12 * runs) as f64;
    let of_first_move = first_hits as f64 / runs as f64;
    assert!((0.92..=0.98).contains(&share), "{share}");
    // 250 runs: two standard errors are 2.8 %.
    assert!((0.91..=0.99).contains(&of_first_move), "{of_first_move}");
}

#[test]
fn players_well_apart_are_put_in_order_with_part_of_the_budget() {
    let config = AdaptiveConfig { pairs: 3000, superiority: 0.975, error_elo: f64::INFINITY };
    let elo = ladder(12, 120.0);
    let mut truth: Vec<usize> = (0..12).collect();
    truth.sort_by(|&a, &b| elo[b].total_cmp(&elo[a]));
    let (mut right, mut most) = (0, 0);
    for seed in 0..100 {
        let (ratings, played) = Pool { elo: elo.clone(), first_move: 60.0, seed: mix(seed) }.rate(config);
        let states = neighbours(&ratings, config, played);
        assert!(states.iter().all(|found| found.order == Order::Settled), "run {seed}: {states:?}");
        right += usize::from(ratings.ranking() == truth);
        most = most.max(played);
    }
    // Every gap is much wider than the limit of 97.5 % requires by the time all are settled.
    assert!(right >= 97, "{right}");
    assert!(most < 1500, "{most}");
}

#[test]
fn adaptive_pairing_settles_more_than_a_round_robin_of_as_many_pairs() {
    // Pairs of equals at both ends of the order are the difficult ones.
    let elo = vec![0.0, 400.0, 460.0, 800.0, 1200.0, 1600.0];
    let config = AdaptiveConfig { pairs: 450, superiority: 0.975, error_elo: f64::INFINITY };
    let (mut adaptive, mut even) = (0, 0);
    for seed in 0..60 {
        let pool = Pool { elo: elo.clone(), first_move: 0.0, seed: mix(seed) };
        let (ratings, _) = pool.rate(config);
        adaptive += usize::from(ratings.superiority(2, 1) >= 0.975);
        let mut rng = Rng::new(mix(seed + 1000));
        let mut meetings = Vec::new();
        for player in 0..6 {
            for opponent in 0..player {
                let mut counts = MatchCounts::default();
                for _ in 0..30 {
                    let mut play = || game(elo[player] - elo[opponent], &mut rng);
                    let (first, second) = (play(), play());
                    counts.add_pair(first, second);
                }
                meetings.push(Meeting { player, opponent, counts });
            }
        }
        let ratings = Ratings::fit_with_order(6, &meetings, Anchor::Mean);
        even += usize::from(ratings.superiority(2, 1) >= 0.975);
    }
    assert!(adaptive > even + 10, "{adaptive} {even}");
}

#[test]
fn the_maximum_of_the_likelihood_with_order_is_the_one_of_a_slow_search() {
    let mut rng = Rng::new(5);
    let elo = [0.0, 100.0, -60.0, 40.0];
    let mut meetings = Vec::new();
    for player in 0..4 {
        for opponent in 0..player {
            let mut counts = MatchCounts::default();
            for _ in 0..15 {
                let gap = elo[player] - elo[opponent];
                let (first, second) = (game(gap + 90.0, &mut rng), game(gap - 90.0, &mut rng));
                counts.add_pair(first, second);
            }
            meetings.push(Meeting { player, opponent, counts });
        }
    }
    // Coordinate by coordinate, by smaller and smaller steps: nothing of Newton's method in it.
    let points = |wdl: banyan_arena::stats::Wdl| (wdl.wins as f64 + 0.5 * wdl.draws as f64, wdl.games() as f64);
    let log_posterior = |x: &[f64; 5]| {
        let log = |gap: f64| -(1.0 + (-gap).exp()).ln();
        let mut sum: f64 = x.iter().map(|&r| 0.5 * (log(r) + log(-r))).sum();
        for Meeting { player, opponent, counts } in &meetings {
            for (by_side, order) in [(counts.by_side[0], x[4]), (counts.by_side[1], -x[4])] {
                let ((points, games), gap) = (points(by_side), x[*player] - x[*opponent] + order);
                sum += points * log(gap) + (games - points) * log(-gap);
            }
        }
        sum
    };
    let (mut x, mut step) = ([0.0; 5], 0.5);
    while step > 1e-9 {
        let mut moved = false;
        for i in 0..5 {
            for delta in [step, -step] {
                let mut next = x;
                next[i] += delta;
                if log_posterior(&next) > log_posterior(&x) {
                    (x, moved) = (next, true);
                }
            }
        }
        step = if moved { step } else { step / 2.0 };
    }
    let per_nat = 400.0 / std::f64::consts::LN_10;
    let ratings = Ratings::fit_with_order(4, &meetings, Anchor::Mean);
    let mean = x[..4].iter().sum::<f64>() / 4.0;
    for (found, slow) in ratings.elo.iter().zip(x) {
        assert!((found.mid.expect("games") - (slow - mean) * per_nat).abs() < 0.01, "{found} {}", slow * per_nat);
    }
    let found = ratings.first_move;
    assert!((found.mid.expect("games") - x[4] * per_nat).abs() < 0.01, "{found} {}", x[4] * per_nat);
    assert!(found.low.is_some_and(|low| low > 0.0) && !found.excludes(90.0), "{found}");
    // Swapping all colours turns the advantage round and leaves the strengths.
    let swapped: Vec<Meeting> = meetings
        .iter()
        .map(|meeting| {
            let [first, second] = meeting.counts.by_side;
            Meeting { counts: MatchCounts { by_side: [second, first], ..meeting.counts }, ..*meeting }
        })
        .collect();
    let swapped = Ratings::fit_with_order(4, &swapped, Anchor::Mean);
    let (one, other) = (swapped.first_move, ratings.first_move);
    assert!(one.low.zip(other.high).is_some_and(|(a, b)| (a + b).abs() < 1e-6), "{one} {other}");
    for (one, other) in swapped.elo.iter().zip(&ratings.elo) {
        assert!(one.low.zip(other.low).is_some_and(|(a, b)| (a - b).abs() < 1e-6), "{one} {other}");
    }
}

#[test]
fn with_no_advantage_of_moving_first_the_ratings_are_those_without_it() {
    // Every pair is split or won twice: both sides have the same results.
    let meeting = |player, opponent, won: u64, lost: u64| {
        let mut counts = MatchCounts::default();
        (0..won).for_each(|_| counts.add_pair(Outcome::Win, Outcome::Win));
        (0..lost).for_each(|_| counts.add_pair(Outcome::Loss, Outcome::Loss));
        Meeting { player, opponent, counts }
    };
    let meetings = [meeting(0, 1, 12, 5), meeting(1, 2, 9, 8), meeting(0, 2, 7, 7)];
    let plain = Ratings::fit(3, &meetings, Anchor::Mean);
    let ordered = Ratings::fit_with_order(3, &meetings, Anchor::Mean);
    let width = |found: &banyan_arena::stats::Interval| found.high.zip(found.low).map(|(high, low)| high - low);
    for (one, other) in plain.elo.iter().zip(&ordered.elo) {
        assert!(one.mid.zip(other.mid).is_some_and(|(a, b)| (a - b).abs() < 1e-6), "{one} {other}");
        // Up to the correction for small samples.
        let (one, other) = (width(one).expect("both ends"), width(other).expect("both ends"));
        assert!((1.0..1.1).contains(&(other / one)), "{one} {other}");
    }
    assert!(ordered.first_move.mid.is_some_and(|mid| mid.abs() < 1e-9), "{}", ordered.first_move);
    // No pair was split, so that the advantage is known well: x1 - x2 is always 0.
    assert!(width(&ordered.first_move) < width(&ordered.elo[0]), "{}", ordered.first_move);
}
