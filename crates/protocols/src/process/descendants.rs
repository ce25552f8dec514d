//! Descendants of an engine that left its process group. They are found by a mark in their environment, which every
//! descendant inherits. Only Linux exposes the environment of other processes; elsewhere such descendants keep running.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that holds the mark.
const VARIABLE: &str = "BANYAN_ENGINE";

/// A mark, unique for each engine process.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Mark(format!("{}{}", Mark::of_program(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The common prefix of all marks of this program.
    fn of_program() -> &'static str {
        static BEGINNING: OnceLock<String> = OnceLock::new();
        BEGINNING.get_or_init(|| {
            // Process ids are reused, times are not.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            format!("{}-{now}-", std::process::id())
        })
    }

    /// Marks a program before its start, and thereby all its descendants.
    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Kills all processes with the mark.
    #[cfg(target_os = "linux")]
    pub(super) fn kill_all(&self) {
        /// Limit for programs that start processes faster than they can be killed.
        const ROUNDS: usize = 10;

        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;

        let is_mark = |mark: &[u8]| mark == self.0.as_bytes();
        for _ in 0..ROUNDS {
            let marked = processes_with(is_mark);
            if marked.is_empty() {
                return;
            }
            for process in marked {
                // It may have exited by itself.
                let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
            }
            std::thread::yield_now();
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn kill_all(&self) {}

    /// The processes with any mark of this program.
    #[cfg(target_os = "linux")]
    pub(super) fn all_of_this_program() -> Vec<i32> {
        processes_with(|mark| mark.starts_with(Mark::of_program().as_bytes()))
    }
}

/// The processes with such a mark.
#[cfg(target_os = "linux")]
fn processes_with(is_wanted: impl Fn(&[u8]) -> bool) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| Some((entry.path(), entry.file_name().to_str()?.parse::<i32>().ok()?)));
    let mark_in = |entry: &[u8]| entry.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"=").map(&is_wanted);
    let is_marked = |environment: &[u8]| environment.split(|&byte| byte == 0).any(|entry| mark_in(entry) == Some(true));
    // Processes of other users cannot be read, and are not ours.
    let marked = numbers.filter(|(path, _)| std::fs::read(path.join("environ")).is_ok_and(|read| is_marked(&read)));
    marked.map(|(_, number)| number).collect()
}
