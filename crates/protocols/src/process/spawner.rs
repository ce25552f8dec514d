//! Starts programs so that they do not outlive this one.

use std::io;
#[cfg(target_os = "linux")]
use std::process::Command;

use process_wrap::std::{ChildWrapper, CommandWrap};

/// Whether the system refused a process, a thread or a descriptor because a limit is reached, so that the program to be
/// started is not at fault.
pub(super) fn is_refusal(err: &io::Error) -> bool {
    // Codes without an `ErrorKind`: too many open files of this program (EMFILE) or of the system (ENFILE), the same on
    // every Unix; on Windows too many open files, and two codes for too little memory.
    let codes: &[i32] = if cfg!(windows) { &[4, 8, 1455] } else { &[24, 23] };
    let is_refused = err.raw_os_error().is_some_and(|code| codes.contains(&code));
    is_refused || matches!(err.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
}

/// Starts a program.
///
/// Linux sends the parent-death signal when the *thread* ends that started a program, so all programs are started by one
/// thread that lives as long as this program.
pub(super) fn spawn(command: CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
    #[cfg(target_os = "linux")]
    return lasting_thread::spawn(command);
    #[cfg(not(target_os = "linux"))]
    {
        let mut command = command;
        command.spawn()
    }
}

/// Has Linux kill the program when this one ends for any reason, including SIGKILL. Children of the program are not
/// killed with it.
#[cfg(target_os = "linux")]
pub(super) fn kill_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::errno::Errno;
    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::resource::{RLIM_INFINITY, Resource, setrlimit};
    use nix::sys::signal::Signal;
    use nix::unistd::{getpid, getppid};

    let parent = getpid();
    let files = banyan_catalog::descriptors::limits_before();
    let set = move || -> io::Result<()> {
        if let Some((soft, hard)) = files {
            // Restores the user's limit, on which an engine that calls select() may rely. A failure is ignored: other
            // engines also run with a higher limit.
            let _ = setrlimit(Resource::RLIMIT_NOFILE, soft, hard.unwrap_or(RLIM_INFINITY));
        }
        set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have ended before the signal was set.
        if getppid() == parent { Ok(()) } else { Err(Errno::ESRCH.into()) }
    };
    // SAFETY: between fork and exec the closure makes three system calls, setrlimit, prctl and getppid. It neither
    // allocates nor locks, and an error is a plain number, so nothing depends on threads that do not exist in the new
    // process.
    unsafe { command.pre_exec(set) };
}

#[cfg(target_os = "linux")]
mod lasting_thread {
    use std::io;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, PoisonError};

    use banyan_core::threads;
    use process_wrap::std::{ChildWrapper, CommandWrap};

    use crate::process::strays;

    type Started = io::Result<Box<dyn ChildWrapper>>;

    type Requests = Sender<(CommandWrap, Sender<Started>)>;

    pub(super) fn spawn(command: CommandWrap) -> Started {
        let (started, answer) = channel();
        let lost = || io::Error::other("the thread that starts programs has ended");
        requests()?.send((command, started)).map_err(|_| lost())?;
        answer.recv().map_err(|_| lost())?
    }

    /// The sender to the thread, which is started by the first call; if the system refuses it, the next call tries
    /// again.
    fn requests() -> io::Result<Requests> {
        static THREAD: Mutex<Option<Requests>> = Mutex::new(None);
        let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(requests) = &*thread {
            return Ok(requests.clone());
        }
        let (requests, to_start) = channel::<(CommandWrap, Sender<Started>)>();
        threads::spawn(move || {
            for (mut command, started) in to_start {
                // The caller waits for the result.
                let _ = started.send(strays::note_start(|| command.spawn(), |child| child.id()));
            }
        })?;
        Ok(thread.insert(requests).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_limit_of_the_system_is_a_refusal() {
        #[cfg(target_os = "linux")]
        for (code, refused) in
            [(24, true), (23, true), (12, true), (11, true), (2, false), (13, false), (8, false), (26, false)]
        {
            assert_eq!(is_refusal(&io::Error::from_raw_os_error(code)), refused, "{code}");
        }
        assert!(is_refusal(&io::ErrorKind::WouldBlock.into()) && !is_refusal(&io::ErrorKind::NotFound.into()));
    }
}
