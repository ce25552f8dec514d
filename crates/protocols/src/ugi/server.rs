//! UGI server: searches positions for a GUI or match runner.

use std::io::{self, BufReader, Read, Write};
use std::time::{Duration, Instant};

use banyan_catalog::view::{Analysis, MoveView};
use banyan_catalog::{AnalysisObserver, Catalog};
use banyan_core::{Flow, Limits, Side, TextError, Timer};

use super::current_game::CurrentGame;
use super::go::{Go, budget};
use super::info::Info;
use super::send_error;
use super::settings::{Change, Settings};
use crate::process::{LONGEST_MESSAGE, quoted};
use crate::server::{Inbox, Line};

/// Interval between two `info` lines.
const INFO_EVERY: Duration = Duration::from_millis(250);
/// The default position.
const START: &str = "startpos";
/// Time limit of a search that has no other limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Serves UGI on `input` and `output` until `quit` or the end of input. `timer` measures the times of `go`.
///
/// # Errors
/// Read errors of `input` and write errors of `output`.
pub fn serve(
    catalog: &Catalog,
    timer: Timer,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut inbox = Inbox::new(BufReader::new(input), LONGEST_MESSAGE);
    let settings = Settings::new(catalog);
    let mut server = Server { catalog, timer, output, settings, position: Some(START.to_owned()), game: None };
    while let Some(line) = inbox.next()? {
        match line {
            Line::Text(line) if line.trim() == "quit" => break,
            Line::Text(line) => server.execute(line.trim(), &mut inbox)?,
            Line::TooLong => server.send_error(&too_long())?,
        }
        server.output.flush()?;
    }
    Ok(())
}

fn too_long() -> TextError {
    let found = format!("a line of more than {} MiB", LONGEST_MESSAGE >> 20);
    TextError::new(found, "expected a shorter one", "start from a later position")
}

/// Waits for the command that ends the search, after `go infinite` has finished early.
fn wait_for_stop(inbox: &mut Inbox, output: &mut dyn Write) -> io::Result<()> {
    while let Some(line) = inbox.next()? {
        match &line {
            Line::Text(text) if text.trim() == "stop" => break,
            Line::Text(text) if text.trim() == "isready" => {
                writeln!(output, "readyok")?;
                output.flush()?;
            }
            Line::Text(text) if text.trim().is_empty() => {}
            _ => {
                inbox.put_back(line);
                break;
            }
        }
    }
    Ok(())
}

/// The state of the server.
struct Server<'a> {
    catalog: &'a Catalog,
    /// Measures the time limits of a search.
    timer: Timer,
    output: &'a mut dyn Write,
    settings: Settings,
    /// The last position received; `None` if it was invalid.
    position: Option<String>,
    /// The game at that position; `None` after a change of game or player.
    game: Option<CurrentGame>,
}

impl Server<'_> {
    fn execute(&mut self, line: &str, inbox: &mut Inbox) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match word {
            "ugi" => return self.identify(),
            "isready" => return writeln!(self.output, "readyok"),
            "go" => return self.go(rest, inbox),
            "query" => return self.answer_query(rest.trim()),
            "setoption" => self.set(rest),
            "uginewgame" => {
                self.clear();
                Ok(())
            }
            "position" => {
                self.position = Some(rest.to_owned());
                self.current_game().map(drop)
            }
            // Nothing is being searched.
            "stop" | "" => Ok(()),
            _ => {
                let expected = "expected one of ugi, setoption, isready, uginewgame, position, go, stop, query, quit";
                Err(TextError::new(quoted(word), expected, "see docs/ugi.md"))
            }
        };
        done.or_else(|err| self.send_error(&err))
    }

    fn send_error(&mut self, err: &TextError) -> io::Result<()> {
        send_error(&mut self.output, err)
    }

    fn identify(&mut self) -> io::Result<()> {
        writeln!(self.output, "id name Banyan {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.output, "id author the authors of Banyan")?;
        writeln!(self.output, "id extensions playouts visits winrate proven errors")?;
        for offer in Settings::offers(self.catalog) {
            writeln!(self.output, "{offer}")?;
        }
        writeln!(self.output, "ugiok")
    }

    fn set(&mut self, text: &str) -> Result<(), TextError> {
        match self.settings.set(self.catalog, text)? {
            Change::Game => self.clear(),
            Change::Player => self.game = None,
            Change::Other => {}
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.position = Some(START.to_owned());
        self.game = None;
    }

    /// The game at the last position received.
    fn current_game(&mut self) -> Result<&mut CurrentGame, TextError> {
        // After an error there is none, so that no other position is searched by mistake.
        let position = self.position.take().ok_or_else(|| {
            TextError::new("no position", "expected one, but the last was rejected", "send a valid position")
        })?;
        let game = self.catalog.game(&self.settings.game)?;
        let player = self.settings.player()?;
        let current = CurrentGame::set(self.game.take(), &position, &game, &player, self.settings.seed)?;
        self.position = Some(position);
        Ok(self.game.insert(current))
    }

    fn answer_query(&mut self, what: &str) -> io::Result<()> {
        let session = match self.current_game() {
            Ok(current) => &current.session,
            Err(err) => return self.send_error(&err),
        };
        let response = match what {
            "p1turn" => (session.to_move() == Side::First).to_string(),
            "gameover" => session.result().is_some().to_string(),
            "result" => match session.result().map(|margin| margin.winner()) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Side::First)) => "p1win",
                Some(Some(Side::Second)) => "p2win",
            }
            .to_owned(),
            _ => {
                let expected = "expected one of p1turn, gameover, result";
                return self.send_error(&TextError::new(
                    format!("query {}", quoted(what)),
                    expected,
                    "use one of them",
                ));
            }
        };
        writeln!(self.output, "response {response}")
    }

    fn go(&mut self, text: &str, inbox: &mut Inbox) -> io::Result<()> {
        let done = match Go::read(text) {
            Ok(go) => self.search(&go, inbox)?,
            Err(err) => Err(err),
        };
        if let Err(err) = done {
            self.send_error(&err)?;
            // The client waits for this line.
            writeln!(self.output, "bestmove none")?;
        }
        Ok(())
    }

    fn search(&mut self, go: &Go, inbox: &mut Inbox) -> io::Result<Result<(), TextError>> {
        let (overhead, multipv) = (self.settings.overhead, self.settings.multipv as usize);
        let player = match self.settings.player() {
            Ok(player) => player,
            Err(err) => return Ok(Err(err)),
        };
        if let Err(err) = self.current_game() {
            return Ok(Err(err));
        }
        let Server { timer, output, game: Some(current), .. } = self else { unreachable!("it was just set up") };
        let output = &mut **output;
        if current.session.result().is_some() {
            return Ok(Err(TextError::new("go", "expected a game that is not over", "set another position")));
        }
        // `best` is a different player in each game.
        let player = match current.session.in_game(&player) {
            Ok(player) => player,
            Err(err) => return Ok(Err(err)),
        };
        let lines = (multipv > 1).then_some(multipv as u32);
        let mut limits = Limits { timer: *timer, lines, ..go.limits(current.session.to_move(), overhead) };
        if !go.infinite
            && let Err(err) = player.check(&budget(&limits))
        {
            writeln!(output, "info string {}; searching for {DEFAULT_TIME:?}", err.expected)?;
            limits = Limits { time: Some(DEFAULT_TIME), ..limits };
        } else if limits.depth.is_some() && player.has_depth() == Some(false) {
            writeln!(output, "info string depth has no effect on {player}; the other limits end the search")?;
        }
        let endless = go.infinite;
        let mut monitor =
            SearchMonitor { output, inbox, endless, reported: Instant::now(), failed: None, stopped: false };
        let answer = current.session.analyse((current.seat, &player), &limits, &mut monitor);
        let (stopped, failed) = (monitor.stopped, monitor.failed);
        failed.map_or(Ok(()), Err)?;
        let analysis = match answer {
            Ok(analysis) => analysis,
            Err(fault) => return Ok(Err(TextError::new("go", fault.to_string(), "choose another player"))),
        };
        if go.infinite && !stopped {
            wait_for_stop(inbox, output)?;
        }
        send_result(output, &analysis, multipv)?;
        writeln!(output, "bestmove {}", analysis.best.as_deref().unwrap_or("none"))?;
        Ok(Ok(()))
    }
}

/// Sends progress during a search, and reads input meanwhile.
struct SearchMonitor<'a> {
    output: &'a mut dyn Write,
    inbox: &'a mut Inbox,
    /// Whether only a command ends the search.
    endless: bool,
    reported: Instant,
    /// The write error that ended the output.
    failed: Option<io::Error>,
    stopped: bool,
}

impl SearchMonitor<'_> {
    fn write(&mut self, line: &str) {
        let written = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
        if let Err(err) = written {
            self.failed = Some(err);
            self.stopped = true;
        }
    }
}

impl AnalysisObserver for SearchMonitor<'_> {
    fn stopped(&mut self) -> bool {
        while self.inbox.take(|line| line.trim() == "isready") {
            self.write("readyok");
        }
        self.stopped |= self.inbox.contains(|line| matches!(line.trim(), "stop" | "quit"));
        // An endless search also ends with the input, or with any other command.
        self.stopped |= self.endless && self.inbox.has_waiting();
        self.stopped
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.reported.elapsed() >= INFO_EVERY {
            self.reported = Instant::now();
            self.write(&overall(analysis).to_string());
        }
        if self.stopped { Flow::Stop } else { Flow::Continue }
    }
}

/// Sends the result of a search: the best line, after the other ones requested by MultiPV.
fn send_result(output: &mut dyn Write, analysis: &Analysis, multipv: usize) -> io::Result<()> {
    for (i, stat) in analysis.moves.iter().take(multipv).enumerate().skip(1).rev() {
        writeln!(output, "{}", one_of_many(i as u64 + 1, stat))?;
    }
    writeln!(output, "{}", overall(analysis))
}

fn overall(analysis: &Analysis) -> Info {
    Info {
        time: Some(analysis.elapsed_ms as u64),
        nodes: Some(analysis.nodes),
        playouts: Some(analysis.playouts),
        multipv: Some(1),
        visits: analysis.moves.first().map(|stat| stat.visits),
        win_rate: Some(win_rate(analysis.value)),
        proof: analysis.proof,
        pv: analysis.pv.clone(),
    }
}

fn one_of_many(rank: u64, stat: &MoveView) -> Info {
    Info {
        multipv: Some(rank),
        visits: Some(stat.visits),
        win_rate: stat.value.map(win_rate),
        proof: stat.proof,
        pv: stat.pv.clone(),
        ..Info::default()
    }
}

/// A value of -1 .. 1 as a win rate of 0 .. 1.
fn win_rate(value: f64) -> f64 {
    (value + 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::atomic::{AtomicU64, Ordering};

    use banyan_core::Rng;

    use super::*;

    /// All answers to these lines.
    fn answers(lines: &str) -> Vec<String> {
        answers_by(Timer::WALL, lines)
    }

    /// All answers to these lines, with times measured by `timer`.
    fn answers_by(timer: Timer, lines: &str) -> Vec<String> {
        let mut output = Vec::new();
        serve(&crate::builtin(), timer, Cursor::new(lines.to_owned()), &mut output).expect("memory takes everything");
        String::from_utf8(output).expect("text").lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_limit_that_cannot_be_read_is_answered_by_an_error_and_no_search() {
        for go in ["go movetime 100ms", "go nodes 0", "go depth -1", "go infinite junk", "go movetime", "go wtime 1000"]
        {
            let answers = answers(&format!("{go}\nisready"));
            assert_eq!(answers.len(), 3, "{go}: {answers:?}");
            assert!(answers[0].starts_with("info string error: go "), "{go}: {answers:?}");
            assert_eq!(answers[1..], ["bestmove none", "readyok"], "{go}");
        }
    }

    #[test]
    fn a_depth_without_effect_is_reported() {
        let told = |player: &str, go: &str| {
            let lines = format!("setoption name Game value reversi:4x4\nsetoption name Player value {player}\n{go}");
            answers(&lines).into_iter().find(|line| line.starts_with("info string")).unwrap_or_default()
        };
        assert_eq!(told("pvs", "go depth 2 nodes 50"), "");
        let expected = "info string depth has no effect on uct; the other limits end the search";
        assert_eq!(told("uct", "go depth 2 nodes 50"), expected);
        assert!(told("uct", "go depth 2").ends_with("; searching for 1s"), "{}", told("uct", "go depth 2"));
    }

    #[test]
    fn every_search_ends_with_a_last_word_and_a_move() {
        for lines in [
            "go nodes 100",
            "go movetime 20",
            "go infinite\nisready\nstop",
            "go infinite",
            "go infinite\nquit",
            "go p1time 100 p2time 100",
            "setoption name Player value pvs\ngo depth 3",
            "setoption name Player value random\ngo infinite\nstop",
            "go depth 3\nstop",
        ] {
            let answers = answers(&format!("setoption name Game value connect-four:5x6\n{lines}"));
            let [.., info, best] = &answers[..] else { panic!("{lines}: {answers:?}") };
            assert!(info.starts_with("info time ") && best.starts_with("bestmove "), "{lines}: {answers:?}");
            let words: Vec<&str> = info.split(' ').collect();
            for key in ["nodes", "nps", "score", "pv"] {
                assert!(words.contains(&key), "{key} in {info}");
            }
            assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{lines}: {answers:?}");
        }
    }

    #[test]
    fn times_are_measured_by_the_timer() {
        // A second passes whenever it is read.
        static READINGS: AtomicU64 = AtomicU64::new(0);
        let timer = Timer::new("fake", || Duration::from_secs(READINGS.fetch_add(1, Ordering::Relaxed)));
        let begun = Instant::now();
        let answers = answers_by(timer, "setoption name Player value uct\ngo movetime 60000");
        assert!(begun.elapsed() < Duration::from_secs(30), "took {:?} of wall time", begun.elapsed());
        let ms: u64 = answers[0].split(' ').nth(2).and_then(|ms| ms.parse().ok()).expect("info time T");
        assert!(ms >= 1000 && ms.is_multiple_of(1000), "{answers:?}");
    }

    #[test]
    fn stray_lines_keep_no_search_from_being_stopped() {
        for command in ["", "what", "query p1turn"] {
            let begun = Instant::now();
            let answers = answers(&format!("go movetime 20000\n{command}\nisready\nstop"));
            assert!(begun.elapsed() < Duration::from_secs(10), "{command:?} took {:?}", begun.elapsed());
            let at = |word: &str| answers.iter().position(|line| line.starts_with(word)).expect(word);
            assert!(at("readyok") < at("bestmove"), "{answers:?}");
            assert!(command != "what" || at("bestmove") < at("info string error: \"what\""), "{answers:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_forgotten() {
        let found = answers(&format!("{}\nisready", "x".repeat(LONGEST_MESSAGE + 1)));
        assert!(found[0].starts_with("info string error: a line of more than 1 MiB"), "{found:?}");
        assert_eq!(found[1..], ["readyok"]);
    }

    #[test]
    fn a_position_goes_on_from_the_one_before_or_begins_anew() {
        let seen = |position: &str| {
            let lines = format!("position startpos moves 1 1 1\nposition {position}\nquery p1turn\nquery gameover");
            answers(&lines).join(", ")
        };
        assert_eq!(seen("startpos"), "response true, response false");
        assert_eq!(seen("startpos moves 1 1"), "response true, response false");
        assert_eq!(seen("startpos moves 1 2 1 2 1 2 1"), "response false, response true");
        let rejected = seen("startpos moves 1 1 9");
        assert!(rejected.starts_with("info string error: move 3: ") && rejected.contains("no position"), "{rejected}");
    }

    #[test]
    fn a_search_remembers_nothing_after_ugi_new_game() {
        let again = answers("go playouts 300\ngo playouts 300\nuginewgame\ngo playouts 300");
        let visits =
            |i: usize| again[2 * i].split(" visits ").nth(1).and_then(|rest| rest.split(' ').next()).expect("visits");
        assert_eq!(visits(0), visits(2));
        assert_ne!(visits(0), visits(1));
    }

    #[test]
    fn no_lines_make_it_panic() {
        const WORDS: [&str; 40] = [
            "ugi",
            "setoption",
            "name",
            "value",
            "Game",
            "Player",
            "Seed",
            "Threads",
            "MultiPV",
            "Overhead",
            "isready",
            "uginewgame",
            "position",
            "startpos",
            "fen",
            "moves",
            "go",
            "p1time",
            "p2inc",
            "movetime",
            "nodes",
            "playouts",
            "infinite",
            "depth",
            "stop",
            "query",
            "p1turn",
            "gameover",
            "result",
            "reversi",
            "connect-four:4x5",
            "greedy",
            "random",
            "f5",
            "4",
            "-1",
            "18446744073709551616",
            "h1,1",
            "\u{0}",
            "dots-and-boxes:1x1",
        ];
        let mut rng = Rng::new(1);
        let mut lines = "setoption name Player value random\n".to_owned();
        for _ in 0..100_000 {
            let n_words = rng.below(7);
            let words: Vec<&str> = (0..n_words).map(|_| WORDS[rng.below(WORDS.len() as u32) as usize]).collect();
            let mut line = words.join(" ");
            if rng.below(3) == 0 && !line.is_empty() {
                let at = rng.below(line.len() as u32) as usize;
                let byte = [" ", "\t", "x", "9", ":", "\u{e9}", ""][rng.below(7) as usize];
                line.replace_range(at..=at, byte);
            }
            lines += &line;
            lines.push('\n');
        }
        lines += "ugi\n";
        assert_eq!(answers(&lines).last().map(String::as_str), Some("ugiok"));
    }
}
