//! Sessions on a screen that is a buffer.

mod engine;
mod files;
mod keys;
mod screens;
mod session;
