//! The catalog of Banyan.
