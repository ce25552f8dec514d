//! A running match with any number of viewers, each at its own pace.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use banyan_arena::StopSignal;
use banyan_catalog::pairs::{GameLine, LiveGame, LiveGames};
use banyan_matches::{MatchWatch, Standing, StatsEvent};
use serde::Serialize;
use tokio::sync::watch;

use crate::events::Message;
use crate::lock::lock;

/// Bytes of a line of games.jsonl besides the event `game_end`: its checksum and its line end.
const SEAL: u64 = r#","check":"01234567""#.len() as u64 + 1;

/// Number of finished games kept for slow viewers.
const KEPT: usize = 200;

/// A running match or sweep.
pub(crate) struct Running {
    /// The name of its folder.
    pub(crate) id: String,
    pub(crate) signal: StopSignal,
    n_players: usize,
    /// Whether its games have reached the size limit.
    is_full: AtomicBool,
    board: Mutex<Board>,
    /// A counter of changes.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Board {
    stats: Option<Message>,
    /// The last finished games; `n_before` others ended before them.
    ended: VecDeque<Message>,
    n_before: u64,
    /// The running games.
    games: BTreeMap<(u64, u8), LiveGame>,
    last: Option<Message>,
}

/// The running game that is shown.
#[derive(Serialize)]
struct LiveView<'a> {
    pair: u64,
    game: u8,
    spec: &'a str,
    players: &'a [String; 2],
    moves: &'a [String],
}

/// The events that a viewer has received.
#[derive(Default)]
pub(crate) struct Seen {
    ended: u64,
    stats: Option<Message>,
    live: Option<Message>,
    over: bool,
}

impl Running {
    pub(crate) fn new(id: String, n_players: usize) -> Running {
        Running {
            id,
            signal: StopSignal::new(),
            n_players,
            is_full: AtomicBool::new(false),
            board: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Board)) {
        change(&mut lock(&self.board));
        self.changes.send_modify(|n| *n += 1);
    }

    /// Sends the last event.
    pub(crate) fn end(&self, last: Message) {
        self.change(|board| {
            board.games.clear();
            board.last = Some(last);
        });
    }

    /// Whether it was ended because its games reached the size limit.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Whether the last event was sent.
    pub(crate) fn is_over(&self) -> bool {
        lock(&self.board).last.is_some()
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A viewer who receives only events from now on.
    pub(crate) fn newcomer(&self) -> Seen {
        let board = lock(&self.board);
        Seen { ended: board.n_before + board.ended.len() as u64, ..Seen::default() }
    }

    /// Events that a viewer has not received yet; `None` after the last event.
    pub(crate) fn news(&self, seen: &mut Seen) -> Option<Vec<Message>> {
        if seen.over {
            return None;
        }
        let board = lock(&self.board);
        let from = seen.ended.saturating_sub(board.n_before) as usize;
        let mut news: Vec<Message> = board.ended.iter().skip(from).cloned().collect();
        seen.ended = board.n_before + board.ended.len() as u64;
        let live = board.games.values().next().map(|LiveGame { pair, game, spec, players, moves }| {
            Message::new("live", &LiveView { pair: *pair, game: *game, spec, players, moves })
        });
        for (new, known) in [(&board.stats, &mut seen.stats), (&live, &mut seen.live)] {
            if new.is_some() && new != known {
                known.clone_from(new);
                news.extend(new.clone());
            }
        }
        if let Some(last) = &board.last {
            news.push(last.clone());
            seen.over = true;
        }
        Some(news)
    }
}

impl LiveGames for Running {
    fn begins(&self, game: LiveGame) {
        self.change(|board| drop(board.games.insert((game.pair, game.game), game)));
    }

    fn moved(&self, id: (u64, u8), mv: String) {
        self.change(|board| {
            if let Some(game) = board.games.get_mut(&id) {
                game.moves.push(mv);
            }
        });
    }
}

/// Passes the results of a match to its viewers, and ends it when its games reach the size limit.
pub(crate) struct Watch<'a> {
    pub(crate) running: &'a Running,
    /// Remaining bytes for its games.
    pub(crate) left: u64,
}

impl MatchWatch for Watch<'_> {
    fn game(&mut self, line: &GameLine) {
        let message = Message::new("game_end", line);
        self.left = self.left.saturating_sub(message.data.len() as u64 + SEAL);
        if self.left == 0 {
            self.running.is_full.store(true, Ordering::Relaxed);
            self.running.signal.finish();
        }
        self.running.change(|board| {
            board.games.remove(&line.id());
            board.ended.push_back(message);
            if board.ended.len() > KEPT {
                board.ended.pop_front();
                board.n_before += 1;
            }
        });
    }

    fn pair(&mut self, standing: &Standing) {
        let stats = Message::new("stats", &StatsEvent::of(standing, self.running.n_players));
        self.running.change(|board| board.stats = Some(stats));
    }
}
