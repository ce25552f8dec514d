//! The outcome of a command.

/// The outcome of a command that ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command succeeded.
    Done,
    /// The result is negative, for example because a check failed.
    No,
    /// Ctrl-C was pressed.
    Interrupted,
}
