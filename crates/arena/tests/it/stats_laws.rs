//! Laws for all possible counts: results are finite, sides are symmetric, and better results never lower the score.

use banyan_arena::stats::{
    Anchor, EloScale, Estimate, Interval, MatchCounts, Meeting, Pentanomial, Ratings, Sprt, Wdl, wilson,
};
use proptest::prelude::*;

/// Counts of every size, zeros and `u64::MAX` included.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0), 1 => Just(1), 3 => 0..100u64, 2 => 0..1_000_000u64, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

fn counts() -> impl Strategy<Value = MatchCounts> {
    let wdl = || [count(), count(), count()].prop_map(|[wins, draws, losses]| Wdl { wins, draws, losses });
    (prop::array::uniform5(count()), wdl(), wdl(), wdl()).prop_map(|(counts, singles, first, second)| MatchCounts {
        pairs: Pentanomial { counts },
        singles,
        by_side: [first, second],
    })
}

fn sprt() -> impl Strategy<Value = Sprt> {
    let scale = prop_oneof![Just(EloScale::Normalized), Just(EloScale::Logistic), Just(EloScale::Bayes)];
    (scale, -100.0..99.0, 0.1..100.0).prop_map(|(scale, elo0, more): (EloScale, f64, f64)| {
        Sprt::new(scale, elo0, (elo0 + more).min(100.0), 0.05, 0.1).expect("valid bounds")
    })
}

fn check_interval(interval: Interval) {
    let Interval { low, mid, high } = interval;
    for end in [low, mid, high].into_iter().flatten() {
        assert!(end.is_finite(), "{interval:?}");
    }
    assert!(low.zip(mid).is_none_or(|(low, mid)| low <= mid), "{interval:?}");
    assert!(mid.zip(high).is_none_or(|(mid, high)| mid <= high), "{interval:?}");
}

fn check_estimate(estimate: &Estimate) {
    for interval in [estimate.score, estimate.elo, estimate.nelo] {
        check_interval(interval);
    }
    assert!((0.0..=1.0).contains(&estimate.los), "{estimate:?}");
    assert!(estimate.standard_error.is_none_or(f64::is_finite));
    for end in [estimate.score.low, estimate.score.high].into_iter().flatten() {
        assert!((0.0..=1.0).contains(&end), "{estimate:?}");
    }
}

/// Whether two ends of intervals are mirror images of each other.
fn mirrored(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(a), Some(b)) => (a + b).abs() <= 1e-5 * (1.0 + a.abs()),
        (None, None) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn estimates_are_finite_for_all_counts(counts in counts()) {
        check_estimate(&counts.estimate());
        check_estimate(&counts.singles.estimate());
        prop_assert!(!counts.estimate().elo.to_string().contains("inf"));
    }

    #[test]
    fn ratios_are_finite_for_all_counts(counts in counts(), sprt in sprt()) {
        for counts in [counts, MatchCounts { pairs: Pentanomial::default(), ..counts }] {
            let state = sprt.test(&counts);
            prop_assert!(state.llr.is_finite(), "{state:?}");
        }
    }

    #[test]
    fn exchanging_the_sides_changes_signs(counts in prop::array::uniform5(0..100_000u64)) {
        let (one, other) = (Pentanomial { counts }.estimate(), Pentanomial { counts }.reversed().estimate());
        prop_assert!((one.los + other.los - 1.0).abs() < 1e-9);
        for (a, b) in [(one.elo, other.elo), (one.nelo, other.nelo)] {
            prop_assert!(mirrored(a.mid, b.mid) && mirrored(a.low, b.high) && mirrored(a.high, b.low), "{a:?} {b:?}");
        }
    }

    #[test]
    fn exchanging_sides_and_hypotheses_changes_the_sign_of_the_ratio(
        counts in counts(), elo0 in -50.0..50.0f64, more in 0.5..50.0f64, scale in 0..3usize,
    ) {
        let scale = [EloScale::Normalized, EloScale::Logistic, EloScale::Bayes][scale];
        let llr = |e0, e1, counts: &MatchCounts| Sprt::new(scale, e0, e1, 0.05, 0.05).expect("valid bounds").llr(counts);
        let (one, other) = (llr(elo0, elo0 + more, &counts), llr(-elo0 - more, -elo0, &counts.reversed()));
        // The ratio is a sum over all units, each rounded by one part in 10^16.
        let units = counts.pairs.pairs() as f64 + counts.singles.games() as f64 + counts.games().games() as f64;
        prop_assert!((one + other).abs() <= 1e-6 * (1.0 + one.abs()) + 1e-14 * units, "{one} {other}");
    }

    #[test]
    fn a_better_result_never_lowers_score_or_ratio(
        counts in prop::array::uniform5(1..1000u64), bin in 0..4usize, elo in 0.5..20.0f64,
    ) {
        let mut better = counts;
        better[bin] -= 1;
        better[bin + 1] += 1;
        let score = |counts| Pentanomial { counts }.estimate().score.mid;
        prop_assert!(score(better) > score(counts));
        // On the logistic scale the ratio depends on the mean, so any better pair favours the stronger hypothesis. The
        // normalised scale depends on the standard deviation too: there this is certain only for a won pair instead
        // of a lost one.
        let llr = |scale, counts| {
            let counts = MatchCounts::from(Pentanomial { counts });
            Sprt::new(scale, -elo, elo, 0.05, 0.05).expect("valid bounds").llr(&counts)
        };
        prop_assert!(llr(EloScale::Logistic, better) > llr(EloScale::Logistic, counts));
        let mut won = counts;
        won[0] -= 1;
        won[4] += 1;
        prop_assert!(llr(EloScale::Normalized, won) > llr(EloScale::Normalized, counts));
    }

    #[test]
    fn symmetric_results_favour_neither_of_two_opposite_hypotheses(a in count(), b in count(), c in count(), elo in 0.5..90.0f64) {
        let counts = MatchCounts::from(Pentanomial { counts: [a, b, c, b, a] });
        let llr = Sprt::new(EloScale::Normalized, -elo, elo, 0.05, 0.05).expect("valid bounds").llr(&counts);
        prop_assert!(llr.abs() <= 1e-7 * (1.0 + a as f64 + b as f64 + c as f64), "{llr}");
    }

    #[test]
    fn proportions_lie_inside_their_interval(successes in count(), trials in count()) {
        check_interval(wilson(successes, trials));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ratings_are_finite_for_all_counts(
        met in prop::collection::vec((0..6usize, 0..7usize, counts()), 0..12), anchor in 0..8usize,
    ) {
        let meetings: Vec<Meeting> =
            met.into_iter().map(|(player, opponent, counts)| Meeting { player, opponent, counts }).collect();
        for anchor in [Anchor::Mean, Anchor::Player(anchor)] {
            for ratings in [Ratings::fit(6, &meetings, anchor), Ratings::fit_with_order(6, &meetings, anchor)] {
            check_interval(ratings.first_move);
            for (player, &elo) in ratings.elo.iter().enumerate() {
                check_interval(elo);
                prop_assert!((0.0..=1.0).contains(&ratings.superiority(player, 0)));
                check_interval(ratings.difference(player, 7 - player));
            }
            }
        }
    }
}
