//! Asks an engine for moves over NBoard.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Side};

use super::server::DISCS_OF_A_WIN;
use super::{FromEngine, Ggf, Played, ToEngine};
use crate::process::{Heard, Talk, speaks_another, unexpected};
use crate::protocol::{ClientProtocol, Options};

/// How deep an engine is to search unless `depth` says so.
const USUAL_DEPTH: u32 = 12;

/// Speaks NBoard to one engine.
#[derive(Debug)]
pub struct Client {
    /// Of the options, how deep it is to search where the limits do not say; the protocol has no other settings.
    depth: u32,
    pings: i64,
}

impl Client {
    /// A client with the option `depth`.
    pub fn new(options: &Options) -> Client {
        let depth = options.iter().find(|(name, _)| name == "depth").and_then(|(_, value)| value.parse().ok());
        Client { depth: depth.unwrap_or(USUAL_DEPTH), pings: 0 }
    }

    /// Waits until the engine has done all that it was told.
    fn catch_up(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault> {
        self.pings += 1;
        say(talk, &ToEngine::Ping(self.pings));
        loop {
            let line = talk.hear("pong")?;
            if speaks_another(&line, &[]) {
                return Err(unexpected(&line, "pong"));
            }
            if FromEngine::parse(&line) == Some(FromEngine::Pong(self.pings)) {
                return Ok(());
            }
        }
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault> {
        say(talk, &ToEngine::NBoard(2));
        say(talk, &ToEngine::Depth(self.depth));
        self.catch_up(talk)
    }

    fn begin(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, _seed: u64) -> Result<(), Fault> {
        say(talk, &ToEngine::Game(game(at, None)?.to_string()));
        self.catch_up(talk)
    }

    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault> {
        // An engine counts the times of the moves from the time of the game: told anew, nothing was spent yet.
        say(talk, &ToEngine::Game(game(at, Some(limits))?.to_string()));
        say(talk, &ToEngine::Depth(limits.depth.unwrap_or(self.depth)));
        self.catch_up(talk)?;
        say(talk, &ToEngine::Go);
        let (mut nodes, mut pv, mut is_stopped) = (0, Vec::new(), false);
        loop {
            let line = match talk.hear_or_stop("===")? {
                Heard::Stopped => {
                    is_stopped = true;
                    self.pings += 1;
                    say(talk, &ToEngine::Ping(self.pings));
                    continue;
                }
                Heard::Message(line) => line,
            };
            match FromEngine::parse(&line) {
                Some(FromEngine::Choice(Played { mv, eval, .. })) => {
                    let value = eval.map(|discs| discs / DISCS_OF_A_WIN);
                    return Ok(Answer { best: mv, value, playouts: 0, nodes, pv });
                }
                // An engine may also end its search for a ping without a word on it.
                Some(FromEngine::Pong(number)) if is_stopped && number == self.pings => {
                    return Err(Fault::Late("it stopped when it was told to, without a move".into()));
                }
                Some(FromEngine::NodeStats { nodes: so_far, .. }) => nodes = so_far,
                Some(FromEngine::Search { pv: line, .. }) => pv = line,
                Some(_) => {}
                None if line.starts_with("===") => return Err(unexpected(&line, "=== and a move")),
                None => {}
            }
        }
    }

    fn farewell(&mut self, talk: &mut Talk<'_>) {
        say(talk, &ToEngine::Quit);
    }
}

fn say(talk: &mut Talk<'_>, command: &ToEngine) {
    talk.say(&command.to_string());
}

/// The game as the engine is told of it, with the time that is left.
fn game(at: &dyn GameState, limits: Option<&Limits>) -> Result<Ggf, Fault> {
    let wrong = |why: String| Fault::Nonsense(format!("NBoard has no words for it: {why}"));
    let position = at.first_position();
    let (board, to_move) = squares(&position).ok_or_else(|| wrong(position.clone()))?;
    let size = board.len().isqrt();
    if size * size != board.len() {
        return Err(wrong(at.spec()));
    }
    let clock = limits.and_then(|limits| limits.clock);
    let moves = at.movers().into_iter().zip(at.history().iter().map(|mv| Played::bare(mv))).collect();
    Ok(Ggf { size: size as u32, board, to_move, seconds: clock.map(|clock| clock.own.as_secs_f64()), moves })
}

/// The squares of a position in Banyan's notation as GGF has them, and who is to move.
fn squares(position: &str) -> Option<(String, Side)> {
    let mut words = position.split_whitespace();
    let (rows, mover) = (words.next()?, words.next()?);
    let mut squares = String::new();
    let mut rest = rows;
    while let Some(sign) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if n_digits > 0 {
            squares += &"-".repeat(rest[..n_digits].parse().ok()?);
            rest = &rest[n_digits..];
            continue;
        }
        match sign {
            'x' => squares.push('*'),
            'o' => squares.push('O'),
            '/' => {}
            _ => return None,
        }
        rest = &rest[1..];
    }
    Some((squares, if mover == "x" { Side::First } else { Side::Second }))
}
