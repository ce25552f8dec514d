//! Reversi against a plain array, published counts and values, and the laws.

mod collected;
mod exact;
mod knowledge;
mod plain;
mod reasons;
mod rules;
mod tactical_playouts;
mod text;
