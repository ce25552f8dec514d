//! The folder of the Monte Carlo search.

mod tree;
