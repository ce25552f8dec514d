//! The games of Banyan.

pub mod connect_four;
pub mod dots_and_boxes;
