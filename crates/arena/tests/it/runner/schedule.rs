//! Schedules.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use banyan_arena::{Format, PairPlan, Schedule, ScheduleConfig, Shard};
use banyan_core::Side;

const CONFIG: ScheduleConfig =
    ScheduleConfig { n_players: 4, format: Format::RoundRobin, pairs: Some(10), seed: 5, shard: Shard::WHOLE };

fn plans(config: ScheduleConfig) -> Vec<PairPlan> {
    Schedule::new(config).expect("a schedule").plans(&HashSet::new()).collect()
}

#[test]
fn every_pairing_plays_every_opening_once() {
    for (format, n_pairings) in [(Format::RoundRobin, 6), (Format::Gauntlet, 3)] {
        let config = ScheduleConfig { format, ..CONFIG };
        let mut rounds: BTreeMap<[usize; 2], Vec<u64>> = BTreeMap::new();
        for plan in plans(config) {
            let [a, b] = plan.pairing;
            assert!(a < b && b < 4, "{plan:?}");
            assert!(format == Format::RoundRobin || a == 0, "{plan:?}");
            rounds.entry(plan.pairing).or_default().push(plan.round);
        }
        assert_eq!(rounds.len(), n_pairings);
        assert!(rounds.values().all(|played| played.iter().copied().eq(0..10)), "{rounds:?}");
    }
}

#[test]
fn seeds_of_a_round_are_shared_and_seeds_of_games_distinct() {
    let mut by_round: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let mut game_seeds = BTreeSet::new();
    for plan in plans(CONFIG) {
        by_round.entry(plan.round).or_default().insert(plan.round_seed);
        game_seeds.extend(plan.game_seeds.as_flattened());
    }
    assert!(by_round.values().all(|seeds| seeds.len() == 1));
    let rounds: BTreeSet<u64> = by_round.into_values().flatten().collect();
    assert_eq!((rounds.len(), game_seeds.len()), (10, 60 * 4));
    assert!(rounds.is_disjoint(&game_seeds));
}

#[test]
fn players_of_a_pair_exchange_sides() {
    for plan in plans(CONFIG) {
        let [a, b] = plan.pairing;
        assert_eq!((plan.players(0), plan.players(1)), ([a, b], [b, a]));
        for (game_idx, player_idx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let side: Side = plan.side(game_idx, player_idx);
            assert_eq!(plan.players(game_idx)[side.index()], plan.pairing[player_idx]);
        }
    }
}

#[test]
fn shards_partition_the_match() {
    for (n_players, pairs, of) in [(2, 10, 3), (4, 10, 3), (4, 10, 6), (4, 1, 4), (3, 2, 100), (5, 7, 7)] {
        let config = ScheduleConfig { n_players, pairs: Some(pairs), ..CONFIG };
        let parts = (0..of).map(|index| plans(ScheduleConfig { shard: Shard { index, of }, ..config }));
        let mut together: Vec<PairPlan> = parts.flatten().collect();
        together.sort_by_key(|plan| plan.index);
        assert_eq!(together, plans(config), "{n_players} players, {pairs} pairs in {of} parts");
    }
}

#[test]
fn shares_of_a_list_are_counted_and_missing_parts_named() {
    for (n, of) in [(0, 1), (10, 3), (2, 4), (42, 4)] {
        let shares = (0..of).map(|index| Shard { index, of });
        let counted = |shard: &Shard| (0..n).filter(|&number| shard.has(number)).count() as u64;
        assert!(shares.clone().all(|shard| shard.share(n) == counted(&shard)), "{n} in {of}");
    }
    assert_eq!(Shard::check_complete(3, |_| true), Ok(()));
    let err = Shard::check_complete(3, |index| index == 1).expect_err("two are missing").to_string();
    assert_eq!(err, "1 of 3 parts: expected all of them: 1/3, 3/3 missing; name every part");
}

#[test]
fn the_number_of_pairs_of_a_shard_is_right() {
    for (n_players, pairs, of) in [(2, 10, 3), (4, 10, 3), (4, 10, 6), (4, 1, 4), (3, 2, 100), (5, 7, 7)] {
        for index in 0..of {
            let shard = Shard { index, of };
            let schedule = Schedule::new(ScheduleConfig { n_players, pairs: Some(pairs), shard, ..CONFIG });
            let schedule = schedule.expect("a schedule");
            assert_eq!(
                schedule.n_pairs_of_shard(),
                Some(schedule.indexes().count() as u64),
                "{n_players} {pairs} {shard:?}"
            );
        }
    }
    let long = Schedule::new(ScheduleConfig { pairs: Some(1_000_000_000_000), ..CONFIG }).expect("a schedule");
    assert_eq!(long.n_pairs_of_shard(), long.n_pairs());
    assert_eq!(Schedule::new(ScheduleConfig { pairs: None, ..CONFIG }).map(|open| open.n_pairs_of_shard()), Ok(None));
}

#[test]
fn a_shard_has_its_share_of_every_pairing() {
    // Six pairings in three parts: by remainders of the index every part would have only two of them.
    let mut shares: BTreeMap<[usize; 2], [u64; 3]> = BTreeMap::new();
    for index in 0..3 {
        for plan in plans(ScheduleConfig { shard: Shard { index, of: 3 }, ..CONFIG }) {
            shares.entry(plan.pairing).or_default()[index as usize] += 1;
        }
    }
    assert!(shares.values().all(|share| share.iter().all(|n| (3..=4).contains(n))), "{shares:?}");
}

#[test]
fn finished_pairs_are_not_planned_again() {
    let all = plans(CONFIG);
    let done: HashSet<u64> = all.iter().map(|plan| plan.index).filter(|index| index % 3 != 1).collect();
    let left: Vec<PairPlan> = Schedule::new(CONFIG).expect("a schedule").plans(&done).collect();
    let expected: Vec<PairPlan> = all.into_iter().filter(|plan| plan.index % 3 == 1).collect();
    assert_eq!(left, expected);
}

#[test]
fn an_open_ended_schedule_begins_like_a_long_one() {
    let open = Schedule::new(ScheduleConfig { pairs: None, ..CONFIG }).expect("a schedule");
    assert_eq!(open.n_pairs(), None);
    assert_eq!(open.plans(&HashSet::new()).take(60).collect::<Vec<_>>(), plans(CONFIG));
}

#[test]
fn another_seed_changes_seeds_and_nothing_else() {
    let (here, there) = (plans(CONFIG), plans(ScheduleConfig { seed: 6, ..CONFIG }));
    for (a, b) in here.iter().zip(&there) {
        assert_eq!((a.index, a.pairing, a.round), (b.index, b.pairing, b.round));
        assert!(a.game_seeds != b.game_seeds && a.round_seed != b.round_seed);
    }
    let openings = [5, 6].map(|seed| Schedule::new(ScheduleConfig { seed, ..CONFIG }).expect("one").openings_seed());
    assert_ne!(openings[0], openings[1]);
}

#[test]
fn impossible_schedules_are_refused() {
    for (config, part) in [
        (ScheduleConfig { n_players: 1, ..CONFIG }, "at least two"),
        (ScheduleConfig { pairs: Some(0), ..CONFIG }, "at least one"),
        (ScheduleConfig { pairs: Some(u64::MAX), ..CONFIG }, "at most 1000000000000"),
        (ScheduleConfig { shard: Shard { index: 4, of: 4 }, ..CONFIG }, "part 5 of 4"),
        (ScheduleConfig { shard: Shard { index: 0, of: 0 }, ..CONFIG }, "part 1 of 0"),
    ] {
        let err = Schedule::new(config).expect_err(part).to_string();
        assert!(err.contains(part), "{err}");
    }
}

#[test]
fn the_groups_of_a_sweep_meet_among_themselves_with_the_seeds_of_the_round() {
    let of = |n_players: usize, groups: usize| {
        let format = Format::Sweep { groups };
        Schedule::new(ScheduleConfig { n_players, format, pairs: Some(2), seed: 5, shard: Shard::WHOLE })
    };
    let schedule = of(6, 2).expect("two groups of three");
    assert_eq!((schedule.n_pairings(), schedule.n_pairs()), (4, Some(8)));
    let pairings: Vec<[usize; 2]> = (0..8).map(|index| schedule.plan(index).pairing).collect();
    assert_eq!(pairings, [[0, 1], [0, 2], [3, 4], [3, 5], [0, 1], [0, 2], [3, 4], [3, 5]]);
    let seeds = |index: u64| schedule.plan(index).game_seeds;
    assert!(seeds(0) == seeds(3) && seeds(0) != seeds(4));
    assert_eq!(of(3, 1).expect("a group").plan(1).pairing, [0, 2]);
    for (n_players, groups) in [(5, 2), (2, 2), (4, 0)] {
        assert!(of(n_players, groups).is_err(), "{n_players} in {groups}");
    }
}
