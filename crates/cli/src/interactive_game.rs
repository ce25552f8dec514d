//! A game in progress at the terminal, each side a human or a player.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Result;
use banyan_catalog::storage::replace_file;
use banyan_catalog::{Budget, Catalog, PlayerSpec, Record, Seat, Session};
use banyan_core::{Side, TextError};

use crate::clocks::Clocks;
use crate::interrupt::{self, Interrupt};
use crate::participant::Participant;
use crate::program::program;
use crate::prompt::{HELP, Prompt, Request};
use crate::search_progress::{SearchProgress, done, elapsed, principal_variation};
use crate::terminal::Terminal;
use crate::{Exit, board, game_words, output_file, replay};

/// The players of both sides, with budget and seed.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The participant of each side.
    pub(crate) participants: [Participant; 2],
    /// The budget of a player per move.
    pub(crate) budget: Budget,
    /// Random seed.
    pub(crate) seed: u64,
}

impl Setup {
    /// The budget of each side.
    fn budgets(&self) -> [Budget; 2] {
        self.participants.each_ref().map(|participant| match participant {
            Participant::Player(entry) => entry.budget.unwrap_or(self.budget),
            Participant::Human => self.budget,
        })
    }

    /// Adds each side's player to a session, and the player that gives hints.
    fn add_players(&self, session: &mut Session) -> Result<([Option<Seat>; 2], Seat), TextError> {
        let mut seats = [None; 2];
        for side in Side::BOTH {
            if let Participant::Player(entry) = &self.participants[side.index()] {
                seats[side.index()] = Some(session.seat(&entry.player, self.seed.wrapping_add(side.index() as u64))?);
            }
        }
        let adviser = session.seat(&PlayerSpec::default(), self.seed.wrapping_add(2))?;
        Ok((seats, adviser))
    }
}

/// The end of a human's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The position has changed.
    Changed,
    /// The user has quit, or the input has ended.
    Left,
}

/// A game in progress at the terminal.
pub(crate) struct InteractiveGame<'t> {
    catalog: &'t Catalog,
    session: Session,
    setup: Setup,
    terminal: &'t mut Terminal,
    seats: [Option<Seat>; 2],
    /// The player that gives hints.
    adviser: Seat,
    clocks: Clocks,
    interrupt: Interrupt,
}

impl<'t> InteractiveGame<'t> {
    /// # Errors
    /// A player that cannot play this game.
    pub(crate) fn new(
        catalog: &'t Catalog,
        mut session: Session,
        setup: Setup,
        interrupt: Interrupt,
        terminal: &'t mut Terminal,
    ) -> Result<InteractiveGame<'t>, TextError> {
        let (seats, adviser) = setup.add_players(&mut session)?;
        let clocks = Clocks::new(setup.budgets());
        Ok(InteractiveGame { catalog, session, setup, terminal, seats, adviser, clocks, interrupt })
    }

    /// Plays until the game is over, the user quits, or Ctrl-C.
    pub(crate) fn play(mut self) -> Result<Exit> {
        let prompt = Prompt::new(self.interrupt.clone());
        if self.has_person() {
            self.greet()?;
        }
        loop {
            interrupt::set_resume(self.farewell());
            self.show_board()?;
            let over = self.session.result().is_some();
            if over {
                writeln!(self.terminal.out, "{}", board::outcome(&self.session))?;
            }
            let persons_turn = if over { self.has_person() } else { self.is_person(self.session.to_move()) };
            if persons_turn {
                if self.let_person_move(&prompt)? == Turn::Left {
                    return Ok(Exit::Done);
                }
            } else if over {
                return Ok(Exit::Done);
            } else {
                self.let_player_move()?;
            }
            if self.interrupt.pressed() {
                write!(self.terminal.err, "{}", self.farewell())?;
                return Ok(Exit::Interrupted);
            }
        }
    }

    /// Prints the game, its rules, and the participant of each side.
    fn greet(&mut self) -> Result<()> {
        let spec = self.session.spec();
        let rules = game_words::rules(&self.session).map(|rules| format!(". {rules}")).unwrap_or_default();
        writeln!(self.terminal.out, "{spec}{rules}")?;
        let [first, second] = Side::BOTH.map(|side| {
            let (name, mark) = (self.session.side_name(side), board::mark(side, self.terminal.ascii));
            let marked = if name == mark { name.to_owned() } else { format!("{name} ({mark})") };
            format!("{marked}: {}", self.setup.participants[side.index()])
        });
        writeln!(self.terminal.out, "{first}; {second}. Type help for the commands.")?;
        Ok(())
    }

    fn let_player_move(&mut self) -> Result<()> {
        let side = self.session.to_move();
        let seat = self.seats[side.index()].expect("a side without a person has a player");
        let limits = self.clocks.limits(side);
        let analysis = self.session.choose(seat, &limits, &mut SearchProgress::new(&self.interrupt))?;
        if self.interrupt.pressed() {
            return Ok(());
        }
        self.clocks.spend(side, elapsed(&analysis));
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        let played = self.session.play(best)?;
        let name = self.session.side_name(side);
        // A player that does not search has no statistics.
        if analysis.playouts > 0 {
            writeln!(self.terminal.out, "{}", done(&analysis))?;
        }
        writeln!(self.terminal.out, "{name} plays {played}")?;
        Ok(())
    }

    /// Executes the user's commands until the position changes or the user quits.
    fn let_person_move(&mut self, prompt: &Prompt) -> Result<Turn> {
        let farewell = self.farewell();
        loop {
            let over = self.session.result().is_some();
            let prompt_text = if over { "over" } else { self.session.side_name(self.session.to_move()) };
            let line = match prompt.read(prompt_text, &farewell, self.terminal)? {
                Some(Ok(line)) => line,
                Some(Err(err)) => {
                    writeln!(self.terminal.out, "{err}")?;
                    continue;
                }
                None => {
                    write!(self.terminal.out, "{farewell}")?;
                    return Ok(Turn::Left);
                }
            };
            if let Some(turn) = self.execute(&line, &farewell)? {
                return Ok(turn);
            }
            if self.interrupt.pressed() {
                return Ok(Turn::Changed);
            }
        }
    }

    /// Executes one line of input; `Some` if it ends the turn.
    fn execute(&mut self, line: &str, farewell: &str) -> Result<Option<Turn>> {
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err(err) => {
                writeln!(self.terminal.out, "{err}")?;
                return Ok(None);
            }
        };
        match request {
            Request::Nothing => {}
            Request::Play(text) => return self.play_move(&text),
            Request::Hint if self.session.result().is_some() => writeln!(self.terminal.out, "the game is over")?,
            Request::Hint => self.hint()?,
            Request::Undo => return self.take_back(),
            Request::ListMoves => writeln!(self.terminal.out, "{}", self.session.legal_moves().join(" "))?,
            Request::Save { path, replace } => self.save(path, replace)?,
            Request::Load(path) => return self.load(path),
            Request::Help => writeln!(self.terminal.out, "{HELP}")?,
            Request::Quit => {
                write!(self.terminal.out, "{farewell}")?;
                return Ok(Some(Turn::Left));
            }
        }
        Ok(None)
    }

    fn play_move(&mut self, text: &str) -> Result<Option<Turn>> {
        if self.session.result().is_some() {
            writeln!(self.terminal.out, "the game is over; type undo, save FILE, load FILE or quit")?;
            return Ok(None);
        }
        match self.session.play(text) {
            Ok(_) => Ok(Some(Turn::Changed)),
            Err(err) => {
                writeln!(self.terminal.out, "{err}; type help for the commands")?;
                Ok(None)
            }
        }
    }

    /// Prints a search of the adviser.
    fn hint(&mut self) -> Result<()> {
        let limits = self.clocks.limits(self.session.to_move());
        let analysis = self.session.choose(self.adviser, &limits, &mut SearchProgress::new(&self.interrupt))?;
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        let line = principal_variation(&analysis.pv);
        writeln!(self.terminal.out, "{}\nhint: {best} (expecting {line})", done(&analysis))?;
        Ok(())
    }

    /// Takes moves back to the last position in which a human was to move.
    fn take_back(&mut self) -> Result<Option<Turn>> {
        let movers = self.session.movers();
        let Some(last) = movers.iter().rposition(|&side| self.is_person(side)) else {
            writeln!(self.terminal.out, "nothing to take back")?;
            return Ok(None);
        };
        for _ in last..movers.len() {
            self.session.undo();
        }
        Ok(Some(Turn::Changed))
    }

    fn save(&mut self, path: &str, replace: bool) -> Result<()> {
        let record = Record::of(&self.session, self.setup.participants.each_ref().map(ToString::to_string));
        let (file, text) = (Path::new(path), record.write());
        // By default a new file, created atomically, so that no existing file is overwritten.
        let written = match replace {
            true => replace_file(file, text.as_bytes()),
            false => output_file::create(file, text.as_bytes()),
        };
        match written {
            Err(err) if err.kind() == ErrorKind::AlreadyExists => {
                writeln!(self.terminal.out, "{path} exists; type save {path}! to replace it")?;
            }
            Ok(()) => writeln!(self.terminal.out, "saved {} moves to {path}", record.moves.len())?,
            Err(err) => writeln!(self.terminal.out, "cannot write {path}: {err}; try another name")?,
        }
        Ok(())
    }

    /// Resumes a recorded game, whose number may follow the file name.
    fn load(&mut self, text: &str) -> Result<Option<Turn>> {
        let numbered =
            text.rsplit_once(char::is_whitespace).and_then(|(path, id)| Some((path.trim_end(), id.parse().ok()?)));
        let (path, id) = match numbered {
            Some((path, id)) if !Path::new(text).exists() => (path, Some(id)),
            _ => (text, None),
        };
        let opened = replay::open(self.catalog, Path::new(path), id, None);
        match opened.and_then(|recorded| Ok(self.change_session(recorded.session)?)) {
            Ok(()) => {
                let (moves, spec) = (self.session.history().len(), self.session.spec());
                writeln!(self.terminal.out, "loaded {moves} moves of {spec} from {path}")?;
                Ok(Some(Turn::Changed))
            }
            Err(err) => {
                writeln!(self.terminal.out, "{err:#}")?;
                Ok(None)
            }
        }
    }

    /// Replaces the session, with new players.
    ///
    /// # Errors
    /// A player that cannot play the game; then nothing changes.
    fn change_session(&mut self, mut session: Session) -> Result<(), TextError> {
        (self.seats, self.adviser) = self.setup.add_players(&mut session)?;
        self.session = session;
        self.clocks = Clocks::new(self.setup.budgets());
        Ok(())
    }

    fn show_board(&mut self) -> Result<()> {
        write!(self.terminal.out, "\n{}", board::paint_session(&self.session, self.terminal.ascii))?;
        if let Some(score) = game_words::score(&self.session) {
            writeln!(self.terminal.out, "{score}")?;
        }
        Ok(())
    }

    fn is_person(&self, side: Side) -> bool {
        self.setup.participants[side.index()] == Participant::Human
    }

    fn has_person(&self) -> bool {
        self.setup.participants.contains(&Participant::Human)
    }

    /// The command that resumes this game, in two lines; empty if the game is over.
    fn farewell(&self) -> String {
        if self.session.result().is_some() {
            return String::new();
        }
        let moves = self.session.history();
        let place = match (self.session.opening(), moves.is_empty()) {
            (Some(_), _) => format!(" --position \"{}\"", self.session.position()),
            (None, false) => format!(" --moves \"{}\"", moves.join(" ")),
            (None, true) => String::new(),
        };
        let [first, second] = &self.setup.participants;
        let game = self.session.spec();
        format!(
            "resume with\n  {} play {game}{place} --first {first} --second {second} --budget {}\n",
            program(),
            self.setup.budget
        )
    }
}
