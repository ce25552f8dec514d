//! Measures the round trip of a cache line between two cores, the cost of every shared word. On virtual machines it varies
//! several-fold within minutes, so a multi-threaded speed is meaningful only together with it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use banyan_core::threads::spawn_scoped;

use super::median;

/// Round trips between two clock reads.
const BATCH: u64 = 500;
/// Batches of one reading, 20,000 round trips in all; guess, untuned: some 6 ms where a trip takes 300 ns.
const BATCHES: usize = 40;
/// Time limit of a reading, in case the cores are busy.
const LONGEST: Duration = Duration::from_millis(100);
/// Polls of the line, a few microseconds, after which the other thread is assumed to be descheduled.
const PATIENCE: u32 = 10_000;
/// The leader then sleeps: a thread that wakes up is placed on an idle core, while one that only yields may stay on the core
/// that the other thread needs.
const NAP: Duration = Duration::from_micros(50);

/// A line without false sharing: 128 bytes, as some processors fetch lines in pairs.
#[repr(align(128))]
struct Line(AtomicU64);

/// The current round trip in nanoseconds, the median of several batches; `None` with a single core, if no two cores were free, or
/// if the system refuses a thread. Two threads exchange a number; they are not pinned, so the pair of cores may differ between readings.
pub(super) fn nanoseconds() -> Option<f64> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if cores > 1 { bounced() } else { None }
}

fn bounced() -> Option<f64> {
    // The number guards no other data, so relaxed ordering suffices.
    const OVER: u64 = u64::MAX;
    let line = &Line(AtomicU64::new(0)).0;
    thread::scope(|scope| {
        spawn_scoped(scope, || {
            let mut number = 1;
            while wait_for(line, number, &mut thread::yield_now) {
                line.store(number + 1, Ordering::Relaxed);
                number += 2;
            }
        })?;
        let (begun, mut number, mut trips) = (Instant::now(), 0, Vec::new());
        while trips.len() < BATCHES && begun.elapsed() < LONGEST {
            let (started, mut kept_waiting) = (Instant::now(), false);
            for _ in 0..BATCH {
                line.store(number + 1, Ordering::Relaxed);
                number += 2;
                let mut nap = || {
                    kept_waiting = true;
                    thread::sleep(NAP);
                };
                wait_for(line, number, &mut nap);
            }
            // Exclude thread switches.
            if !kept_waiting {
                trips.push(started.elapsed().as_nanos() as f64 / BATCH as f64);
            }
        }
        line.store(OVER, Ordering::Relaxed);
        (!trips.is_empty()).then(|| median(trips))
    })
}

/// Waits until the line holds `number`; `false` if it holds a larger one, which means stop. There is no pause between polls,
/// because it would be measured too; `impatient` is called after a number of polls.
fn wait_for(line: &AtomicU64, number: u64, impatient: &mut dyn FnMut()) -> bool {
    let mut looks = 0;
    loop {
        match line.load(Ordering::Relaxed) {
            found if found == number => return true,
            found if found > number => return false,
            _ => looks += 1,
        }
        if looks == PATIENCE {
            looks = 0;
            impatient();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_trip_takes_longer_than_a_look_and_not_for_ever() {
        if thread::available_parallelism().map_or(1, usize::from) == 1 {
            assert_eq!(nanoseconds(), None);
            return;
        }
        // The cores may be busy for a while.
        let readings = std::iter::repeat_with(nanoseconds).take(100);
        let found = readings.flatten().next().expect("two free cores within ten seconds");
        // Bounds: no two cores exchange a line within four nanoseconds, and a round trip is shorter than a thread switch.
        assert!((4.0..50_000.0).contains(&found), "{found}");
    }

    #[test]
    fn whoever_waits_hears_of_the_number_or_of_the_end() {
        let line = AtomicU64::new(3);
        let mut times = 0;
        assert!(wait_for(&line, 3, &mut || times += 1) && times == 0);
        assert!(!wait_for(&line, 2, &mut || times += 1) && times == 0);
        assert!(wait_for(&line, 5, &mut || {
            times += 1;
            line.store(if times == 2 { 5 } else { 4 }, Ordering::Relaxed);
        }));
        assert_eq!(times, 2);
    }
}
