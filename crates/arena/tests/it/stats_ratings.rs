//! Ratings of several players against known strengths, a second method of solution, and simple cases solved by hand.

use banyan_arena::stats::{Anchor, Interval, MatchCounts, Meeting, Outcome, Pentanomial, Ratings, score_of_elo};
use banyan_core::Rng;

const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

fn meeting(player: usize, opponent: usize, counts: [u64; 5]) -> Meeting {
    Meeting { player, opponent, counts: MatchCounts::from(Pentanomial { counts }) }
}

/// A round robin of players of known strength: no draws, independent games.
fn round_robin(elo: &[f64], pairs: usize, rng: &mut Rng) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for player in 0..elo.len() {
        for opponent in 0..player {
            let chance = score_of_elo(elo[player] - elo[opponent]);
            let mut counts = MatchCounts::default();
            for _ in 0..pairs {
                let mut game = || if rng.unit() < chance { Outcome::Win } else { Outcome::Loss };
                let (one, other) = (game(), game());
                counts.add_pair(one, other);
            }
            meetings.push(Meeting { player, opponent, counts });
        }
    }
    meetings
}

/// Minorise and maximise (Hunter 2004, equation 3), with the drawn game against an imaginary player of strength 1.
fn by_minorising(n_players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut gamma = vec![1.0; n_players];
    for _ in 0..20_000 {
        let mut won = vec![0.5; n_players];
        let mut weight: Vec<f64> = gamma.iter().map(|g| 1.0 / (g + 1.0)).collect();
        for Meeting { player, opponent, counts } in meetings {
            let pairs = counts.pairs.pairs() as f64;
            let points: f64 = counts.pairs.counts.iter().zip(0..).map(|(&n, i)| n as f64 * f64::from(i) / 2.0).sum();
            won[*player] += points;
            won[*opponent] += 2.0 * pairs - points;
            for side in [*player, *opponent] {
                weight[side] += 2.0 * pairs / (gamma[*player] + gamma[*opponent]);
            }
        }
        gamma = won.iter().zip(weight).map(|(w, weight)| w / weight).collect();
    }
    gamma.iter().map(|g: &f64| g.ln() * ELO_PER_NAT).collect()
}

fn mids(ratings: &Ratings) -> Vec<f64> {
    ratings.elo.iter().map(|elo| elo.mid.expect("every player has games")).collect()
}

#[test]
fn newton_and_minorising_find_the_same_ratings() {
    let mut rng = Rng::new(23);
    for _ in 0..5 {
        let true_elo: Vec<f64> = (0..5).map(|_| 600.0 * rng.unit()).collect();
        let meetings = round_robin(&true_elo, 20, &mut rng);
        let slow = by_minorising(5, &meetings);
        let mean = slow.iter().sum::<f64>() / 5.0;
        for (newton, slow) in mids(&Ratings::fit(5, &meetings, Anchor::Mean)).iter().zip(&slow) {
            assert!((newton - (slow - mean)).abs() < 1e-3, "{newton} {}", slow - mean);
        }
        for (newton, peer) in mids(&Ratings::fit(5, &meetings, Anchor::Player(2))).iter().zip(&slow) {
            assert!((newton - (peer - slow[2])).abs() < 1e-3, "{newton} {}", peer - slow[2]);
        }
    }
}

#[test]
fn intervals_of_ratings_cover_known_strengths() {
    let true_elo = [-150.0, -50.0, 0.0, 60.0, 140.0];
    let (mut hits, mut n_intervals) = (0, 0);
    let mut rng = Rng::new(29);
    for _ in 0..500 {
        let ratings = Ratings::fit(5, &round_robin(&true_elo, 30, &mut rng), Anchor::Mean);
        for player in 0..5 {
            let difference = ratings.difference(player, (player + 1) % 5);
            hits += usize::from(!ratings.elo[player].excludes(true_elo[player]));
            hits += usize::from(!difference.excludes(true_elo[player] - true_elo[(player + 1) % 5]));
            n_intervals += 2;
        }
    }
    let share = hits as f64 / n_intervals as f64;
    assert!((0.93..=0.97).contains(&share), "{share}");
}

#[test]
fn errors_follow_the_spread_between_pairs() {
    let width = |counts| {
        let difference = Ratings::fit(2, &[meeting(0, 1, counts)], Anchor::Player(1)).difference(0, 1);
        difference.high.zip(difference.low).map(|(high, low)| high - low).expect("both ends")
    };
    // Both scores are .5; the pairs of the second match are split far more often than independent games would be.
    let (independent, split) = (width([250, 0, 500, 0, 250]), width([25, 0, 950, 0, 25]));
    // 2000 independent even games: 2 * 1.96 * 173.7 / sqrt(2000 / 4) = 30.45.
    assert!((independent - 30.45).abs() < 0.3, "{independent}");
    assert!((split / independent - 0.1f64.sqrt()).abs() < 0.01, "{split} {independent}");
}

#[test]
fn two_players_get_the_elo_of_their_score() {
    let counts = [30, 100, 400, 200, 120];
    let expected = Pentanomial { counts }.estimate().elo;
    let found = Ratings::fit(2, &[meeting(0, 1, counts)], Anchor::Player(1)).elo[0];
    for (a, b) in [(found.low, expected.low), (found.mid, expected.mid), (found.high, expected.high)] {
        assert!(a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 0.5), "{found} {expected}");
    }
}

#[test]
fn ratings_after_wins_only_have_no_upper_end() {
    let meetings = [meeting(0, 1, [0, 0, 0, 0, 50]), meeting(1, 2, [5, 10, 20, 10, 5])];
    let ratings = Ratings::fit(3, &meetings, Anchor::Player(1));
    let winner = ratings.elo[0];
    assert!(winner.high.is_none() && winner.low.is_some_and(|low| (100.0..446.0).contains(&low)), "{winner}");
    assert_eq!(ratings.elo[1], Interval { low: Some(0.0), mid: Some(0.0), high: Some(0.0) });
    assert!(ratings.superiority(0, 2) > 0.999 && ratings.superiority(2, 0) < 0.001);
    // The same match seen by the loser.
    let seen_by_loser = [meeting(1, 0, [50, 0, 0, 0, 0]), meetings[1]];
    let low = Ratings::fit(3, &seen_by_loser, Anchor::Player(1)).elo[0].low;
    assert!(low.zip(winner.low).is_some_and(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn unconnected_players_are_not_compared() {
    let meetings = [meeting(0, 1, [5, 10, 20, 10, 9]), meeting(2, 3, [5, 10, 20, 30, 40])];
    let ratings = Ratings::fit(5, &meetings, Anchor::Player(0));
    assert_eq!(ratings.group, [0, 0, 2, 2, 4]);
    assert_eq!(ratings.difference(0, 2), Interval::UNKNOWN);
    assert_eq!(ratings.superiority(0, 2), 0.5);
    assert_eq!(ratings.elo[4], Interval::UNKNOWN);
    // The group without the anchor has its own mean at 0.
    let [two, three] = [2, 3].map(|player| ratings.elo[player].mid.expect("has played"));
    assert!((two + three).abs() < 1e-9 && two > 50.0, "{two} {three}");
}

#[test]
fn a_chain_of_wins_is_rated_in_order() {
    let meetings: Vec<Meeting> = (0..9).map(|i| meeting(i + 1, i, [0, 0, 0, 0, 20])).collect();
    let elo = mids(&Ratings::fit(10, &meetings, Anchor::Mean));
    assert!(elo.is_sorted() && elo[9] - elo[0] < 1e4, "{elo:?}");
}
