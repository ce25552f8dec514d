//! `banyan review`: the loss of every move of a recorded game.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail};
use banyan_catalog::view::json_line;
use banyan_catalog::{Budget, Catalog, Means, Session};
use banyan_core::{Margin, TextError};
use banyan_formats::Recorded;
use banyan_review::{
    Mark, Review, ReviewError, ReviewPlan, ReviewUnit, ReviewedMove, Reviewer, curve_picture, loss_in_words, page,
    reasons_in_words, side_names, value_in_words,
};
use banyan_texts::Language;
use clap::Args;
use textwrap::core::display_width;

use super::solve::LARGEST_TABLE;
use crate::Exit;
use crate::commands::game_list::GameListArgs;
use crate::input::args::check_threads;
use crate::input::engine_file::{self, EngineFile};
use crate::input::language::LanguageArg;
use crate::input::level::LevelArg;
use crate::input::replay;
use crate::interrupt::Interrupt;
use crate::output::board;
use crate::output::message::escaped;
use crate::output::output_file;
use crate::output::search_progress::{SearchProgress, principal_variation};
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::wrap::lines_of_words;

const EXAMPLES: &str = "\
Examples:
  banyan review game.json
  banyan review runs/first:12.1 --budget 2s --html review.html
  banyan review WTH_2024.wtb:3 --plies 30..60 --json
  banyan review runs/first --list --of uct --result lost

Value: of the best move, for the side that moves. Loss: what the move made loses
against it, in points, in Connect Four in percent of the point. = is proven.
Marks (?! ? ??) go by what a move loses of the expected result, column %.
The last moves are reviewed first; the opening of a match is left out.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReviewArgs {
    /// A recorded game, as `banyan show --record` takes it, and which game of it: of a match the pair and 0 or 1, as in
    /// runs/first:12.1; of a transcript or a file of games its number from 1 [default: the first].
    #[arg(value_name = "FILE[:N]")]
    file: OsString,

    /// Board of a transcript that does not name it, such as dots-and-boxes:3x3.
    #[arg(long, value_name = "GAME")]
    board: Option<String>,

    /// Player (see `banyan players`) or engine (see `banyan engines`) that values positions that are not proven.
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER)]
    player: String,

    #[command(flatten)]
    level: LevelArg,

    /// Limit for each position, proof and search together: 1s, 200ms, playouts=10000, nodes=1e6.
    #[arg(long, default_value = "500ms")]
    budget: Budget,

    /// Review only these moves of the game, such as 20..40, from 1.
    #[arg(long, value_name = "FROM..TO")]
    plies: Option<Plies>,

    /// Maximum size of the solver's table in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB", allow_negative_numbers = true)]
    table: u32,

    /// Threads of proofs; a player has a setting of its own, best:threads=2.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,

    /// Random seed. The same seed and playout budget give the same result.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON object (docs/json.md).
    #[arg(long)]
    json: bool,

    /// Also write the review to this file as one HTML page with boards to step through.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Also write the course of the game to this file as a picture: the value of every position, with the marked moves.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    language: LanguageArg,

    #[command(flatten)]
    games: GameListArgs,

    #[command(flatten)]
    engines: EngineFile,
}

/// Moves of a game, from 1; up to its last move if no end is given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plies(RangeInclusive<usize>);

impl FromStr for Plies {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Plies, TextError> {
        let end = |text: &str, default: usize| if text.is_empty() { Some(default) } else { text.parse().ok() };
        let ends = text.split_once("..").and_then(|(from, to)| end(from, 1).zip(end(to, usize::MAX)));
        let plies = ends.filter(|&(from, to)| 1 <= from && from <= to).map(|(from, to)| Plies(from..=to));
        plies.ok_or_else(|| TextError::new(text, "expected two move numbers from 1, FROM..TO", "try 1..20"))
    }
}

impl ReviewArgs {
    fn check(&self) -> Result<()> {
        if self.budget.game.is_some() {
            let found = format!("--budget {}", self.budget);
            bail!(TextError::new(found, "expected a limit for each position, not for a game", "try 500ms"));
        }
        if !(1..=LARGEST_TABLE).contains(&self.table) {
            let expected = format!("expected 1 .. {LARGEST_TABLE} MiB");
            bail!(TextError::new(format!("--table {}", self.table), expected, "try --table 256"));
        }
        check_threads(self.threads)?;
        self.html.as_deref().map_or(Ok(()), |path| output_file::check_extension("--html", path, "html"))?;
        self.svg.as_deref().map_or(Ok(()), |path| output_file::check_extension("--svg", path, "svg"))?;
        Ok(())
    }

    fn plan(&self, recorded: &Recorded) -> Result<ReviewPlan> {
        let session = &recorded.session;
        let player = session.in_game(&self.engines.players()?.player(self.level.or(&self.player))?)?;
        player.check(&self.budget)?;
        player.refuse_unused(&self.budget)?;
        engine_file::try_out(&player, session, &self.budget)?;
        Ok(ReviewPlan {
            player,
            budget: self.budget.to_string(),
            limits: self.budget.first_limits(),
            means: Means { table_mib: self.table, threads: self.threads },
            seed: self.seed,
            plies: self.plies.clone().map(|plies| plies.0),
            opening_plies: recorded.opening_plies,
        })
    }
}

/// Exits with 130 if interrupted; the review so far is printed and written.
pub(crate) fn run(args: &ReviewArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    args.check()?;
    let language = args.language.language();
    terminal.language = language;
    let (path, id) = replay::file_and_game(&args.file)?;
    if args.games.list {
        return args.games.print(catalog, (&path, id), args.json, terminal);
    }
    let recorded = replay::open(catalog, &path, id, args.board.as_deref())?;
    let plan = args.plan(&recorded)?;
    let outcome = board::outcome(language, &recorded.session);
    let interrupt = Interrupt::install();
    let Recorded { session, players, mut about, .. } = recorded;
    about.extend(session.named_opening().map(|opening| ("opening", opening.name().to_owned())));
    let mut reviewer = open(session, plan)?;
    let pictures = match &args.html {
        Some(_) => Some(reviewer.pictures().context("the game has no board to draw; leave out --html")?),
        None => None,
    };
    value_positions(&mut reviewer, (&interrupt, language), &|_| false)?;
    let review = reviewer.review(players);
    if let Some((path, pictures)) = args.html.as_ref().zip(pictures) {
        let page = page(&review, &pictures, &about, language);
        output_file::write(path, page)?;
        output_file::note_written(path, terminal)?;
    }
    if let Some(path) = &args.svg {
        output_file::write(path, curve_picture(&review, language))?;
        output_file::note_written(path, terminal)?;
    }
    if args.json {
        writeln!(terminal.out, "{}", json_line(&review))?;
    } else {
        write!(terminal.out, "{}", listing(&review, &about, &outcome, terminal))?;
    }
    if !review.complete {
        let asked = reviewer.progress().0 - 1;
        let params: [(&str, &dyn Display); 2] = [("n", &review.moves.len()), ("of", &asked)];
        writeln!(terminal.err, "{}", language.say("review.interrupted", &params))?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// A review of the game at whose end `session` is.
pub(crate) fn open(session: Session, plan: ReviewPlan) -> Result<Reviewer> {
    let name = plan.player.to_string();
    Reviewer::open(session, plan).map_err(|err| failed(&name, err))
}

/// Values positions with a live line, from the last one on, until all are valued, `enough` returns true, or Ctrl-C.
pub(crate) fn value_positions(
    reviewer: &mut Reviewer,
    (interrupt, language): (&Interrupt, Language),
    enough: &dyn Fn(&Reviewer) -> bool,
) -> Result<()> {
    let mut progress = SearchProgress::of_many(interrupt);
    let name = reviewer.player().to_string();
    loop {
        let (n, done) = reviewer.progress();
        progress.set_message(language.say("review.positions", &[("done", &done), ("n", &n)]));
        if interrupt.pressed() || enough(reviewer) {
            return Ok(());
        }
        if !reviewer.step(&mut progress).map_err(|err| failed(&name, err))? {
            return Ok(());
        }
    }
}

fn failed(player: &str, err: ReviewError) -> anyhow::Error {
    match err {
        ReviewError::Player(err) => err.into(),
        ReviewError::Fault(fault) => anyhow!("{player}: {fault}"),
    }
}

fn listing(review: &Review, about: &[(&str, String)], outcome: &str, terminal: &Terminal) -> String {
    let language = terminal.language;
    let label = |key| language.say(key, &[]);
    let players = review.players.as_ref().map(|players| (label("review.label-players"), players.join(" - ")));
    let about = about.iter().map(|(name, fact)| (language.of_data(&format!("about.{name}"), name), fact.clone()));
    let by = language.say("review.listed-by", &[("player", &review.reviewer), ("budget", &review.budget)]);
    let facts = [(label("review.label-game"), review.game.clone())].into_iter().chain(about).chain(players);
    let ending = [(label("review.label-result"), outcome.to_owned()), (label("review.label-reviewed"), by)];
    let line = |(name, fact): (String, String)| {
        let blanks = " ".repeat(LABEL_COLUMNS.saturating_sub(display_width(&name)));
        format!("{name}{blanks} {}\n", escaped(&fact))
    };
    let head: String = facts.chain(ending).map(line).collect();
    head + "\n" + &tables(review, language, terminal.width)
}

/// Columns of the name of a fact.
const LABEL_COLUMNS: usize = 9;

/// Every move with its loss, the reasons of the marked ones, and the summary of each side.
pub(crate) fn tables(review: &Review, language: Language, width: usize) -> String {
    let words = Words { review, language, sides: side_names(review, language), width };
    words.moves() + "\n" + &words.reasons() + &words.sides() + &words.decisive()
}

/// Before the further lines of a reason.
const INDENT: &str = "    ";

/// A review in a language, on lines of this width.
struct Words<'r> {
    review: &'r Review,
    language: Language,
    sides: [String; 2],
    width: usize,
}

impl Words<'_> {
    /// The decisive move of the loser of the game; nothing without a loser, and if only a part of the game is reviewed.
    fn decisive(&self) -> String {
        let is_whole = self.review.moves.len() + self.review.opening_plies == self.review.plies;
        let loser =
            self.review.result.filter(|_| is_whole).and_then(|margin| Margin(margin).winner()).map(|winner| !winner);
        let Some((loser, mv)) = loser.and_then(|loser| Some((loser, self.review.decisive(loser)?))) else {
            return String::new();
        };
        let side = &self.sides[loser.index()];
        format!("\n{}\n", self.language.say("review.decisive", &[("side", side), ("n", &mv.ply), ("move", &mv.mv)]))
    }

    fn moves(&self) -> String {
        let has_points = self.review.unit == ReviewUnit::Points;
        let all = [
            self.right("review.column-ply"),
            self.text("review.column-side"),
            self.text("review.column-move"),
            String::new(),
            self.right("review.column-value"),
            self.right("review.column-loss"),
            ">%".to_owned(),
            self.text("review.column-better"),
        ];
        // In percent, the loss is that of the expected result already.
        let shown = |column: usize| has_points || column != 6;
        let headers: Vec<&str> = (0..all.len()).filter(|&column| shown(column)).map(|column| &*all[column]).collect();
        let mut table = Table::new(1, &headers);
        for mv in &self.review.moves {
            let side = &self.sides[usize::from(mv.to_move != "first")];
            let better = if mv.loses() { principal_variation(&mv.pv) } else { String::new() };
            let percent = if mv.loss_percent < 0.5 { String::new() } else { format!("{:.0}", mv.loss_percent) };
            let cells = [
                mv.ply.to_string(),
                side.clone(),
                mv.mv.clone(),
                mv.mark.map_or("", Mark::glyph).to_owned(),
                value_in_words(&mv.before, self.review.unit, self.language),
                loss_in_words(mv.loss, mv.exact),
                percent,
                better,
            ];
            table.add_row(cells.into_iter().enumerate().filter(|(column, _)| shown(*column)).map(|(_, cell)| cell));
        }
        table.text(self.width)
    }

    /// The reasons of the marked moves, and an empty line; nothing if there are none.
    fn reasons(&self) -> String {
        let mut text = String::new();
        for mv in self.review.moves.iter().filter(|mv| mv.mark.is_some()) {
            let sentences = reasons_in_words(self.review, mv, self.language);
            if !sentences.is_empty() {
                let head = format!("{}. {} {}", mv.ply, mv.mv, mv.mark.map_or("", Mark::glyph));
                let lines = lines_of_words(
                    &format!("{head}  {}", sentences.join(&self.text("join.sentences"))),
                    self.width.saturating_sub(INDENT.len()),
                );
                text += &format!("{}\n", lines.join(&format!("\n{INDENT}")));
            }
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// A heading, and one of a column that is aligned to the right.
    fn text(&self, key: &str) -> String {
        self.language.say(key, &[])
    }

    fn right(&self, key: &str) -> String {
        format!(">{}", self.text(key))
    }

    fn sides(&self) -> String {
        let unit = match self.review.unit {
            ReviewUnit::Points => self.text("review.points"),
            ReviewUnit::Percent => "%".to_owned(),
        };
        let headers = [
            self.text("review.column-side"),
            self.right("review.column-moves"),
            format!(">{}", self.language.say("review.column-mean", &[("unit", &unit)])),
            self.right("review.column-accuracy"),
            self.right("review.column-best"),
            ">?!".to_owned(),
            ">?".to_owned(),
            ">??".to_owned(),
            self.text("review.column-worst"),
        ];
        let mut table = Table::new(1, &headers.each_ref().map(String::as_str));
        for (side, name) in self.review.summary.iter().zip(&self.sides) {
            let worst = side.worst.and_then(|ply| self.review.moves.iter().find(|mv| mv.ply == ply));
            let worst = worst.map_or_else(String::new, |mv: &ReviewedMove| {
                format!("{}. {} (-{})", mv.ply, mv.mv, loss_in_words(mv.loss, mv.exact).trim_start_matches('='))
            });
            let share = match side.choices {
                0 => String::new(),
                choices => self.language.say("review.best-of", &[("n", &side.best), ("of", &choices)]),
            };
            table.add_row([
                name.clone(),
                side.moves.to_string(),
                side.mean_loss.map_or_else(String::new, |loss| format!("{loss:.2}")),
                side.accuracy.map_or_else(String::new, |accuracy| format!("{accuracy:.0} %")),
                share,
                side.inaccuracies.to_string(),
                side.mistakes.to_string(),
                side.blunders.to_string(),
                worst,
            ]);
        }
        table.text(self.width)
    }
}
