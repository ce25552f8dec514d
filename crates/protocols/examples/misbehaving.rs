//! A UGI engine that plays the first legal move and misbehaves as specified by MODE: `misbehaving MODE [MOVE]`. Modes
//! that concern a move take effect at the MOVE-th request, by default the first.

use std::error::Error;
use std::hint::spin_loop;
use std::io::{self, Write};
use std::process::{Command, exit};
use std::thread::park;
use std::time::{Duration, Instant};

use banyan_catalog::{Catalog, Opening, Session};

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let at = arguments.next().map_or(Ok(1), |at| at.parse())?;
    match mode.as_str() {
        "exits-at-once" => {
            print_error("no weights here")?;
            exit(3);
        }
        "hangs-at-once" => hang(),
        "speaks-gtp" => speak_gtp(),
        "leaves-a-child-at-once" => {
            leave_a_child()?;
            exit(4);
        }
        _ => Engine { mode, at, requests: 0, game: "connect-four".into(), session: None }.play(),
    }
}

struct Engine {
    mode: String,
    /// The request at which the engine misbehaves.
    at: u32,
    /// Moves requested so far.
    requests: u32,
    game: String,
    session: Option<Session>,
}

impl Engine {
    fn play(&mut self) -> Done {
        while let Some(line) = read()? {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "ugi" => self.identify()?,
                "setoption" => self.set(rest)?,
                "isready" => send("readyok")?,
                "position" => self.session = Some(self.read(rest)?),
                "go" => self.go()?,
                "quit" if self.mode != "never-quits" => return Ok(()),
                _ => {}
            }
        }
        if self.mode == "never-quits" { hang() } else { Ok(()) }
    }

    fn identify(&self) -> Done {
        send("id name misbehaving\noption name Hash type spin default 1")?;
        if self.mode == "prints-errors" {
            // It does not support the extension `errors` or the option `Game`.
            return send("info string error opening book\nugiok\ninfo string error opening book");
        }
        send("id extensions errors\noption name Game type string default connect-four\nugiok")
    }

    fn set(&mut self, text: &str) -> Done {
        if self.mode == "prints-errors" {
            print_error("received an option that it does not have")?;
            exit(5);
        }
        if let Some(game) = text.strip_prefix("name Game value ") {
            if self.mode == "supports-one-board" && game != "connect-four" {
                return send(&format!("info string error: {game} is too much for me"));
            }
            self.game = game.to_owned();
            return Ok(());
        }
        send("info string unknown option, never mind")
    }

    fn read(&self, text: &str) -> Result<Session, Box<dyn Error>> {
        let moves =
            text.strip_prefix("startpos").and_then(|rest| rest.split_once("moves")).map_or("", |(_, moves)| moves);
        Ok(Catalog::of([banyan_connect_four_engine::family()])?.game(&self.game)?.open(Opening::Moves(moves))?)
    }

    fn go(&mut self) -> Done {
        self.requests += 1;
        let moves = self.session.as_ref().map(|session| session.legal_moves()).unwrap_or_default();
        let best = moves.first().map_or("none", String::as_str);
        if self.requests == self.at {
            self.misbehave(best)?;
        }
        send(&format!("info nodes 1 time 0 nps 1 score winrate 0.5 pv {best}\nbestmove {best}"))
    }

    /// Misbehaves; modes that return continue with a normal answer.
    fn misbehave(&self, best: &str) -> Done {
        match self.mode.as_str() {
            "exits" => {
                print_error("out of luck")?;
                exit(3);
            }
            "aborts" => std::process::abort(),
            "hangs" | "obeys-stop" => hang_reading(self.mode == "obeys-stop")?,
            "is-late" => think(Duration::from_millis(700)),
            "floods" => loop {
                send(&format!("info string {}", "and another thing ".repeat(500)))?;
            },
            "writes-slowly" => loop {
                send("info string and another thing")?;
                think(Duration::from_millis(1));
            },
            "never-ends-its-line" => loop {
                write(&"x".repeat(1000))?;
            },
            "sends-half-a-line" => {
                write(&format!("bestmove {best}"))?;
                exit(0);
            }
            "hangs-in-a-line" => {
                write("bestmo")?;
                hang();
            }
            "closes-stdout" => close_stdout()?,
            "plays-illegally" => send("bestmove 99")?,
            "rejects" => send("info string error: too tired\nbestmove none")?,
            "plays-nothing" => send("bestmove")?,
            "sends-bytes" => {
                io::stdout().write_all(b"\xff\xfe\0bestmove\x80\nbestmove \xff\n")?;
                io::stdout().flush()?;
            }
            "leaves-a-child" => {
                leave_a_child()?;
                std::process::abort();
            }
            "keeps-a-child" => leave_a_child()?,
            "leaves-a-session" => {
                leave_a_session()?;
                std::process::abort();
            }
            "keeps-a-session" => leave_a_session()?,
            _ => {}
        }
        Ok(())
    }
}

/// The next line, `None` at the end.
fn read() -> io::Result<Option<String>> {
    let mut line = String::new();
    let n = io::stdin().read_line(&mut line)?;
    Ok((n > 0).then(|| line.trim_end().to_owned()))
}

fn send(lines: &str) -> Done {
    write(&format!("{lines}\n"))
}

fn write(text: &str) -> Done {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn print_error(text: &str) -> Done {
    Ok(writeln!(io::stderr(), "{text}")?)
}

/// Is busy for `time`.
fn think(time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        spin_loop();
    }
}

/// Never returns.
fn hang() -> ! {
    loop {
        park();
    }
}

/// Searches without end, or until `stop` if it obeys that.
fn hang_reading(obeys_stop: bool) -> Done {
    while let Some(line) = read()? {
        if line == "stop" && obeys_stop {
            return Ok(());
        }
    }
    hang()
}

/// Starts a process that outlives this one.
fn leave_a_child() -> Done {
    Command::new("sleep").arg(sleeping_time()).spawn()?;
    Ok(())
}

/// Starts a process that outlives this one, in a separate session, which a signal to the process group does not reach.
fn leave_a_session() -> Done {
    Command::new("setsid").args(["sleep", &sleeping_time()]).spawn()?;
    Ok(())
}

/// Seconds that a child sleeps; unique for the test process, which finds the child by them.
#[cfg(unix)]
fn sleeping_time() -> String {
    format!("98765.{}", std::os::unix::process::parent_id())
}

#[cfg(not(unix))]
fn sleeping_time() -> String {
    "98765".to_owned()
}

fn speak_gtp() -> Done {
    while let Some(line) = read()? {
        send(&format!("? unknown command {line}\n"))?;
    }
    Ok(())
}

#[cfg(unix)]
fn close_stdout() -> Done {
    use std::os::unix::process::CommandExt;
    Err(Command::new("sh").args(["-c", &format!("exec 1>&-; sleep {}", sleeping_time())]).exec().into())
}

#[cfg(not(unix))]
fn close_stdout() -> Done {
    hang()
}
