//! The law suite: a correct game passes, and each mistake is reported as a violation of its law.

mod coins;

use std::collections::BTreeSet;

use banyan_core::{Plain, Uniform};
use banyan_laws::{self as laws, Violation};
use coins::{Broken, Coins, CoinsKnowledge, CoinsPlayouts, CoinsPoints, CoinsPolicy, CoinsPriors};

/// Mistakes, each with the law that it violates.
type Mistakes = &'static [(Broken, &'static str)];

const RULES: Mistakes = &[
    (Broken::AnswersChange, "answers-repeat"),
    (Broken::MoveTwice, "moves-legal"),
    (Broken::MovesWhenOver, "moves-legal"),
    (Broken::NoMoves, "moves-legal"),
    (Broken::MovesMiscounted, "moves-legal"),
    (Broken::MovesCountedWhenOver, "moves-legal"),
    (Broken::MovesCleared, "moves-legal"),
    (Broken::MoveWithoutCode, "codes-round-trip"),
    (Broken::PlyConstant, "plies-rise"),
    (Broken::StartsLate, "plies-rise"),
    (Broken::TooLong, "plies-rise"),
    (Broken::NeverEnds, "plies-rise"),
    (Broken::PliesLeftRise, "plies-rise"),
    (Broken::PhaseFalls, "phase-rises"),
    (Broken::PhasePastEnd, "phase-rises"),
    (Broken::PhaseUnknown, "phase-rises"),
    (Broken::StaleSum, "state-recomputed"),
    (Broken::KeyWithoutMover, "key-determines-future"),
    (Broken::KeyWithoutPile, "key-determines-future"),
    (Broken::KeyWithoutSize, "key-determines-future"),
    (Broken::KeyHasScore, "future-determines-key"),
    (Broken::KeyHasPly, "future-determines-key"),
    (Broken::KeyHasHistory, "future-determines-key"),
    (Broken::KeyUnmixed, "keys-mixed"),
    (Broken::MovesPrintAlike, "moves-round-trip"),
    (Broken::SpacedMove, "moves-round-trip"),
    (Broken::MoveMisread, "moves-round-trip"),
    (Broken::PositionWithoutScore, "positions-round-trip"),
    (Broken::FinishedPositionRefused, "positions-round-trip"),
    (Broken::IllegalAccepted, "illegal-refused"),
    (Broken::UnevenPosition, "illegal-refused"),
    (Broken::LastMoveLost, "games-round-trip"),
    (Broken::OptionsLost, "options-round-trip"),
    (Broken::MovesNotMapped, "symmetries-map"),
    (Broken::ImageSwapsMover, "symmetries-map"),
    (Broken::NoIdentity, "symmetries-map"),
    (Broken::ScoreTooHigh, "margins-in-range"),
    (Broken::RangeTooNarrow, "margins-in-range"),
    (Broken::BoundsTooNarrow, "bounds-hold"),
    (Broken::BoundsOpenAtEnd, "bounds-hold"),
    (Broken::PictureTooSmall, "pictures-fit"),
];

const KNOWLEDGE: Mistakes = &[
    (Broken::StaticMarginTooHigh, "static-margins-in-range"),
    (Broken::StaticMarginLopsided, "static-margins-in-range"),
    (Broken::NoForcedMove, "forced-moves-keep-best"),
    (Broken::ForcedMoveIllegal, "forced-moves-keep-best"),
    (Broken::BestDropped, "forced-moves-keep-best"),
    (Broken::ForcedMovesProveWrong, "forced-moves-keep-best"),
    (Broken::WorseMarginKept, "forced-moves-keep-best"),
    (Broken::DominatingDropsBest, "undominated-keeps-best"),
    (Broken::EvalLopsided, "static-evals-agree"),
    (Broken::EvalHasPly, "static-evals-agree"),
    (Broken::EvalTooHigh, "static-evals-agree"),
    (Broken::EvalScaleless, "static-evals-agree"),
    (Broken::SolverKeyWithoutPile, "solver-keys-agree"),
];

const PLAYOUTS: Mistakes = &[
    (Broken::PlayoutProvesWrong, "answers-hold"),
    (Broken::PlayoutProvesTooWide, "answers-hold"),
    (Broken::PlayoutStrays, "answers-hold"),
    (Broken::LineIllegal, "playouts-replay"),
    (Broken::LineShort, "playouts-replay"),
    (Broken::LineOfAnother, "playouts-replay"),
    (Broken::LineMissing, "playouts-replay"),
];

const POINTS: Mistakes = &[(Broken::PointsLopsided, "points-agree"), (Broken::PointsTooHigh, "points-agree")];

const PRIORS: Mistakes = &[
    (Broken::PriorsShort, "priors-agree"),
    (Broken::PriorsNegative, "priors-agree"),
    (Broken::PriorsHeavy, "priors-agree"),
    (Broken::PriorsLopsided, "priors-agree"),
    (Broken::PriorsHavePly, "priors-agree"),
];

const POLICIES: Mistakes = &[
    (Broken::DrawIllegal, "draws-legal"),
    (Broken::DrawLopsided, "draws-uniform"),
    (Broken::PlayoutKind, "playouts-agree"),
    (Broken::PlayoutWild, "playouts-agree"),
];

/// Checks the laws on this many games, from a seed on.
type Check = fn(Broken, u32, u64) -> Result<(), Violation>;

fn right() -> Coins<0> {
    Coins::broken(Broken::Nothing)
}

/// Every kind of component that has laws, with its mistakes.
const KINDS: [(Check, Mistakes); 6] = [
    (|broken, games, seed| laws::check(&Coins::<0>::broken(broken), games, seed), RULES),
    (|broken, games, seed| laws::check_knowledge(&right(), &mut CoinsKnowledge(broken), games, seed), KNOWLEDGE),
    (|broken, games, seed| laws::check_evaluator(&right(), &mut CoinsPlayouts(broken), games, seed), PLAYOUTS),
    (|broken, games, seed| laws::check_evaluator(&right(), &mut CoinsPoints(broken), games, seed), POINTS),
    (|broken, games, seed| laws::check_evaluator(&right(), &mut CoinsPriors(broken), games, seed), PRIORS),
    (|broken, games, seed| laws::check_uniform_policy(&right(), &mut CoinsPolicy(broken), games, seed), POLICIES),
];

#[test]
fn correct_components_satisfy_every_law_for_every_seed() {
    for (check, _) in KINDS {
        for seed in 0..50 {
            check(Broken::Nothing, 20, seed * 1000).unwrap_or_else(|err| panic!("{err}"));
        }
    }
}

#[test]
fn each_mistake_violates_its_law() {
    for (check, mistakes) in KINDS {
        for &(broken, law) in mistakes {
            for seed in [1, 1_000_000] {
                let found = check(broken, 20, seed).err();
                assert_eq!(found.as_ref().map(|violation| violation.law), Some(law), "{broken:?} {seed}: {found:#?}");
            }
        }
    }
}

#[test]
fn defaults_satisfy_every_law() {
    for seed in 0..10 {
        laws::check_knowledge(&right(), &mut Plain, 20, seed * 1000).unwrap_or_else(|err| panic!("{err}"));
        laws::check_uniform_policy(&right(), &mut Uniform, 20, seed * 1000).unwrap_or_else(|err| panic!("{err}"));
    }
}

#[test]
fn a_policy_need_not_be_uniform() {
    let mut lopsided = CoinsPolicy(Broken::DrawLopsided);
    laws::check_policy(&right(), &mut lopsided, 20, 1).unwrap_or_else(|err| panic!("{err}"));
    let illegal = laws::check_policy(&right(), &mut CoinsPolicy(Broken::DrawIllegal), 20, 1);
    assert_eq!(illegal.expect_err("illegal draws").law, "draws-legal");
}

#[test]
fn a_state_of_more_than_two_cache_lines_is_found() {
    let found = laws::check(&Coins::<200>::broken(Broken::Nothing), 1, 1).expect_err("200 bytes too many");
    assert_eq!(found.law, "state-small");
}

#[test]
fn every_law_has_a_mistake_and_a_unique_name() {
    let rules = laws::all::<Coins<0>>().into_iter().map(|law| law.name);
    let knowledge = laws::knowledge::laws::<Coins<0>, CoinsKnowledge>().map(|(name, _)| name);
    let evaluators = laws::evaluators::laws::<Coins<0>>().map(|(name, _)| name);
    let policies = laws::policies::laws::<Coins<0>, CoinsPolicy>().map(|(name, _)| name);
    let names: Vec<&str> = rules.chain(knowledge).chain(evaluators).chain(policies).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    let broken = KINDS.iter().flat_map(|(_, mistakes)| mistakes.iter().map(|&(_, law)| law));
    assert_eq!(broken.chain(["state-small"]).collect::<BTreeSet<&str>>(), distinct);
}

#[test]
fn the_same_seed_finds_the_same_violation() {
    for (check, mistakes) in KINDS {
        for &(broken, _) in mistakes {
            assert_eq!(check(broken, 5, 7), check(broken, 5, 7), "{broken:?}");
        }
    }
}

#[test]
fn a_violation_reports_position_moves_and_seed() {
    let found = laws::check(&Coins::<0>::broken(Broken::StaleSum), 1, 42).expect_err("the sum is stale").to_string();
    for part in ["state-recomputed: ", "coins:13x10", "after moves [b2 a2 b3]", "with seed 42"] {
        assert!(found.contains(part), "no {part:?} in {found}");
    }
}
