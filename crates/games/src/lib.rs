//! The games of Banyan.
