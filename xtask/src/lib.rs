//! Checks of the workspace itself: its manifests, sources and licences. All of them are tests, in `tests/it`; those that run the command
//! are in `crates/cli/tests/it`.
