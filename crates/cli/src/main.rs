//! The `banyan` command: reads arguments, calls the library, prints. Data goes to stdout, progress and errors to
//! stderr; exit codes are 0 success, 1 negative result, 2 error, 130 interrupted.

mod analyse;
mod analysis;
mod args;
mod bench;
mod bench_threads;
mod board;
mod botzone;
mod builtin;
mod calc;
mod clocks;
mod command;
mod completions;
mod engines;
mod game_words;
mod games;
mod gtp;
mod heap;
mod interactive_game;
mod interrupt;
mod live;
mod man;
mod match_;
mod match_args;
mod merge;
mod message;
mod nboard;
mod openings;
#[cfg(test)]
mod parser_tests;
mod participant;
mod perft;
mod play;
mod players;
mod prompt;
mod replay;
mod results;
mod saiblo;
mod sau;
mod search_progress;
mod server_args;
mod show;
mod signature;
mod solve;
mod strategy_host;
mod table;
mod terminal;
mod tree_file;
mod ugi;
mod wrap;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use command::{Cli, Command};
use terminal::Terminal;

/// How a command ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// The command succeeded.
    Done,
    /// The result is negative, as when a check fails.
    No,
    /// Ctrl-C was pressed.
    Interrupted,
}

fn main() -> ExitCode {
    // First of all: the other code may use instructions that an old processor does not have.
    match banyan_core::cpu::check() {
        Ok(()) => run_command(),
        Err(unsupported) => refuse(unsupported),
    }
}

#[inline(never)]
fn refuse(unsupported: banyan_core::cpu::Unsupported) -> ExitCode {
    // If even this cannot be written, nothing can be done.
    let _ = writeln!(io::stderr(), "error: {unsupported}");
    ExitCode::from(2)
}

#[inline(never)]
fn run_command() -> ExitCode {
    heap::return_freed_memory();
    #[cfg(target_os = "linux")]
    // Without this, only a process that hides from its engine may outlive it.
    let _ = banyan_protocols::process::adopt_strays();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => return usage(&err),
    };
    let mut terminal = Terminal::new(cli.color, cli.ascii);
    terminal.warn_of_slow_build();
    let ended = run(cli.command, &mut terminal).and_then(|exit| {
        terminal.out.flush()?;
        Ok(exit)
    });
    match ended {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(1),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        // The reader closed the pipe, as `| head` does.
        Err(err) if is_broken_pipe(&err) => ExitCode::SUCCESS,
        Err(err) => {
            // If even this cannot be written, nothing can be done.
            let _ = writeln!(terminal.err, "error: {}", message::one_line(&format!("{err:#}")));
            ExitCode::from(2)
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn usage(err: &clap::Error) -> ExitCode {
    let text = err.render().to_string();
    let short: Vec<String> = text.lines().map(message::one_line).collect();
    // Colours only where no argument has to be shortened.
    let printed = if err.use_stderr() && short.join("\n") != text.trim_end() {
        writeln!(io::stderr(), "{}", short.join("\n"))
    } else {
        err.print().and_then(|()| io::stdout().flush())
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

fn run(command: Command, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    match command {
        Command::Play(args) => play::run(args, terminal),
        Command::Analyse(args) => analyse::run(&args, terminal),
        Command::Solve(args) => solve::run(&args, terminal),
        Command::Show(args) => show::run(&args, terminal),
        Command::Perft(args) => perft::run(&args, terminal),
        Command::Calc(args) => calc::run(&args, terminal),
        Command::Bench(args) => bench::run(&args, terminal),
        Command::Match(args) => match_::run(&args, terminal),
        Command::Merge(args) => merge::run(&args, terminal),
        Command::Openings(args) => openings::run(&args, terminal),
        Command::Gtp(args) => gtp::run(&args),
        Command::Nboard(args) => nboard::run(&args),
        Command::Sau(args) => sau::run(&args),
        Command::Saiblo(args) => saiblo::run(&args),
        Command::Botzone(args) => botzone::run(&args),
        Command::Analysis(args) => analysis::run(&args),
        Command::Games(args) => games::run(&args, terminal),
        Command::Players(args) => players::run(&args, terminal),
        Command::Engines(args) => engines::run(&args, terminal),
        Command::Ugi => ugi::run(terminal),
        Command::StrategyHost(args) => strategy_host::run(&args),
        Command::Completions(args) => completions::run(&args, &mut Cli::command(), terminal),
        Command::Man(args) => man::run(&args, Cli::command(), terminal),
    }
}

fn is_broken_pipe(err: &anyhow::Error) -> bool {
    err.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|err| err.kind() == io::ErrorKind::BrokenPipe)
}
