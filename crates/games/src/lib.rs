//! The games of Banyan.

pub mod connect_four;
pub mod dots_and_boxes;
pub mod reversi;
