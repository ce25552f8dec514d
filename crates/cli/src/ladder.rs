//! `banyan ladder`: a player against the levels of a game.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use anyhow::{Context, Result};
use banyan_catalog::exports::{ladder_page, ladder_sheet};
use banyan_catalog::ladder::{LadderResult, Language, is_ladder, ladder, rungs};
use banyan_catalog::matches::{
    GameLine, Match, MatchConfig, MatchFolder, OpeningLines, Summary, Warning, config_of, fresh_folder,
};
use banyan_catalog::view::json_line;
use banyan_catalog::{Budget, Catalog, GameTables, Players};
use banyan_core::TextError;
use clap::{Args, ValueEnum};

use crate::engines::EngineFile;
use crate::game_terms::GameTerms;
use crate::live::Live;
use crate::match_::{STOP_SIGNAL, check_same, create, handle_interrupts, keep_engines_file};
use crate::match_args::MatchArgs;
use crate::program::{program, shell_word};
use crate::reopen::{OpenFolder, reopen};
use crate::table::Table;
use crate::terminal::Terminal;
use crate::wrap::wrapped;
use crate::{Exit, results};

/// Pairs of games against each rung by default.
const PAIRS: u64 = 10;
/// The budget of `best` at the top.
const BEST: &str = "best@nodes=200000+playouts=20000";

const EXAMPLES: &str = "\
Examples:
  banyan ladder ./mine.so --budget 3s
  banyan ladder uct:c=0.5@playouts=500 --pairs 20
  banyan ladder mine --game reversi --language zh --html ladder.html
  banyan ladder --resume banyan-ladders/20261124-210000

The player meets the ten levels of the game and best, with both colours on every
opening. The result is its place among the levels and the score of courses: 2
points for a win, 1 for a draw. The folder is that of a match, with ladder.json
and report.html besides.

Exit codes: 0 finished; 2 error; 130 interrupted, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LadderArgs {
    /// Player (see `banyan players`), engine (see `banyan engines`) or strategy library by its path.
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// Game with levels [default: connect-four].
    #[arg(long)]
    game: Option<String>,

    /// Pairs of games against each rung; the two games of a pair swap colours [default: 10].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pairs: Option<u64>,

    /// Budget per move of the player: 50ms, 3s, playouts=1000; the levels have their own [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    #[command(flatten)]
    terms: GameTerms,

    /// Language of the result.
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = Tongue::En)]
    language: Tongue,

    /// New folder for the ladder [default: banyan-ladders/DATE-TIME].
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Resume the ladder in this folder. Other arguments are optional and must be unchanged.
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N", conflicts_with = "resume")]
    shard: Option<String>,

    /// Print the result as one JSON object, that of ladder.json.
    #[arg(long)]
    json: bool,

    /// Also write the page to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<String>,

    /// Print neither progress nor result.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,

    #[command(flatten)]
    engines: EngineFile,
}

/// The language of the result.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Tongue {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl LadderArgs {
    /// An option that has no effect beside `--resume` without a player.
    fn ineffective_option(&self) -> Option<&'static str> {
        let given =
            [(self.game.is_some(), "--game"), (self.pairs.is_some(), "--pairs"), (self.budget.is_some(), "--budget")];
        let terms = self.terms.ineffective_option();
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name).or(terms)
    }

    fn language(&self) -> Language {
        match self.language {
            Tongue::En => Language::English,
            Tongue::Zh => Language::Chinese,
        }
    }

    /// The requested ladder; `None` if the resumed folder has the configuration.
    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<(MatchConfig, Option<OpeningLines>)>> {
        let Some(player) = &self.player else { return Ok(None) };
        let game = self.game.as_deref().unwrap_or(catalog.first_game());
        let levels = rungs(game, catalog.tables(game))?.into_iter().map(str::to_owned);
        let as_match = MatchArgs {
            game: Some(game.to_owned()),
            players: std::iter::once(player.clone()).chain(levels).chain([BEST.to_owned()]).collect(),
            pairs: Some(self.pairs.unwrap_or(PAIRS)),
            budget: self.budget,
            terms: self.terms.clone(),
            shard: self.shard.clone(),
            ..MatchArgs::default()
        };
        let config = as_match.config(catalog, players)?;
        Ok(config.map(|(config, openings)| (ladder(config), openings)))
    }
}

pub(crate) fn run(args: &LadderArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if let Some(path) = &args.html {
        if !path.to_ascii_lowercase().ends_with(".html") {
            let found = format!("page {path:?}");
            return Err(TextError::new(found, "expected a name that ends with .html", "try --html ladder.html").into());
        }
        results::check_exports(std::slice::from_ref(path), args.out.as_deref())?;
    }
    // A folder that cannot be read is reported below.
    let stored = args.resume.as_deref().and_then(|path| config_of(path).ok());
    let engines = args.engines.or_stored(stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref()));
    let players = engines.players()?;
    let (game, mut folder, lines) = begin(args, catalog, (&players, &engines), terminal)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.terms.jobs.map_or(cores, |jobs| jobs as usize);
    if let Some(warning) = Warning::oversubscribed(folder.config(), jobs, cores) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    handle_interrupts()?;
    let names = folder.config().players.iter().map(|player| player.name.clone()).collect();
    let mut live = Live::new(&mut terminal.out, &STOP_SIGNAL, false, args.quiet, names);
    let played = game.play(&mut folder, lines, jobs, &STOP_SIGNAL, &mut live);
    live.end()?;
    let played = played?;
    let tables = catalog.tables(&folder.config().game).expect("the match is one of a game of the catalog");
    show(args, &folder, (tables, &played.lines), terminal)?;
    if !played.unfinished {
        return Ok(Exit::Done);
    }
    let jobs = args.terms.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default();
    let path = shell_word(&folder.path().display().to_string());
    writeln!(terminal.err, "resume with\n  {} ladder --resume {path}{jobs}", program())?;
    Ok(Exit::Interrupted)
}

fn begin(
    args: &LadderArgs,
    catalog: &Catalog,
    (players, engines): (&Players, &EngineFile),
    terminal: &mut Terminal,
) -> Result<(Match, MatchFolder, Vec<GameLine>)> {
    let requested = args.config(catalog, players)?;
    let Some(path) = &args.resume else {
        let requested = requested.expect("clap requires a player without --resume");
        let path = || args.out.clone().unwrap_or_else(|| fresh_folder(Path::new("banyan-ladders")));
        let (game, folder) = create(requested, catalog, (players, engines), path)?;
        if !args.quiet {
            writeln!(terminal.err, "ladder in {}", folder.path().display())?;
        }
        return Ok((game, folder, Vec::new()));
    };
    if let (None, Some(option)) = (&requested, args.ineffective_option()) {
        let expected = "has no effect without the player";
        return Err(TextError::new(option, expected, "remove it: --resume reads match.toml").into());
    }
    let config = config_of(path)?;
    if !is_ladder(&config, catalog.tables(&config.game)) {
        let remedy = format!("use {} match --resume, or another folder", program());
        return Err(TextError::new(path.display().to_string(), "expected a ladder, found a match", remedy).into());
    }
    let OpenFolder { mut folder, lines, openings } = reopen(path, terminal)?;
    if let Some((requested, _)) = requested {
        check_same(folder.config(), &requested)?;
    }
    let game = Match::new(catalog, players, folder.config(), openings.as_ref())?;
    keep_engines_file(&mut folder, engines)?;
    Ok((game, folder, lines))
}

/// Writes ladder.json and report.html, and prints the table and the notes.
fn show(
    args: &LadderArgs,
    folder: &MatchFolder,
    (tables, lines): (&GameTables, &[GameLine]),
    terminal: &mut Terminal,
) -> Result<()> {
    let summary = Summary::of(folder.config(), lines);
    let result = LadderResult::of(folder.config(), tables, &summary);
    let page = ladder_page(folder.config(), &result, args.language(), &summary.warnings);
    folder.write_file("ladder.json", &(json_line(&result) + "\n"))?;
    folder.write_file("report.html", &page)?;
    if let Some(path) = &args.html {
        fs::write(path, &page).with_context(|| format!("cannot write {path}"))?;
    }
    if args.json {
        writeln!(terminal.out, "{}", json_line(&result))?;
    } else if !args.quiet {
        let sheet = ladder_sheet(&result, args.language());
        let mut table = Table::new(sheet.n_keys, &sheet.headings);
        sheet.rows.into_iter().for_each(|row| table.add_row(row));
        write!(terminal.out, "{}\n{}\n", args.language().title(&result), table.text(terminal.width))?;
        for note in args.language().notes(&result) {
            wrapped(terminal, "", "", &note)?;
        }
    }
    if !args.quiet {
        for warning in &summary.warnings {
            writeln!(terminal.err, "warning: {}", warning.text)?;
        }
    }
    Ok(())
}
