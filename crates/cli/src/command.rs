//! The subcommands of `banyan`.

use banyan_catalog::Catalog;
use banyan_formats::{FORMS, Form};
use clap::builder::ArgPredicate;
use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::{
    accuracy, analyse, bench, book, calc, completions, engines, games, man, matches, openings, perft, play, players,
    review, serve, servers, show, solve, train, tui,
};
use crate::input::args::Color;
use crate::output::terminal::Unread;

const EXAMPLES: &str = "\
Examples:
  banyan play                                  Connect Four against the computer
  banyan play reversi --first greedy --second human
  banyan analyse connect-four:10x11,hole=d3 --moves \"5 6 5\"
  banyan analyse dots-and-boxes:3x3 --budget playouts=100000 --json
  banyan solve dots-and-boxes:3x3
  banyan match reversi uct uct:c=0.5 --pairs 100
  banyan perft reversi --depth 9

Exit codes: 0 success, 1 negative result (no best move, not solved, check
failed), 2 error, 130 interrupted, 143 or 129 ended by SIGTERM or SIGHUP.";

/// The version, and the instruction set of the build.
const VERSION: &str = if banyan_bits::cpu::IS_V3 {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v3)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (portable)")
};

/// Monte Carlo search for two-player board games: Connect Four, Reversi, Dots and Boxes, and your own.
#[derive(Debug, Parser)]
#[command(name = "banyan", version = VERSION, after_help = EXAMPLES, max_term_width = 80)]
pub(crate) struct Cli {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 100)]
    pub(crate) color: Color,

    /// Draw boards with ASCII characters only.
    #[arg(long, global = true, display_order = 101)]
    pub(crate) ascii: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game in the terminal.
    Play(play::PlayArgs),
    /// Search a position and print the best moves.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Compute the exact value of a position and all best moves.
    Solve(solve::SolveArgs),
    /// Review a recorded game: what every move loses, and what was better.
    Review(review::ReviewArgs),
    /// Compare the values and moves of a player with exact scores.
    Accuracy(accuracy::AccuracyArgs),
    /// Run a match between players and report the result.
    Match(Box<matches::MatchArgs>),
    /// Vary settings of a player on common openings and fit the optimum.
    Sweep(Box<matches::SweepArgs>),
    /// Switch features of a player off, or candidates on, one at a time, and compare.
    Ablate(Box<matches::AblateArgs>),
    /// Tune several settings of a player, and confirm the result.
    Tune(Box<matches::TuneArgs>),
    /// Rate a pool of players on one scale, playing the most informative pairs.
    Rate(Box<matches::RateArgs>),
    /// Play a player against the ten levels of a game, and report its place.
    Ladder(Box<matches::LadderArgs>),
    /// Merge the parts of a match, training or other work.
    Merge(matches::merge::MergeArgs),
    /// Learn an evaluation from games that Banyan plays against itself.
    Train(train::TrainArgs),
    /// Make an opening book by searches, and show what it knows.
    Book(book::BookArgs),
    /// Draw a position or a recorded game; show the result of a folder, or list its games.
    Show(show::ShowArgs),
    /// Play, analyse, review and watch matches on the whole terminal.
    Tui(Box<tui::TuiArgs>),
    /// Show the page in a browser: play, analyse, review and watch matches.
    Serve(Box<serve::ServeArgs>),
    /// Count the move sequences of a given length.
    Perft(perft::PerftArgs),
    /// Compute Elo intervals and sequential tests from game counts.
    Calc(calc::CalcArgs),
    /// Generate and check openings for matches.
    Openings(openings::OpeningsArgs),
    /// Measure speed and memory, and compute the search signature.
    Bench(bench::BenchArgs),
    /// Reversi engine for the Go Text Protocol (GTP).
    Gtp(servers::gtp::GtpArgs),
    /// Reversi engine for NBoard, protocol version 2.
    Nboard(servers::nboard::NboardArgs),
    /// Dots and Boxes engine for the SAU game platform.
    Sau(servers::sau::SauArgs),
    /// Connect Four engine for Saiblo (1 thread, under 1 GB, 2.7 s per move).
    Saiblo(servers::saiblo::SaibloArgs),
    /// Reversi engine for Botzone's JSON protocol.
    Botzone(servers::botzone::BotzoneArgs),
    /// Analysis server: reads queries as JSON lines and searches them in parallel.
    Analysis(servers::analysis::AnalysisArgs),
    /// List the games.
    Games(games::GamesArgs),
    /// List the players and their settings.
    Players(players::PlayersArgs),
    /// List the external engines of engines.toml, or check one.
    Engines(engines::EnginesArgs),
    /// Engine for the Universal Game Interface (UGI), for all games.
    Ugi(servers::ugi::UgiArgs),
    /// Run a Connect Four strategy library as a UGI engine. Matches start it automatically.
    #[command(name = "strategy-host")]
    StrategyHost(servers::strategy_host::StrategyHostArgs),
    /// Print a shell completion script.
    Completions(completions::CompletionsArgs),
    /// Print what may stand at the cursor; called by the scripts of `completions`.
    #[command(hide = true)]
    Complete(completions::CompleteArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(man::ManArgs),
}

impl Command {
    /// The behaviour when the output is closed by its reader. A command that writes files or answers by its exit code
    /// never exits with code 0 before its work is done.
    pub(crate) fn unread(&self) -> Unread {
        match self {
            Command::Solve(args) if args.file.is_some() && args.out.is_none() => Unread::Fail,
            Command::Accuracy(_) => Unread::Fail,
            Command::Bench(args) if !args.check => Unread::End,
            Command::Openings(args) if args.only_prints() => Unread::End,
            Command::Solve(_)
            | Command::Analyse(_)
            | Command::Show(_)
            | Command::Review(_)
            | Command::Match(_)
            | Command::Sweep(_)
            | Command::Ablate(_)
            | Command::Tune(_)
            | Command::Rate(_)
            | Command::Ladder(_)
            | Command::Merge(_)
            | Command::Calc(_)
            | Command::Train(_)
            | Command::Book(_)
            | Command::Openings(_)
            | Command::Bench(_)
            | Command::Engines(_)
            | Command::Serve(_) => Unread::Continue,
            _ => Unread::End,
        }
    }
}

/// The command with the help and the defaults that depend on the games and on the kinds of folders.
pub(crate) fn with_games(catalog: &Catalog) -> clap::Command {
    let first = catalog.first_game();
    let mut command = crate::frame::describe(Cli::command());
    for reader in ["show", "analyse"] {
        command =
            command.mut_subcommand(reader, |reader| reader.mut_arg("record", |record| record.long_help(records())));
    }
    let written = Form::written().map(|form| form.name).collect::<Vec<_>>().join(", ");
    let written = format!("Print only the game or its position in this form: {written}");
    command = command.mut_subcommand("show", |show| show.mut_arg("form", |form| form.help(written)));
    for player in ["play", "tui"] {
        command = command.mut_subcommand(player, |command| {
            command.mut_arg("game", |game| {
                // The moves, the position or the opening show the game.
                let shown = ["moves", "position", "opening"].map(|place| (place, ArgPredicate::IsPresent, None));
                game.default_value(first).default_value_ifs(shown)
            })
        });
    }
    crate::help::in_groups(command)
}

/// The help of `--record`: every form.
fn records() -> String {
    let forms: Vec<&str> = FORMS.iter().map(|form| form.about).collect();
    let first =
        "A recorded game or position: the path of a file or a folder, or the text itself, in one of these forms: ";
    format!("{first}{} (docs/playing.md)", forms.join("; "))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_arguments_contradict_nothing() {
        super::with_games(&crate::builtin()).debug_assert();
    }

    /// Calls `check` with every command and its name.
    fn each(command: &clap::Command, name: &str, check: &dyn Fn(&clap::Command, &str)) {
        check(command, name);
        command.get_subcommands().for_each(|sub| each(sub, &format!("{name} {}", sub.get_name()), check));
    }

    #[test]
    fn help_breaks_no_word_and_no_example() {
        let mut banyan = super::with_games(&crate::builtin());
        banyan.build();
        each(&banyan, "banyan", &|command, name| {
            for is_long in [false, true] {
                let page = |width: usize| {
                    let mut command = command.clone().term_width(width);
                    let page = if is_long { command.render_long_help() } else { command.render_help() };
                    page.to_string()
                };
                let (page, wide) = (page(80), page(1000));
                let too_long = page.lines().find(|line| line.chars().count() > 80);
                assert_eq!(too_long, None, "{name}:\n{page}");
                assert!(page.split_whitespace().eq(wide.split_whitespace()), "{name}:\n{page}");
                let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(page.contains(&examples), "{name}: a line of these is too long:\n{examples}");
            }
        });
    }
}
