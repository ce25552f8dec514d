//! How long a cache line takes from one core to another and back: what threads pay for every word they share. On virtual
//! machines it changes within minutes, several times over, so that no speed of several threads says much without it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::median;

/// Round trips between two looks at the clock.
const BATCH: u64 = 500;
/// Batches of one reading, 20,000 round trips in all; guess, untuned: some 6 ms where a trip takes 300 ns.
const BATCHES: usize = 40;
/// A reading ends after so long, were the cores busy with other work.
const LONGEST: Duration = Duration::from_millis(100);
/// Looks at the line, some microseconds of them, before the other thread is taken to be off its core.
const PATIENCE: u32 = 10_000;
/// The leader then sleeps: a thread that wakes up is put on an idle core, one that merely makes way may stay for long on
/// the core that the other needs.
const NAP: Duration = Duration::from_micros(50);

/// The line alone: two of the usual 64 bytes, as some processors fetch them in pairs.
#[repr(align(128))]
struct Line(AtomicU64);

/// Nanoseconds of a round trip now, the median of some batches; `None` where there is one core only, or never two that
/// were free. Two threads bounce a number, wherever the system puts them, for no thread is tied to a core here: where
/// there are more than two, the pair may differ from that of the next reading.
pub(super) fn nanoseconds() -> Option<f64> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if cores > 1 { bounced() } else { None }
}

fn bounced() -> Option<f64> {
    // No other data goes with the number, so the weakest ordering will do.
    const OVER: u64 = u64::MAX;
    let line = &Line(AtomicU64::new(0)).0;
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 1;
            while wait_for(line, number, &mut thread::yield_now) {
                line.store(number + 1, Ordering::Relaxed);
                number += 2;
            }
        });
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
            // What the system took to switch between threads is no round trip.
            if !kept_waiting {
                trips.push(started.elapsed().as_nanos() as f64 / BATCH as f64);
            }
        }
        line.store(OVER, Ordering::Relaxed);
        (!trips.is_empty()).then(|| median(trips))
    })
}

/// Waits until the line holds `number`; `false` if it holds anything beyond, which says that all is over. There is no
/// pause between two looks, whose length would be measured too; `impatient` is called after so many.
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
        // Others may hold the cores for a while.
        let readings = std::iter::repeat_with(nanoseconds).take(100);
        let found = readings.flatten().next().expect("two free cores within ten seconds");
        // No two cores exchange a line within four nanoseconds, and none takes as long as a switch between threads.
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
