//! A engine program: started, spoken to without ever waiting for longer than agreed, and ended with all that it started.

mod pieces;
mod strays;
mod tail;
mod talk;

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use banyan_core::{Fault, TextError};
use process_wrap::std::{ChildWrapper, CommandWrap};

pub use banyan_catalog::quoted;
pub(crate) use pieces::read_line;
pub use pieces::{Framing, LONGEST_MESSAGE, Piece, read_piece};
use strays::Mark;
use tail::Tail;
pub(crate) use talk::STOP_GRACE;
pub use talk::{Heard, Talk, speaks_another, unexpected};

/// Messages that may wait to be heard before the engine has to wait.
const WAITING: usize = 64;
/// An engine whose output ended has so long to end itself, so that its exit code can be named.
const EXIT_GRACE: Duration = Duration::from_millis(300);
/// What an engine that has ended wrote to stderr is there within this time.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// How to start a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// A path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; by default where we do.
    pub folder: Option<PathBuf>,
    /// How its messages are told apart.
    pub framing: Framing,
}

impl Launch {
    /// Whether there is such a program, as far as can be told without starting it.
    ///
    /// # Errors
    /// There is none, or it is no program.
    pub fn check(&self) -> Result<(), TextError> {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            let found = format!("folder {}", folder.display());
            return Err(TextError::new(found, "there is no such folder", "fix `folder` in engines.toml"));
        }
        let err =
            |expected: &str, remedy: &str| Err(TextError::new(self.program.display().to_string(), expected, remedy));
        if self.program.components().count() < 2 {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            let found = std::env::split_paths(&paths).any(|folder| is_program_in(&folder, &self.program));
            return if found { Ok(()) } else { err("no program in PATH has this name", FIX_COMMAND) };
        }
        match self.program.metadata() {
            Err(_) => err("there is no such file", FIX_COMMAND),
            Ok(found) if found.is_dir() => err("this is a folder and no program", FIX_COMMAND),
            Ok(_) if !is_executable(&self.program) => err("this file is not executable", "run chmod +x on it"),
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
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        command.spawn().map_err(|err| Fault::Crashed(format!("{} cannot be started: {err}", self.program.display())))
    }
}

const FIX_COMMAND: &str = "fix `command` in engines.toml";

fn is_program_in(folder: &Path, name: &Path) -> bool {
    let path = folder.join(name);
    let is_program = |path: &Path| path.is_file() && is_executable(path);
    // There the ending is left out of what people type.
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

/// A program under way. When it is dropped it is ended, and so is everything that it started; what leads a session of its
/// own is found on Linux only.
#[derive(Debug)]
pub struct Process {
    launch: Launch,
    child: Box<dyn ChildWrapper>,
    mark: Mark,
    /// To the thread that writes; `None` once its input was closed.
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Piece>,
    complaints: Tail,
    /// Reads them.
    listener: JoinHandle<()>,
    exit: Option<ExitStatus>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// It is not there, or cannot be started.
    pub fn start(launch: &Launch) -> Result<Process, Fault> {
        let mark = Mark::new();
        let mut child = launch.spawn(&mark)?;
        let (to, to_write) = channel();
        let (heard, from) = sync_channel(WAITING);
        let complaints = Tail::default();
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three were asked for") };
        let (framing, tail) = (launch.framing, complaints.clone());
        thread::spawn(move || write_all(stdin, &to_write));
        thread::spawn(move || read_all(framing, stdout, &heard));
        let listener = thread::spawn(move || tail.follow(stderr));
        Ok(Process { launch: launch.clone(), child, mark, to: Some(to), from, complaints, listener, exit: None })
    }

    /// Ends it and starts it anew.
    ///
    /// # Errors
    /// It cannot be started any more.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.kill();
        *self = Process::start(&self.launch)?;
        Ok(())
    }

    /// Writes `bytes` to its input when it takes them; if it never does, it will not answer either.
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(to) = &self.to {
            // Nobody takes it any more where it has ended, as the next hearing tells.
            let _ = to.send(bytes);
        }
    }

    /// Ends its input after all that was sent.
    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        if self.exit.is_none() {
            self.exit = self.child.try_wait().ok().flatten();
            if self.exit.is_some() {
                self.kill_rest();
            }
        }
        self.exit.is_some()
    }

    /// Waits at most so long for it to end.
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

    /// Ends it now.
    pub fn kill(&mut self) {
        if !self.has_ended() {
            self.kill_rest();
            self.exit = self.child.wait().ok();
        }
    }

    /// Ends whatever lives in its group or bears its mark. A group outlives its leader, and nobody else gets its number as
    /// long as it does.
    fn kill_rest(&mut self) {
        // Where nothing lives there is nothing to end.
        let _ = self.child.start_kill();
        self.mark.end_all();
    }

    /// The end of what it wrote to stderr, at most 64 KiB.
    pub fn complaints(&self) -> String {
        self.complaints.text()
    }

    /// Why nothing more comes from it.
    fn obituary(&mut self) -> String {
        let how = match (self.wait_for_end(EXIT_GRACE), self.exit) {
            (true, Some(exit)) => in_words(exit),
            _ => "closed its stdout but goes on running".to_owned(),
        };
        self.hear_out();
        how + &self.last_words()
    }

    /// Waits until all that one that has ended wrote to stderr is there.
    pub(crate) fn hear_out(&self) {
        let until = Instant::now() + LAST_WORDS;
        while self.exit.is_some() && !self.listener.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// `; last on its stderr: …`, or nothing.
    fn last_words(&self) -> String {
        self.last_complaint().map_or_else(String::new, |line| format!("; last on its stderr: {line}"))
    }

    /// The last line that it wrote to stderr, in quotes.
    pub(crate) fn last_complaint(&self) -> Option<String> {
        let complaints = self.complaints();
        complaints.lines().rev().find(|line| !line.trim().is_empty()).map(quoted)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes what comes until nothing more does or nobody takes it.
fn write_all(mut stdin: ChildStdin, from: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = from.recv() {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on messages until there are no more, or nobody wants them.
fn read_all(framing: Framing, stdout: ChildStdout, to: &SyncSender<Piece>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let piece = read_piece(framing, &mut stdout).unwrap_or(Piece::End);
        let goes_on = matches!(piece, Piece::Message(_));
        if to.send(piece).is_err() || !goes_on {
            return;
        }
    }
}

#[cfg(unix)]
fn in_words(exit: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (exit.code(), exit.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}{}", meaning(signal)),
        (None, None) => "ended".to_owned(),
    }
}

/// What the signals of programs that go wrong mean; these have the same numbers on every system.
#[cfg(unix)]
fn meaning(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic, such as a division by zero)",
        9 => " (killed)",
        11 => " (memory that is not its own)",
        _ => "",
    }
}

#[cfg(not(unix))]
fn in_words(exit: ExitStatus) -> String {
    exit.code().map_or_else(|| "ended".to_owned(), |code| format!("ended with exit code {code}"))
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
