//! The frame for what is played in a folder: its kind, and each of its stages from the configuration to the finished games. Match,
//! sweep, ablation, tuning, rating and ladder differ in what they configure and in what they make of the games.

mod kind;
mod stage;

pub use kind::Kind;
pub use stage::{PlayedStage, Setting, Stage, or_show};
