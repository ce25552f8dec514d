//! Drawings of searches in the built-in games.

mod drawing;
