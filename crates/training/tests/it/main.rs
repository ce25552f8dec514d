//! Trainings and books with the built-in games.

mod book;
mod exact_book;
mod training;
