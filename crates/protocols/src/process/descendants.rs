//! Descendants of an engine that left its process group. They are found by a mark in their environment, which every
//! descendant inherits. Only Linux exposes the environment of other processes; elsewhere such descendants keep running.

use std::process::Command;

/// The environment variable that holds the mark.
const VARIABLE: &str = "BANYAN_ENGINE";

/// A mark, unique for each engine process.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Mark {
        use std::sync::atomic::{AtomicU64, Ordering};
        use std::time::{SystemTime, UNIX_EPOCH};

        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Process ids are reused, times are not.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Mark(format!("{}-{}-{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// Marks a program before its start, and so all its descendants.
    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Kills all processes with the mark.
    #[cfg(target_os = "linux")]
    pub(super) fn kill_all(&self) {
        /// Limit for programs that start processes faster than they can be killed.
        const ROUNDS: usize = 10;

        use nix::sys::signal::{Signal, kill};

        for _ in 0..ROUNDS {
            let marked = self.marked();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                // It may have exited by itself.
                let _ = kill(process, Signal::SIGKILL);
            }
            std::thread::yield_now();
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn kill_all(&self) {}

    #[cfg(target_os = "linux")]
    fn marked(&self) -> Vec<nix::unistd::Pid> {
        let mark = format!("{VARIABLE}={}", self.0);
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers =
            entries.filter_map(|entry| Some((entry.path(), entry.file_name().to_str()?.parse::<i32>().ok()?)));
        // Processes of other users cannot be read, and are not ours.
        let is_ours = |environment: &[u8]| environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes());
        let ours = numbers.filter(|(path, _)| std::fs::read(path.join("environ")).is_ok_and(|read| is_ours(&read)));
        ours.map(|(_, number)| nix::unistd::Pid::from_raw(number)).collect()
    }
}
