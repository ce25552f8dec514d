//! Banyan for library users.
