//! Published and independently recomputed values that the statistics must reproduce.

use banyan_arena::stats::{
    Decision, EloScale, Interval, MatchCounts, MorePairs, Outcome, Pentanomial, Sprt, Wdl, elo_of_score, score_of_elo,
};
use banyan_core::Side;

fn pairs(counts: [u64; 5]) -> MatchCounts {
    MatchCounts::from(Pentanomial { counts })
}

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(EloScale::Normalized, elo0, elo1, 0.05, 0.05).expect("valid bounds")
}

fn check_llr(counts: [u64; 5], elo0: f64, elo1: f64, expected: f64, tolerance: f64) {
    let llr = sprt(elo0, elo1).llr(&pairs(counts));
    assert!((llr - expected).abs() <= tolerance, "{counts:?} of {elo0}, {elo1}: {llr}, expected {expected}");
}

fn near(value: Option<f64>, expected: f64, tolerance: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() <= tolerance)
}

#[test]
fn normalized_ratios_equal_those_of_other_runners() {
    // fastchess pull request #783 and app/tests/sprt_test.cpp, the latter to 1 %.
    check_llr([379, 10170, 21828, 10640, 343], 0.0, 2.0, 2.94598, 1e-3);
    check_llr([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25, 0.0225);
    check_llr([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01, 0.0301);
    check_llr([0, 0, 0, 0, 5550], 0.0, 5.0, 111.82, 1.1182);
}

#[test]
fn normalized_ratios_equal_a_plain_recomputation() {
    // The same iteration, with bisection over theta, transcribed into Python.
    check_llr([39, 8843, 26675, 9240, 44], 0.5, 2.5, 2.941675, 1e-5);
    check_llr([5, 10, 40, 20, 25], 0.0, 10.0, 1.583650, 1e-5);
    check_llr([0, 0, 10, 0, 40], 0.0, 10.0, 1.780612, 1e-5);
    check_llr([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.250368, 1e-5);
    check_llr([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.010154, 1e-5);
    check_llr([0, 0, 0, 0, 5550], 0.0, 5.0, 111.797555, 1e-4);
    check_llr([0, 0, 0, 0, 50], 0.0, 10.0, 1.993286, 1e-5);
    check_llr([50, 0, 0, 0, 0], 0.0, 10.0, -2.076065, 1e-5);
    check_llr([0, 0, 50, 0, 0], 0.0, 10.0, -0.078194, 1e-5);
}

#[test]
fn large_differences_have_a_finite_ratio() {
    // fastchess issue #879: NaN, and a match without end.
    check_llr([144, 3, 1, 0, 0], 0.0, 10.0, -6.093637, 1e-5);
    assert_eq!(sprt(0.0, 10.0).test(&pairs([144, 3, 1, 0, 0])).decision, Decision::AcceptH0);
    assert_eq!(sprt(0.0, 10.0).test(&pairs([0, 0, 1, 3, 144])).decision, Decision::AcceptH1);
}

#[test]
fn bayes_ratio_equals_that_of_other_runners() {
    // The example counts of OpenBench's stats.py; rescaling the hypotheses by the draw width would give .2246.
    let games = Wdl { wins: 22976, draws: 44137, losses: 22569 };
    let counts = MatchCounts::from(games);
    let bayes = Sprt::new(EloScale::Bayes, 0.5, 2.5, 0.05, 0.05).expect("valid bounds");
    assert!((bayes.llr(&counts) - 0.97577).abs() < 1e-5, "{}", bayes.llr(&counts));
}

#[test]
fn bounds_of_the_default_test_are_those_of_wald() {
    assert!((sprt(0.0, 5.0).upper() - 2.944439).abs() < 1e-6);
    assert!((sprt(0.0, 5.0).lower() + 2.944439).abs() < 1e-6);
    // Without counts neither hypothesis is favoured.
    let empty = sprt(0.0, 5.0).test(&MatchCounts::default());
    assert_eq!((empty.llr, empty.decision, empty.more_pairs), (0.0, Decision::Continue, MorePairs::Unknown));
}

#[test]
fn normalized_elo_is_that_of_fastchess() {
    // fastchess pull request #783 prints nElo 3.05 +- 2.31 for this match.
    let nelo = Pentanomial { counts: [379, 10170, 21828, 10640, 343] }.estimate().nelo;
    assert!(near(nelo.mid, 3.05, 0.005), "{nelo}");
    assert!(near(nelo.low, 3.05 - 2.31, 0.01) && near(nelo.high, 3.05 + 2.31, 0.01), "{nelo}");
}

#[test]
fn elo_error_bars_have_the_expected_width() {
    // Variance .1 of a pair's score: +-62 Elo after 50 pairs, +-19 after 500, +-6 after 5000.
    for (scale, half_width) in [(1, 62.0), (10, 19.0), (100, 6.0)] {
        let elo = Pentanomial { counts: [8, 8, 18, 8, 8].map(|n| n * scale) }.estimate().elo;
        assert!(near(elo.high, half_width, 0.04 * half_width), "{elo}");
    }
}

#[test]
fn elo_and_score_are_inverse_except_at_0_and_1() {
    assert!(near(elo_of_score(0.75), 190.848, 1e-3));
    assert!((score_of_elo(190.848_502) - 0.75).abs() < 1e-8);
    assert_eq!((elo_of_score(0.0), elo_of_score(1.0), elo_of_score(f64::NAN)), (None, None, None));
}

#[test]
fn intervals_of_perfect_scores_have_one_end() {
    let won = Pentanomial { counts: [0, 0, 0, 0, 50] }.estimate();
    // Wilson: 50 / (50 + 1.96^2) = .92865.
    assert!(near(won.score.low, 0.92865, 1e-5));
    assert_eq!(format!("{:+.0}", won.elo), "> +446");
    assert!(won.nelo.low.is_some_and(|low| low > 0.0) && won.nelo.high.is_none());
    assert_eq!(won.more_pairs, MorePairs::Enough);
    let lost = Pentanomial { counts: [50, 0, 0, 0, 0] }.estimate();
    assert_eq!(format!("{:+.0}", lost.elo), "< -446");
}

#[test]
fn without_games_nothing_is_known() {
    let none = MatchCounts::default().estimate();
    assert_eq!((none.score, none.elo, none.nelo), (Interval::UNKNOWN, Interval::UNKNOWN, Interval::UNKNOWN));
    assert_eq!((none.standard_error, none.los, none.more_pairs), (None, 0.5, MorePairs::Unknown));
    let one = Pentanomial { counts: [0, 0, 0, 0, 1] }.estimate();
    assert!(one.standard_error.is_none() && !one.elo.excludes(0.0), "one pair is not significant: {}", one.elo);
}

#[test]
fn equal_pairs_have_a_positive_error() {
    // Two deterministic players who always split their pairs may still differ.
    let split = Pentanomial { counts: [0, 0, 50, 0, 0] }.estimate();
    assert!(split.elo.low.is_some_and(|low| low < -10.0), "{}", split.elo);
    assert_eq!(split.more_pairs, MorePairs::NotDistinguishable);
    assert_eq!(split.more_pairs.to_string(), "not distinguishable");
}

#[test]
fn equal_pairs_are_as_probable_as_tosses_of_a_coin() {
    let p = |counts| MatchCounts::from(Pentanomial { counts }).p_equal();
    // Both directions: 2 * 2^-n.
    for (counts, expected) in [
        ([0; 5], 1.0),
        ([0, 0, 0, 0, 1], 1.0),
        ([0, 0, 0, 0, 5], 0.0625),
        ([8, 0, 0, 0, 0], 0.007_812_5),
        ([0, 0, 0, 8, 0], 0.007_812_5),
        ([0, 0, 50, 0, 0], 1.0),
    ] {
        assert!((p(counts) - expected).abs() < 1e-12, "{counts:?}: {}", p(counts));
    }
    // Mean .625, standard error .125: t = 1 with 3 degrees of freedom.
    assert!((p([0, 0, 3, 0, 1]) - 0.391_002).abs() < 1e-5, "{}", p([0, 0, 3, 0, 1]));
    let variance = |counts| MatchCounts::from(Pentanomial { counts }).pair_variance();
    assert_eq!((variance([0, 0, 1, 0, 0]), variance([0, 0, 3, 0, 1])), (None, Some(0.0625)));
    assert!(variance([0, 0, 8, 0, 0]).is_some_and(|variance| (variance - 0.081_1).abs() < 1e-4));
}

#[test]
fn more_pairs_are_predicted_until_the_interval_excludes_equality() {
    // Mean .525, variance .105625: 1.96^2 * .105625 / .025^2 = 649.2 pairs.
    let after = |scale| Pentanomial { counts: [5, 10, 16, 13, 6].map(|n| n * scale) }.estimate();
    let (mean, variance) = (
        0.525,
        (5.0 * 0.525f64.powi(2)
            + 10.0 * 0.275f64.powi(2)
            + 16.0 * 0.025f64.powi(2)
            + 13.0 * 0.225f64.powi(2)
            + 6.0 * 0.475f64.powi(2))
            / 50.0,
    );
    let needed = 1.959964f64.powi(2) * variance / (mean - 0.5f64).powi(2);
    assert_eq!(after(1).more_pairs, MorePairs::About((needed - 50.0).ceil() as u64));
    assert_eq!(after((needed / 50.0 + 1.0) as u64).more_pairs, MorePairs::Enough);
}

#[test]
fn counts_hold_pairs_singles_and_sides() {
    let mut counts = MatchCounts::default();
    counts.add_pair(Outcome::Win, Outcome::Loss);
    counts.add_pair(Outcome::Win, Outcome::Draw);
    counts.add_single(Side::Second, Outcome::Loss);
    assert_eq!(counts.pairs.counts, [0, 0, 1, 1, 0]);
    assert_eq!(counts.games(), Wdl { wins: 2, draws: 1, losses: 2 });
    assert_eq!(counts.by_side, [Wdl { wins: 2, draws: 0, losses: 0 }, Wdl { wins: 0, draws: 1, losses: 2 }]);
    let reversed = counts.reversed();
    assert_eq!(reversed.pairs.counts, [0, 1, 1, 0, 0]);
    assert_eq!(reversed.by_side[0], Wdl { wins: 2, draws: 1, losses: 0 });
    let mut sum = counts;
    sum += reversed;
    assert_eq!(sum.games(), Wdl { wins: 4, draws: 2, losses: 4 });
}
