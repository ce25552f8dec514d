//! Logs of the messages to and from the engines of a match: one file for each game.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use banyan_core::clock::Instant;

use super::record::{EndingKind, GameLine};
use crate::external_engine::{Direction, EngineLog};
use crate::storage::replace_file;

/// Bytes kept of the beginning of a game's log, and of its end.
const KEPT: usize = 512 << 10;

/// The games whose logs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedGames {
    /// All.
    All,
    /// Those that a player lost by a fault: a crash, a late, illegal or wrong answer, or a panic.
    Faulty,
}

/// Receives the path of a file that cannot be written, and the error.
type OnFailure = dyn Fn(&Path, &io::Error) + Send + Sync;

/// The folder of the logs of a match. A file that cannot be written does not end the match.
pub struct EngineLogs {
    folder: PathBuf,
    games: LoggedGames,
    has_failed: AtomicBool,
    /// Called once, for the first such file.
    failed: Box<OnFailure>,
}

impl EngineLogs {
    /// Logs in `folder`, which is made if necessary. `failed` is called at most once.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn create(
        folder: &Path,
        games: LoggedGames,
        failed: impl Fn(&Path, &io::Error) + Send + Sync + 'static,
    ) -> io::Result<EngineLogs> {
        fs::create_dir_all(folder)?;
        Ok(EngineLogs {
            folder: folder.to_owned(),
            games,
            has_failed: AtomicBool::new(false),
            failed: Box::new(failed),
        })
    }

    /// Writes the log of a game that has ended, replacing an older one of the same game; no file if no engine played. A file that
    /// cannot be written is left as it was: half a log would look like a whole one.
    pub(super) fn write(&self, line: &GameLine, log: &PairLog) {
        let is_faulty = !matches!(line.ending, EndingKind::Finished | EndingKind::Resigned);
        let Some(text) = log.end().filter(|_| is_faulty || self.games == LoggedGames::All) else { return };
        let path = self.folder.join(format!("{}.{}.txt", line.pair, line.game));
        let Err(err) = replace_file(&path, (heading(line) + &text).as_bytes()) else { return };
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            (self.failed)(&path, &err);
        }
    }
}

/// The game and how it ended, as comments.
fn heading(line: &GameLine) -> String {
    let ending = match &line.fault {
        None => "finished".to_owned(),
        Some(fault) => {
            let by = line.fault_by.map_or("", |side| line.players[side as usize].as_str());
            format!("fault of {by}: {fault}")
        }
    };
    let [first, second] = &line.players;
    format!(
        "# {}, game {}.{}: {first} (first) against {second} (second)\n# moves: {}\n# {ending}\n\
         # milliseconds since the beginning of the game, player, > to it, < from it, ! on its stderr\n",
        line.spec, line.pair, line.game, line.moves
    )
}

/// Messages to and from the engines of a pair, in the game that is being played.
#[derive(Debug, Default)]
pub(crate) struct PairLog(Mutex<Option<GameLog>>);

#[derive(Debug)]
struct GameLog {
    begun: Instant,
    head: String,
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: usize,
}

impl PairLog {
    /// The log of the player of this name.
    pub(super) fn of_player(self: &Arc<PairLog>, name: &str) -> Arc<dyn EngineLog> {
        Arc::new(PlayerLog { log: Arc::clone(self), name: name.to_owned() })
    }

    /// Begins a game.
    pub(super) fn begin(&self) {
        let (head, tail) = (String::new(), VecDeque::new());
        *self.lock() = Some(GameLog { begun: Instant::now(), head, tail, tail_bytes: 0, left_out: 0 });
    }

    /// Ends the game; returns the text of its log, if there is any.
    fn end(&self) -> Option<String> {
        let log = self.lock().take()?;
        let mut text = log.head;
        if log.left_out > 0 {
            let _ = writeln!(text, "# ... {} lines left out", log.left_out);
        }
        text.extend(log.tail);
        (!text.is_empty()).then_some(text)
    }

    fn lock(&self) -> MutexGuard<'_, Option<GameLog>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameLog {
    fn add(&mut self, line: String) {
        if self.tail.is_empty() && self.head.len() + line.len() <= KEPT {
            self.head += &line;
            return;
        }
        self.tail_bytes += line.len();
        self.tail.push_back(line);
        while self.tail_bytes > KEPT
            && let Some(first) = self.tail.pop_front()
        {
            self.tail_bytes -= first.len();
            self.left_out += 1;
        }
    }
}

/// The log of one player of a pair.
#[derive(Debug)]
struct PlayerLog {
    log: Arc<PairLog>,
    /// Its name in the match.
    name: String,
}

impl EngineLog for PlayerLog {
    fn add(&self, at: Instant, direction: Direction, text: &str) {
        // Between two games nothing is kept.
        let mut log = self.log.lock();
        let Some(log) = &mut *log else { return };
        log.add(direction.line(log.begun, at, &self.name, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external_engine::LONGEST_LOGGED as LONGEST_LINE;

    fn log() -> PlayerLog {
        PlayerLog { log: Arc::default(), name: "mine".to_owned() }
    }

    #[test]
    fn a_game_has_the_lines_between_its_beginning_and_its_end() {
        let player = log();
        player.add(Instant::now(), Direction::Sent, "too early");
        player.log.begin();
        for (direction, text) in [
            (Direction::Sent, "go nodes 5"),
            (Direction::Error, "a \u{1b}[2Jword"),
            (Direction::Received, "bestmove\t4"),
        ] {
            player.add(Instant::now(), direction, text);
        }
        let text = player.log.end().expect("a log");
        let lines: Vec<&str> = text.lines().map(|line| line.trim_start().split_once(' ').expect("a time").1).collect();
        assert_eq!(lines, ["mine > go nodes 5", "mine ! a [2Jword", "mine < bestmove\t4"]);
        player.add(Instant::now(), Direction::Sent, "too late");
        assert_eq!(player.log.end(), None);
        player.log.begin();
        assert_eq!(player.log.end(), None);
    }

    #[test]
    fn a_flood_leaves_the_beginning_and_the_end() {
        let player = log();
        player.log.begin();
        for i in 0..1000 {
            player.add(Instant::now(), Direction::Received, &format!("line {i} {}", "é".repeat(LONGEST_LINE)));
        }
        let text = player.log.end().expect("a log");
        assert!(text.len() < 2 * KEPT + 2 * LONGEST_LINE, "{}", text.len());
        let left_out = text.lines().find(|line| line.starts_with("# ... ")).expect("a gap");
        assert!(text.contains("mine < line 0 ") && text.contains("mine < line 999 "), "{left_out}");
        assert!(text.contains(" bytes more\n"));
    }
}
