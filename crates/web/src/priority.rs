//! Priorities of threads: moves of levels and boards come before analyses and matches.

/// The nice value of long work. Guess: the scheduler of Linux gives such a thread a tenth of the time of another one.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of the calling thread, and of those that it starts, for work of seconds or more. On Linux only: elsewhere the
/// priority is one of the whole process.
pub(crate) fn give_way() {
    // A system that refuses it is only slower to answer.
    #[cfg(target_os = "linux")]
    if rustix::process::getpriority_process(None).is_ok_and(|now| now < NICENESS) {
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_thread_and_those_it_starts_give_way() {
        use super::{NICENESS, give_way};

        let niceness = || rustix::process::getpriority_process(None).expect("a priority");
        let before = niceness();
        let lowered = std::thread::spawn(move || {
            give_way();
            [niceness(), std::thread::spawn(niceness).join().expect("no panic")]
        });
        let expected = before.max(NICENESS);
        assert_eq!(lowered.join().expect("no panic"), [expected; 2]);
        assert_eq!(niceness(), before);
    }
}
