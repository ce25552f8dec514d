//! What an engine started and led out of its group: it is known by a mark in its environment, which everything inherits
//! that an engine starts. Only Linux shows the environments of others; elsewhere such strays go on running.

use std::process::Command;

/// The variable that holds the mark.
const VARIABLE: &str = "BANYAN_ENGINE";

/// One that no other engine has.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Mark {
        use std::sync::atomic::{AtomicU64, Ordering};
        use std::time::{SystemTime, UNIX_EPOCH};

        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Numbers of processes come again, times do not.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Mark(format!("{}-{}-{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// Marks a program that is about to be started, and with it all that it starts.
    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Ends all that bears the mark.
    #[cfg(target_os = "linux")]
    pub(super) fn end_all(&self) {
        /// What starts others faster than they are ended is given up.
        const ROUNDS: usize = 10;

        use nix::sys::signal::{Signal, kill};

        for _ in 0..ROUNDS {
            let strays = self.strays();
            if strays.is_empty() {
                return;
            }
            for stray in strays {
                // It may have ended by itself.
                let _ = kill(stray, Signal::SIGKILL);
            }
            std::thread::yield_now();
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn end_all(&self) {}

    #[cfg(target_os = "linux")]
    fn strays(&self) -> Vec<nix::unistd::Pid> {
        let mark = format!("{VARIABLE}={}", self.0);
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers =
            entries.filter_map(|entry| Some((entry.path(), entry.file_name().to_str()?.parse::<i32>().ok()?)));
        // Those of other people cannot be read, and are none of ours.
        let is_ours = |environment: &[u8]| environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes());
        let ours = numbers.filter(|(path, _)| std::fs::read(path.join("environ")).is_ok_and(|read| is_ours(&read)));
        ours.map(|(_, number)| nix::unistd::Pid::from_raw(number)).collect()
    }
}
