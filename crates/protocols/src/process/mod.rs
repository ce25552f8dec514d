//! An engine process: started, used with a timeout on every answer, and killed with all its descendants.

mod descendants;
mod exchange;
mod pieces;
mod spawner;
#[cfg(target_os = "linux")]
mod strays;
mod trace;

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use banyan_core::{Fault, TextError, threads};
use process_wrap::std::{ChildWrapper, CommandWrap};

use banyan_catalog::EngineLog;
pub use banyan_catalog::quoted;
use descendants::Mark;
pub(crate) use exchange::STOP_GRACE;
pub use exchange::{Exchange, Received, is_other_protocol, unexpected};
pub(crate) use pieces::read_line;
pub use pieces::{Framing, LONGEST_MESSAGE, Piece, read_piece};
#[cfg(target_os = "linux")]
pub use strays::{adopt_strays, end_engines};
use trace::Trace;

/// Maximum number of buffered messages; beyond it, the engine blocks.
const WAITING: usize = 64;
/// Time limit for an engine whose output ended to exit, so that its exit code can be reported.
const EXIT_GRACE: Duration = Duration::from_millis(300);
/// A scheduler may send the same signal to an engine and to this program. During this time the end of the engine is not
/// reported, so that this program receives its own signal first and reports nothing.
const SIGNAL_GRACE: Duration = Duration::from_millis(300);
/// Time limit for reading the stderr of an engine that has exited.
const STDERR_GRACE: Duration = Duration::from_millis(100);

/// The command line of a program, and its framing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// A path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Working directory; by default the current one.
    pub folder: Option<PathBuf>,
    /// The delimiters of its messages.
    pub framing: Framing,
}

impl Launch {
    /// Checks that the program exists, without starting it.
    ///
    /// # Errors
    /// It does not exist, or is not executable.
    pub fn check(&self) -> Result<(), TextError> {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            let found = format!("folder {}", folder.display());
            return Err(TextError::new(found, "expected a folder that exists", "fix `folder` in engines.toml"));
        }
        let err =
            |expected: &str, remedy: &str| Err(TextError::new(self.program.display().to_string(), expected, remedy));
        if self.program.components().count() < 2 {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            let found = std::env::split_paths(&paths).any(|folder| is_program_in(&folder, &self.program));
            return if found { Ok(()) } else { err("not found in PATH", FIX_COMMAND) };
        }
        match self.program.metadata() {
            Err(_) => err(FILE_NOT_FOUND, FIX_COMMAND),
            Ok(found) if found.is_dir() => err("is a folder, not a program", FIX_COMMAND),
            Ok(_) if !is_executable(&self.program) => err("the file is not executable", "run chmod +x on it"),
            Ok(_) => Ok(()),
        }
    }

    fn spawn(&self, mark: &Mark) -> Result<Box<dyn ChildWrapper>, Fault> {
        self.check().map_err(|err| Fault::Crashed(err.to_string()))?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        mark.put_on(&mut command);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        #[cfg(target_os = "linux")]
        spawner::kill_with_parent(&mut command);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        spawner::spawn(command).map_err(|err| self.not_started(&err))
    }

    /// The fault of a failed start; `NoResources` if a limit of the system was reached, which is not the fault of the
    /// program.
    fn not_started(&self, err: &io::Error) -> Fault {
        let how = format!("cannot start {}: {err}", self.program.display());
        if spawner::is_refusal(err) { Fault::NoResources(how) } else { Fault::Crashed(how) }
    }
}

/// The error for a path that does not exist.
pub(crate) const FILE_NOT_FOUND: &str = "file not found";
const FIX_COMMAND: &str = "fix `command` in engines.toml";

fn is_program_in(folder: &Path, name: &Path) -> bool {
    let path = folder.join(name);
    let is_program = |path: &Path| path.is_file() && is_executable(path);
    // On Windows the extension may be omitted.
    is_program(&path) || cfg!(windows) && is_program(&path.with_extension(std::env::consts::EXE_EXTENSION))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}

/// The time at which a request was written to the program; empty before.
type WrittenAt = Arc<OnceLock<Instant>>;

/// Bytes to be written to the program.
struct Outgoing {
    bytes: Vec<u8>,
    written: WrittenAt,
}

/// A part of the output, and the time at which it was read.
struct Arrived {
    piece: Piece,
    at: Instant,
}

/// A running program. Dropping it kills it and its descendants. Descendants that left its process group are found on
/// Linux only; those that also cleared their environment only while the program runs, or if this program adopts
/// orphans.
#[derive(Debug)]
pub struct Process {
    launch: Launch,
    child: Box<dyn ChildWrapper>,
    mark: Mark,
    /// The queue of the writer thread; `None` after the input was closed.
    to: Option<Sender<Outgoing>>,
    from: Receiver<Arrived>,
    trace: Trace,
    /// The thread that reads stderr; `None` only while it starts.
    stderr_reader: Option<JoinHandle<()>>,
    exit: Option<ExitStatus>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// It does not exist, or cannot be started; the system refuses what it needs.
    pub fn start(launch: &Launch) -> Result<Process, Fault> {
        let mark = Mark::new();
        let mut child = launch.spawn(&mark)?;
        let (to, to_write) = channel();
        let (messages, from) = sync_channel(WAITING);
        let trace = Trace::default();
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three pipes were requested") };
        let framing = launch.framing;
        let [sent, received, errors] = [(); 3].map(|()| trace.clone());
        // If a thread is refused, dropping this ends the program.
        let mut process =
            Process { launch: launch.clone(), child, mark, to: Some(to), from, trace, stderr_reader: None, exit: None };
        let start = || -> io::Result<JoinHandle<()>> {
            threads::spawn(move || write_all(stdin, &to_write, &sent))?;
            threads::spawn(move || read_all(framing, stdout, &messages, &received))?;
            threads::spawn(move || errors.follow(stderr))
        };
        process.stderr_reader = Some(start().map_err(|err| launch.not_started(&err))?);
        Ok(process)
    }

    /// Passes all further input and output to `log`, if there is one.
    pub fn log_to(&self, log: Option<Arc<dyn EngineLog>>) {
        self.trace.log_to(log);
    }

    /// Kills and restarts it.
    ///
    /// # Errors
    /// It can no longer be started.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.kill();
        let log = self.trace.log();
        *self = Process::start(&self.launch)?;
        self.log_to(log);
        Ok(())
    }

    /// Queues `bytes` for its input; never blocks. The result is set when they are written.
    fn send(&self, bytes: Vec<u8>) -> WrittenAt {
        let written = WrittenAt::default();
        if let Some(to) = &self.to {
            // If the process has exited, the next receive reports it.
            let _ = to.send(Outgoing { bytes, written: Arc::clone(&written) });
        }
        written
    }

    /// Closes its input after everything queued is written.
    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// Whether it has exited.
    pub fn has_ended(&mut self) -> bool {
        if self.exit.is_none() {
            self.exit = self.child.try_wait().ok().flatten();
            if self.exit.is_some() {
                self.kill_rest();
                self.note_end();
            }
        }
        self.exit.is_some()
    }

    /// Waits at most `most` for it to exit.
    pub fn wait_for_end(&mut self, most: Duration) -> bool {
        let until = Instant::now() + most;
        let mut pause = Duration::from_micros(100);
        while !self.has_ended() {
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        true
    }

    /// Kills it now.
    pub fn kill(&mut self) {
        if !self.has_ended() {
            #[cfg(target_os = "linux")]
            let descendants = strays::descendants(self.child.id());
            self.kill_rest();
            #[cfg(target_os = "linux")]
            strays::kill_all(&descendants);
            self.exit = self.child.wait().ok();
            self.note_end();
        }
    }

    fn note_end(&self) {
        #[cfg(target_os = "linux")]
        strays::note_end(self.child.id());
    }

    /// Kills its process group and all processes with its mark. A group outlives its leader, and its id is not reused
    /// before.
    fn kill_rest(&mut self) {
        // An error means that the group is already gone.
        let _ = self.child.start_kill();
        self.mark.kill_all();
    }

    /// The last 64 KiB of its stderr.
    pub fn stderr_tail(&self) -> String {
        self.trace.stderr()
    }

    /// The reason why its output ended.
    fn exit_reason(&mut self) -> String {
        let how = match (self.wait_for_end(EXIT_GRACE), self.exit) {
            (true, Some(exit)) => in_words(exit),
            _ => "closed its stdout but is still running".to_owned(),
        };
        if self.exit.is_some_and(asked_to_end) {
            thread::sleep(SIGNAL_GRACE);
            #[cfg(target_os = "linux")]
            strays::wait_if_ending();
        }
        self.drain_stderr();
        how + &self.stderr_note()
    }

    /// If it has exited, waits until its stderr is read completely.
    pub(crate) fn drain_stderr(&self) {
        let until = Instant::now() + STDERR_GRACE;
        let is_read = || self.stderr_reader.as_ref().is_none_or(JoinHandle::is_finished);
        while self.exit.is_some() && !is_read() && Instant::now() < until {
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// `; last line on stderr: …`, or nothing.
    fn stderr_note(&self) -> String {
        self.last_stderr_line().map_or_else(String::new, |line| format!("; last line on stderr: {line}"))
    }

    /// The last line of its stderr, in quotes.
    pub(crate) fn last_stderr_line(&self) -> Option<String> {
        let text = self.stderr_tail();
        text.lines().rev().find(|line| !line.trim().is_empty()).map(quoted)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes all queued bytes until the queue or the pipe is closed.
fn write_all(mut stdin: ChildStdin, from: &Receiver<Outgoing>, trace: &Trace) {
    while let Ok(Outgoing { bytes, written }) = from.recv() {
        // Traced before it is written, so that a log has no answer before its request.
        trace.sent(&bytes, Instant::now());
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
        written.get_or_init(Instant::now);
    }
}

/// Forwards messages until the output ends or the receiver is gone.
fn read_all(framing: Framing, stdout: ChildStdout, to: &SyncSender<Arrived>, trace: &Trace) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let piece = read_piece(framing, &mut stdout).unwrap_or(Piece::End);
        let at = Instant::now();
        trace.received(&piece, at);
        let continues = matches!(piece, Piece::Message(_));
        if to.send(Arrived { piece, at }).is_err() || !continues {
            return;
        }
    }
}

/// Whether it exited because of a termination signal.
#[cfg(unix)]
fn asked_to_end(exit: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    // SIGHUP, SIGINT and SIGTERM; these have the same numbers on every system.
    [1, 2, 15].into_iter().any(|signal| exit.signal() == Some(signal) || exit.code() == Some(128 + signal))
}

#[cfg(not(unix))]
fn asked_to_end(_exit: ExitStatus) -> bool {
    false
}

#[cfg(unix)]
fn in_words(exit: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (exit.code(), exit.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}{}", meaning(signal)),
        (None, None) => "exited".to_owned(),
    }
}

/// The meaning of common signals; these have the same numbers on every system.
#[cfg(unix)]
fn meaning(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        _ => "",
    }
}

#[cfg(not(unix))]
fn in_words(exit: ExitStatus) -> String {
    exit.code().map_or_else(|| "exited".to_owned(), |code| format!("exited with code {code}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_what_can_be_executed_is_a_program() {
        let folder = std::env::temp_dir().join(format!("banyan-path-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("engine");
        fs::write(&file, "").expect("a file");
        let is_there = |name: &str| is_program_in(&folder, Path::new(name));
        let set = |mode: u32| fs::set_permissions(&file, Permissions::from_mode(mode)).expect("our own file");
        set(0o644);
        assert!(!is_there("engine"));
        set(0o755);
        assert!(is_there("engine") && !is_there("engine.py") && !is_there("other"));
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
