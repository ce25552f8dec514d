//! Starts programs so that they do not outlive this one.

use std::io;
#[cfg(target_os = "linux")]
use std::process::Command;

use process_wrap::std::{ChildWrapper, CommandWrap};

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

/// Lets Linux kill the program when this one ends, however it ends: by SIGKILL too. Its own children are not killed with it.
#[cfg(target_os = "linux")]
pub(super) fn kill_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::errno::Errno;
    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{getpid, getppid};

    let parent = getpid();
    let set = move || -> io::Result<()> {
        set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have ended before the signal was set.
        if getppid() == parent { Ok(()) } else { Err(Errno::ESRCH.into()) }
    };
    // SAFETY: between fork and exec the closure makes two system calls, prctl and getppid. It neither allocates nor locks,
    // and an error is a plain number, so nothing depends on threads that do not exist in the new process.
    unsafe { command.pre_exec(set) };
}

#[cfg(target_os = "linux")]
mod lasting_thread {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use process_wrap::std::{ChildWrapper, CommandWrap};

    use crate::process::strays;

    type Started = io::Result<Box<dyn ChildWrapper>>;

    pub(super) fn spawn(command: CommandWrap) -> Started {
        static THREAD: OnceLock<Sender<(CommandWrap, Sender<Started>)>> = OnceLock::new();
        let thread = THREAD.get_or_init(|| {
            let (requests, to_start) = channel::<(CommandWrap, Sender<Started>)>();
            thread::spawn(move || {
                for (mut command, started) in to_start {
                    // Whoever asked waits for it.
                    let _ = started.send(strays::note_start(|| command.spawn(), |child| child.id()));
                }
            });
            requests
        });
        let (started, answer) = channel();
        let lost = || io::Error::other("the thread that starts programs has ended");
        thread.send((command, started)).map_err(|_| lost())?;
        answer.recv().map_err(|_| lost())?
    }
}
