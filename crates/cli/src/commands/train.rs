//! `banyan train`: learns an evaluation or a policy from games that Banyan plays against itself.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use banyan_catalog::{Catalog, ScoredPosition};
use banyan_core::TextError;
use banyan_formats::ScoredFile;
use banyan_review::accuracy::Accuracy;
use banyan_training::{
    Epoch, Fitted, MeanErrors, Target, TrainingFolder, TrainingObserver, TrainingPlan, Unit, play_games,
};
use clap::Args;
use indicatif::ProgressBar;

use crate::Exit;
use crate::input::args::check_threads;
use crate::input::level::LevelArg;
use crate::input::scored_file::read;
use crate::interrupt::{self, Interrupt};
use crate::output::search_progress::live_line;
use crate::output::table::Table;
use crate::output::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan train dots-and-boxes --out dots --games 20000 --threads 2
  banyan train dots-and-boxes:4x4 --out small --games 2000 --proven
  banyan train connect-four node-eval --out node-eval --games 20000
  banyan train connect-four:8-9x8-9 priors --out priors --budget playouts=3000
  banyan train reversi --out rev --games 20000 --generations 3 --threads 2
  banyan train reversi --out rev --games 20000 --generations 3 --measure a.obf
  banyan train connect-four priors --games 20000 --shard 1/4 --out part-1

Dots and Boxes has the evaluations structure and windows. Connect Four has the
evaluation node-eval and the policy priors, fitted to the visits of searches;
both by default on boards of 9 to 12 rows and columns with a hole. Reversi has
the evaluation patterns, on 8x8.

The folder holds train.toml (the plan), games.txt (a line for each game),
curve.csv and curve.svg (the errors after each epoch), weights.bin, the same
as the game embeds it, where it does, and measured.csv (what --measure found).
The same command resumes after an interruption; with more --games, it plays
the rest.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrainArgs {
    /// The game, with its board or a range of boards; the games with evaluations are listed below.
    game: String,

    /// What to learn; the first of the game by default.
    evaluation: Option<String>,

    /// Folder of the training: a new one, or one to resume.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Games to play.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    games: u64,

    /// Player of the moves that are learned from.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    #[command(flatten)]
    level: LevelArg,

    /// Its search limit: nodes=N, playouts=N or depth=N.
    #[arg(long, value_name = "LIMIT")]
    budget: Option<String>,

    /// Player of the first moves; by default of priors they are drawn by their visits.
    #[arg(long, value_name = "PLAYER")]
    opening: Option<String>,

    /// Number of these moves: every game draws one from this range. The default is that of the usual board; where each board has its
    /// own weights, a smaller one has the same share of its plies.
    #[arg(long, value_name = "A..B", value_parser = range)]
    opening_plies: Option<[u16; 2]>,

    /// Draw one in N later moves by its visits; 0 for none.
    #[arg(long, value_name = "N")]
    explore: Option<u32>,

    /// Plies left in the positions that are learned from. The default is scaled in the same way.
    #[arg(long, value_name = "A..B", value_parser = range)]
    plies_left: Option<[u16; 2]>,

    /// Learn only from positions whose value the player proved.
    #[arg(long)]
    proven: bool,

    /// Part of what follows in the label of a position for which a search expected a margin: 1 for the outcome alone, 0 for what was
    /// expected.
    #[arg(long, value_name = "PART")]
    lambda: Option<f32>,

    /// File with a position a line that is not learned from, nor its images; may be repeated. A position is as `banyan show` prints
    /// it, or in Reversi a board line, such as a line of an OBF file. Empty lines and those with # or % in front are skipped.
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,

    /// Train N times, each time with twice as many games, played with the weights of the time before.
    #[arg(long, value_name = "N")]
    generations: Option<u32>,

    /// File of positions with exact scores (Reversi: OBF), which are not learned from: they measure the weights, of each generation,
    /// by searches of depth 4.
    #[arg(long, value_name = "FILE")]
    measure: Option<PathBuf>,

    /// Folder of another training of the same evaluation, whose games are learned from too; may be repeated.
    #[arg(long, value_name = "DIR")]
    also: Vec<PathBuf>,

    /// Epochs: passes over all positions.
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// How strongly points are held near 0 where few positions tell them; 0 for a fit by AdaGrad, which holds nothing back.
    #[arg(long, value_name = "STRENGTH")]
    ridge: Option<f32>,

    /// How strongly the weights of a stage of the game are held near those of the next, where there are stages and a ridge.
    #[arg(long, value_name = "STRENGTH")]
    smoothness: Option<f32>,

    /// Size of the first step of a weight, in points or logits.
    #[arg(long, default_value_t = 0.05, value_name = "STEP")]
    rate: f32,

    /// Random seed.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Only play part I of N of the games, such as 1/4; `banyan merge` combines the parts, and the same command without this learns from
    /// them.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["generations", "measure"])]
    shard: Option<String>,

    /// Threads that play.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,
}

/// A range such as `36..50`, both ends included.
fn range(text: &str) -> Result<[u16; 2], String> {
    let number = |text: &str| text.parse::<u16>().ok();
    let ends = text.split_once("..").and_then(|(least, most)| Some([number(least)?, number(most)?]));
    ends.ok_or_else(|| "expected two numbers such as 36..50".to_owned())
}

impl TrainArgs {
    fn plan(&self, catalog: &Catalog) -> Result<TrainingPlan> {
        check_threads(self.threads)?;
        let usual = TrainingPlan::usual(catalog, &self.game, self.evaluation.as_deref())?;
        Ok(TrainingPlan {
            opening: self.opening.clone().or(usual.opening),
            opening_plies: self.opening_plies.unwrap_or(usual.opening_plies),
            player: self.level.name().map(str::to_owned).or(self.player.clone()).unwrap_or(usual.player),
            budget: self.budget.clone().unwrap_or(usual.budget),
            explore: self.explore.unwrap_or(usual.explore),
            plies_left: self.plies_left.unwrap_or(usual.plies_left),
            games: self.games,
            seed: self.seed,
            shard: self.shard.clone(),
            proven: self.proven,
            lambda: self.lambda.unwrap_or(usual.lambda),
            exclude: self.exclude.iter().chain(&self.measure).map(|file| file.display().to_string()).collect(),
            also: self.also.iter().map(|folder| folder.display().to_string()).collect(),
            epochs: self.epochs.unwrap_or(usual.epochs),
            ridge: self.ridge.unwrap_or(usual.ridge),
            smoothness: self.smoothness.unwrap_or(usual.smoothness),
            rate: self.rate,
            ..usual
        })
    }
}

/// The positions of a file, all with scores.
fn scored(path: &Path, game: &str, catalog: &Catalog) -> Result<Vec<ScoredPosition>> {
    let (name, _) = game.split_once(':').unwrap_or((game, ""));
    // A game without such files is refused first.
    ScoredFile::of(&catalog.game(name)?)?;
    let several = |_| TextError::new(game, "expected one board with --measure", "name one with the game");
    let positions = read(path, &catalog.game(game).map_err(several)?)?;
    positions.iter().try_for_each(|position| position.exact().map(drop)).map_err(|err| err.at(path.display()))?;
    Ok(positions)
}

/// Exits with 130 if interrupted.
pub(crate) fn run(args: &TrainArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let plan = args.plan(catalog)?;
    let positions = args.measure.as_deref().map(|path| scored(path, &plan.game, catalog)).transpose()?;
    let trainer = Trainer { args, catalog, positions, interrupt: Interrupt::install() };
    interrupt::set_resume("the same command resumes");
    if args.shard.is_some() {
        return trainer.play_part(TrainingFolder::open(&args.out, plan, catalog)?, terminal);
    }
    let Some(n_generations) = args.generations else {
        let trained = trainer.train(TrainingFolder::open(&args.out, plan, catalog)?, terminal)?;
        return Ok(if trained.is_some() { Exit::Done } else { Exit::Interrupted });
    };
    if n_generations == 0 {
        return Err(TextError::new("--generations 0", "expected at least 1", "try --generations 3").into());
    }
    let path_of = |number: u32| args.out.join(format!("generation-{number}"));
    let measured: &[&str] = if args.measure.is_some() { &[">measured error", ">best move, %"] } else { &[] };
    let headings =
        ["generation", ">games", ">positions", ">validation error"].iter().chain(measured).chain(&["weights"]);
    let mut table = Table::new(1, &headings.collect::<Vec<_>>());
    // A refused path is reported before the first game.
    let plans = (0..n_generations).map(|number| plan.generation(number, path_of)).collect::<Result<Vec<_>, _>>()?;
    for (number, plan) in (0..).zip(plans) {
        let folder = TrainingFolder::open(&path_of(number), plan, catalog)?;
        let games = folder.plan().games;
        writeln!(terminal.out, "generation {number}:")?;
        let Some((fitted, accuracy)) = trainer.train(folder, terminal)? else { return Ok(Exit::Interrupted) };
        let error = format!("{:.3}", fitted.errors.all.learned);
        let cells = [number.to_string(), games.to_string(), fitted.n_positions.to_string(), error];
        let measured = accuracy.iter().flat_map(measured_cells);
        table.add_row(cells.into_iter().chain(measured).chain([fitted.fingerprint.to_string()]));
    }
    write!(terminal.out, "{}", table.text(terminal.width))?;
    Ok(Exit::Done)
}

/// The mean absolute error and the share of best moves in percent, with intervals.
fn measured_cells(accuracy: &Accuracy) -> [String; 2] {
    let percent = accuracy.best_moves().map(|share| Some(100.0 * share));
    [format!("{:.2}", accuracy.error()), percent.to_string()]
}

/// The common data of all generations.
struct Trainer<'a> {
    args: &'a TrainArgs,
    catalog: &'a Catalog,
    /// The positions on which the weights are measured.
    positions: Option<Vec<ScoredPosition>>,
    interrupt: Interrupt,
}

impl Trainer<'_> {
    /// Plays the games of a part.
    fn play_part(&self, mut folder: TrainingFolder, terminal: &mut Terminal) -> Result<Exit> {
        note_cut_off(&folder, terminal)?;
        let unit = Unit::of(folder.target(self.catalog)?);
        let progress = Progress { line: live_line(), unit, interrupt: &self.interrupt };
        let is_played = play_games(&mut folder, self.catalog, self.args.threads, &progress)?;
        drop(progress);
        let (n, of, part) = (folder.n_games(), folder.plan().games_of_part()?, folder.plan().part()?);
        if !is_played {
            writeln!(terminal.err, "interrupted after {n} of {of} games of part {part}; the same command resumes")?;
            return Ok(Exit::Interrupted);
        }
        let folder = self.args.out.display();
        writeln!(terminal.out, "{n} games of part {part} in {folder}; combine the parts with `banyan merge`")?;
        Ok(Exit::Done)
    }

    /// Plays the games of a folder, fits weights to them, measures the weights and reports; `None` if interrupted.
    fn train(&self, mut folder: TrainingFolder, terminal: &mut Terminal) -> Result<Option<(Fitted, Option<Accuracy>)>> {
        note_cut_off(&folder, terminal)?;
        let Some((fitted, accuracy)) = self.learn(&mut folder)? else {
            let (n, of) = (folder.n_games(), folder.plan().games);
            writeln!(terminal.err, "interrupted after {n} of {of} games; the same command resumes")?;
            return Ok(None);
        };
        write!(terminal.out, "{}", report(&fitted, terminal.width))?;
        let path = |name: &str| folder.file(name).display().to_string();
        let embedded = fitted.embedded.map_or(String::new(), |name| format!(" and {}", path(name)));
        let (weights, curve) = (path("weights.bin"), path("curve.svg"));
        writeln!(terminal.out, "weights {} in {weights}{embedded}, curve in {curve}", fitted.fingerprint)?;
        if let Some((accuracy, file)) = accuracy.as_ref().zip(self.args.measure.as_ref()) {
            let ([error, best], player) = (measured_cells(accuracy), folder.subject()?.player);
            writeln!(terminal.out, "{player} on {}: mean absolute error {error}, best move {best} %", file.display())?;
        }
        Ok(Some((fitted, accuracy)))
    }

    /// Plays the games of a folder, fits weights to them and measures the weights; `None` if interrupted.
    fn learn(&self, folder: &mut TrainingFolder) -> Result<Option<(Fitted, Option<Accuracy>)>> {
        let unit = Unit::of(folder.target(self.catalog)?);
        let progress = Progress { line: live_line(), unit, interrupt: &self.interrupt };
        if self.positions.is_some() {
            // Weights that cannot be measured are refused before the first game.
            folder.subject()?;
        }
        if !play_games(folder, self.catalog, self.args.threads, &progress)? {
            return Ok(None);
        }
        let Some(fitted) = folder.fit(self.catalog, &progress)? else { return Ok(None) };
        let Some(positions) = &self.positions else { return Ok(Some((fitted, None))) };
        let accuracy = folder.measure(self.catalog, &fitted, positions, &progress)?;
        Ok(accuracy.map(|accuracy| (fitted, Some(accuracy))))
    }
}

/// Prints a note that an incomplete last line of the games was removed.
fn note_cut_off(folder: &TrainingFolder, terminal: &mut Terminal) -> Result<()> {
    if let Some(bytes) = folder.cut_off() {
        let games = folder.file("games.txt");
        let games = games.display();
        writeln!(terminal.err, "note: {games} ends with an incomplete line ({bytes} bytes); that game is replayed")?;
    }
    Ok(())
}

fn report(fitted: &Fitted, width: usize) -> String {
    let columns: &[Column] = match fitted.target {
        Target::Points => &POINTS,
        Target::Result => &RESULT,
        Target::Visits => &VISITS,
    };
    let headings: Vec<&str> =
        ["plies left", "validation positions"].into_iter().chain(columns.iter().map(|column| column.0)).collect();
    let mut rows = Table::new(1, &headings);
    for (left, errors) in fitted.rows() {
        let left =
            left.map_or(
                "all".to_owned(),
                |[least, most]| {
                    if least == most { least.to_string() } else { format!("{least}..{most}") }
                },
            );
        rows.add_row([left, errors.n.to_string()].into_iter().chain(columns.iter().map(|column| column.1(&errors))));
    }
    let (n, meaning) = (fitted.n_positions, Unit::of(fitted.target).meaning());
    let excluded = if fitted.n_excluded > 0 { format!(", {} excluded", fitted.n_excluded) } else { String::new() };
    format!("learned from {n} positions{excluded}; {meaning}:\n{}", rows.text(width))
}

/// A column of the report: its heading, and the text of its cell.
type Column = (&'static str, fn(&MeanErrors) -> String);

const POINTS: [Column; 3] = [
    ("learned", |errors| format!("{:.2}", errors.learned)),
    ("static eval", |errors| format!("{:.2}", errors.known)),
    ("score", |errors| format!("{:.2}", errors.zero)),
];

const RESULT: [Column; 2] =
    [("learned", |errors| format!("{:.3}", errors.learned)), ("even chances", |errors| format!("{:.3}", errors.zero))];

const VISITS: [Column; 4] = [
    ("learned", |errors| format!("{:.3}", errors.learned)),
    ("entropy", |errors| format!("{:.3}", errors.known)),
    ("uniform", |errors| format!("{:.3}", errors.zero)),
    ("top-1", |errors| format!("{:.1} %", 100.0 * errors.hits)),
];

/// A live line, which stops on Ctrl-C.
struct Progress<'a> {
    line: ProgressBar,
    unit: Unit,
    interrupt: &'a Interrupt,
}

impl TrainingObserver for Progress<'_> {
    fn stopped(&self) -> bool {
        self.interrupt.pressed()
    }

    fn played(&self, games: u64, of: u64) {
        self.line.set_message(format!("{games} of {of} games"));
    }

    fn fitted(&self, epoch: &Epoch) {
        let Epoch { number, training, validation } = epoch;
        let what = self.unit.meaning();
        self.line.set_message(format!("epoch {number}: {what}: validation {validation:.3}, training {training:.3}"));
    }

    fn measured(&self, positions: u64, of: u64) {
        self.line.set_message(format!("measured on {positions} of {of} positions"));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
