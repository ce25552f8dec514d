//! The law suite: a right game passes, and each way to break it is found under the law it breaks.

#[path = "laws/coins.rs"]
mod coins;

use std::collections::BTreeSet;

use banyan_core::laws;
use coins::{Broken, Coins};

const BREAKAGES: &[(Broken, &str)] = &[
    (Broken::AnswersChange, "answers-repeat"),
    (Broken::MoveTwice, "moves-legal"),
    (Broken::MovesWhenOver, "moves-legal"),
    (Broken::NoMoves, "moves-legal"),
    (Broken::MovesCleared, "moves-legal"),
    (Broken::MoveWithoutCode, "codes-reread"),
    (Broken::PlyStands, "plies-rise"),
    (Broken::StartsLate, "plies-rise"),
    (Broken::TooLong, "plies-rise"),
    (Broken::NeverEnds, "plies-rise"),
    (Broken::StageFalls, "stage-rises"),
    (Broken::StagePastEnd, "stage-rises"),
    (Broken::StageUnknown, "stage-rises"),
    (Broken::StaleSum, "state-rebuilt"),
    (Broken::KeyWithoutMover, "key-names-future"),
    (Broken::KeyWithoutPile, "key-names-future"),
    (Broken::KeyWithoutSize, "key-names-future"),
    (Broken::KeyHasScore, "future-names-key"),
    (Broken::KeyHasPly, "future-names-key"),
    (Broken::KeyHasHistory, "future-names-key"),
    (Broken::KeyUnmixed, "keys-mixed"),
    (Broken::MovesPrintAlike, "moves-reread"),
    (Broken::SpacedMove, "moves-reread"),
    (Broken::MoveMisread, "moves-reread"),
    (Broken::PositionWithoutScore, "positions-reread"),
    (Broken::FinishedPositionRefused, "positions-reread"),
    (Broken::IllegalAccepted, "illegal-refused"),
    (Broken::UnevenPosition, "illegal-refused"),
    (Broken::LastMoveLost, "games-reread"),
    (Broken::OptionsLost, "options-reread"),
    (Broken::MovesNotMapped, "symmetries-map"),
    (Broken::ImageSwapsMover, "symmetries-map"),
    (Broken::NoIdentity, "symmetries-map"),
    (Broken::PlainCanonicalKey, "symmetries-map"),
    (Broken::LopsidedRandom, "random-uniform"),
    (Broken::RandomMoveIllegal, "random-uniform"),
    (Broken::KindPlayout, "playouts-agree"),
    (Broken::WildPlayout, "playouts-agree"),
    (Broken::StandingTooHigh, "margins-in-range"),
    (Broken::RangeTooNarrow, "margins-in-range"),
    (Broken::BoundsTooNarrow, "bounds-hold"),
    (Broken::BoundsOpenAtEnd, "bounds-hold"),
    (Broken::NoTactics, "tactics-keep-best"),
    (Broken::TacticsIllegal, "tactics-keep-best"),
    (Broken::BestDropped, "tactics-keep-best"),
    (Broken::TacticsProveWrong, "tactics-keep-best"),
    (Broken::WorseMarginKept, "tactics-keep-best"),
    (Broken::DominatingDropsBest, "dominating-keeps-best"),
    (Broken::EstimateLopsided, "estimates-agree"),
    (Broken::EstimateHasPly, "estimates-agree"),
    (Broken::EstimateTooHigh, "estimates-agree"),
    (Broken::AppraisalLopsided, "estimates-agree"),
    (Broken::AppraisalTooHigh, "estimates-agree"),
    (Broken::EstimateScaleless, "estimates-agree"),
    (Broken::PriorsShort, "priors-agree"),
    (Broken::PriorsNegative, "priors-agree"),
    (Broken::PriorsHeavy, "priors-agree"),
    (Broken::PriorsLopsided, "priors-agree"),
    (Broken::PriorsHavePly, "priors-agree"),
    (Broken::GuidedProvesWrong, "guided-proves"),
    (Broken::GuidedProvesTooWide, "guided-proves"),
    (Broken::GuidedStrays, "guided-proves"),
    (Broken::PictureTooSmall, "pictures-fit"),
];

#[test]
fn a_right_game_keeps_every_law_whatever_the_seed() {
    for seed in 0..50 {
        laws::check(&Coins::<0>::broken(Broken::Nothing), 20, seed * 1000).unwrap_or_else(|err| panic!("{err}"));
    }
}

#[test]
fn each_breakage_is_found_under_the_law_it_breaks() {
    for &(broken, law) in BREAKAGES {
        for seed in [1, 1_000_000] {
            let found = laws::check(&Coins::<0>::broken(broken), 20, seed).err();
            assert_eq!(found.as_ref().map(|violation| violation.law), Some(law), "{broken:?} {seed}: {found:#?}");
        }
    }
}

#[test]
fn a_state_of_more_than_two_cache_lines_is_found() {
    let found = laws::check(&Coins::<200>::broken(Broken::Nothing), 1, 1).expect_err("200 bytes too many");
    assert_eq!(found.law, "state-small");
}

#[test]
fn every_law_has_a_breakage_and_a_name_of_its_own() {
    let names: Vec<&str> = laws::all::<Coins<0>>().iter().map(|law| law.name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    let broken: BTreeSet<&str> = BREAKAGES.iter().map(|&(_, law)| law).chain(["state-small"]).collect();
    assert_eq!(broken, distinct);
}

#[test]
fn the_same_seed_finds_the_same_violation() {
    for &(broken, _) in BREAKAGES {
        let found = || laws::check(&Coins::<0>::broken(broken), 5, 7);
        assert_eq!(found(), found(), "{broken:?}");
    }
}

#[test]
fn a_violation_tells_position_moves_and_seed() {
    let found = laws::check(&Coins::<0>::broken(Broken::StaleSum), 1, 42).expect_err("the sum is stale").to_string();
    for part in ["state-rebuilt: ", "coins:13x10", "after moves [b2 a2 b3]", "with seed 42"] {
        assert!(found.contains(part), "no {part:?} in {found}");
    }
}
