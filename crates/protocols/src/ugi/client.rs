//! UGI client: requests moves from an engine.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Side};

use super::info::Info;
use super::offer::{Offer, commands};
use crate::client::{ClientProtocol, Options, StartError};
use crate::lines::{split_word, strip_words};
use crate::process::{Exchange, Received, is_other_protocol, quoted, unexpected};

/// The largest seed for an engine that gives no maximum: 31 bits.
const USUAL_LARGEST_SEED: u64 = i32::MAX as u64;

/// UGI client for one engine.
#[derive(Debug)]
pub struct Client {
    options: Vec<(String, String)>,
    /// The options that the engine announces.
    offers: Vec<Offer>,
    /// Banyan's extensions that it supports.
    extensions: Vec<String>,
}

impl Client {
    /// A client that sets these options.
    pub fn new(options: &Options) -> Client {
        Client { options: options.to_vec(), offers: Vec::new(), extensions: Vec::new() }
    }

    /// Reads an `id` or `option` line.
    fn note(&mut self, line: &str) {
        if let Some(words) = strip_words(line, &["id", "extensions"]) {
            self.extensions = words.split_whitespace().map(str::to_owned).collect();
        }
        self.offers.extend(Offer::read(line));
    }

    /// The option of this name, if the engine announces it.
    fn offer(&self, name: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.name == name)
    }

    /// The maximum of the option `Seed`, if the engine has it.
    fn largest_seed(&self) -> Option<u64> {
        let max = self.offer("Seed")?.max.and_then(|max| u64::try_from(max).ok());
        Some(max.unwrap_or(USUAL_LARGEST_SEED))
    }

    /// Waits for `readyok` and collects error messages sent before.
    fn wait_until_ready(&self, exchange: &mut Exchange<'_>) -> Result<(), Fault> {
        exchange.send("isready");
        loop {
            let line = exchange.receive("readyok")?;
            match self.error_message(&line) {
                Some(why) => return Err(rejected(why)),
                None if line.trim() == "readyok" => return Ok(()),
                None => {}
            }
        }
    }

    /// Whether the engine announced this extension.
    fn supports(&self, word: &str) -> bool {
        self.extensions.iter().any(|known| known == word)
    }

    /// The error message of a line `info string error ...`, if the engine supports that extension.
    fn error_message<'a>(&self, line: &'a str) -> Option<&'a str> {
        error_text(line).filter(|_| self.supports("errors"))
    }

    /// Requests a move. Returns the answer or the engine's error message.
    ///
    /// # Errors
    /// Neither was received.
    pub(crate) fn request_move(
        &self,
        exchange: &mut Exchange<'_>,
        at: &GameState,
        limits: &Limits,
    ) -> Result<Result<Answer, String>, Fault> {
        let place = at.opening().map_or_else(|| "startpos".to_owned(), |opening| format!("fen {opening}"));
        let moves = at.history();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        exchange.send(&format!("position {place}{moves}"));
        self.wait_until_ready(exchange)?;
        exchange.send(&self.go(at, limits));
        let (mut last, mut rejected) = (Info::default(), None);
        loop {
            let line = match exchange.receive_or_stop("bestmove")? {
                Received::Stopped => {
                    exchange.send("stop");
                    continue;
                }
                Received::Message(line) => line,
            };
            if let Some(why) = self.error_message(&line) {
                rejected = Some(why.to_owned());
                continue;
            }
            let (word, rest) = split_word(&line);
            match word {
                "info" => keep_best(&mut last, Info::read(rest)),
                "bestmove" => {
                    let rejected = rejected.filter(|_| rest == "none");
                    return Ok(rejected.map_or_else(|| Ok(answer(rest, last)), Err));
                }
                _ => {}
            }
        }
    }

    /// The `go` command.
    fn go(&self, at: &GameState, limits: &Limits) -> String {
        let mut go = "go".to_owned();
        if let Some(clock) = limits.clock {
            let (first, second) = match at.to_move() {
                Side::First => (clock.own, clock.other),
                Side::Second => (clock.other, clock.own),
            };
            // UGI has no clock without time left.
            let [first, second] = [first, second].map(|left| left.as_millis().max(1));
            let increment = clock.increment.as_millis();
            go += &format!(" p1time {first} p2time {second} p1inc {increment} p2inc {increment}");
        }
        if let Some(time) = limits.time {
            go += &format!(" movetime {}", time.as_millis().max(1));
        }
        let supports_playouts = self.supports("playouts");
        let nodes =
            if supports_playouts { limits.nodes } else { limits.nodes.into_iter().chain(limits.playouts).min() };
        if let Some(nodes) = nodes {
            go += &format!(" nodes {nodes}");
        }
        if let Some(playouts) = limits.playouts.filter(|_| supports_playouts) {
            go += &format!(" playouts {playouts}");
        }
        if let Some(depth) = limits.depth {
            go += &format!(" depth {depth}");
        }
        if go == "go" { "go infinite".to_owned() } else { go }
    }
}

/// The text after `info string error`, with or without a colon.
fn error_text(line: &str) -> Option<&str> {
    let text = strip_words(line, &["info", "string"])?;
    let why = text.strip_prefix("error")?.trim_start_matches([':', ' ', '\t']);
    Some(why)
}

fn rejected(why: &str) -> Fault {
    Fault::Nonsense(format!("rejected: {}", quoted(why)))
}

impl ClientProtocol for Client {
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError> {
        exchange.send("ugi");
        let mut error = None;
        loop {
            let line = exchange.receive("ugiok").map_err(|fault| match error.take() {
                Some(why) if matches!(fault, Fault::Crashed(_)) => StartError::GaveUp(why),
                _ => fault.into(),
            })?;
            error = error_text(&line).map(str::to_owned).or(error);
            match split_word(&line).0 {
                "ugiok" => break,
                "id" | "option" | "info" | "" => self.note(&line),
                // Banners are ignored, but lines of another protocol are errors.
                _ if is_other_protocol(&line, &[]) => return Err(unexpected(&line, "ugiok").into()),
                _ => {}
            }
        }
        for command in commands(&self.options, &self.offers)? {
            exchange.send(&command);
        }
        Ok(self.wait_until_ready(exchange)?)
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, seed: u64) -> Result<(), Fault> {
        let spec = at.spec();
        let family = spec.split(':').next().unwrap_or_default();
        if let Some(Offer { choices, .. }) = self.offer("Game") {
            if !choices.is_empty() && !choices.iter().any(|game| game == family || *game == spec) {
                return Err(Fault::Nonsense(format!("it supports only {}", quoted(&choices.join(", ")))));
            }
            exchange.send(&format!("setoption name Game value {spec}"));
        }
        let seed_is_set = self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"));
        if let Some(largest) = self.largest_seed().filter(|_| !seed_is_set) {
            let seed = largest.checked_add(1).map_or(seed, |n_seeds| seed % n_seeds);
            exchange.send(&format!("setoption name Seed value {seed}"));
        }
        exchange.send("uginewgame");
        self.wait_until_ready(exchange)
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.request_move(exchange, at, limits)?.map_err(|why| rejected(&why))
    }

    fn quit(&mut self, exchange: &mut Exchange<'_>) {
        exchange.send("quit");
    }
}

/// Merges an `info` line about the best move into the earlier ones.
fn keep_best(last: &mut Info, info: Info) {
    if info.multipv.is_some_and(|rank| rank != 1) {
        return;
    }
    last.nodes = info.nodes.or(last.nodes);
    last.playouts = info.playouts.or(last.playouts);
    last.win_rate = info.win_rate.or(last.win_rate);
    if !info.pv.is_empty() {
        last.pv = info.pv;
    }
}

fn answer(rest: &str, last: Info) -> Answer {
    let best = rest.split_whitespace().next().unwrap_or_default().to_owned();
    Answer {
        best,
        value: last.win_rate.map(|rate| 2.0 * rate - 1.0),
        playouts: last.playouts.unwrap_or(0),
        nodes: last.nodes.unwrap_or(0),
        pv: last.pv,
        time: None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use banyan_catalog::Opening;
    use banyan_core::Clock;

    use super::*;

    fn go(client: &Client, moves: &str, limits: Limits) -> String {
        let game = crate::builtin().game("connect-four:4x5").expect("a game");
        client.go(&game.open(Opening::Moves(moves)).expect("moves"), &limits)
    }

    #[test]
    fn limits_are_said_in_the_words_that_the_engine_knows() {
        let mut client = Client::new(&[]);
        let ms = Duration::from_millis;
        let clock = Some(Clock { own: ms(900), other: ms(0), increment: ms(20) });
        assert_eq!(go(&client, "", Limits::default()), "go infinite");
        assert_eq!(go(&client, "", Limits::time(ms(50))), "go movetime 50");
        assert_eq!(go(&client, "", Limits { clock, ..Limits::default() }), "go p1time 900 p2time 1 p1inc 20 p2inc 20");
        let with_depth = Limits { clock, depth: Some(3), ..Limits::default() };
        assert_eq!(go(&client, "1", with_depth), "go p1time 1 p2time 900 p1inc 20 p2inc 20 depth 3");
        let both = Limits { nodes: Some(7), ..Limits::playouts(5) };
        assert_eq!(go(&client, "", both), "go nodes 5");
        client.note("id extensions playouts winrate");
        assert_eq!(go(&client, "", both), "go nodes 7 playouts 5");
    }

    #[test]
    fn what_an_engine_offers_is_noted() {
        let mut client = Client::new(&[]);
        client.note("option name Game type combo default reversi var reversi var connect-four:6x7");
        client.note("option name Seed type spin default 1 min 0 max 99");
        client.note("option");
        assert_eq!(client.offer("Game").expect("it is noted").choices, ["reversi", "connect-four:6x7"]);
        assert_eq!(client.largest_seed(), Some(99));
        client.offers.clear();
        client.note("option name\tSeed type string");
        client.note("id\textensions  errors\tplayouts");
        assert_eq!(client.largest_seed(), Some(USUAL_LARGEST_SEED));
        assert!(client.supports("errors") && client.supports("playouts"));
        assert_eq!(client.error_message("info  string\terror:\ttoo tired"), Some("too tired"));
    }

    #[test]
    fn only_the_best_line_counts() {
        let mut last = Info::default();
        for line in
            ["nodes 5 score winrate 0.75 pv 4 4", "multipv 2 visits 3 pv 1", "multipv 1 visits 9 pv 3", "string x"]
        {
            keep_best(&mut last, Info::read(line));
        }
        let answer = answer("3 ponder 4", last);
        assert_eq!((answer.best.as_str(), answer.value, answer.nodes), ("3", Some(0.5), 5));
        assert_eq!(answer.pv, ["3"]);
    }
    #[test]
    fn no_lines_make_it_panic() {
        let words = [
            "id",
            "extensions",
            "option",
            "name",
            "type",
            "Game",
            "Seed",
            "max",
            "var",
            "info",
            "string",
            "error:",
            "errors",
            "bestmove",
            "pv",
            "playouts",
            "-1",
            "99999999999999999999",
            "\u{e9}",
            "",
            "\t",
        ];
        let mut rng = banyan_core::Rng::new(1);
        let (mut client, mut last) = (Client::new(&[]), Info::default());
        for _ in 0..100_000 {
            let n_words = rng.below(9);
            let line: Vec<&str> = (0..n_words).map(|_| words[rng.below(words.len() as u32) as usize]).collect();
            let line = line.join(" ");
            client.note(&line);
            assert!(client.error_message(&line).is_none_or(|why| line.ends_with(why)));
            keep_best(&mut last, Info::read(&line));
            assert!(!answer(&line, last.clone()).best.contains(' '));
        }
    }
}
