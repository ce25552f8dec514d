//! `banyan match`: runs a match between players and reports the result.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use banyan_arena::StopSignal;
use banyan_arena::stats::Decision;
use banyan_catalog::matches::{
    GameLine, Match, MatchConfig, MatchFolder, OpeningLines, Played, Summary, Warning, config_of, fresh_folder,
};
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;

use crate::engines::EngineFile;
use crate::live::Live;
use crate::match_args::MatchArgs;
use crate::program::{program, shell_word};
use crate::reopen::{OpenFolder, reopen};
use crate::terminal::Terminal;
use crate::{Exit, interrupt, loss_review, results};

/// Set by Ctrl-C, SIGTERM and SIGHUP.
pub(crate) static STOP_SIGNAL: StopSignal = StopSignal::new();

pub(crate) fn run(args: &MatchArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    // Check export names before the match, not after hours of games.
    results::check_exports(&args.export, args.out.as_deref())?;
    args.review.iter().try_for_each(|budget| loss_review::check(budget, &args.export))?;
    // A folder that cannot be read is reported below.
    let stored = args.resume.as_deref().and_then(|path| config_of(path).ok());
    let engines = args.engines.or_stored(stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref()));
    let players = engines.players()?;
    let Begun { game, mut folder, lines } = begin(args, catalog, (&players, &engines), terminal)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.terms.jobs.map_or(cores, |jobs| jobs as usize);
    if let Some(warning) = Warning::oversubscribed(folder.config(), jobs, cores) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    handle_interrupts()?;
    let names = folder.config().players.iter().map(|player| player.name.clone()).collect();
    let mut live = Live::new(&mut terminal.out, &STOP_SIGNAL, args.json, args.quiet, names);
    let played = game.play(&mut folder, lines, jobs, &STOP_SIGNAL, &mut live);
    live.end()?;
    finish(args, (catalog, &players, jobs), (&folder, &played?), terminal)
}

/// A match that is ready to be played.
struct Begun {
    game: Match,
    folder: MatchFolder,
    lines: Vec<GameLine>,
}

/// A new match and its folder; `path` may make that, and is asked once the configuration is checked.
pub(crate) fn create(
    (mut config, openings): (MatchConfig, Option<OpeningLines>),
    catalog: &Catalog,
    (players, engines): (&Players, &EngineFile),
    path: impl FnOnce() -> PathBuf,
) -> Result<(Match, MatchFolder)> {
    config.made_by.engines_file = engines_file(&config, engines);
    let game = Match::new(catalog, players, &config, openings.as_ref())?;
    let folder = MatchFolder::create(&path(), config, openings.as_ref())?;
    Ok((game, folder))
}

/// Stores the path of the engines file that a resumed match uses now, where it is another one.
pub(crate) fn keep_engines_file(folder: &mut MatchFolder, engines: &EngineFile) -> Result<()> {
    match engines_file(folder.config(), engines) {
        Some(file) if folder.config().made_by.engines_file.as_ref() != Some(&file) => {
            Ok(folder.set_engines_file(file)?)
        }
        _ => Ok(()),
    }
}

fn begin(
    args: &MatchArgs,
    catalog: &Catalog,
    (players, engines): (&Players, &EngineFile),
    terminal: &mut Terminal,
) -> Result<Begun> {
    let requested = args.config(catalog, players)?;
    let Some(path) = &args.resume else {
        let requested = requested.expect("clap requires a game without --resume");
        let path = || args.out.clone().unwrap_or_else(|| fresh_folder(Path::new("banyan-matches")));
        let (game, folder) = create(requested, catalog, (players, engines), path)?;
        if !args.quiet {
            writeln!(terminal.err, "match in {}", folder.path().display())?;
        }
        return Ok(Begun { game, folder, lines: Vec::new() });
    };
    if let (None, Some(option)) = (&requested, args.ineffective_option()) {
        let expected = "has no effect without the game and the players";
        return Err(TextError::new(option, expected, "remove it: --resume reads match.toml").into());
    }
    if config_of(path)?.rating.is_some() {
        let expected = "expected a match, found a rating";
        let remedy = "use `banyan rate --resume`, or another folder";
        return Err(TextError::new(path.display().to_string(), expected, remedy).into());
    }
    if config_of(path)?.tune.is_some() {
        let expected = "expected a match, found a tuning";
        let remedy = "use `banyan tune --resume`, or another folder";
        return Err(TextError::new(path.display().to_string(), expected, remedy).into());
    }
    let OpenFolder { mut folder, lines, openings } = reopen(path, terminal)?;
    if folder.config().sweep.is_some() {
        let path = shell_word(&path.display().to_string());
        let remedy = format!("use {} sweep --resume {path}", program());
        return Err(TextError::new(path, "expected a match, found a sweep", remedy).into());
    }
    if let Some((config, _)) = requested {
        check_same(folder.config(), &config)?;
    }
    let pairs = folder.config().pairs;
    match args.pairs() {
        Some(requested) if requested > pairs => folder.set_pairs(requested)?,
        Some(requested) if requested < pairs => {
            let expected = format!("the match has {pairs}, and the number can only increase");
            return Err(TextError::new(format!("{requested} pairs"), expected, "remove --pairs").into());
        }
        _ => {}
    }
    let game = Match::new(catalog, players, folder.config(), openings.as_ref())?;
    keep_engines_file(&mut folder, engines)?;
    Ok(Begun { game, folder, lines })
}

/// The file that defines the engines of the match, if it has any.
pub(crate) fn engines_file(config: &MatchConfig, engines: &EngineFile) -> Option<String> {
    let has_engines = config.players.iter().any(|player| !player.engines.is_empty());
    has_engines.then(|| engines.absolute()).flatten()
}

pub(crate) fn check_same(stored: &MatchConfig, requested: &MatchConfig) -> Result<(), TextError> {
    stored.check_same(requested)?;
    if stored.shard != requested.shard {
        let whole = || "1/1".to_owned();
        let [stored, requested] = [stored, requested].map(|config| config.shard.clone().unwrap_or_else(whole));
        let found = format!("a different match: shard {requested}");
        return Err(TextError::new(found, format!("expected shard {stored}"), "use a new folder with --out"));
    }
    Ok(())
}

/// The first Ctrl-C, SIGTERM or SIGHUP finishes the running games, the second aborts them, the third exits at once.
pub(crate) fn handle_interrupts() -> Result<()> {
    interrupt::set_handler(|| {
        let message = if STOP_SIGNAL.is_aborting() {
            interrupt::exit_without_engines();
        } else if STOP_SIGNAL.is_finishing() {
            "aborting the running games"
        } else {
            "finishing the running games; press Ctrl-C again to abort them"
        };
        STOP_SIGNAL.request();
        // The match stops even if this cannot be written.
        let _ = writeln!(std::io::stderr(), "\n{message}");
    })
}

fn finish(
    args: &MatchArgs,
    (catalog, players, jobs): (&Catalog, &Players, usize),
    (folder, played): (&MatchFolder, &Played),
    terminal: &mut Terminal,
) -> Result<Exit> {
    let mut summary = Summary::of(folder.config(), &played.lines);
    folder.write_file("summary.json", &(json_line(&summary) + "\n"))?;
    if let Some(budget) = args.review {
        let terms = loss_review::Terms { budget, jobs, only_kept: played.unfinished, quiet: args.quiet };
        let review = loss_review::review(&terms, (catalog, players), (folder, &played.lines), terminal)?;
        summary.loss_review = Some(review);
    }
    let is_reviewed = summary.loss_review.as_ref().is_none_or(|review| review.reviewed == review.to_review);
    results::export(&args.export, (folder.config(), &played.lines), &summary, catalog)?;
    if !args.quiet {
        results::print(&summary, Some(folder.path()), args.json, terminal)?;
    }
    if played.uncounted > 0 && !args.quiet {
        writeln!(
            terminal.err,
            "{} games finished after the test was decided; they are recorded but not counted",
            played.uncounted
        )?;
    }
    if played.unfinished || !is_reviewed {
        let jobs = args.terms.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default();
        let exports: String = args.export.iter().map(|path| format!(" --export {}", shell_word(path))).collect();
        let review = args.review.map(|budget| format!(" --review {budget}")).unwrap_or_default();
        let path = shell_word(&folder.path().display().to_string());
        writeln!(terminal.err, "resume with\n  {} match --resume {path}{jobs}{exports}{review}", program())?;
        return Ok(Exit::Interrupted);
    }
    Ok(match played.standing.sprt().map(|state| state.decision) {
        None | Some(Decision::AcceptH1) => Exit::Done,
        Some(Decision::AcceptH0) => Exit::No,
        Some(Decision::Continue) => {
            writeln!(terminal.err, "undecided after {} pairs; raise --max-pairs to continue", played.standing.pairs)?;
            Exit::No
        }
    })
}
