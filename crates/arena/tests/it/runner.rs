//! Schedules, games, openings and the driver, with players that do as they are told and a clock that nobody waits for.

mod driver;
mod fakes;
mod games;
mod openings;
mod play;
mod schedule;
