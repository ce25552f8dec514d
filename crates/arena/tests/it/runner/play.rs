//! One game: faults, clocks, records, interruption.

use std::cell::Cell;
use std::time::Duration;

use banyan_arena::{Allowance, Ending, GameClock, Heartbeat, PlayedGame, Setup, THREAD_CPU, Terms, play_game};
use banyan_core::{Clock, Fault, Game, Limits, Margin, Player, Side};

use super::fakes::{FAKE, FAKE_CPU, Scripted, ScriptedFault, ms, pass};
use super::games::Heap;

/// Both players take one counter at a time: of 12 counters, the moves are First, Second, First, Second with a point (8
/// left), Second, First, Second, First with a point, First, Second, First, Second with the last point.
const COUNTERS: u8 = 12;
const ORDER: &str = "1212 2121 1212";
const MARGIN: Margin = Margin(-1);

fn each_move(time: Option<Duration>) -> Terms {
    let allowance = Allowance { per_move: Limits { time, ..Limits::default() }, clock: None };
    Terms { timer: FAKE, leeway: ms(100), cpu: FAKE_CPU, ..Terms::even(allowance) }
}

fn play(players: &mut [Scripted; 2], terms: Terms, opening: &[u8], interrupted: &dyn Fn() -> bool) -> PlayedGame<u8> {
    play_watched(players, (terms, None), opening, interrupted)
}

fn play_watched(
    players: &mut [Scripted; 2],
    (terms, heartbeat): (Terms, Option<&Heartbeat>),
    opening: &[u8],
    interrupted: &dyn Fn() -> bool,
) -> PlayedGame<u8> {
    let game = Heap { counters: COUNTERS };
    let setup = Setup { game: &game, start: &game.start(), opening, terms, seeds: [11, 22], heartbeat };
    let [first, second] = players;
    play_game(&setup, [first as &mut dyn Player<Heap>, second], interrupted)
}

fn undisturbed(players: &mut [Scripted; 2], terms: Terms) -> PlayedGame<u8> {
    play(players, terms, &[], &|| false)
}

/// A player with this script loses on either side with the fault `expected` after `n_moves`; both receive the result
/// unless it panicked.
fn check(script: (usize, ScriptedFault), n_moves: [usize; 2], expected: &str) {
    for side in Side::BOTH {
        let mut players = [Scripted::default(), Scripted::default()];
        players[side.index()] = Scripted::that(script.0, script.1.clone());
        let PlayedGame { moves, ending } = undisturbed(&mut players, each_move(Some(ms(50))));
        let expected = expected.replace("PLY", &moves.len().to_string());
        let Ending::Fault { side: loser, fault } = &ending else { panic!("{script:?}: {ending}") };
        assert_eq!((*loser, fault.to_string().as_str()), (side, expected.as_str()), "{script:?}");
        assert_eq!(moves.len(), n_moves[side.index()], "{script:?} by {side:?}");
        assert_eq!((ending.half_points(side), ending.half_points(!side)), (Some(0), Some(2)));
        let forfeit = Some(Margin::won_by(!side, 4));
        assert_eq!(players[(!side).index()].calls.get_mut().over, forfeit);
        let received = players[side.index()].calls.get_mut().over;
        assert_eq!(received, forfeit.filter(|_| !matches!(fault, Fault::Panicked(_))), "{script:?}");
    }
}

#[test]
fn every_fault_of_a_player_loses_the_game() {
    // The third move of First is the sixth of the game, that of Second the fifth.
    for (at, n_moves) in [(0, [0, 1]), (2, [5, 4])] {
        check((at, ScriptedFault::Panic), n_moves, "panicked: as scripted");
        check((at, ScriptedFault::Resign), n_moves, "resigned");
        check((at, ScriptedFault::Crash), n_moves, "crashed: exit status 3");
        check((at, ScriptedFault::Illegal), n_moves, "illegal move: 99 at ply PLY");
        check(
            (at, ScriptedFault::Late(ms(151))),
            n_moves,
            "late: took 151.0ms where 50.0ms were allowed, in fake time",
        );
    }
}

#[test]
fn a_finished_game_is_recorded_move_by_move() {
    let mut players = [Scripted::paced(ms(3)), Scripted::paced(ms(5))];
    let PlayedGame { moves, ending } = undisturbed(&mut players, each_move(Some(ms(4))));
    assert_eq!(ending, Ending::Finished(MARGIN));
    assert_eq!((ending.half_points(Side::First), ending.half_points(Side::Second)), (Some(0), Some(2)));
    let order: String = moves.iter().map(|played| ["1", "2"][played.side.index()]).collect();
    assert_eq!(order, ORDER.replace(' ', ""), "turns need not alternate");
    for played in &moves {
        let (time, overrun) = [(ms(3), ms(0)), (ms(5), ms(1))][played.side.index()];
        assert_eq!((played.mv, played.time, played.overrun), (1, time, overrun));
        let reported = (played.playouts, played.nodes, played.value, played.reused, played.memory_bytes);
        assert_eq!(reported, (7, 8, 0.25, 0.5, 9));
    }
    let [first, second] = players.each_ref().map(|player| player.calls.borrow());
    assert_eq!((first.seed, second.seed), (Some(11), Some(22)));
    assert_eq!((first.over, second.over), (Some(MARGIN), Some(MARGIN)));
    assert_eq!(first.played, [0, 2, 5, 7, 8, 10], "every player sees all moves so far");
}

#[test]
fn time_is_overrun_within_the_leeway_without_losing() {
    for (late, loses) in [(ms(150), false), (ms(151), true)] {
        let mut players = [Scripted::that(1, ScriptedFault::Late(late)), Scripted::default()];
        let game = undisturbed(&mut players, each_move(Some(ms(50))));
        assert_eq!(matches!(game.ending, Ending::Fault { fault: Fault::Late(_), .. }), loses, "{late:?}");
        let overrun: Duration = game.moves.iter().map(|played| played.overrun).sum();
        assert_eq!(overrun, if loses { ms(0) } else { ms(100) });
    }
    let mut players = [Scripted::that(1, ScriptedFault::Late(ms(1_000_000))), Scripted::default()];
    let game = undisturbed(&mut players, each_move(None));
    assert_eq!(game.ending, Ending::Finished(MARGIN), "without a time limit no move is late");
}

#[test]
fn a_player_whose_cpu_time_kept_the_limit_never_loses_by_time() {
    // The scheduler gave the processor to others.
    let mut terms = Terms { own_threads: [Some(1); 2], ..each_move(Some(ms(50))) };
    let mut players = [Scripted::that(1, ScriptedFault::Late(ms(3000))), Scripted::default()];
    let game = undisturbed(&mut players, terms);
    assert_eq!(game.ending, Ending::Finished(MARGIN));
    assert_eq!(game.moves.iter().map(|played| played.overrun).max(), Some(ms(2950)), "it is reported");
    // A player in another process, whose CPU time is unknown.
    terms.own_threads = [None, Some(1)];
    let mut players = [Scripted::that(1, ScriptedFault::Late(ms(3000))), Scripted::default()];
    let fault = Fault::Late("took 3.0s where 50.0ms were allowed, in fake time".to_owned());
    assert_eq!(undisturbed(&mut players, terms).ending, Ending::Fault { side: Side::First, fault });
    // An engine that was answered in time, by a program that was held up.
    terms.reports_time = [true, false];
    let mut players = [Scripted::that(1, ScriptedFault::Late(ms(3000))), Scripted::default()];
    let game = undisturbed(&mut players, terms);
    assert_eq!(game.ending, Ending::Finished(MARGIN));
    assert!(game.moves.iter().all(|played| played.overrun.is_zero()));
    // With a game clock it plays on without any time.
    terms = Terms { own_threads: [Some(1); 2], ..game_clocks([1000, 1000], 0) };
    let mut players = [Scripted::that(1, ScriptedFault::Late(ms(3000))), Scripted::default()];
    assert_eq!(undisturbed(&mut players, terms).ending, Ending::Finished(MARGIN));
    assert_eq!(players[0].calls.get_mut().clocks[2].map(|clock| clock.own), Some(ms(0)));
}

#[test]
fn a_player_that_computes_too_long_loses() {
    // Two threads may compute 2 times 150 ms, leeway included.
    for (own, time, n_threads, cpu) in [
        (1, ms(150), 1, None),
        (1, ms(151), 1, Some("151.0ms")),
        (1, ms(151), 2, Some("302.0ms")),
        (2, ms(299), 1, None),
        (2, ms(150), 2, None),
        (2, ms(151), 2, Some("302.0ms")),
    ] {
        let terms = Terms { own_threads: [Some(own); 2], ..each_move(Some(ms(50))) };
        let mut players = [Scripted::default(), Scripted::that(1, ScriptedFault::Busy(time, n_threads))];
        let ending = undisturbed(&mut players, terms).ending;
        let expected = cpu.map_or(Ending::Finished(MARGIN), |cpu| {
            let took = format!("took {time:.1?} where 50.0ms were allowed, in fake time, and {cpu} of CPU time");
            Ending::Fault { side: Side::Second, fault: Fault::Late(took) }
        });
        assert_eq!(ending, expected, "{own} {time:?} {n_threads}");
    }
}

/// Plays with a heartbeat that beats only when the game polls it.
fn watched(fault: ScriptedFault, terms: Terms) -> PlayedGame<u8> {
    let heartbeat = Heartbeat::by_hand(|| FAKE.now());
    let mut players = [Scripted::default(), Scripted::that(1, fault)];
    play_watched(&mut players, (terms, Some(&heartbeat)), &[], &|| false)
}

#[test]
fn a_timed_game_during_which_the_program_stood_still_is_not_scored() {
    // Not even by the player that seemed to take all the time.
    for (time, ending) in [(ms(1000), Ending::Finished(MARGIN)), (ms(1001), Ending::Standstill)] {
        assert_eq!(watched(ScriptedFault::Late(time), each_move(Some(ms(5000)))).ending, ending, "{time:?}");
        assert_eq!(watched(ScriptedFault::Late(time), game_clocks([5000, 5000], 0)).ending, ending, "{time:?}");
    }
    assert_eq!(watched(ScriptedFault::Late(ms(3000)), each_move(Some(ms(50)))).ending, Ending::Standstill);
    // If no time is limited, no player had less of it.
    assert_eq!(watched(ScriptedFault::Late(ms(3000)), each_move(None)).ending, Ending::Finished(MARGIN));
    // Nor where both are charged the CPU time of this program.
    let wall = Terms { own_threads: [Some(1); 2], ..each_move(Some(ms(5000))) };
    assert_eq!(watched(ScriptedFault::Late(ms(3000)), wall).ending, Ending::Standstill);
    let cpu = Terms { cpu: wall.timer, ..wall };
    assert_eq!(watched(ScriptedFault::Late(ms(3000)), cpu).ending, Ending::Finished(MARGIN));
    let one_engine = Terms { own_threads: [Some(1), None], ..cpu };
    assert_eq!(watched(ScriptedFault::Late(ms(3000)), one_engine).ending, Ending::Standstill);
    // A standstill before the game does not matter.
    let heartbeat = Heartbeat::by_hand(|| FAKE.now());
    pass(ms(3000));
    let mut players = [Scripted::default(), Scripted::default()];
    let game = play_watched(&mut players, (each_move(Some(ms(50))), Some(&heartbeat)), &[], &|| false);
    assert_eq!((game.ending, heartbeat.standstills()), (Ending::Finished(MARGIN), 1));
}

#[test]
fn an_engine_that_misses_its_own_deadline_during_a_standstill_is_not_late() {
    for (time, is_late) in [(ms(100), true), (ms(101), false), (ms(3000), false)] {
        let heartbeat = Heartbeat::by_hand(|| FAKE.now());
        let mut players = [Scripted::default(), Scripted::default()];
        players[0].preparation = Some((time, Err(Fault::Late("no uciok within 10s".to_owned()))));
        let ending = play_watched(&mut players, (each_move(None), Some(&heartbeat)), &[], &|| false).ending;
        assert_eq!(ending == Ending::Standstill, !is_late, "{ending}");
    }
}

#[test]
fn an_engine_whose_answer_was_read_late_by_a_delayed_program_is_not_late() {
    // No beat between request and answer, although less than a second.
    assert_eq!(watched(ScriptedFault::Late(ms(151)), each_move(Some(ms(50)))).ending, Ending::Standstill);
    // A search that computed all the time was not delayed.
    let terms = Terms { own_threads: [Some(1); 2], ..each_move(Some(ms(50))) };
    let ending = watched(ScriptedFault::Busy(ms(151), 1), terms).ending;
    assert!(matches!(ending, Ending::Fault { fault: Fault::Late(_), .. }), "{ending}");
}

#[test]
fn nobody_loses_for_want_of_resources() {
    let mut players = [Scripted::that(1, ScriptedFault::NoResources), Scripted::default()];
    let game = undisturbed(&mut players, each_move(Some(ms(50))));
    assert_eq!(game.ending, Ending::NoResources("no process".to_owned()));
    assert_eq!(game.ending.half_points(Side::First), None);
    assert_eq!(players[1].calls.get_mut().over, None);
    let mut players = [Scripted::default(), Scripted::default()];
    players[1].preparation = Some((ms(1), Err(Fault::NoResources("too many open files".into()))));
    let ending = undisturbed(&mut players, each_move(None)).ending;
    assert_eq!(ending, Ending::NoResources("too many open files".to_owned()));
}

fn game_clocks(time: [u64; 2], increment: u64) -> Terms {
    let allowance = |time| {
        let clock = GameClock { time: ms(time), increment: ms(increment) };
        Allowance { per_move: Limits::default(), clock: Some(clock) }
    };
    Terms { allowances: time.map(allowance), ..each_move(None) }
}

#[test]
fn game_clocks_run_down_and_gain_their_increment() {
    let mut players = [Scripted::paced(ms(30)), Scripted::paced(ms(10))];
    let game = undisturbed(&mut players, game_clocks([1000, 500], 20));
    assert_eq!(game.ending, Ending::Finished(MARGIN));
    let clock = |own, other| Some(Clock { own: ms(own), other: ms(other), increment: ms(20) });
    // First loses 10 ms by every move, Second gains as much.
    let expected = [(1000, 500), (990, 510), (980, 530), (970, 540), (960, 540), (950, 550)];
    assert_eq!(players[0].calls.get_mut().clocks, expected.map(|(own, other)| clock(own, other)));
    let expected = [(500, 990), (510, 980), (520, 980), (530, 970), (540, 950), (550, 940)];
    assert_eq!(players[1].calls.get_mut().clocks, expected.map(|(own, other)| clock(own, other)));
}

#[test]
fn a_player_whose_clock_has_run_out_loses() {
    // 60 ms a move: 90, 30 and then 30 ms too much; with the leeway it plays more moves with its clock at 0.
    for (leeway, n_moves, took) in [(ms(0), 2, "30.0ms"), (ms(59), 5, "0.0ns")] {
        let mut players = [Scripted::paced(ms(60)), Scripted::paced(ms(60))];
        let mut terms = game_clocks([90, 10_000], 0);
        terms.leeway = leeway;
        let game = undisturbed(&mut players, terms);
        let late = format!("took 60.0ms where {took} were allowed, in fake time");
        assert_eq!(game.ending, Ending::Fault { side: Side::First, fault: Fault::Late(late) });
        assert_eq!(game.moves.len(), n_moves);
    }
}

#[test]
fn a_player_that_panics_at_the_start_loses_and_at_the_end_does_not() {
    for side in Side::BOTH {
        let mut players = [Scripted::default(), Scripted::default()];
        players[side.index()].panics_at_start = true;
        let fault = Fault::Panicked("at the start, as scripted".to_owned());
        assert_eq!(undisturbed(&mut players, each_move(None)).ending, Ending::Fault { side, fault });

        let mut players = [Scripted::default(), Scripted::default()];
        players[side.index()].panics_at_end = true;
        assert_eq!(undisturbed(&mut players, each_move(None)).ending, Ending::Finished(MARGIN));
        assert_eq!(players[(!side).index()].calls.get_mut().over, Some(MARGIN));
    }
}

#[test]
fn an_opening_is_played_but_not_recorded() {
    let mut players = [Scripted::default(), Scripted::default()];
    let game = play(&mut players, each_move(None), &[2, 2], &|| false);
    // 8 left after a point of Second, which moves again.
    assert_eq!((game.moves.len(), game.moves[0].side), (8, Side::Second));
    assert_eq!(players[1].calls.get_mut().played[0], 2, "the opening is part of the history");
    let all = [3, 1, 3, 1, 3, 1];
    let game = play(&mut players, each_move(None), &all, &|| false);
    assert_eq!((game.moves.len(), game.ending), (0, Ending::Finished(Margin(-1))));
}

#[test]
fn an_interrupted_game_has_no_result() {
    for (polls_before, n_moves) in [(0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (6, 2)] {
        let polls = Cell::new(0);
        let interrupted = || polls.replace(polls.get() + 1) >= polls_before;
        let mut players = [Scripted::default(), Scripted::default()];
        let game = play(&mut players, each_move(None), &[], &interrupted);
        assert_eq!((game.moves.len(), &game.ending), (n_moves, &Ending::Interrupted), "after {polls_before}");
        assert_eq!(game.ending.half_points(Side::First), None);
        assert_eq!(players[0].calls.get_mut().over, None);
        // Polled before the move, by the search, and after it.
        assert_eq!(players[0].calls.get_mut().stopped, polls_before == 1, "after {polls_before}");
    }
}

#[test]
fn players_prepare_after_the_opening_and_before_the_clock_runs() {
    let mut players = [Scripted::default(), Scripted::default()];
    players[0].preparation = Some((ms(10_000), Ok(())));
    let game = play(&mut players, each_move(Some(ms(50))), &[1, 1], &|| false);
    assert_eq!(game.ending, Ending::Finished(MARGIN), "{}", game.ending);
    assert!(game.moves.iter().all(|played| played.overrun == Duration::ZERO));
    for player in &mut players {
        let calls = player.calls.get_mut();
        assert_eq!((calls.prepared_at, calls.leeway), (Some(2), Some(ms(100))));
    }
}

#[test]
fn a_player_that_fails_to_prepare_loses_without_a_move() {
    for side in Side::BOTH {
        let mut players = [Scripted::default(), Scripted::default()];
        players[side.index()].preparation = Some((ms(1), Err(Fault::Nonsense("unknown game".into()))));
        let PlayedGame { moves, ending } = undisturbed(&mut players, each_move(None));
        let fault = Fault::Nonsense("unknown game".into());
        assert_eq!((moves.len(), ending), (0, Ending::Fault { side, fault }));
        let mut players = [Scripted::default(), Scripted::default()];
        players[side.index()].preparation = Some((ms(1), Err(Fault::Resigned)));
        assert_eq!(play(&mut players, each_move(None), &[], &|| true).ending, Ending::Interrupted);
    }
}

#[test]
fn a_fault_of_an_interrupted_search_is_not_scored() {
    let polls = Cell::new(0);
    let interrupted = || polls.replace(polls.get() + 1) >= 1;
    let mut players = [Scripted::that(0, ScriptedFault::Resign), Scripted::default()];
    let game = play(&mut players, each_move(None), &[], &interrupted);
    assert_eq!(game.ending, Ending::Interrupted);
}

#[test]
fn the_cpu_timer_counts_work_and_not_waiting() {
    let started = THREAD_CPU.now();
    std::thread::yield_now();
    let mut work = 0u64;
    while THREAD_CPU.since(started) < ms(2) {
        work = std::hint::black_box(work + 1);
    }
    let other = std::thread::spawn(|| THREAD_CPU.now()).join().expect("the thread only reads its clock");
    assert!(work > 0 && other < THREAD_CPU.now(), "{other:?}: a new thread has used less time");
}
