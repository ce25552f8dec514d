//! The `banyan` command with the built-in games.

use std::process::ExitCode;

fn main() -> ExitCode {
    banyan_cli::run(|| Ok(banyan_cli::builtin()))
}
