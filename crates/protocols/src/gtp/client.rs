//! GTP client: requests moves from an engine.

use std::time::Duration;

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Side};

use super::{Color, Command, ReplyReader, Vertex};
use crate::hosted_game::size_of;
use crate::process::{Exchange, is_other_protocol, quoted, unexpected};
use crate::protocol::{ClientProtocol, Options};

/// How an engine interprets `time_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Times {
    /// The standard: whole seconds, with byo-yomi time for a number of stones.
    #[default]
    Standard,
    /// As Edax: whole seconds, but fractions in `time_left`. With stones the main time is per move, without stones it is
    /// for the game. Byo-yomi time for no stones, the standard's way to say no limit, is a game without time here.
    Edax,
    /// Fractions of seconds.
    Banyan,
}

/// GTP client for one engine. GTP cannot express limits on playouts, nodes or depth.
#[derive(Debug)]
pub struct Client {
    /// Commands sent first, each with its argument.
    options: Vec<(String, String)>,
    times: Times,
    /// The last limits sent in this game, so that only changes are sent.
    sent: Option<String>,
    /// Whether a limit was ever sent; it may persist after the game.
    has_limits: bool,
    /// The moves on the engine's board.
    played: Vec<String>,
    /// Whether the engine has rejected a pass, as GRhino does: it passes by itself.
    infers_passes: bool,
}

impl Client {
    /// A client that sends these commands first, such as `set_level 5`.
    pub fn new(options: &Options) -> Client {
        Client {
            options: options.to_vec(),
            times: Times::default(),
            sent: None,
            has_limits: false,
            played: Vec::new(),
            infers_passes: false,
        }
    }

    /// Sets up the position on the engine's board.
    fn follow(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState) -> Result<(), Fault> {
        let history = at.history();
        if !history.starts_with(&self.played) {
            request(exchange, "clear_board", &[])?;
            self.played.clear();
        }
        let movers = at.movers();
        for (mv, &mover) in history.iter().zip(&movers).skip(self.played.len()) {
            self.tell_move(exchange, mover, mv)?;
        }
        self.played = history;
        Ok(())
    }

    /// Sends a move. A side passes only where it has no other move: what rejects a pass knows of it, or rejects the next move.
    fn tell_move(&mut self, exchange: &mut Exchange<'_>, mover: Side, mv: &str) -> Result<(), Fault> {
        let is_pass = Vertex::of_move(mv) == Some(Vertex::Pass);
        if is_pass && self.infers_passes {
            return Ok(());
        }
        let command = Command::new("play", &[&Color(mover).to_string(), &vertex(mv)]);
        match answer(exchange, &command)? {
            Err(_) if is_pass => self.infers_passes = true,
            Err(why) => return Err(rejection(&command, &why)),
            Ok(_) => {}
        }
        Ok(())
    }

    /// Sends the time limits.
    fn tell_limits(&mut self, exchange: &mut Exchange<'_>, side: Side, limits: &Limits) -> Result<(), Fault> {
        let settings = match (limits.clock, limits.time) {
            (Some(_), _) => None,
            (None, Some(time)) => Some(match self.times {
                Times::Edax => format!("{} 0 1", whole_seconds(time)),
                Times::Standard => format!("0 {} 1", whole_seconds(time)),
                Times::Banyan => format!("0 {} 1", fraction(time)),
            }),
            // An engine that never received a limit uses its own settings.
            (None, None) => (self.has_limits && self.times != Times::Edax).then(|| "0 1 0".to_owned()),
        };
        if let Some(settings) = settings.filter(|settings| self.sent.as_ref() != Some(settings)) {
            request(exchange, "time_settings", &settings.split(' ').collect::<Vec<_>>())?;
            self.sent = Some(settings);
        }
        if let Some(clock) = limits.clock {
            if self.sent.as_deref() != Some("clock") {
                request(exchange, "time_settings", &[&self.main_time(clock.own.max(clock.other)), "0", "0"])?;
                self.sent = Some("clock".to_owned());
            }
            for (side, left) in [(side, clock.own), (!side, clock.other)] {
                request(exchange, "time_left", &[&Color(side).to_string(), &self.left(left), "0"])?;
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
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), Fault> {
        let version = request(exchange, "protocol_version", &[])?;
        if version.trim() != "2" {
            return Err(unexpected(&version, "protocol version 2"));
        }
        let name = request(exchange, "name", &[])?.to_ascii_lowercase();
        self.times = match name.trim() {
            "edax" => Times::Edax,
            "banyan" => Times::Banyan,
            _ => Times::Standard,
        };
        for (name, value) in &self.options {
            request(exchange, name, &value.split_whitespace().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, _seed: u64) -> Result<(), Fault> {
        let spec = at.spec();
        let (rows, columns) = size_of(at);
        if !spec.starts_with("reversi") || rows != columns {
            return Err(Fault::Nonsense(format!("GTP does not support the board of {spec}")));
        }
        request(exchange, "boardsize", &[&rows.to_string()])?;
        request(exchange, "clear_board", &[])?;
        self.played.clear();
        self.sent = None;
        self.follow(exchange, at)
    }

    fn needs_whole_seconds(&self) -> bool {
        self.times != Times::Banyan
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.follow(exchange, at)?;
        self.tell_limits(exchange, at.to_move(), limits)?;
        let text = request(exchange, "genmove", &[&Color(at.to_move()).to_string()])?;
        let word = text.split_whitespace().next().unwrap_or_default();
        let mv = match Vertex::parse(word) {
            Some(Vertex::Resign) => return Err(Fault::Resigned),
            vertex => vertex.and_then(Vertex::as_move).ok_or_else(|| unexpected(&text, "a move"))?,
        };
        self.played.push(mv.clone());
        Ok(Answer::bare(mv))
    }

    fn quit(&mut self, exchange: &mut Exchange<'_>) {
        exchange.send("quit");
    }
}

/// Sends a command and waits for its reply, which must not be an error.
fn request(exchange: &mut Exchange<'_>, name: &str, arguments: &[&str]) -> Result<String, Fault> {
    let command = Command::new(name, arguments);
    answer(exchange, &command)?.map_err(|why| rejection(&command, &why))
}

/// Sends a command and waits for its reply: what follows `=`, or the error after `?`.
fn answer(exchange: &mut Exchange<'_>, command: &Command) -> Result<Result<String, String>, Fault> {
    exchange.send(&command.to_string());
    let mut reader = ReplyReader::default();
    loop {
        let line = exchange.receive(&format!("reply to {command}"))?;
        if is_other_protocol(&line, &["=", "?"]) {
            return Err(unexpected(&line, "a reply that starts with = or ?"));
        }
        if let Some(reply) = reader.take(&line) {
            return Ok(reply.result);
        }
    }
}

fn rejection(command: &Command, why: &str) -> Fault {
    Fault::Nonsense(format!("rejected {command}: {}", quoted(why)))
}

/// A move in GTP notation.
fn vertex(mv: &str) -> String {
    Vertex::of_move(mv).map_or_else(|| mv.to_owned(), |vertex| vertex.to_string())
}

fn fraction(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// At least one second: zero would mean no time or no limit.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}
