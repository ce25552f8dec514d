//! Schedules, games, openings and the driver, with scripted players and a fake clock.

mod driver;
mod fakes;
mod games;
mod openings;
mod play;
mod schedule;
