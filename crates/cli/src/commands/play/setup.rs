//! The players of an interactive game.

use banyan_catalog::{Budget, DEFAULT_PLAYER, PlayerSpec, Players, Seat, Session};
use banyan_core::{Side, TextError};

use super::participant::Participant;
use crate::input::level::level_name;

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

/// The players of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seats {
    /// The player of each side; `None` for a person.
    pub(crate) sides: [Option<Seat>; 2],
    /// The player that gives hints.
    pub(crate) adviser: Seat,
}

impl Setup {
    /// The budget of each side.
    pub(crate) fn budgets(&self) -> [Budget; 2] {
        self.participants.each_ref().map(|participant| match participant {
            Participant::Player(entry) => entry.budget.unwrap_or(self.budget),
            Participant::Human => self.budget,
        })
    }

    pub(crate) fn is_person(&self, side: Side) -> bool {
        self.participants[side.index()] == Participant::Human
    }

    pub(crate) fn has_person(&self) -> bool {
        self.participants.contains(&Participant::Human)
    }

    /// The side of the only person.
    pub(crate) fn only_person(&self) -> Option<Side> {
        let mut persons = Side::BOTH.into_iter().filter(|&side| self.is_person(side));
        persons.next().filter(|_| persons.next().is_none())
    }

    /// Adds each side's player to a session, and the player that gives hints.
    ///
    /// # Errors
    /// A player that cannot play the game.
    pub(crate) fn add_players(&self, session: &mut Session) -> Result<Seats, TextError> {
        let mut sides = [None; 2];
        for side in Side::BOTH {
            if let Participant::Player(entry) = &self.participants[side.index()] {
                sides[side.index()] = Some(session.seat(&entry.player, self.seed.wrapping_add(side.index() as u64))?);
            }
        }
        let adviser = session.seat(&PlayerSpec::default(), self.seed.wrapping_add(2))?;
        Ok(Seats { sides, adviser })
    }

    /// This setup for another game, in which the players do not repeat their random choices.
    pub(crate) fn again(&self) -> Setup {
        Setup { seed: self.seed.wrapping_add(3), ..self.clone() }
    }

    /// The players with their sides swapped, for another game.
    pub(crate) fn swapped(&self) -> Setup {
        let [first, second] = self.participants.clone();
        Setup { participants: [second, first], ..self.again() }
    }

    /// The opponent of the only person.
    ///
    /// # Errors
    /// Both sides are persons.
    pub(crate) fn opponent(&self) -> Result<Side, TextError> {
        let err = || {
            let expected = "expected a game against the computer, which two persons do not play";
            TextError::new("level", expected, "start with --second level-3")
        };
        self.only_person().map(|side| !side).ok_or_else(err)
    }

    /// This setup with an opponent of another level: `3`, `beginner`, or `best`.
    ///
    /// # Errors
    /// A level that the game does not have, or no opponent that could have it.
    pub(crate) fn at_level(&self, level: &str, session: &Session) -> Result<Setup, TextError> {
        let opponent = self.opponent()?;
        let known = level_name(level).ok().filter(|name| session.tables().level(name).is_some());
        let best = Some(DEFAULT_PLAYER).filter(|best| *best == level);
        let name = known.or(best).ok_or_else(|| unknown(level, session.tables().levels.len()))?;
        let mut setup = self.clone();
        setup.participants[opponent.index()] = Participant::parse(name, &Players::default())?;
        Ok(setup)
    }
}

fn unknown(level: &str, n_levels: usize) -> TextError {
    let expected = match n_levels {
        0 => "expected best, as this game has no levels".to_owned(),
        n => format!("expected a level 1 to {n}, or best"),
    };
    TextError::new(format!("level {level}"), expected, if n_levels > 2 { "try level 3" } else { "try level best" })
}
