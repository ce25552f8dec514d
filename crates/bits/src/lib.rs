//! Bit boards and the processor, for fast rules and searches.
//!
//! [`Bits`] are sets of small numbers in words of several widths: bit boards of any size. [`cpu`] has vector types, bit
//! operations, prefetching and memory for tables, in the form for the instruction set that Banyan is compiled for, and the
//! check that this processor has it. Nothing here knows a game.

pub mod cpu;
mod words;

pub use words::{BitOps, Bits, BitsIter, mix};
