//! Trainings and books with the built-in games.

mod book;
mod training;
