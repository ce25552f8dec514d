//! `banyan strategy-host`: loads a strategy library and serves it over UGI. It runs as a separate process, so a library
//! that crashes, hangs or exits affects no other program.

use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use crate::Exit;

#[derive(Debug, Args)]
pub(crate) struct StrategyHostArgs {
    /// Shared library that exports getPoint and clearPoint (docs/strategy-library.md).
    #[arg(value_name = "LIB")]
    library: PathBuf,
}

#[cfg(unix)]
pub(crate) fn run(args: &StrategyHostArgs, catalog: &Catalog) -> Result<Exit> {
    use std::fs::File;
    use std::io::{BufReader, Write, stderr, stdin, stdout};
    use std::os::fd::AsFd;

    use banyan_protocols::strategy::{Library, serve};

    let input = BufReader::new(File::from(stdin().as_fd().try_clone_to_owned()?));
    let mut output = File::from(stdout().as_fd().try_clone_to_owned()?);
    // The library's output goes to stderr and its input is empty, so neither interferes with the protocol.
    rustix::stdio::dup2_stdout(stderr())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    match Library::load(&args.library) {
        Ok(library) => serve(catalog, &library, input, &mut output)?,
        Err(err) => {
            writeln!(output, "info string error: {err}")?;
            return Err(err.into());
        }
    }
    Ok(Exit::Done)
}

#[cfg(not(unix))]
pub(crate) fn run(args: &StrategyHostArgs, _: &Catalog) -> Result<Exit> {
    use banyan_core::TextError;

    let expected = "expected Unix, where the output of a strategy library can be redirected";
    Err(TextError::new(args.library.display().to_string(), expected, "use Linux, macOS or WSL").into())
}
