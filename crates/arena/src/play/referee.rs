//! Requests moves from the players and checks the answers.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use banyan_core::threads::metered;
use banyan_core::{Fault, Game, Margin, MoveList, Player, Report, SearchObserver, Side, Situation};

use super::clock::Clocks;
use super::{Ending, PlayedMove, Setup, Terms};
use crate::Heartbeat;

/// A game under way.
pub(super) struct Referee<'a, G: Game> {
    setup: &'a Setup<'a, G>,
    players: [&'a mut dyn Player<G>; 2],
    interrupted: &'a dyn Fn() -> bool,
    clocks: Clocks,
    state: G::State,
    played: Vec<G::Move>,
    legal: MoveList<G::Move>,
    /// Standstills of the program before the game.
    standstills: u64,
    /// Its delays before the request that is answered.
    delays: u64,
    pub(super) moves: Vec<PlayedMove<G::Move>>,
}

/// The time that a move took.
#[derive(Clone, Copy)]
struct TimeTaken {
    /// By the timer of the game.
    time: Duration,
    /// CPU time of the player's threads and their number, if they decide whether it was late.
    cpu: Option<(Duration, u32)>,
}

impl<'a, G: Game> Referee<'a, G> {
    /// Sets up the position after the opening.
    pub(super) fn new(
        setup: &'a Setup<'a, G>,
        players: [&'a mut dyn Player<G>; 2],
        interrupted: &'a dyn Fn() -> bool,
    ) -> Referee<'a, G> {
        let mut state = setup.start.clone();
        let mut legal = MoveList::new();
        for &mv in setup.opening {
            debug_assert!(is_legal(setup.game, &state, mv, &mut legal), "the opening has the illegal move {mv:?}");
            setup.game.play(&mut state, mv);
        }
        let played = setup.opening.to_vec();
        let clocks = Clocks::new(setup.terms);
        let standstills = setup.heartbeat.map_or(0, Heartbeat::standstills);
        Referee { setup, players, interrupted, clocks, state, played, legal, standstills, delays: 0, moves: Vec::new() }
    }

    /// Prepares both players for the game; an error ends it.
    pub(super) fn begin(&mut self) -> Result<(), Ending> {
        let Setup { game, start, .. } = *self.setup;
        for side in Side::BOTH {
            self.delays = self.delays();
            let at = Situation { game, start, played: &self.played, state: &self.state };
            let mut observer = Interrupts(self.interrupted);
            let player = &mut self.players[side.index()];
            let seed = self.setup.seeds[side.index()];
            let ready = shielded(|| {
                player.new_game(seed);
                player.prepare(&at, &mut observer)
            });
            if let Err(fault) = ready.and_then(|ready| ready) {
                return Err(if (self.interrupted)() { Ending::Interrupted } else { self.ending_by(side, fault) });
            }
        }
        Ok(())
    }

    /// The ending by a fault of the player of `side`, if it is its fault.
    fn ending_by(&self, side: Side, fault: Fault) -> Ending {
        match fault {
            Fault::NoResources(how) => Ending::NoResources(how),
            Fault::Late(_) if self.stood_still() || self.was_delayed(side) => Ending::Standstill,
            fault => Ending::Fault { side, fault },
        }
    }

    fn delays(&self) -> u64 {
        self.setup.heartbeat.map_or(0, Heartbeat::delays)
    }

    /// Whether the program was delayed since it sent a request to the player of `side` in another process: it may have read the answer
    /// late. A player of this program was late by the CPU time that it used.
    fn was_delayed(&self, side: Side) -> bool {
        self.setup.terms.own_threads[side.index()].is_none() && self.delays() != self.delays
    }

    /// Whether the program stood still during the game.
    fn stood_still(&self) -> bool {
        self.setup.heartbeat.is_some_and(|heartbeat| heartbeat.standstills() != self.standstills)
    }

    /// Plays moves until the game ends.
    pub(super) fn play_on(&mut self) -> Ending {
        loop {
            if (self.interrupted)() {
                return Ending::Interrupted;
            }
            if let Some(margin) = self.setup.game.result(&self.state) {
                return Ending::Finished(margin);
            }
            let side = self.setup.game.to_move(&self.state);
            let (answer, taken) = self.request(side);
            // The answer of an interrupted search is neither a move nor a fault.
            if (self.interrupted)() {
                return Ending::Interrupted;
            }
            if self.setup.terms.feels_standstills() && self.stood_still() {
                return Ending::Standstill;
            }
            match self.judge(side, answer, taken) {
                Ok(played) => self.make(played),
                Err(fault) => return self.ending_by(side, fault),
            }
        }
    }

    /// The answer of the player of `side`, and its time.
    fn request(&mut self, side: Side) -> (Result<Report<G::Move>, Fault>, TimeTaken) {
        let Setup { game, start, terms, .. } = *self.setup;
        let at = Situation { game, start, played: &self.played, state: &self.state };
        let limits = self.clocks.limits(side);
        self.delays = self.delays();
        let mut observer = Interrupts(self.interrupted);
        let player = &mut self.players[side.index()];
        let own_threads = terms.own_threads[side.index()].filter(|_| self.clocks.allowed(side).is_some());
        let mut choose = || shielded(|| player.choose(&at, &limits, &mut observer));
        let begin = terms.timer.now();
        let (answer, cpu) = match own_threads {
            None => (choose(), None),
            Some(n_threads) => {
                let (answer, cpu) = metered(terms.cpu, choose);
                (answer, Some((cpu, n_threads)))
            }
        };
        let (answer, elapsed) = (answer.and_then(|answer| answer), terms.timer.since(begin));
        let reported = answer.as_ref().ok().filter(|_| terms.reports_time[side.index()]);
        let time = reported.map_or(elapsed, |report| report.elapsed.min(elapsed));
        (answer, TimeTaken { time, cpu })
    }

    /// The move of `side`, if its answer is legal and in time.
    fn judge(
        &mut self,
        side: Side,
        answer: Result<Report<G::Move>, Fault>,
        TimeTaken { time, cpu }: TimeTaken,
    ) -> Result<PlayedMove<G::Move>, Fault> {
        let report = answer?;
        let overrun = self.overrun(side, time, cpu)?;
        let Report { best: mv, value, playouts, nodes, reused, memory_bytes, .. } = report;
        if !is_legal(self.setup.game, &self.state, mv, &mut self.legal) {
            return Err(Fault::Illegal(format!("{mv:?} at ply {}", self.setup.game.ply(&self.state))));
        }
        Ok(PlayedMove { mv, side, time, overrun, playouts, nodes, value, reused, memory_bytes })
    }

    /// By how much the player of `side` exceeded its time; a fault if it was late.
    fn overrun(&self, side: Side, time: Duration, cpu: Option<(Duration, u32)>) -> Result<Duration, Fault> {
        let Some(allowed) = self.clocks.allowed(side) else { return Ok(Duration::ZERO) };
        let Terms { timer, leeway, .. } = self.setup.terms;
        let overrun = time.saturating_sub(allowed);
        let computed_too_long = cpu.is_none_or(|(cpu, n_threads)| cpu > (allowed + leeway) * n_threads);
        if overrun <= leeway || !computed_too_long {
            return Ok(overrun);
        }
        let computed = cpu.map(|(cpu, _)| format!(", and {cpu:.1?} of CPU time")).unwrap_or_default();
        let timer = timer.name();
        Err(Fault::Late(format!("took {time:.1?} where {allowed:.1?} were allowed, in {timer} time{computed}")))
    }

    fn make(&mut self, played: PlayedMove<G::Move>) {
        self.clocks.spend(played.side, played.time);
        self.setup.game.play(&mut self.state, played.mv);
        self.played.push(played.mv);
        self.moves.push(played);
    }

    /// Reports the result to the players.
    pub(super) fn announce(&mut self, ending: &Ending) {
        let margin = match ending {
            Ending::Finished(margin) => *margin,
            Ending::Fault { side, .. } => largest_loss(self.setup.game, *side),
            Ending::Interrupted | Ending::Standstill | Ending::NoResources(_) => return,
        };
        for side in Side::BOTH {
            let player = &mut self.players[side.index()];
            let broken = matches!(ending, Ending::Fault { side: s, fault: Fault::Panicked(_) } if *s == side);
            if !broken {
                // A panic here does not change the result; the player will fail in its next game.
                let _ = shielded(|| player.game_over(margin));
            }
        }
    }
}

/// The margin of the largest loss of `side`.
fn largest_loss<G: Game>(game: &G, side: Side) -> Margin {
    match side {
        Side::First => game.margin_range().lower,
        Side::Second => game.margin_range().upper,
    }
}

fn is_legal<G: Game>(game: &G, state: &G::State, mv: G::Move, legal: &mut MoveList<G::Move>) -> bool {
    legal.clear();
    game.moves(state, legal);
    legal.contains(&mv)
}

/// Runs the code of a player and turns a panic into a fault.
fn shielded<T>(code: impl FnOnce() -> T) -> Result<T, Fault> {
    // State left inconsistent belongs to the player, which is not called again after a panic.
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| Fault::Panicked(message(&*payload)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

/// Stops a search when the match is interrupted.
struct Interrupts<'a>(&'a dyn Fn() -> bool);

impl<M> SearchObserver<M> for Interrupts<'_> {
    fn stopped(&mut self) -> bool {
        self.0()
    }
}
