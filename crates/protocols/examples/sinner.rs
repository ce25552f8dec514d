//! An engine that speaks UGI and plays the first legal move, until it commits a sin: `sinner SIN [MOVE]`. Sins at a
//! move are committed at the MOVE-th that it is asked for, the first unless said otherwise.

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
    let sin = arguments.next().unwrap_or_default();
    let at = arguments.next().map_or(Ok(1), |at| at.parse())?;
    match sin.as_str() {
        "exits-at-once" => {
            complain("no weights here")?;
            exit(3);
        }
        "hangs-at-once" => for_ever(),
        "speaks-gtp" => speak_gtp(),
        "leaves-a-child-at-once" => {
            leave_a_child()?;
            exit(4);
        }
        _ => Engine { sin, at, asked: 0, game: "connect-four".into(), session: None }.play(),
    }
}

struct Engine {
    sin: String,
    /// The move at which the sin is committed.
    at: u32,
    /// Moves asked for.
    asked: u32,
    game: String,
    session: Option<Box<dyn Session>>,
}

impl Engine {
    fn play(&mut self) -> Done {
        while let Some(line) = read()? {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "ugi" => self.introduce()?,
                "setoption" => self.set(rest)?,
                "isready" => say("readyok")?,
                "position" => self.session = Some(self.read(rest)?),
                "go" => self.go()?,
                "quit" if self.sin != "never-quits" => return Ok(()),
                _ => {}
            }
        }
        if self.sin == "never-quits" { for_ever() } else { Ok(()) }
    }

    fn introduce(&self) -> Done {
        say("id name sinner\noption name Hash type spin default 1")?;
        if self.sin == "grumbles" {
            // It knows nothing of refusals or games.
            return say("info string error opening book\nugiok\ninfo string error opening book");
        }
        say("id extensions errors\noption name Game type string default connect-four\nugiok")
    }

    fn set(&mut self, text: &str) -> Done {
        if self.sin == "grumbles" {
            complain("it was told of an option that it does not have")?;
            exit(5);
        }
        if let Some(game) = text.strip_prefix("name Game value ") {
            if self.sin == "knows-one-board" && game != "connect-four" {
                return say(&format!("info string error: {game} is too much for me"));
            }
            self.game = game.to_owned();
            return Ok(());
        }
        say("info string unknown option, never mind")
    }

    fn read(&self, text: &str) -> Result<Box<dyn Session>, Box<dyn Error>> {
        let moves =
            text.strip_prefix("startpos").and_then(|rest| rest.split_once("moves")).map_or("", |(_, moves)| moves);
        Ok(Catalog::of([banyan_connect_four_engine::family()])?.game(&self.game)?.open(Opening::Moves(moves))?)
    }

    fn go(&mut self) -> Done {
        self.asked += 1;
        let moves = self.session.as_ref().map(|session| session.legal_moves()).unwrap_or_default();
        let best = moves.first().map_or("none", String::as_str);
        if self.asked == self.at {
            self.sin(best)?;
        }
        say(&format!("info nodes 1 time 0 nps 1 score winrate 0.5 pv {best}\nbestmove {best}"))
    }

    /// Commits the sin; those who come back go on as if nothing had been.
    fn sin(&self, best: &str) -> Done {
        match self.sin.as_str() {
            "exits" => {
                complain("out of luck")?;
                exit(3);
            }
            "aborts" => std::process::abort(),
            "hangs" | "heeds-stop" => for_ever_reading(self.sin == "heeds-stop")?,
            "is-late" => think(Duration::from_millis(700)),
            "floods" => loop {
                say(&format!("info string {}", "and another thing ".repeat(500)))?;
            },
            "babbles" => loop {
                say("info string and another thing")?;
                think(Duration::from_millis(1));
            },
            "never-ends-its-line" => loop {
                write(&"x".repeat(1000))?;
            },
            "says-half-a-line" => {
                write(&format!("bestmove {best}"))?;
                exit(0);
            }
            "stops-in-a-line" => {
                write("bestmo")?;
                for_ever();
            }
            "closes-stdout" => close_stdout()?,
            "plays-illegally" => say("bestmove 99")?,
            "refuses" => say("info string error: too tired\nbestmove none")?,
            "plays-nothing" => say("bestmove")?,
            "says-bytes" => {
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

fn say(lines: &str) -> Done {
    write(&format!("{lines}\n"))
}

fn write(text: &str) -> Done {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn complain(text: &str) -> Done {
    Ok(writeln!(io::stderr(), "{text}")?)
}

/// Is busy for so long.
fn think(time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        spin_loop();
    }
}

/// Waits for what never comes.
fn for_ever() -> ! {
    loop {
        park();
    }
}

/// Thinks without end, unless it is told to stop and heeds that.
fn for_ever_reading(heeds_stop: bool) -> Done {
    while let Some(line) = read()? {
        if line == "stop" && heeds_stop {
            return Ok(());
        }
    }
    for_ever()
}

/// Starts a process that outlives this one.
fn leave_a_child() -> Done {
    Command::new("sleep").arg(sleeping_time()).spawn()?;
    Ok(())
}

/// The same out of reach of who ends a group of processes.
fn leave_a_session() -> Done {
    Command::new("setsid").args(["sleep", &sleeping_time()]).spawn()?;
    Ok(())
}

/// Seconds for a process that sleeps. The test that started this one knows it by them, and no other test does.
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
        say(&format!("? unknown command {line}\n"))?;
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
    for_ever()
}
