//! The games of Banyan.

pub mod connect_four;
