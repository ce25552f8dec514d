//! Searches on several threads measured against the same search on one.

use super::{ThreadRace, kinds_of_parallel};
use crate::builtin;

const RACE: ThreadRace = ThreadRace { threads: 2, playouts: 1000, runs: 3, pad_us: 0 };

#[test]
fn searches_are_interleaved_and_one_that_ended_early_counts_its_simulations() {
    let game = builtin().game("dots-and-boxes:1x2").expect("a game");
    let mut order = Vec::new();
    let race = ThreadRace { runs: 2, playouts: 1_000_000, ..RACE };
    let rows = race
        .run(&game, &race.racers(None).expect("usual settings"), &mut |player, _| order.push(player.to_string()))
        .expect("no fault");
    assert_eq!(order[..order.len() / 2], order[order.len() / 2..]);
    assert_eq!((order[0].as_str(), order[1].as_str()), ("graph", "graph:threads=2"));
    assert_eq!(rows.len(), 1 + kinds_of_parallel().len());
    for row in rows {
        assert_eq!(row.settled, 2, "{row:?}");
        assert!(row.simulations < 10_000, "{row:?}");
    }
}

#[test]
fn a_pad_is_what_one_simulation_takes_at_least() {
    let game = builtin().game("connect-four").expect("a game");
    let race = ThreadRace { runs: 1, playouts: 50, pad_us: 200, ..RACE };
    let racers = race.racers(Some("mutex")).expect("settings that go together");
    let rows = race.run(&game, &racers, &mut |_, _| ()).expect("no fault");
    assert_eq!(rows.iter().map(|row| row.parallel.as_deref()).collect::<Vec<_>>(), [None, Some("mutex")]);
    assert!(rows[0].us_per_simulation >= 200.0 && rows[1].us_per_simulation >= 100.0, "{rows:?}");
}
