//! A game in progress at the terminal, each side a person or a player.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::{Budget, PlayerSpec, Seat, Session};
use banyan_core::{Side, TextError};

use crate::clocks::Clocks;
use crate::interrupt::Interrupt;
use crate::play::Chair;
use crate::prompt::{Prompt, Turn};
use crate::terminal::Terminal;
use crate::thinking::{Thinking, done, elapsed, expected_line};
use crate::{Exit, board};

/// Who plays, and on what terms.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// Who plays each side.
    pub(crate) chairs: [Chair; 2],
    /// What a player may spend.
    pub(crate) budget: Budget,
    /// Where all randomness comes from.
    pub(crate) seed: u64,
}

impl Setup {
    /// Everybody sits down at a session: each side's player, and whom a person may ask for a hint.
    fn take_seats(&self, session: &mut dyn Session) -> Result<([Option<Seat>; 2], Seat), TextError> {
        let mut seats = [None; 2];
        for side in Side::BOTH {
            if let Chair::Player(player) = &self.chairs[side.index()] {
                seats[side.index()] = Some(session.seat(player, self.seed.wrapping_add(side.index() as u64))?);
            }
        }
        let adviser = session.seat(&self.adviser(), self.seed.wrapping_add(2))?;
        Ok((seats, adviser))
    }

    /// The opponent advises, or the usual search where there is none.
    fn adviser(&self) -> PlayerSpec {
        let player = self.chairs.iter().find_map(|chair| match chair {
            Chair::Person => None,
            Chair::Player(player) => Some(player.clone()),
        });
        player.filter(|player| player.explains()).unwrap_or_default()
    }
}

/// A game in progress at the terminal.
pub(crate) struct Duel<'t> {
    pub(crate) session: Box<dyn Session>,
    pub(crate) setup: Setup,
    pub(crate) terminal: &'t mut Terminal,
    seats: [Option<Seat>; 2],
    /// Whom a person may ask for a hint.
    adviser: Seat,
    clocks: Clocks,
    interrupt: Interrupt,
}

impl<'t> Duel<'t> {
    /// # Errors
    /// A player that cannot play this game.
    pub(crate) fn new(
        mut session: Box<dyn Session>,
        setup: Setup,
        interrupt: Interrupt,
        terminal: &'t mut Terminal,
    ) -> Result<Duel<'t>, TextError> {
        let (seats, adviser) = setup.take_seats(&mut *session)?;
        let clocks = Clocks::new(setup.budget);
        Ok(Duel { session, setup, terminal, seats, adviser, clocks, interrupt })
    }

    /// Continues with another session, at which everybody sits down anew.
    ///
    /// # Errors
    /// A player that cannot play its game; everything is what it was before.
    pub(crate) fn change_session(&mut self, mut session: Box<dyn Session>) -> Result<(), TextError> {
        (self.seats, self.adviser) = self.setup.take_seats(&mut *session)?;
        self.session = session;
        self.clocks = Clocks::new(self.setup.budget);
        Ok(())
    }

    /// Plays until the game is over, somebody leaves, or Ctrl-C.
    pub(crate) fn play(mut self) -> Result<Exit> {
        let mut prompt = Prompt::new();
        loop {
            self.show_board()?;
            let over = self.session.result().is_some();
            if over {
                writeln!(self.terminal.out, "{}", board::outcome(&*self.session))?;
            }
            let persons_turn = if over { self.has_person() } else { self.is_person(self.session.to_move()) };
            if persons_turn {
                let farewell = self.farewell();
                let interrupt = self.interrupt.clone();
                if prompt.take_turn(&mut self, &interrupt, &farewell)? == Turn::Left {
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

    fn let_player_move(&mut self) -> Result<()> {
        let side = self.session.to_move();
        let seat = self.seats[side.index()].expect("a side without a person has a player");
        let limits = self.clocks.limits(side);
        let analysis = self.session.choose(seat, &limits, &mut Thinking::new(&self.interrupt))?;
        if self.interrupt.pressed() {
            return Ok(());
        }
        self.clocks.spend(side, elapsed(&analysis));
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        let played = self.session.play(best)?;
        let name = self.session.side_name(side);
        // A player that does not search has nothing to say about its search.
        if analysis.playouts > 0 {
            writeln!(self.terminal.out, "{}", done(&analysis))?;
        }
        writeln!(self.terminal.out, "{name} plays {played}")?;
        Ok(())
    }

    /// What the adviser would play, and why.
    pub(crate) fn hint(&mut self) -> Result<()> {
        let limits = self.clocks.limits(self.session.to_move());
        let analysis = self.session.choose(self.adviser, &limits, &mut Thinking::new(&self.interrupt))?;
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        let line = expected_line(&analysis.pv);
        writeln!(self.terminal.out, "{}\nhint: {best} (expecting {line})", done(&analysis))?;
        Ok(())
    }

    fn show_board(&mut self) -> Result<()> {
        write!(self.terminal.out, "\n{}", board::paint_session(&*self.session, self.terminal.ascii))?;
        Ok(())
    }

    pub(crate) fn is_person(&self, side: Side) -> bool {
        self.setup.chairs[side.index()] == Chair::Person
    }

    fn has_person(&self) -> bool {
        self.setup.chairs.contains(&Chair::Person)
    }

    /// How to go on later, in two lines; nothing where there is nothing to go on with.
    pub(crate) fn farewell(&self) -> String {
        if self.session.result().is_some() {
            return String::new();
        }
        let moves = self.session.history();
        let place = match (self.session.opening(), moves.is_empty()) {
            (Some(_), _) => format!(" --position \"{}\"", self.session.position()),
            (None, false) => format!(" --moves \"{}\"", moves.join(" ")),
            (None, true) => String::new(),
        };
        let [first, second] = &self.setup.chairs;
        let game = self.session.spec();
        format!(
            "go on with\n  banyan play {game}{place} --first {first} --second {second} --budget {}\n",
            self.setup.budget
        )
    }
}
