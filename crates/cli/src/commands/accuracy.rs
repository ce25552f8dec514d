//! `banyan accuracy`: compares a player's values and moves with the exact scores of positions in files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use banyan_catalog::strength::{Span, span};
use banyan_catalog::view::{VERSION, json_line};
use banyan_catalog::{AnyGame, Budget, Catalog, ScoredPosition, Session};
use banyan_core::TextError;
use banyan_review::accuracy::{Accuracy, AccuracyError, Subject};
use clap::Args;
use serde::Serialize;

use crate::Exit;
use crate::input::engine_file::{self, EngineFile};
use crate::input::level::LevelArg;
use crate::input::scored_file::read;
use crate::interrupt::Interrupt;
use crate::output::search_progress::SearchProgress;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::work::{mean_time, rate};

const EXAMPLES: &str = "\
Examples:
  banyan accuracy reversi pvs:depth=4 --file endgames.obf
  banyan accuracy reversi mcgs --budget playouts=1000 --file a.obf --file b.obf
  banyan accuracy connect-four mcgs --budget playouts=1000 --file positions.txt

Error: the value of the position in points against its best exact score. Best
move: the position after each move is searched, and the move with the best
value has the best exact score. `banyan solve` makes such files.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AccuracyArgs {
    /// Game (see `banyan games`).
    game: String,

    /// Player (see `banyan players`) or engine (see `banyan engines`) that searches.
    #[arg(required_unless_present = "level")]
    player: Option<String>,

    #[command(flatten)]
    level: LevelArg,

    /// File of positions with exact scores (Reversi: OBF; Connect Four: moves and score); several by several options.
    #[arg(long, value_name = "FILE", required = true)]
    file: Vec<PathBuf>,

    /// Limit of each search, such as depth=4, playouts=1000, nodes=1e5 or 100ms [default: the depth of the player, as in
    /// pvs:depth=4].
    #[arg(long)]
    budget: Option<Budget>,

    /// Random seed of each search.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON object for each file.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    engines: EngineFile,
}

/// A file as printed by `--json`.
#[derive(Serialize)]
struct FileAccuracy {
    v: u32,
    game: String,
    player: String,
    budget: Option<String>,
    file: String,
    positions: u64,
    error: Span,
    best_move: Span,
    nodes: u64,
    elapsed_ms: f64,
}

impl FileAccuracy {
    fn new(args: &AccuracyArgs, game: &str, subject: &Subject, path: &Path, accuracy: &Accuracy) -> FileAccuracy {
        FileAccuracy {
            v: VERSION,
            game: game.to_owned(),
            player: subject.player.to_string(),
            budget: args.budget.map(|budget| budget.to_string()),
            file: path.display().to_string(),
            positions: accuracy.positions,
            error: span(accuracy.error(), 6),
            best_move: span(accuracy.best_moves(), 6),
            nodes: accuracy.nodes,
            elapsed_ms: (accuracy.elapsed_ms * 1000.0).round() / 1000.0,
        }
    }
}

/// Exits with 130 if interrupted; the results so far are printed.
pub(crate) fn run(args: &AccuracyArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    // All errors in the files are reported before the first search.
    let files = args.file.iter().map(|path| Ok((path.as_path(), scored(path, &game)?)));
    let files: Vec<(&Path, Vec<ScoredPosition>)> = files.collect::<Result<_>>()?;
    let subject = subject(args, &files[0].1[0].open(&game)?)?;
    let interrupt = Interrupt::install();
    let unit = catalog.tables(&args.game).map_or("points", |tables| tables.unit.many);
    let error = format!(">mean absolute error, {unit}");
    let heads = ["file", ">positions", &error, ">best move, %", ">time", ">mean time", ">nodes", ">rate"];
    let mut rows = Table::new(1, &heads);
    for (path, positions) in &files {
        let accuracy = measure(&subject, &game, path, positions, &interrupt)?;
        if args.json {
            let view = FileAccuracy::new(args, &game.spec(), &subject, path, &accuracy);
            writeln!(terminal.out, "{}", json_line(&view))?;
            terminal.out.flush()?;
        } else {
            rows.add_row(row(path, &accuracy));
        }
        if interrupt.pressed() {
            break;
        }
    }
    if !args.json {
        write!(terminal.out, "{}", rows.text(terminal.width))?;
    }
    if interrupt.pressed() {
        writeln!(terminal.err, "interrupted; the last file is measured in part")?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// The player, checked to be able to search from the position `at` within its limits.
fn subject(args: &AccuracyArgs, at: &Session) -> Result<Subject> {
    let player =
        at.in_game(&args.engines.players()?.player(args.level.or(args.player.as_deref().unwrap_or_default()))?)?;
    let budget = args.budget.unwrap_or_default();
    player.check(&budget).map_err(|err| match args.budget {
        Some(_) => err,
        None => {
            let expected = "expected --budget, because the player has no depth of its own";
            TextError::new(format!("player {player}"), expected, "add --budget depth=4 or playouts=1000")
        }
    })?;
    player.refuse_unused(&budget)?;
    engine_file::try_out(&player, at, &budget)?;
    Ok(Subject { player, limits: budget.first_limits(), seed: args.seed })
}

/// A file as a row of the table.
fn row(path: &Path, accuracy: &Accuracy) -> [String; 8] {
    let percent = accuracy.best_moves().map(|share| Some(100.0 * share));
    [
        path.display().to_string(),
        accuracy.positions.to_string(),
        format!("{:.2}", accuracy.error()),
        percent.to_string(),
        format!("{:.1} s", accuracy.elapsed_ms / 1000.0),
        mean_time(accuracy.elapsed_ms, accuracy.positions),
        accuracy.nodes.to_string(),
        rate(accuracy.nodes, accuracy.elapsed_ms),
    ]
}

/// The positions of a file, all with scores and not over.
fn scored(path: &Path, game: &AnyGame) -> Result<Vec<ScoredPosition>> {
    let positions = read(path, game)?;
    let check = |position: &ScoredPosition| position.open_unfinished(game).and_then(|_| position.exact()).map(drop);
    positions.iter().try_for_each(check).map_err(|err| err.at(path.display()))?;
    Ok(positions)
}

fn measure(
    subject: &Subject,
    game: &AnyGame,
    path: &Path,
    positions: &[ScoredPosition],
    interrupt: &Interrupt,
) -> Result<Accuracy> {
    let mut accuracy = Accuracy::default();
    let mut progress = SearchProgress::of_many(interrupt);
    for position in positions {
        let so_far = format!("error {:.2}, best move {:.2}", accuracy.error(), accuracy.best_moves());
        let n = accuracy.positions;
        // The path comes last, because it may be longer than the line.
        progress.set_message(format!("{n} of {} positions, {so_far}, {}", positions.len(), path.display()));
        match subject.attempt(game, position, &mut progress) {
            Ok(attempt) => accuracy.add(&attempt),
            Err(AccuracyError::Stopped) => break,
            Err(_) if interrupt.pressed() => break,
            Err(AccuracyError::Position(err)) => return Err(err.at(path.display()).into()),
            Err(AccuracyError::Settings(err)) => return Err(err.into()),
            Err(AccuracyError::Player(fault)) => {
                return Err(anyhow!("{}: line {}: {}: {fault}", path.display(), position.line, subject.player));
            }
        }
    }
    Ok(accuracy)
}
