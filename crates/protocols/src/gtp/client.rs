//! GTP client: requests moves from an engine.

use std::time::Duration;

use banyan_catalog::{Answer, GameState, did_you_mean};
use banyan_core::{Fault, Limits, Side, TextError};

use super::{Color, Command, ReplyReader, Vertex};
use crate::client::{ClientProtocol, Options, StartError};
use crate::hosted_game::size_of;
use crate::process::{Exchange, is_other_protocol, quoted, unexpected};

/// The engine's interpretation of `time_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Times {
    /// The standard: whole seconds, with byo-yomi time for a number of stones.
    #[default]
    Standard,
    /// As in Edax: whole seconds, but fractions in `time_left`. With stones the main time is per move, without stones
    /// it is for the game. Byo-yomi time for no stones, which is no limit in the standard, is a game without time here.
    Edax,
    /// Fractions of seconds.
    Banyan,
}

/// Value of `sent` while the engine plays with a clock, whose times are sent before every move.
const CLOCK: &str = "clock";
/// Commands without which no game can be played.
const NEEDED: [&str; 3] = ["clear_board", "play", "genmove"];
/// Rows and columns of the board of an engine that receives no size.
const USUAL_SIZE: usize = 8;

/// GTP client for one engine. GTP cannot express limits on playouts, nodes or depth.
#[derive(Debug)]
pub struct Client {
    /// Commands sent first, each with its argument.
    options: Vec<(String, String)>,
    /// The commands that the engine lists; empty if it lists none, which then may have any.
    listed: Vec<String>,
    times: Times,
    /// Whether it accepts `time_settings` and `time_left`: determined at the start, and false once it has rejected one.
    takes_times: bool,
    takes_time_left: bool,
    /// The last limits sent in this game, so that only changes are sent.
    sent: Option<String>,
    /// Whether a limit was ever sent; it may persist after the game.
    has_limits: bool,
    /// The moves played on the engine's board.
    played: Vec<String>,
    /// Whether the engine has rejected a pass, as GRhino does: it infers passes.
    infers_passes: bool,
}

impl Client {
    /// A client that sends these commands first, such as `set_level 5`.
    pub fn new(options: &Options) -> Client {
        Client {
            options: options.to_vec(),
            listed: Vec::new(),
            times: Times::default(),
            takes_times: true,
            takes_time_left: true,
            sent: None,
            has_limits: false,
            played: Vec::new(),
            infers_passes: false,
        }
    }

    /// Whether the engine lists a command, or lists none.
    fn may_have(&self, command: &str) -> bool {
        self.listed.is_empty() || self.listed.iter().any(|known| known == command)
    }

    /// Whether the engine has a command: by its list, or else by `known_command`.
    fn has(&self, exchange: &mut Exchange<'_>, command: &str) -> Result<bool, Fault> {
        if !self.listed.is_empty() {
            return Ok(self.may_have(command));
        }
        let known = answer(exchange, &Command::new("known_command", &[command]))?;
        // An engine without `known_command` may still have the command.
        Ok(!known.is_ok_and(|known| known.trim() == "false"))
    }

    /// Checks that the engine has the required commands and those that are set as options.
    fn check_commands(&self) -> Result<(), TextError> {
        if let Some(command) = NEEDED.iter().find(|command| !self.may_have(command)) {
            let expected = format!("expected an engine with {}", NEEDED.join(", "));
            return Err(TextError::new(format!("no command {command}"), expected, "use another version of the engine"));
        }
        match self.options.iter().find(|(name, _)| !self.may_have(name)) {
            Some((name, _)) => {
                let hint = did_you_mean(name, self.listed.iter().map(String::as_str));
                let expected = format!("expected a command that the engine lists in list_commands{hint}");
                Err(TextError::new(format!("option {name}"), expected, "correct or remove it in engines.toml"))
            }
            None => Ok(()),
        }
    }

    /// Sets up the position on the engine's board.
    fn follow(&mut self, exchange: &mut Exchange<'_>, at: &GameState) -> Result<(), Fault> {
        let history = at.history();
        if !history.starts_with(&self.played) {
            request(exchange, "clear_board", &[])?;
            self.played.clear();
        }
        let movers = at.movers();
        for (mv, &mover) in history.iter().zip(&movers).skip(self.played.len()) {
            self.send_move(exchange, mover, mv)?;
        }
        self.played = history;
        Ok(())
    }

    /// Sends a move. A side passes only if it has no other move, so an engine that rejects a pass either infers it or
    /// rejects the next move.
    fn send_move(&mut self, exchange: &mut Exchange<'_>, mover: Side, mv: &str) -> Result<(), Fault> {
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

    /// Sends the time limits, to an engine that takes them.
    fn send_limits(&mut self, exchange: &mut Exchange<'_>, side: Side, limits: &Limits) -> Result<(), Fault> {
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
        if let Some(settings) = settings {
            self.send_settings(exchange, &settings)?;
        }
        if let Some(clock) = limits.clock {
            if !self.has_clock() {
                let settings = format!("{} 0 0", self.main_time(clock.own.max(clock.other)));
                self.send_settings(exchange, &settings)?;
                self.sent = Some(CLOCK.to_owned());
            }
            for (side, left) in [(side, clock.own), (!side, clock.other)] {
                self.send_left(exchange, side, left)?;
            }
        }
        self.has_limits |= limits.clock.is_some() || limits.time.is_some();
        Ok(())
    }

    fn has_clock(&self) -> bool {
        self.sent.as_deref() == Some(CLOCK)
    }

    /// Sends `time_settings` if they have changed. An engine that rejects them receives no more times.
    fn send_settings(&mut self, exchange: &mut Exchange<'_>, settings: &str) -> Result<(), Fault> {
        if self.takes_times && self.sent.as_deref() != Some(settings) {
            let words: Vec<&str> = settings.split(' ').collect();
            self.takes_times = answer(exchange, &Command::new("time_settings", &words))?.is_ok();
            self.sent = Some(settings.to_owned());
        }
        Ok(())
    }

    fn send_left(&mut self, exchange: &mut Exchange<'_>, side: Side, left: Duration) -> Result<(), Fault> {
        if self.takes_times && self.takes_time_left {
            let command = Command::new("time_left", &[&Color(side).to_string(), &self.left(left), "0"]);
            self.takes_time_left = answer(exchange, &command)?.is_ok();
        }
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
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError> {
        let version = answer(exchange, &Command::new("protocol_version", &[]))?;
        let name = answer(exchange, &Command::new("name", &[]))?.unwrap_or_default().to_ascii_lowercase();
        let listed = answer(exchange, &Command::new("list_commands", &[]))?.unwrap_or_default();
        self.listed = listed.split_whitespace().map(str::to_owned).collect();
        match version {
            Ok(version) if version.trim() == "2" => {}
            Ok(version) => return Err(unexpected(&version, "protocol version 2").into()),
            // Such an engine lists its commands instead.
            Err(_) if !self.listed.is_empty() => {}
            Err(why) => return Err(rejection(&Command::new("protocol_version", &[]), &why).into()),
        }
        self.times = match name.trim() {
            "edax" => Times::Edax,
            "banyan" => Times::Banyan,
            _ => Times::Standard,
        };
        self.check_commands()?;
        self.takes_times = self.has(exchange, "time_settings")?;
        self.takes_time_left = self.takes_times && self.has(exchange, "time_left")?;
        for (name, value) in &self.options {
            request(exchange, name, &value.split_whitespace().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _seed: u64) -> Result<(), Fault> {
        let spec = at.spec();
        let (rows, columns) = size_of(at);
        if !spec.starts_with("reversi") || rows != columns {
            return Err(Fault::Nonsense(format!("GTP does not support the board of {spec}")));
        }
        if self.may_have("boardsize") {
            request(exchange, "boardsize", &[&rows.to_string()])?;
        } else if rows != USUAL_SIZE {
            return Err(Fault::Nonsense(format!("it has no boardsize, so it plays only {USUAL_SIZE}x{USUAL_SIZE}")));
        }
        request(exchange, "clear_board", &[])?;
        self.played.clear();
        self.sent = None;
        self.follow(exchange, at)
    }

    fn needs_whole_seconds(&self) -> bool {
        self.takes_times && self.times != Times::Banyan
    }

    fn takes_times(&self) -> bool {
        self.takes_times
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.follow(exchange, at)?;
        self.send_limits(exchange, at.to_move(), limits)?;
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

/// Sends a command and waits for its reply: the text after `=`, or the error after `?`.
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
