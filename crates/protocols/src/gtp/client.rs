//! Asks an engine for moves over GTP.

use std::time::Duration;

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Side};

use super::{Color, Command, Reply, ReplyReader, Vertex};
use crate::hosted_game::size_of;
use crate::process::{Talk, quoted, speaks_another, unexpected};
use crate::protocol::{ClientProtocol, Options};

/// How an engine understands times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Times {
    /// Whole seconds, extra time for stones: the standard.
    #[default]
    Standard,
    /// Whole seconds, but fractions in what is left. Any stones make the main time that of every move, no stones that of
    /// the game: extra time for no stones, elsewhere the word for no limit, is a game without time.
    Edax,
    /// Fractions of seconds.
    Banyan,
}

/// Speaks GTP to one engine. Playouts, nodes and depth are its own affair: the protocol has no words for them.
#[derive(Debug)]
pub struct Client {
    /// Commands that are said first, each with its argument.
    options: Vec<(String, String)>,
    times: Times,
    /// What it was told of the limits last in this game, so that it is told only what is new.
    told: Option<String>,
    /// Whether it was ever told a limit; it may hold beyond the game.
    has_limits: bool,
    /// What it has on its board.
    played: Vec<String>,
}

impl Client {
    /// A client that says these commands first, as in `set_level 5`.
    pub fn new(options: &Options) -> Client {
        Client { options: options.to_vec(), times: Times::default(), told: None, has_limits: false, played: Vec::new() }
    }

    /// Puts the game on the board of the engine.
    fn follow(&mut self, talk: &mut Talk<'_>, at: &dyn GameState) -> Result<(), Fault> {
        let history = at.history();
        if !history.starts_with(&self.played) {
            ask(talk, "clear_board", &[])?;
            self.played.clear();
        }
        let movers = at.movers();
        for (mv, &mover) in history.iter().zip(&movers).skip(self.played.len()) {
            ask(talk, "play", &[&Color(mover).to_string(), &vertex(mv)])?;
        }
        self.played = history;
        Ok(())
    }

    /// Tells the engine what it may spend, as far as there are words for it.
    fn tell_limits(&mut self, talk: &mut Talk<'_>, side: Side, limits: &Limits) -> Result<(), Fault> {
        let settings = match (limits.clock, limits.time) {
            (Some(_), _) => None,
            (None, Some(time)) => Some(match self.times {
                Times::Edax => format!("{} 0 1", whole_seconds(time)),
                Times::Standard => format!("0 {} 1", whole_seconds(time)),
                Times::Banyan => format!("0 {} 1", fraction(time)),
            }),
            // An engine that was told of no limit goes by its own settings.
            (None, None) => (self.has_limits && self.times != Times::Edax).then(|| "0 1 0".to_owned()),
        };
        if let Some(settings) = settings.filter(|settings| self.told.as_ref() != Some(settings)) {
            ask(talk, "time_settings", &settings.split(' ').collect::<Vec<_>>())?;
            self.told = Some(settings);
        }
        if let Some(clock) = limits.clock {
            if self.told.as_deref() != Some("clock") {
                ask(talk, "time_settings", &[&self.main_time(clock.own.max(clock.other)), "0", "0"])?;
                self.told = Some("clock".to_owned());
            }
            for (side, left) in [(side, clock.own), (!side, clock.other)] {
                ask(talk, "time_left", &[&Color(side).to_string(), &self.left(left), "0"])?;
            }
        }
        self.has_limits |= limits.clock.is_some() || limits.time.is_some();
        Ok(())
    }

    fn main_time(&self, time: Duration) -> String {
        if self.times == Times::Banyan { fraction(time) } else { whole_seconds(time).to_string() }
    }

    fn left(&self, time: Duration) -> String {
        if self.times == Times::Standard { whole_seconds(time).to_string() } else { fraction(time) }
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault> {
        let version = ask(talk, "protocol_version", &[])?;
        if version.trim() != "2" {
            return Err(unexpected(&version, "protocol version 2"));
        }
        let name = ask(talk, "name", &[])?.to_ascii_lowercase();
        self.times = match name.trim() {
            "edax" => Times::Edax,
            "banyan" => Times::Banyan,
            _ => Times::Standard,
        };
        for (name, value) in &self.options {
            ask(talk, name, &value.split_whitespace().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn begin(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, _seed: u64) -> Result<(), Fault> {
        let spec = at.spec();
        let (rows, columns) = size_of(at);
        if !spec.starts_with("reversi") || rows != columns {
            return Err(Fault::Nonsense(format!("GTP has no words for the board of {spec}")));
        }
        ask(talk, "boardsize", &[&rows.to_string()])?;
        ask(talk, "clear_board", &[])?;
        self.played.clear();
        self.told = None;
        self.follow(talk, at)
    }

    fn says_whole_seconds(&self) -> bool {
        self.times != Times::Banyan
    }

    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.follow(talk, at)?;
        self.tell_limits(talk, at.to_move(), limits)?;
        let text = ask(talk, "genmove", &[&Color(at.to_move()).to_string()])?;
        let word = text.split_whitespace().next().unwrap_or_default();
        let mv = match Vertex::parse(word) {
            Some(Vertex::Resign) => return Err(Fault::Resigned),
            vertex => vertex.and_then(Vertex::as_move).ok_or_else(|| unexpected(&text, "a move"))?,
        };
        self.played.push(mv.clone());
        Ok(Answer::bare(mv))
    }

    fn farewell(&mut self, talk: &mut Talk<'_>) {
        talk.say("quit");
    }
}

/// Says a command and waits for its answer.
fn ask(talk: &mut Talk<'_>, name: &str, arguments: &[&str]) -> Result<String, Fault> {
    let command = Command::new(name, arguments);
    talk.say(&command.to_string());
    let mut reader = ReplyReader::default();
    loop {
        let line = talk.hear(&format!("answer to {command}"))?;
        if speaks_another(&line, &["=", "?"]) {
            return Err(unexpected(&line, "an answer that begins with = or ?"));
        }
        match reader.take(&line) {
            Some(Reply { result: Ok(text), .. }) => return Ok(text),
            Some(Reply { result: Err(why), .. }) => {
                return Err(Fault::Nonsense(format!("refused {command}: {}", quoted(&why))));
            }
            None => {}
        }
    }
}

/// A move as the engine reads it.
fn vertex(mv: &str) -> String {
    Vertex::of_move(mv).map_or_else(|| mv.to_owned(), |vertex| vertex.to_string())
}

fn fraction(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// At least one: none would be no time or no limit.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}
