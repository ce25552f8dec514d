//! The search of Banyan.
