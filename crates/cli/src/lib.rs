//! The `banyan` command, for the games of any catalog: reads arguments, calls the library, prints. Data goes to stdout,
//! progress and errors to stderr; exit codes are 0 success, 1 negative result, 2 error, 130 interrupted, 143 and 129 ended by
//! SIGTERM and SIGHUP.
//!
//! A program with a new game gets the whole command by one call of [`run`]: `examples/domineering.rs` is a complete
//! one.

mod builtin;
mod command;
mod commands;
mod exit;
mod frame;
mod heap;
mod help;
mod input;
mod interrupt;
mod output;
#[cfg(test)]
mod parser_tests;
mod program;
mod usage;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use banyan_catalog::{Catalog, descriptors};
use banyan_core::TextError;
pub use builtin::builtin;
use clap::FromArgMatches;
use clap::error::ErrorKind;
use command::{Cli, Command};
use commands::{
    accuracy, analyse, bench, book, calc, completions, engines, games, man, matches, openings, perft, play, players,
    review, serve, servers, show, solve, train, tui,
};
pub(crate) use exit::Exit;
use output::message;
use output::terminal::Terminal;

/// Runs the command with the arguments of the program and the games of `catalog`; the first game is the default of
/// `play` and UGI. Returns the exit code; an error of `catalog` is printed like any other.
///
/// Must be called first in `main`: it refuses processors that lack instructions of the build, and changes how the
/// process allocates memory and handles Ctrl-C, SIGTERM and SIGHUP.
pub fn run(catalog: fn() -> Result<Catalog, TextError>) -> ExitCode {
    // Before anything else: the other code may use instructions that an old processor does not have.
    match banyan_bits::cpu::check() {
        Ok(()) => run_command(catalog),
        Err(unsupported) => refuse(unsupported),
    }
}

#[inline(never)]
fn refuse(unsupported: banyan_bits::cpu::Unsupported) -> ExitCode {
    // If even this cannot be written, nothing can be done.
    let _ = writeln!(io::stderr(), "error: {unsupported}");
    ExitCode::from(2)
}

#[inline(never)]
fn run_command(catalog: fn() -> Result<Catalog, TextError>) -> ExitCode {
    heap::return_freed_memory();
    descriptors::raise_limit();
    banyan_core::threads::on_refusal(warn_of_refused_thread);
    #[cfg(target_os = "linux")]
    // If this fails, a process that hides from its engine may outlive it; no other may.
    let _ = banyan_protocols::process::adopt_strays();
    let catalog = match catalog() {
        Ok(catalog) => catalog,
        Err(err) => return failed(io::stderr(), &err.into()),
    };
    let mut command = command::with_games(&catalog);
    let parsed = command.try_get_matches_from_mut(env::args_os()).and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(err) => return refused_arguments(&err, command, &catalog),
    };
    // If the thread is refused, the command runs nevertheless, and signals have their default effect.
    let _ = interrupt::listen();
    let mut terminal = Terminal::new(cli.color, cli.ascii, cli.command.unread());
    terminal.warn_of_slow_build();
    let ended = dispatch(cli.command, &catalog, &mut terminal).and_then(|exit| {
        terminal.out.flush()?;
        Ok(exit)
    });
    interrupt::wait_if_ending();
    match ended {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(1),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        // The reader closed the pipe, as `| head` does.
        Err(err) if is_broken_pipe(&err) => ExitCode::SUCCESS,
        Err(err) => failed(terminal.err, &err),
    }
}

/// Warns of a refused thread. Results remain correct with fewer threads, but take longer.
fn warn_of_refused_thread(err: &io::Error) {
    // The search continues even if this cannot be written.
    let _ = writeln!(io::stderr(), "warning: the system refuses a thread ({err}); continuing with fewer");
}

/// Prints an error in one line.
fn failed(mut to: impl Write, err: &anyhow::Error) -> ExitCode {
    // If even this cannot be written, nothing can be done.
    let _ = writeln!(to, "error: {}", message::one_line(&format!("{err:#}")));
    ExitCode::from(2)
}

/// Prints help, the version, or the error in the arguments, in one line.
fn refused_arguments(err: &clap::Error, mut command: clap::Command, catalog: &Catalog) -> ExitCode {
    let is_help = !err.use_stderr() || err.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let printed = if is_help {
        err.print().and_then(|()| io::stdout().flush())
    } else {
        command.build();
        let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        writeln!(io::stderr(), "{}", message::one_line(&usage::in_words(err, &command, &args, catalog)))
    };
    match printed {
        Ok(()) => ExitCode::from(err.exit_code() as u8),
        Err(failed) if failed.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(err.exit_code() as u8),
        Err(failed) => {
            // If even this cannot be written, nothing can be done.
            let _ = writeln!(io::stderr(), "error: cannot write: {failed}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command, catalog: &Catalog, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    match command {
        Command::Play(args) => play::run(args, catalog, terminal),
        Command::Analyse(args) => analyse::run(&args, catalog, terminal),
        Command::Solve(args) => solve::run(&args, catalog, terminal),
        Command::Accuracy(args) => accuracy::run(&args, catalog, terminal),
        Command::Review(args) => review::run(&args, catalog, terminal),
        Command::Show(args) => show::run(&args, catalog, terminal),
        Command::Perft(args) => perft::run(&args, catalog, terminal),
        Command::Calc(args) => calc::run(&args, terminal),
        Command::Bench(args) => bench::run(&args, catalog, terminal),
        Command::Match(args) => frame::run(&*args, catalog, terminal),
        Command::Sweep(args) => frame::run(&*args, catalog, terminal),
        Command::Ablate(args) => frame::run(&*args, catalog, terminal),
        Command::Ladder(args) => frame::run(&*args, catalog, terminal),
        Command::Tune(args) => frame::run(&*args, catalog, terminal),
        Command::Rate(args) => frame::run(&*args, catalog, terminal),
        Command::Merge(args) => matches::merge::run(&args, catalog, terminal),
        Command::Train(args) => train::run(&args, catalog, terminal),
        Command::Book(args) => book::run(&args, catalog, terminal),
        Command::Openings(args) => openings::run(&args, catalog, terminal),
        Command::Gtp(args) => servers::gtp::run(&args, catalog),
        Command::Nboard(args) => servers::nboard::run(&args, catalog),
        Command::Sau(args) => servers::sau::run(&args, catalog),
        Command::Saiblo(args) => servers::saiblo::run(&args, catalog),
        Command::Botzone(args) => servers::botzone::run(&args, catalog),
        Command::Analysis(args) => servers::analysis::run(&args, catalog),
        Command::Tui(args) => tui::run(&args, catalog, terminal),
        Command::Serve(args) => serve::run(&args, catalog, terminal),
        Command::Games(args) => games::run(&args, catalog, terminal),
        Command::Players(args) => players::run(&args, catalog, terminal),
        Command::Engines(args) => engines::run(&args, catalog, terminal),
        Command::Ugi(args) => servers::ugi::run(&args, catalog, terminal),
        Command::StrategyHost(args) => servers::strategy_host::run(&args, catalog),
        Command::Completions(args) => completions::run(&args, &mut command::with_games(catalog), terminal),
        Command::Complete(args) => completions::complete(&args, command::with_games(catalog), catalog, terminal),
        Command::Man(args) => man::run(&args, command::with_games(catalog), terminal),
    }
}

fn is_broken_pipe(err: &anyhow::Error) -> bool {
    err.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|err| err.kind() == io::ErrorKind::BrokenPipe)
}
